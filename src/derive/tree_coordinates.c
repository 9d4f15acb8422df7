// Coordinates of a spanning tree: one angle for every pin, one displacement for every slide; joints
// that close loops stay constraints. Angles are absolute, so chains of pins are as in a textbook.
#include "base/text.h"
#include "derive/mechanics.h"
#include "expr/plane.h"

typedef struct Growing {
  Mechanics *mech;
  Model *out;
  Placement *placements;
} Growing;

static bool closes_loop(const Mechanics *mech, const PoseRow *row) {
  return row->joint == NO_JOINT || !mech->is_tree_joint[row->joint];
}

static Symbol joined(Context *cx, Symbol name, const char *part) {
  return symbol_from_text(cx, text_format(&cx->keep, "%s.%s", symbol_text(cx, name), part));
}

// ---- Geometry with what stands for the poses so far

static Expr angle_of(Growing *g, uint32_t body) {
  return body == GROUND ? expr_int(g->mech->cx, 0) : g->placements[body].pose[2];
}

// The vector `at` of a body's frame in world directions.
static void turned(Growing *g, uint32_t body, const Expr at[2], Expr out[2]) {
  plane_turn_by(g->mech->cx, angle_of(g, body), at, out);
}

// A point of a placed body; named after the joint, so that what hangs on it stays short.
static void point_of(Growing *g, const Anchor *anchor, const Joint *joint, Expr out[2]) {
  Context *cx = g->mech->cx;
  static const char *const part[2] = {"x", "y"};
  turned(g, anchor->body, anchor->at, out);
  if (anchor->body == GROUND) return;
  for (int i = 0; i < 2; i++) {
    out[i] = expr_add(cx, g->placements[anchor->body].pose[i], out[i]);
    Symbol name = joined(cx, joint->name, part[i]);
    if (!model_find(g->out, name) && !model_find(g->mech->model, name))
      out[i] = model_add_definition(g->out, name, out[i], false, joint->span);
  }
}

// ---- Coordinates

static Expr add_pose_coordinate(Growing *g, uint32_t body, int k, Initial start) {
  const Body *b = &g->mech->m->bodies.at[body];
  Initial rate = mechanics_start_rate(g->mech, body, k);
  if (k == 2 && rate.kind == INITIAL_GUESS && b->velocity[0].kind == INITIAL_GIVEN)
    rate.kind = b->velocity[2].kind == INITIAL_NONE ? INITIAL_GIVEN : rate.kind;
  return model_add_meaning(g->out, symbol_name(g->mech->cx, b->pose[k]), k == 2, start, rate,
                           b->span, b->pose[k]);
}

static void place_floating(Growing *g, uint32_t body) {
  const Body *b = &g->mech->m->bodies.at[body];
  g->placements[body].pose[2] = g->mech->start[body].at[2];
  for (int k = 0; k < (g->mech->is_idle[body] ? 2 : 3); k++)
    g->placements[body].pose[k] = add_pose_coordinate(g, body, k, b->start[k]);
}

// The component of to - from along a direction.
static Expr apart_along(Context *cx, Expr direction, const Expr from[2], const Expr to[2]) {
  Expr unit[2], apart[2];
  unit[0] = expr_cos(cx, direction), unit[1] = expr_sin(cx, direction);
  for (int i = 0; i < 2; i++) apart[i] = expr_sub(cx, to[i], from[i]);
  return plane_dot(cx, unit, apart);
}

// The displacement along a slide at the start, and its rate: how the child's point is seen from the
// parent's.
static void slide_start(Growing *g, uint32_t body, Expr direction, const Anchor *parent,
                        const Anchor *child, Initial *position, Initial *velocity) {
  Context *cx = g->mech->cx;
  const Body *b = &g->mech->m->bodies.at[body];
  Expr from[2], to[2], away[2], moves[2];
  mechanics_start_point(g->mech, parent, from, away);
  mechanics_start_point(g->mech, child, to, moves);
  Expr along = apart_along(cx, direction, from, to);
  Expr rate = apart_along(cx, direction, away, moves);
  *position = (Initial){INITIAL_GUESS, along, b->span};
  if (b->start[0].kind == INITIAL_GIVEN) position->kind = INITIAL_GIVEN;
  *velocity = (Initial){0};
  if (b->velocity[0].kind != INITIAL_NONE || !expr_is_zero(cx, rate))
    *velocity = (Initial){INITIAL_GUESS, rate, b->span};
  if (b->velocity[0].kind == INITIAL_GIVEN) velocity->kind = INITIAL_GIVEN;
}

