// The graph laid out on a tape: children first, numbers converted.
#include "expr/value/tape_build.h"

#include <math.h>

#include "expr/walk.h"

typedef struct Laying {
  Context *cx;
  const ExprMemo *places; // 1 + the step of an expression
  TapeStep *steps;
  uint32_t *args;
  double *numbers;
  VEC(TableId) tables;
  uint32_t arg_count;
} Laying;

static double constant_of(const Context *cx, const Node *node) {
  switch (node->op) {
  case OP_NUMBER:
  case OP_SUM:
  case OP_PRODUCT: return number_to_double(cx, node->number);
  case OP_PI: return M_PI;
  default: return NAN;
  }
}

static bool is_of_pairs(const Node *node) { return node->op == OP_SUM || node->op == OP_PRODUCT; }

static uint32_t arg_count(const Node *node) {
  if (node->op == OP_DEFINITION) return 1;
  return is_of_pairs(node) || op_is_function((Op)node->op) ? node->count : 0;
}

static uint32_t table_place(Laying *l, TableId table) {
  uint32_t i = 0;
  while (i < l->tables.n && l->tables.at[i] != table) i++;
  if (i == l->tables.n) vec_push(&l->cx->scratch, &l->tables, table);
  return i;
}

static TapeStep step_of(Laying *l, Expr e) {
  const Node *node = node_of(l->cx, e);
  TapeStep s = {.op = (Op)node->op,
                .number = constant_of(l->cx, node),
                .first = l->arg_count,
                .count = arg_count(node)};
  if (s.op == OP_SYMBOL) s.variable = symbol_variable(l->cx, e);
  if (s.op == OP_TABLE) s.table = table_place(l, node_table(node)), s.aspect = node_aspect(node);
  for (uint32_t i = 0; i < s.count; i++) {
    Expr arg = is_of_pairs(node) ? pairs_of(node)[i].expr : node->args[i];
    l->args[l->arg_count] = memo_get(l->places, arg) - 1;
    if (is_of_pairs(node))
      l->numbers[l->arg_count] = number_to_double(l->cx, pairs_of(node)[i].number);
    l->arg_count++;
  }
  return s;
}

static void find_twins(Laying *l, uint32_t n) {
  uint32_t *single = arena_array(&l->cx->scratch, uint32_t, n); // by argument; 0 for none
  for (uint32_t i = 0; i < n; i++) {
    TapeStep *s = &l->steps[i];
    if (s->op != OP_SIN && s->op != OP_COS) continue;
    uint32_t arg = l->args[s->first], other = single[arg];
    bool are_twins = other > 0 && l->steps[other].op != s->op;
    if (are_twins) s->twin = other, l->steps[other].twin = i;
    single[arg] = are_twins ? 0 : i;
  }
}

static const TableData *const *tables_of(const Laying *l, Arena *arena) {
  const TableData **tables = arena_array(arena, const TableData *, l->tables.n);
  for (uint32_t i = 0; i < l->tables.n; i++) tables[i] = table_get(l->cx, l->tables.at[i]);
  return tables;
}

const Tape *tape_new(Context *cx, Arena *arena, const Expr *roots, uint32_t n) {
  Mark mark = arena_mark(&cx->scratch);
  ExprList all = expr_walk(cx, roots, n, visit_all, NULL);
  ExprMemo *places = memo_take(cx);
  uint32_t args = 0, *ends = arena_array(arena, uint32_t, n);
  for (uint32_t i = 0; i < all.n; i++) args += arg_count(node_of(cx, all.at[i]));
  Laying l = {.cx = cx,
              .places = places,
              .steps = arena_array(arena, TapeStep, all.n),
              .args = arena_array(arena, uint32_t, args),
              .numbers = arena_array(arena, double, args)};
  for (uint32_t i = 0; i < all.n; i++) {
    l.steps[i] = step_of(&l, all.at[i]);
    memo_set(cx, places, all.at[i], i + 1);
  }
  find_twins(&l, all.n);
  for (uint32_t i = 0; i < n; i++) ends[i] = memo_get(places, roots[i]) - 1;
  memo_give(cx, places);
  Tape *tape = arena_new(arena, Tape);
  *tape = (Tape){.n = all.n,
                 .arg_count = args,
                 .table_count = l.tables.n,
                 .root_count = n,
                 .steps = l.steps,
                 .args = l.args,
                 .numbers = l.numbers,
                 .roots = ends,
                 .tables = tables_of(&l, arena)};
  arena_release(&cx->scratch, mark);
  return tape;
}
