// Where the teeth of two gears meet: their centres, and what holds them apart.
#ifndef QDOT_DERIVE_MESH_H
#define QDOT_DERIVE_MESH_H

#include "derive/mechanics.h"

typedef struct MeshEnd {
  Anchor wheel, held; // its centre, as a point of the wheel and as one of the carrier
  uint32_t pin;       // the joint that the wheel turns in
  uint32_t arm;       // the carrier's own pin, where both turn in a third body; else NO_JOINT
} MeshEnd;

typedef struct Mesh {
  MeshEnd ends[2];
  Expr span[2];   // from centre to centre, in the frame of the carrier
  Expr distance2; // its square
} Mesh;

// The mesh of a gear whose wheels turn in pins of the carrier, or of a third body about the point
// that the carrier turns about. False for all else: then only torques are known.
bool mesh_find(const Mechanics *mech, const Joint *gear, Mesh *out);

// By how much the line of centres turns in the carrier: (u x d) / u^2 for the line u that the pins
// hold and the line d between the wheels as they are. It is 0 on the pins' constraints, and so is
// every change that they allow; its gradient is that of the angle.
Expr mesh_deviation(const Mechanics *mech, const Mesh *mesh);

// Are its pins joints of the spanning tree, whose points never part?
bool mesh_is_in_tree(const Mechanics *mech, const Mesh *mesh);

// What a pressure angle adds to the force of the teeth on the second body of a gear or rack, and a
// point of its line; false where there is none.
bool mesh_separation(const Mechanics *mech, const Joint *joint, Expr lambda, Expr force[2],
                     Expr at[2]);

#endif
