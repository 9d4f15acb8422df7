// Springs, motors, and what acts on the points of bodies.
#include "base/words/phrase.h"
#include "expr/plane.h"
#include "lang/lower/anchor.h"
#include "lang/lower/lower_number.h"
#include "lang/lower/lower_space.h"
#include "lang/lower/part_number.h"
#include "lang/lower/property.h"

#define BIT(kind) KIND_BIT(SYMBOL_##kind)
#define EVERYTHING ((1u << SYMBOL_KINDS) - 1)

// ---- Springs, motors, torques

// What it is at rest says something beside a stiffness only.
static void warn_idle_parts(Lowering *l, const Statement *s, const char *what) {
  bool turns = s->kind != 0;
  const Clause *rest = property_find(l, s, turns ? "angle" : "length");
  if (rest && !property_find(l, s, "stiffness") &&
      lower_warning(l, rest->span, "without 'stiffness' its '%s' at rest does nothing",
                    turns ? "angle" : "length"))
    diag_label(l->cx, "add ', stiffness k', or leave it out");
  for (uint32_t i = 1; turns && i < 3; i++) warn_place(l, &s->items.at[i], what);
}

bool lower_spring(Lowering *l, const Statement *s) {
  const Item *item = &s->items.at[0];
  Mechanism *m = &l->model->mechanism;
  Spring spring = {.name = item_symbol(l, item), .is_torsional = s->kind != 0, .span = item->span};
  bool turns = spring.is_torsional;
  const char *what = text_format(l->arena, "a %s%s", turns ? "torsional " : "", s->row->word);
  bool good = lower_two_anchors(l, s, turns ? 0 : spring.name, &spring.first, &spring.second);
  good = properties_fit(l, s, what,
                        turns ? "stiffness angle damping preload"
                              : "stiffness length damping preload") &&
         good;
  const struct {
    const char *word, *named;
    PartQuantity along, about; // of a line, of an angle
    Expr *value;
  } properties[] = {
      {"stiffness", "stiffness", QUANTITY_STIFFNESS, QUANTITY_TORSION, &spring.stiffness},
      {"damping", "damping", QUANTITY_DAMPING, QUANTITY_TORSION_DAMPING, &spring.damping},
      {"preload", "preload", QUANTITY_FORCE, QUANTITY_TORQUE, &spring.preload},
      {turns ? "angle" : "length", turns ? "angle_0" : "length_0", QUANTITY_LENGTH, QUANTITY_PURE,
       &spring.length}};
  for (size_t i = 0; i < sizeof properties / sizeof *properties; i++)
    *properties[i].value =
        (properties[i].value == &spring.length && !turns ? part_extent : part_named)(
            l, s, properties[i].word, turns ? properties[i].about : properties[i].along,
            spring.name, properties[i].named);
  bool acts = property_find(l, s, "stiffness") || property_find(l, s, "damping") ||
              property_find(l, s, "preload");
  if (good && !acts) {
    if (lower_error(l, QDOT_BAD_MODEL, item->span, "'%s' does nothing",
                    symbol_text(l->cx, spring.name)))
      diag_label(l->cx, "add ', stiffness k' or ', damping c'");
    good = false;
  }
  if (good) warn_idle_parts(l, s, what);
  if (!good || !define_name(l, spring.name, item, NAME_SPRING, m->springs.n)) {
    break_name(l, item);
    return false;
  }
  vec_push(&l->cx->keep, &m->springs, spring);
  return true;
}

bool lower_damper(Lowering *l, const Statement *s) { return lower_spring(l, s); }

