// What a joint transmits: the force and torque of its first body on its second, found by releasing
// the joint.
//
// A joint that stays a constraint transmits the forces of its rows, of its motor and of its
// friction. A joint of the spanning tree, whose rows coordinates have made superfluous, carries
// what the part outboard of it needs: mass times acceleration, less all that acts on that part
// otherwise. Wrenches are summed about the world's origin and moved to the joint at the end.
#include "derive/mesh.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/plane.h"

typedef struct Wrench {
  Expr x, y, moment; // about the world's origin
} Wrench;

typedef struct Releasing {
  Mechanics *mech;
  bool all_are_rows; // maximal coordinates: no joint is made superfluous
  Expr *poses, *rates;
  Expr *needed; // 3 a body: mass times acceleration, less what acts on it but for joints
} Releasing;

static Wrench no_wrench(Context *cx) {
  Expr zero = expr_int(cx, 0);
  return (Wrench){zero, zero, zero};
}

// Adds factor times a force at a body's centre and a torque on it.
static void add_to(Releasing *r, Wrench *sum, uint32_t body, const Expr g[3], Expr factor) {
  Context *cx = r->mech->cx;
  const Expr *pose = r->mech->m->bodies.at[body].pose;
  Expr x = expr_mul(cx, factor, g[0]), y = expr_mul(cx, factor, g[1]);
  sum->x = expr_add(cx, sum->x, x), sum->y = expr_add(cx, sum->y, y);
  Expr terms[4] = {sum->moment, expr_mul(cx, factor, g[2]), expr_mul(cx, pose[0], y),
                   expr_neg(cx, expr_mul(cx, pose[1], x))};
  sum->moment = expr_sum(cx, terms, 4);
}

// ---- What acts on bodies beside their joints

static bool is_joint_friction(const Mechanics *mech, const Energy *e) {
  if (e->kind != ENERGY_DISSIPATION) return false;
  for (uint32_t i = 0; i < mech->m->joints.n; i++)
    if (mech->m->joints.at[i].name == e->name && mech->m->joints.at[i].friction) return true;
  return false;
}

static Expr total(Releasing *r, EnergyKind kind, bool of_model) {
  Context *cx = r->mech->cx;
  Expr sum = expr_int(cx, 0);
  for (uint32_t i = 0; !of_model && i < r->mech->energies.n; i++) {
    const Energy *e = &r->mech->energies.at[i];
    if (e->kind == kind && !is_joint_friction(r->mech, e)) sum = expr_add(cx, sum, e->value);
  }
  for (uint32_t i = 0; of_model && i < r->mech->model->energies.n; i++) {
    const Energy *e = &r->mech->model->energies.at[i];
    if (e->kind == kind) sum = expr_add(cx, sum, e->value);
  }
  return sum;
}

static void add_gradient(Releasing *r, Expr e, bool by_rates, Expr factor) {
  Context *cx = r->mech->cx;
  uint32_t n = 3 * r->mech->n;
  Mark mark = arena_mark(&cx->scratch);
  Expr *slope = arena_array(&cx->scratch, Expr, n);
  expr_gradient(cx, e, by_rates ? r->rates : r->poses, n, slope);
  for (uint32_t i = 0; i < n; i++)
    r->needed[i] = expr_add(cx, r->needed[i], expr_mul(cx, factor, slope[i]));
  arena_release(&cx->scratch, mark);
}

// Kinetic energy that the model adds to its bodies: d/dt dT/dpose' - dT/dpose.
static void add_user_inertia(Releasing *r) {
  Context *cx = r->mech->cx;
  uint32_t n = 3 * r->mech->n;
  Expr T = total(r, ENERGY_KINETIC, true);
  if (expr_is_zero(cx, T)) return;
  Mark mark = arena_mark(&cx->scratch);
  Expr *momentum = arena_array(&cx->scratch, Expr, n);
  expr_gradient(cx, T, r->rates, n, momentum);
  for (uint32_t i = 0; i < n; i++)
    r->needed[i] = expr_add(cx, r->needed[i], expr_time_derivative(cx, momentum[i]));
  arena_release(&cx->scratch, mark);
  add_gradient(r, T, false, expr_int(cx, -1));
}

