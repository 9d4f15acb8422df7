// Evaluation of parameters in the order in which they are defined.
#include "model/values.h"

#include <math.h>

#include "expr/print.h"
#include "expr/value/eval.h"

static Status check_finite(Context *cx, const Parameter *p, double value) {
  if (isfinite(value)) return QDOT_OK;
  Status status = diag_error(cx, QDOT_BAD_VALUE, p->span, "parameter '%s' has no finite value",
                             symbol_text(cx, p->name));
  diag_note(cx, "%s = %s", symbol_text(cx, p->name), expr_text(cx, &cx->keep, p->value));
  return status;
}

Status model_values(Context *cx, const Model *model, Arena *arena, double **out) {
  double *values = arena_array(arena, double, cx->exprs->symbols.n);
  Status status = QDOT_OK;
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    const Parameter *p = &model->parameters.at[i];
    double value = expr_eval(cx, p->value, values);
    values[symbol_variable(cx, p->symbol)] = value;
    Status checked = check_finite(cx, p, value);
    if (checked != QDOT_OK && status == QDOT_OK) status = checked;
  }
  for (uint32_t i = 0; i < model->inputs.n; i++) {
    const Input *input = &model->inputs.at[i];
    values[symbol_variable(cx, input->symbol)] = expr_eval(cx, input->value, values);
  }
  for (uint32_t i = 0; i < model->states.n; i++) {
    const ModelState *state = &model->states.at[i];
    values[symbol_variable(cx, state->s)] = expr_eval(cx, state->value, values);
  }
  *out = values;
  return status;
}

bool measure_is_alike(const Measure *a, const Measure *b) {
  if (!a->is_known || !b->is_known) return a->is_known == b->is_known;
  return a->is_cosine == b->is_cosine && dimension_is_equal(a->dimension, b->dimension);
}

double model_parameter_size(Context *cx, const Model *model, const double *values,
                            const Measure *kind) {
  double size = 0;
  for (uint32_t i = 0; i < model->parameters.n && kind->is_known; i++) {
    const Parameter *p = &model->parameters.at[i];
    if (measure_is_alike(kind, &p->measure))
      size = fmax(size, fabs(values[symbol_variable(cx, p->symbol)]));
  }
  return size;
}
