// What joints have beside their equations: stops at both ends of their motion, and the tension of a
// belt.
#include "expr/plane.h"
#include "lang/lower/property.h"

#define BIT(kind) KIND_BIT(SYMBOL_##kind)

static const Rules rules = {~BIT(PARAMETER), "the description of a part"};

// A contact of a joint A: A_low or A_high.
static bool add_stop(Lowering *l, const Statement *s, const Joint *j, const char *end, Expr phi,
                     Expr restitution) {
  const char *text = text_format(l->arena, "%s_%s", symbol_text(l->cx, j->name), end);
  Symbol name = symbol_from_text(l->cx, text), multiplier = row_multiplier(l->cx, name);
  Model *model = l->model;
  if (!define_multiplier(l, name, multiplier, &s->items.at[0], NAME_CONTACT_FORCE,
                         model->contacts.n))
    return false;
  int turns = joint_leaves(j, LEAVES_TURN);
  Contact stop = {.name = name,
                  .multiplier = expr_symbol(l->cx, SYMBOL_MULTIPLIER, multiplier),
                  .phi = phi,
                  .measure = measure_of(l, form_known(dimension_base(1, 1 + turns, -2)), NULL),
                  .restitution = restitution,
                  .span = j->span,
                  .condition = j->span};
  vec_push(&l->cx->keep, &model->contacts, stop);
  return true;
}

bool lower_stops(Lowering *l, const Statement *s, const Joint *j) {
  Context *cx = l->cx;
  const Clause *stops = property_find(l, s, "stops"), *strikes = property_find(l, s, "restitution");
  if (!stops && strikes) {
    if (lower_error(l, QDOT_BAD_MODEL, strikes->span, "'restitution' belongs to stops"))
      diag_label(cx, "add ', stops (a, b)', or leave this out");
    return false;
  }
  if (!stops) return true;
  Value ends = lower_ruled(l, stops->value, &rules);
  Expr restitution = lower_restitution(l, s);
  if (!has_value(ends) || !restitution) return false;
  if (ends.n != 2) {
    if (lower_error(l, QDOT_BAD_VALUE, stops->value->span, "a joint has two stops"))
      diag_label(cx, "write (a, b), the ends of its motion");
    return false;
  }
  Form form = form_known(dimension_base(0, joint_leaves(j, LEAVES_SLIDE), 0));
  for (int i = 0; i < 2; i++)
    if (!need_dimension(l, stops->value, ends.form[i], form, "'stops'")) return false;
  Expr motion = joint_motion(cx, &l->model->mechanism, j);
  bool good = add_stop(l, s, j, "low", expr_sub(cx, ends.at[0], motion), restitution);
  return add_stop(l, s, j, "high", expr_sub(cx, motion, ends.at[1]), restitution) && good;
}

bool lower_tension(Lowering *l, const Statement *s, Joint *j) {
  const Clause *clause = property_find(l, s, "tension");
  if (!clause) return true;
  Value v = lower_scalar(l, clause->value, &rules);
  if (!has_value(v) || !need_dimension(l, clause->value, v.form[0],
                                       form_known(dimension_base(1, 1, -2)), "'tension'"))
    return false;
  j->tension = v.at[0];
  return true;
}

void lower_pull_of_belt(Lowering *l, const Statement *s, const Joint *j) {
  Context *cx = l->cx;
  if (!j->tension) return;
  const Mechanism *m = &l->model->mechanism;
  const Expr *a = m->bodies.at[j->first.body].pose, *b = m->bodies.at[j->second.body].pose;
  Expr apart = plane_distance(cx, a, b);
  PointForce pull = {.n = 1, .span = property_find(l, s, "tension")->span};
  pull.point[0] = apart, pull.force[0] = expr_mul(cx, expr_int(cx, -2), j->tension);
  vec_push(&cx->keep, &l->model->point_forces, pull);
}
