// {f, g} by derivatives.
#include "derive/roads/bracket.h"

#include "expr/build.h"
#include "expr/diff.h"
#include "expr/print.h"

static Status is_phase_function(Context *cx, Expr e) {
  uint32_t kinds = KIND_BIT(SYMBOL_ACCELERATION) | KIND_BIT(SYMBOL_MULTIPLIER) |
                   KIND_BIT(SYMBOL_POSE) | KIND_BIT(SYMBOL_POSE_VELOCITY) |
                   KIND_BIT(SYMBOL_POSE_ACCELERATION) | KIND_BIT(SYMBOL_STATE_RATE);
  if (!expr_has_kind(cx, e, kinds)) return QDOT_OK;
  Status status =
      diag_error_plain(cx, QDOT_BAD_ARGUMENT, "'%s' is no function of coordinates and momenta",
                       expr_text(cx, &cx->keep, e));
  diag_note(cx, "it may contain t, coordinates, velocities and momenta such as p_x");
  return status;
}

Status bracket_derive(Context *cx, const System *s, const Hamilton *h, Expr f, Expr g,
                      Bracket *out) {
  Status status = is_phase_function(cx, f);
  if (status == QDOT_OK) status = is_phase_function(cx, g);
  if (status != QDOT_OK) return status;
  f = hamilton_without_velocities(cx, s, h, f), g = hamilton_without_velocities(cx, s, h, g);
  Mark mark = arena_mark(&cx->scratch);
  Expr *f_q = arena_array(&cx->scratch, Expr, 4 * s->n + 1), *f_p = f_q + s->n;
  Expr *g_q = f_p + s->n, *g_p = g_q + s->n, sum = expr_int(cx, 0);
  expr_gradient(cx, f, s->q, s->n, f_q);
  expr_gradient(cx, f, h->p, s->n, f_p);
  expr_gradient(cx, g, s->q, s->n, g_q);
  expr_gradient(cx, g, h->p, s->n, g_p);
  for (uint32_t i = 0; i < s->n; i++) {
    Expr forward = expr_mul(cx, f_q[i], g_p[i]);
    sum = expr_add(cx, sum, expr_sub(cx, forward, expr_mul(cx, f_p[i], g_q[i])));
  }
  Expr all[] = {f, g, sum};
  hamilton_simplify_values(cx, s, h, SIMPLIFY_NORMAL, all, 3);
  *out = (Bracket){all[0], all[1], all[2]};
  arena_release(&cx->scratch, mark);
  return QDOT_OK;
}
