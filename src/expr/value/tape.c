// Expressions laid out for evaluations of another kind than by doubles.
#include "expr/value/tape.h"

#include <math.h>

#include "expr/walk.h"

static double constant_of(Context *cx, const Node *node) {
  switch (node->op) {
  case OP_NUMBER:
  case OP_SUM:
  case OP_PRODUCT: return number_to_double(cx, node->number);
  case OP_PI: return M_PI;
  default: return NAN;
  }
}

static TapeStep step_of(Context *cx, Arena *arena, Expr e, const ExprMemo *places) {
  const Node *node = node_of(cx, e);
  bool in_pairs = node->op == OP_SUM || node->op == OP_PRODUCT;
  TapeStep s = {.op = (Op)node->op, .expr = e, .number = constant_of(cx, node)};
  if (node->op == OP_SYMBOL) s.variable = symbol_variable(cx, e);
  if (node->op == OP_DEFINITION) s.count = 1;
  if (node->op == OP_TABLE) s.table = table_get(cx, node_table(node)), s.aspect = node_aspect(node);
  if (in_pairs || op_is_function((Op)node->op)) s.count = node->count;
  uint32_t *args = arena_array(arena, uint32_t, s.count);
  double *numbers = arena_array(arena, double, s.count);
  for (uint32_t i = 0; i < s.count; i++) {
    args[i] = memo_get(places, in_pairs ? pairs_of(node)[i].expr : node->args[i]) - 1;
    if (in_pairs) numbers[i] = number_to_double(cx, pairs_of(node)[i].number);
  }
  s.args = args;
  s.numbers = numbers;
  return s;
}

Tape tape_new(Context *cx, Arena *arena, const Expr *roots, uint32_t n) {
  Mark mark = arena_mark(&cx->scratch);
  ExprList all = expr_walk(cx, roots, n, visit_all, NULL);
  ExprMemo *places = memo_take(cx);
  TapeStep *steps = arena_array(arena, TapeStep, all.n);
  uint32_t *ends = arena_array(arena, uint32_t, n);
  for (uint32_t i = 0; i < all.n; i++) {
    steps[i] = step_of(cx, arena, all.at[i], places);
    memo_set(cx, places, all.at[i], i + 1);
  }
  for (uint32_t i = 0; i < n; i++) ends[i] = memo_get(places, roots[i]) - 1;
  memo_give(cx, places);
  arena_release(&cx->scratch, mark);
  return (Tape){.steps = steps, .n = all.n, .root_count = n, .roots = ends};
}
