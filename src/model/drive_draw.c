// What drives a mechanism draws itself: pitch circles, belts, racks, lines to roll on, motors.
#include "expr/plane.h"
#include "model/model.h"
#include "model/sketch.h"

static void set_point(Expr out[3], const Expr at[2]) { out[0] = at[0], out[1] = at[1]; }

DrawRequest *sketch_track(Sketch *s, TrackStyle style, const TrackLine *line) {
  Context *cx = s->cx;
  DrawRequest *track = sketch_add(s, DRAW_TRACK, style == TRACK_FACE ? 5 : 3, line->body);
  set_point(track->points[0], line->origin);
  track->points[1][0] = expr_add(cx, line->origin[0], expr_cos(cx, line->direction));
  track->points[1][1] = expr_add(cx, line->origin[1], expr_sin(cx, line->direction));
  set_point(track->points[2], line->follower);
  track->radius = line->radius;
  track->rider = line->rider == GROUND ? 0 : line->rider + 1;
  track->track = style;
  return track;
}

bool sketch_is_wheel(const Sketch *s, uint32_t body) {
  for (uint32_t i = 0; i < s->m->joints.n; i++) {
    const Joint *j = &s->m->joints.at[i];
    unsigned wheels = joint_type(j->kind)->wheels;
    if ((wheels & WHEEL_FIRST) && j->first.body == body) return true;
    if ((wheels & WHEEL_SECOND) && j->second.body == body) return true;
  }
  for (uint32_t i = 0; i < s->m->elements.n; i++) {
    const Element *e = &s->m->elements.at[i];
    bool is_gear = e->kind == ELEMENT_BACKLASH && e->values[0][0];
    if (is_gear && (e->first.body == body || e->second.body == body)) return true;
  }
  return false;
}

// ---- Wheels

// A wheel turns about its pin in the ground or in the carrier; without one, about its centre.
static void centre_of_wheel(Sketch *s, uint32_t body, uint32_t carrier, Expr out[2]) {
  for (uint32_t i = 0; i < s->m->joints.n; i++) {
    const Joint *j = &s->m->joints.at[i];
    bool is_first = j->first.body == body, is_second = j->second.body == body;
    uint32_t other = is_first ? j->second.body : j->first.body;
    if (!joint_leaves(j, LEAVES_TURN) || is_first == is_second) continue;
    if (other != GROUND && other != carrier) continue;
    anchor_point(s->cx, s->m, is_first ? &j->first : &j->second, out);
    return;
  }
  Anchor centre = {.body = body, .at = {expr_int(s->cx, 0), expr_int(s->cx, 0)}};
  anchor_point(s->cx, s->m, &centre, out);
}

static bool is_drawn(const Sketch *s, uint32_t body, Expr radius) {
  for (uint32_t i = 0; i < s->out->draws.n; i++) {
    const DrawRequest *draw = &s->out->draws.at[i];
    if (draw->shape == DRAW_DISC && draw->body == body + 1 && draw->radius == radius) return true;
  }
  return false;
}

static void add_wheel(Sketch *s, uint32_t body, const Expr centre[2], Expr radius) {
  if (body == GROUND || s->m->bodies.at[body].shape == BODY_DISC || is_drawn(s, body, radius))
    return;
  DrawRequest *wheel = sketch_add(s, DRAW_DISC, 1, body);
  set_point(wheel->points[0], centre);
  wheel->radius = radius;
  wheel->angle = body_angle(s->cx, s->m, body);
}

static Expr disc_radius(const Sketch *s, uint32_t body) {
  if (body == GROUND || s->m->bodies.at[body].shape != BODY_DISC) return 0;
  return s->m->bodies.at[body].size[0];
}

// ---- Gears and belts

static Expr distance_between(Context *cx, const Expr a[2], const Expr b[2]) {
  return plane_distance(cx, b, a);
}

