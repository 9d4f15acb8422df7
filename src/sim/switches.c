// Conditions inside the equations: found, guarded, and locked while a step is made.
#include "sim/switches.h"

#include "expr/build.h"

#define STATE_KINDS                                                                                \
  (KIND_BIT(SYMBOL_COORDINATE) | KIND_BIT(SYMBOL_VELOCITY) | KIND_BIT(SYMBOL_TIME))

// What an atom compares with zero; 0 for what is no atom.
static Expr guard_of(Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  switch (node->op) {
  case OP_ABS:
  case OP_SIGN: return node->args[0];
  case OP_MIN:
  case OP_MAX:
  case OP_LT:
  case OP_LE: return expr_sub(cx, node->args[0], node->args[1]);
  default: return 0;
  }
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

Switches system_switches(Context *cx, const System *s) {
  Switches switches = {0};
  ExprList roots = system_acting_expressions(cx, s);
  ExprList all = expr_walk(cx, roots.at, roots.n, visit_all, NULL);
  for (uint32_t i = 0; i < all.n; i++) {
    Expr guard = guard_of(cx, all.at[i]);
    if (!guard || !expr_has_kind(cx, guard, STATE_KINDS)) continue;
    vec_push(&cx->scratch, &switches.atoms, all.at[i]);
    bool known = place_of(&switches.guards, guard) >= 0 ||
                 place_of(&switches.guards, expr_neg(cx, guard)) >= 0;
    if (!known) vec_push(&cx->scratch, &switches.guards, guard);
  }
  return switches;
}

// The side of a guard, which may be the negative of the one that is watched.
static Slot side_of(const Switches *switches, Flattener *f, uint32_t first_side, Expr guard) {
  int place = place_of(&switches->guards, guard);
  if (place >= 0) return program_input(f->builder, first_side + (uint32_t)place);
  place = place_of(&switches->guards, expr_neg(f->cx, guard));
  return program_neg(f->builder, program_input(f->builder, first_side + (uint32_t)place));
}

static Slot locked(const Switches *switches, Flattener *f, uint32_t first_side, Expr atom) {
  ProgramBuilder *b = f->builder;
  Op op = op_of(f->cx, atom);
  Slot side = side_of(switches, f, first_side, guard_of(f->cx, atom));
  if (op == OP_SIGN) return side;
  Slot below = program_op2(b, STEP_LT, side, program_constant(b, 0));
  if (op == OP_LT || op == OP_LE) return below;
  Slot first = flatten_expr(f, expr_child(f->cx, atom, 0));
  if (op == OP_ABS) return program_mul(b, side, first);
  Slot second = flatten_expr(f, expr_child(f->cx, atom, 1));
  return op == OP_MIN ? program_op3(b, STEP_SELECT, below, first, second)
                      : program_op3(b, STEP_SELECT, below, second, first);
}

void switches_lock(const Switches *switches, Flattener *f, uint32_t first_side) {
  for (uint32_t i = 0; i < switches->atoms.n; i++)
    flatten_bind(f, switches->atoms.at[i], locked(switches, f, first_side, switches->atoms.at[i]));
}
