// Forces where joints are too many: of all multipliers that hold the mechanism equally well, those
// with the least loads.
#ifndef QDOT_ENGINE_SHARING_H
#define QDOT_ENGINE_SHARING_H

#include "engine/machine.h"

// Singular values under this part of the largest are those of redundant rows, not of a position
// that is nearly dead.
#define SHARING_GONE 3e-7

// To be called after machine_give, where the evaluation of the dynamics at this state has revealed
// a rank below the number of rows. Moves the multipliers in the machine's input array along forces
// that balance each other, until the sum of the squares of all loads is least: forces, and torques
// divided by the model's length. Does nothing in models without loads.
Status machine_share_loads(Machine *machine, Dynamics *dynamics, double t, const double *q,
                           const double *qd);

#endif
