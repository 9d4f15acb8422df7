// The kinetic energy as a sum of squares of velocities, 1/2 m w^2 each.
//
// Where w is the rate of a function of coordinates and t, and m is constant, the square contributes
// m dw/dt dw/dq' to d/dt dT/dq' - dT/dq: velocities along fixed axes and angular velocities about
// them are such. What is left over of T, components in moving frames for one, is the rest.
#ifndef QDOT_DERIVE_SPEEDS_SQUARES_H
#define QDOT_DERIVE_SPEEDS_SQUARES_H

#include "derive/system.h"

typedef struct Square {
  Expr mass, velocity; // w as it is written in T
} Square;

typedef struct Squares {
  VEC(Square) list;
  Expr rest; // of T
} Squares;

// In the keep arena.
Squares squares_of(Context *cx, const System *system);

#endif
