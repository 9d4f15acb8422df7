// M and h from the local equations of every definition, pulled back onto the coordinates.
//
//   E_z = d/dt dT/dz' - dT/dz   for z in (q, definitions), derivatives local
//   r_i = E_(q_i) + sum over definitions of E_w dw/dq_i      by one reverse sweep
//   M = dr/dq'',  h = r at q'' = 0
#include "derive/balances.h"
#include "derive/derive.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/subst.h"

void derive_without_acceleration(Context *cx, const System *s, const Expr *in, size_t count,
                                 Expr *out) {
  Mark mark = arena_mark(&cx->scratch);
  Substitution *list = arena_array(&cx->scratch, Substitution, s->n);
  for (uint32_t i = 0; i < s->n; i++) list[i] = (Substitution){s->qdd[i], expr_int(cx, 0)};
  expr_subst_many(cx, in, count, list, s->n, out);
  arena_release(&cx->scratch, mark);
}

// E_z of every z, accelerations of definitions left as they are.
static void local_equations(Context *cx, const Lifting *lift, Expr T, Expr *E) {
  Mark mark = arena_mark(&cx->scratch);
  Slopes slopes = derive_slopes(cx, lift, T);
  for (uint32_t i = 0; i < lift->count; i++)
    E[i] = expr_sub(cx, expr_time_derivative(cx, slopes.by_zd[i]), slopes.by_z[i]);
  arena_release(&cx->scratch, mark);
}

void derive_inertia(Context *cx, System *s) {
  if (s->inertia) return;
  if (s->model->balances) {
    s->inertia = arena_array(&cx->keep, Expr, s->n);
    for (uint32_t i = 0; i < s->n; i++) s->inertia[i] = s->model->balances->inertia[i];
    return;
  }
  Mark mark = arena_mark(&cx->scratch);
  Expr T = s->T;
  Lifting lift = derive_lifting(cx, s, &T, 1);
  uint32_t m = lift.count - s->n;
  Expr *E = arena_array(&cx->scratch, Expr, lift.count);
  local_equations(cx, &lift, T, E);
  for (uint32_t k = 0; k < m; k++) E[s->n + k] = expr_hold(cx, E[s->n + k]);
  Expr *inertia = arena_array(&cx->keep, Expr, s->n);
  expr_pull_back(cx, lift.z + s->n, E + s->n, m, s->q, s->n, inertia);
  for (uint32_t i = 0; i < s->n; i++) inertia[i] = expr_add(cx, inertia[i], E[i]);
  s->inertia = inertia; // whole, or not at all
  arena_release(&cx->scratch, mark);
}

void derive_matrices(Context *cx, System *s) {
  if (s->M) return;
  derive_inertia(cx, s);
  Expr *M = arena_array(&cx->keep, Expr, (size_t)s->n * s->n);
  Expr *h = arena_array(&cx->keep, Expr, s->n);
  Mark mark = arena_mark(&cx->scratch);
  // Only the lower half is differentiated; the mass matrix is symmetric.
  Expr *column = arena_array(&cx->scratch, Expr, s->n);
  for (uint32_t j = 0; j < s->n; j++) {
    expr_diff_many(cx, s->inertia + j, s->n - j, s->qdd[j], column);
    for (uint32_t i = j; i < s->n; i++) M[i * s->n + j] = M[j * s->n + i] = column[i - j];
  }
  derive_without_acceleration(cx, s, s->inertia, s->n, h);
  s->M = M, s->h = h;
  arena_release(&cx->scratch, mark);
}
