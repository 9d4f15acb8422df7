// The plan that an exported program runs.
#include "export/content.h"
#include "sim/plan_source.h"
#include "sim/sim.h"

// Of a source of its own, whatever else was made of the system.
Status content_make_plan(ExportContent *c, const SimOptions *run) {
  SimOptions options;
  Status status = QDOT_OK;
  if (run)
    options = *run;
  else
    status = sim_options(c->cx, c->system->model, &options);
  if (status == QDOT_OK) status = sim_check_options(c->cx, &options);
  if (status != QDOT_OK) return status;
  System *own = arena_new(c->arena, System);
  *own = *c->system;
  PlanSource *source = plan_source_open(own, BACKEND_INTERP, NULL);
  StoredPlan stored;
  plan_source_store(source, &options, &stored);
  if (run) stored.plan.times = (PlanTimes){0}; // what was said counts more
  c->plan = plan_write(c->arena, &stored);
  plan_source_close(source);
  return QDOT_OK;
}