// Wheels that touch, r_1 = |ratio| r_2: from outside r_1 + r_2 is the distance, else r_1 - r_2.
// Belts leave half of the way between them.
static void radii_from_distance(Sketch *s, const Joint *j, Expr distance, Expr out[2]) {
  Context *cx = s->cx;
  Expr ratio = expr_function1(cx, OP_ABS, j->ratio), one = expr_int(cx, 1);
  Expr sum = expr_add(cx, ratio, one);
  if (joint_type(j->kind)->has_teeth) {
    Expr inside = expr_function1(cx, OP_ABS, expr_sub(cx, ratio, one));
    Expr is_outside = expr_function2(cx, OP_LT, j->ratio, expr_int(cx, 0));
    sum = expr_function(cx, OP_IF, (Expr[]){is_outside, sum, inside});
  } else {
    distance = expr_scale(cx, NUMBER_HALF, distance);
  }
  out[1] = expr_div(cx, distance, sum);
  out[0] = expr_mul(cx, ratio, out[1]);
}

// Discs say how large they are; the ratio tells the other one's size.
static void radii_of_pair(Sketch *s, const Joint *j, Expr distance, Expr out[2]) {
  Context *cx = s->cx;
  Expr ratio = expr_function1(cx, OP_ABS, j->ratio);
  out[0] = disc_radius(s, j->first.body), out[1] = disc_radius(s, j->second.body);
  if (out[0] && !out[1])
    out[1] = expr_div(cx, out[0], ratio);
  else if (out[1] && !out[0])
    out[0] = expr_mul(cx, ratio, out[1]);
  else if (!out[0])
    radii_from_distance(s, j, distance, out);
}

// A wheel that stands fast has its centre where the carrier turns.
static void draw_fixed_wheel(Sketch *s, const Joint *j, const Expr centre[2], Expr radius) {
  DrawRequest *wheel = sketch_add(s, DRAW_POST, 1, GROUND);
  set_point(wheel->points[0], centre);
  // teeth on the inside where both turn the same way
  Expr sign = expr_function1(s->cx, OP_SIGN, j->ratio);
  wheel->radius = expr_neg(s->cx, expr_mul(s->cx, sign, radius));
}

static bool is_belt(const Joint *j) { return j->kind == JOINT_BELT || j->kind == JOINT_BAND; }

void sketch_pair(Sketch *s, const Joint *j) {
  uint32_t bodies[2] = {j->first.body, j->second.body};
  Expr centres[2][2], radii[2];
  for (int i = 0; i < 2; i++) {
    bool is_fixed = bodies[i] == GROUND;
    if (is_fixed && (j->carrier == GROUND || is_belt(j))) return;
    centre_of_wheel(s, is_fixed ? j->carrier : bodies[i], is_fixed ? GROUND : j->carrier,
                    centres[i]);
  }
  radii_of_pair(s, j, distance_between(s->cx, centres[0], centres[1]), radii);
  for (int i = 0; i < 2; i++) {
    if (bodies[i] == GROUND)
      draw_fixed_wheel(s, j, centres[i], radii[i]);
    else
      add_wheel(s, bodies[i], centres[i], radii[i]);
  }
  if (!is_belt(j)) return;
  DrawRequest *belt = sketch_add(s, DRAW_BELT, 2, GROUND);
  for (int i = 0; i < 2; i++) set_point(belt->points[i], centres[i]);
  Expr sign = expr_function1(s->cx, OP_SIGN, j->ratio);
  belt->size[0] = radii[0], belt->size[1] = expr_mul(s->cx, sign, radii[1]);
}

// ---- Lines along which something rolls or slides

void sketch_rolling(Sketch *s, const Joint *j) {
  Context *cx = s->cx;
  Expr centre[2];
  anchor_point(cx, s->m, &j->second, centre);
  add_wheel(s, j->second.body, centre, j->radius);
  sketch_face(s,
              &(SketchFace){j->first, j->axis ? j->axis : expr_int(cx, 0), j->second, j->radius});
}

// The direction of a rack's teeth: its own, or that of the slide that guides it.
static Expr direction_of_rack(Sketch *s, const Joint *rack) {
  Context *cx = s->cx;
  uint32_t body = rack->second.body;
  if (rack->axis) return expr_add(cx, body_angle(cx, s->m, body), rack->axis);
  for (uint32_t i = 0; i < s->m->joints.n; i++) {
    const Joint *slide = &s->m->joints.at[i];
    bool guides = slide->first.body == body || slide->second.body == body;
    if (!joint_leaves(slide, LEAVES_SLIDE) || !guides) continue;
    Expr axis = slide->axis ? slide->axis : expr_int(cx, 0);
    return expr_add(cx, body_angle(cx, s->m, slide->first.body), axis);
  }
  return body_angle(cx, s->m, body);
}

