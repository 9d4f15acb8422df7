// A mechanism draws itself: bodies by their shapes or joints, springs between their ends, and what
// drives them.
#include "expr/plane.h"
#include "model/element_type.h"
#include "model/model.h"
#include "model/sketch.h"

DrawRequest *sketch_add(Sketch *s, DrawShape shape, uint32_t points, uint32_t body) {
  DrawRequest draw = {.shape = shape, .dimensions = 2, .point_count = points};
  draw.points = (Expr(*)[3])arena_array(&s->cx->keep, Expr, 3 * (size_t)points);
  draw.body = body == GROUND ? 0 : body + 1;
  draw.part = s->part;
  vec_push(&s->cx->keep, &s->out->draws, draw);
  return &s->out->draws.at[s->out->draws.n - 1];
}

// A point of a body, in its own frame.
static void body_point(Sketch *s, uint32_t body, Expr x, Expr y, Expr out[3]) {
  Anchor anchor = {.body = body, .at = {x, y}};
  anchor_point(s->cx, s->m, &anchor, out);
}

static bool is_new(Expr (*points)[3], uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (points[i][0] == points[n][0] && points[i][1] == points[n][1]) return false;
  return true;
}

static void copy_point(Expr out[3], const Expr from[3]) {
  for (int i = 0; i < 3; i++) out[i] = from[i];
}

// Where joints and springs take hold of a body, and where it touches by a point, each place once.
static uint32_t points_of_body(Sketch *s, uint32_t body, Expr (*points)[3], uint32_t most) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->m->joints.n && n < most; i++) {
    const Joint *j = &s->m->joints.at[i];
    bool is_first = j->first.body == body, is_second = j->second.body == body;
    if ((!is_first && !is_second) || !joint_type(j->kind)->holds_point) continue;
    anchor_point(s->cx, s->m, is_first ? &j->first : &j->second, points[n]);
    n += is_new(points, n);
  }
  for (uint32_t i = 0; i < s->m->springs.n && n < most; i++) {
    const Spring *spring = &s->m->springs.at[i];
    if (spring->is_torsional) continue;
    if (spring->first.body != body && spring->second.body != body) continue;
    anchor_point(s->cx, s->m, spring->first.body == body ? &spring->first : &spring->second,
                 points[n]);
    n += is_new(points, n);
  }
  for (uint32_t i = 0; i < s->m->elements.n && n < most; i++) {
    const Element *e = &s->m->elements.at[i];
    if (e->first.body != body && e->second.body != body) continue;
    anchor_point(s->cx, s->m, e->first.body == body ? &e->first : &e->second, points[n]);
    n += is_new(points, n);
  }
  for (uint32_t i = 0; i < s->m->surfaces.n && n < most; i++) {
    const Surface *surface = &s->m->surfaces.at[i];
    if (surface->anchor.body != body || !expr_is_zero(s->cx, surface->radius)) continue;
    anchor_point(s->cx, s->m, &surface->anchor, points[n]);
    n += is_new(points, n);
  }
  return n;
}

// What is round where it touches. Returns how many there are.
static uint32_t draw_round_ends(Sketch *s, uint32_t number) {
  enum { MOST = 32 };
  Expr points[MOST][3] = {{0}};
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->m->surfaces.n && n < MOST; i++) {
    const Surface *surface = &s->m->surfaces.at[i];
    if (surface->anchor.body != number || expr_is_zero(s->cx, surface->radius)) continue;
    anchor_point(s->cx, s->m, &surface->anchor, points[n]);
    if (!is_new(points, n)) continue;
    DrawRequest *disc = sketch_add(s, DRAW_DISC, 1, number);
    copy_point(disc->points[0], points[n++]);
    disc->radius = surface->radius;
    disc->angle = s->m->bodies.at[number].pose[2];
  }
  return n;
}

// The slide along which a body moves, or NULL.
static const Joint *slide_of(const Sketch *s, uint32_t body) {
  for (uint32_t i = 0; i < s->m->joints.n; i++) {
    const Joint *j = &s->m->joints.at[i];
    if (joint_leaves(j, LEAVES_SLIDE) && (j->first.body == body || j->second.body == body))
      return j;
  }
  return NULL;
}

static Expr axis_of(Sketch *s, const Joint *j) { return j->axis ? j->axis : expr_int(s->cx, 0); }

// A body without a size, along what it slides on.
static void draw_block(Sketch *s, uint32_t number) {
  const Body *body = &s->m->bodies.at[number];
  const Joint *slide = slide_of(s, number);
  DrawRequest *box = sketch_add(s, DRAW_BOX, 1, number);
  copy_point(box->points[0], (Expr[3]){body->pose[0], body->pose[1], 0});
  box->angle = body->pose[2];
  if (!slide || slide->second.body != number) return;
  Expr base = body_angle(s->cx, s->m, slide->first.body), axis = axis_of(s, slide);
  box->angle = expr_add(s->cx, base, axis);
}

