// The switches inside measures: found, and locked to the signs of their guards.
#include "sim/signals.h"

#include "expr/build.h"
#include "sim/slides.h"
#include "sim/switches.h"

#define MOVING_KINDS                                                                               \
  (KIND_BIT(SYMBOL_COORDINATE) | KIND_BIT(SYMBOL_VELOCITY) | KIND_BIT(SYMBOL_TIME) |               \
   KIND_BIT(SYMBOL_ACCELERATION) | KIND_BIT(SYMBOL_MULTIPLIER) | KIND_BIT(SYMBOL_STATE) |          \
   KIND_BIT(SYMBOL_STATE_RATE))

static Expr guard_of(Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  switch (node->op) {
  case OP_ABS:
  case OP_SIGN:
  case OP_ATAN2: return node->args[0];
  case OP_MIN:
  case OP_MAX:
  case OP_LT:
  case OP_LE:
  case OP_EQ: return expr_sub(cx, node->args[0], node->args[1]);
  default: return 0;
  }
}

static int place_of(const ExprList *list, Expr e) {
  for (uint32_t i = 0; i < list->n; i++)
    if (list->at[i] == e) return (int)i;
  return -1;
}

static ExprList signal_expressions(Context *cx, const System *s) {
  ExprList roots = {0};
  const Requests *requests = &s->model->requests;
  for (uint32_t i = 0; i < requests->reductions.n; i++) {
    const Reduction *r = &requests->reductions.at[i];
    if (r->value) vec_push(&cx->scratch, &roots, r->value);
    if (r->condition) vec_push(&cx->scratch, &roots, r->condition);
  }
  return roots;
}

SignalSwitches signal_switches(Context *cx, const System *s) {
  SignalSwitches found = {0};
  ExprList roots = signal_expressions(cx, s);
  if (roots.n == 0) return found;
  ExprList acting = system_switches(cx, s).atoms;
  ExprList all = expr_walk(cx, roots.at, roots.n, visit_all, NULL);
  for (uint32_t i = 0; i < all.n; i++) {
    Expr guard = guard_of(cx, all.at[i]);
    if (!guard || !expr_has_kind(cx, guard, MOVING_KINDS) || place_of(&acting, all.at[i]) >= 0)
      continue;
    vec_push(&cx->scratch, &found.atoms, all.at[i]);
    if (place_of(&found.guards, guard) < 0 && place_of(&found.guards, expr_neg(cx, guard)) < 0)
      vec_push(&cx->scratch, &found.guards, guard);
  }
  return found;
}

static bool need_forces(Context *cx, const System *s) {
  Mark mark = arena_mark(&cx->scratch);
  ExprList roots = signal_expressions(cx, s);
  bool any = false;
  for (uint32_t i = 0; i < roots.n; i++)
    any |=
        expr_has_kind(cx, roots.at[i], KIND_BIT(SYMBOL_ACCELERATION) | KIND_BIT(SYMBOL_MULTIPLIER));
  arena_release(&cx->scratch, mark);
  return any;
}

static bool show_switches(Context *cx, const System *s) {
  Mark mark = arena_mark(&cx->scratch);
  ExprList roots = signal_expressions(cx, s), acting = system_switches(cx, s).atoms;
  ExprList all = expr_walk(cx, roots.at, roots.n, visit_all, NULL);
  bool any = false;
  for (uint32_t i = 0; i < all.n && acting.n > 0; i++) any |= place_of(&acting, all.at[i]) >= 0;
  // v/norm(v) of friction in a plane holds in the same way
  bool slides = system_slides(cx, s).all.n > 0;
  for (uint32_t i = 0; i < roots.n && slides; i++)
    any |= expr_has_kind(cx, roots.at[i], KIND_BIT(SYMBOL_VELOCITY));
  arena_release(&cx->scratch, mark);
  return any;
}

SignalNeeds signal_needs(Context *cx, const System *s) {
  return (SignalNeeds){need_forces(cx, s), show_switches(cx, s)};
}

static Slot sign_of(const SignalSwitches *switches, Flattener *f, uint32_t first, Expr guard) {
  int place = place_of(&switches->guards, guard);
  if (place >= 0) return program_input(f->builder, first + (uint32_t)place);
  place = place_of(&switches->guards, expr_neg(f->cx, guard));
  return program_neg(f->builder, program_input(f->builder, first + (uint32_t)place));
}

static Slot locked(Flattener *f, Expr atom, Slot sign) {
  ProgramBuilder *b = f->builder;
  Op op = op_of(f->cx, atom);
  Slot zero = program_constant(b, 0);
  if (op == OP_SIGN) return sign;
  if (op == OP_LE) return program_op2(b, STEP_LE, sign, zero);
  if (op == OP_EQ) return program_op2(b, STEP_EQ, sign, zero);
  Slot below = program_op2(b, STEP_LT, sign, zero);
  if (op == OP_LT) return below;
  Slot first = flatten_expr(f, expr_child(f->cx, atom, 0));
  if (op == OP_ABS) return program_mul(b, sign, first);
  Slot second = flatten_expr(f, expr_child(f->cx, atom, 1));
  if (op == OP_ATAN2) {
    Slot minus = program_constant(b, -1), plus = program_constant(b, 1);
    Slot side = program_op3(b, STEP_SELECT, below, minus, plus);
    return switch_locked_angle(f, side, first, second);
  }
  return op == OP_MIN ? program_op3(b, STEP_SELECT, below, first, second)
                      : program_op3(b, STEP_SELECT, below, second, first);
}

void signals_lock(const SignalSwitches *switches, Flattener *f, uint32_t first_sign) {
  for (uint32_t i = 0; i < switches->atoms.n; i++) {
    Expr atom = switches->atoms.at[i];
    Slot sign = sign_of(switches, f, first_sign, guard_of(f->cx, atom));
    flatten_bind(f, atom, locked(f, atom, sign));
  }
}

void signals_lock_slopes(const SignalSwitches *switches, Flattener *f, uint32_t first_sign) {
  for (uint32_t i = 0; i < switches->atoms.n; i++) {
    Expr slope = switch_condition_of_slope(f->cx, switches->atoms.at[i]);
    Expr guard = slope ? guard_of(f->cx, slope) : 0;
    bool is_known = guard && (place_of(&switches->guards, guard) >= 0 ||
                              place_of(&switches->guards, expr_neg(f->cx, guard)) >= 0);
    if (is_known) flatten_bind(f, slope, locked(f, slope, sign_of(switches, f, first_sign, guard)));
  }
}
