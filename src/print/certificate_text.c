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

// A unit behind its number, "" where it is a plan that runs, which knows none.
static const char *behind(Context *cx, const char *unit) {
  return unit[0] ? text_format(&cx->scratch, " %s", unit) : "";
}

static const char *coordinate_unit(Context *cx, RunOrigin o, uint32_t i, int order) {
  const System *s = o.system;
  if (!s) return "";
  Quantity q = quantity_of(cx, s->model, order == 0 ? s->q[i] : s->qd[i]);
  return behind(cx, quantity_unit(&cx->scratch, q));
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

static Counts counts_of(RunOrigin o, const SimSummary *summary) {
  const System *s = o.system;
  if (o.plan) {
    const Plan *p = &o.plan->plan;
    return (Counts){p->n, p->row_count, p->contact_count, summary->freedom, p->state_count};
  }
  return (Counts){s->n, s->row_count, s->contact_count, summary->freedom, s->states};
}

static void print_head(Context *cx, RunOrigin o, const SimSummary *summary, Text *out) {
  bool has_presses = o.plan ? o.plan->plan.press_count > 0 : o.system->model->presses.n > 0;
  counts_add(out, o.plan ? o.plan->title : o.system->model->title, counts_of(o, summary));
  text_add_char(out, '\n');
  if (summary->moved > 0) {
    uint32_t i = summary->moved_coordinate;
    text_addf(out, "initial position: %u of %u guesses moved, at most %.2g%s (%s)\n",
              summary->moved, summary->guesses, summary->most_moved, coordinate_unit(cx, o, i, 0),
              origin_coordinate_name(o, i));
  }
  if (summary->velocities_moved > 0) {
    uint32_t i = summary->moved_velocity;
    text_addf(out, "initial velocity: %u of %u guesses moved, at most %.2g%s (%s')\n",
              summary->velocities_moved, summary->velocity_guesses, summary->most_velocity_moved,
              coordinate_unit(cx, o, i, 1), origin_coordinate_name(o, i));
  }
  if (summary->redundant)
    print_sentence(
        cx, out, "redundant: ", summary->redundant,
        has_presses ? "; constraint forces, and the friction of joints that follows from them, are "
                      "those of least norm, not the only ones"
                    : "; the constraint forces shown are those of least norm, not the only ones");
}

// Of the speed at which a contact closes.
static const char *approach_unit(Context *cx, RunOrigin o, uint32_t contact) {
  if (!o.system) return "";
  const Model *model = o.system->model;
  Quantity q = quantity_of_contact(cx, model, &model->contacts.at[contact], 1);
  return behind(cx, quantity_unit(&cx->scratch, q));
}

static void print_events(Context *cx, RunOrigin o, const SimSummary *summary, Text *out) {
  for (uint32_t i = 0; i < summary->events.n && i < MOST_EVENTS; i++) {
    const SimEvent *e = &summary->events.at[i];
    text_addf(out, "  %.6f s  %-8s %s", e->t, sim_event_text(e->kind), origin_event_name(o, e));
    if (e->kind == SIM_IMPACT) {
      double after = fabs(e->after) < 1e-9 * e->before ? 0 : e->after;
      text_addf(out, "   %.5g -> %.5g%s", e->before, after + 0.0, approach_unit(cx, o, e->number));
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
static const char *row_unit(Context *cx, RunOrigin o, int row, int derivative) {
  const System *s = o.system;
  if (!s || !row_at(s, row)) return "";
  const Model *model = s->model;
  Symbol name = row_at(s, row)->name;
  bool contact = (uint32_t)row >= s->row_count;
  int i = contact ? model_contact(model, name) : model_constraint(model, name);
  if (i < 0) return "";
  Quantity q = contact ? quantity_of_contact(cx, model, &model->contacts.at[i], derivative)
                       : quantity_of_constraint(cx, model, &model->constraints.at[i], derivative);
  return behind(cx, quantity_unit(&cx->scratch, q));
}

// Such have no positions.
static bool is_nonholonomic(RunOrigin o, int row) {
  if (o.plan)
    return row >= 0 && (uint32_t)row < o.plan->plan.row_count &&
           o.plan->plan.rows[row].is_nonholonomic;
  const Row *at = row_at(o.system, row);
  return at && at->is_nonholonomic;
}

static void print_residuals(Context *cx, RunOrigin o, const SimSummary *summary, Text *out) {
  if (origin_row_count(o) == 0) return;
  const Worst *levels[] = {&summary->position, &summary->velocity, &summary->acceleration};
  const char *between = "  constraint residual   ";
  for (int i = 0; i < 3; i++) {
    if (i == 0 && is_nonholonomic(o, levels[i]->row)) continue;
    text_addf(out, "%s%.0e%s", between, levels[i]->value, row_unit(cx, o, levels[i]->row, i));
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
  if (strcmp(summary->method, "symplectic") == 0) text_addf(out, " of order %g", summary->order);
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

static void print_measures(Context *cx, RunOrigin o, const double *values, Text *out) {
  if (o.plan)
    plan_measures_text(o.plan, values, out);
  else
    measures_text(cx, o.system->model, values, out);
}

void certificate_text(Context *cx, RunOrigin o, const SimSummary *summary, const char *results,
                      bool unicode, Text *out) {
  (void)unicode;
  Mark mark = arena_mark(&cx->scratch);
  print_remark(cx, out, "warning: ", &summary->distrust);
  print_remark(cx, out, "  ", &summary->advice);
  print_head(cx, o, summary, out);
  print_method(cx, summary, out);
  print_events(cx, o, summary, out);
  if (summary->measures) {
    text_add_char(out, '\n');
    print_measures(cx, o, summary->measures, out);
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
  print_residuals(cx, o, summary, out);
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