// Without a shape: through its joints, or from the only one to the centre.
static void draw_plain(Sketch *s, uint32_t number) {
  enum { MOST = 32 };
  const Body *body = &s->m->bodies.at[number];
  Expr points[MOST][3] = {{0}}, centre[3] = {body->pose[0], body->pose[1], 0};
  uint32_t n = points_of_body(s, number, points, MOST);
  if ((n <= 1 && sketch_is_wheel(s, number)) || sketch_is_solid(s, number)) return;
  if (draw_round_ends(s, number) > 0 && n == 0) return;
  if (n == 0 || slide_of(s, number)) {
    draw_block(s, number);
    return;
  }
  if (n == 1) {
    DrawRequest *rod = sketch_add(s, DRAW_LINE, 2, number);
    copy_point(rod->points[0], points[0]);
    copy_point(rod->points[1], centre);
    copy_point(sketch_add(s, DRAW_DISC, 1, number)->points[0], centre);
    return;
  }
  DrawRequest *shape = sketch_add(s, n == 2 ? DRAW_LINE : DRAW_POLYGON, n, number);
  for (uint32_t i = 0; i < n; i++) copy_point(shape->points[i], points[i]);
}

static void draw_body(Sketch *s, uint32_t number) {
  const Body *body = &s->m->bodies.at[number];
  Expr zero = expr_int(s->cx, 0), centre[3] = {body->pose[0], body->pose[1], 0};
  switch (body->shape) {
  case BODY_ROD: {
    Expr half = expr_mul(s->cx, expr_ratio(s->cx, 1, 2), body->size[0]);
    DrawRequest *rod = sketch_add(s, DRAW_LINE, 2, number);
    body_point(s, number, expr_neg(s->cx, half), zero, rod->points[0]);
    body_point(s, number, half, zero, rod->points[1]);
    break;
  }
  case BODY_DISC:
  case BODY_POINT: {
    if (body->shape == BODY_POINT && slide_of(s, number) && !sketch_is_solid(s, number)) {
      draw_block(s, number);
      break;
    }
    DrawRequest *disc = sketch_add(s, DRAW_DISC, 1, number);
    copy_point(disc->points[0], centre);
    disc->radius = body->shape == BODY_DISC ? body->size[0] : 0;
    disc->angle = body->shape == BODY_DISC ? body->pose[2] : 0;
    break;
  }
  case BODY_PLATE: {
    if (sketch_is_solid(s, number)) break;
    DrawRequest *box = sketch_add(s, DRAW_BOX, 1, number);
    copy_point(box->points[0], centre);
    box->size[0] = body->size[0], box->size[1] = body->size[1];
    box->angle = body->pose[2];
    break;
  }
  case BODY_PLAIN: draw_plain(s, number); break;
  }
}

// How far a plate reaches to the side of its slide.
static Expr reach_of_plate(Sketch *s, const Joint *j) {
  Context *cx = s->cx;
  const Body *b = &s->m->bodies.at[j->second.body];
  if (b->shape != BODY_PLATE) return expr_int(cx, 0);
  Expr across = expr_function1(cx, OP_ABS, expr_cos(cx, axis_of(s, j)));
  Expr along = expr_function1(cx, OP_ABS, expr_sin(cx, axis_of(s, j)));
  return expr_scale(cx, NUMBER_HALF, plane_dot(cx, (Expr[]){along, across}, b->size));
}

// Something slides along a body, or on the ground, as far as it moves.
static void sketch_slide(Sketch *s, const Joint *j) {
  Context *cx = s->cx;
  if (j->first.body != GROUND) {
    if (!sketch_is_solid(s, j->first.body)) return;
    sketch_face(s, &(SketchFace){j->first, axis_of(s, j), j->second, expr_int(cx, 0)});
    return;
  }
  Expr reach = reach_of_plate(s, j), axis = axis_of(s, j);
  TrackLine rail = {.body = GROUND, .rider = j->second.body, .direction = axis};
  rail.origin[0] = expr_add(cx, j->first.at[0], expr_mul(cx, reach, expr_sin(cx, axis)));
  rail.origin[1] = expr_sub(cx, j->first.at[1], expr_mul(cx, reach, expr_cos(cx, axis)));
  anchor_point(cx, s->m, &j->second, rail.follower);
  sketch_track(s, TRACK_RAIL, &rail);
}

// A slide on the ground: a hatched line beside the slider, as long as it says.
void sketch_rail(Sketch *s, const Joint *j) {
  if (!j->length || j->first.body != GROUND) {
    sketch_slide(s, j);
    return;
  }
  Context *cx = s->cx;
  Expr c = expr_cos(cx, axis_of(s, j)), n = expr_sin(cx, axis_of(s, j));
  Expr reach = reach_of_plate(s, j), half = expr_scale(cx, NUMBER_HALF, j->length);
  DrawRequest *rail = sketch_add(s, DRAW_GROUND, 2, GROUND);
  for (int end = 0; end < 2; end++) {
    Expr along = end ? half : expr_neg(cx, half);
    Expr x[3] = {j->first.at[0], expr_mul(cx, along, c), expr_mul(cx, reach, n)};
    Expr y[3] = {j->first.at[1], expr_mul(cx, along, n), expr_neg(cx, expr_mul(cx, reach, c))};
    rail->points[end][0] = expr_sum(cx, x, 3), rail->points[end][1] = expr_sum(cx, y, 3);
  }
}

