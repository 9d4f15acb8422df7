// Runs with other values on the same programs.
#include "engine/run/rerun.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status_text.h"
#include "engine/start/initial.h"

// Is it computed from parameters, and taken as the model computes it?
static bool follows(const PlanValue *said, double taken) {
  return said->tape != NULL && isfinite(taken);
}

static void note_given(Rerun *r) {
  const Settings *s = &r->simulation.settings;
  const Machine *m = &r->simulation.run.machine;
  r->given = arena_array(&r->simulation.run.machine.arena, double, s->count);
  memcpy(r->given, s->values, s->count * sizeof *r->given);
  r->start = arena_array(&r->simulation.run.machine.arena, double, 2 * m->n + m->states);
}

Status rerun_open_programs(Rerun *r, Programs *programs, const SimOptions *options) {
  *r = (Rerun){0};
  SimOptions taken = *options;
  taken.checkpoint = NULL;
  taken.resume = false;
  taken.event_rows = false;
  taken.is_repeated = taken.is_bare = true;
  Status status = simulation_open_programs(&r->simulation, programs, &taken);
  if (status != QDOT_OK) return status;
  const PlanTimes *said = &r->simulation.run.machine.plan->times;
  r->follows_end = follows(&said->end, options->t_end);
  r->follows_every = follows(&said->every, options->every);
  r->simulation.run.machine.node_lanes = packed_most_lanes();
  r->simulation.run.machine.is_quiet = true;
  note_given(r);
  return status;
}

Status rerun_open_beside(Rerun *r, Rerun *first) {
  *r = (Rerun){.follows_end = first->follows_end, .follows_every = first->follows_every};
  Status status = simulation_open_beside(&r->simulation, &first->simulation);
  if (status == QDOT_OK) note_given(r);
  return status;
}

void rerun_limit_steps(Rerun *r) {
  int64_t *most = &r->simulation.options.most_steps;
  if (*most == 0) *most = 100 * r->steps + 10000;
}

void rerun_close(Rerun *r) { simulation_close(&r->simulation); }

// ---- Places

double rerun_given(const Rerun *r, uint32_t place) {
  const Machine *m = &r->simulation.run.machine;
  const Plan *plan = m->plan;
  const Settings *s = &r->simulation.settings;
  if (place < s->count) return r->given[place];
  uint32_t n = plan->n, i = place - s->count;
  if (i >= 2 * n) return machine_number(m, &plan->states[i - 2 * n].start);
  const PlanCoordinate *c = &plan->coordinates[i < n ? i : i - n];
  return machine_number(m, i < n ? &c->position.value : &c->velocity.value);
}

// All values of the model, then those of this run.
static void take_values(Rerun *r, const uint32_t *places, const double *values, uint32_t count) {
  Settings *s = &r->simulation.settings;
  Machine *m = &r->simulation.run.machine;
  bool has_start = false;
  for (int i = 0; i < 2 * m->n + m->states; i++) r->start[i] = NAN;
  memcpy(s->values, r->given, s->count * sizeof *s->values);
  memset(s->is_given, 0, s->count * sizeof *s->is_given);
  for (uint32_t i = 0; i < count; i++) {
    bool is_start = places[i] >= s->count;
    if (is_start)
      r->start[places[i] - s->count] = values[i];
    else
      settings_set(s, places[i], values[i]);
    has_start |= is_start;
  }
  m->start = has_start ? r->start : NULL;
  m->assigned_start = s->values + s->parameters;
  settings_fill(s, &m->plan->variables, m->values);
}

// What the simulate line computes from parameters follows them.
static void take_times(Rerun *r) {
  const Machine *m = &r->simulation.run.machine;
  const PlanTimes *asked = &m->plan->times;
  if (r->follows_end) r->simulation.options.t_end = machine_number(m, &asked->end);
  if (r->follows_every) r->simulation.options.every = machine_number(m, &asked->every);
}

