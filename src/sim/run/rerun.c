// Runs with other values on the same programs.
#include "sim/run/rerun.h"

#include <math.h>
#include <string.h>

#include "expr/build.h"

// Is it what the simulate line says, and no plain number?
static bool follows(Context *cx, Expr said, double taken) {
  return said && !expr_is_number(cx, said) && isfinite(taken);
}

Status rerun_open(Rerun *r, Context *cx, System *system, const SimOptions *options) {
  *r = (Rerun){0};
  SimOptions taken = *options;
  taken.checkpoint = NULL;
  taken.resume = false;
  taken.event_rows = false;
  taken.is_repeated = true;
  r->follows_end = follows(cx, system->model->requests.simulate.end, options->t_end);
  r->follows_every = follows(cx, system->model->requests.simulate.every, options->every);
  Status status = simulation_open(&r->simulation, cx, system, &taken);
  if (status != QDOT_OK) return status;
  const Settings *s = &r->simulation.settings;
  r->given = arena_array(&r->simulation.run.machine.arena, double, s->count);
  memcpy(r->given, s->values, s->count * sizeof *r->given);
  return QDOT_OK;
}

void rerun_close(Rerun *r) { simulation_close(&r->simulation); }

// All values of the model, then those of this run.
static void take_values(Rerun *r, const uint32_t *places, const double *values, uint32_t count) {
  Settings *s = &r->simulation.settings;
  memcpy(s->values, r->given, s->count * sizeof *s->values);
  memset(s->is_given, 0, s->count * sizeof *s->is_given);
  for (uint32_t i = 0; i < count; i++) settings_set(s, places[i], values[i]);
  settings_fill(s, r->simulation.run.machine.values);
}

// What the simulate line computes from parameters follows them.
static void take_times(Rerun *r) {
  const Machine *m = &r->simulation.run.machine;
  const SimulateRequest *asked = &m->system->model->requests.simulate;
  if (r->follows_end) r->simulation.options.t_end = machine_value(m, asked->end);
  if (r->follows_every) r->simulation.options.every = machine_value(m, asked->every);
}

Status rerun_measures(Rerun *r, const uint32_t *places, const double *values, uint32_t count,
                      double *measures) {
  Simulation *s = &r->simulation;
  Context *cx = s->run.cx;
  uint32_t n = s->run.machine.system->model->requests.measurements.n;
  Diagnostics before = cx->diagnostics;
  RowSink nobody = {0};
  SimSummary summary;
  take_values(r, places, values, count);
  take_times(r);
  Status status = sim_check_options(cx, &s->options);
  if (status == QDOT_OK) status = simulation_run(s, &nobody, &s->room, &summary);
  bool is_whole = status == QDOT_OK && summary.stopped == STOPPED_NOT;
  if (status == QDOT_OK && !is_whole) status = QDOT_STOPPED;
  for (uint32_t i = 0; i < n; i++) measures[i] = is_whole ? summary.measures[i] : NAN;
  r->slopes = is_whole ? summary.measure_slopes : NULL;
  r->undefined = is_whole ? summary.undefined : NULL;
  cx->diagnostics = before;
  return status;
}
