// Momentum balances of the outboard parts of a mechanism.
//
// Every body b has a residual force (R_x, R_y) and torque R_t: mass times acceleration minus what
// acts on it. The balance of the part that hangs on a pin P is the moment of all its residuals
// about P, that of a slide their sum along it. With absolute angles, moving one angle alone does
// not turn what hangs on the pins further out; so the equation of an angle is its balance less
// those of the next pins outward.
#include "derive/balances.h"
#include "derive/mechanics.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/plane.h"

typedef enum Channel { CHANNEL_INERTIA, CHANNEL_G, CHANNEL_D, CHANNEL_Q, CHANNELS } Channel;

typedef struct Balancing {
  Mechanics *mech;
  Model *out;
  Expr *residual[CHANNELS]; // 3 a body, in pose symbols
  uint32_t *coordinate;     // of each body: the first that its joint leaves free
} Balancing;

// ---- Residuals of single bodies

static void sum_by_poses(Balancing *b, EnergyKind kind, int order, Expr *out) {
  Context *cx = b->mech->cx;
  uint32_t n = 3 * b->mech->n;
  Mark mark = arena_mark(&cx->scratch);
  Expr *poses = arena_array(&cx->scratch, Expr, n);
  for (uint32_t i = 0; i < n; i++) {
    poses[i] = b->mech->m->bodies.at[i / 3].pose[i % 3];
    if (order) poses[i] = expr_time_derivative(cx, poses[i]);
  }
  Expr sum = expr_int(cx, 0);
  for (uint32_t i = 0; i < b->mech->energies.n; i++) {
    if (b->mech->energies.at[i].kind == kind)
      sum = expr_add(cx, sum, b->mech->energies.at[i].value);
  }
  for (uint32_t i = 0; i < b->mech->model->energies.n; i++) {
    if (b->mech->model->energies.at[i].kind == kind)
      sum = expr_add(cx, sum, b->mech->model->energies.at[i].value);
  }
  expr_gradient(cx, sum, poses, n, out);
  arena_release(&cx->scratch, mark);
}

// Forces at points, by virtual work on the poses.
static void sum_forces(Balancing *b, Expr *out) {
  Context *cx = b->mech->cx;
  uint32_t n = 3 * b->mech->n;
  Mark mark = arena_mark(&cx->scratch);
  Expr *poses = arena_array(&cx->scratch, Expr, n);
  for (uint32_t i = 0; i < n; i++) poses[i] = b->mech->m->bodies.at[i / 3].pose[i % 3];
  ExprList points = {0}, forces = {0};
  for (int part = 0; part < 2; part++) {
    uint32_t count = part ? b->mech->model->point_forces.n : b->mech->forces.n;
    for (uint32_t i = 0; i < count; i++) {
      const PointForce *f = part ? &b->mech->model->point_forces.at[i] : &b->mech->forces.at[i];
      for (uint32_t k = 0; k < f->n; k++) {
        vec_push(&cx->scratch, &points, f->point[k]);
        vec_push(&cx->scratch, &forces, f->force[k]);
      }
    }
  }
  expr_pull_back(cx, points.at, forces.at, points.n, poses, n, out);
  arena_release(&cx->scratch, mark);
}

// Kinetic energy that the model adds to its bodies: d/dt dT/dpose' - dT/dpose.
static void add_model_inertia(Balancing *b, Expr *inertia) {
  Context *cx = b->mech->cx;
  const Model *model = b->mech->model;
  uint32_t n = 3 * b->mech->n;
  Expr T = model_energy(model, ENERGY_KINETIC);
  if (expr_is_zero(cx, T)) return;
  Mark mark = arena_mark(&cx->scratch);
  Expr *poses = arena_array(&cx->scratch, Expr, n), *rates = arena_array(&cx->scratch, Expr, n);
  Expr *momentum = arena_array(&cx->scratch, Expr, n), *slope = arena_array(&cx->scratch, Expr, n);
  for (uint32_t i = 0; i < n; i++) {
    poses[i] = b->mech->m->bodies.at[i / 3].pose[i % 3];
    rates[i] = expr_time_derivative(cx, poses[i]);
  }
  expr_gradient(cx, T, rates, n, momentum);
  expr_gradient(cx, T, poses, n, slope);
  for (uint32_t i = 0; i < n; i++) {
    Expr change = expr_sub(cx, expr_time_derivative(cx, momentum[i]), slope[i]);
    inertia[i] = expr_add(cx, inertia[i], change);
  }
  arena_release(&cx->scratch, mark);
}