static void add_user_forces(Releasing *r) {
  Context *cx = r->mech->cx;
  const Model *model = r->mech->model;
  uint32_t n = 3 * r->mech->n;
  Mark mark = arena_mark(&cx->scratch);
  ExprList points = {0}, forces = {0};
  for (uint32_t i = 0; i < model->point_forces.n; i++)
    for (uint32_t k = 0; k < model->point_forces.at[i].n; k++) {
      vec_push(&cx->scratch, &points, model->point_forces.at[i].point[k]);
      vec_push(&cx->scratch, &forces, model->point_forces.at[i].force[k]);
    }
  Expr *pulled = arena_array(&cx->scratch, Expr, n);
  expr_pull_back(cx, points.at, forces.at, points.n, r->poses, n, pulled);
  for (uint32_t i = 0; i < n; i++) r->needed[i] = expr_sub(cx, r->needed[i], pulled[i]);
  arena_release(&cx->scratch, mark);
}

static void find_needed(Releasing *r) {
  Context *cx = r->mech->cx;
  uint32_t n = 3 * r->mech->n;
  const Model *model = r->mech->model;
  Expr one = expr_int(cx, 1);
  r->needed = arena_array(&cx->keep, Expr, n);
  for (uint32_t i = 0; i < n; i++) {
    const Body *body = &r->mech->m->bodies.at[i / 3];
    r->needed[i] = expr_mul(cx, i % 3 == 2 ? body->inertia : body->mass,
                            expr_time_derivative(cx, r->rates[i]));
  }
  for (int of_model = 0; of_model < 2; of_model++) {
    add_gradient(r, total(r, ENERGY_POTENTIAL, of_model), false, one);
    add_gradient(r, total(r, ENERGY_DISSIPATION, of_model), true, one);
  }
  add_user_inertia(r);
  add_user_forces(r);
  for (uint32_t i = 0; i < model->constraints.n; i++) {
    const Constraint *c = &model->constraints.at[i];
    add_gradient(r, c->phi, c->is_nonholonomic, c->multiplier);
  }
  for (uint32_t i = 0; i < model->contacts.n; i++)
    add_gradient(r, model->contacts.at[i].phi, false, model->contacts.at[i].multiplier);
}

// ---- Joints that are constraints

static void add_slope(Releasing *r, Expr e, const Expr *by, Expr factor, Expr g[3]) {
  Context *cx = r->mech->cx;
  Expr slope[3];
  expr_gradient(cx, e, by, 3, slope);
  for (int i = 0; i < 3; i++) g[i] = expr_add(cx, g[i], expr_mul(cx, factor, slope[i]));
}

static bool belongs_to(const Mechanics *mech, const PoseRow *row, uint32_t joint) {
  if (row->joint != NO_JOINT) return row->joint == joint;
  for (uint32_t i = 0; i < mech->m->motors.n; i++)
    if (mech->m->motors.at[i].name == row->name) return mech->m->motors.at[i].joint == joint;
  return false;
}

// What a pressure angle adds to the teeth's force; it does no work, so that no row knows it.
static void add_separation(Releasing *r, const Joint *joint, uint32_t body, Expr lambda,
                           Expr g[3]) {
  Context *cx = r->mech->cx;
  const Expr *pose = r->mech->m->bodies.at[body].pose;
  Expr force[2], at[2];
  if (body != joint->first.body && body != joint->second.body) return;
  if (!mesh_separation(r->mech, joint, lambda, force, at)) return;
  for (int i = 0; i < 2; i++) {
    if (body == joint->first.body) force[i] = expr_neg(cx, force[i]);
    g[i] = expr_add(cx, g[i], force[i]);
    at[i] = expr_sub(cx, at[i], pose[i]);
  }
  g[2] = expr_add(cx, g[2], plane_cross(cx, at, force));
}