// Its teeth touch the pinion on the right of their direction and move with the slider.
void sketch_rack(Sketch *s, const Joint *j) {
  Context *cx = s->cx;
  Expr centre[2], slider[2], direction = direction_of_rack(s, j);
  centre_of_wheel(s, j->first.body, GROUND, centre);
  anchor_point(cx, s->m, &j->second, slider);
  add_wheel(s, j->first.body, centre, expr_function1(cx, OP_ABS, j->radius));
  Expr normal[2] = {expr_neg(cx, expr_sin(cx, direction)), expr_cos(cx, direction)};
  Expr across = expr_neg(cx, j->radius);
  for (int i = 0; i < 2; i++)
    across = expr_add(cx, across, expr_mul(cx, normal[i], expr_sub(cx, centre[i], slider[i])));
  Expr origin[2];
  for (int i = 0; i < 2; i++) origin[i] = expr_add(cx, slider[i], expr_mul(cx, across, normal[i]));
  // The teeth point to the left of the way, where the pinion is.
  Expr is_left = expr_function2(cx, OP_LT, j->radius, expr_int(cx, 0));
  Expr pi = expr_pi(cx), zero = expr_int(cx, 0);
  Expr half_turn = expr_function(cx, OP_IF, (Expr[]){is_left, pi, zero});
  sketch_track(s, TRACK_TOOTHED,
               &(TrackLine){.body = GROUND,
                            .rider = GROUND,
                            .origin = {origin[0], origin[1]},
                            .direction = expr_add(cx, direction, half_turn),
                            .follower = {centre[0], centre[1]},
                            .radius = expr_function1(cx, OP_ABS, j->radius)});
}

void sketch_surface(Sketch *s, const Surface *surface) {
  if (!surface->is_circle) {
    sketch_face(s, &(SketchFace){surface->base, surface->axis, surface->anchor, surface->radius});
    return;
  }
  Expr centre[2];
  anchor_point(s->cx, s->m, &surface->base, centre);
  if (surface->base.body != GROUND) {
    add_wheel(s, surface->base.body, centre, surface->ring);
    return;
  }
  DrawRequest *post = sketch_add(s, DRAW_POST, 1, GROUND);
  set_point(post->points[0], centre);
  post->radius = surface->ring;
}

// ---- Motors and springs that turn

void sketch_motor(Sketch *s, const Motor *motor) {
  Context *cx = s->cx;
  const Joint *j = &s->m->joints.at[motor->joint];
  bool slides = joint_leaves(j, LEAVES_SLIDE);
  DrawRequest *sign = sketch_add(s, slides ? DRAW_PUSH : DRAW_TURN, slides ? 2 : 1, GROUND);
  anchor_point(cx, s->m, &j->second, sign->points[0]);
  sign->angle = motor->value;
  if (!slides) return;
  Expr axis = j->axis ? j->axis : expr_int(cx, 0);
  Expr direction = expr_add(cx, body_angle(cx, s->m, j->first.body), axis);
  sign->points[1][0] = expr_add(cx, sign->points[0][0], expr_cos(cx, direction));
  sign->points[1][1] = expr_add(cx, sign->points[0][1], expr_sin(cx, direction));
}

// At the pin between its bodies, or at the centre of the second.
void sketch_torsion(Sketch *s, const Spring *spring) {
  uint32_t a = spring->first.body, b = spring->second.body;
  DrawRequest *spiral = sketch_add(s, DRAW_SPIRAL, 1, GROUND);
  for (uint32_t i = 0; i < s->m->joints.n; i++) {
    const Joint *j = &s->m->joints.at[i];
    bool same =
        (j->first.body == a && j->second.body == b) || (j->first.body == b && j->second.body == a);
    if (!joint_leaves(j, LEAVES_TURN) || !same) continue;
    anchor_point(s->cx, s->m, &j->second, spiral->points[0]);
    return;
  }
  Expr centre[2];
  centre_of_wheel(s, b == GROUND ? a : b, GROUND, centre);
  set_point(spiral->points[0], centre);
}