// How far the child's point is along the slide, in pose symbols.
static Expr slide_meaning(Growing *g, const Joint *joint, const Anchor *parent,
                          const Anchor *child) {
  Context *cx = g->mech->cx;
  const Mechanism *m = g->mech->m;
  Expr from[2], to[2], direction = joint_direction(cx, m, joint, g->mech->start);
  anchor_point(cx, m, parent, from), anchor_point(cx, m, child, to);
  return apart_along(cx, direction, from, to);
}

// Moves the joint point along the slide by a new coordinate NAME.s.
static void slide(Growing *g, uint32_t body, const Joint *joint, const Anchor *parent,
                  const Anchor *child, Expr point[2]) {
  Context *cx = g->mech->cx;
  const Branch *branch = &g->mech->branches[body];
  Expr axis = joint->axis ? joint->axis : expr_int(cx, 0);
  // the axis is fixed in the joint's first body, which turns with the second
  Expr direction = expr_add(cx, angle_of(g, joint->first.body), axis);
  Expr start_angle =
      joint->first.body == GROUND ? expr_int(cx, 0) : g->mech->start[joint->first.body].at[2];
  Initial start, rate;
  slide_start(g, body, expr_add(cx, start_angle, axis), parent, child, &start, &rate);
  if (branch->is_reversed) start.value = expr_neg(cx, start.value);
  if (branch->is_reversed && rate.value) rate.value = expr_neg(cx, rate.value);
  Expr meaning = slide_meaning(g, joint, parent, child);
  if (branch->is_reversed) meaning = expr_neg(cx, meaning);
  Expr s = model_add_meaning(g->out, joined(cx, joint->name, "s"), false, start, rate, joint->span,
                             meaning);
  if (branch->is_reversed) s = expr_neg(cx, s);
  point[0] = expr_add(cx, point[0], expr_mul(cx, s, expr_cos(cx, direction)));
  point[1] = expr_add(cx, point[1], expr_mul(cx, s, expr_sin(cx, direction)));
}

static void place_hanging(Growing *g, uint32_t body) {
  Context *cx = g->mech->cx;
  Mechanics *mech = g->mech;
  const Branch *branch = &mech->branches[body];
  const Joint *joint = &mech->m->joints.at[branch->joint];
  const Body *b = &mech->m->bodies.at[body];
  Anchor parent, child;
  branch_anchors(mech, body, &parent, &child);
  Expr point[2], arm[2], *pose = g->placements[body].pose;
  if (mech->is_idle[body]) {
    pose[2] = mech->start[body].at[2];
  } else if (joint_leaves(joint, LEAVES_TURN)) {
    pose[2] = add_pose_coordinate(g, body, 2, mechanics_start(mech, body, 2));
  } else {
    Expr parent_start =
        branch->parent == GROUND ? expr_int(cx, 0) : mech->start[branch->parent].at[2];
    Expr offset = expr_sub(cx, mech->start[body].at[2], parent_start);
    Expr angle = expr_add(cx, angle_of(g, branch->parent), offset);
    pose[2] = model_add_definition(g->out, symbol_name(cx, b->pose[2]), angle, true, b->span);
  }
  point_of(g, &parent, joint, point);
  if (joint_leaves(joint, LEAVES_SLIDE)) slide(g, body, joint, &parent, &child, point);
  turned(g, body, child.at, arm);
  for (int i = 0; i < 2; i++)
    pose[i] = model_add_definition(g->out, symbol_name(cx, b->pose[i]),
                                   expr_sub(cx, point[i], arm[i]), false, b->span);
}

Status formulate_lagrange(Mechanics *mech, Model *out) {
  Growing g = {mech, out, arena_array(&mech->cx->keep, Placement, mech->n)};
  for (uint32_t i = 0; i < mech->n; i++) {
    uint32_t body = mech->order[i];
    if (mech->branches[body].joint == NO_JOINT)
      place_floating(&g, body);
    else
      place_hanging(&g, body);
  }
  mech->placements = g.placements;
  return mechanics_place(mech, out, g.placements, closes_loop);
}
