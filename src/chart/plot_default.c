// Which charts suit a model that has no plot lines.
#include "chart/plot_plan.h"

#define MOST_CURVES 200 // of one kind
#define MOST_CONTACTS 4 // that get a chart of their own
#define SMALL_MODEL 4   // coordinates of a model whose phase portraits come unasked

// Coordinates, and first-order states.
static void plan_coordinates(PlotPlan *plan) {
  const Model *model = plan->result->model;
  uint32_t n = model->coordinates.n < MOST_CURVES ? model->coordinates.n : MOST_CURVES;
  uint32_t states = model->states.n < MOST_CURVES - n ? model->states.n : MOST_CURVES - n;
  TimeCurve *curves = arena_array(plan->arena, TimeCurve, n + states);
  for (uint32_t i = 0; i < n; i++) {
    const Coordinate *c = &model->coordinates.at[i];
    curves[i] = time_curve(plan, c->q, symbol_text(plan->cx, c->name));
  }
  for (uint32_t i = 0; i < states; i++) {
    const ModelState *state = &model->states.at[i];
    curves[n + i] = time_curve(plan, state->s, symbol_text(plan->cx, state->name));
  }
  plan_time(plan, CHART_TIME, curves, n + states);
}

static void plan_outputs(PlotPlan *plan) {
  const Model *model = plan->result->model;
  uint32_t n = model->outputs.n < MOST_CURVES ? model->outputs.n : MOST_CURVES;
  TimeCurve *curves = arena_array(plan->arena, TimeCurve, n);
  for (uint32_t i = 0; i < n; i++) {
    const Output *output = &model->outputs.at[i];
    curves[i] = (TimeCurve){output->value, symbol_text(plan->cx, output->name),
                            quantity_of_output(plan->cx, model, output)};
  }
  plan_time(plan, CHART_OUTPUTS, curves, n);
}

void plan_multipliers(PlotPlan *plan) {
  const Model *model = plan->result->model;
  uint32_t n = model->constraints.n < MOST_CURVES ? model->constraints.n : MOST_CURVES;
  TimeCurve *curves = arena_array(plan->arena, TimeCurve, n);
  for (uint32_t i = 0; i < n; i++) {
    Expr lambda = model->constraints.at[i].multiplier;
    curves[i] = time_curve(plan, lambda, symbol_text(plan->cx, symbol_name(plan->cx, lambda)));
  }
  plan_time(plan, CHART_MULTIPLIERS, curves, n);
}

void plan_all_phases(PlotPlan *plan) {
  const Model *model = plan->result->model;
  uint32_t n = model->coordinates.n;
  Curve *curves = arena_array(plan->arena, Curve, 2 * (size_t)n);
  for (uint32_t i = 0; i < n; i++) {
    const Coordinate *c = &model->coordinates.at[i];
    const char *name = symbol_text(plan->cx, c->name);
    curves[2 * i] = (Curve){.value = c->q, .label = name};
    curves[2 * i + 1] = (Curve){.value = c->qd, .label = text_format(plan->arena, "%s'", name)};
  }
  plan_phase(plan, curves, 2 * n);
}

static bool has_chart(const PlotPlan *plan, ChartKind kind) {
  for (uint32_t i = 0; i < plan->charts.n; i++)
    if (plan->charts.at[i].kind == kind) return true;
  return false;
}

void plan_what_suits(PlotPlan *plan) {
  const Model *model = plan->result->model;
  bool everything = plan->options->with_everything;
  bool small = model->coordinates.n <= SMALL_MODEL && model->constraints.n == 0;
  bool has_contacts = has_chart(plan, CHART_CONTACT);
  if (!has_chart(plan, CHART_TIME)) plan_coordinates(plan);
  plan_outputs(plan);
  if (!has_chart(plan, CHART_PHASE) && (small || everything)) plan_all_phases(plan);
  for (uint32_t i = 0; i < model->contacts.n && i < MOST_CONTACTS && !has_contacts; i++)
    plan_contact(plan, i);
  bool has_energies = model->coordinates.n > 0 || model->energies.n > 0;
  if (!has_chart(plan, CHART_ENERGY) && has_energies && result_column(plan->result, "E_tot") >= 0)
    plan_energy(plan);
  if (!has_chart(plan, CHART_MULTIPLIERS)) plan_multipliers(plan);
  if (everything && !has_chart(plan, CHART_RESIDUAL)) plan_residual(plan);
}
