// How fast a quantity changes along the motion.
#ifndef QDOT_DERIVE_ROADS_MOTION_RATE_H
#define QDOT_DERIVE_ROADS_MOTION_RATE_H

#include "derive/system.h"

// Accelerations and multipliers in t, coordinates and velocities (n + rows); false where the
// equations do not determine them.
bool motion_solve(Context *cx, const System *system, Expr *x);

// dI/dt in t, coordinates, velocities and the forces of contacts, accelerations replaced by what
// the equations of motion with their constraints give; for a system that has its matrices. 0 (no
// expression) where these do not determine them.
Expr motion_rate(Context *cx, const System *system, Expr value);

#endif
