// Integration of sums of monomials and waves.
#include "derive/roads/integral.h"

#include "expr/algebra/expand.h"
#include "expr/build.h"
#include "expr/diff.h"

#define EXPAND_BUDGET 20000 // term operations

// cos(a x + b) -> sin(a x + b)/a and its like; 0 for other functions of x.
static Expr of_wave(Context *cx, Expr wave, Expr x) {
  Op op = op_of(cx, wave);
  if (op != OP_SIN && op != OP_COS) return 0;
  Expr angle = expr_child(cx, wave, 0), slope = expr_diff(cx, angle, x);
  if (expr_depends(cx, slope, x)) return 0;
  if (op == OP_COS) return expr_div(cx, expr_sin(cx, angle), slope);
  return expr_neg(cx, expr_div(cx, expr_cos(cx, angle), slope));
}

static Expr of_power(Context *cx, Expr x, Number exponent) {
  Number next = number_add(cx, exponent, NUMBER_ONE);
  if (next == NUMBER_ZERO) return 0;
  return expr_scale(cx, number_div(cx, NUMBER_ONE, next), expr_power(cx, x, next));
}

// At most one factor may contain x.
static Expr of_term(Context *cx, Expr term, Expr x) {
  if (!expr_depends(cx, term, x)) return expr_mul(cx, term, x);
  Expr one = expr_without_coefficient(cx, term), constant = expr_int(cx, 1), result = 0;
  bool is_product = op_of(cx, one) == OP_PRODUCT;
  uint32_t n = is_product ? node_of(cx, one)->count : 1;
  for (uint32_t i = 0; i < n; i++) {
    Pair factor = is_product ? pairs_of(node_of(cx, one))[i] : (Pair){one, NUMBER_ONE};
    if (!expr_depends(cx, factor.expr, x)) {
      constant = expr_mul(cx, constant, expr_power(cx, factor.expr, factor.number));
      continue;
    }
    if (result) return 0;
    if (factor.expr == x)
      result = of_power(cx, x, factor.number);
    else if (factor.number == NUMBER_ONE)
      result = of_wave(cx, factor.expr, x);
    if (!result) return 0;
  }
  return expr_scale(cx, expr_coefficient(cx, term), expr_mul(cx, constant, result));
}

Expr antiderivative(Context *cx, Expr e, Expr x) {
  e = expr_expand(cx, e, EXPAND_BUDGET);
  if (op_of(cx, e) != OP_SUM) return of_term(cx, e, x);
  Expr sum = expr_mul(cx, expr_number(cx, node_of(cx, e)->number), x);
  for (uint32_t i = 0; i < node_of(cx, e)->count; i++) {
    Pair pair = pairs_of(node_of(cx, e))[i];
    Expr part = of_term(cx, expr_scale(cx, pair.number, pair.expr), x);
    if (!part) return 0;
    sum = expr_add(cx, sum, part);
  }
  return sum;
}
