// Names of systems and plans.
#include "result/origin.h"

#include "engine/run/run_whole.h"

const char *origin_event_name(RunOrigin o, const SimEvent *event) {
  return o.plan ? plan_event_name(&o.plan->plan, event) : sim_event_name(o.system, event);
}

const char *origin_coordinate_name(RunOrigin o, uint32_t i) {
  if (o.plan) return i < o.plan->plan.n ? o.plan->plan.coordinates[i].name : NULL;
  if (!o.system || i >= o.system->n) return NULL;
  return symbol_text(o.system->cx, o.system->model->coordinates.at[i].name);
}

uint32_t origin_row_count(RunOrigin o) {
  return o.plan ? o.plan->plan.row_count + o.plan->plan.contact_count
                : o.system->row_count + o.system->contact_count;
}

uint32_t origin_measure_count(RunOrigin o) {
  if (o.plan) return o.plan->about ? o.plan->plan.measures.measure_count : 0;
  return o.system->model->requests.measurements.n;
}

const char *origin_measure_name(RunOrigin o, uint32_t i) {
  if (o.plan) return o.plan->about->measures[i].name;
  return symbol_text(o.system->cx, o.system->model->requests.measurements.at[i].name);
}

const char *origin_formulation(RunOrigin o) {
  if (o.plan) return o.plan->about ? o.plan->about->formulation : NULL;
  return model_formulation(o.system->model);
}

uint32_t origin_setting_count(RunOrigin o) {
  if (o.plan) return o.plan->about ? o.plan->about->setting_count : 0;
  return (uint32_t)o.system->model->setting_count;
}

const char *origin_setting(RunOrigin o, uint32_t i) {
  return o.plan ? o.plan->about->settings[i].text : o.system->model->settings[i];
}
