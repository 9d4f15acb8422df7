// Forward derivatives: the rule of every operator, and sweeps that apply it.
#include "expr/diff.h"

#include <assert.h>

#include "expr/define.h"
#include "expr/plane.h"

static Expr negative_power(Context *cx, Expr base, Number exponent) {
  return expr_power(cx, base, number_neg(cx, exponent));
}

static Expr one_minus_square(Context *cx, Expr a) {
  Expr one = expr_int(cx, 1);
  return expr_sub(cx, one, expr_square(cx, a));
}

static Expr one_plus_square(Context *cx, Expr a) {
  Expr one = expr_int(cx, 1);
  return expr_add(cx, one, expr_square(cx, a));
}

// f'(a) of a function of one argument.
static Expr derivative1(Context *cx, Op op, Expr f, Expr a) {
  switch (op) {
  case OP_SIN: return expr_cos(cx, a);
  case OP_COS: return expr_neg(cx, expr_sin(cx, a));
  case OP_TAN: return one_plus_square(cx, f);
  case OP_ASIN: return negative_power(cx, one_minus_square(cx, a), NUMBER_HALF);
  case OP_ACOS: return expr_neg(cx, negative_power(cx, one_minus_square(cx, a), NUMBER_HALF));
  case OP_ATAN: return expr_power(cx, one_plus_square(cx, a), NUMBER_MINUS_ONE);
  case OP_SINH: return expr_function1(cx, OP_COSH, a);
  case OP_COSH: return expr_function1(cx, OP_SINH, a);
  case OP_TANH: return one_minus_square(cx, f);
  case OP_EXP: return f;
  case OP_LOG: return expr_power(cx, a, NUMBER_MINUS_ONE);
  case OP_ABS: return expr_function1(cx, OP_SIGN, a);
  case OP_SIGN:
  case OP_NOT: return expr_int(cx, 0);
  default: assert(!"not a function of one argument"); return expr_undefined(cx);
  }
}

static Expr derivative2(Context *cx, Op op, Expr f, Expr a, Expr b, uint32_t i) {
  switch (op) {
  case OP_ATAN2: { // y, x
    Expr r2 = plane_square(cx, (Expr[]){a, b});
    return expr_div(cx, i == 0 ? b : expr_neg(cx, a), r2);
  }
  case OP_POW:
    if (i == 0) return expr_mul(cx, b, expr_pow(cx, a, expr_sub(cx, b, expr_int(cx, 1))));
    return expr_mul(cx, f, expr_function1(cx, OP_LOG, a));
  case OP_MIN:
  case OP_MAX: {
    Expr first = expr_int(cx, i == 0), second = expr_int(cx, i == 1);
    bool least = op == OP_MIN;
    return expr_if(cx, expr_function2(cx, OP_LT, a, b), least ? first : second,
                   least ? second : first);
  }
  default: return expr_int(cx, 0); // comparisons and truth values
  }
}

// Of each aspect the next one; the distances to the knots grow with x.
static Expr derivative_of_table(Context *cx, const Node *node) {
  TableAspect aspect = node_aspect(node);
  if (aspect == TABLE_SINCE || aspect == TABLE_UNTIL) return expr_int(cx, 1);
  if (aspect >= TABLE_THIRD) return expr_int(cx, 0);
  return expr_table(cx, node_table(node), (TableAspect)(aspect + 1), node->args[0]);
}

// number * exponent_i * base_i^(exponent_i - 1) * the other factors
static Expr partial_of_product(Context *cx, const Node *node, uint32_t i) {
  Mark mark = arena_mark(&cx->scratch);
  Pair *factors = arena_array(&cx->scratch, Pair, node->count);
  for (uint32_t k = 0; k < node->count; k++) factors[k] = pairs_of(node)[k];
  Number exponent = factors[i].number;
  factors[i].number = number_sub(cx, exponent, NUMBER_ONE);
  Expr e = expr_monomial(cx, number_mul(cx, node->number, exponent), factors, node->count);
  arena_release(&cx->scratch, mark);
  return e;
}

Expr expr_partial(Context *cx, Expr e, uint32_t i) {
  const Node *node = node_of(cx, e);
  Op op = (Op)node->op;
  if (op == OP_SUM) return expr_number(cx, pairs_of(node)[i].number);
  if (op == OP_PRODUCT) return partial_of_product(cx, node, i);
  if (op == OP_TABLE) return derivative_of_table(cx, node);
  if (op == OP_IF) {
    Expr zero = expr_int(cx, 0);
    if (i == 0) return zero;
    Expr one = expr_int(cx, 1);
    return expr_if(cx, node->args[0], i == 1 ? one : zero, i == 2 ? one : zero);
  }
  if (op_arity(op) == 1) return derivative1(cx, op, e, node->args[0]);
  return derivative2(cx, op, e, node->args[0], node->args[1], i);
}

