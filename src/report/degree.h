// By which power of all velocities an expression grows: 2 for 1/2*c*x'^2 and x'*y', 3 for abs(v)^3.
#ifndef QDOT_REPORT_DEGREE_H
#define QDOT_REPORT_DEGREE_H

#include "derive/system.h"

// k where e(q, a q') = a^k e(q, q') at random states for a > 0; NAN where there is no such k, or e
// vanishes there. Parameters at their values.
double velocity_degree(Context *cx, const System *system, Expr e);
// Does an expression jump where `atom`, which is `low` before and `high` behind, switches at
// slip = 0? False for sign(v)*v^2. True where slip is never 0.
bool jumps_at(Context *cx, const System *system, const Expr *e, uint32_t n, Expr atom, Expr slip,
              int low, int high);

#endif