bool lower_motor(Lowering *l, const Statement *s) {
  const Item *item = &s->items.at[0];
  const Clause *clause = &s->clauses.at[0];
  Mechanism *m = &l->model->mechanism;
  Symbol name = item_symbol(l, item);
  NameEntry *entry = name ? need_name(l, name, item->base_span, NAME_JOINT) : NULL;
  if (!entry) return false;
  const Joint *joint = &m->joints.at[entry->number];
  bool slides = joint_leaves(joint, LEAVES_SLIDE);
  if (!slides && !joint_leaves(joint, LEAVES_TURN)) {
    if (lower_error(l, QDOT_BAD_MODEL, item->span, "a motor cannot drive the %s '%s'",
                    joint_word(joint->kind), symbol_text(l->cx, name)))
      diag_label(l->cx, "it drives a revolute or a prismatic joint");
    return false;
  }
  for (uint32_t i = 0; i < m->motors.n && symbol_is(l, clause->word, "speed"); i++) {
    const Motor *other = &m->motors.at[i];
    if (other->joint != entry->number || !other->is_speed) continue;
    if (lower_error(l, QDOT_DUPLICATE_NAME, item->span, "the speed of '%s' is already given",
                    symbol_text(l->cx, name)))
      diag_second(l->cx, other->span, "it is given here");
    return false;
  }
  for (uint32_t i = 0; i < m->motors.n; i++) {
    const Motor *other = &m->motors.at[i];
    if (other->joint != entry->number || other->is_speed || symbol_is(l, clause->word, "speed"))
      continue;
    diag_warning(l->cx, item->span, "two motors drive '%s': their %ss add up",
                 symbol_text(l->cx, name), slides ? "force" : "torque");
    diag_second(l->cx, other->span, "the other is here");
    break;
  }
  if (joint->power_use.end) {
    if (lower_error(l, QDOT_BAD_MODEL, item->span, "the power of '%s' is used before its motor",
                    symbol_text(l->cx, name)))
      diag_second(l->cx, joint->power_use, "move the motor above this line");
    return false;
  }
  bool speed = symbol_is(l, clause->word, "speed"), force = symbol_is(l, clause->word, "force");
  if (!speed && force != slides) {
    lower_error(l, QDOT_BAD_VALUE, clause->span, "the motor of %s joint has a %s",
                phrase_one(l->arena, joint_word(joint->kind)), slides ? "force" : "torque");
    return false;
  }
  PartQuantity quantity = speed ? (slides ? QUANTITY_SPEED : QUANTITY_RATE)
                                : (slides ? QUANTITY_FORCE : QUANTITY_TORQUE);
  static const Rules speed_rules = {
      EVERYTHING & ~(BIT(PARAMETER) | BIT(TIME) | BIT(INPUT) | BIT(STATE)), "the speed of a motor"};
  Motor motor = {.joint = entry->number, .is_speed = speed, .span = item->span};
  const char *row = text_format(l->arena, "%s_motor", symbol_text(l->cx, name));
  motor.name = symbol_from_text(l->cx, row);
  if (quantity == QUANTITY_RATE) warn_hertz(l, clause->value);
  motor.value = part_quantity(l, clause->value, quantity, speed ? &speed_rules : &part_law_rules,
                              "a motor", NULL);
  if (!motor.value) return false;
  motor.value = name_number(l, name, symbol_text(l->cx, clause->word), clause->value,
                            part_form(quantity), motor.value, NULL);
  // What a given speed takes is a multiplier, for outputs and plots.
  Symbol multiplier = row_multiplier(l->cx, motor.name);
  if (speed && !model_find(l->model, multiplier))
    model_add_name(l->model, multiplier, NAME_MOTOR_FORCE, m->motors.n, item->span);
  vec_push(&l->cx->keep, &m->motors, motor);
  return true;
}

bool lower_torque(Lowering *l, const Statement *s) {
  uint32_t first, second = GROUND;
  bool good = lower_body_name(l, &s->items.at[0], &first);
  if (s->items.n > 1) good = lower_body_name(l, &s->items.at[1], &second) && good;
  Expr value = part_quantity(l, s->right, QUANTITY_TORQUE, &part_law_rules, "a torque", NULL);
  if (!good || !value) return false;
  for (uint32_t i = 0; i < s->items.n; i++) warn_place(l, &s->items.at[i], "a torque");
  const Mechanism *m = &l->model->mechanism;
  PointForce torque = {.n = 1, .span = s->span};
  Expr other_angle = body_angle(l->cx, m, second);
  torque.point[0] = expr_sub(l->cx, body_angle(l->cx, m, first), other_angle);
  torque.force[0] = value;
  vec_push(&l->cx->keep, &l->model->point_forces, torque);
  return true;
}

// ---- Forces and contacts at a point of a body

bool lower_body_force(Lowering *l, const Statement *s) {
  Anchor anchor;
  PointForce force = {.n = 2, .span = s->span};
  bool good = lower_acting_point(l, &s->items.at[0], &anchor);
  good = part_vector(l, s->right, QUANTITY_FORCE, &part_law_rules, "a force", force.force) && good;
  if (!good) return false;
  anchor_point(l->cx, &l->model->mechanism, &anchor, force.point);
  vec_push(&l->cx->keep, &l->model->point_forces, force);
  return true;
}

// What a point of a body touches: a line or a circle, of the ground or of another body.
typedef struct Touched {
  const Clause *line, *circle;
  Anchor base;
  Expr from[2]; // the same, where it is now
} Touched;