// if(c, a, b)' and its kin keep their switch outside: if(c, a', b').
static Expr switch_rule(Context *cx, const Node *node, const ExprMemo *rates) {
  Expr zero = cx->exprs->zero;
  bool is_if = node->op == OP_IF;
  Expr yes = memo_get(rates, node->args[is_if ? 1 : 0]);
  Expr no = memo_get(rates, node->args[is_if ? 2 : 1]);
  yes = yes ? yes : zero, no = no ? no : zero;
  if (is_if) return expr_if(cx, node->args[0], yes, no);
  Expr less = expr_function2(cx, OP_LT, node->args[0], node->args[1]);
  return node->op == OP_MIN ? expr_if(cx, less, yes, no) : expr_if(cx, less, no, yes);
}

Expr expr_chain_rule(Context *cx, Expr e, const ExprMemo *rates) {
  const Node *node = node_of(cx, e);
  if (node->op == OP_IF || node->op == OP_MIN || node->op == OP_MAX)
    return switch_rule(cx, node, rates);
  Mark mark = arena_mark(&cx->scratch);
  Pair *terms = arena_array(&cx->scratch, Pair, node->count + 1);
  uint32_t n = 0;
  for (uint32_t i = 0; i < node->count; i++) {
    Expr rate = memo_get(rates, expr_child(cx, e, i));
    if (!rate || expr_is_zero(cx, rate)) continue;
    if (node->op == OP_SUM)
      terms[n++] = (Pair){rate, pairs_of(node)[i].number};
    else
      terms[n++] = (Pair){expr_mul(cx, expr_partial(cx, e, i), rate), NUMBER_ONE};
  }
  Expr sum = n == 1 && terms[0].number == NUMBER_ONE ? terms[0].expr
                                                     : expr_linear(cx, NUMBER_ZERO, terms, n);
  arena_release(&cx->scratch, mark);
  return sum;
}

// ---- Sweeps

// Fills the memo with the derivative of every listed node that has none yet.
static void sweep(Context *cx, const ExprList *list, ExprMemo *rates) {
  for (uint32_t i = 0; i < list->n; i++) {
    Expr e = list->at[i];
    if (memo_get(rates, e)) continue;
    Expr rate;
    if (op_of(cx, e) == OP_DEFINITION) {
      rate = memo_get(rates, definition_body(cx, e));
      rate = rate ? expr_hold(cx, rate) : cx->exprs->zero;
    } else {
      rate = expr_chain_rule(cx, e, rates);
    }
    memo_set(cx, rates, e, rate);
  }
}

static void collect(const Context *cx, const ExprMemo *rates, const Expr *roots, size_t n,
                    Expr *out) {
  for (size_t i = 0; i < n; i++) {
    Expr rate = memo_get(rates, roots[i]);
    out[i] = !expr_is_defined(cx, roots[i]) ? roots[i] : rate ? rate : cx->exprs->zero;
  }
}

static Visit visit_dependent(const Context *cx, Expr e, void *argument) {
  uint32_t variable = *(const uint32_t *)argument;
  return deps_has(cx, node_of(cx, e)->deps, variable) ? VISIT_ENTER : VISIT_SKIP;
}

void expr_diff_many(Context *cx, const Expr *roots, size_t n, Expr x, Expr *out) {
  context_poll(cx); // columns of large matrices may be without a single new node
  Mark mark = arena_mark(&cx->scratch);
  uint32_t variable = symbol_variable(cx, x);
  ExprList list = expr_walk(cx, roots, n, visit_dependent, &variable);
  ExprMemo *rates = memo_take(cx);
  memo_set(cx, rates, x, cx->exprs->one);
  sweep(cx, &list, rates);
  collect(cx, rates, roots, n, out);
  memo_give(cx, rates);
  arena_release(&cx->scratch, mark);
}

Expr expr_diff(Context *cx, Expr e, Expr x) {
  Expr result;
  expr_diff_many(cx, &e, 1, x, &result);
  return result;
}

void expr_jacobian(Context *cx, const Expr *exprs, size_t m, const Expr *symbols, size_t n,
                   Expr *out) {
  Mark mark = arena_mark(&cx->scratch);
  Expr *column = arena_array(&cx->scratch, Expr, m);
  for (size_t j = 0; j < n; j++) {
    expr_diff_many(cx, exprs, m, symbols[j], column);
    for (size_t i = 0; i < m; i++) out[i * n + j] = column[i];
  }
  arena_release(&cx->scratch, mark);
}

// Those nodes move that contain a moving symbol.
static Visit visit_moving(const Context *cx, Expr e, void *argument) {
  const DepSet *moving = argument;
  return deps_meet(cx, node_of(cx, e)->deps, *moving) ? VISIT_ENTER : VISIT_SKIP;
}

void expr_diff_along(Context *cx, const Expr *roots, size_t n, const Rate *rates, size_t rate_count,
                     Expr *out) {
  Mark mark = arena_mark(&cx->scratch);
  ExprMemo *memo = memo_take(cx);
  DepSet moving = 0;
  for (size_t i = 0; i < rate_count; i++) {
    memo_set(cx, memo, rates[i].symbol, rates[i].rate);
    moving = deps_union(cx, moving, node_of(cx, rates[i].symbol)->deps);
  }
  ExprList list = expr_walk(cx, roots, n, visit_moving, &moving);
  sweep(cx, &list, memo);
  collect(cx, memo, roots, n, out);
  memo_give(cx, memo);
  arena_release(&cx->scratch, mark);
}
