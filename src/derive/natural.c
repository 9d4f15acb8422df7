// Natural coordinates: the points where bodies are pinned together, shared between them, and unit
// vectors where a body has fewer than two such points. The mass matrix is constant.
//
// A body with points p, q (at a distance d, vector e from p to q in its frame) has
//   cos = (e . (q - p)) / d^2,  sin = (e x (q - p)) / d^2,  |q - p|^2 = d^2;
// one with a point p and the unit vector u has cos = u_x, sin = u_y, |u|^2 = 1. Its centre follows
// from p. Where a gear, a torsion spring, a motor or the user needs the angle itself, it becomes a
// coordinate tied to the vector.
#include "base/text.h"
#include "derive/mechanics.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/plane.h"
#include "expr/subst.h"
#include "expr/walk.h"

typedef struct BodyFrame {
  Expr c, s; // cosine and sine of the angle, linear in the coordinates
  Expr centre[2];
  bool has_angle; // theta is a coordinate
} BodyFrame;

typedef struct Naturalizing {
  Mechanics *mech;
  Model *out;
  Expr (*points)[2][2]; // of each pin, on its first and second body: shared coordinates, or
                        // constants on the ground
  bool *is_shared;      // joints whose rows the shared point makes superfluous
  BodyFrame *frames;
  ExprMemo *thetas; // pose angle -> 1 + body
} Naturalizing;

static Symbol joined(Context *cx, Symbol name, const char *part) {
  return symbol_from_text(cx, text_format(&cx->keep, "%s.%s", symbol_text(cx, name), part));
}

static void add_row(Naturalizing *z, Symbol name, Expr phi, uint32_t length_power, Span span) {
  vec_push(&z->mech->cx->keep, &z->mech->rows,
           ((PoseRow){.name = name,
                      .phi = phi,
                      .length_power = length_power,
                      .joint = NO_JOINT,
                      .span = span}));
}

// ---- Start values

static Expr turned(Context *cx, Expr c, Expr s, const Expr v[2], int i) {
  Expr both[2];
  plane_turn(cx, c, s, v, both);
  return both[i];
}

// A point of a body, or one of its directions, where it is first assembled, and how it moves there.
static Initial start_at(Naturalizing *z, uint32_t body, const Expr at[2], bool direction, int i,
                        Initial *velocity) {
  Context *cx = z->mech->cx;
  Span span = z->mech->m->bodies.at[body].span;
  Anchor anchor = {.body = body, .at = {at[0], at[1]}};
  Expr point[2], moves[2];
  mechanics_start_point(z->mech, &anchor, point, moves);
  if (direction) {
    const StartPose *start = &z->mech->start[body], *rate = &z->mech->rate[body];
    for (int k = 0; k < 2; k++) {
      point[k] = expr_sub(cx, point[k], start->at[k]);
      moves[k] = expr_sub(cx, moves[k], rate->at[k]);
    }
  }
  *velocity = (Initial){0};
  if (!expr_is_zero(cx, moves[i])) *velocity = (Initial){INITIAL_GUESS, moves[i], span};
  return (Initial){INITIAL_GUESS, point[i], span};
}

// ---- Points and vectors

// A pin's point on one of its bodies.
static void make_point(Naturalizing *z, const Joint *joint, const Anchor *anchor,
                       const char *suffix, Expr out[2]) {
  static const char *const part[2] = {"x", "y"};
  Context *cx = z->mech->cx;
  Expr meaning[2];
  anchor_point(cx, z->mech->m, anchor, meaning);
  for (int i = 0; i < 2; i++) {
    out[i] = anchor->at[i];
    if (anchor->body == GROUND) continue;
    Symbol name = joined(cx, joint->name, text_format(&cx->keep, "%s%s", suffix, part[i]));
    Initial rate, start = start_at(z, anchor->body, anchor->at, false, i, &rate);
    out[i] = model_add_meaning(z->out, name, false, start, rate, joint->span, meaning[i]);
  }
}

