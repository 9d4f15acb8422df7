// What elements do, in the poses of their bodies.
#include "model/element_type.h"

#include <string.h>

#include "expr/define.h"
#include "expr/diff.h"
#include "expr/plane.h"
#include "model/sketch.h"

// ---- Parts

static Expr rate(Context *cx, Expr e) { return expr_time_derivative(cx, e); }

static Expr minus_product(Context *cx, Expr a, Expr b) { return expr_neg(cx, expr_mul(cx, a, b)); }

static Expr distance(const ElementView *v) { return plane_distance(v->cx, v->from, v->to); }

// Something positive, else 0.
static Expr where_positive(Context *cx, Expr e, Expr value) {
  Expr zero = expr_int(cx, 0);
  return expr_if(cx, expr_function2(cx, OP_LT, zero, e), value, zero);
}

// What a damper adds to an elastic force that pushes: c rate, but not so much that the sum pulls.
static Expr damped(Context *cx, Expr c, Expr speed, Expr elastic) {
  if (!c) return expr_int(cx, 0);
  Expr viscous = expr_mul(cx, c, speed);
  return expr_function2(cx, OP_MAX, viscous, expr_neg(cx, elastic));
}

// The value of a property, or of a component; 0 (no expression) where it is not given.
static Expr given(const ElementView *v, const char *word, int part) {
  const ElementProperty *properties = element_type(v->element->kind)->properties;
  for (int i = 0; i < ELEMENT_PROPERTIES && properties[i].word; i++)
    if (strcmp(properties[i].word, word) == 0) return v->element->values[i][part];
  return 0;
}

static Expr given_or_zero(const ElementView *v, const char *word, int part) {
  Expr value = given(v, word, part);
  return value ? value : expr_int(v->cx, 0);
}

static void add_member(const ElementView *v, const char *word, Expr value, int mass, int length,
                       int time) {
  ElementMember *at = v->element->members;
  while (at->word) at++;
  *at = (ElementMember){word, value, {(int8_t)mass, (int8_t)length, (int8_t)time}};
}

static void add_force(const ElementView *v, Expr force) { add_member(v, "F", force, 1, 1, -2); }
static void add_power(const ElementView *v, Expr power) { add_member(v, "power", power, 1, 2, -3); }

// ---- Bushings

// V = k_x/2 x^2 + k_y/2 y^2 + k_a/2 (a - a_0)^2 of the gap from the first point to the second, seen
// from the first body; R the same with rates. F_x, F_y, T: of the first body on the second.
static void bushing_acts(const ElementView *v, ElementEffects *out) {
  Context *cx = v->cx;
  Expr axes = expr_add(cx, v->first, given_or_zero(v, "axis", 0)), gap[3];
  Expr apart[2] = {expr_sub(cx, v->to[0], v->from[0]), expr_sub(cx, v->to[1], v->from[1])};
  plane_turn_by(cx, expr_neg(cx, axes), apart, gap);
  Expr turned = expr_sub(cx, v->second, v->first);
  gap[2] = expr_sub(cx, turned, given_or_zero(v, "angle", 0));
  Expr force[3], power = expr_int(cx, 0);
  out->potential = out->dissipation = expr_int(cx, 0);
  for (int i = 0; i < 3; i++) {
    Expr k = given_or_zero(v, "stiffness", i), c = given_or_zero(v, "damping", i);
    out->potential = expr_add(cx, out->potential, expr_half_square(cx, k, gap[i]));
    Expr speed = rate(cx, gap[i]);
    out->dissipation = expr_add(cx, out->dissipation, expr_half_square(cx, c, speed));
    force[i] = expr_neg(cx, plane_dot(cx, (Expr[]){k, c}, (Expr[]){gap[i], speed}));
    power = expr_add(cx, power, expr_mul(cx, force[i], speed));
  }
  Expr world[2];
  plane_turn_by(cx, axes, force, world);
  add_member(v, "x", gap[0], 0, 1, 0);
  add_member(v, "y", gap[1], 0, 1, 0);
  add_member(v, "angle", gap[2], 0, 0, 0);
  add_member(v, "F_x", world[0], 1, 1, -2);
  add_member(v, "F_y", world[1], 1, 1, -2);
  add_member(v, "T", force[2], 1, 2, -2);
  add_power(v, power);
}

// ---- Ropes

