// Definitions: making them, and what they are made of.
#include "expr/define.h"

#include "expr/build.h"

Expr definition_new(Context *cx, Symbol name, int order, Expr base, Expr body) {
  uint32_t words[4] = {body, name, (uint32_t)order, base};
  return node_intern(cx, OP_DEFINITION, NUMBER_ZERO, 1, words, 4);
}

static bool is_leaf(const Context *cx, Expr e) {
  Op op = op_of(cx, e);
  return op <= OP_DEFINITION;
}

Expr expr_define(Context *cx, Symbol name, Expr body) {
  return is_leaf(cx, body) ? body : definition_new(cx, name, 0, 0, body);
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
    result = definition_new(cx, 0, 0, 0, e);
  } else {
    Expr factor = expr_monomial(cx, NUMBER_ONE, common, n);
    Expr inverse = expr_power(cx, factor, NUMBER_MINUS_ONE);
    Pair *terms = arena_array(&cx->scratch, Pair, sum->count);
    for (uint32_t i = 0; i < sum->count; i++) {
      Pair p = pairs_of(sum)[i];
      terms[i] = (Pair){expr_mul(cx, p.expr, inverse), p.number};
    }
    Expr rest = expr_linear(cx, NUMBER_ZERO, terms, sum->count);
    result = expr_mul(cx, factor, is_leaf(cx, rest) ? rest : definition_new(cx, 0, 0, 0, rest));
  }
  arena_release(&cx->scratch, mark);
  return result;
}

Expr expr_hold(Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  if (node->op == OP_SUM) return hold_sum(cx, e);
  return node->op == OP_PRODUCT && node->count > 8 ? definition_new(cx, 0, 0, 0, e) : e;
}

Expr definition_body(const Context *cx, Expr e) { return node_of(cx, e)->args[0]; }
Symbol definition_name(const Context *cx, Expr e) { return node_of(cx, e)->args[1]; }
int definition_order(const Context *cx, Expr e) { return (int)node_of(cx, e)->args[2]; }
Expr definition_base(const Context *cx, Expr e) {
  Expr base = node_of(cx, e)->args[3];
  return base ? base : e;
}
