// Evaluation of the graph, children first.
#include "expr/value/eval.h"

#include <math.h>

#include "expr/define.h"
#include "expr/walk.h"

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
      product *= power_value(value_of(values, p[i].expr), number_to_double(cx, p[i].number));
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
