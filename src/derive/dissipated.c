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

static bool has_velocity(Context *cx, const System *s, Expr e) {
  for (uint32_t i = 0; i < s->n; i++)
    if (expr_depends(cx, e, s->qd[i])) return true;
  return false;
}

// Is it a combination of velocities, with a part that others give: x' - V?
static bool is_relative_velocity(Context *cx, const System *s, Expr e) {
  if (!has_velocity(cx, s, e)) return false;
  for (uint32_t i = 0; i < s->n; i++)
    if (has_velocity(cx, s, expr_diff(cx, e, s->qd[i]))) return false;
  return true;
}

// No acceleration stands in R: the symbol of one is free to be the factor.
static Rewrite faster(Context *cx, Expr e, void *argument) {
  const System *s = argument;
  if (is_relative_velocity(cx, s, e)) return (Rewrite){REWRITE_TO, expr_mul(cx, s->qdd[0], e)};
  if (!has_velocity(cx, s, e)) return (Rewrite){.kind = REWRITE_KEEP};
  return (Rewrite){.kind = op_of(cx, e) == OP_DEFINITION ? REWRITE_OPEN : REWRITE_INSIDE};
}

// sum of u dR/du over the relative velocities u in R, whatever its powers: friction and dampers to
// places that are moved.
static Expr power_of_relative_velocities(Context *cx, const System *s) {
  Expr R = 0;
  expr_rewrite(cx, &s->R, 1, faster, (void *)s, &R);
  Substitution once = {s->qdd[0], expr_int(cx, 1)};
  return expr_subst(cx, expr_diff(cx, R, s->qdd[0]), &once, 1);
}

Expr system_dissipated(Context *cx, const System *s) {
  if (expr_is_zero(cx, s->R)) return 0;
  Mark mark = arena_mark(&cx->scratch);
  Expr heat = 0;
  if (!vanishes_at_rest(cx, s))
    heat = is_quadratic(cx, s) ? expr_mul(cx, expr_int(cx, 2), s->R)
                               : power_of_relative_velocities(cx, s);
  arena_release(&cx->scratch, mark);
  return heat;
}
