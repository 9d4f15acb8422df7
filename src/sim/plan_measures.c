// What a model asks of its motions, as records of a plan.
#include "sim/plan_source.h"
#include "sim/signals.h"

static PlanReduction reduction_of(PlanSource *source, const Reduction *r) {
  return (PlanReduction){.kind = r->kind,
                         .has_condition = r->condition != 0,
                         .from = plan_number(source, r->from),
                         .variable = symbol_variable(source->cx, r->symbol),
                         .span = r->span};
}

void plan_fill_measures(PlanSource *source) {
  const System *s = source->system;
  const Requests *requests = &s->model->requests;
  uint32_t n = requests->reductions.n;
  PlanReduction *all = arena_array(&source->arena, PlanReduction, n + 1);
  for (uint32_t i = 0; i < n; i++) all[i] = reduction_of(source, &requests->reductions.at[i]);
  PlanMeasures *out = &source->plan.measures;
  *out = (PlanMeasures){
      .reduction_count = n, .measure_count = requests->measurements.n, .reductions = all};
  if (n > 0) {
    SignalNeeds needs = signal_needs(source->cx, s);
    out->need_forces = needs.forces, out->show_switches = needs.switches;
  }
  source->plan.times.end = plan_number(source, requests->simulate.end);
  source->plan.times.every = plan_number(source, requests->simulate.every);
}
