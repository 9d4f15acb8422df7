// What springs and drives do, in the poses of their bodies.
#include "base/text.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/plane.h"
#include "model/mechanism.h"
#include "model/part_name.h"

Expr spring_length(Context *cx, const Mechanism *m, const Spring *s) {
  if (s->is_torsional) {
    Expr first = body_angle(cx, m, s->first.body);
    return expr_sub(cx, body_angle(cx, m, s->second.body), first);
  }
  Expr a[2], b[2];
  anchor_point(cx, m, &s->first, a);
  anchor_point(cx, m, &s->second, b);
  return plane_distance(cx, a, b);
}

Expr spring_force(Context *cx, const Mechanism *m, const Spring *s) {
  Expr length = spring_length(cx, m, s), force = s->preload ? s->preload : expr_int(cx, 0);
  Expr stretch = s->length ? expr_sub(cx, length, s->length) : length;
  if (s->stiffness) force = expr_add(cx, force, expr_mul(cx, s->stiffness, stretch));
  if (s->damping)
    force = expr_add(cx, force, expr_mul(cx, s->damping, expr_time_derivative(cx, length)));
  return force;
}

Expr spring_power(Context *cx, const Mechanism *m, const Spring *s) {
  Expr rate = expr_time_derivative(cx, spring_length(cx, m, s));
  return expr_neg(cx, expr_mul(cx, spring_force(cx, m, s), rate));
}

const char *multiplier_text(const Context *cx, Arena *arena, Symbol row) {
  const char *name = symbol_text(cx, row);
  size_t prefix = part_prefix_length(cx, name);
  return text_format(arena, "%.*s" MULTIPLIER_PREFIX "%s", (int)prefix, name, name + prefix);
}

Symbol row_multiplier(Context *cx, Symbol row) {
  return symbol_from_text(cx, multiplier_text(cx, &cx->keep, row));
}

Expr joint_drive(Context *cx, const Mechanism *m, uint32_t number) {
  Expr drive = expr_int(cx, 0);
  for (uint32_t i = 0; i < m->motors.n; i++) {
    const Motor *motor = &m->motors.at[i];
    if (motor->joint != number) continue;
    Symbol multiplier = row_multiplier(cx, motor->name);
    Expr force = motor->is_speed ? expr_neg(cx, expr_symbol(cx, SYMBOL_MULTIPLIER, multiplier))
                                 : motor->value;
    drive = expr_add(cx, drive, force);
  }
  return drive;
}

Expr joint_power(Context *cx, const Mechanism *m, uint32_t number) {
  const Joint *joint = &m->joints.at[number];
  Expr rate = expr_time_derivative(cx, joint_motion(cx, m, joint));
  Expr drive = joint_drive(cx, m, number);
  if (joint->friction) drive = expr_sub(cx, drive, expr_mul(cx, joint->friction, rate));
  Expr power = expr_mul(cx, drive, rate);
  if (!joint->mu) return power;
  Expr slip = expr_time_derivative(cx, joint_slip(cx, m, joint));
  return expr_add(cx, power, expr_mul(cx, joint->rub, slip));
}
