// Equilibria and steady motions as numbers: q and lambda that balance the forces at q'' = 0.
#ifndef QDOT_ANALYSE_EQUILIBRIUM_STEADY_H
#define QDOT_ANALYSE_EQUILIBRIUM_STEADY_H

#include "analyse/equilibrium/balance.h"

// A motion at constant velocities; at rest when they are 0.
typedef struct Steady {
  double *q, *qd;  // n
  double *lambda;  // m: constraints, then contacts
  bool *is_active; // m: constraints always, contacts while they touch
  double residual; // the largest force that is not balanced, relative to the forces there
  uint32_t worst;  // its coordinate
  int rounds;      // of Newton's iteration
} Steady;

Steady *steady_new(Arena *arena, const Balance *b);
void steady_copy(const Balance *b, const Steady *from, Steady *to);

// What stays as it is: NULL where everything may move.
typedef struct SteadyFreedom {
  const bool *q_fixed, *qd_fixed; // n
  const double *scale;            // n: how far a coordinate may move in one step
  const bool *held;               // n: by hand, so that the force on it need not balance
} SteadyFreedom;

// Moves the velocities that are not fixed by the least amount until every active row holds at
// velocity level. QDOT_INCONSISTENT when they cannot; *row is the one that is missed most.
Status steady_velocities(Balance *b, const SteadyFreedom *free, Steady *s, uint32_t *row);

// Moves positions that are not fixed until the active rows hold, and no further.
Status steady_assemble(Balance *b, const SteadyFreedom *free, Steady *s, uint32_t *row);

// Damped Newton iteration for positions and multipliers; where the solution is not unique, by the
// least change. QDOT_NO_CONVERGENCE leaves the best state that was met in *s.
Status steady_solve(Balance *b, const SteadyFreedom *free, Steady *s);

// The multipliers of least norm that balance the forces best at this state; fills the residual.
Status steady_multipliers(Balance *b, Steady *s);

// True when the forces balance to rounding.
bool steady_is_balanced(const Steady *s);

#endif
