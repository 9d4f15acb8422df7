// Leaves and functions: exact values, parity, decided conditions.
#include <assert.h>

#include "expr/build.h"
#include "expr/canonical.h"

Expr expr_undefined(Context *cx) { return expr_store(cx)->undefined; }

Expr expr_pi(Context *cx) { return expr_store(cx)->pi; }

Expr expr_number(Context *cx, Number value) {
  ExprStore *store = expr_store(cx);
  if (value == NUMBER_NONE) return store->undefined;
  return node_intern(cx, OP_NUMBER, value, 0, NULL, 0);
}

Expr expr_int(Context *cx, int64_t value) {
  expr_store(cx);
  return expr_number(cx, number_int(cx, value));
}

Expr expr_ratio(Context *cx, int64_t numerator, int64_t denominator) {
  expr_store(cx);
  return expr_number(cx, number_ratio(cx, numerator, denominator));
}

Expr expr_symbol(Context *cx, SymbolKind kind, Symbol name) {
  ExprStore *store = expr_store(cx);
  // The variable number is part of the node, so look for the symbol among the known ones first.
  uint32_t words[3] = {name, (uint32_t)kind, 0};
  uint32_t key = name * SYMBOL_KINDS + (uint32_t)kind;
  while (store->symbol_index.capacity <= key) {
    uint32_t old = store->symbol_index.capacity;
    store->symbol_index.at =
        vec_grow(&cx->keep, store->symbol_index.at, sizeof(Expr), &store->symbol_index.capacity);
    assert(store->symbol_index.capacity > old);
  }
  Expr known = store->symbol_index.at[key];
  if (known) return known;
  words[2] = store->symbols.n;
  Expr e = node_intern(cx, OP_SYMBOL, NUMBER_ZERO, 0, words, 3);
  vec_push(&cx->keep, &store->symbols, e);
  return store->symbol_index.at[key] = e;
}

// ---- Sine and cosine at multiples of pi

// e = rest + multiple * pi
static Number split_pi(Context *cx, Expr e, Expr *rest) {
  const Node *node = node_of(cx, e);
  Expr pi = cx->exprs->pi;
  *rest = cx->exprs->zero;
  if (e == pi) return NUMBER_ONE;
  if (node->op == OP_NUMBER && node->number == NUMBER_ZERO) return NUMBER_ZERO;
  if (node->op == OP_PRODUCT && node->count == 1 && pairs_of(node)[0].expr == pi &&
      pairs_of(node)[0].number == NUMBER_ONE)
    return node->number;
  *rest = e;
  if (node->op != OP_SUM) return NUMBER_ZERO;
  for (uint32_t i = 0; i < node->count; i++) {
    Pair p = pairs_of(node)[i];
    if (p.expr != pi) continue;
    *rest = expr_sub(cx, e, expr_scale(cx, p.number, pi));
    return p.number;
  }
  return NUMBER_ZERO;
}

// sin(k pi / 12) for k = 0 .. 6 where it has a short form, else 0.
static Expr sine_of_twelfths(Context *cx, int k) {
  switch (k) {
  case 0: return expr_int(cx, 0);
  case 2: return expr_ratio(cx, 1, 2);
  case 3: return expr_scale(cx, NUMBER_HALF, expr_sqrt(cx, expr_int(cx, 2)));
  case 4: return expr_scale(cx, NUMBER_HALF, expr_sqrt(cx, expr_int(cx, 3)));
  case 6: return expr_int(cx, 1);
  default: return 0;
  }
}

// sin(k pi / 12) for any k
static Expr exact_sine(Context *cx, int64_t k) {
  k = (k % 24 + 24) % 24;
  bool negative = k >= 12;
  if (negative) k -= 12;
  Expr value = sine_of_twelfths(cx, (int)(k > 6 ? 12 - k : k));
  return value && negative ? expr_neg(cx, value) : value;
}

static Expr plain(Context *cx, Op op, const Expr *args) {
  return node_intern(cx, op, NUMBER_ZERO, (uint32_t)op_arity(op), args, (uint32_t)op_arity(op));
}

// sin(a + quarter pi/2) as +-sin or +-cos of an argument with a positive first term.
static Expr shifted_sine(Context *cx, Expr a, int64_t quarter) {
  quarter = (quarter % 4 + 4) % 4;
  bool cosine = quarter % 2, negative = quarter >= 2;
  if (expr_leading_sign(cx, a) < 0) {
    a = expr_neg(cx, a);
    negative ^= !cosine;
  }
  Expr inner[1] = {a}, result;
  Op op = cosine ? OP_COS : OP_SIN;
  Op inverse = cosine ? OP_ACOS : OP_ASIN;
  result = op_of(cx, a) == inverse ? node_of(cx, a)->args[0] : plain(cx, op, inner);
  return negative ? expr_neg(cx, result) : result;
}

