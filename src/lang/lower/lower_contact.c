// Contacts: what must not be passed, how it strikes, and how it rubs.
#include <math.h>

#include "expr/build.h"
#include "expr/diff.h"
#include "lang/lower/property.h"

#define BIT(kind) KIND_BIT(SYMBOL_##kind)
#define ANY_ACCELERATION (BIT(ACCELERATION) | BIT(POSE_ACCELERATION))
#define ANY_VELOCITY (BIT(VELOCITY) | BIT(POSE_VELOCITY))
#define ANY_STATE (BIT(STATE) | BIT(STATE_RATE))

Expr lower_restitution(Lowering *l, const Statement *s) {
  static const Rules rules = {~BIT(PARAMETER), "a restitution"};
  const Clause *clause = property_find(l, s, "restitution");
  if (!clause) return expr_int(l->cx, 0);
  const Ast *ast = clause->value;
  Value v = lower_scalar(l, ast, &rules);
  if (!has_value(v)) return 0;
  need_pure(l, ast, v.form[0], "a restitution");
  if (v.number < 0 || v.number > 1) {
    if (lower_error(l, QDOT_BAD_VALUE, ast->span, "a restitution lies between 0 and 1"))
      diag_label(l->cx, "this is %g", v.number);
    return 0;
  }
  return v.at[0];
}

// ---- Friction

// The name of the force along the surface (R), or of the torque against rolling (M).
static Expr friction_force(Lowering *l, const char *letter, Symbol contact) {
  const char *name = text_format(l->arena, "%s_%s", letter, symbol_text(l->cx, contact));
  return expr_symbol(l->cx, SYMBOL_MULTIPLIER, symbol_from_text(l->cx, name));
}

// along s: the place that slides.
static bool lower_along(Lowering *l, const Statement *s, Form gap, Contact *out) {
  static const Rules rules = {ANY_ACCELERATION | ANY_VELOCITY | BIT(MULTIPLIER) | BIT(INPUT) |
                                  ANY_STATE,
                              "the place along a contact"};
  const Clause *friction = property_find(l, s, "friction"), *along = property_find(l, s, "along");
  if (!along) {
    if (lower_error(l, QDOT_BAD_MODEL, friction->span, "which way does '%s' slide?",
                    symbol_text(l->cx, out->name)))
      diag_label(l->cx, "add ', along s': s is a length, its rate the sliding velocity");
    return false;
  }
  Value place = lower_scalar(l, along->value, &rules);
  if (!has_value(place) ||
      !need_dimension(l, along->value, place.form[0], gap, "the place along a contact"))
    return false;
  out->place = place.at[0];
  out->slip = expr_time_derivative(l->cx, place.at[0]);
  if (!expr_has_kind(l->cx, out->slip, ANY_VELOCITY)) {
    lower_error(l, QDOT_BAD_MODEL, along->value->span,
                "the place along a contact contains no coordinate");
    return false;
  }
  Expr by_gap = expr_div(l->cx, out->slip, expr_time_derivative(l->cx, out->phi));
  if (!expr_has_kind(l->cx, by_gap, ANY_VELOCITY | BIT(COORDINATE) | BIT(POSE))) {
    if (lower_error(l, QDOT_BAD_MODEL, along->value->span,
                    "'%s' closes in this direction, and cannot slide in it",
                    symbol_text(l->cx, out->name)))
      diag_label(l->cx, "along names a place on the surface, across the gap");
    return false;
  }
  PointForce force = {.n = 1, .span = friction->span};
  force.point[0] = place.at[0], force.force[0] = out->friction;
  vec_push(&l->cx->keep, &l->model->point_forces, force);
  return true;
}

// The friction force on the angle of a body whose roundness is the radius.
static Expr rub_round(Lowering *l, const Clause *clause, Expr angle, Expr radius, Expr friction) {
  PointForce torque = {.n = 1, .span = clause->span};
  torque.point[0] = angle;
  torque.force[0] = expr_mul(l->cx, friction, radius);
  bool acts = !expr_is_zero(l->cx, torque.force[0]) && expr_has_kind(l->cx, angle, BIT(POSE));
  if (acts) vec_push(&l->cx->keep, &l->model->point_forces, torque);
  return expr_mul(l->cx, radius, expr_time_derivative(l->cx, angle));
}

// The force along a surface, on a body at the point that touches, and back on what it touches: at
// the centres of their roundness, and by their radii.
static void rub_body(Lowering *l, const Clause *clause, const BodyGap *gap, Contact *out) {
  Context *cx = l->cx;
  PointForce force = {.n = 2, .span = clause->span};
  Expr slip[4];
  for (int i = 0; i < 2; i++) {
    force.point[i] = expr_sub(cx, gap->point[i], gap->from[i]);
    force.force[i] = expr_mul(cx, out->friction, gap->along[i]);
    slip[i] = expr_mul(cx, gap->along[i], expr_time_derivative(cx, force.point[i]));
  }
  vec_push(&cx->keep, &l->model->point_forces, force);
  slip[2] = rub_round(l, clause, gap->angle, gap->radius, out->friction);
  slip[3] = rub_round(l, clause, gap->other_angle, gap->ring, out->friction);
  out->slip = expr_sum(cx, slip, 4);
  out->place = gap->place;
}

