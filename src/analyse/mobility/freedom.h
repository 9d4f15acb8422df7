// Degrees of freedom: coordinates less the constraints that are independent.
#ifndef QDOT_ANALYSE_MOBILITY_FREEDOM_H
#define QDOT_ANALYSE_MOBILITY_FREEDOM_H

#include "model/model.h"

// By the rank of the constraints at random states, and for bodies where the mechanism is assembled:
// what is stated twice counts once. Of very large models every constraint counts.
uint32_t model_freedom(const Model *model);

#endif
