// Conditions inside the equations: found, guarded, and locked while a step is made.
#include "sim/switches.h"

#include <math.h>

#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"

#define STATE_KINDS                                                                                \
  (KIND_BIT(SYMBOL_COORDINATE) | KIND_BIT(SYMBOL_VELOCITY) | KIND_BIT(SYMBOL_TIME) |               \
   KIND_BIT(SYMBOL_STATE) | KIND_BIT(SYMBOL_STATE_RATE))

Expr switch_guard(Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  switch (node->op) {
  case OP_ABS:
  case OP_SIGN:
  case OP_ATAN2: return node->args[0]; // of y, x: jumps by a turn where y changes its sign, x < 0
  case OP_MIN:
  case OP_MAX:
  case OP_LT:
  case OP_LE: return expr_sub(cx, node->args[0], node->args[1]);
  default: return 0;
  }
}

Expr expr_size_of_terms(Context *cx, Expr e) {
  while (expr_is_definition(cx, e)) e = definition_body(cx, e);
  if (op_of(cx, e) != OP_SUM) return expr_function1(cx, OP_ABS, e);
  const Node *node = node_of(cx, e);
  uint32_t count = node->count;
  Expr sum = expr_number(cx, number_abs(cx, node->number));
  for (uint32_t i = 0; i < count; i++) {
    Pair pair = pairs_of(node_of(cx, e))[i];
    Expr size = expr_scale(cx, number_abs(cx, pair.number), expr_size_of_terms(cx, pair.expr));
    sum = expr_add(cx, sum, size);
  }
  return sum;
}

ExprList system_acting_expressions(Context *cx, const System *s) {
  ExprList roots = {0};
  vec_push(&cx->scratch, &roots, s->T);
  vec_push(&cx->scratch, &roots, s->V);
  vec_push(&cx->scratch, &roots, s->R);
  for (uint32_t i = 0; i < s->n; i++) {
    vec_push(&cx->scratch, &roots, s->G[i]);
    vec_push(&cx->scratch, &roots, s->D[i]);
    vec_push(&cx->scratch, &roots, s->Q[i]);
  }
  for (uint32_t i = 0; i < s->states; i++) vec_push(&cx->scratch, &roots, s->rates[i]);
  for (uint32_t i = 0; i < s->row_count; i++) vec_push(&cx->scratch, &roots, s->rows[i].phi);
  for (uint32_t i = 0; i < s->contact_count; i++)
    vec_push(&cx->scratch, &roots, s->contacts[i].phi);
  return roots;
}

static int place_of(const ExprList *list, Expr e) {
  for (uint32_t i = 0; i < list->n; i++)
    if (list->at[i] == e) return (int)i;
  return -1;
}

static bool is_known(const Switches *switches, Context *cx, Expr guard) {
  return place_of(&switches->guards, guard) >= 0 ||
         place_of(&switches->guards, expr_neg(cx, guard)) >= 0;
}

// Powers that are not whole numbers, which need bases that are not negative.
static bool has_roots(Context *cx, const ExprList *all) {
  for (uint32_t i = 0; i < all->n; i++) {
    const Node *node = node_of(cx, all->at[i]);
    if (node->op == OP_POW) return true;
    for (uint32_t k = 0; node->op == OP_PRODUCT && k < node->count; k++)
      if (!number_is_integer(cx, pairs_of(node)[k].number)) return true;
  }
  return false;
}

// ---- Tables

// Inputs of a piece: its origin, its coefficients, and where it is watched, a and b of the guards
// a x - b: 1 and the knot; without a knot 0 and what keeps the guard on its side.
static uint32_t piece_input_count(const Context *cx, const TableUse *use) {
  return 2 + table_get(cx, use->table)->degree + (use->is_timed ? 0 : 4);
}

static bool is_linear_in_time(Context *cx, const System *s, Expr x) {
  uint32_t others = STATE_KINDS & ~KIND_BIT(SYMBOL_TIME);
  return !expr_has_kind(cx, x,
                        others | KIND_BIT(SYMBOL_ACCELERATION) | KIND_BIT(SYMBOL_MULTIPLIER)) &&
         !expr_has_kind(cx, expr_diff(cx, x, s->t), KIND_BIT(SYMBOL_TIME));
}

