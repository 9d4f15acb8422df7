// Where a function switches just at a point: sign, abs, min, max and conditions.
#ifndef QDOT_ANALYSE_LINEAR_SWITCHING_POINT_H
#define QDOT_ANALYSE_LINEAR_SWITCHING_POINT_H

#include "analyse/equilibrium/balance.h"

typedef struct Kink {
  Expr function; // as it stands in the model: abs(x), x < 0
  bool is_true;  // of a condition: how it was taken
} Kink;

typedef VEC(Kink) Kinks;

// The functions in energies, forces and constraints that switch at the state of the last
// evaluation, each once, at most a handful. Lives in the keep arena.
Kinks kinks_at(Balance *balance);

#endif