// One point for both bodies.
static void share_point(Naturalizing *z, uint32_t number) {
  const Joint *joint = &z->mech->m->joints.at[number];
  bool grounded = joint->second.body == GROUND;
  Expr(*points)[2] = z->points[number];
  make_point(z, joint, grounded ? &joint->second : &joint->first, "", points[0]);
  for (int i = 0; i < 2; i++) points[1][i] = points[0][i];
}

// A point on each body, and where the loop is closed, the first one for both.
static void split_point(Naturalizing *z, uint32_t number) {
  Context *cx = z->mech->cx;
  const Joint *joint = &z->mech->m->joints.at[number];
  Expr(*points)[2] = z->points[number];
  uint32_t before = z->out->meanings.n;
  make_point(z, joint, &joint->first, "", points[0]);
  make_point(z, joint, &joint->second, "second.", points[1]);
  bool grounded = joint->second.body == GROUND;
  for (uint32_t k = before; k < z->out->meanings.n; k++)
    z->out->meanings.at[k].closed = points[grounded][(k - before) % 2];
  for (uint32_t i = 0; i < 2; i++) {
    Expr phi = expr_sub(cx, points[0][i], points[1][i]);
    add_row(z, joint_row_name(cx, joint, i), phi, 1, joint->span);
  }
}

static void make_pin(Naturalizing *z, uint32_t number) {
  z->is_shared[number] = true;
  if (z->mech->cuts_loops && !z->mech->is_tree_joint[number])
    split_point(z, number);
  else
    share_point(z, number);
}

// The pins of a body and where they are in its frame.
typedef struct Pin {
  uint32_t joint;
  Expr at[2];
  const Expr *point; // in the world
} Pin;
typedef VEC(Pin) Pins;

static Pins pins_of(Naturalizing *z, uint32_t body) {
  Context *cx = z->mech->cx;
  Pins pins = {0};
  for (uint32_t i = 0; i < z->mech->m->joints.n; i++) {
    const Joint *joint = &z->mech->m->joints.at[i];
    if (!z->is_shared[i]) continue;
    bool is_second = joint->second.body == body;
    if (!is_second && joint->first.body != body) continue;
    const Anchor *anchor = is_second ? &joint->second : &joint->first;
    vec_push(&cx->scratch, &pins,
             ((Pin){i, {anchor->at[0], anchor->at[1]}, z->points[i][is_second]}));
  }
  return pins;
}

// u_x, u_y with |u| = 1: the direction of the body's own x axis.
static void frame_from_vector(Naturalizing *z, uint32_t body, BodyFrame *frame) {
  Context *cx = z->mech->cx;
  const Body *b = &z->mech->m->bodies.at[body];
  if (z->mech->is_idle[body]) {
    Expr angle = z->mech->start[body].at[2];
    frame->c = expr_cos(cx, angle), frame->s = expr_sin(cx, angle);
    return;
  }
  Expr unit[2] = {expr_int(cx, 1), expr_int(cx, 0)};
  Initial rate, start = start_at(z, body, unit, true, 0, &rate);
  Expr cosine = expr_cos(cx, b->pose[2]);
  Expr sine = expr_sin(cx, b->pose[2]);
  Symbol name = joined(cx, b->name, "u_x");
  frame->c = model_add_meaning(z->out, name, true, start, rate, b->span, cosine);
  start = start_at(z, body, unit, true, 1, &rate);
  name = joined(cx, b->name, "u_y");
  frame->s = model_add_meaning(z->out, name, true, start, rate, b->span, sine);
  for (uint32_t i = 1; i <= 2; i++)
    z->out->coordinates.at[z->out->coordinates.n - i].measure.is_cosine = true;
  Expr length2 = plane_square(cx, (Expr[]){frame->c, frame->s});
  Expr phi = expr_sub(cx, length2, expr_int(cx, 1));
  add_row(z, joined(cx, b->name, "unit"), phi, 0, b->span);
}

