// What the joints of a mechanism do to its bodies, in the coordinates of a model that is there.
#ifndef QDOT_DERIVE_JOINT_FORCES_H
#define QDOT_DERIVE_JOINT_FORCES_H

#include "model/model.h"

// On the joint's second body, or on its first where that is the ground.
typedef struct JointForce {
  uint32_t joint; // of the model's origin
  Expr place[2], force[2];
} JointForce;
typedef VEC(JointForce) JointForces;

// Of all joints that act at one point: pins, slides, welds, slots, distances. Empty where the model
// was not made from bodies, or where other coordinates would be needed to know them.
JointForces joint_forces(const Model *model, Arena *arena);

#endif
