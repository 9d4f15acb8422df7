// Centres by pins; the teeth's force as the gradient of an angle that is measured from the line of
// centres.
//
// For wheels of radii r_1, r_2 that roll on each other, r_1 (theta_1 - phi) + r_2 (theta_2 - phi)
// is constant, phi the direction of the line of centres (an internal wheel has a negative radius).
// Its gradient by the centres is what rolling at the pitch point asks for, so that its multiplier
// is the tangential force of the teeth. With ratio = -r_1 / r_2 that is theta_2 - ratio theta_1 -
// (1 - ratio) phi: no radius is needed, the distance of the centres and the ratio say it.
#include "derive/mesh.h"

#include <math.h>

#include "expr/plane.h"
#include "expr/value/eval.h"
#include "model/values.h"

typedef struct Finding {
  const Mechanics *mech;
  const double *values; // of parameters
} Finding;

static double value_of(const Finding *f, Expr e) { return expr_eval(f->mech->cx, e, f->values); }

// The ends of a pin as `body` sees them; false where the joint is not a pin of that body.
static bool pin_ends(const Joint *joint, uint32_t body, Anchor *mine, Anchor *other) {
  if (!joint_leaves(joint, LEAVES_TURN)) return false;
  if (joint->first.body != body && joint->second.body != body) return false;
  bool first = joint->first.body == body;
  *mine = first ? joint->first : joint->second;
  *other = first ? joint->second : joint->first;
  return true;
}

static bool is_moving(const Finding *f, Expr e) {
  return expr_has_kind(f->mech->cx, e, KIND_BIT(SYMBOL_TIME));
}

static bool is_same_point(const Finding *f, const Anchor *a, const Anchor *b) {
  double size = 0, apart = 0;
  bool moves = false;
  for (int i = 0; i < 2; i++) moves = moves || is_moving(f, a->at[i]) || is_moving(f, b->at[i]);
  if (moves) return a->at[0] == b->at[0] && a->at[1] == b->at[1];
  for (int i = 0; i < 2; i++) {
    double p = value_of(f, a->at[i]), q = value_of(f, b->at[i]);
    size = fmax(size, fmax(fabs(p), fabs(q))), apart = fmax(apart, fabs(p - q));
  }
  return apart <= 1e-9 * size;
}

// The carrier's pin about the same point of the third body.
static bool find_arm(const Finding *f, uint32_t carrier, const Anchor *third, MeshEnd *out) {
  const Mechanism *m = f->mech->m;
  for (uint32_t i = 0; i < m->joints.n; i++) {
    Anchor mine, other;
    if (!pin_ends(&m->joints.at[i], carrier, &mine, &other)) continue;
    if (other.body != third->body || !is_same_point(f, &other, third)) continue;
    out->arm = i, out->held = mine;
    return true;
  }
  return false;
}

static bool find_end(const Finding *f, uint32_t wheel, uint32_t carrier, MeshEnd *out) {
  const Mechanism *m = f->mech->m;
  for (int through_third = 0; through_third < 2; through_third++)
    for (uint32_t i = 0; i < m->joints.n; i++) {
      Anchor mine, other;
      if (!pin_ends(&m->joints.at[i], wheel, &mine, &other)) continue;
      *out = (MeshEnd){.wheel = mine, .held = other, .pin = i, .arm = NO_JOINT};
      if (through_third ? find_arm(f, carrier, &other, out) : other.body == carrier) return true;
    }
  return false;
}

static bool find_mesh(const Finding *f, const Joint *gear, Mesh *out) {
  Context *cx = f->mech->cx;
  if (!find_end(f, gear->first.body, gear->carrier, &out->ends[0])) return false;
  if (!find_end(f, gear->second.body, gear->carrier, &out->ends[1])) return false;
  for (int i = 0; i < 2; i++)
    out->span[i] = expr_sub(cx, out->ends[1].held.at[i], out->ends[0].held.at[i]);
  out->distance2 = plane_square(cx, out->span);
  if (is_moving(f, out->span[0]) || is_moving(f, out->span[1])) return false;
  // wheels about one point, or turning as one, have no teeth in each other
  return value_of(f, out->distance2) > 0 && fabs(1 - value_of(f, gear->ratio)) > 1e-9;
}