// Two pins at different places give the direction.
static void frame_from_pins(Naturalizing *z, uint32_t body, const Pin *p, const Pin *q,
                            BodyFrame *frame) {
  Context *cx = z->mech->cx;
  const Body *b = &z->mech->m->bodies.at[body];
  const Expr *P = p->point, *Q = q->point;
  Expr e[2], D[2];
  for (int i = 0; i < 2; i++)
    e[i] = expr_sub(cx, q->at[i], p->at[i]), D[i] = expr_sub(cx, Q[i], P[i]);
  Expr d2 = plane_square(cx, e);
  frame->c = expr_div(cx, plane_dot(cx, e, D), d2);
  frame->s = expr_div(cx, plane_cross(cx, e, D), d2);
  Expr phi = expr_sub(cx, plane_square(cx, D), d2);
  add_row(z, joined(cx, b->name, "rigid"), phi, 2, b->span);
}

// Further pins move with the body.
static void tie_pin(Naturalizing *z, uint32_t body, const Pin *pin, const BodyFrame *frame) {
  static const char *const part[2] = {"x", "y"};
  Context *cx = z->mech->cx;
  const Joint *joint = &z->mech->m->joints.at[pin->joint];
  for (int i = 0; i < 2; i++) {
    Expr place = expr_add(cx, frame->centre[i], turned(cx, frame->c, frame->s, pin->at, i));
    Symbol name = joined(
        cx, joined(cx, z->mech->m->bodies.at[body].name, symbol_text(cx, joint->name)), part[i]);
    add_row(z, name, expr_sub(cx, pin->point[i], place), 1, joint->span);
  }
}

static bool is_same_place(Context *cx, const Pin *a, const Pin *b) {
  return a->at[0] == b->at[0] && a->at[1] == b->at[1] && expr_is_defined(cx, a->at[0]);
}

static void make_frame(Naturalizing *z, uint32_t body) {
  static const char *const part[2] = {"x", "y"};
  Context *cx = z->mech->cx;
  const Body *b = &z->mech->m->bodies.at[body];
  BodyFrame *frame = &z->frames[body];
  Mark mark = arena_mark(&cx->scratch);
  Pins pins = pins_of(z, body);
  uint32_t second = 1;
  while (second < pins.n && is_same_place(cx, &pins.at[0], &pins.at[second])) second++;
  if (second < pins.n)
    frame_from_pins(z, body, &pins.at[0], &pins.at[second], frame);
  else
    frame_from_vector(z, body, frame);
  for (int i = 0; i < 2; i++) {
    Expr zero[2] = {expr_int(cx, 0), expr_int(cx, 0)};
    if (pins.n)
      frame->centre[i] =
          expr_sub(cx, pins.at[0].point[i], turned(cx, frame->c, frame->s, pins.at[0].at, i));
    else {
      Initial rate, start = start_at(z, body, zero, false, i, &rate);
      frame->centre[i] =
          model_add_meaning(z->out, joined(cx, b->name, part[i]), false, start,
                            mechanics_start_rate(z->mech, body, i), b->span, b->pose[i]);
    }
  }
  for (uint32_t k = 1; k < pins.n; k++)
    if (k != second) tie_pin(z, body, &pins.at[k], frame);
  arena_release(&cx->scratch, mark);
}

// ---- Sines and cosines of pose angles become components

typedef struct Rotation {
  Expr c, s;
} Rotation;

static Rotation rotated(Context *cx, Rotation a, Rotation b) {
  Expr c = plane_cross(cx, (Expr[]){a.c, a.s}, (Expr[]){b.s, b.c});
  return (Rotation){c, plane_dot(cx, (Expr[]){a.s, a.c}, (Expr[]){b.c, b.s})};
}

