// Switching functions.
#include "sim/switches.h"

#include "expr/build.h"

#define STATE_KINDS                                                                                \
  (KIND_BIT(SYMBOL_COORDINATE) | KIND_BIT(SYMBOL_VELOCITY) | KIND_BIT(SYMBOL_TIME))

static Expr switching_function(Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  switch (node->op) {
  case OP_ABS:
  case OP_SIGN: return node->args[0];
  case OP_MIN:
  case OP_MAX:
  case OP_LT:
  case OP_LE:
  case OP_EQ: return expr_sub(cx, node->args[0], node->args[1]);
  default: return 0;
  }
}

ExprList system_switches(Context *cx, const System *s) {
  ExprList roots = {0}, found = {0};
  vec_push(&cx->scratch, &roots, s->T);
  for (uint32_t i = 0; i < s->n; i++) {
    vec_push(&cx->scratch, &roots, s->G[i]);
    vec_push(&cx->scratch, &roots, s->D[i]);
    vec_push(&cx->scratch, &roots, s->Q[i]);
  }
  for (uint32_t i = 0; i < s->row_count; i++) vec_push(&cx->scratch, &roots, s->rows[i].phi);
  ExprList all = expr_walk(cx, roots.at, roots.n, visit_all, NULL);
  ExprMemo *seen = memo_take(cx);
  for (uint32_t i = 0; i < all.n; i++) {
    Expr f = switching_function(cx, all.at[i]);
    if (!f || !expr_has_kind(cx, f, STATE_KINDS) || memo_get(seen, f)) continue;
    memo_set(cx, seen, f, 1);
    vec_push(&cx->scratch, &found, f);
  }
  memo_give(cx, seen);
  return found;
}
