// Formulations side by side, for a terminal.
#include "print/compare_text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

// Differences in m or rad from which on a growth is seen, and at which it is over.
#define NOTICEABLE 1e-9
#define LARGE 1e-2

const char *agreement_text(Equality equality) {
  static const char *const words[] = {
      [EQUAL_NO] = "different", [EQUAL_YES] = "equal", [EQUAL_UNKNOWN] = "undecided"};
  return words[equality];
}

static const char *plural(uint32_t n) { return n == 1 ? "" : "s"; }

static void print_head(const Comparison *c, Text *out) {
  const Mechanism *m = &c->model->mechanism;
  if (c->model->title[0]) text_addf(out, "%s: ", c->model->title);
  text_addf(out, "%u bod%s, %u joint%s\n\n", m->bodies.n, m->bodies.n == 1 ? "y" : "ies",
            m->joints.n, plural(m->joints.n));
}

// ---- The table

static const char *seconds_text(Arena *arena, double seconds) {
  if (seconds < 1e-6) return text_format(arena, "%.3g ns", 1e9 * seconds);
  if (seconds < 1e-3) return text_format(arena, "%.3g us", 1e6 * seconds);
  if (seconds < 1) return text_format(arena, "%.3g ms", 1e3 * seconds);
  return text_format(arena, "%.3g s", seconds);
}

static const char *difference_text(Arena *arena, const FormulationRun *run) {
  const Deviation *d = &run->deviation;
  if (run->distance_count == 0) return "-";
  return text_format(arena, "%.1e %s", fmax(d->position, d->angle), d->is_angle ? "rad" : "m");
}

static void print_line(const Comparison *c, const FormulationRun *run, Text *out) {
  Arena *arena = &c->cx->scratch;
  const SimSummary *s = &run->summary;
  text_addf(out, "%-13s %11u %11u %9s", run->name, run->n, run->rows,
            seconds_text(arena, run->derive_seconds));
  if (!run->has_run) {
    text_add(out, "\n");
    return;
  }
  double per_step = s->steps > 0 ? s->wall_seconds / (double)s->steps : 0;
  const char *drift = run->rows ? text_format(arena, "%.0e", s->position.value) : "-";
  text_addf(out, " %8" PRId64 " %9s %8s %9.1e %12s\n", s->steps, seconds_text(arena, per_step),
            drift, s->energy_drift, difference_text(arena, run));
}

static void print_table(const Comparison *c, Text *out) {
  text_addf(out, "%-13s %11s %11s %9s %8s %9s %8s %9s %12s\n", "formulation", "coordinates",
            "constraints", "derive", "steps", "per step", "drift", "energy", "difference");
  for (int f = 0; f < FORMULATIONS; f++) {
    const FormulationRun *run = &c->runs[f];
    if (run->refusal && run->n == 0) continue;
    print_line(c, run, out);
  }
}

// ---- What is proved

static const FormulationRun *reference_of(const Comparison *c) {
  int f = 0;
  while (f + 1 < FORMULATIONS && !c->runs[f].is_reference) f++;
  assert(c->runs[f].is_reference);
  return &c->runs[f];
}

void agreement_evidence(const Agreement *a, Text *out) {
  if (a->equality == EQUAL_YES && a->evidence.kind == EVIDENCE_SAME)
    text_add(out, "both sides are identical when expanded");
  else
    evidence_print(&a->evidence, out);
}

static void add_evidence(const Agreement *a, Text *out) {
  const char *where = a->where ? a->where : "a state";
  switch (a->equality) {
  case EQUAL_YES: text_add(out, "proved equal; "); break;
  case EQUAL_NO: text_addf(out, "NOT EQUAL in %s; ", where); break;
  case EQUAL_UNKNOWN: text_add(out, "not proved, but not refuted; "); break;
  }
  agreement_evidence(a, out);
}

// Names that fit into half a line.
static const char *coordinate_list(const Comparison *c, TerminalPage *page) {
  Text list = text_new(&c->cx->scratch);
  uint32_t i = 0;
  for (; i < c->coordinate_count && list.n < 40; i++)
    text_addf(&list, "%s%s", i ? ", " : "",
              terminal_name(page, symbol_text(c->cx, c->coordinates[i])));
  if (i < c->coordinate_count) text_addf(&list, " ... (%u)", c->coordinate_count);
  return list.at;
}