// cos and sin of a sum of pose angles, each once, and of anything else.
static bool rotation_of(Naturalizing *z, Expr angle, Rotation *out) {
  Context *cx = z->mech->cx;
  const Node *node = node_of(cx, angle);
  Pair single = {angle, NUMBER_ONE};
  bool product =
      node->op == OP_PRODUCT && node->count == 1 && pairs_of(node)[0].number == NUMBER_ONE;
  if (product) single = (Pair){pairs_of(node)[0].expr, node->number};
  const Pair *terms = node->op == OP_SUM ? pairs_of(node) : &single;
  uint32_t n = node->op == OP_SUM ? node->count : 1;
  Expr rest = angle;
  Rotation total = {expr_int(cx, 1), expr_int(cx, 0)};
  bool any = false;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t body = memo_get(z->thetas, terms[i].expr);
    if (!body) continue;
    bool minus = terms[i].number == NUMBER_MINUS_ONE;
    if (!minus && terms[i].number != NUMBER_ONE) return false;
    const BodyFrame *frame = &z->frames[body - 1];
    Rotation turn = {frame->c, minus ? expr_neg(cx, frame->s) : frame->s};
    total = rotated(cx, total, turn);
    rest = expr_sub(cx, rest, expr_scale(cx, terms[i].number, terms[i].expr));
    any = true;
  }
  if (!any) return false;
  *out = rotated(cx, total, (Rotation){expr_cos(cx, rest), expr_sin(cx, rest)});
  return true;
}

static Rewrite by_components(Context *cx, Expr e, void *argument) {
  Naturalizing *z = argument;
  Op op = op_of(cx, e);
  Rotation rotation;
  if (!expr_has_kind(cx, e, KIND_BIT(SYMBOL_POSE))) return (Rewrite){REWRITE_KEEP, 0};
  if ((op == OP_SIN || op == OP_COS) && rotation_of(z, node_of(cx, e)->args[0], &rotation))
    return (Rewrite){REWRITE_TO, op == OP_SIN ? rotation.s : rotation.c};
  return (Rewrite){REWRITE_INSIDE, 0};
}

static void to_components(Naturalizing *z, Expr *e, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (e[i]) expr_rewrite(z->mech->cx, &e[i], 1, by_components, z, &e[i]);
}

// "The same angle" between two bodies, without the angles: sin(difference) = 0.
static void angles_as_sines(Naturalizing *z) {
  Context *cx = z->mech->cx;
  for (uint32_t i = 0; i < z->mech->rows.n; i++) {
    PoseRow *row = &z->mech->rows.at[i];
    if (row->joint == NO_JOINT) continue;
    JointKind kind = z->mech->m->joints.at[row->joint].kind;
    if (joint_makes_tree(kind) && !joint_row_is_length(kind, row->row))
      row->phi = expr_sin(cx, row->phi);
  }
}

// ---- The whole

static Expr speed2(Context *cx, Expr x, Expr y) {
  Expr rate[2];
  rate[0] = expr_time_derivative(cx, x);
  rate[1] = expr_time_derivative(cx, y);
  return plane_square(cx, rate);
}

// T = m/2 |centre'|^2 + J/2 (c'^2 + s'^2)
static Expr body_energy(Naturalizing *z, uint32_t body) {
  Context *cx = z->mech->cx;
  const Body *b = &z->mech->m->bodies.at[body];
  const BodyFrame *f = &z->frames[body];
  Expr moves = speed2(cx, f->centre[0], f->centre[1]);
  Expr turns = speed2(cx, f->c, f->s);
  Expr sum = plane_dot(cx, (Expr[]){b->mass, b->inertia}, (Expr[]){moves, turns});
  return expr_scale(cx, NUMBER_HALF, sum);
}

static void replace_kinetic(Naturalizing *z) {
  uint32_t body = 0;
  for (uint32_t i = 0; i < z->mech->energies.n; i++) {
    Energy *e = &z->mech->energies.at[i];
    if (e->kind == ENERGY_KINETIC) e->value = body_energy(z, body++);
  }
}