// The pin of a slot, and the slot itself where it says how long it is.
void sketch_slot(Sketch *s, const Joint *j) {
  Context *cx = s->cx;
  if (j->length) {
    DrawRequest *slot = sketch_add(s, DRAW_BOX, 1, GROUND);
    anchor_point(cx, s->m, &j->first, slot->points[0]);
    slot->size[0] = j->length;
    slot->size[1] = expr_mul(cx, expr_ratio(cx, 1, 12), j->length);
    Expr angle = body_angle(cx, s->m, j->first.body);
    slot->angle = expr_add(cx, angle, axis_of(s, j));
    slot->colour = "white";
  } else if (j->first.body != GROUND) {
    sketch_face(s, &(SketchFace){j->first, axis_of(s, j), j->second, expr_int(cx, 0)});
  }
  anchor_point(cx, s->m, &j->second, sketch_add(s, DRAW_DISC, 1, j->second.body)->points[0]);
}

void sketch_support(Sketch *s, const Anchor *fixed) {
  for (uint32_t i = 0; i < s->out->draws.n; i++) {
    const DrawRequest *draw = &s->out->draws.at[i];
    bool is_bearing = draw->shape == DRAW_GROUND && draw->point_count == 1;
    if (is_bearing && draw->points[0][0] == fixed->at[0] && draw->points[0][1] == fixed->at[1])
      return;
  }
  anchor_point(s->cx, s->m, fixed, sketch_add(s, DRAW_GROUND, 1, GROUND)->points[0]);
}

// A hinge on the ground has a support.
void sketch_bearing(Sketch *s, const Joint *j) {
  const Anchor *fixed = j->first.body == GROUND ? &j->first : &j->second;
  if (fixed->body == GROUND) sketch_support(s, fixed);
}

// A thin rod.
void sketch_distance(Sketch *s, const Joint *j) {
  DrawRequest *rod = sketch_add(s, DRAW_LINE, 2, GROUND);
  anchor_point(s->cx, s->m, &j->first, rod->points[0]);
  anchor_point(s->cx, s->m, &j->second, rod->points[1]);
  sketch_bearing(s, j);
}

static void draw_joints(Sketch *s, bool drives) {
  for (uint32_t i = 0; i < s->m->joints.n; i++) {
    const Joint *j = &s->m->joints.at[i];
    const JointType *type = joint_type(j->kind);
    s->part = j->name;
    if (type->sketch && (type->wheels != 0) == drives) type->sketch(s, j);
  }
}

static void draw_spring_element(Sketch *s, const Spring *spring) {
  if (spring->is_torsional) {
    sketch_torsion(s, spring);
    return;
  }
  bool has_stiffness = spring->stiffness != 0;
  bool has_damping = spring->damping && !expr_is_zero(s->cx, spring->damping);
  for (int side = -1; side <= 1; side += 2) {
    bool is_spring = side < 0;
    if (is_spring ? !has_stiffness : has_stiffness && !has_damping) continue;
    DrawRequest *draw = sketch_add(s, is_spring ? DRAW_SPRING : DRAW_DAMPER, 2, GROUND);
    anchor_point(s->cx, s->m, &spring->first, draw->points[0]);
    anchor_point(s->cx, s->m, &spring->second, draw->points[1]);
    draw->beside = has_stiffness && has_damping ? side : 0;
  }
  bool hangs_on_first = spring->first.body == GROUND;
  if (hangs_on_first || spring->second.body == GROUND)
    sketch_support(s, hangs_on_first ? &spring->first : &spring->second);
}

void mechanism_draw(Context *cx, const Mechanism *m, Requests *out) {
  Sketch s = {.cx = cx, .m = m, .out = out};
  for (uint32_t i = 0; i < m->bodies.n; i++) {
    s.part = m->bodies.at[i].name;
    draw_body(&s, i);
  }
  draw_joints(&s, true); // wheels lie below all else
  draw_joints(&s, false);
  for (uint32_t i = 0; i < m->springs.n; i++) {
    s.part = m->springs.at[i].name;
    draw_spring_element(&s, &m->springs.at[i]);
  }
  for (uint32_t i = 0; i < m->elements.n; i++) {
    s.part = m->elements.at[i].name;
    element_type(m->elements.at[i].kind)->sketch(&s, &m->elements.at[i]);
  }
  s.part = 0;
  for (uint32_t i = 0; i < m->surfaces.n; i++) sketch_surface(&s, &m->surfaces.at[i]);
  for (uint32_t i = 0; i < m->motors.n; i++) {
    s.part = m->joints.at[m->motors.at[i].joint].name; // a motor is a part of its joint
    sketch_motor(&s, &m->motors.at[i]);
  }
}
