// Energies, forces and constraints of a mechanism in pose symbols.
#include "derive/mechanics.h"

#include "derive/mesh.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/plane.h"
#include "expr/subst.h"

static void add_energy(Mechanics *mech, EnergyKind kind, Symbol name, Expr value, Span span) {
  if (expr_is_zero(mech->cx, value)) return;
  vec_push(&mech->cx->keep, &mech->energies, ((Energy){kind, name, value, span}));
}

static void add_body(Mechanics *mech, const Body *b) {
  Context *cx = mech->cx;
  Expr rate[3];
  for (int i = 0; i < 3; i++) rate[i] = expr_time_derivative(cx, b->pose[i]);
  Expr T = expr_half_square(cx, b->mass, rate[0]);
  T = expr_add(cx, T, expr_half_square(cx, b->mass, rate[1]));
  T = expr_add(cx, T, expr_half_square(cx, b->inertia, rate[2]));
  add_energy(mech, ENERGY_KINETIC, b->name, T, b->span);
  if (!mech->m->gravity[0]) return;
  Expr lift = plane_dot(cx, mech->m->gravity, b->pose);
  add_energy(mech, ENERGY_POTENTIAL, b->name, expr_neg(cx, expr_mul(cx, b->mass, lift)), b->span);
}

// V = k/2 (l - l_0)^2 + F_0 (l - l_0), R = c/2 l'^2
static void add_spring(Mechanics *mech, const Spring *s) {
  Context *cx = mech->cx;
  Expr length = spring_length(cx, mech->m, s);
  Expr stretch = s->length ? expr_sub(cx, length, s->length) : length;
  if (s->stiffness)
    add_energy(mech, ENERGY_POTENTIAL, s->name, expr_half_square(cx, s->stiffness, stretch),
               s->span);
  if (s->preload)
    add_energy(mech, ENERGY_POTENTIAL, s->name, expr_mul(cx, s->preload, stretch), s->span);
  if (s->damping)
    add_energy(mech, ENERGY_DISSIPATION, s->name,
               expr_half_square(cx, s->damping, expr_time_derivative(cx, length)), s->span);
}

// A force along what moves, by what presses the joint.
static void add_press(Mechanics *mech, const Joint *joint, Press press, Expr along) {
  Context *cx = mech->cx;
  PointForce force = {.n = 1, .point = {along}, .force = {press.force}, .span = joint->span};
  vec_push(&cx->keep, &mech->forces, force);
  press.joint = joint->name;
  press.value = joint_load(cx, mech->m, joint);
  press.slip = expr_time_derivative(cx, along);
  press.span = joint->span;
  vec_push(&cx->keep, &mech->presses, press);
}

// Coulomb's friction.
static void add_rubbing(Mechanics *mech, const Joint *joint) {
  Context *cx = mech->cx;
  bool none = expr_is_zero(cx, joint->mu);
  Press press = {.name = joint->name,
                 .symbol = joint->press,
                 .force = joint_friction(cx, mech->m, joint),
                 .rub = joint->rub,
                 .grip = joint_grip(cx, joint),
                 .hold = none ? expr_int(cx, 1) : expr_div(cx, joint->mu_rest, joint->mu)};
  add_press(mech, joint, press, joint_slip(cx, mech->m, joint));
}

// Resistance to rolling.
static void add_rolling(Mechanics *mech, const Joint *joint) {
  Context *cx = mech->cx;
  Press press = {.name = joint->rolls,
                 .symbol = joint->roll_press,
                 .force = joint_roll_torque(cx, mech->m, joint),
                 .rub = joint->roll_torque,
                 .grip = joint->rolling,
                 .hold = expr_int(cx, 1)};
  add_press(mech, joint, press, joint_motion(cx, mech->m, joint));
}

static void add_joint_effects(Mechanics *mech, const Joint *joint) {
  Context *cx = mech->cx;
  if (joint->mu) add_rubbing(mech, joint);
  if (joint->rolling) add_rolling(mech, joint);
  if (!joint->friction) return;
  Expr rate = expr_time_derivative(cx, joint_motion(cx, mech->m, joint));
  add_energy(mech, ENERGY_DISSIPATION, joint->name, expr_half_square(cx, joint->friction, rate),
             joint->span);
}

Status mechanics_elements(Mechanics *mech) {
  const Mechanism *m = mech->m;
  for (uint32_t i = 0; i < m->bodies.n; i++) add_body(mech, &m->bodies.at[i]);
  for (uint32_t i = 0; i < m->springs.n; i++) add_spring(mech, &m->springs.at[i]);
  for (uint32_t i = 0; i < m->joints.n; i++) add_joint_effects(mech, &m->joints.at[i]);
  for (uint32_t i = 0; i < m->motors.n; i++) {
    const Motor *motor = &m->motors.at[i];
    if (motor->is_speed) continue;
    PointForce force = {.n = 1, .span = motor->span};
    force.point[0] = joint_motion(mech->cx, m, &m->joints.at[motor->joint]);
    force.force[0] = motor->value;
    vec_push(&mech->cx->keep, &mech->forces, force);
  }
  return QDOT_OK;
}

#define CHANGING_KINDS (~KIND_BIT(SYMBOL_PARAMETER) & ((1u << SYMBOL_KINDS) - 1))

