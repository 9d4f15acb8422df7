// Stationary motions by Routh's road: cyclic coordinates go on at constant rates, the others rest.
#ifndef QDOT_ANALYSE_VIBRATION_STATIONARY_H
#define QDOT_ANALYSE_VIBRATION_STATIONARY_H

#include "analyse/vibration/stability.h"

typedef struct Stationary {
  System *reduced;  // of the other coordinates, momenta being parameters
  double *values;   // of its parameters
  Equilibria found; // of it: stable where the reduced motion stays near
  uint32_t cyclic;  // how many are cyclic
  const Expr *qd;   // their velocities as symbols
  const Expr *p;    // and momenta, parameters of the reduced model
  double *rate;     // found.n x cyclic: velocities in each motion
  Expr potential;   // the effective one, in parameters
} Stationary;

// False where there is no reduced model to search (routh_reduction), or nothing left in it. What
// the search says goes into *status. In the keep arena.
bool stationary_find(Context *cx, Model *model, uint32_t starts, Stationary *out, Status *status);

#endif
