// A run from its beginning to its end, as callers ask for it.
#include <math.h>

#include "sim/machine_source.h"
#include "sim/run/run.h"

static const char *plural(uint32_t n) { return n == 1 ? "" : "s"; }

// Guesses that do not close, and too few values to say where it is meant to start.
static void warn_of_choice(Context *cx, const System *system, const SimSummary *s) {
  const Model *origin = system->model->origin;
  uint32_t kept = s->free_motions - s->chosen_motions;
  if (s->chosen_motions == 0 || !origin) return;
  diag_warning(cx, origin->mechanism.bodies.at[0].span,
               "%u free motion%s, %u kept value%s: where the mechanism starts was chosen for you",
               s->free_motions, plural(s->free_motions), kept, plural(kept));
  diag_note(cx,
            "the guesses do not close, and were moved as little as possible; with '=' a value "
            "is kept, such as %s",
            s->would_keep);
}

static void warn_of_throw(Context *cx, const System *system, const SimSummary *s) {
  if (s->thrown == 0) return;
  const Coordinate *c = &system->model->coordinates.at[s->thrown - 1];
  const char *name = symbol_text(cx, c->name);
  diag_warning(cx, c->span, "the initial velocity of '%s' is not given: it starts with %.6g", name,
               s->thrown_velocity);
  diag_note(cx,
            "as from rest when the drives start suddenly, with the least kinetic energy; write "
            "coord %s' = 0, or what it is",
            name);
}

// Begins it, and continues to its end unless it is only tried.
static Status run_all(Context *cx, System *system, const SimOptions *options, RowSink *sink,
                      SimSummary *summary, bool is_trial) {
  *summary = (SimSummary){.verified = NAN, .holds_until = NAN};
  Run *run = arena_new(&cx->keep, Run);
  *run = (Run){.cx = cx, .o = options, .sink = sink, .summary = summary, .found = &cx->keep};
  run->errors_before = cx->diagnostics.errors;
  run->room = &run->machine.arena;
  double started = context_seconds();
  Status status = sim_check_options(cx, options);
  if (status != QDOT_OK) return status;
  WorkStage outer = context_enter_stage(cx, STAGE_STARTED);
  status = machine_open_along(&run->machine, system, options->backend, options->directions);
  if (status == QDOT_OK) status = run_begin(run);
  context_leave_stage(cx, outer);
  if (status == QDOT_OK && !options->is_repeated) {
    warn_of_choice(cx, system, summary);
    warn_of_throw(cx, system, summary);
  }
  summary->setup_seconds = context_seconds() - started;
  if (status == QDOT_OK && !is_trial) {
    outer = context_enter_stage(cx, STAGE_SIMULATED);
    status = run_completely(run);
    context_leave_stage(cx, outer);
  }
  run_end_stepper(run);
  machine_close(&run->machine);
  return status;
}

Status sim_run(Context *cx, System *system, const SimOptions *options, RowSink *sink,
               SimSummary *summary) {
  return run_all(cx, system, options, sink, summary, false);
}

Status sim_resume_position(Context *cx, const Model *model, const SimOptions *options,
                           SinkPosition *position) {
  return run_kept_position(cx, plan_key_of(cx, model), options, position);
}

Status sim_try(Context *cx, System *system, const SimOptions *options) {
  RowSink sink = {0};
  SimSummary summary;
  return run_all(cx, system, options, &sink, &summary, true);
}