static void print_agreement(const Comparison *c, const FormulationRun *run, TerminalPage *page) {
  const Agreement *a = &run->agreement;
  Text line = text_new(&c->cx->scratch);
  if (strcmp(run->name, "newton-euler") == 0)
    text_addf(&line, "%s and %s: ", run->name, reference_of(c)->name);
  else
    text_addf(&line, "%s, projected onto %s: ", run->name, coordinate_list(c, page));
  add_evidence(a, &line);
  text_addf(&line, " (%u identit%s", a->identities, a->identities == 1 ? "y" : "ies");
  if (a->satisfied) text_addf(&line, ", %u joint row%s gone", a->satisfied, plural(a->satisfied));
  if (a->shared) text_addf(&line, ", %u loop row%s the same", a->shared, plural(a->shared));
  text_add(&line, ")");
  terminal_sentence(page, line.at);
}

// ---- What the runs say

static double largest_difference(const Comparison *c, const FormulationRun **which) {
  double largest = -1;
  for (int f = 0; f < FORMULATIONS; f++) {
    const Deviation *d = &c->runs[f].deviation;
    if (c->runs[f].distance_count == 0 || fmax(d->position, d->angle) <= largest) continue;
    largest = fmax(d->position, d->angle);
    *which = &c->runs[f];
  }
  return largest;
}

// Motions from different starts are different motions, whatever the equations say.
static void print_starts(const Comparison *c, TerminalPage *page) {
  for (int f = 0; f < FORMULATIONS; f++) {
    const FormulationRun *run = &c->runs[f];
    if (!(run->deviation.start > NOTICEABLE) || run->distance_count == 0) continue;
    terminal_sentence(page,
                      text_format(&c->cx->scratch,
                                  "%s starts elsewhere: its bodies are up to %.1e m or rad away "
                                  "at t = 0, so its motion is another one",
                                  run->name, run->distance[0]));
  }
}

static void print_difference(const Comparison *c, TerminalPage *page) {
  const FormulationRun *run = NULL;
  double largest = largest_difference(c, &run);
  if (!run || c->row_count == 0) return;
  const SimSummary *s = &run->summary;
  Text line = text_new(&c->cx->scratch);
  text_addf(&line, "largest difference of the motions over %.4g s: %.1e %s", s->t_end, largest,
            run->deviation.is_angle ? "rad" : "m");
  if (largest > 0)
    text_addf(&line, " (%s, %s at %.4g s)", run->name,
              terminal_name(page, symbol_text(c->cx, run->deviation.where)), run->deviation.at);
  if (s->fixed_step)
    text_addf(&line, "; %s, step %g s", s->method, s->step);
  else
    text_addf(&line, "; %s, tolerance %g", s->method, s->rtol);
  terminal_sentence(page, line.at);
}

// Where neighbouring motions part, exact equations do not help.
static void print_growth(const Comparison *c, TerminalPage *page) {
  const FormulationRun *run = NULL;
  if (largest_difference(c, &run) < LARGE || !run) return;
  double from = NAN, to = NAN, low = 0;
  for (uint32_t k = 0; k < run->distance_count && isnan(to); k++) {
    if (isnan(from) && run->distance[k] > NOTICEABLE) from = c->t[k], low = run->distance[k];
    if (run->distance[k] > LARGE) to = c->t[k];
  }
  double decades = log10(LARGE / low);
  if (!(to > from) || !(decades > 3)) return;
  terminal_sentence(
      page, text_format(&c->cx->scratch,
                        "neighbouring motions diverge here: a difference grows tenfold every "
                        "%.2g s, whatever the tolerance",
                        (to - from) / decades));
}

static void print_refusals(const Comparison *c, TerminalPage *page) {
  for (int f = 0; f < FORMULATIONS; f++) {
    const FormulationRun *run = &c->runs[f];
    Text line = text_new(&c->cx->scratch);
    if (run->refusal)
      text_addf(&line, "%s %s: %s", run->name, run->n ? "does not run" : "does not apply",
                run->refusal);
    else if (run->has_run && run->summary.stopped)
      text_addf(&line, "%s stopped at %.4g s, after %.3g s of work", run->name, run->summary.t_end,
                run->summary.wall_seconds);
    if (line.n) terminal_sentence(page, line.at);
  }
}

