// Gradients at one random state, orthogonalized one after the other.
#include "derive/roads/integral.h"

#include <math.h>

#include "derive/roads/trial.h"
#include "expr/diff.h"
#include "expr/value/eval.h"

#define DEPENDENT 1e-7 // what is left of a gradient of length 1 that others make up

static double length_of(const double *v, uint32_t n) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++) sum += v[i] * v[i];
  return sqrt(sum);
}

static void scale(double *v, uint32_t n, double factor) {
  for (uint32_t i = 0; i < n; i++) v[i] *= factor;
}

// Twice, against rounding.
static void subtract_projections(double *v, const double *basis, uint32_t count, uint32_t n) {
  for (uint32_t k = 0; k < 2 * count; k++) {
    const double *b = basis + (size_t)(k % count) * n;
    double product = 0;
    for (uint32_t i = 0; i < n; i++) product += v[i] * b[i];
    for (uint32_t i = 0; i < n; i++) v[i] -= product * b[i];
  }
}

static void gradient_at(Context *cx, const System *s, Expr e, const double *values, double *out) {
  Expr *slope = arena_array(&cx->scratch, Expr, s->n);
  expr_gradient(cx, e, s->q, s->n, slope);
  expr_eval_many(cx, slope, s->n, values, out);
  expr_gradient(cx, e, s->qd, s->n, slope);
  expr_eval_many(cx, slope, s->n, values, out + s->n);
}

void integrals_judge(Context *cx, const System *s, Integrals *list) {
  Mark mark = arena_mark(&cx->scratch);
  uint32_t n = 2 * s->n, count = 0, kept = 0;
  double *basis = arena_array(&cx->scratch, double, (size_t)n *(n + 1));
  Trial trial = trial_open(cx, s);
  for (uint32_t i = 0; i < list->list.n; i++) {
    Integral *it = &list->list.at[i];
    double *v = basis + (size_t)count * n;
    gradient_at(cx, s, it->value, trial.values, v);
    double length = length_of(v, n);
    if (length == 0) continue;
    if (isfinite(length)) {
      scale(v, n, 1 / length);
      subtract_projections(v, basis, count, n);
      double rest = length_of(v, n);
      it->is_dependent = count == n || rest < DEPENDENT;
      if (!it->is_dependent) scale(v, n, 1 / rest), count++;
    }
    list->list.at[kept++] = *it;
  }
  list->list.n = kept;
  arena_release(&cx->scratch, mark);
}
