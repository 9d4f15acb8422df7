// Sums of products written with few multiplications: like terms joined, sin^2 + cos^2 made 1,
// common factors pulled out.
#ifndef QDOT_CODE_COMMON_FACTOR_H
#define QDOT_CODE_COMMON_FACTOR_H

#include "code/builder.h"

// scale * product of factors
typedef struct ScaledProduct {
  Slot scale;    // does not vary during a run
  Slot *factors; // each varies; a square stands twice
  uint32_t count;
} ScaledProduct;

// The sum of all terms. The array and its factors are worked on and lose their order.
Slot program_collect(ProgramBuilder *builder, ScaledProduct *terms, uint32_t n);

#endif
