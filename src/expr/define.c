// Definitions: making, differentiating in time, opening.
#include "expr/define.h"

#include "expr/build.h"
#include "expr/diff.h"
#include "expr/subst.h"
#include "expr/walk.h"

static Expr make(Context *cx, Symbol name, int order, Expr base, Expr body) {
  uint32_t words[4] = {body, name, (uint32_t)order, base};
  return node_intern(cx, OP_DEFINITION, NUMBER_ZERO, 1, words, 4);
}

static bool is_leaf(const Context *cx, Expr e) {
  Op op = op_of(cx, e);
  return op <= OP_DEFINITION;
}

Expr expr_define(Context *cx, Symbol name, Expr body) {
  return is_leaf(cx, body) ? body : make(cx, name, 0, 0, body);
}

// The factors that all terms of a sum share, with their least exponents; in scratch memory.
static uint32_t common_factors(Context *cx, const Node *sum, Pair *common) {
  uint32_t n = 0;
  if (sum->number != NUMBER_ZERO) return 0;
  for (uint32_t i = 0; i < sum->count; i++) {
    Pair single = {pairs_of(sum)[i].expr, NUMBER_ONE};
    const Node *term = node_of(cx, single.expr);
    bool product = term->op == OP_PRODUCT;
    const Pair *factors = product ? pairs_of(term) : &single;
    uint32_t count = product ? term->count : 1, kept = 0;
    if (i == 0) {
      for (; n < count; n++) common[n] = factors[n];
      continue;
    }
    // both lists are sorted by id
    for (uint32_t a = 0, b = 0; a < n && b < count;) {
      if (common[a].expr < factors[b].expr)
        a++;
      else if (common[a].expr > factors[b].expr)
        b++;
      else {
        Number least = number_compare(cx, common[a].number, factors[b].number) < 0
                           ? common[a].number
                           : factors[b].number;
        common[kept++] = (Pair){common[a].expr, least};
        a++, b++;
      }
    }
    n = kept;
    if (n == 0) return 0;
  }
  return n;
}

// common * unnamed definition of (sum / common)
static Expr hold_sum(Context *cx, Expr e) {
  const Node *sum = node_of(cx, e);
  const Node *first = node_of(cx, pairs_of(sum)[0].expr);
  uint32_t most = first->op == OP_PRODUCT ? first->count : 1;
  Mark mark = arena_mark(&cx->scratch);
  Pair *common = arena_array(&cx->scratch, Pair, most + 1);
  uint32_t n = common_factors(cx, sum, common);
  Expr result;
  if (n == 0) {
    result = make(cx, 0, 0, 0, e);
  } else {
    Expr factor = expr_monomial(cx, NUMBER_ONE, common, n);
    Expr inverse = expr_power(cx, factor, NUMBER_MINUS_ONE);
    Pair *terms = arena_array(&cx->scratch, Pair, sum->count);
    for (uint32_t i = 0; i < sum->count; i++) {
      Pair p = pairs_of(sum)[i];
      terms[i] = (Pair){expr_mul(cx, p.expr, inverse), p.number};
    }
    Expr rest = expr_linear(cx, NUMBER_ZERO, terms, sum->count);
    result = expr_mul(cx, factor, is_leaf(cx, rest) ? rest : make(cx, 0, 0, 0, rest));
  }
  arena_release(&cx->scratch, mark);
  return result;
}

Expr expr_hold(Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  if (node->op == OP_SUM) return hold_sum(cx, e);
  return node->op == OP_PRODUCT && node->count > 8 ? make(cx, 0, 0, 0, e) : e;
}

Expr definition_body(const Context *cx, Expr e) { return node_of(cx, e)->args[0]; }
Symbol definition_name(const Context *cx, Expr e) { return node_of(cx, e)->args[1]; }
int definition_order(const Context *cx, Expr e) { return (int)node_of(cx, e)->args[2]; }
Expr definition_base(const Context *cx, Expr e) {
  Expr base = node_of(cx, e)->args[3];
  return base ? base : e;
}

// ---- Time derivative

static Expr rate_of_symbol(Context *cx, Expr e) {
  switch (symbol_kind(cx, e)) {
  case SYMBOL_PARAMETER:
  case SYMBOL_INPUT: return cx->exprs->zero;
  case SYMBOL_TIME: return cx->exprs->one;
  case SYMBOL_COORDINATE: return expr_symbol(cx, SYMBOL_VELOCITY, symbol_name(cx, e));
  case SYMBOL_VELOCITY: return expr_symbol(cx, SYMBOL_ACCELERATION, symbol_name(cx, e));
  case SYMBOL_POSE: return expr_symbol(cx, SYMBOL_POSE_VELOCITY, symbol_name(cx, e));
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
    rate = make(cx, name, definition_order(cx, e) + 1, definition_base(cx, e), rate);
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

// ---- Opening

typedef struct Opening {
  bool (*open)(const Context *cx, Expr definition, void *argument);
  void *argument;
} Opening;

static Rewrite open_one(Context *cx, Expr e, void *argument) {
  const Opening *opening = argument;
  if (!expr_is_definition(cx, e)) return (Rewrite){REWRITE_INSIDE, 0};
  bool open = !opening->open || opening->open(cx, e, opening->argument);
  return (Rewrite){open ? REWRITE_OPEN : REWRITE_INSIDE, 0};
}

void expr_open_some(Context *cx, const Expr *roots, size_t n,
                    bool (*open)(const Context *cx, Expr definition, void *argument),
                    void *argument, Expr *out) {
  Opening opening = {open, argument};
  expr_rewrite(cx, roots, n, open_one, &opening, out);
}

void expr_open_many(Context *cx, const Expr *roots, size_t n, Expr *out) {
  expr_open_some(cx, roots, n, NULL, NULL, out);
}

Expr expr_open(Context *cx, Expr e) {
  Expr result;
  expr_open_many(cx, &e, 1, &result);
  return result;
}