// Pulls with k (l - L) + c l' where it is longer than L, never pushes; what the damping adds is a
// force, the rest has a potential. Without stiffness l <= L is a contact whose force is the
// tension.
static void rope_acts(const ElementView *v, ElementEffects *out) {
  Context *cx = v->cx;
  Expr length = distance(v), stretch = expr_sub(cx, length, given(v, "length", 0));
  Expr k = given(v, "stiffness", 0), c = given(v, "damping", 0), tension = v->multiplier;
  if (!k) {
    out->limit = stretch, out->restitution = given_or_zero(v, "restitution", 0);
  } else {
    Expr elastic = expr_mul(cx, k, stretch), more = damped(cx, c, rate(cx, length), elastic);
    out->potential = where_positive(cx, stretch, expr_half_square(cx, k, stretch));
    tension = where_positive(cx, stretch, expr_add(cx, elastic, more));
    if (c) {
      out->force = (PointForce){.n = 1};
      out->force.point[0] = length;
      out->force.force[0] = expr_neg(cx, where_positive(cx, stretch, more));
    }
  }
  add_member(v, "length", length, 0, 1, 0);
  add_force(v, tension);
  add_power(v, minus_product(cx, tension, rate(cx, length)));
}

// ---- Cylinders

// Pushes its ends apart with a force, or keeps them at a distance, whatever force that takes.
static void cylinder_acts(const ElementView *v, ElementEffects *out) {
  Context *cx = v->cx;
  Expr length = distance(v), push = given(v, "force", 0);
  if (push) {
    out->force = (PointForce){.n = 1};
    out->force.point[0] = length, out->force.force[0] = push;
  } else {
    out->row = expr_sub(cx, length, given(v, "length", 0));
    push = expr_neg(cx, v->multiplier);
  }
  add_member(v, "length", length, 0, 1, 0);
  add_force(v, push);
  add_power(v, expr_mul(cx, push, rate(cx, length)));
}

// ---- Unbalances

// A mass so small that only its moment counts, U = m e: it adds U theta' times the velocity across
// its direction to the kinetic energy, and turns its weight about the shaft.
static void unbalance_acts(const ElementView *v, ElementEffects *out) {
  Context *cx = v->cx;
  Expr U = given(v, "moment", 0), angle = expr_add(cx, v->first, given_or_zero(v, "angle", 0));
  Expr c = expr_cos(cx, angle), s = expr_sin(cx, angle), spin = rate(cx, v->first);
  Expr moves[2];
  for (int i = 0; i < 2; i++) moves[i] = rate(cx, v->from[i]);
  Expr across = plane_cross(cx, (Expr[]){c, s}, moves);
  out->kinetic = expr_mul3(cx, U, spin, across);
  v->element->lever[0] = expr_mul(cx, U, c), v->element->lever[1] = expr_mul(cx, U, s);
  add_force(v, expr_mul(cx, U, expr_square(cx, spin)));
}

// ---- Tyres

// A spring and damper towards the road's height under the point, which only pushes. Where the road
// is a function of the place, its slope turns the force, as a road without friction does.
static void tyre_acts(const ElementView *v, ElementEffects *out) {
  Context *cx = v->cx;
  Expr radius = given_or_zero(v, "radius", 0);
  Expr ground = expr_add(cx, radius, given_or_zero(v, "road", 0));
  Expr pressed = expr_sub(cx, ground, v->from[1]), k = given(v, "stiffness", 0);
  Expr c = given(v, "damping", 0), elastic = expr_mul(cx, k, pressed);
  Expr more = damped(cx, c, rate(cx, pressed), elastic);
  out->potential = where_positive(cx, pressed, expr_half_square(cx, k, pressed));
  Expr N = where_positive(cx, pressed, expr_add(cx, elastic, more));
  if (c) {
    out->force = (PointForce){.n = 1};
    out->force.point[0] = pressed;
    out->force.force[0] = expr_neg(cx, where_positive(cx, pressed, more));
  }
  add_member(v, "deflection", pressed, 0, 1, 0);
  add_member(v, "N", N, 1, 1, -2);
  add_power(v, minus_product(cx, N, rate(cx, pressed)));
}

// ---- Cams

// The follower's place along its axis is not below the lift, which the cam's angle gives: a
// contact.
static void cam_acts(const ElementView *v, ElementEffects *out) {
  Context *cx = v->cx;
  Expr axis = given_or_zero(v, "axis", 0), lift = given(v, "lift", 0);
  Expr c = expr_cos(cx, axis);
  Expr s = expr_sin(cx, axis);
  Expr place = plane_dot(cx, (Expr[]){c, s}, v->from);
  out->limit = expr_sub(cx, lift, place), out->restitution = given_or_zero(v, "restitution", 0);
  add_member(v, "lift", lift, 0, 1, 0);
  add_member(v, "N", v->multiplier, 1, 1, -2);
}