// Where time moves constraints, contacts or masses, a knot may make velocities jump: an event.
static bool time_moves_velocities(Context *cx, const System *s) {
  uint32_t time = KIND_BIT(SYMBOL_TIME);
  bool moves = expr_has_kind(cx, s->T, time);
  for (uint32_t i = 0; i < s->row_count; i++) moves |= expr_has_kind(cx, s->rows[i].phi, time);
  for (uint32_t i = 0; i < s->contact_count; i++)
    moves |= expr_has_kind(cx, s->contacts[i].phi, time);
  return moves;
}

static const TableUse *use_of(const Switches *switches, TableId table, Expr x) {
  for (uint32_t i = 0; i < switches->tables.n; i++)
    if (switches->tables.at[i].table == table && switches->tables.at[i].x == x)
      return &switches->tables.at[i];
  return NULL;
}

// True for the first of those that look the same up.
static bool add_table(Context *cx, const System *s, Expr e, Switches *out) {
  const Node *node = node_of(cx, e);
  TableUse use = {.table = node_table(node), .x = node->args[0]};
  if (use_of(out, use.table, use.x)) return false;
  use.is_timed = is_linear_in_time(cx, s, use.x) && !time_moves_velocities(cx, s);
  use.first_guard = out->guards.n;
  use.first_input = out->piece_inputs;
  out->piece_inputs += piece_input_count(cx, &use);
  if (!use.is_timed) {
    vec_push(&cx->scratch, &out->guards, expr_table(cx, use.table, TABLE_SINCE, use.x));
    vec_push(&cx->scratch, &out->guards, expr_table(cx, use.table, TABLE_UNTIL, use.x));
  }
  vec_push(&cx->scratch, &out->tables, use);
  return true;
}

// a x - b
static Slot watched(ProgramBuilder *b, Slot x, uint32_t input) {
  Slot product = program_mul(b, program_input(b, input), x);
  return program_sub(b, product, program_input(b, input + 1));
}

static void lock_knots(const TableUse *use, Flattener *f, Slot x, uint32_t first_piece) {
  if (use->is_timed) return;
  uint32_t at = first_piece + use->first_input + 2 + table_get(f->cx, use->table)->degree;
  Expr since = expr_table(f->cx, use->table, TABLE_SINCE, use->x);
  flatten_bind(f, since, watched(f->builder, x, at));
  Expr until = expr_table(f->cx, use->table, TABLE_UNTIL, use->x);
  flatten_bind(f, until, watched(f->builder, x, at + 2));
}

// The derivative of a polynomial in d, as table_value computes it.
static Slot derivative_of_piece(ProgramBuilder *b, uint32_t degree, uint32_t order, Slot d,
                                uint32_t first) {
  Slot value = NO_SLOT;
  for (uint32_t k = degree; k + 1 > order; k--) {
    double factor = 1;
    for (uint32_t i = 0; i < order; i++) factor *= k - i;
    Slot scale = program_constant(b, factor);
    Slot c = program_mul(b, scale, program_input(b, first + k));
    value = value == NO_SLOT ? c : program_add(b, c, program_mul(b, d, value));
    if (k == 0) break;
  }
  return value;
}

static void lock_table(const TableUse *use, Flattener *f, uint32_t first_piece) {
  ProgramBuilder *b = f->builder;
  uint32_t degree = table_get(f->cx, use->table)->degree, at = first_piece + use->first_input;
  Slot x = flatten_expr(f, use->x), d = program_sub(b, x, program_input(b, at));
  for (uint32_t order = 0; order <= degree; order++) {
    Expr aspect = expr_table(f->cx, use->table, (TableAspect)order, use->x);
    flatten_bind(f, aspect, derivative_of_piece(b, degree, order, d, at + 1));
  }
  lock_knots(use, f, x, first_piece);
}

// ---- All of them

// What measures look up bends at knots, too: steps end there, though it does not act.
static void add_measured_tables(Context *cx, const System *s, Switches *out) {
  const Requests *requests = &s->model->requests;
  uint32_t later = KIND_BIT(SYMBOL_ACCELERATION) | KIND_BIT(SYMBOL_MULTIPLIER);
  ExprList roots = {0};
  for (uint32_t i = 0; i < requests->reductions.n; i++) {
    const Reduction *r = &requests->reductions.at[i];
    if (r->value) vec_push(&cx->scratch, &roots, r->value);
    if (r->condition) vec_push(&cx->scratch, &roots, r->condition);
  }
  ExprList all = expr_walk(cx, roots.at, roots.n, visit_all, NULL);
  for (uint32_t i = 0; i < all.n; i++) {
    bool is_table = op_of(cx, all.at[i]) == OP_TABLE && expr_has_kind(cx, all.at[i], STATE_KINDS);
    if (is_table && !expr_has_kind(cx, all.at[i], later) && add_table(cx, s, all.at[i], out))
      vec_push(&cx->scratch, &out->atoms, all.at[i]);
  }
}

