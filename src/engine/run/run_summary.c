// What a run says of itself: with what it was made, what it met, how far it came.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "engine/run/run.h"
#include "qdot/version.h"

// Pivots are squares: forces a hundred times as large as at the best place of their rows.
static const double BESIDE_DEAD = 1e4;

// Where the motion was looked at next to a dead position, extremes of forces are made by that.
void run_note_dead(Run *run) {
  Remark *hint = &run->summary->hint;
  if (!remark_is_made(hint) && run->machine.nearest_dead > BESIDE_DEAD)
    *hint = (Remark){REMARK_DEAD_FORCES, {run->stepper->t}};
}

static bool leaves_data(const TableData *table, double piece) {
  return table->origin && table->period == 0 && (piece <= 0 || piece >= table->n);
}

static void note_left(Run *run, uint32_t number, double t) {
  run->summary->hint = (Remark){REMARK_DATA_LEFT, {number + 1.0, t}};
}

// When a lookup that is outside at the end of the step went there.
static double when_left(Run *run, uint32_t i) {
  const Stepper *s = run->stepper;
  double inside = s->t_old, outside = s->t;
  for (int k = 0; k < 30; k++) {
    double t = inside + (outside - inside) / 2;
    if (stepper_dense(run->stepper, t, run->work.y) != QDOT_OK) break;
    double piece =
        machine_run_lookups(&run->machine, t, run->work.y, run->work.y + run->n).pieces[i];
    *(leaves_data(run->machine.plan->lookups[i].table, piece) ? &outside : &inside) = t;
  }
  return outside;
}

// A table of a data file stayed on its end value during the last step.
void run_note_data_left(Run *run) {
  Machine *m = &run->machine;
  const Equations *e = m->set->equations;
  const Stepper *s = run->stepper;
  const Remark *hint = &run->summary->hint;
  for (uint32_t i = 0; i < e->table_count && !remark_is_made(hint); i++)
    if (leaves_data(e->tables[i].table, m->pieces[i]))
      note_left(run, e->tables[i].number, s->t_old);
  if (e->lookup_count == 0 || remark_is_made(hint)) return;
  const double *pieces = machine_run_lookups(m, s->t, s->y, s->y + run->n).pieces;
  for (uint32_t i = 0; i < e->lookup_count && !remark_is_made(hint); i++) {
    const PlanLookup *look = &m->plan->lookups[i];
    if (leaves_data(look->table, pieces[i])) note_left(run, look->number, when_left(run, i));
  }
}

// With what the run was made.
static void note_settings(Run *run) {
  SimSummary *summary = run->summary;
  const MethodOptions *o = &run->o->method;
  const Machine *m = &run->machine;
  summary->version = QDOT_VERSION;
  summary->method = method_name(o->method);
  summary->rtol = o->rtol;
  summary->atol = o->atol;
  summary->step = o->step;
  summary->event_step = run->touches.count > 0 ? o->step : 0;
  summary->fixed_step = method_get(o->method)->fixed_step;
  summary->t_asked = run->o->t_end;
  summary->every = run->o->every;
  summary->beta = o->beta;
  summary->gamma = o->gamma;
  summary->rho = o->rho;
  summary->order = o->order;
  if (m->rows + m->contacts > 0) summary->stabilize = sim_stabilize_name(o->stabilize);
  const Equations *e = m->set->equations;
  bool compiled = e->has_forward && compiled_is_machine_code(&e->parts[PART_FORWARD]);
  summary->backend = compiled ? "machine code" : "interpreter";
}

static bool has_happened(const Run *run, uint32_t occasion) {
  const SimEvent *events = run->summary->events.at;
  for (uint32_t i = 0; i < run->summary->events.n; i++)
    if ((events[i].kind == SIM_RESET || events[i].kind == SIM_STOP) && events[i].number == occasion)
      return true;
  return false;
}

// Lines of the model that nothing came of; of several ends one is enough.
static void note_never(Run *run) {
  const PlanActions *actions = &run->machine.plan->actions;
  Text text = text_new(&run->cx->keep);
  uint32_t count = 0;
  run->summary->never = NULL;
  if (run->machine.is_quiet || run->summary->stopped != STOPPED_NOT) return;
  for (uint32_t i = 0; i < actions->occasion_count; i++) {
    const PlanOccasion *o = &actions->occasions[i];
    if (has_happened(run, i) || (o->stops && run->end.has_stopped)) continue;
    text_addf(&text, "%s'%s %s'", count++ ? ", " : "", o->stops ? "stop when" : "when", o->text);
  }
  if (count > 0) run->summary->never = text.at;
}

void run_finish(Run *run) {
  SimSummary *summary = run->summary;
  Stepper *s = run->stepper;
  int64_t counted[COUNT_KINDS];
  memcpy(counted, run->progress.counted, sizeof counted);
  if (s) {
    counted[COUNT_STEPS] += s->steps;
    counted[COUNT_REJECTED] += s->rejected;
    counted[COUNT_EVALUATIONS] += s->dynamics.evaluations;
  }
  note_settings(run);
  summary->steps = counted[COUNT_STEPS];
  summary->rejected = counted[COUNT_REJECTED];
  summary->evaluations = counted[COUNT_EVALUATIONS];
  summary->t_end = run_time(run);
  run_note_reason(run);
  if (s && s->stiff && !s->reason && summary->hint.id != REMARK_DATA_LEFT)
    summary->hint.id = REMARK_STIFF_METHOD;
  run_finish_gauges(run);
  slopes_finish(run);
  note_never(run);
  if (s) monitor_finish(&run->monitor, s->t, s->y, &run->o->method, summary);
}
