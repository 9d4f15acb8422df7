// Who uses the angle of a body, and where nobody does.
#include "derive/mechanics.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"

// theta with its two rates.
typedef struct Angle {
  const Context *cx;
  Expr at[3];
} Angle;

static bool uses(const Angle *angle, Expr e) {
  for (int i = 0; e && i < 3; i++)
    if (expr_depends(angle->cx, e, angle->at[i])) return true;
  return false;
}

static bool list_uses(const Angle *angle, const Expr *e, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (uses(angle, e[i])) return true;
  return false;
}

static bool forces_use(const Angle *angle, const PointForce *forces, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (list_uses(angle, forces[i].point, 3) || list_uses(angle, forces[i].force, 3)) return true;
  return false;
}

static bool mechanism_uses(const Mechanics *mech, const Angle *angle) {
  for (uint32_t i = 0; i < mech->energies.n; i++)
    if (uses(angle, mech->energies.at[i].value)) return true;
  for (uint32_t i = 0; i < mech->rows.n; i++)
    if (uses(angle, mech->rows.at[i].phi)) return true;
  return forces_use(angle, mech->forces.at, mech->forces.n);
}

static bool statements_use(const Model *model, const Angle *angle) {
  for (uint32_t i = 0; i < model->energies.n; i++)
    if (uses(angle, model->energies.at[i].value)) return true;
  for (uint32_t i = 0; i < model->forces.n; i++)
    if (uses(angle, model->forces.at[i].value)) return true;
  for (uint32_t i = 0; i < model->states.n; i++)
    if (uses(angle, model->states.at[i].rate)) return true;
  for (uint32_t i = 0; i < model->outputs.n; i++)
    if (uses(angle, model->outputs.at[i].value)) return true;
  for (uint32_t i = 0; i < model->members.n; i++)
    if (!model->members.at[i].is_offered && uses(angle, model->members.at[i].value)) return true;
  for (uint32_t i = 0; i < model->constraints.n; i++)
    if (uses(angle, model->constraints.at[i].phi)) return true;
  for (uint32_t i = 0; i < model->contacts.n; i++)
    if (uses(angle, model->contacts.at[i].phi)) return true;
  for (uint32_t i = 0; i < model->requests.plots.n; i++)
    for (uint32_t k = 0; k < model->requests.plots.at[i].curves.n; k++)
      if (uses(angle, model->requests.plots.at[i].curves.at[k].value)) return true;
  for (uint32_t i = 0; i < model->requests.comforts.n; i++)
    if (uses(angle, model->requests.comforts.at[i].value)) return true;
  for (uint32_t i = 0; i < model->requests.reductions.n; i++) {
    const Reduction *r = &model->requests.reductions.at[i];
    if ((r->value && uses(angle, r->value)) || (r->condition && uses(angle, r->condition)))
      return true;
  }
  return forces_use(angle, model->point_forces.at, model->point_forces.n);
}

static Angle angle_of(const Mechanics *mech, uint32_t body) {
  Angle angle = {.cx = mech->cx, .at = {mech->m->bodies.at[body].pose[2]}};
  for (int i = 1; i < 3; i++) angle.at[i] = expr_time_derivative(mech->cx, angle.at[i - 1]);
  return angle;
}

bool mechanics_use_angle(const Mechanics *mech, uint32_t body) {
  Angle angle = angle_of(mech, body);
  return mechanism_uses(mech, &angle) || statements_use(mech->model, &angle);
}

static bool has_children(const Mechanics *mech, uint32_t body) {
  for (uint32_t i = 0; i < mech->n; i++)
    if (mech->branches[i].joint != NO_JOINT && mech->branches[i].parent == body) return true;
  return false;
}

void mechanics_find_idle(Mechanics *mech) {
  mech->is_idle = arena_array(&mech->cx->keep, bool, mech->n);
  for (uint32_t i = 0; i < mech->n; i++) {
    const Body *b = &mech->m->bodies.at[i];
    const Branch *branch = &mech->branches[i];
    bool floats = branch->joint == NO_JOINT;
    bool turns = floats || (joint_leaves(&mech->m->joints.at[branch->joint], LEAVES_TURN) &&
                            !has_children(mech, i));
    bool said = b->start[2].kind == INITIAL_GIVEN || b->velocity[2].kind != INITIAL_NONE;
    mech->is_idle[i] =
        turns && !said && expr_is_zero(mech->cx, b->inertia) && !mechanics_use_angle(mech, i);
  }
}

bool mechanics_use_idle(const Mechanics *mech, Expr e) {
  for (uint32_t i = 0; i < mech->n; i++) {
    Angle angle = angle_of(mech, i);
    if (mech->is_idle[i] && uses(&angle, e)) return true;
  }
  return false;
}