Switches system_switches(Context *cx, const System *s) {
  Switches switches = {0};
  ExprList roots = system_acting_expressions(cx, s);
  ExprList all = expr_walk(cx, roots.at, roots.n, visit_all, NULL);
  switches.has_roots = has_roots(cx, &all);
  for (uint32_t i = 0; i < all.n; i++) {
    bool is_table = op_of(cx, all.at[i]) == OP_TABLE && expr_has_kind(cx, all.at[i], STATE_KINDS);
    if (is_table && add_table(cx, s, all.at[i], &switches))
      vec_push(&cx->scratch, &switches.atoms, all.at[i]);
    Expr guard = switch_guard(cx, all.at[i]);
    if (!guard || !expr_has_kind(cx, guard, STATE_KINDS)) continue;
    vec_push(&cx->scratch, &switches.atoms, all.at[i]);
    if (!is_known(&switches, cx, guard)) vec_push(&cx->scratch, &switches.guards, guard);
  }
  if (table_count(cx) > 0) add_measured_tables(cx, s, &switches);
  return switches;
}

ExprList system_lookups(Context *cx, const System *s) {
  const Model *model = s->model;
  ExprList found = {0}, roots = {0};
  if (table_count(cx) == 0) return found;
  ExprList acting = system_switches(cx, s).atoms;
  for (uint32_t i = 0; i < model->outputs.n; i++)
    vec_push(&cx->scratch, &roots, model->outputs.at[i].value);
  for (uint32_t i = 0; i < model->members.n; i++)
    vec_push(&cx->scratch, &roots, model->members.at[i].value);
  for (uint32_t i = 0; i < model->assignments.n; i++)
    vec_push(&cx->scratch, &roots, model->assignments.at[i].value);
  for (uint32_t i = 0; i < model->occasions.n; i++)
    vec_push(&cx->scratch, &roots, model->occasions.at[i].function);
  for (uint32_t i = 0; i < model->requests.reductions.n; i++)
    if (model->requests.reductions.at[i].value)
      vec_push(&cx->scratch, &roots, model->requests.reductions.at[i].value);
  ExprList all = expr_walk(cx, roots.at, roots.n, visit_all, NULL);
  for (uint32_t i = 0; i < all.n; i++) {
    if (op_of(cx, all.at[i]) != OP_TABLE || place_of(&acting, all.at[i]) >= 0) continue;
    const TableData *table = table_get(cx, node_table(node_of(cx, all.at[i])));
    if (table->origin && table->period == 0) vec_push(&cx->scratch, &found, all.at[i]);
  }
  return found;
}

ExprList system_speed_denominators(Context *cx, const System *s) {
  ExprList found = {0}, roots = system_acting_expressions(cx, s);
  ExprList all = expr_walk(cx, roots.at, roots.n, visit_all, NULL);
  for (uint32_t i = 0; i < all.n; i++) {
    const Node *node = node_of(cx, all.at[i]);
    for (uint32_t k = 0; node->op == OP_PRODUCT && k < node->count; k++) {
      Pair pair = pairs_of(node)[k];
      if (number_sign(cx, pair.number) < 0 && place_of(&found, pair.expr) < 0 &&
          expr_has_kind(cx, pair.expr, KIND_BIT(SYMBOL_VELOCITY)))
        vec_push(&cx->scratch, &found, pair.expr);
    }
  }
  return found;
}

// The side of a guard, which may be the negative of the one that is watched.
static Slot side_of(const Switches *switches, Flattener *f, uint32_t first_side, Expr guard) {
  int place = place_of(&switches->guards, guard);
  if (place >= 0) return program_input(f->builder, first_side + (uint32_t)place);
  place = place_of(&switches->guards, expr_neg(f->cx, guard));
  return program_neg(f->builder, program_input(f->builder, first_side + (uint32_t)place));
}

// Half a turn of the side y was on, and atan(y/x).
Slot switch_locked_angle(Flattener *f, Slot side, Slot y, Slot x) {
  ProgramBuilder *b = f->builder;
  Slot zero = program_constant(b, 0);
  Slot is_left = program_op2(b, STEP_LT, x, zero);
  Slot half = program_mul(b, side, program_constant(b, M_PI));
  // beside the cut the angle to the negative axis is small, and without a cut of its own
  Slot rest = program_op2(b, STEP_ATAN2, program_neg(b, y), program_neg(b, x));
  return program_op3(b, STEP_SELECT, is_left, program_add(b, half, rest),
                     program_op2(b, STEP_ATAN2, y, x));
}