// ---- Roads

static void print_road(const Comparison *c, const RoadRun *run, Text *out) {
  if (run->refusal) return;
  Arena *arena = &c->cx->scratch;
  const char *none = "-";
  text_addf(out, "%-15s %9s %8s %11s %11s %10s\n", run->name,
            run->is_measured ? text_format(arena, "%u", run->equations) : none,
            run->length ? text_format(arena, "%u", run->length) : none,
            run->is_measured
                ? text_format(arena, "%u%s", run->operations, run->has_multipliers ? " + m" : "")
                : none,
            run->is_measured ? seconds_text(arena, run->seconds) : none,
            seconds_text(arena, run->derive_seconds));
}

const char *road_reason_text(Arena *arena, const Comparison *c) {
  const RoadComparison *r = c->roads;
  switch (r->reason) {
  case REASON_LAGRANGE: return "the masses are constant, so that accelerations follow at once";
  case REASON_SOLVED: return "its accelerations are already short";
  case REASON_MOMENTA: return "momenta take up the terms that are quadratic in the velocities";
  case REASON_CYCLIC:
    return text_format(arena, "%u of %u coordinates %s cyclic and leave%s the equations", r->cyclic,
                       c->model->coordinates.n, r->cyclic == 1 ? "is" : "are",
                       r->cyclic == 1 ? "s" : "");
  case REASON_CONSTRAINTS:
    return "its speeds respect the constraints, so that no multipliers are left";
  case REASON_SPEEDS: return "its speeds suit the motion";
  default: return "several are as short";
  }
}

static void print_roads(const Comparison *c, const TextStyle *style, Text *out) {
  const RoadComparison *r = c->roads;
  if (c->model->title[0]) text_addf(out, "%s: ", c->model->title);
  text_addf(out, "%u coordinate%s, %u constraint%s\n\n", c->model->coordinates.n,
            plural(c->model->coordinates.n), c->model->constraints.n,
            plural(c->model->constraints.n));
  text_addf(out, "%-15s %9s %8s %11s %11s %10s\n", "road", "equations", "length", "operations",
            "right side", "derive");
  bool has_multipliers = false;
  for (int road = 0; road < ROADS; road++) {
    print_road(c, &r->runs[road], out);
    has_multipliers |= r->runs[road].has_multipliers;
  }
  text_add(out, "\n");
  TerminalPage page = terminal_open(c->cx, style, NULL, out);
  if (has_multipliers)
    terminal_sentence(&page, "+ m: and the multipliers, which are solved for besides");
  for (int road = ROAD_LAGRANGE + 1; road < ROADS; road++) {
    const RoadRun *run = &r->runs[road];
    Text line = text_new(&c->cx->scratch);
    text_addf(&line, "%s: ", run->name);
    if (run->refusal)
      text_addf(&line, "does not apply: %s", run->refusal);
    else
      add_evidence(&run->agreement, &line);
    if (!run->refusal)
      text_addf(&line, " (%u identit%s)", run->agreement.identities,
                run->agreement.identities == 1 ? "y" : "ies");
    terminal_sentence(&page, line.at);
  }
  if (r->shortest < 0) return;
  terminal_sentence(&page,
                    text_format(&c->cx->scratch, "shortest here: %s, since %s",
                                r->runs[r->shortest].name, road_reason_text(&c->cx->scratch, c)));
}

void compare_text(const Comparison *c, const TextStyle *style, Text *out) {
  if (c->roads) {
    print_roads(c, style, out);
    return;
  }
  print_head(c, out);
  print_table(c, out);
  text_add(out, "\n");
  TerminalPage page = terminal_open(c->cx, style, NULL, out);
  for (int f = 0; f < FORMULATIONS; f++)
    if (!c->runs[f].is_reference && c->runs[f].n) print_agreement(c, &c->runs[f], &page);
  print_starts(c, &page);
  print_difference(c, &page);
  print_growth(c, &page);
  print_refusals(c, &page);
}