static void find_residuals(Balancing *b) {
  Context *cx = b->mech->cx;
  uint32_t n = 3 * b->mech->n;
  for (int c = 0; c < CHANNELS; c++) b->residual[c] = arena_array(&cx->keep, Expr, n);
  for (uint32_t i = 0; i < n; i++) {
    const Body *body = &b->mech->m->bodies.at[i / 3];
    Expr acceleration = expr_time_derivative(cx, expr_time_derivative(cx, body->pose[i % 3]));
    b->residual[CHANNEL_INERTIA][i] =
        expr_mul(cx, i % 3 == 2 ? body->inertia : body->mass, acceleration);
  }
  add_model_inertia(b, b->residual[CHANNEL_INERTIA]);
  sum_by_poses(b, ENERGY_POTENTIAL, 0, b->residual[CHANNEL_G]);
  sum_by_poses(b, ENERGY_DISSIPATION, 1, b->residual[CHANNEL_D]);
  sum_forces(b, b->residual[CHANNEL_Q]);
}

// ---- Outboard parts

static bool is_outboard(const Mechanics *mech, uint32_t body, uint32_t of) {
  while (body != of) {
    if (body == GROUND || mech->branches[body].joint == NO_JOINT) return false;
    body = mech->branches[body].parent;
  }
  return true;
}

// sum of (r - P) x R + R_t over the part that begins with a body
static Expr moment(Balancing *b, uint32_t first, const Expr *R, const Expr P[2]) {
  Context *cx = b->mech->cx;
  Expr sum = expr_int(cx, 0);
  for (uint32_t i = 0; i < b->mech->n; i++) {
    if (!is_outboard(b->mech, i, first)) continue;
    const Body *body = &b->mech->m->bodies.at[i];
    Expr arm_x = expr_sub(cx, body->pose[0], P[0]), arm_y = expr_sub(cx, body->pose[1], P[1]);
    Expr terms[4] = {sum, expr_mul(cx, arm_x, R[3 * i + 1]),
                     expr_neg(cx, expr_mul(cx, arm_y, R[3 * i])), R[3 * i + 2]};
    sum = expr_sum(cx, terms, 4);
  }
  return sum;
}

static Expr force_along(Balancing *b, uint32_t first, const Expr *R, const Expr direction[2]) {
  Context *cx = b->mech->cx;
  Expr x = expr_int(cx, 0), y = x;
  for (uint32_t i = 0; i < b->mech->n; i++) {
    if (!is_outboard(b->mech, i, first)) continue;
    x = expr_add(cx, x, R[3 * i]), y = expr_add(cx, y, R[3 * i + 1]);
  }
  return plane_dot(cx, direction, (Expr[]){x, y});
}

// ---- Balances

typedef VEC(MomentumBalance) BalanceList;

static void add_balance(Balancing *b, BalanceList *list, MomentumBalance balance, uint32_t body,
                        const Expr where[2]) {
  Expr part[CHANNELS];
  for (int c = 0; c < CHANNELS; c++)
    part[c] = balance.kind == BALANCE_MOMENT ? moment(b, body, b->residual[c], where)
                                             : force_along(b, body, b->residual[c], where);
  mechanics_put_poses(b->mech, part, CHANNELS, part);
  balance.inertia = part[CHANNEL_INERTIA], balance.G = part[CHANNEL_G];
  balance.D = part[CHANNEL_D], balance.Q = part[CHANNEL_Q];
  balance.body = b->mech->m->bodies.at[body].name;
  vec_push(&b->mech->cx->keep, list, balance);
}

// The direction in which a slide's coordinate moves the outboard part.
static void slide_direction(Balancing *b, uint32_t body, Expr out[2]) {
  Context *cx = b->mech->cx;
  const Branch *branch = &b->mech->branches[body];
  const Joint *joint = &b->mech->m->joints.at[branch->joint];
  Expr angle = body_angle(cx, b->mech->m, joint->first.body);
  if (joint->axis) angle = expr_add(cx, angle, joint->axis);
  out[0] = expr_cos(cx, angle), out[1] = expr_sin(cx, angle);
  for (int i = 0; branch->is_reversed && i < 2; i++) out[i] = expr_neg(cx, out[i]);
}

static void balance_body(Balancing *b, uint32_t body, BalanceList *list) {
  Context *cx = b->mech->cx;
  const Branch *branch = &b->mech->branches[body];
  const Body *record = &b->mech->m->bodies.at[body];
  uint32_t coordinate = b->coordinate[body];
  if (branch->joint == NO_JOINT) {
    Expr x[2] = {expr_int(cx, 1), expr_int(cx, 0)}, y[2] = {x[1], x[0]};
    add_balance(b, list, (MomentumBalance){.kind = BALANCE_FORCE, .coordinate = coordinate}, body,
                x);
    add_balance(b, list, (MomentumBalance){.kind = BALANCE_FORCE, .coordinate = coordinate + 1},
                body, y);
    if (!b->mech->is_idle[body])
      add_balance(b, list, (MomentumBalance){.kind = BALANCE_MOMENT, .coordinate = coordinate + 2},
                  body, record->pose);
    return;
  }
  if (b->mech->is_idle[body]) return;
  const Joint *joint = &b->mech->m->joints.at[branch->joint];
  Expr where[2];
  if (joint_leaves(joint, LEAVES_TURN)) {
    Anchor parent, child;
    branch_anchors(b->mech, body, &parent, &child);
    anchor_point(cx, b->mech->m, &child, where);
    add_balance(b, list, (MomentumBalance){BALANCE_MOMENT, joint->name, 0, coordinate, 0, 0, 0, 0},
                body, where);
  } else if (joint_leaves(joint, LEAVES_SLIDE)) {
    slide_direction(b, body, where);
    add_balance(b, list, (MomentumBalance){BALANCE_FORCE, joint->name, 0, coordinate, 0, 0, 0, 0},
                body, where);
  }
}

