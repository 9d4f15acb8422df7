// Where a function switches just at a point.
#include "analyse/linear/switching_point.h"

#include <math.h>

#include "analyse/equilibrium/operating_point.h"
#include "expr/build.h"
#include "expr/value/eval.h"
#include "expr/value/tape_build.h"
#include "expr/walk.h"

#define MOST_KINKS 6
#define ON_SWITCH 1e-11 // of the numbers that its argument is made of

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

// What vanishes at the switch; 0 for functions that have none.
static Expr guard_of(Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  switch (node->op) {
  case OP_ABS:
  case OP_SIGN:
  case OP_TABLE: return node->args[0];
  case OP_MIN:
  case OP_MAX:
  case OP_LT:
  case OP_LE: return expr_sub(cx, node->args[0], node->args[1]);
  default: return 0;
  }
}

// How large the guards are, whatever is left of them where coordinates happen to be zero.
static double *sizes_of(Balance *b, const ExprList *guards) {
  Context *cx = b->cx;
  const double *scale = operating_point_scales(b, &cx->scratch);
  double *floors = arena_array(&cx->scratch, double, cx->exprs->symbols.n + 1);
  double *sizes = arena_array(&cx->scratch, double, guards->n);
  for (uint32_t i = 0; i < b->n; i++) floors[symbol_variable(cx, b->system->q[i])] = scale[i];
  const Tape *tape = tape_new(cx, &b->arena, guards->at, guards->n);
  double *room = arena_array(&cx->scratch, double, tape_sizes_room(tape));
  tape_sizes(tape, b->values, floors, room, sizes);
  return sizes;
}

Kinks kinks_at(Balance *b) {
  Context *cx = b->cx;
  Kinks kinks = {0};
  ExprList roots = {0}, functions = {0}, guards = {0};
  Mark mark = arena_mark(&cx->scratch);
  add_roots(cx, b->system, &roots);
  ExprList all = expr_walk(cx, roots.at, roots.n, visit_all, NULL);
  for (uint32_t i = 0; i < all.n; i++) {
    Expr guard = guard_of(cx, all.at[i]);
    if (!guard) continue;
    vec_push(&cx->scratch, &functions, all.at[i]);
    vec_push(&cx->scratch, &guards, guard);
  }
  const double *sizes = guards.n > 0 ? sizes_of(b, &guards) : NULL;
  for (uint32_t i = 0; i < functions.n && kinks.n < MOST_KINKS; i++) {
    double distance = distance_from_switch(cx, functions.at[i], b->values);
    if (!(fabs(distance) <= ON_SWITCH * sizes[i])) continue;
    Kink kink = {functions.at[i], expr_eval(cx, functions.at[i], b->values) != 0};
    vec_push(cx->results, &kinks, kink);
  }
  arena_release(&cx->scratch, mark);
  return kinks;
}