// All that a joint does to one of its bodies: -Phi_q^T lambda, its motor, its friction.
static void joint_on_body(Releasing *r, uint32_t number, uint32_t body, Expr g[3]) {
  Context *cx = r->mech->cx;
  const Mechanism *m = r->mech->m;
  const Joint *joint = &m->joints.at[number];
  const Expr *poses = r->poses + 3 * body, *rates = r->rates + 3 * body;
  for (int i = 0; i < 3; i++) g[i] = expr_int(cx, 0);
  for (uint32_t i = 0; i < r->mech->rows.n; i++) {
    const PoseRow *row = &r->mech->rows.at[i];
    if (!belongs_to(r->mech, row, number)) continue;
    Expr lambda = expr_symbol(cx, SYMBOL_MULTIPLIER, row_multiplier(cx, row->name));
    add_slope(r, row->phi, row->is_nonholonomic ? rates : poses, expr_neg(cx, lambda), g);
    if (row->joint == number) add_separation(r, joint, body, lambda, g);
  }
  for (uint32_t i = 0; i < m->motors.n; i++)
    if (m->motors.at[i].joint == number && !m->motors.at[i].is_speed)
      add_slope(r, joint_motion(cx, m, joint), poses, m->motors.at[i].value, g);
  if (joint->mu) add_slope(r, joint_slip(cx, m, joint), poses, joint->rub, g);
  if (joint->rolling) add_slope(r, joint_motion(cx, m, joint), poses, joint->roll_torque, g);
  if (joint->friction) {
    Expr rate = expr_time_derivative(cx, joint_motion(cx, m, joint));
    add_slope(r, rate, rates, expr_neg(cx, expr_mul(cx, joint->friction, rate)), g);
  }
}

// A gear also acts on the arm that carries it.
static bool acts_on(const Joint *joint, uint32_t body) {
  return joint->first.body == body || joint->second.body == body || joint->carrier == body;
}

static bool is_row(const Releasing *r, uint32_t joint) {
  return r->all_are_rows || !r->mech->is_tree_joint[joint];
}

// ---- Joints of the tree

static bool is_outboard(const Mechanics *mech, uint32_t body, uint32_t of) {
  while (body != of) {
    if (body == GROUND || mech->branches[body].joint == NO_JOINT) return false;
    body = mech->branches[body].parent;
  }
  return true;
}

// What the joint that carries a body has to do to the part that begins with it.
static Wrench carried(Releasing *r, uint32_t first) {
  Context *cx = r->mech->cx;
  Wrench sum = no_wrench(cx);
  for (uint32_t body = 0; body < r->mech->n; body++) {
    if (!is_outboard(r->mech, body, first)) continue;
    add_to(r, &sum, body, r->needed + 3 * body, expr_int(cx, 1));
    for (uint32_t j = 0; j < r->mech->m->joints.n; j++) {
      if (!is_row(r, j) || !acts_on(&r->mech->m->joints.at[j], body)) continue;
      Expr g[3];
      joint_on_body(r, j, body, g);
      add_to(r, &sum, body, g, expr_int(cx, -1));
    }
  }
  return sum;
}

// ---- Both

// The wrench on the second body.
static Wrench transmitted(Releasing *r, uint32_t number) {
  Context *cx = r->mech->cx;
  const Joint *joint = &r->mech->m->joints.at[number];
  Wrench sum = no_wrench(cx);
  bool on_first = joint->second.body == GROUND;
  if (is_row(r, number)) {
    uint32_t body = on_first ? joint->first.body : joint->second.body;
    Expr g[3];
    joint_on_body(r, number, body, g);
    add_to(r, &sum, body, g, expr_int(cx, 1));
  } else {
    bool second_hangs =
        joint->second.body != GROUND && r->mech->branches[joint->second.body].joint == number;
    on_first = !second_hangs;
    sum = carried(r, second_hangs ? joint->second.body : joint->first.body);
  }
  if (on_first) sum = (Wrench){expr_neg(cx, sum.x), expr_neg(cx, sum.y), expr_neg(cx, sum.moment)};
  return sum;
}

