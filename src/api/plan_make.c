// Plans of models, as bytes.
#include "api/api_plan.h"
#include "api/api_run.h"
#include "derive/roads/moving.h"
#include "derive/system.h"
#include "print/measure_text.h"
#include "sim/plan_source.h"

static StoredText text_of_unit(Context *cx, const Measure *measure) {
  return (StoredText){quantity_unit(cx->results, quantity_of_measure(measure))};
}

static void fill_units(const Model *model, StoredAbout *about) {
  Context *cx = model->cx;
  StoredText *units = arena_array(cx->results, StoredText, model->parameters.n + 1);
  StoredText *inputs = arena_array(cx->results, StoredText, model->inputs.n + 1);
  for (uint32_t i = 0; i < model->parameters.n; i++)
    units[i] = text_of_unit(cx, &model->parameters.at[i].measure);
  for (uint32_t i = 0; i < model->inputs.n; i++)
    inputs[i] = text_of_unit(cx, &model->inputs.at[i].measure);
  about->units = units, about->input_units = inputs;
}

static void fill_measures(const Model *model, StoredAbout *about) {
  Context *cx = model->cx;
  uint32_t n = model->requests.measurements.n;
  StoredName *all = arena_array(cx->results, StoredName, n + 1);
  const char *const *units = measure_units(cx, model);
  for (uint32_t i = 0; i < n; i++)
    all[i] = (StoredName){symbol_text(cx, model->requests.measurements.at[i].name), units[i]};
  about->measures = all;
}

static void fill_settings(const Model *model, StoredAbout *about) {
  StoredText *all = arena_array(model->cx->results, StoredText, model->setting_count + 1);
  for (size_t i = 0; i < model->setting_count; i++) all[i].text = model->settings[i];
  about->settings = all, about->setting_count = (uint32_t)model->setting_count;
}

// ---- What cannot be set

static bool is_in_options(Context *cx, const Choice *choice, Expr symbol) {
  for (uint32_t i = 0; i < choice->options.n; i++)
    if (expr_depends(cx, choice->options.at[i].value, symbol)) return true;
  return false;
}

// The parameters that options of the method are computed from, also by way of others.
static void mark_options(const Model *model, bool *marked) {
  Context *cx = model->cx;
  const SimulateRequest *request = &model->requests.simulate;
  for (uint32_t i = model->parameters.n; i-- > 0;) {
    Expr symbol = model->parameters.at[i].symbol;
    marked[i] = is_in_options(cx, &request->method, symbol) ||
                is_in_options(cx, &request->stabilize, symbol);
    for (uint32_t k = i + 1; k < model->parameters.n && !marked[i]; k++)
      marked[i] = marked[k] && expr_depends(cx, model->parameters.at[k].value, symbol);
  }
}

typedef VEC(StoredFixed) FixedList;

static void add_fixed(Context *cx, FixedList *list, Symbol name, FixedWhy why) {
  vec_push(cx->results, list, ((StoredFixed){symbol_text(cx, name), why}));
}

static void fill_fixed(const Model *model, StoredAbout *about) {
  Context *cx = model->cx;
  FixedList all = {0};
  bool *marked = arena_array(&cx->scratch, bool, model->parameters.n + 1);
  mark_options(model, marked);
  for (uint32_t i = 0; i < model->counts.n; i++)
    add_fixed(cx, &all, model->counts.at[i].name, FIXED_COUNT);
  for (uint32_t i = 0; i < model->parameters.n; i++)
    if (marked[i]) add_fixed(cx, &all, model->parameters.at[i].name, FIXED_METHOD);
  for (uint32_t i = 0; i < model->coordinates.n; i++)
    add_fixed(cx, &all, model->coordinates.at[i].name, FIXED_START);
  for (uint32_t i = 0; i < model->states.n; i++)
    add_fixed(cx, &all, model->states.at[i].name, FIXED_START);
  const Model *named = model->named;
  for (uint32_t i = 0; named && i < named->parameters.n; i++)
    if (named->parameters.at[i].is_number)
      add_fixed(cx, &all, named->parameters.at[i].name, FIXED_NUMBER);
  about->fixed = all.at, about->fixed_count = all.n;
}

// ---- The whole

// What the caller has said counts more than what the simulate line computes.
static void take_times(const qdot_run_options *o, PlanTimes *times) {
  if (o->t_end > 0) times->end = (PlanValue){0};
  if (o->every > 0) times->every = (PlanValue){0};
}

Status plan_of_model(Model *model, const qdot_run_options *o, PlanBytes *out) {
  Context *cx = model->cx;
  model = model_moving(model);
  SimOptions options;
  System *system;
  Status status = api_sim_options(model, o, &options);
  if (status == QDOT_OK) status = sim_check_options(cx, &options);
  if (status == QDOT_OK) status = model_system(model, DERIVE_BASIC, &system);
  if (status != QDOT_OK) return status;
  PlanSource *source = plan_source_of(system, BACKEND_INTERP);
  StoredPlan stored;
  StoredAbout about = {.formulation = model_formulation(model)};
  fill_units(model, &about);
  fill_measures(model, &about);
  fill_settings(model, &about);
  fill_fixed(model, &about);
  plan_source_store(source, &options, &stored);
  take_times(o, &stored.plan.times);
  stored.about = &about;
  *out = plan_write(cx->results, &stored);
  return QDOT_OK;
}