static bool lower_touched(Lowering *l, const Statement *s, const Anchor *anchor, Symbol owner,
                          Touched *out) {
  Context *cx = l->cx;
  const Clause *line = property_find(l, s, "line"), *circle = property_find(l, s, "circle");
  *out = (Touched){.line = line, .circle = circle, .base.body = GROUND};
  if (line && circle) {
    const Clause *later = line > circle ? line : circle;
    if (lower_error(l, QDOT_BAD_MODEL, later->span, "a contact is with a line or with a circle"))
      diag_second(cx, (line > circle ? circle : line)->span, "the other one is here");
    return false;
  }
  if (!line && !circle) {
    if (lower_error(l, QDOT_BAD_MODEL, s->items.at[0].span, "what does it touch?"))
      diag_label(cx, "add ', line (x, y), axis angle' or ', circle (x, y), ring R'");
    return false;
  }
  if (!properties_fit(l, s, line ? "a contact with a line" : "a contact with a circle",
                      line ? "radius line axis restitution friction rolling"
                           : "radius circle ring restitution friction rolling"))
    return false;
  if (s->items.n > 2) {
    if (!lower_anchor(l, &s->items.at[2], owner, 2, &out->base)) return false;
    anchor_point(cx, &l->model->mechanism, &out->base, out->from);
    if (out->base.body != anchor->body) return true;
    lower_error(l, QDOT_BAD_MODEL, s->items.at[2].span, "a body does not touch itself");
    return false;
  }
  const Ast *place = (line ? line : circle)->value;
  if (!part_vector(l, place, QUANTITY_LENGTH, &part_ground_rules, "a point", out->from))
    return false;
  name_place(l, owner, 2, GROUND, place, out->from);
  for (int i = 0; i < 2; i++) out->base.at[i] = out->from[i];
  return true;
}

// Along the line, and by what the body has turned against it.
static Expr place_on_line(Context *cx, const BodyGap *gap, const Expr d[2]) {
  Expr turned = expr_sub(cx, gap->angle, gap->other_angle);
  return expr_sum(cx,
                  (Expr[]){expr_mul(cx, gap->along[0], d[0]), expr_mul(cx, gap->along[1], d[1]),
                           expr_mul(cx, gap->radius, turned)},
                  3);
}

// By how far both have turned against the line between their centres.
static Expr place_on_circle(Context *cx, const BodyGap *gap, const Expr d[2]) {
  Expr apart = expr_add(cx, gap->radius, gap->ring);
  Expr centres = expr_mul(cx, apart, expr_function2(cx, OP_ATAN2, d[1], d[0]));
  Expr own = expr_mul(cx, gap->radius, gap->angle);
  Expr turned = expr_add(cx, own, expr_mul(cx, gap->ring, gap->other_angle));
  return expr_sub(cx, turned, centres);
}

bool lower_body_contact(Lowering *l, const Statement *s, BodyGap *out) {
  Context *cx = l->cx;
  const Mechanism *m = &l->model->mechanism;
  Anchor anchor;
  Touched touched;
  Expr point[2], d[2], zero = expr_int(cx, 0);
  Symbol owner = item_symbol(l, &s->items.at[0]);
  if (!lower_anchor(l, &s->items.at[1], owner, 1, &anchor)) return false;
  if (!lower_touched(l, s, &anchor, owner, &touched)) return false;
  Expr radius = part_extent(l, s, "radius", QUANTITY_LENGTH, owner, "radius");
  Expr axis = part_value(l, s, "axis", QUANTITY_PURE),
       ring = part_extent(l, s, "ring", QUANTITY_LENGTH, owner, "ring");
  if ((!radius && property_find(l, s, "radius")) || (!ring && property_find(l, s, "ring")))
    return false; // reported
  radius = radius ? radius : zero, axis = axis ? axis : zero, ring = ring ? ring : zero;
  Expr other_angle = body_angle(cx, m, touched.base.body),
       direction = expr_add(cx, other_angle, axis);
  Expr cosine = expr_cos(cx, direction), sine = expr_sin(cx, direction);
  anchor_point(cx, m, &anchor, point);
  for (int i = 0; i < 2; i++) d[i] = expr_sub(cx, point[i], touched.from[i]);
  // the height above the line, on the left of its direction; or the distance from the circle
  Expr height = plane_cross(cx, (Expr[]){cosine, sine}, d);
  Expr distance = expr_sqrt(cx, plane_square(cx, d));
  bool line = touched.line != NULL;
  *out = (BodyGap){.phi = expr_sub(cx, expr_add(cx, radius, ring), line ? height : distance),
                   .point = {point[0], point[1]},
                   .from = {touched.from[0], touched.from[1]},
                   .angle = body_angle(cx, m, anchor.body),
                   .radius = radius,
                   .other_angle = other_angle,
                   .ring = ring};
  out->along[0] = line ? cosine : expr_div(cx, d[1], distance);
  out->along[1] = line ? sine : expr_div(cx, expr_neg(cx, d[0]), distance);
  out->place = line ? place_on_line(cx, out, d) : place_on_circle(cx, out, d);
  Surface surface = {anchor, touched.base, axis, radius, ring, !line};
  vec_push(&cx->keep, &l->model->mechanism.surfaces, surface);
  return true;
}