static void open_releasing(Releasing *r) {
  Context *cx = r->mech->cx;
  uint32_t n = 3 * r->mech->n;
  r->poses = arena_array(&cx->keep, Expr, n), r->rates = arena_array(&cx->keep, Expr, n);
  for (uint32_t k = 0; k < n; k++) {
    r->poses[k] = r->mech->m->bodies.at[k / 3].pose[k % 3];
    r->rates[k] = expr_time_derivative(cx, r->poses[k]);
  }
  find_needed(r);
}

static Reaction reaction_of(Releasing *r, uint32_t number) {
  Context *cx = r->mech->cx;
  Wrench w = transmitted(r, number);
  Expr at[2];
  anchor_point(cx, r->mech->m, &r->mech->m->joints.at[number].second, at);
  Expr torque[3] = {w.moment, expr_neg(cx, expr_mul(cx, at[0], w.y)), expr_mul(cx, at[1], w.x)};
  return (Reaction){number, {w.x, w.y, expr_sum(cx, torque, 3)}};
}

// ---- All that holds the mechanism, where that may be more than its motion needs

static bool has_loops(const Mechanics *mech) {
  if (mech->model->constraints.n > 0 || mech->model->contacts.n > 0) return true;
  for (uint32_t i = 0; i < mech->rows.n; i++)
    if (mech->rows.at[i].joint == NO_JOINT || !mech->is_tree_joint[mech->rows.at[i].joint])
      return true;
  return false;
}

static void add_load(Mechanics *mech, Expr value, bool is_torque) {
  if (!expr_is_zero(mech->cx, value))
    vec_push(&mech->cx->keep, &mech->loads, ((Load){value, is_torque}));
}

// What a constraint or contact of the model does to the bodies.
static void add_row_loads(Releasing *r, Expr phi, bool by_rates, Expr multiplier) {
  Context *cx = r->mech->cx;
  uint32_t n = 3 * r->mech->n;
  Mark mark = arena_mark(&cx->scratch);
  Expr *slope = arena_array(&cx->scratch, Expr, n);
  expr_gradient(cx, phi, by_rates ? r->rates : r->poses, n, slope);
  for (uint32_t i = 0; i < n; i++)
    add_load(r->mech, expr_mul(cx, multiplier, slope[i]), i % 3 == 2);
  arena_release(&cx->scratch, mark);
}

static void find_loads(Releasing *r) {
  const Model *model = r->mech->model;
  for (uint32_t i = 0; i < r->mech->m->joints.n; i++) {
    Reaction reaction = reaction_of(r, i);
    for (int k = 0; k < 3; k++) add_load(r->mech, reaction.value[k], k == 2);
  }
  for (uint32_t i = 0; i < model->constraints.n; i++) {
    const Constraint *c = &model->constraints.at[i];
    add_row_loads(r, c->phi, c->is_nonholonomic, c->multiplier);
  }
  for (uint32_t i = 0; i < model->contacts.n; i++)
    add_row_loads(r, model->contacts.at[i].phi, false, model->contacts.at[i].multiplier);
}

void mechanics_reactions(Mechanics *mech, bool all_are_rows) {
  Releasing r = {.mech = mech, .all_are_rows = all_are_rows};
  for (uint32_t i = 0; i < mech->m->joints.n; i++) {
    if (!mech->m->joints.at[i].is_measured) continue;
    if (!r.needed) open_releasing(&r);
    vec_push(&mech->cx->keep, &mech->reactions, reaction_of(&r, i));
  }
  if (r.needed && has_loops(mech)) find_loads(&r);
}
