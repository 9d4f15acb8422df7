// The model is made once more from its bodies, as if somebody asked for all of these forces.
#include "derive/joint_forces.h"

#include <string.h>

#include "base/text.h"
#include "derive/formulate.h"
#include "expr/build.h"

enum { PARTS = 4 }; // place and force

static bool acts_at_point(const Joint *joint) {
  return joint_makes_tree(joint->kind) || joint_type(joint->kind)->holds_point;
}

// A name that nobody can write.
static Symbol part_name(Context *cx, uint32_t joint, int part) {
  return symbol_from_text(cx, text_format(&cx->scratch, "joint %u part %d", joint, part));
}

static void ask_for(Model *asked, uint32_t number) {
  Context *cx = asked->cx;
  const Mechanism *m = &asked->mechanism;
  Joint *joint = &m->joints.at[number];
  bool on_first = joint->second.body == GROUND;
  bool is_at_first = on_first && joint->kind != JOINT_SLOT; // its pin is the second's
  Expr values[PARTS];
  anchor_point(cx, m, is_at_first ? &joint->first : &joint->second, values);
  for (int k = 0; k < 2; k++)
    values[2 + k] = on_first ? expr_neg(cx, joint->reaction[k]) : joint->reaction[k];
  for (int k = 0; k < PARTS; k++) {
    Output member = {.name = part_name(cx, number, k), .value = values[k], .is_offered = true};
    vec_push(&cx->keep, &asked->members, member);
  }
  joint->is_measured = true;
}

#define COPY(field)                                                                                \
  memset(&asked->field, 0, sizeof asked->field);                                                   \
  for (uint32_t i = 0; i < origin->field.n; i++)                                                   \
  vec_push(&cx->keep, &asked->field, origin->field.at[i])

// The same bodies with all forces asked for.
static Model *asking(const Model *origin) {
  Context *cx = origin->cx;
  Model *asked = arena_new(&cx->keep, Model);
  *asked = *origin;
  COPY(members);
  COPY(mechanism.joints);
  for (uint32_t i = 0; i < origin->mechanism.joints.n; i++)
    if (acts_at_point(&origin->mechanism.joints.at[i])) ask_for(asked, i);
  return asked;
}

// False where a part is not known in these coordinates.
static bool read_force(const Model *twin, uint32_t number, JointForce *out) {
  *out = (JointForce){.joint = number};
  int found = 0;
  for (int k = 0; k < PARTS; k++)
    for (uint32_t i = 0; i < twin->members.n; i++) {
      const Output *member = &twin->members.at[i];
      if (member->name != part_name(twin->cx, number, k)) continue;
      *(k < 2 ? &out->place[k] : &out->force[k - 2]) = member->value;
      found++;
    }
  return found == PARTS;
}

JointForces joint_forces(const Model *model, Arena *arena) {
  Context *cx = model->cx;
  const Model *origin = model->origin;
  JointForces forces = {0};
  if (!origin || !model->formulation) return forces;
  Mark mark = arena_mark(&cx->scratch);
  Diagnostics before = diag_mark(cx); // all that there is to say was said of the model
  const Model *twin = model_twin(model, asking(origin));
  diag_rollback(cx, before);
  for (uint32_t i = 0; twin && i < origin->mechanism.joints.n; i++) {
    JointForce force;
    if (read_force(twin, i, &force)) vec_push(arena, &forces, force);
  }
  arena_release(&cx->scratch, mark);
  return forces;
}
