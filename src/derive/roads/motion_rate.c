// Derivatives along the motion.
#include "derive/roads/motion_rate.h"

#include "derive/solve_linear.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/subst.h"

// M a + Phi_q^T lambda = Q - D - G - h less the forces of contacts, Phi_q a = gamma.
bool motion_solve(Context *cx, const System *s, Expr *x) {
  Mark mark = arena_mark(&cx->scratch);
  uint32_t n = s->n, size = n + s->row_count;
  Expr *A = arena_array(&cx->scratch, Expr, (size_t)size * size + 1), relation;
  Expr *w = arena_array(&cx->scratch, Expr, size + 1),
       *below = arena_array(&cx->scratch, Expr, size + 1);
  for (uint32_t i = 0; i < size * size; i++) A[i] = expr_int(cx, 0);
  for (uint32_t i = 0; i < n; i++) {
    w[i] = expr_sub(cx, s->Q[i], expr_sum(cx, (Expr[]){s->D[i], s->G[i], s->h[i]}, 3));
    for (uint32_t k = 0; k < s->contact_count; k++)
      w[i] = expr_sub(cx, w[i], expr_mul(cx, s->contacts[k].multiplier, s->contacts[k].phi_q[i]));
    for (uint32_t j = 0; j < n; j++) A[i * size + j] = s->M[i * n + j];
    for (uint32_t k = 0; k < s->row_count; k++)
      A[i * size + n + k] = A[(n + k) * size + i] = s->rows[k].phi_q[i];
  }
  for (uint32_t k = 0; k < s->row_count; k++) w[n + k] = s->rows[k].gamma;
  bool is_solved = solve_linear(cx, A, w, size, x, below, &relation);
  arena_release(&cx->scratch, mark);
  return is_solved;
}

Expr motion_rate(Context *cx, const System *s, Expr value) {
  Mark mark = arena_mark(&cx->scratch);
  Expr *x = arena_array(&cx->scratch, Expr, s->n + s->row_count + 1), rate = 0;
  if (motion_solve(cx, s, x)) {
    Substitution *list = arena_array(&cx->scratch, Substitution, s->n + 1);
    for (uint32_t i = 0; i < s->n; i++) list[i] = (Substitution){s->qdd[i], x[i]};
    rate = system_open_rates(cx, s, expr_time_derivative(cx, value));
    rate = expr_subst(cx, rate, list, s->n);
  }
  arena_release(&cx->scratch, mark);
  return rate;
}
