// All that acts on each body of a mechanism, for free-body diagrams: in the coordinates of a model
// that is there.
#ifndef QDOT_DERIVE_BODY_LOADS_H
#define QDOT_DERIVE_BODY_LOADS_H

#include "model/model.h"

typedef enum BodyLoadKind {
  LOAD_JOINT,  // its components have directions of their own: F_x, F_y, T of a joint
  LOAD_WEIGHT, // at the centre
  LOAD_GIVEN   // of springs, applied forces, contacts: in the direction in which it acts
} BodyLoadKind;

// A force and a torque about a point. A joint's act on its second body as its name says and on its
// first in reverse.
typedef struct BodyLoad {
  BodyLoadKind kind;
  uint32_t body;
  const char *name; // "A" of a joint, "s.F" of a spring, "rod.G" of a weight
  bool is_reversed; // of a joint: on its first body
  bool is_pin;      // of a joint that holds along x and y, whatever its values
  bool has_place;   // else it is the centre, about which the torque is
  Expr place[2], force[2], torque;
} BodyLoad;

// A body that moves, and what its forces give it.
typedef struct LoadedBody {
  Symbol name;
  Expr mass, inertia, pose[3], acceleration[3];
} LoadedBody;

typedef struct BodyLoads {
  VEC(LoadedBody) bodies;
  VEC(BodyLoad) loads;
  bool is_known; // false where the model was not made from bodies, or needs other coordinates
} BodyLoads;

BodyLoads body_loads(const Model *model, Arena *arena);

#endif
