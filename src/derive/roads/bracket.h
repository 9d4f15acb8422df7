// Poisson brackets.
#ifndef QDOT_DERIVE_ROADS_BRACKET_H
#define QDOT_DERIVE_ROADS_BRACKET_H

#include "derive/roads/hamilton.h"

typedef struct Bracket {
  Expr f, g;  // in coordinates and momenta, in the reader's form
  Expr value; // sum of df/dq dg/dp - df/dp dg/dq
} Bracket;

// f and g may contain velocities, which become momenta, and nothing that belongs to the motion
// only: accelerations, multipliers. The system must have its matrices.
Status bracket_derive(Context *cx, const System *system, const Hamilton *hamilton, Expr f, Expr g,
                      Bracket *out);

#endif
