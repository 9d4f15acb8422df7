// Faces draw themselves: lines along which others slide or roll, of the ground or of a body, and
// the wedge that a body is between such a line and what it slides on.
#include "expr/build.h"
#include "model/model.h"
#include "model/sketch.h"

// ---- Which bodies are solids

// What carries the body itself: the slide on which it moves along something else than the rider.
static const Joint *slide_below(const Sketch *s, uint32_t body, uint32_t rider) {
  for (uint32_t i = 0; i < s->m->joints.n; i++) {
    const Joint *j = &s->m->joints.at[i];
    if (joint_leaves(j, LEAVES_SLIDE) && j->second.body == body && j->first.body != rider) return j;
  }
  return NULL;
}

// Does a line of the body rise against its own slide? One that lies along it is an edge.
static bool is_inclined(const Sketch *s, uint32_t body, uint32_t rider, Expr axis) {
  const Joint *slide = slide_below(s, body, rider);
  if (!slide) return false;
  return axis != (slide->axis ? slide->axis : expr_int(s->cx, 0));
}

static bool may_be_solid(const Sketch *s, uint32_t body) {
  BodyShape shape = s->m->bodies.at[body].shape;
  return shape == BODY_PLAIN || shape == BODY_POINT || shape == BODY_PLATE;
}

static bool is_solid_by(const Sketch *s, uint32_t body, const Anchor *base, const Anchor *rider,
                        Expr axis) {
  return base->body == body && is_inclined(s, body, rider->body, axis ? axis : expr_int(s->cx, 0));
}

bool sketch_is_solid(const Sketch *s, uint32_t body) {
  if (body == GROUND || !may_be_solid(s, body)) return false;
  for (uint32_t i = 0; i < s->m->joints.n; i++) {
    const Joint *j = &s->m->joints.at[i];
    bool has_line = joint_leaves(j, LEAVES_SLIDE) || j->kind == JOINT_ROLLING ||
                    j->kind == JOINT_GRIP || (j->kind == JOINT_SLOT && !j->length);
    if (has_line && is_solid_by(s, body, &j->first, &j->second, j->axis)) return true;
  }
  for (uint32_t i = 0; i < s->m->surfaces.n; i++) {
    const Surface *surface = &s->m->surfaces.at[i];
    if (!surface->is_circle &&
        is_solid_by(s, body, &surface->base, &surface->anchor, surface->axis))
      return true;
  }
  return false;
}

// ---- Their faces

// The side of a plate that is away from the face; else the line on which the body slides.
static void set_foot(Sketch *s, const SketchFace *face, DrawRequest *draw) {
  Context *cx = s->cx;
  uint32_t number = face->base.body;
  const Body *body = &s->m->bodies.at[number];
  const Joint *slide = slide_below(s, number, face->rider.body);
  Anchor foot = slide->second;
  Expr direction = body_angle(cx, s->m, slide->first.body);
  if (slide->axis) direction = expr_add(cx, direction, slide->axis);
  if (body->shape == BODY_PLATE) {
    Expr half = expr_scale(cx, NUMBER_HALF, body->size[1]), zero = expr_int(cx, 0);
    Expr is_below = expr_function2(cx, OP_LT, face->base.at[1], zero);
    foot = (Anchor){.body = number, .at = {zero, 0}};
    foot.at[1] = expr_function(cx, OP_IF, (Expr[]){is_below, half, expr_neg(cx, half)});
    direction = body_angle(cx, s->m, number);
    draw->size[0] = body->size[0], draw->size[1] = body->size[1];
  }
  anchor_point(cx, s->m, &foot, draw->points[3]);
  draw->points[4][0] = expr_add(cx, draw->points[3][0], expr_cos(cx, direction));
  draw->points[4][1] = expr_add(cx, draw->points[3][1], expr_sin(cx, direction));
}

void sketch_face(Sketch *s, const SketchFace *face) {
  Context *cx = s->cx;
  uint32_t body = face->base.body;
  TrackLine line = {.body = body, .rider = face->rider.body, .radius = face->radius};
  anchor_point(cx, s->m, &face->base, line.origin);
  line.direction = expr_add(cx, body_angle(cx, s->m, body), face->axis);
  anchor_point(cx, s->m, &face->rider, line.follower);
  if (body == GROUND) {
    sketch_track(s, TRACK_FIXED, &line);
  } else if (may_be_solid(s, body) && is_inclined(s, body, face->rider.body, face->axis)) {
    set_foot(s, face, sketch_track(s, TRACK_FACE, &line));
  } else if (may_be_solid(s, body) && s->m->bodies.at[body].shape != BODY_PLATE) {
    line.body = GROUND;
    sketch_track(s, TRACK_MOVING, &line);
  }
}
