// The derivative by time.
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"

static Expr rate_of_symbol(Context *cx, Expr e) {
  switch (symbol_kind(cx, e)) {
  case SYMBOL_PARAMETER:
  case SYMBOL_INPUT: return cx->exprs->zero;
  case SYMBOL_TIME: return cx->exprs->one;
  case SYMBOL_COORDINATE: return expr_symbol(cx, SYMBOL_VELOCITY, symbol_name(cx, e));
  case SYMBOL_VELOCITY: return expr_symbol(cx, SYMBOL_ACCELERATION, symbol_name(cx, e));
  case SYMBOL_POSE: return expr_symbol(cx, SYMBOL_POSE_VELOCITY, symbol_name(cx, e));
  case SYMBOL_STATE: return expr_symbol(cx, SYMBOL_STATE_RATE, symbol_name(cx, e));
  case SYMBOL_POSE_VELOCITY: return expr_symbol(cx, SYMBOL_POSE_ACCELERATION, symbol_name(cx, e));
  default: return expr_undefined(cx);
  }
}

static Expr known_rate(const Context *cx, Expr e) {
  return cx->exprs->rates ? expr_map_get(cx->exprs->rates, e) : 0;
}

// Constant parts are skipped; a definition whose rate is known is not entered.
static Visit visit_changing(const Context *cx, Expr e, void *unused) {
  (void)unused;
  if (!expr_has_kind(cx, e, ~KIND_BIT(SYMBOL_PARAMETER))) return VISIT_SKIP;
  return expr_is_definition(cx, e) && known_rate(cx, e) ? VISIT_LIST : VISIT_ENTER;
}

static Expr rate_of_definition(Context *cx, Expr e, const ExprMemo *memo) {
  Expr rate = known_rate(cx, e);
  if (rate) return rate;
  rate = memo_get(memo, definition_body(cx, e));
  Symbol name = definition_name(cx, e);
  if (!name)
    rate = expr_hold(cx, rate);
  else if (op_of(cx, rate) > OP_PI) // a number needs no name
    rate = definition_new(cx, name, definition_order(cx, e) + 1, definition_base(cx, e), rate);
  if (!cx->exprs->rates) cx->exprs->rates = expr_map_new(cx);
  expr_map_set(cx, cx->exprs->rates, e, rate);
  return rate;
}

Expr expr_time_derivative(Context *cx, Expr e) {
  Mark mark = arena_mark(&cx->scratch);
  ExprList list = expr_walk(cx, &e, 1, visit_changing, NULL);
  ExprMemo *memo = memo_take(cx);
  for (uint32_t i = 0; i < list.n; i++) {
    Expr node = list.at[i], rate;
    if (op_of(cx, node) == OP_SYMBOL)
      rate = rate_of_symbol(cx, node);
    else if (expr_is_definition(cx, node))
      rate = rate_of_definition(cx, node, memo);
    else
      rate = expr_chain_rule(cx, node, memo);
    memo_set(cx, memo, node, rate);
  }
  Expr result = memo_get(memo, e);
  memo_give(cx, memo);
  arena_release(&cx->scratch, mark);
  if (!expr_is_defined(cx, e)) return e;
  return result ? result : cx->exprs->zero;
}