static Expr sine_shifted_by(Context *cx, Expr a, int64_t quarter) {
  Expr rest;
  Number turns = split_pi(cx, a, &rest);
  int64_t twelfths;
  if (number_to_int(cx, number_mul(cx, turns, number_int(cx, 12)), &twelfths) &&
      twelfths > -1000000 && twelfths < 1000000) {
    if (expr_is_zero(cx, rest)) {
      Expr value = exact_sine(cx, twelfths + 6 * quarter);
      if (value) return value;
      // Bring the angle into the first quarter of a turn and use the sine.
      int64_t k = ((twelfths + 6 * quarter) % 24 + 24) % 24;
      bool negative = k >= 12;
      if (negative) k -= 12;
      if (k > 6) k = 12 - k;
      Expr inner[1] = {expr_mul(cx, expr_ratio(cx, k, 12), cx->exprs->pi)};
      Expr value_kept = plain(cx, OP_SIN, inner);
      return negative ? expr_neg(cx, value_kept) : value_kept;
    }
    if (twelfths % 6 == 0) return shifted_sine(cx, rest, quarter + twelfths / 6);
  }
  return shifted_sine(cx, a, quarter);
}

// ---- The other functions

// f(-x) = -f(x) or f(x)
static Expr by_parity(Context *cx, Op op, Expr a, bool odd) {
  if (expr_leading_sign(cx, a) >= 0) return plain(cx, op, &a);
  Expr e = expr_function1(cx, op, expr_neg(cx, a));
  return odd ? expr_neg(cx, e) : e;
}

static Expr tangent(Context *cx, Expr a) {
  Expr rest;
  int64_t twelfths;
  Number turns = split_pi(cx, a, &rest);
  if (number_to_int(cx, number_mul(cx, turns, number_int(cx, 12)), &twelfths)) {
    if (expr_is_zero(cx, rest)) {
      Expr sine = exact_sine(cx, twelfths % 24), cosine = exact_sine(cx, twelfths % 24 + 6);
      if (sine && cosine) return expr_div(cx, sine, cosine);
    } else if (twelfths % 12 == 0) {
      a = rest;
    }
  }
  if (op_of(cx, a) == OP_ATAN) return node_of(cx, a)->args[0];
  return by_parity(cx, OP_TAN, a, true);
}

static Expr arc_sine(Context *cx, Expr a, bool cosine) {
  Number value = expr_number_value(cx, a);
  Expr result = 0;
  if (value == NUMBER_ZERO) result = expr_int(cx, 0);
  if (value == NUMBER_ONE) result = expr_mul(cx, expr_ratio(cx, 1, 2), cx->exprs->pi);
  if (value == NUMBER_HALF) result = expr_mul(cx, expr_ratio(cx, 1, 6), cx->exprs->pi);
  if (value == NUMBER_MINUS_ONE) result = expr_mul(cx, expr_ratio(cx, -1, 2), cx->exprs->pi);
  if (value != NUMBER_NONE && number_compare(cx, number_abs(cx, value), NUMBER_ONE) > 0)
    return expr_undefined(cx);
  if (result && cosine)
    return expr_sub(cx, expr_mul(cx, expr_ratio(cx, 1, 2), cx->exprs->pi), result);
  if (result) return result;
  return cosine ? plain(cx, OP_ACOS, &a) : by_parity(cx, OP_ASIN, a, true);
}

static Expr arc_tangent(Context *cx, Expr a) {
  Number value = expr_number_value(cx, a);
  if (value == NUMBER_ZERO) return a;
  if (value == NUMBER_ONE) return expr_mul(cx, expr_ratio(cx, 1, 4), cx->exprs->pi);
  return by_parity(cx, OP_ATAN, a, true);
}

static Expr exponential(Context *cx, Expr a) {
  if (expr_is_zero(cx, a)) return expr_int(cx, 1);
  if (op_of(cx, a) == OP_LOG) return node_of(cx, a)->args[0];
  return plain(cx, OP_EXP, &a);
}

static Expr logarithm(Context *cx, Expr a) {
  if (expr_is_one(cx, a)) return expr_int(cx, 0);
  Number value = expr_number_value(cx, a);
  if (value != NUMBER_NONE && number_sign(cx, value) <= 0) return expr_undefined(cx);
  return plain(cx, OP_LOG, &a);
}

