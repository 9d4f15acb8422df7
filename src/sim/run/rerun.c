// Runs with other values on the same programs.
#include "sim/run/rerun.h"

#include <math.h>
#include <string.h>

#include "expr/build.h"

static void close_arena(void *object) { arena_close(object); }
static void close_settings(void *object) { settings_close(object); }

static void open_room(Rerun *r) {
  Context *cx = r->run.cx;
  arena_open(&r->room, &cx->memory, &cx->guard);
  guard_register(&cx->guard, &r->room_handle, &r->room, close_arena);
}

// Is it what the simulate line says, and no plain number?
static bool follows(Context *cx, Expr said, double taken) {
  return said && !expr_is_number(cx, said) && isfinite(taken);
}

Status rerun_open(Rerun *r, Context *cx, System *system, const SimOptions *options) {
  *r = (Rerun){.options = *options};
  r->options.checkpoint = NULL;
  r->options.resume = false;
  r->options.event_rows = false;
  r->options.is_repeated = true;
  r->run = (Run){.cx = cx};
  r->follows_end = follows(cx, system->model->requests.simulate.end, options->t_end);
  r->follows_every = follows(cx, system->model->requests.simulate.every, options->every);
  Status status = sim_check_options(cx, options);
  if (status != QDOT_OK) return status;
  status = machine_open(&r->run.machine, cx, system, options->backend);
  if (status != QDOT_OK) {
    machine_close(&r->run.machine);
    return status;
  }
  settings_open(&r->settings, cx, system->model, &r->run.machine.arena);
  guard_register(&cx->guard, &r->settings_handle, &r->settings, close_settings);
  r->given = arena_array(&r->run.machine.arena, double, r->settings.count);
  memcpy(r->given, r->settings.values, r->settings.count * sizeof *r->given);
  open_room(r);
  return QDOT_OK;
}

void rerun_close(Rerun *r) {
  Guard *guard = &r->run.cx->guard;
  guard_close(guard, &r->room_handle);
  guard_close(guard, &r->settings_handle);
  machine_close(&r->run.machine);
}

// All values of the model, then those of this run.
static void take_values(Rerun *r, const uint32_t *places, const double *values, uint32_t count) {
  Settings *s = &r->settings;
  memcpy(s->values, r->given, s->count * sizeof *s->values);
  memset(s->is_given, 0, s->count * sizeof *s->is_given);
  for (uint32_t i = 0; i < count; i++) settings_set(s, places[i], values[i]);
  settings_fill(s, r->run.machine.values);
}

// Nothing of the runs before is left but the programs.
static void forget(Rerun *r) {
  Machine machine = r->run.machine;
  Context *cx = r->run.cx;
  guard_close(&cx->guard, &r->room_handle);
  open_room(r);
  SimSummary kept = r->summary;
  r->summary = (SimSummary){.verified = NAN, .measures = kept.measures, .events = kept.events};
  r->summary.events.n = 0;
  r->run = (Run){.cx = cx,
                 .o = &r->options,
                 .sink = &r->sink,
                 .summary = &r->summary,
                 .machine = machine,
                 .room = &r->room,
                 .errors_before = cx->diagnostics.errors};
}

// What the simulate line computes from parameters follows them.
static void take_times(Rerun *r) {
  const SimulateRequest *asked = &r->run.machine.system->model->requests.simulate;
  if (r->follows_end) r->options.t_end = machine_value(&r->run.machine, asked->end);
  if (r->follows_every) r->options.every = machine_value(&r->run.machine, asked->every);
}

Status rerun_measures(Rerun *r, const uint32_t *places, const double *values, uint32_t count,
                      double *measures) {
  Context *cx = r->run.cx;
  uint32_t n = r->run.machine.system->model->requests.measurements.n;
  Diagnostics before = cx->diagnostics;
  forget(r);
  take_values(r, places, values, count);
  take_times(r);
  machine_begin_again(&r->run.machine);
  Status status = sim_check_options(cx, &r->options);
  if (status == QDOT_OK) status = run_begin(&r->run);
  if (status == QDOT_OK) status = run_to_end(&r->run);
  bool is_whole = status == QDOT_OK && r->summary.stopped == STOPPED_NOT;
  if (status == QDOT_OK && !is_whole) status = QDOT_STOPPED;
  for (uint32_t i = 0; i < n; i++) measures[i] = is_whole ? r->summary.measures[i] : NAN;
  run_end_stepper(&r->run);
  cx->diagnostics = before;
  return status;
}
