// Where a function switches just at a point.
#include "analyse/linear/switching_point.h"

#include <math.h>

#include "expr/value/eval.h"
#include "expr/walk.h"

#define MOST_KINKS 6
#define AT_ZERO 1e-12 // SI units: so near to its switch a function is on it

// How far the function is from its switch; NaN for those that have none.
static double distance_from_switch(Context *cx, Expr e, const double *values) {
  const Node *node = node_of(cx, e);
  switch (node->op) {
  case OP_ABS:
  case OP_SIGN: return expr_eval(cx, node->args[0], values);
  case OP_MIN:
  case OP_MAX:
  case OP_LT:
  case OP_LE: {
    Expr a = node->args[0], b = node->args[1];
    return expr_eval(cx, a, values) - expr_eval(cx, b, values);
  }
  case OP_TABLE: {
    const TableData *table = table_get(cx, node_table(node));
    double x = expr_eval(cx, node->args[0], values);
    double since = table_value(table, TABLE_SINCE, x), until = table_value(table, TABLE_UNTIL, x);
    return since < -until ? since : until;
  }
  default: return NAN;
  }
}

static void add_roots(Context *cx, const System *s, ExprList *roots) {
  Arena *arena = &cx->scratch;
  if (s->T) vec_push(arena, roots, s->T);
  if (s->V) vec_push(arena, roots, s->V);
  if (s->R) vec_push(arena, roots, s->R);
  for (uint32_t i = 0; i < s->n; i++) vec_push(arena, roots, s->Q[i]);
  for (uint32_t i = 0; i < s->row_count; i++) vec_push(arena, roots, s->rows[i].phi);
}

Kinks kinks_at(Context *cx, const System *system, const double *values) {
  Kinks kinks = {0};
  ExprList roots = {0};
  Mark mark = arena_mark(&cx->scratch);
  add_roots(cx, system, &roots);
  ExprList all = expr_walk(cx, roots.at, roots.n, visit_all, NULL);
  for (uint32_t i = 0; i < all.n && kinks.n < MOST_KINKS; i++) {
    if (!(fabs(distance_from_switch(cx, all.at[i], values)) <= AT_ZERO)) continue;
    Kink kink = {all.at[i], expr_eval(cx, all.at[i], values) != 0};
    vec_push(&cx->keep, &kinks, kink);
  }
  arena_release(&cx->scratch, mark);
  return kinks;
}