// Factors that are certainly positive leave abs and sign: numbers, pi, exp, squares' magnitudes.
static Expr absolute(Context *cx, Expr a) {
  Number value = expr_number_value(cx, a);
  if (value != NUMBER_NONE) return expr_number(cx, number_abs(cx, value));
  if (a == cx->exprs->pi || op_of(cx, a) == OP_ABS || op_of(cx, a) == OP_EXP) return a;
  Number size = number_abs(cx, expr_coefficient(cx, a));
  if (size != NUMBER_ONE)
    return expr_scale(cx, size, absolute(cx, expr_without_coefficient(cx, a)));
  return by_parity(cx, OP_ABS, a, false);
}

static Expr sign_of(Context *cx, Expr a) {
  Number value = expr_number_value(cx, a);
  if (value != NUMBER_NONE) return expr_int(cx, number_sign(cx, value));
  if (a == cx->exprs->pi || op_of(cx, a) == OP_EXP) return expr_int(cx, 1);
  Number size = number_abs(cx, expr_coefficient(cx, a));
  if (size != NUMBER_ONE) return sign_of(cx, expr_scale(cx, number_div(cx, NUMBER_ONE, size), a));
  return by_parity(cx, OP_SIGN, a, true);
}

static Expr even_or_odd_hyperbolic(Context *cx, Op op, Expr a) {
  if (expr_is_zero(cx, a)) return expr_int(cx, op == OP_COSH);
  return by_parity(cx, op, a, op != OP_COSH);
}

// ---- Two arguments

static Expr power_function(Context *cx, Expr base, Expr exponent) {
  if (expr_is_number(cx, exponent)) return expr_power(cx, base, node_of(cx, exponent)->number);
  if (expr_is_one(cx, base)) return base;
  return plain(cx, OP_POW, (Expr[]){base, exponent});
}

static Expr sorted(Context *cx, Op op, Expr a, Expr b) {
  return plain(cx, op, a < b ? (Expr[]){a, b} : (Expr[]){b, a});
}

static Expr least_or_greatest(Context *cx, Op op, Expr a, Expr b) {
  if (a == b) return a;
  Number x = expr_number_value(cx, a), y = expr_number_value(cx, b);
  if (x == NUMBER_NONE || y == NUMBER_NONE) return sorted(cx, op, a, b);
  return (number_compare(cx, x, y) < 0) == (op == OP_MIN) ? a : b;
}

static Expr comparison(Context *cx, Op op, Expr a, Expr b) {
  if (a == b) return expr_int(cx, op != OP_LT);
  Number x = expr_number_value(cx, a), y = expr_number_value(cx, b);
  if (x != NUMBER_NONE && y != NUMBER_NONE) {
    int order = number_compare(cx, x, y);
    return expr_int(cx, op == OP_LT ? order < 0 : op == OP_LE ? order <= 0 : order == 0);
  }
  return op == OP_EQ ? sorted(cx, op, a, b) : plain(cx, op, (Expr[]){a, b});
}

// and, or: a decided side settles it or drops out. A side that is not a truth value is compared to
// 0.
static Expr as_truth(Context *cx, Expr a) {
  if (expr_is_number(cx, a)) return expr_int(cx, !expr_is_zero(cx, a));
  if (op_is_truth(op_of(cx, a)) || !expr_is_defined(cx, a)) return a;
  Expr equal = comparison(cx, OP_EQ, a, expr_int(cx, 0));
  return plain(cx, OP_NOT, &equal);
}

static Expr logical(Context *cx, Op op, Expr a, Expr b) {
  a = as_truth(cx, a), b = as_truth(cx, b);
  Expr settles = expr_int(cx, op == OP_OR), neutral = expr_int(cx, op == OP_AND);
  if (a == settles || b == settles) return settles;
  if (a == neutral || a == b) return b;
  if (b == neutral) return a;
  return sorted(cx, op, a, b);
}

static Expr negation(Context *cx, Expr a) {
  a = as_truth(cx, a);
  if (expr_is_number(cx, a)) return expr_int(cx, expr_is_zero(cx, a));
  if (op_of(cx, a) == OP_NOT) return node_of(cx, a)->args[0];
  return plain(cx, OP_NOT, &a);
}

static Expr arc_tangent2(Context *cx, Expr y, Expr x) {
  Number a = expr_number_value(cx, y), b = expr_number_value(cx, x);
  if (a == NUMBER_ZERO && b != NUMBER_NONE && b != NUMBER_ZERO)
    return number_sign(cx, b) > 0 ? expr_int(cx, 0) : cx->exprs->pi;
  return plain(cx, OP_ATAN2, (Expr[]){y, x});
}

Expr expr_if(Context *cx, Expr condition, Expr yes, Expr no) {
  if (!expr_is_defined(cx, condition)) return condition;
  condition = as_truth(cx, condition);
  if (expr_is_number(cx, condition)) return expr_is_zero(cx, condition) ? no : yes;
  if (!expr_is_defined(cx, yes) || !expr_is_defined(cx, no)) return expr_undefined(cx);
  if (yes == no) return yes;
  if (op_of(cx, condition) == OP_NOT) return expr_if(cx, node_of(cx, condition)->args[0], no, yes);
  return plain(cx, OP_IF, (Expr[]){condition, yes, no});
}