bool mesh_find(const Mechanics *mech, const Joint *gear, Mesh *out) {
  Context *cx = mech->cx;
  if (gear->kind != JOINT_GEAR) return false;
  Mark mark = arena_mark(&cx->scratch);
  double *values;
  bool found = false;
  if (model_values(cx, mech->model, &cx->scratch, &values) == QDOT_OK)
    found = find_mesh(&(Finding){mech, values}, gear, out);
  arena_release(&cx->scratch, mark);
  return found;
}

// From centre to centre: as the wheels are.
static void line_of_centres(const Mechanics *mech, const Mesh *mesh, Expr out[2]) {
  Expr from[2];
  anchor_point(mech->cx, mech->m, &mesh->ends[0].wheel, from);
  anchor_point(mech->cx, mech->m, &mesh->ends[1].wheel, out);
  for (int i = 0; i < 2; i++) out[i] = expr_sub(mech->cx, out[i], from[i]);
}

Expr mesh_deviation(const Mechanics *mech, const Mesh *mesh) {
  Context *cx = mech->cx;
  Expr d[2], from[2], u[2];
  line_of_centres(mech, mesh, d);
  anchor_point(cx, mech->m, &mesh->ends[0].held, from);
  anchor_point(cx, mech->m, &mesh->ends[1].held, u);
  for (int i = 0; i < 2; i++) u[i] = expr_sub(cx, u[i], from[i]);
  return expr_div(cx, plane_cross(cx, u, d), mesh->distance2);
}

static bool is_in_tree(const Mechanics *mech, uint32_t joint) {
  return joint == NO_JOINT || mech->is_tree_joint[joint];
}

bool mesh_is_in_tree(const Mechanics *mech, const Mesh *mesh) {
  for (int i = 0; i < 2; i++)
    if (!is_in_tree(mech, mesh->ends[i].pin) || !is_in_tree(mech, mesh->ends[i].arm)) return false;
  return true;
}

// ---- Pressure angle

// |F| tan(alpha) along d, which points from the first wheel to the second: apart outside each
// other, together inside. |F| / |d| is |lambda (1 - ratio)| / d^2.
static void push_wheels(const Mechanics *mech, const Joint *gear, const Mesh *mesh, Expr pressed,
                        Expr force[2], Expr at[2]) {
  Context *cx = mech->cx;
  Expr rest = expr_sub(cx, expr_int(cx, 1), gear->ratio);
  Expr size = expr_div(cx, expr_function1(cx, OP_ABS, rest), mesh->distance2);
  Expr factor =
      expr_mul3(cx, expr_function1(cx, OP_SIGN, expr_neg(cx, gear->ratio)), size, pressed);
  line_of_centres(mech, mesh, force);
  for (int i = 0; i < 2; i++) force[i] = expr_mul(cx, factor, force[i]);
  anchor_point(cx, mech->m, &mesh->ends[0].wheel, at);
}

// |F| tan(alpha) across the rack, which lies on the right of its direction.
static void push_rack(const Mechanics *mech, const Joint *rack, Expr pressed, Expr force[2],
                      Expr at[2]) {
  Context *cx = mech->cx;
  Expr direction = joint_direction(cx, mech->m, rack, mech->start);
  Expr factor = expr_mul(cx, expr_function1(cx, OP_SIGN, rack->radius), pressed);
  force[0] = expr_mul(cx, factor, expr_sin(cx, direction));
  force[1] = expr_neg(cx, expr_mul(cx, factor, expr_cos(cx, direction)));
  anchor_point(cx, mech->m, &rack->first, at);
}

bool mesh_separation(const Mechanics *mech, const Joint *joint, Expr lambda, Expr force[2],
                     Expr at[2]) {
  Context *cx = mech->cx;
  Mesh mesh;
  if (!joint->pressure) return false;
  Expr slope = expr_function1(cx, OP_TAN, joint->pressure);
  Expr pressed = expr_mul(cx, slope, expr_function1(cx, OP_ABS, lambda));
  if (joint->kind == JOINT_RACK)
    push_rack(mech, joint, pressed, force, at);
  else if (mesh_find(mech, joint, &mesh))
    push_wheels(mech, joint, &mesh, pressed, force, at);
  else
    return false;
  return true;
}
