// The end of a run for a terminal.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "base/text.h"
#include "print/certificate_text.h"
#include "print/counts.h"
#include "print/measure_text.h"
#include "print/quantity.h"
#include "print/text_block.h"
#include "result/works.h"

enum { MOST_EVENTS = 24, WIDTH = 100 };

static const char *unit_of(Context *cx, const Model *model, Expr e) {
  return quantity_unit(&cx->scratch, quantity_of(cx, model, e));
}

// In lines of at most WIDTH columns.
static void print_sentence(Context *cx, Text *out, const char *begin, const char *middle,
                           const char *end) {
  print_wrapped(out, text_format(&cx->scratch, "%s%s%s", begin, middle, end), WIDTH, 4);
}

static void print_remark(Context *cx, Text *out, const char *begin, const Remark *remark) {
  if (remark_is_made(remark))
    print_sentence(cx, out, begin, remark_english(remark, &cx->scratch), "");
}

static void print_head(Context *cx, const System *s, const SimSummary *summary, Text *out) {
  const Model *model = s->model;
  counts_add(out, model->title,
             (Counts){s->n, s->row_count, s->contact_count, summary->freedom, s->states});
  text_add_char(out, '\n');
  if (summary->moved > 0) {
    uint32_t i = summary->moved_coordinate;
    const char *unit = unit_of(cx, model, s->q[i]);
    text_addf(out, "initial position: %u of %u guesses moved, at most %.2g%s%s (%s)\n",
              summary->moved, summary->guesses, summary->most_moved, unit[0] ? " " : "", unit,
              symbol_text(cx, model->coordinates.at[i].name));
  }
  if (summary->velocities_moved > 0) {
    uint32_t i = summary->moved_velocity;
    const char *unit = unit_of(cx, model, s->qd[i]);
    text_addf(out, "initial velocity: %u of %u guesses moved, at most %.2g%s%s (%s')\n",
              summary->velocities_moved, summary->velocity_guesses, summary->most_velocity_moved,
              unit[0] ? " " : "", unit, symbol_text(cx, model->coordinates.at[i].name));
  }
  if (summary->redundant)
    print_sentence(
        cx, out, "redundant: ", summary->redundant,
        model->presses.n > 0
            ? "; constraint forces, and the friction of joints that follows from them, are "
              "those of least norm, not the only ones"
            : "; the constraint forces shown are those of least norm, not the only ones");
}

static void print_events(Context *cx, const System *s, const SimSummary *summary, Text *out) {
  for (uint32_t i = 0; i < summary->events.n && i < MOST_EVENTS; i++) {
    const SimEvent *e = &summary->events.at[i];
    text_addf(out, "  %.6f s  %-8s %s", e->t, sim_event_text(e->kind), sim_event_name(s, e));
    if (e->kind == SIM_IMPACT) {
      double after = fabs(e->after) < 1e-9 * e->before ? 0 : e->after;
      const Contact *contact = &s->model->contacts.at[e->number];
      const char *unit = quantity_unit(&cx->scratch, quantity_of_contact(cx, s->model, contact, 1));
      text_addf(out, "   %.5g -> %.5g%s%s", e->before, after + 0.0, unit[0] ? " " : "", unit);
    }
    text_add_char(out, '\n');
  }
  if (summary->events.n > MOST_EVENTS)
    text_addf(out, "  ... and %u more\n", summary->events.n - MOST_EVENTS);
  if (summary->events_left_out > 0)
    text_addf(out, "  ... and %" PRId64 " more that were not kept\n", summary->events_left_out);
  if (summary->never) print_sentence(cx, out, "  never happened: ", summary->never, "");
  if (summary->event_step > 0 && summary->events.n > 0)
    text_addf(out,
              "  events of contacts and friction to the step of %g s, at whose end they stand\n",
              summary->event_step);
}

static void print_work(const SimSummary *summary, Text *out) {
  bool any = false;
  for (int i = 0; i < SUMMARY_FIELDS; i++) {
    const SummaryField *field = &summary_fields[i];
    double work;
    if (!summary_tells_work(summary, field, &work)) continue;
    text_addf(out, "%s%s %.4g %s", any ? ", " : "  work                  ", summary_key(field),
              work, field->unit);
    any = true;
  }
  if (any) text_add_char(out, '\n');
}

// NULL where it is not known.
static const Row *row_at(const System *s, int row) {
  if (row < 0 || (uint32_t)row >= s->row_count + s->contact_count) return NULL;
  return (uint32_t)row < s->row_count ? &s->rows[row] : &s->contacts[(uint32_t)row - s->row_count];
}

// The unit of a row, or of its first or second derivative by time.
static const char *row_unit(Context *cx, const System *s, int row, int derivative) {
  const Model *model = s->model;
  if (!row_at(s, row)) return "";
  Symbol name = row_at(s, row)->name;
  bool contact = (uint32_t)row >= s->row_count;
  int i = contact ? model_contact(model, name) : model_constraint(model, name);
  if (i < 0) return "";
  Quantity q = contact ? quantity_of_contact(cx, model, &model->contacts.at[i], derivative)
                       : quantity_of_constraint(cx, model, &model->constraints.at[i], derivative);
  const char *unit = quantity_unit(&cx->scratch, q);
  return unit[0] ? text_format(&cx->scratch, " %s", unit) : "";
}