static bool needs_angle(Naturalizing *z, uint32_t body) {
  const Body *b = &z->mech->m->bodies.at[body];
  if (b->start[2].kind == INITIAL_GIVEN || b->velocity[2].kind != INITIAL_NONE) return true;
  return mechanics_use_angle(z->mech, body);
}

// theta as a coordinate of its own: s cos(theta) - c sin(theta) = 0.
static Expr make_angle(Naturalizing *z, uint32_t body) {
  Context *cx = z->mech->cx;
  const Body *b = &z->mech->m->bodies.at[body];
  const BodyFrame *f = &z->frames[body];
  Initial start = b->start[2];
  if (start.kind == INITIAL_NONE)
    start = (Initial){INITIAL_GUESS, z->mech->start[body].at[2], b->span};
  Expr theta = model_add_meaning(z->out, symbol_name(cx, b->pose[2]), true, start,
                                 mechanics_start_rate(z->mech, body, 2), b->span, b->pose[2]);
  Expr c = expr_cos(cx, theta);
  Expr s = expr_sin(cx, theta);
  Expr phi = plane_cross(cx, (Expr[]){c, s}, (Expr[]){f->c, f->s});
  add_row(z, joined(cx, b->name, "angle"), phi, 0, b->span);
  z->mech->rows.at[z->mech->rows.n - 1].defines = theta;
  return theta;
}

static bool keeps_unshared(const Mechanics *mech, const PoseRow *row) {
  return row->joint == NO_JOINT || !joint_leaves(&mech->m->joints.at[row->joint], LEAVES_TURN);
}

static void rewrite_elements(Naturalizing *z) {
  Mechanics *mech = z->mech;
  for (uint32_t i = 0; i < mech->energies.n; i++) to_components(z, &mech->energies.at[i].value, 1);
  for (uint32_t i = 0; i < mech->forces.n; i++) {
    to_components(z, mech->forces.at[i].point, 3);
    to_components(z, mech->forces.at[i].force, 3);
  }
  for (uint32_t i = 0; i < mech->presses.n; i++) {
    Press *press = &mech->presses.at[i];
    to_components(z, &press->value, 1);
    to_components(z, &press->slip, 1);
    to_components(z, &press->force, 1);
  }
  for (uint32_t i = 0; i < mech->rows.n; i++) to_components(z, &mech->rows.at[i].phi, 1);
}

Status formulate_natural(Mechanics *mech, Model *out) {
  Context *cx = mech->cx;
  Naturalizing z = {.mech = mech, .out = out, .thetas = memo_take(cx)};
  z.points = arena_alloc(&cx->keep, arena_size(&cx->keep, mech->m->joints.n + 1, sizeof *z.points));
  z.is_shared = arena_array(&cx->keep, bool, mech->m->joints.n);
  z.frames = arena_array(&cx->keep, BodyFrame, mech->n);
  for (uint32_t i = 0; i < mech->m->joints.n; i++)
    if (joint_leaves(&mech->m->joints.at[i], LEAVES_TURN)) make_pin(&z, i);
  angles_as_sines(&z);
  for (uint32_t i = 0; i < mech->n; i++) {
    memo_set(cx, z.thetas, mech->m->bodies.at[i].pose[2], i + 1);
    make_frame(&z, i);
  }
  replace_kinetic(&z);
  rewrite_elements(&z);
  Placement *placements = arena_array(&cx->keep, Placement, mech->n);
  for (uint32_t i = 0; i < mech->n; i++) {
    const BodyFrame *f = &z.frames[i];
    placements[i].pose[0] = f->centre[0], placements[i].pose[1] = f->centre[1];
    // Where nobody needs the angle, what is left of it are sines and cosines of the user's.
    placements[i].pose[2] = mech->is_idle[i]     ? mech->start[i].at[2]
                            : needs_angle(&z, i) ? make_angle(&z, i)
                                                 : expr_function2(cx, OP_ATAN2, f->s, f->c);
  }
  memo_give(cx, z.thetas);
  mech->placements = placements;
  return mechanics_place(mech, out, placements, keeps_unshared);
}
