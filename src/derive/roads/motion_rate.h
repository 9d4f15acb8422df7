// How fast a quantity changes along the motion.
#ifndef QDOT_DERIVE_ROADS_MOTION_RATE_H
#define QDOT_DERIVE_ROADS_MOTION_RATE_H

#include "derive/system.h"

// dI/dt in t, coordinates and velocities, accelerations replaced by M^-1 (Q - D - G - h); for a
// system without constraints and contacts that has its matrices. 0 (no expression) where M is
// singular.
Expr motion_rate(Context *cx, const System *system, Expr value);

#endif