// Friction, if there is any; false after a mistake.
static bool lower_friction(Lowering *l, const Statement *s, const BodyGap *body, Form gap,
                           Contact *out) {
  const Clause *clause = property_find(l, s, "friction"), *along = property_find(l, s, "along");
  const Clause *idle = along ? along : property_find(l, s, "wrap");
  if (!clause && idle) {
    if (lower_error(l, QDOT_BAD_MODEL, idle->span, "'%s' belongs to friction",
                    symbol_text(l->cx, idle->word)))
      diag_label(l->cx, "add ', friction mu', or leave this out");
    return false;
  }
  if (!clause) return true;
  if (!lower_coefficients(l, clause, &out->mu_rest, &out->mu)) return false;
  if (property_find(l, s, "wrap")) {
    if (!lower_wrap(l, s, &out->mu_rest, &out->mu)) return false;
    Expr two = expr_int(l->cx, 2); // the pressing force is the mean of both
    out->mu_rest = expr_mul(l->cx, two, out->mu_rest), out->mu = expr_mul(l->cx, two, out->mu);
  }
  out->friction = friction_force(l, "R", out->name);
  if (!body) return lower_along(l, s, gap, out);
  rub_body(l, clause, body, out);
  return true;
}

// Resistance to rolling, if there is any: a torque on the body, and back on what it rolls on.
static bool lower_rolling(Lowering *l, const Statement *s, const BodyGap *body, Contact *out) {
  Context *cx = l->cx;
  const Clause *clause = property_find(l, s, "rolling");
  if (!clause) return true;
  if (expr_is_zero(cx, body->radius)) {
    if (lower_error(l, QDOT_BAD_MODEL, clause->span, "what rolls on '%s' has no radius",
                    symbol_text(cx, out->name)))
      diag_label(cx, "add ', radius r', or leave this out");
    return false;
  }
  out->rolling = lower_resistance(l, s, out->name);
  if (!out->rolling) return false;
  out->torque = friction_force(l, "M", out->name);
  out->rolls = rolling_name(l, out->name);
  PointForce torque = {.n = 1, .span = clause->span};
  torque.point[0] = expr_sub(cx, body->angle, body->other_angle);
  torque.force[0] = out->torque;
  vec_push(&cx->keep, &l->model->point_forces, torque);
  out->turned = torque.point[0];
  out->spin = expr_time_derivative(cx, out->turned);
  return true;
}

// ---- Contacts

// phi <= 0 of a contact between expressions.
static Value compared_gap(Lowering *l, const Statement *s) {
  static const Rules rules = {
      ANY_ACCELERATION | ANY_VELOCITY | BIT(MULTIPLIER) | BIT(INPUT) | ANY_STATE, "a contact"};
  if (!properties_fit(l, s, "a contact", NULL)) return value_none();
  Value phi = lower_difference(l, s, &rules);
  if (!has_value(phi)) return phi;
  if (phi.n > 1) {
    lower_error(l, QDOT_BAD_VALUE, s->left->span, "a contact compares numbers, not vectors");
    return value_none();
  }
  if (s->relation == TOKEN_GE) phi.at[0] = expr_neg(l->cx, phi.at[0]);
  return restrains(l, s, phi.at[0], "contact") ? phi : value_none();
}

static Value body_gap(Lowering *l, const Statement *s, BodyGap *gap) {
  if (!lower_body_contact(l, s, gap)) return value_none();
  return value_scalar(gap->phi, form_known(dimension_base(0, 1, 0)), NAN);
}

// Two contacts at one point share their load as they like.
static void warn_twin(Lowering *l, const Contact *contact) {
  const Model *model = l->model;
  for (uint32_t i = 0; i < model->contacts.n; i++) {
    const Contact *other = &model->contacts.at[i];
    if (other->phi != contact->phi) continue;
    if (lower_warning(l, contact->span, "contacts '%s' and '%s' touch at the same point",
                      symbol_text(l->cx, other->name), symbol_text(l->cx, contact->name)))
      diag_label(l->cx, "how they share their load is not determined; leave one out");
    return;
  }
}

bool lower_contact(Lowering *l, const Statement *s) {
  Model *model = l->model;
  const Item *item = &s->items.at[0];
  bool of_body = s->items.n > 1;
  BodyGap gap = {0};
  Contact contact = {.name = item_symbol(l, item),
                     .span = item->span,
                     .condition = of_body ? s->span : span_join(s->left->span, s->right->span)};
  Value phi = of_body ? body_gap(l, s, &gap) : compared_gap(l, s);
  contact.restitution = lower_restitution(l, s);
  contact.phi = has_value(phi) ? phi.at[0] : 0;
  if (!contact.name || !has_value(phi) || !contact.restitution ||
      !lower_friction(l, s, of_body ? &gap : NULL, phi.form[0], &contact) ||
      !lower_rolling(l, s, &gap, &contact)) {
    break_name(l, item);
    return false;
  }
  Symbol multiplier = row_multiplier(l->cx, contact.name);
  if (!define_multiplier(l, contact.name, multiplier, item, NAME_CONTACT_FORCE, model->contacts.n))
    return false;
  Form force = form_div(&l->inference, energy_form(ENERGY_POTENTIAL), phi.form[0]);
  contact.multiplier = expr_symbol(l->cx, SYMBOL_MULTIPLIER, multiplier);
  contact.measure = measure_of(l, force, NULL);
  warn_twin(l, &contact);
  vec_push(&l->cx->keep, &model->contacts, contact);
  return true;
}
