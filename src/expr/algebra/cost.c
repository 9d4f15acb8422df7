// The reader's effort.
#include "expr/algebra/cost.h"

#include "expr/define.h"
#include "expr/walk.h"

#define NAME 2.0
#define FUNCTION 2.0
#define MULTIPLE_ANGLE 5.0

static double of_child(const Costs *costs, Expr e) {
  return costs->at[memo_get(costs->index, e) - 1];
}

static double number_cost(Context *cx, Number a) {
  if (a == NUMBER_ONE || a == NUMBER_MINUS_ONE) return 0;
  int64_t n, d;
  if (!number_to_ratio(cx, a, &n, &d)) return 4;
  return 1 + (d != 1 && n != 1 && n != -1);
}

static double sum_cost(Context *cx, const Node *node, const Costs *costs) {
  double cost = node->count - 1;
  if (node->number != NUMBER_ZERO) cost += 2;
  for (uint32_t i = 0; i < node->count; i++) {
    Pair p = pairs_of(node)[i];
    cost += number_cost(cx, p.number) + of_child(costs, p.expr);
  }
  return cost;
}

static bool is_bracket(const Context *cx, Expr e) {
  if (expr_is_definition(cx, e) && !definition_name(cx, e)) e = definition_body(cx, e);
  return op_of(cx, e) == OP_SUM;
}

static double product_cost(Context *cx, const Node *node, const Costs *costs) {
  double cost = number_cost(cx, node->number);
  for (uint32_t i = 0; i < node->count; i++) {
    Pair p = pairs_of(node)[i];
    cost += of_child(costs, p.expr) + is_bracket(cx, p.expr);
    cost += number_cost(cx, p.number);
  }
  return cost;
}

// Does the angle contain a symbol's multiple, such as 2*x?
static bool has_multiple(const Context *cx, Expr angle) {
  const Node *node = node_of(cx, angle);
  if (node->op == OP_PRODUCT) return node->number != NUMBER_ONE;
  for (uint32_t i = 0; node->op == OP_SUM && i < node->count; i++) {
    Number n = pairs_of(node)[i].number;
    if (n != NUMBER_ONE && n != NUMBER_MINUS_ONE && pairs_of(node)[i].expr != cx->exprs->pi)
      return true;
  }
  return false;
}

double expr_node_cost(Context *cx, Expr e, const Costs *costs) {
  const Node *node = node_of(cx, e);
  switch (node->op) {
  case OP_NUMBER: return 1;
  case OP_UNDEFINED:
  case OP_PI:
  case OP_SYMBOL: return NAME;
  case OP_DEFINITION: return definition_name(cx, e) ? NAME : of_child(costs, node->args[0]);
  case OP_SUM: return sum_cost(cx, node, costs);
  case OP_PRODUCT: return product_cost(cx, node, costs);
  default: {
    double cost = FUNCTION;
    for (uint32_t i = 0; i < node->count; i++) cost += of_child(costs, node->args[i]);
    bool wave = node->op == OP_SIN || node->op == OP_COS || node->op == OP_TAN;
    return wave && has_multiple(cx, node->args[0]) ? cost + MULTIPLE_ANGLE : cost;
  }
  }
}

static Visit visit_written(const Context *cx, Expr e, void *unused) {
  (void)unused;
  return expr_is_definition(cx, e) && definition_name(cx, e) ? VISIT_LIST : VISIT_ENTER;
}

static double sum_of_definitions(Context *cx, const ExprList *list, const Costs *costs) {
  double sum = 0;
  for (uint32_t i = 0; i < list->n; i++) {
    Expr e = list->at[i];
    if (expr_is_definition(cx, e) && definition_name(cx, e) && !definition_order(cx, e))
      sum += of_child(costs, definition_body(cx, e)) + NAME + 1;
  }
  return sum;
}

static double cost_of(Context *cx, const Expr *roots, size_t n, VisitRule *rule, bool lets) {
  ExprList list = expr_walk(cx, roots, n, rule, NULL);
  double *at = arena_array(&cx->scratch, double, list.n);
  ExprMemo *index = memo_take(cx);
  Costs costs = {index, at};
  for (uint32_t i = 0; i < list.n; i++) {
    memo_set(cx, index, list.at[i], i + 1);
    at[i] = expr_node_cost(cx, list.at[i], &costs);
  }
  double cost = of_child(&costs, roots[0]);
  if (lets) cost += sum_of_definitions(cx, &list, &costs);
  memo_give(cx, index);
  return cost;
}

double expr_cost(Context *cx, Expr e) {
  Mark mark = arena_mark(&cx->scratch);
  double cost = cost_of(cx, &e, 1, visit_written, false);
  arena_release(&cx->scratch, mark);
  return cost;
}

// Into the lets, but not into their time derivatives: l' is understood where l is.
static Visit visit_lets(const Context *cx, Expr e, void *unused) {
  (void)unused;
  bool derivative = expr_is_definition(cx, e) && definition_order(cx, e) > 0;
  return derivative ? VISIT_LIST : VISIT_ENTER;
}

double expr_cost_with_definitions(Context *cx, Expr e) {
  Mark mark = arena_mark(&cx->scratch);
  ExprList roots = {0};
  vec_push(&cx->scratch, &roots, e);
  // The lets of derivatives count as if they were there themselves.
  ExprMemo *known = memo_take(cx);
  for (uint32_t before = 0; before < roots.n;) {
    before = roots.n;
    ExprList list = expr_walk(cx, roots.at, roots.n, visit_lets, NULL);
    for (uint32_t i = 0; i < list.n; i++) {
      if (!expr_is_definition(cx, list.at[i]) || !definition_order(cx, list.at[i])) continue;
      Expr let = definition_base(cx, list.at[i]);
      if (memo_get(known, let)) continue;
      memo_set(cx, known, let, 1);
      vec_push(&cx->scratch, &roots, let);
    }
  }
  memo_give(cx, known);
  double cost = cost_of(cx, roots.at, roots.n, visit_lets, true);
  arena_release(&cx->scratch, mark);
  return cost;
}