// ---- Backlash

// Where its body starts, as far as the model says.
static Expr start_of(const ElementView *v, const Anchor *anchor) {
  if (anchor->body == GROUND) return expr_int(v->cx, 0);
  Expr angle = v->m->bodies.at[anchor->body].start[2].value;
  return angle ? angle : expr_int(v->cx, 0);
}

// How far the second has turned against what the first tells it, beyond the middle of the gap;
// without `angle` the middle is where the bodies start.
static Expr turned_in_gap(const ElementView *v) {
  Context *cx = v->cx;
  Expr ratio = given(v, "ratio", 0), middle = given(v, "angle", 0);
  if (!ratio) ratio = expr_int(cx, 1);
  if (!middle) {
    Expr told = expr_mul(cx, ratio, start_of(v, &v->element->first));
    middle = expr_sub(cx, start_of(v, &v->element->second), told);
  }
  Expr told = expr_mul(cx, ratio, v->first);
  return expr_sub(cx, expr_sub(cx, v->second, told), middle);
}

// One flank: pressed by `depth` where that is positive, k depth + c depth' or nothing. Adds its
// potential; the whole torque, and of that what has no potential.
static void flank_acts(const ElementView *v, Expr depth, Expr *potential, Expr *torque,
                       Expr *lost) {
  Context *cx = v->cx;
  Expr k = given(v, "stiffness", 0), c = given(v, "damping", 0), elastic = expr_mul(cx, k, depth);
  Expr more = damped(cx, c, rate(cx, depth), elastic);
  *potential = where_positive(cx, depth, expr_half_square(cx, k, depth));
  *torque = where_positive(cx, depth, expr_add(cx, elastic, more));
  *lost = where_positive(cx, depth, more);
}

// Two bodies turn freely against each other by the play, then their flanks press: springs with
// damping that never pull, or without stiffness a contact, psi^2/b - b/4 <= 0, whose force is the
// torque, since its slope is 1 at both ends.
static void backlash_acts(const ElementView *v, ElementEffects *out) {
  Context *cx = v->cx;
  Expr psi = turned_in_gap(v), b = given(v, "play", 0), T;
  if (given(v, "stiffness", 0)) {
    Expr half = expr_scale(cx, NUMBER_HALF, b), V[2], push[2], more[2];
    flank_acts(v, expr_sub(cx, psi, half), &V[0], &push[0], &more[0]);
    flank_acts(v, expr_sub(cx, expr_neg(cx, psi), half), &V[1], &push[1], &more[1]);
    out->potential = expr_add(cx, V[0], V[1]);
    T = expr_sub(cx, push[1], push[0]);
    if (given(v, "damping", 0)) {
      out->force = (PointForce){.n = 1};
      out->force.point[0] = psi, out->force.force[0] = expr_sub(cx, more[1], more[0]);
    }
  } else {
    Expr quarter = expr_mul(cx, expr_ratio(cx, 1, 4), b);
    out->limit = expr_sub(cx, expr_div(cx, expr_square(cx, psi), b), quarter);
    out->turns = true, out->restitution = given_or_zero(v, "restitution", 0);
    Expr slope = expr_div(cx, expr_mul(cx, expr_int(cx, 2), psi), b);
    T = minus_product(cx, v->multiplier, slope);
  }
  add_member(v, "angle", psi, 0, 0, 0);
  add_member(v, "T", T, 1, 2, -2);
  add_power(v, expr_mul(cx, T, rate(cx, psi)));
}

// ---- All of them

const ElementType *element_type(ElementKind kind) {
  static const ElementType types[ELEMENT_KINDS] = {
#define ELEMENT(name, ...) [ELEMENT_##name] = {__VA_ARGS__},
#include "model/elements.def"
#undef ELEMENT
  };
  return &types[kind];
}

void element_act(Context *cx, const Mechanism *m, Element *element, Expr multiplier,
                 ElementEffects *out) {
  ElementView v = {.cx = cx,
                   .m = m,
                   .element = element,
                   .multiplier = multiplier,
                   .first = body_angle(cx, m, element->first.body),
                   .second = body_angle(cx, m, element->second.body)};
  anchor_point(cx, m, &element->first, v.from);
  anchor_point(cx, m, &element->second, v.to);
  *out = (ElementEffects){0};
  element_type(element->kind)->act(&v, out);
}

bool element_holds(const Element *e) {
  bool grounded = e->first.body == GROUND || e->second.body == GROUND;
  return element_type(e->kind)->holds && (grounded || element_type(e->kind)->ends == 1);
}
