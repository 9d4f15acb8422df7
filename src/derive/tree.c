// The spanning tree of a mechanism and where its bodies start.
#include "derive/mechanics.h"
#include "expr/plane.h"

#define NOT_PLACED (UINT32_MAX - 1)

static bool is_placed(const Mechanics *mech, uint32_t body) {
  return body == GROUND || mech->branches[body].parent != NOT_PLACED;
}

static void place(Mechanics *mech, uint32_t body, Branch branch, uint32_t *count) {
  mech->branches[body] = branch;
  mech->order[(*count)++] = body;
  if (branch.joint != NO_JOINT) mech->is_tree_joint[branch.joint] = true;
}

// The joint that leads from a placed body to a new one, as near to the ground as there is: loops
// are then cut far from it, and branches stay short.
static bool grow(Mechanics *mech, uint32_t *depth, uint32_t *count) {
  uint32_t best = NO_JOINT, best_depth = UINT32_MAX;
  for (uint32_t i = 0; i < mech->m->joints.n; i++) {
    const Joint *joint = &mech->m->joints.at[i];
    uint32_t a = joint->first.body, b = joint->second.body;
    if (!joint_makes_tree(joint->kind) || is_placed(mech, a) == is_placed(mech, b)) continue;
    uint32_t parent = is_placed(mech, a) ? a : b;
    uint32_t level = parent == GROUND ? 0 : depth[parent] + 1;
    if (level < best_depth) best = i, best_depth = level;
  }
  if (best == NO_JOINT) return false;
  const Joint *joint = &mech->m->joints.at[best];
  bool reversed = is_placed(mech, joint->second.body);
  uint32_t child = reversed ? joint->first.body : joint->second.body;
  depth[child] = best_depth;
  place(mech, child, (Branch){best, reversed, reversed ? joint->second.body : joint->first.body},
        count);
  return true;
}

static Initial start_of(const Body *body, int i) { return body->start[i]; }

void branch_anchors(const Mechanics *mech, uint32_t body, Anchor *parent, Anchor *child) {
  const Branch *branch = &mech->branches[body];
  const Joint *joint = &mech->m->joints.at[branch->joint];
  *parent = branch->is_reversed ? joint->second : joint->first;
  *child = branch->is_reversed ? joint->first : joint->second;
}

void mechanics_start_point(Mechanics *mech, const Anchor *anchor, Expr at[2], Expr rate[2]) {
  Context *cx = mech->cx;
  if (anchor->body == GROUND) {
    ground_start(cx, anchor, at, rate);
    return;
  }
  const StartPose *pose = &mech->start[anchor->body], *moves = &mech->rate[anchor->body];
  Expr c = expr_cos(cx, pose->at[2]), s = expr_sin(cx, pose->at[2]), arm[2];
  plane_turn(cx, c, s, anchor->at, arm);
  for (int i = 0; i < 2; i++) at[i] = expr_add(cx, pose->at[i], arm[i]);
  rate[0] = expr_sub(cx, moves->at[0], expr_mul(cx, moves->at[2], arm[1]));
  rate[1] = expr_add(cx, moves->at[1], expr_mul(cx, moves->at[2], arm[0]));
}

Initial mechanics_start(const Mechanics *mech, uint32_t body, int k) {
  const Body *b = &mech->m->bodies.at[body];
  if (b->start[k].kind != INITIAL_NONE) return b->start[k];
  return (Initial){INITIAL_GUESS, mech->start[body].at[k], b->span};
}

Initial mechanics_start_rate(const Mechanics *mech, uint32_t body, int k) {
  const Body *b = &mech->m->bodies.at[body];
  if (b->velocity[k].kind != INITIAL_NONE) return b->velocity[k];
  if (expr_is_zero(mech->cx, mech->rate[body].at[k])) return (Initial){0};
  return (Initial){INITIAL_GUESS, mech->rate[body].at[k], b->span};
}

// The angle that brings the body's joint point and its centre into line with where it is said to
// be.
static Expr angle_from_place(Mechanics *mech, uint32_t body, const Expr hinge[2]) {
  Context *cx = mech->cx;
  const Body *b = &mech->m->bodies.at[body];
  Anchor parent, child;
  branch_anchors(mech, body, &parent, &child);
  if (expr_is_zero(cx, child.at[0]) && expr_is_zero(cx, child.at[1])) return expr_int(cx, 0);
  // of one arm against the other, so that it lies within half a turn
  Expr arm[2];
  for (int i = 0; i < 2; i++) arm[i] = expr_sub(cx, hinge[i], b->start[i].value);
  Expr sine = plane_cross(cx, child.at, arm);
  Expr cosine = plane_dot(cx, child.at, arm);
  if (expr_is_zero(cx, sine) && expr_is_zero(cx, cosine)) return expr_int(cx, 0);
  return expr_function2(cx, OP_ATAN2, sine, cosine);
}

