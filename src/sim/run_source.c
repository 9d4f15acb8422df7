// Runs of systems.
#include "sim/run_source.h"

#include "engine/run/run.h"
#include "engine/run/run_whole.h"
#include "sim/plan_source.h"

// Those of the system, or, for who takes slopes, ones of their own.
static PlanSource *source_of(System *system, const SimOptions *options) {
  return options->directions ? plan_source_open(system, options->backend, options->directions)
                             : plan_source_of(system, options->backend);
}

// The same for who lets a caller change values.
static Programs *changeable(PlanSource *source) {
  plan_fill_follow(source);
  return &source->programs;
}

Status machine_open(Machine *m, System *system, Backend backend) {
  return machine_open_programs(m, &plan_source_of(system, backend)->programs, false);
}

Status simulation_open(Simulation *s, System *system, const SimOptions *options) {
  return simulation_open_programs(s, changeable(source_of(system, options)), options);
}

Status rerun_open(Rerun *r, System *system, const SimOptions *options) {
  return rerun_open_programs(r, changeable(source_of(system, options)), options);
}

Status evaluator_open(Evaluator *e, System *system, uint64_t parts) {
  PlanSource *source = plan_source_of(system, backend_from_environment());
  return evaluator_open_programs(e, changeable(source), parts);
}

Status follower_open(Follower *f, System *system, const SimOptions *options) {
  return follower_open_programs(f, changeable(source_of(system, options)), options);
}

static Status run_system(Context *cx, System *system, const SimOptions *options, RowSink *sink,
                         SimSummary *summary, bool is_trial) {
  double began = context_seconds();
  WorkStage outer = context_enter_stage(cx, STAGE_STARTED);
  PlanSource *source = source_of(system, options);
  context_leave_stage(cx, outer);
  double filled = context_seconds() - began;
  Status status = run_plan(&source->programs, options, sink, summary, is_trial);
  summary->setup_seconds += filled;
  return status;
}

Status sim_run(Context *cx, System *system, const SimOptions *options, RowSink *sink,
               SimSummary *summary) {
  return run_system(cx, system, options, sink, summary, false);
}

Status sim_try(Context *cx, System *system, const SimOptions *options) {
  RowSink sink = {0};
  SimSummary summary;
  return run_system(cx, system, options, &sink, &summary, true);
}

Status sim_resume_position(Context *cx, const Model *model, const SimOptions *options,
                           SinkPosition *position) {
  return run_kept_position(cx, plan_key_of(cx, model), options, position);
}