// One line, without what would be told of the source.
static void note_why(Rerun *r, const Diagnostics *before, Status status) {
  const Diagnostics *now = &r->simulation.run.cx->diagnostics;
  const char *why = now->newest > before->newest ? now->list.at[now->newest - 1].message : NULL;
  for (uint32_t i = before->list.n; i < now->list.n; i++)
    if (now->list.at[i].severity == SEVERITY_ERROR) why = now->list.at[i].message;
  snprintf(r->why, sizeof r->why, "%s", why ? why : status_text(status));
}

Status rerun_start(Rerun *r, const uint32_t *places, const double *values, uint32_t count,
                   double *x) {
  Machine *m = &r->simulation.run.machine;
  Diagnostics before = m->cx->diagnostics;
  SimSummary summary = {0};
  take_values(r, places, values, count);
  machine_begin_again(m);
  Status status = initial_switched_state(m, x, x + m->n, &summary);
  if (status != QDOT_OK) note_why(r, &before, status);
  m->cx->diagnostics = before;
  return status;
}

static Status run_once(Rerun *r, const uint32_t *places, const double *values, uint32_t count,
                       RowSink *sink, SimSummary *summary) {
  Simulation *s = &r->simulation;
  take_values(r, places, values, count);
  take_times(r);
  Status status = sim_check_options(s->run.cx, &s->options);
  if (status == QDOT_OK) status = simulation_run(s, sink, &s->room, summary);
  if (status != QDOT_OK || summary->stopped == STOPPED_NOT) return status;
  return summary->stopped == STOPPED_USER ? QDOT_STOPPED : summary->failure;
}

Status rerun_measures(Rerun *r, const uint32_t *places, const double *values, uint32_t count,
                      double *measures) {
  Context *cx = r->simulation.run.cx;
  uint32_t n = r->simulation.run.machine.plan->measures.measure_count;
  Diagnostics before = cx->diagnostics;
  RowSink nobody = {0};
  SimSummary summary;
  r->why[0] = '\0';
  Status status = run_once(r, places, values, count, &nobody, &summary);
  for (uint32_t i = 0; i < n; i++) measures[i] = status == QDOT_OK ? summary.measures[i] : NAN;
  r->slopes = status == QDOT_OK ? summary.measure_slopes : NULL;
  if (status == QDOT_OK) r->steps = summary.steps;
  r->undefined = status == QDOT_OK ? summary.undefined : NULL;
  if (status != QDOT_OK) note_why(r, &before, status);
  cx->diagnostics = before;
  return status;
}

Status rerun_rows(Rerun *r, const uint32_t *places, const double *values, uint32_t count,
                  RowSink *sink) {
  Context *cx = r->simulation.run.cx;
  Diagnostics before = cx->diagnostics;
  SimSummary summary;
  Status status = run_once(r, places, values, count, sink, &summary);
  if (status == QDOT_OK) cx->diagnostics = before; // warnings of one case among many
  return status;
}

bool rerun_holds(Rerun *r, const PlanValue *condition) {
  Machine *m = &r->simulation.run.machine;
  const PlanMeasures *measures = &m->plan->measures;
  for (uint32_t i = 0; i < measures->reduction_count; i++)
    m->values[measures->reductions[i].variable] = m->in[m->set->equations->layout.reductions + i];
  if (!condition->tape) return condition->number != 0;
  Mark mark = arena_mark(&m->cx->scratch);
  double *room = arena_array(&m->cx->scratch, double, tape_values_room(condition->tape));
  bool holds = plan_value(condition, m->values, room) != 0;
  arena_release(&m->cx->scratch, mark);
  return holds;
}

double rerun_reduction(const Rerun *r, uint32_t i, double *slopes) {
  const Run *run = &r->simulation.run;
  if (slopes && run->slopes) slopes_of_reduction(run->slopes, i, slopes);
  return gauge_result(&run->gauges.at[i], run->gauges.reductions[i].kind);
}