static Expr start_angle(Mechanics *mech, uint32_t body, const Expr hinge[2]) {
  Context *cx = mech->cx;
  const Body *b = &mech->m->bodies.at[body];
  const Branch *branch = &mech->branches[body];
  if (start_of(b, 2).value) return start_of(b, 2).value;
  if (branch->joint == NO_JOINT) return expr_int(cx, 0);
  if (!joint_leaves(&mech->m->joints.at[branch->joint], LEAVES_TURN))
    return branch->parent == GROUND ? expr_int(cx, 0) : mech->start[branch->parent].at[2];
  return b->start[0].value ? angle_from_place(mech, body, hinge) : expr_int(cx, 0);
}

// The rate of turning about a pin that gives the centre its velocity: r x v / r^2.
static Expr spin_from_velocity(Mechanics *mech, uint32_t body, const Expr speed[2]) {
  Context *cx = mech->cx;
  const Body *b = &mech->m->bodies.at[body];
  Anchor parent, pin;
  branch_anchors(mech, body, &parent, &pin);
  Expr angle = mech->start[body].at[2], c = expr_cos(cx, angle), s = expr_sin(cx, angle);
  Expr square = plane_square(cx, pin.at);
  if (expr_is_zero(cx, square)) return expr_int(cx, 0);
  Expr to_pin[2], r[2], v[2];
  plane_turn(cx, c, s, pin.at, to_pin);
  for (int i = 0; i < 2; i++) r[i] = expr_neg(cx, to_pin[i]);
  for (int i = 0; i < 2; i++) v[i] = expr_sub(cx, b->velocity[i].value, speed[i]);
  return expr_div(cx, plane_cross(cx, r, v), square);
}

// As it is said, else with what carries the body; about a pin, as the velocity says. speed: of the
// pin.
static Expr start_spin(Mechanics *mech, uint32_t body, const Expr speed[2]) {
  const Body *b = &mech->m->bodies.at[body];
  const Branch *branch = &mech->branches[body];
  if (b->velocity[2].value) return b->velocity[2].value;
  if (branch->joint == NO_JOINT) return expr_int(mech->cx, 0);
  if (joint_leaves(&mech->m->joints.at[branch->joint], LEAVES_TURN))
    return b->velocity[0].value ? spin_from_velocity(mech, body, speed) : expr_int(mech->cx, 0);
  return branch->parent == GROUND ? expr_int(mech->cx, 0) : mech->rate[branch->parent].at[2];
}

// Where it is said to be, else where its joint puts it.
static void find_start(Mechanics *mech, uint32_t body) {
  Context *cx = mech->cx;
  const Body *b = &mech->m->bodies.at[body];
  StartPose *start = &mech->start[body];
  Expr hinge[2] = {expr_int(cx, 0), expr_int(cx, 0)}, speed[2] = {0}, arm[2], arm_speed[2];
  Anchor parent, child;
  bool floats = mech->branches[body].joint == NO_JOINT;
  if (!floats) {
    branch_anchors(mech, body, &parent, &child);
    mechanics_start_point(mech, &parent, hinge, speed);
  }
  StartPose *rate = &mech->rate[body];
  for (int i = 0; i < 3; i++) start->at[i] = rate->at[i] = expr_int(cx, 0);
  start->at[2] = start_angle(mech, body, hinge);
  rate->at[2] = start_spin(mech, body, speed);
  if (!floats) mechanics_start_point(mech, &child, arm, arm_speed);
  for (int i = 0; i < 2; i++) {
    if (b->start[i].value)
      start->at[i] = b->start[i].value;
    else if (!floats)
      start->at[i] = expr_sub(cx, hinge[i], arm[i]);
    if (b->velocity[i].value)
      rate->at[i] = b->velocity[i].value;
    else if (!floats)
      rate->at[i] = expr_sub(cx, speed[i], arm_speed[i]);
  }
}

void mechanics_tree(Mechanics *mech) {
  Arena *keep = &mech->cx->keep;
  mech->branches = arena_array(keep, Branch, mech->n);
  mech->order = arena_array(keep, uint32_t, mech->n);
  mech->is_tree_joint = arena_array(keep, bool, mech->m->joints.n);
  mech->start = arena_array(keep, StartPose, mech->n);
  mech->rate = arena_array(keep, StartPose, mech->n);
  for (uint32_t i = 0; i < mech->n; i++) mech->branches[i].parent = NOT_PLACED;
  Mark mark = arena_mark(&mech->cx->scratch);
  uint32_t *depth = arena_array(&mech->cx->scratch, uint32_t, mech->n);
  for (uint32_t count = 0, next = 0; count < mech->n;) {
    if (grow(mech, depth, &count)) continue;
    while (is_placed(mech, next)) next++;
    place(mech, next, (Branch){NO_JOINT, false, GROUND}, &count);
  }
  arena_release(&mech->cx->scratch, mark);
  for (uint32_t i = 0; i < mech->n; i++) find_start(mech, mech->order[i]);
}