// e where all bodies are as first assembled, at t = 0.
static Expr at_start(Mechanics *mech, Expr e) {
  Context *cx = mech->cx;
  Mark mark = arena_mark(&cx->scratch);
  Substitution *list = arena_array(&cx->scratch, Substitution, 3 * mech->n);
  for (uint32_t i = 0; i < 3 * mech->n; i++)
    list[i] = (Substitution){mech->m->bodies.at[i / 3].pose[i % 3], mech->start[i / 3].at[i % 3]};
  Expr result = expr_subst(cx, e, list, 3 * mech->n);
  arena_release(&cx->scratch, mark);
  return expr_at_start(cx, result);
}

// A constant speed w is the position w t since the start, another one a constraint on the velocity.
static PoseRow motor_row(Mechanics *mech, const Motor *motor) {
  Context *cx = mech->cx;
  const Joint *joint = &mech->m->joints.at[motor->joint];
  PoseRow row = {.name = motor->name,
                 .length_power = joint_leaves(joint, LEAVES_SLIDE),
                 .joint = NO_JOINT,
                 .span = motor->span};
  Expr motion = joint_motion(cx, mech->m, joint);
  row.is_nonholonomic = expr_has_kind(cx, motor->value, CHANGING_KINDS);
  if (row.is_nonholonomic) {
    row.phi = expr_sub(cx, expr_time_derivative(cx, motion), motor->value);
    return row;
  }
  Expr t = expr_symbol(cx, SYMBOL_TIME, symbol_from_text(cx, "t"));
  Expr since = expr_sub(cx, motion, at_start(mech, motion));
  row.phi = expr_sub(cx, since, expr_mul(cx, motor->value, t));
  return row;
}

// A pressure angle needs bearings whose load follows from what they carry.
static Status check_pressure(Mechanics *mech, const Joint *joint, bool is_held) {
  if (!joint->pressure) return QDOT_OK;
  mech->has_pressure = true;
  if (is_held) return QDOT_OK;
  Status status = diag_error(mech->cx, QDOT_UNSUPPORTED, joint->span,
                             "nothing supports the teeth of %s '%s' when they push apart",
                             joint_word(joint->kind), symbol_text(mech->cx, joint->name));
  diag_note(mech->cx, joint->kind == JOINT_RACK
                          ? "'pressure' needs a pinion on a pin and a rack on a slide"
                          : "'pressure' needs both wheels on pins of the carrier or the ground");
  return status;
}

// The teeth of the gear whose row came last act on the centres of its wheels, too.
static Status load_teeth(Mechanics *mech, const Joint *joint) {
  Context *cx = mech->cx;
  Mesh mesh;
  if (joint->kind == JOINT_RACK) {
    uint32_t pinion = joint->first.body, rack = joint->second.body;
    bool held = pinion != GROUND && mech->branches[pinion].joint != NO_JOINT &&
                (rack == GROUND || mech->branches[rack].joint != NO_JOINT);
    return check_pressure(mech, joint, held);
  }
  bool is_mesh = mesh_find(mech, joint, &mesh), in_tree = is_mesh && mesh_is_in_tree(mech, &mesh);
  if (is_mesh) {
    PoseRow *row = &mech->rows.at[mech->rows.n - 1];
    Expr rest = expr_sub(cx, expr_int(cx, 1), joint->ratio);
    if (in_tree) row->plain = row->phi;
    row->phi = expr_sub(cx, row->phi, expr_mul(cx, rest, mesh_deviation(mech, &mesh)));
  }
  return check_pressure(mech, joint, in_tree);
}

void mechanics_shorten(Mechanics *mech) {
  for (uint32_t i = 0; i < mech->rows.n; i++) {
    PoseRow *row = &mech->rows.at[i];
    if (row->plain) row->phi = row->plain;
  }
}

Status mechanics_rows(Mechanics *mech) {
  Context *cx = mech->cx;
  for (uint32_t i = 0; i < mech->m->joints.n; i++) {
    const Joint *joint = &mech->m->joints.at[i];
    Expr phi[3];
    joint_rows(cx, mech->m, joint, mech->start, phi);
    for (uint32_t k = 0; k < joint_row_count(joint->kind); k++) {
      PoseRow row = {.name = joint_row_name(cx, joint, k),
                     .phi = phi[k],
                     .length_power = joint_row_is_length(joint->kind, k),
                     .joint = i,
                     .row = k,
                     .span = joint->span};
      vec_push(&cx->keep, &mech->rows, row);
    }
    Status status = load_teeth(mech, joint);
    if (status != QDOT_OK) return status;
  }
  for (uint32_t i = 0; i < mech->m->motors.n; i++) {
    if (mech->m->motors.at[i].is_speed)
      vec_push(&cx->keep, &mech->rows, motor_row(mech, &mech->m->motors.at[i]));
  }
  return QDOT_OK;
}

Status mechanics_open(Context *cx, const Model *model, Mechanics *out) {
  *out = (Mechanics){.cx = cx, .model = model, .m = &model->mechanism};
  out->n = model->mechanism.bodies.n;
  mechanics_tree(out);
  Status status = mechanics_elements(out);
  if (status == QDOT_OK) status = mechanics_rows(out);
  if (status == QDOT_OK) mechanics_find_idle(out);
  return status;
}
