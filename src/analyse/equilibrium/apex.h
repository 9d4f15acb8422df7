// States at which a root vanishes: a spring of length 0 has no direction, so its force jumps there.
#ifndef QDOT_ANALYSE_EQUILIBRIUM_APEX_H
#define QDOT_ANALYSE_EQUILIBRIUM_APEX_H

#include "analyse/equilibrium/steady.h"

// The root in the equations, sqrt(x^2 + y^2), that vanishes at the state on the coordinates' scales
// while the forces jump across it; 0 where there is none. Forces that are smooth across it, as
// those of a spring without free length, do not count.
Expr apex_at(Balance *b, const Steady *s, const double *scale);
// The same, whatever the forces do: to explain a state without finite values.
Expr vanishing_root(Balance *b, const Steady *s, const double *scale);

#endif
