// Zero or not: one point in doubles, then algebra.
#include "derive/vanishes.h"

#include <math.h>

#include "expr/algebra/expand.h"
#include "expr/value/bound.h"

#define ZERO_BUDGET 100000 // term operations for one question

bool clearly_not_zero(Context *cx, Expr e) {
  Mark mark = arena_mark(&cx->scratch);
  double *values = arena_array(&cx->scratch, double, cx->exprs->symbols.n + 1);
  for (uint32_t i = 0; i < cx->exprs->symbols.n; i++)
    values[i] = 0.3 + 0.6 * fmod(0.6180339887498949 * (i + 1), 1);
  Bounded at = expr_eval_bounded(cx, e, values);
  arena_release(&cx->scratch, mark);
  return isfinite(at.value) && fabs(at.value) > 2 * at.error;
}

bool vanishes(Context *cx, Expr e) {
  if (expr_is_zero(cx, e)) return true;
  return !clearly_not_zero(cx, e) && expr_zero_test(cx, e, ZERO_BUDGET) == ZERO_YES;
}

bool all_vanish(Context *cx, const Expr *e, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    if (!vanishes(cx, e[i])) return false;
  }
  return true;
}