static Slot locked(const Switches *switches, Flattener *f, uint32_t first_side, Expr atom) {
  ProgramBuilder *b = f->builder;
  Op op = op_of(f->cx, atom);
  Slot side = side_of(switches, f, first_side, switch_guard(f->cx, atom));
  if (op == OP_SIGN) return side;
  Slot below = program_op2(b, STEP_LT, side, program_constant(b, 0));
  if (op == OP_LT || op == OP_LE) return below;
  Slot first = flatten_expr(f, expr_child(f->cx, atom, 0));
  if (op == OP_ABS) return program_mul(b, side, first);
  Slot second = flatten_expr(f, expr_child(f->cx, atom, 1));
  if (op == OP_ATAN2) return switch_locked_angle(f, side, first, second);
  return op == OP_MIN ? program_op3(b, STEP_SELECT, below, first, second)
                      : program_op3(b, STEP_SELECT, below, second, first);
}

// Is any guard on the other side than the one that is locked, or as good as zero?
static Slot any_beyond(const Switches *switches, Flattener *f, uint32_t first_side) {
  ProgramBuilder *b = f->builder;
  Slot any = NO_SLOT;
  for (uint32_t i = 0; i < switches->guards.n; i++) {
    Expr guard = switches->guards.at[i];
    Slot side = program_input(b, first_side + i);
    Slot value = program_mul(b, side, flatten_expr(f, guard));
    Slot size = flatten_expr(f, expr_size_of_terms(f->cx, guard));
    Slot least = program_mul(b, program_constant(b, 1e-13), size);
    Slot beyond = program_op2(b, STEP_LE, value, least);
    any = any == NO_SLOT ? beyond : program_op2(b, STEP_OR, any, beyond);
  }
  return any;
}

Expr switch_condition_of_slope(Context *cx, Expr atom) {
  switch (op_of(cx, atom)) {
  case OP_ABS: return expr_function1(cx, OP_SIGN, expr_child(cx, atom, 0));
  case OP_MIN:
  case OP_MAX: return expr_function2(cx, OP_LT, expr_child(cx, atom, 0), expr_child(cx, atom, 1));
  default: return 0;
  }
}

// A comparison of velocities where something sticks: its side is between -1 and 1, and it holds in
// part.
static Slot weight_of_side(Flattener *f, Slot side) {
  ProgramBuilder *b = f->builder;
  Slot half = program_constant(b, 0.5);
  return program_sub(b, half, program_mul(b, half, side));
}

static void lock(const Switches *switches, Flattener *f, uint32_t first_side, Expr atom) {
  Op op = op_of(f->cx, atom);
  Expr guard = switch_guard(f->cx, atom);
  if ((op == OP_LT || op == OP_LE) && expr_has_kind(f->cx, guard, KIND_BIT(SYMBOL_VELOCITY)))
    flatten_bind_weight(f, atom, weight_of_side(f, side_of(switches, f, first_side, guard)));
  else
    flatten_bind(f, atom, locked(switches, f, first_side, atom));
}

void switches_lock(const Switches *switches, Flattener *f, uint32_t first_side,
                   uint32_t first_piece) {
  for (uint32_t i = 0; i < switches->atoms.n; i++) {
    Expr atom = switches->atoms.at[i];
    const Node *node = node_of(f->cx, atom);
    if (node->op == OP_TABLE) {
      lock_table(use_of(switches, node_table(node), node->args[0]), f, first_piece);
      continue;
    }
    Expr slope = switch_condition_of_slope(f->cx, atom);
    lock(switches, f, first_side, atom);
    Expr guard = slope ? switch_guard(f->cx, slope) : 0;
    if (guard && is_known(switches, f->cx, guard)) lock(switches, f, first_side, slope);
  }
  if (switches->has_roots) f->beyond = any_beyond(switches, f, first_side);
}

void switches_lock_knots(const Switches *switches, Flattener *f, uint32_t first_piece) {
  for (uint32_t i = 0; i < switches->tables.n; i++) {
    const TableUse *use = &switches->tables.at[i];
    if (!use->is_timed) lock_knots(use, f, flatten_expr(f, use->x), first_piece);
  }
}
