// Sums that grow term by term: what is ready first is added first, so that a late term waits for
// one addition and not for all.
#ifndef QDOT_CODE_TERM_SUM_H
#define QDOT_CODE_TERM_SUM_H

#include "code/builder.h"

typedef struct SignedSlot {
  Slot slot;
  bool negative;
} SignedSlot;

typedef VEC(SignedSlot) Sum;

// Adds or subtracts; terms that cancel disappear, constants become one. NO_SLOT is 0.
void sum_add(ProgramBuilder *builder, Sum *sum, Slot slot, bool negative);
void sum_add_product(ProgramBuilder *builder, Sum *sum, Slot x, Slot y, bool negative);
static inline bool sum_is_zero(const Sum *sum) { return sum->n == 0; }

// Joins all terms now.
void sum_settle(ProgramBuilder *builder, Sum *sum);
// Writes the sum and keeps it as one term; NO_SLOT when it is 0.
Slot sum_slot(ProgramBuilder *builder, Sum *sum);

#endif