static void print_residuals(Context *cx, const System *s, const SimSummary *summary, Text *out) {
  if (s->row_count + s->contact_count == 0) return;
  const Worst *levels[] = {&summary->position, &summary->velocity, &summary->acceleration};
  const char *between = "  constraint residual   ";
  for (int i = 0; i < 3; i++) {
    const Row *row = row_at(s, levels[i]->row);
    if (i == 0 && row && row->is_nonholonomic) continue; // has no positions
    text_addf(out, "%s%.0e%s", between, levels[i]->value, row_unit(cx, s, levels[i]->row, i));
    between = ", ";
  }
  text_add_char(out, '\n');
}

// The law of those impacts in which it makes a difference.
static void print_laws(const SimSummary *summary, Text *out) {
  int64_t turn = summary->impacts_in_turn, once = summary->impacts_at_once;
  if (turn + once == 0) return;
  text_add(out, "  impacts of several    ");
  if (turn > 0) text_addf(out, "%" PRId64 " in turn, the fastest contact first", turn);
  if (once > 0) text_addf(out, "%s%" PRId64 " at once, with friction", turn > 0 ? "; " : "", once);
  text_add_char(out, '\n');
}

// In SI units: contacts may be gaps and angles.
static void print_contacts(const SimSummary *summary, Text *out) {
  if (!isnan(summary->penetration)) {
    text_addf(out, "  contact residual      overlap %.0e, pull %.0e", summary->penetration,
              summary->pull);
    if (!isnan(summary->grip)) text_addf(out, ", friction beyond mu N %.0e", summary->grip);
    if (!isnan(summary->complementarity))
      text_addf(out, ", law of contact missed by %.0e of the speeds", summary->complementarity);
    text_add(out, " (SI)\n");
  }
  print_laws(summary, out);
  if (summary->impact_gain > 0) text_addf(out, "  impacts made %.3g J\n", summary->impact_gain);
  if (summary->impact_rounds_exceeded > 0)
    text_addf(out,
              "  %" PRId64
              " impacts did not settle in 100 rounds and were ended without restitution\n",
              summary->impact_rounds_exceeded);
  if (summary->impacts_softened > 0)
    text_addf(out,
              "  the restitution of %" PRId64
              " impacts was lowered: with friction they would make energy, or "
              "jam\n",
              summary->impacts_softened);
}

static void print_method(Context *cx, const SimSummary *summary, Text *out) {
  text_add(out, summary->method);
  if (summary->fixed_step)
    text_addf(out, ", step %g ms", 1e3 * summary->step);
  else
    text_addf(out, ", rtol %g", summary->rtol);
  if (summary->stabilize && strcmp(summary->stabilize, "projection") != 0)
    text_addf(out, ", stabilized by %s", summary->stabilize);
  double ms = 1e3 * summary->wall_seconds;
  text_addf(out, ": %.6g s in %.*g ms\n", summary->t_end, ms < 100 ? 3 : 9,
            ms < 100 ? ms : round(ms));
  if (summary->partitions > 0)
    text_addf(out, "  independent coordinates were chosen %" PRId64 " times\n",
              summary->partitions);
  bool by_auto = summary->method && strcmp(summary->method, "auto") == 0;
  print_remark(cx, out, by_auto ? "  auto chose " : "  changed to ", &summary->reason);
  print_remark(cx, out, "  ", &summary->hint);
}

void certificate_text(Context *cx, const System *s, const SimSummary *summary, const char *results,
                      bool unicode, Text *out) {
  (void)unicode;
  Mark mark = arena_mark(&cx->scratch);
  print_remark(cx, out, "warning: ", &summary->distrust);
  print_remark(cx, out, "  ", &summary->advice);
  print_head(cx, s, summary, out);
  print_method(cx, summary, out);
  print_events(cx, s, summary, out);
  if (summary->measures) {
    text_add_char(out, '\n');
    measures_text(cx, s->model, summary->measures, out);
  }
  text_addf(out, "\n  steps %" PRId64 " (%" PRId64 " rejected), %" PRId64 " evaluations",
            summary->steps, summary->rejected, summary->evaluations);
  if (summary->evaluations > 0)
    text_addf(out, ", %.2g us each", 1e6 * summary->wall_seconds / (double)summary->evaluations);
  text_add_char(out, '\n');
  if (!isnan(summary->energy_drift))
    text_addf(out, "  energy balance        %.1e of the energies exchanged\n",
              summary->energy_drift);
  print_work(summary, out);
  print_residuals(cx, s, summary, out);
  print_contacts(summary, out);
  if (!isnan(summary->verified))
    text_addf(out, "  verified              differs by %.1e from a run at a tenth of the %s\n",
              summary->verified, summary->fixed_step ? "step" : "tolerance");
  if (summary->motion_left_out)
    text_add(out,
             "  motion between rows   not kept, since it would be more than 10 MB: pictures show "
             "the rows; '--motion full' keeps it\n");
  if (results) text_addf(out, "  results in %s (%" PRId64 " rows)\n", results, summary->rows);
  arena_release(&cx->scratch, mark);
}
