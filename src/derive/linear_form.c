// Linear systems in the form M q'' + C q' + K q + rest, and Christoffel's matrix.
#include "derive/system.h"
#include "expr/algebra/expand.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/subst.h"

#define STATE_KINDS                                                                                \
  (KIND_BIT(SYMBOL_COORDINATE) | KIND_BIT(SYMBOL_VELOCITY) | KIND_BIT(SYMBOL_STATE))

// e without the state, if it can be written so; else 0.
static Expr without_state(Context *cx, Expr e) {
  if (expr_has_kind(cx, e, STATE_KINDS)) e = expr_normal(cx, e);
  return expr_has_kind(cx, e, STATE_KINDS) ? 0 : e;
}

static bool constant_jacobian(Context *cx, const Expr *e, const Expr *by, uint32_t n, Expr *out) {
  expr_jacobian(cx, e, n, by, n, out);
  for (uint32_t i = 0; i < n * n; i++) {
    out[i] = without_state(cx, out[i]);
    if (!out[i]) return false;
  }
  return true;
}

bool system_linear_form(Context *cx, const System *s, LinearForm *out) {
  uint32_t n = s->n;
  out->C = arena_array(&cx->keep, Expr, (size_t)n * n);
  out->K = arena_array(&cx->keep, Expr, (size_t)n * n);
  out->rest = arena_array(&cx->keep, Expr, n);
  Mark mark = arena_mark(&cx->scratch);
  Expr *force = arena_array(&cx->scratch, Expr, n);
  Substitution *origin = arena_array(&cx->scratch, Substitution, 2 * n);
  for (uint32_t i = 0; i < n; i++) {
    force[i] = expr_open(cx, expr_sum(cx, (Expr[]){s->h[i], s->D[i], s->G[i]}, 3));
    origin[2 * i] = (Substitution){s->q[i], cx->exprs->zero};
    origin[2 * i + 1] = (Substitution){s->qd[i], cx->exprs->zero};
  }
  bool linear = constant_jacobian(cx, force, s->q, n, out->K) &&
                constant_jacobian(cx, force, s->qd, n, out->C);
  if (linear) expr_subst_many(cx, force, n, origin, 2 * n, out->rest);
  arena_release(&cx->scratch, mark);
  return linear;
}

void system_christoffel(Context *cx, const System *s, Expr *out) {
  uint32_t n = s->n;
  Mark mark = arena_mark(&cx->scratch);
  // slope[(i * n + j) * n + k] = dM_ij/dq_k
  Expr *slope = arena_array(&cx->scratch, Expr, (size_t)n * n * n);
  expr_jacobian(cx, s->M, (size_t)n * n, s->q, n, slope);
  Expr *terms = arena_array(&cx->scratch, Expr, n);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      for (uint32_t k = 0; k < n; k++) {
        Pair sum[3] = {{slope[(i * n + j) * n + k], NUMBER_HALF},
                       {slope[(i * n + k) * n + j], NUMBER_HALF},
                       {slope[(j * n + k) * n + i], number_neg(cx, NUMBER_HALF)}};
        terms[k] = expr_mul(cx, expr_linear(cx, NUMBER_ZERO, sum, 3), s->qd[k]);
      }
      out[i * n + j] = expr_sum(cx, terms, n);
    }
  }
  arena_release(&cx->scratch, mark);
}
