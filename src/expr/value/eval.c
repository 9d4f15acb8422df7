// Evaluation of the graph, children first.
#include "expr/value/eval.h"

#include <assert.h>
#include <math.h>

#include "expr/define.h"
#include "expr/walk.h"
#include "program/elementary.h"

double op_value(Op op, const double *a) {
  switch (op) {
  case OP_SIN: return elementary_sin(a[0]);
  case OP_COS: return elementary_cos(a[0]);
  case OP_TAN: return elementary_tan(a[0]);
  case OP_ASIN: return elementary_asin(a[0]);
  case OP_ACOS: return elementary_acos(a[0]);
  case OP_ATAN: return elementary_atan(a[0]);
  case OP_SINH: return elementary_sinh(a[0]);
  case OP_COSH: return elementary_cosh(a[0]);
  case OP_TANH: return elementary_tanh(a[0]);
  case OP_EXP: return elementary_exp(a[0]);
  case OP_LOG: return elementary_log(a[0]);
  case OP_ATAN2: return elementary_atan2(a[0], a[1]);
  case OP_POW: return elementary_pow(a[0], a[1]);
  case OP_ABS: return fabs(a[0]);
  case OP_SIGN: return a[0] > 0 ? 1 : a[0] < 0 ? -1 : a[0];
  case OP_MIN: return a[0] < a[1] ? a[0] : a[1];
  case OP_MAX: return a[0] < a[1] ? a[1] : a[0];
  case OP_IF: return a[0] != 0 ? a[1] : a[2];
  case OP_LT: return a[0] < a[1];
  case OP_LE: return a[0] <= a[1];
  case OP_EQ: return a[0] == a[1];
  case OP_AND: return a[0] != 0 && a[1] != 0;
  case OP_OR: return a[0] != 0 || a[1] != 0;
  case OP_NOT: return a[0] == 0;
  default: assert(!"not a function"); return NAN;
  }
}

double op_slope(Op op, double a, double value) {
  switch (op) {
  case OP_SIN:
  case OP_COS:
  case OP_ATAN:
  case OP_TANH:
  case OP_ABS: return 1;
  case OP_TAN: return 1 + value * value;
  case OP_ASIN:
  case OP_ACOS: return 1 / sqrt(1 - a * a);
  case OP_SINH: return elementary_cosh(a);
  case OP_COSH: return fabs(elementary_sinh(a));
  case OP_EXP: return value;
  case OP_LOG: return 1 / fabs(a);
  default: assert(!"its slope is not known"); return INFINITY;
  }
}

double power_value(Context *cx, double base, Number exponent) {
  int64_t n;
  if (exponent == NUMBER_HALF) return sqrt(base);
  if (!number_to_int(cx, exponent, &n) || n > 64 || n < -64)
    return elementary_pow(base, number_to_double(cx, exponent));
  double result = 1;
  for (int64_t i = n < 0 ? -n : n; i; i /= 2, base *= base)
    if (i % 2) result *= base;
  return n < 0 ? 1 / result : result;
}

typedef struct Values {
  const ExprMemo *index;
  const double *value;
} Values;

static double value_of(const Values *values, Expr e) {
  return values->value[memo_get(values->index, e) - 1];
}

static double evaluate_node(Context *cx, Expr e, const Values *values, const double *symbols) {
  const Node *node = node_of(cx, e);
  const Pair *p = pairs_of(node);
  switch (node->op) {
  case OP_UNDEFINED: return NAN;
  case OP_NUMBER: return number_to_double(cx, node->number);
  case OP_PI: return M_PI;
  case OP_SYMBOL: return symbols[node->args[2]];
  case OP_DEFINITION: return value_of(values, node->args[0]);
  case OP_SUM: {
    double sum = number_to_double(cx, node->number);
    for (uint32_t i = 0; i < node->count; i++)
      sum += number_to_double(cx, p[i].number) * value_of(values, p[i].expr);
    return sum;
  }
  case OP_PRODUCT: {
    double product = number_to_double(cx, node->number);
    for (uint32_t i = 0; i < node->count; i++)
      product *= power_value(cx, value_of(values, p[i].expr), p[i].number);
    return product;
  }
  case OP_TABLE:
    return table_value(table_get(cx, node_table(node)), node_aspect(node),
                       value_of(values, node->args[0]));
  default: {
    double args[3];
    for (uint32_t i = 0; i < node->count; i++) args[i] = value_of(values, node->args[i]);
    return op_value((Op)node->op, args);
  }
  }
}

void expr_eval_many(Context *cx, const Expr *roots, size_t n, const double *symbols, double *out) {
  Mark mark = arena_mark(&cx->scratch);
  ExprList list = expr_walk(cx, roots, n, visit_all, NULL);
  double *value = arena_array(&cx->scratch, double, list.n);
  ExprMemo *index = memo_take(cx);
  Values values = {index, value};
  for (uint32_t i = 0; i < list.n; i++) {
    memo_set(cx, index, list.at[i], i + 1);
    value[i] = evaluate_node(cx, list.at[i], &values, symbols);
  }
  for (size_t i = 0; i < n; i++) out[i] = value_of(&values, roots[i]);
  memo_give(cx, index);
  arena_release(&cx->scratch, mark);
}

double expr_eval(Context *cx, Expr e, const double *values) {
  double result;
  expr_eval_many(cx, &e, 1, values, &result);
  return result;
}
