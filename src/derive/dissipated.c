// What friction and damping turn into heat.
#include "derive/system.h"
#include "expr/algebra/expand.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/subst.h"

#define ZERO_BUDGET 100000 // term operations for one question

static bool is_zero(Context *cx, Expr e) {
  return expr_is_zero(cx, e) || expr_zero_test(cx, e, ZERO_BUDGET) == ZERO_YES;
}

// R where all velocities are 0: of what is moved by the clock or by a given speed.
static bool vanishes_at_rest(Context *cx, const System *s) {
  Substitution *rest = arena_array(&cx->scratch, Substitution, s->n);
  for (uint32_t i = 0; i < s->n; i++) rest[i] = (Substitution){s->qd[i], cx->exprs->zero};
  return is_zero(cx, expr_subst(cx, s->R, rest, s->n));
}

// With the operator A = sum of q' d/dq', which multiplies what is of degree k in q' by k:
// A (A - 1) (A - 2) R = 0.
static bool is_quadratic(Context *cx, const System *s) {
  Rate *rates = arena_array(&cx->scratch, Rate, s->n);
  for (uint32_t i = 0; i < s->n; i++) rates[i] = (Rate){s->qd[i], s->qd[i]};
  Expr a[4] = {s->R};
  for (int k = 1; k < 4; k++) expr_diff_along(cx, &a[k - 1], 1, rates, s->n, &a[k]);
  Expr twice = expr_mul(cx, expr_int(cx, 2), a[1]), thrice = expr_mul(cx, expr_int(cx, 3), a[2]);
  return is_zero(cx, expr_add(cx, expr_sub(cx, a[3], thrice), twice));
}

Expr system_dissipated(Context *cx, const System *s) {
  if (expr_is_zero(cx, s->R)) return 0;
  Mark mark = arena_mark(&cx->scratch);
  bool is_moved = !vanishes_at_rest(cx, s) && is_quadratic(cx, s);
  arena_release(&cx->scratch, mark);
  return is_moved ? expr_mul(cx, expr_int(cx, 2), s->R) : 0;
}