Expr expr_table(Context *cx, TableId table, TableAspect aspect, Expr x) {
  expr_store(cx);
  if (!expr_is_defined(cx, x)) return x;
  const TableData *t = table_get(cx, table);
  if (aspect <= TABLE_THIRD && (uint32_t)aspect > t->degree) return expr_int(cx, 0);
  Number at = expr_number_value(cx, x);
  if (at != NUMBER_NONE) {
    double value = table_value(t, aspect, number_to_double(cx, at));
    return expr_number(cx, number_from_double(cx, value));
  }
  const uint32_t words[] = {x, table, (uint32_t)aspect};
  return node_intern(cx, OP_TABLE, NUMBER_ZERO, 1, words, 3);
}

static Expr build_function(Context *cx, Op op, const Expr *args) {
  Expr a = args[0], b = op_arity(op) > 1 ? args[1] : 0;
  switch (op) {
  case OP_SIN: return sine_shifted_by(cx, a, 0);
  case OP_COS: return sine_shifted_by(cx, a, 1);
  case OP_TAN: return tangent(cx, a);
  case OP_ASIN: return arc_sine(cx, a, false);
  case OP_ACOS: return arc_sine(cx, a, true);
  case OP_ATAN: return arc_tangent(cx, a);
  case OP_SINH:
  case OP_COSH:
  case OP_TANH: return even_or_odd_hyperbolic(cx, op, a);
  case OP_EXP: return exponential(cx, a);
  case OP_LOG: return logarithm(cx, a);
  case OP_ABS: return absolute(cx, a);
  case OP_SIGN: return sign_of(cx, a);
  case OP_NOT: return negation(cx, a);
  case OP_ATAN2: return arc_tangent2(cx, a, b);
  case OP_POW: return power_function(cx, a, b);
  case OP_MIN:
  case OP_MAX: return least_or_greatest(cx, op, a, b);
  case OP_LT:
  case OP_LE:
  case OP_EQ: return comparison(cx, op, a, b);
  case OP_AND:
  case OP_OR: return logical(cx, op, a, b);
  default: assert(!"not a function"); return expr_undefined(cx);
  }
}

Expr expr_function(Context *cx, Op op, const Expr *args) {
  expr_store(cx);
  if (op == OP_IF) return expr_if(cx, args[0], args[1], args[2]);
  for (int i = 0; i < op_arity(op); i++) {
    if (!expr_is_defined(cx, args[i])) return args[i];
  }
  Expr e = build_function(cx, op, args);
  ASSERT_CANONICAL(cx, e);
  return e;
}

Expr expr_function1(Context *cx, Op op, Expr a) { return expr_function(cx, op, &a); }

Expr expr_function2(Context *cx, Op op, Expr a, Expr b) {
  return expr_function(cx, op, (Expr[]){a, b});
}

Expr expr_sin(Context *cx, Expr a) { return expr_function(cx, OP_SIN, &a); }
Expr expr_cos(Context *cx, Expr a) { return expr_function(cx, OP_COS, &a); }
Expr expr_pow(Context *cx, Expr base, Expr exponent) {
  return expr_function2(cx, OP_POW, base, exponent);
}

// ---- Children

uint32_t expr_child_count(const Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  return node->op == OP_DEFINITION ? 0 : node->count;
}

Expr expr_child(const Context *cx, Expr e, uint32_t i) {
  const Node *node = node_of(cx, e);
  return node->op == OP_SUM || node->op == OP_PRODUCT ? pairs_of(node)[i].expr : node->args[i];
}

Expr expr_rebuild(Context *cx, Expr e, const Expr *children) {
  const Node *node = node_of(cx, e);
  if (node->op == OP_TABLE) return expr_table(cx, node_table(node), node_aspect(node), children[0]);
  if (node->op != OP_SUM && node->op != OP_PRODUCT)
    return op_is_function((Op)node->op) ? expr_function(cx, (Op)node->op, children) : e;
  Mark mark = arena_mark(&cx->scratch);
  Pair *pairs = arena_array(&cx->scratch, Pair, node->count);
  for (uint32_t i = 0; i < node->count; i++)
    pairs[i] = (Pair){children[i], pairs_of(node)[i].number};
  Expr result = node->op == OP_SUM ? expr_linear(cx, node->number, pairs, node->count)
                                   : expr_monomial(cx, node->number, pairs, node->count);
  arena_release(&cx->scratch, mark);
  return result;
}
