// Derivatives along the motion.
#include "derive/roads/motion_rate.h"

#include "derive/roads/solve_linear.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/subst.h"

Expr motion_rate(Context *cx, const System *s, Expr value) {
  Mark mark = arena_mark(&cx->scratch);
  uint32_t n = s->n;
  Expr *w = arena_array(&cx->scratch, Expr, n + 1), *a = arena_array(&cx->scratch, Expr, n + 1);
  Expr *below = arena_array(&cx->scratch, Expr, n + 1), relation, rate = 0;
  for (uint32_t i = 0; i < n; i++)
    w[i] = expr_sub(cx, s->Q[i], expr_sum(cx, (Expr[]){s->D[i], s->G[i], s->h[i]}, 3));
  if (solve_linear(cx, s->M, w, n, a, below, &relation)) {
    Substitution *list = arena_array(&cx->scratch, Substitution, n + 1);
    for (uint32_t i = 0; i < n; i++) list[i] = (Substitution){s->qdd[i], a[i]};
    rate = system_open_rates(cx, s, expr_time_derivative(cx, value));
    rate = expr_subst(cx, rate, list, n);
  }
  arena_release(&cx->scratch, mark);
  return rate;
}
