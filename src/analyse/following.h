// The outputs of a model to first order: dy = C_out x + D_out u for the state x = (z, s).
#ifndef QDOT_ANALYSE_FOLLOWING_H
#define QDOT_ANALYSE_FOLLOWING_H

#include "analyse/linearize.h"

// Fills C_out and D_out. Outputs may contain velocities, accelerations, multipliers and inputs.
void following_outputs(Balance *b, const FullNumbers *full, const RowNumbers *rows,
                       Linearized *out);

// How every coordinate and multiplier follows the state and the inputs: columns are the p + f
// states, then the inputs.
typedef struct Following {
  uint32_t columns;
  double *q, *qd, *qdd; // n x columns
  double *lambda;       // m x columns
} Following;
void following_find(Balance *b, const FullNumbers *full, const RowNumbers *rows,
                    const Linearized *l, Arena *arena, Following *out);

#endif
