// Runs with other values on the same programs.
#include "sim/run/rerun.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status_text.h"
#include "expr/build.h"
#include "sim/machine_source.h"
#include "sim/run/slopes.h"
#include "sim/start/initial.h"

// Is it what the simulate line says, and no plain number?
static bool follows(Context *cx, Expr said, double taken) {
  return said && !expr_is_number(cx, said) && isfinite(taken);
}

static void note_given(Rerun *r) {
  const Settings *s = &r->simulation.settings;
  const Machine *m = &r->simulation.run.machine;
  r->given = arena_array(&r->simulation.run.machine.arena, double, s->count);
  memcpy(r->given, s->values, s->count * sizeof *r->given);
  r->start = arena_array(&r->simulation.run.machine.arena, double, 2 * m->n + m->states);
}

Status rerun_open(Rerun *r, Context *cx, System *system, const SimOptions *options) {
  *r = (Rerun){0};
  SimOptions taken = *options;
  taken.checkpoint = NULL;
  taken.resume = false;
  taken.event_rows = false;
  taken.is_repeated = taken.is_bare = true;
  r->follows_end = follows(cx, system->model->requests.simulate.end, options->t_end);
  r->follows_every = follows(cx, system->model->requests.simulate.every, options->every);
  Status status = simulation_open(&r->simulation, cx, system, &taken);
  r->simulation.run.machine.node_lanes = packed_most_lanes();
  r->simulation.run.machine.is_quiet = true;
  if (status == QDOT_OK) note_given(r);
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

// The number of what starts, among q, qd and the states; -1 for none. Bodies start where their
// joints meet: their coordinates have no start of their own.
static int start_of(const Machine *m, const Varied *varied) {
  const Model *model = m->system->model;
  if (model->assembly) return -1;
  for (uint32_t i = 0; i < model->states.n && varied->primes == 0; i++)
    if (model->states.at[i].name == varied->name) return 2 * m->n + (int)i;
  int coordinate = model_coordinate(model, varied->name);
  return coordinate < 0 ? -1 : coordinate + (varied->primes ? m->n : 0);
}

int rerun_place(const Rerun *r, const Varied *varied) {
  const Machine *m = &r->simulation.run.machine;
  const Settings *s = &r->simulation.settings;
  const char *name = symbol_text(m->cx, varied->name);
  int place = varied->is_start ? start_of(m, varied) : settings_find(s, name);
  if (place >= 0) return varied->is_start ? place + (int)s->count : place;
  if (varied->is_start)
    diag_error(m->cx, QDOT_UNKNOWN_NAME, varied->span, "'%s' has no start in this formulation",
               name);
  else
    diag_error(m->cx, QDOT_UNKNOWN_NAME, varied->span,
               "'%s' is not a parameter of this formulation", name);
  return -1;
}

double rerun_given(const Rerun *r, uint32_t place) {
  const Machine *m = &r->simulation.run.machine;
  const Model *model = m->system->model;
  const Settings *s = &r->simulation.settings;
  if (place < s->count) return r->given[place];
  uint32_t n = (uint32_t)m->n, i = place - s->count;
  if (i >= 2 * n) return machine_value(m, model->states.at[i - 2 * n].value);
  const Coordinate *c = &model->coordinates.at[i < n ? i : i - n];
  const Initial *initial = i < n ? &c->position : &c->velocity;
  return initial->kind == INITIAL_NONE || !initial->value ? 0 : machine_value(m, initial->value);
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
  settings_fill(s, r->simulation.run.machine.values);
}

// What the simulate line computes from parameters follows them.
static void take_times(Rerun *r) {
  const Machine *m = &r->simulation.run.machine;
  const SimulateRequest *asked = &m->system->model->requests.simulate;
  if (r->follows_end) r->simulation.options.t_end = machine_value(m, asked->end);
  if (r->follows_every) r->simulation.options.every = machine_value(m, asked->every);
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
  uint32_t n = r->simulation.run.machine.system->model->requests.measurements.n;
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

bool rerun_holds(Rerun *r, Expr condition) {
  Machine *m = &r->simulation.run.machine;
  const Requests *requests = &m->system->model->requests;
  for (uint32_t i = 0; i < requests->reductions.n; i++)
    m->values[symbol_variable(m->cx, requests->reductions.at[i].symbol)] =
        m->in[m->set->equations->layout.reductions + i];
  return machine_value(m, condition) != 0;
}

double rerun_reduction(const Rerun *r, uint32_t i, double *slopes) {
  const Run *run = &r->simulation.run;
  const RunSlopes *s = run->slopes;
  for (uint32_t j = 0; slopes && s && j < s->count; j++)
    slopes[j] = s->reductions[(size_t)i * s->count + j];
  return gauge_result(&run->gauges.at[i], run->gauges.reductions[i].kind);
}
