// Random states and readable numbers.
#include "derive/roads/trial.h"

#include <math.h>

#include "base/random.h"
#include "expr/build.h"
#include "expr/subst.h"
#include "expr/value/eval.h"

#define RATIONAL_ERROR 1e-8 // of a number that is taken for a rational one, relative
#define LARGEST_DENOMINATOR 10000

bool trial_is_free(const Trial *trial, uint32_t i) {
  return !expr_has_kind(trial->cx, trial->model->parameters.at[i].value,
                        KIND_BIT(SYMBOL_PARAMETER));
}

static void compute_parameters(Trial *t) {
  for (uint32_t i = 0; i < t->model->parameters.n; i++) {
    const Parameter *p = &t->model->parameters.at[i];
    if (!trial_is_free(t, i))
      t->values[symbol_variable(t->cx, p->symbol)] = expr_eval(t->cx, p->value, t->values);
  }
}

Trial trial_open(Context *cx, const System *s) {
  Trial t = {.cx = cx, .model = s->model, .n = cx->exprs->symbols.n, .state = 20261118};
  t.values = arena_array(&cx->scratch, double, t.n + 1);
  trial_scatter(&t);
  for (uint32_t i = 0; i < s->model->parameters.n; i++)
    t.values[symbol_variable(cx, s->model->parameters.at[i].symbol)] =
        0.6 + random_mixed_fraction(&t.state);
  compute_parameters(&t);
  return t;
}

// Coordinates have both signs in every second state; all are positive in the others, so that roots
// have values.
void trial_scatter(Trial *t) {
  t->is_mixed = !t->is_mixed;
  for (uint32_t i = 0; i < t->n; i++) {
    double fraction = random_mixed_fraction(&t->state);
    SymbolKind kind = symbol_kind(t->cx, t->cx->exprs->symbols.at[i]);
    if (kind == SYMBOL_PARAMETER && t->values[i]) continue;
    bool is_signed = kind == SYMBOL_VELOCITY || kind == SYMBOL_ACCELERATION;
    bool is_mixed = t->is_mixed && kind == SYMBOL_COORDINATE;
    t->values[i] = is_signed  ? 3 * fraction - 1.5
                   : is_mixed ? 6 * fraction - 3
                              : 0.2 + 3 * fraction;
  }
}

void trial_scale(Trial *t, uint32_t i, double factor) {
  t->values[symbol_variable(t->cx, t->model->parameters.at[i].symbol)] *= factor;
  compute_parameters(t);
}

Expr open_parameters(Context *cx, const Model *model, Expr e) {
  for (uint32_t i = model->parameters.n; i-- > 0;) {
    const Parameter *p = &model->parameters.at[i];
    if (expr_has_kind(cx, p->value, KIND_BIT(SYMBOL_PARAMETER)))
      e = expr_subst(cx, e, &(Substitution){p->symbol, p->value}, 1);
  }
  return e;
}

// By its continued fraction.
Number rational_near(Context *cx, double value) {
  double rest = fabs(value), p = 1, q = 0, p_before = 0, q_before = 1;
  for (int i = 0; i < 20; i++) {
    double whole = floor(rest), next_p = whole * p + p_before, next_q = whole * q + q_before;
    if (!(next_q <= LARGEST_DENOMINATOR) || !(next_p < 1e15)) return NUMBER_NONE;
    p_before = p, q_before = q, p = next_p, q = next_q;
    if (fabs(p / q - fabs(value)) <= RATIONAL_ERROR * fmax(1, fabs(value)))
      return number_ratio(cx, value < 0 ? -(int64_t)p : (int64_t)p, (int64_t)q);
    if (rest - whole < 1e-12) return NUMBER_NONE;
    rest = 1 / (rest - whole);
  }
  return NUMBER_NONE;
}