// Coordinates in the order in which the spanning tree made them.
static void find_coordinates(Balancing *b) {
  uint32_t next = b->mech->model->coordinates.n;
  for (uint32_t i = 0; i < b->mech->n; i++) {
    uint32_t body = b->mech->order[i];
    const Branch *branch = &b->mech->branches[body];
    b->coordinate[body] = next;
    if (b->mech->is_idle[body])
      next += branch->joint == NO_JOINT ? 2 : 0;
    else if (branch->joint == NO_JOINT)
      next += 3;
    else if (!joint_leaves(&b->mech->m->joints.at[branch->joint], LEAVES_NOTHING))
      next += 1;
  }
}

// Does a body carry an angle of its own? Then it does not turn with its parent.
static bool turns_by_itself(const Mechanics *mech, uint32_t body) {
  const Branch *branch = &mech->branches[body];
  return branch->joint == NO_JOINT || joint_leaves(&mech->m->joints.at[branch->joint], LEAVES_TURN);
}

// The body whose angle a body turns with.
static uint32_t turning_body(const Mechanics *mech, uint32_t body) {
  while (body != GROUND && !turns_by_itself(mech, body)) body = mech->branches[body].parent;
  return body;
}

// Equations by coordinate: a balance, less the moments that hang on the next pins outward.
static void combine(Balancing *b, const BalanceList *list, Balances *out) {
  Context *cx = b->mech->cx;
  uint32_t n = b->out->coordinates.n;
  Expr *sums[CHANNELS];
  for (int c = 0; c < CHANNELS; c++) {
    sums[c] = arena_array(&cx->keep, Expr, n);
    for (uint32_t i = 0; i < n; i++) sums[c][i] = expr_int(cx, 0);
  }
  for (uint32_t i = 0; i < list->n; i++) {
    const MomentumBalance *balance = &list->at[i];
    const Expr part[CHANNELS] = {balance->inertia, balance->G, balance->D, balance->Q};
    for (int c = 0; c < CHANNELS; c++) {
      Expr *sum = &sums[c][balance->coordinate];
      *sum = expr_add(cx, *sum, part[c]);
    }
  }
  for (uint32_t body = 0; body < b->mech->n; body++) {
    const Branch *branch = &b->mech->branches[body];
    bool counts = branch->joint != NO_JOINT && turns_by_itself(b->mech, body);
    if (!counts || b->mech->is_idle[body]) continue;
    uint32_t inner = turning_body(b->mech, branch->parent);
    if (inner == GROUND || b->mech->is_idle[inner]) continue;
    uint32_t angle = b->coordinate[inner] + (b->mech->branches[inner].joint == NO_JOINT ? 2 : 0);
    for (uint32_t i = 0; i < list->n; i++) {
      const MomentumBalance *balance = &list->at[i];
      if (balance->coordinate != b->coordinate[body]) continue;
      const Expr part[CHANNELS] = {balance->inertia, balance->G, balance->D, balance->Q};
      for (int c = 0; c < CHANNELS; c++) sums[c][angle] = expr_sub(cx, sums[c][angle], part[c]);
    }
  }
  *out = (Balances){list->at,        list->n,         sums[CHANNEL_INERTIA],
                    sums[CHANNEL_G], sums[CHANNEL_D], sums[CHANNEL_Q]};
}

static Status refuse_mixed(Mechanics *mech) {
  const Model *model = mech->model;
  if (model->coordinates.n == 0) return QDOT_OK;
  Status status = diag_error(mech->cx, QDOT_UNSUPPORTED, model->coordinates.at[0].span,
                             "a coordinate besides the bodies has no momentum balance");
  diag_note(mech->cx, "use the formulation lagrange or maximal");
  return status;
}

Status formulate_newton_euler(Mechanics *mech, Model *out) {
  Status status = refuse_mixed(mech);
  if (status == QDOT_OK) status = formulate_lagrange(mech, out);
  if (status != QDOT_OK) return status;
  Balancing b = {.mech = mech, .out = out};
  b.coordinate = arena_array(&mech->cx->keep, uint32_t, mech->n);
  find_coordinates(&b);
  find_residuals(&b);
  BalanceList list = {0};
  for (uint32_t i = 0; i < mech->n; i++) balance_body(&b, mech->order[i], &list);
  Balances *balances = arena_new(&mech->cx->keep, Balances);
  combine(&b, &list, balances);
  out->balances = balances;
  return QDOT_OK;
}
