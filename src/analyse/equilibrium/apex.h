// States at which forces jump: where a root vanishes, since a spring of length 0 has no direction,
// and where a function such as |x| or a condition switches.
#ifndef QDOT_ANALYSE_EQUILIBRIUM_APEX_H
#define QDOT_ANALYSE_EQUILIBRIUM_APEX_H

#include "analyse/equilibrium/steady.h"

// The root in the equations, sqrt(x^2 + y^2), that vanishes, or the function of the model, |x|,
// that switches at the state on the coordinates' scales while the forces jump across it; 0 where
// there is none. Forces that do not jump, as those of a spring without free length, do not count.
Expr apex_at(Balance *b, const Steady *s, const double *scale);
// The energy along the one coordinate of a conservative system about such a state: 1 where it rises
// on both sides, -1 where it falls on one, 0 where that cannot be told.
int apex_energy(Balance *b, const Steady *s, const double *scale);
// The root that vanishes, whatever the forces do: to explain a state without finite values.
Expr vanishing_root(Balance *b, const Steady *s, const double *scale);

#endif
