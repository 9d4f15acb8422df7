// Linearizations along a parameter.
#include "analyse/vibration/tracer.h"

#include <string.h>

#include "analyse/equilibrium/many_starts.h"
#include "analyse/linear/steadiness.h"
#include "expr/value/eval.h"

// The values of all parameters with one of them given.
static void set_value(Tracer *t, double value) {
  const Model *model = t->balance.system->model;
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    const Parameter *p = &model->parameters.at[i];
    double own = i == t->parameter ? value : expr_eval(t->cx, p->value, t->values);
    if (t->is_off && t->is_off[i]) own = 0;
    t->values[symbol_variable(t->cx, p->symbol)] = own;
  }
  for (uint32_t i = 0; i < model->inputs.n; i++) {
    const Input *input = &model->inputs.at[i];
    t->values[symbol_variable(t->cx, input->symbol)] = expr_eval(t->cx, input->value, t->values);
  }
  balance_set_values(&t->balance, t->values);
}

// The state at this value: near the last one where there is one, else as for a single point.
static bool find_state(Tracer *t, Arena *arena, Steady *out) {
  OperatingPoint point;
  SteadyFreedom free;
  uint32_t row;
  operating_point_open(&t->balance, t->request, arena, &point, &free);
  bool exactly = t->request && t->request->kind == LINEARIZE_POINT;
  if (t->last && !exactly) {
    for (uint32_t i = 0; i < t->balance.n; i++)
      if (!free.q_fixed[i]) point.state->q[i] = t->last->q[i];
    memcpy(point.state->is_active, t->last->is_active, t->balance.m * sizeof(bool));
  }
  Status status = exactly ? steady_assemble(&t->balance, &free, point.state, &row) : QDOT_OK;
  if (status == QDOT_OK && exactly)
    status = steady_velocities(&t->balance, &free, point.state, &row);
  if (status == QDOT_OK && exactly) status = steady_multipliers(&t->balance, point.state);
  if (!exactly) status = operating_point_solve(&t->balance, &free, point.state, &row);
  steady_copy(&t->balance, point.state, out);
  return status == QDOT_OK;
}

bool tracer_linearize(Tracer *t, double value, Linearized *out) {
  Steady *state = steady_new(&t->cx->scratch, &t->balance);
  set_value(t, value);
  if (!find_state(t, &t->cx->scratch, state)) return false;
  if (!t->last) t->last = steady_new(t->cx->results, &t->balance);
  steady_copy(&t->balance, state, t->last);
  return linearize_numbers(&t->balance, &t->slopes, state, &t->balance.arena, out) == QDOT_OK;
}

Status tracer_open(Tracer *t, Context *cx, const System *system, const LinearizeRequest *request,
                   uint32_t parameter, const bool *is_off, double from, double to) {
  *t = (Tracer){.cx = cx, .request = request, .parameter = parameter, .is_off = is_off};
  t->values = arena_array(cx->results, double, cx->exprs->symbols.n + 1);
  balance_open(&t->balance, cx, system, t->values);
  state_slopes_derive(&t->balance, &t->balance.arena, &t->slopes);
  set_value(t, to != 0 ? to : from); // a drive of amplitude 0 at one end only is a drive
  Status status = operating_point_names(system, request);
  if (status == QDOT_OK) steadiness_leave_out(&t->balance);
  if (status == QDOT_OK) status = steadiness_check_time(&t->balance);
  if (status != QDOT_OK) return status;
  OperatingPoint first;
  set_value(t, from);
  status = starts_point(&t->balance, request, cx->results, &first);
  if (status == QDOT_OK) t->last = first.state;
  return status;
}

void tracer_close(Tracer *t) { balance_close(&t->balance); }
