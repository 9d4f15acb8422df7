// First integrals that the author of a model claims: `integral NAME = ...`.
#ifndef QDOT_DERIVE_ROADS_CLAIM_H
#define QDOT_DERIVE_ROADS_CLAIM_H

#include "derive/system.h"

typedef enum ClaimVerdict { CLAIM_HOLDS, CLAIM_FAILS, CLAIM_UNDECIDED } ClaimVerdict;

typedef struct Claim {
  const Definition *definition;
  ClaimVerdict verdict;
  Expr rate; // along the motion, in the reader's form; 0 where it was not found
} Claim;

typedef VEC(Claim) Claims;

// All of the model's, each decided by its rate: proved zero, or not zero at a state.
void claims_judge(Context *cx, System *system, Claims *out);
// An error for each that fails, a warning for each that stays open.
Status claims_check(Context *cx, System *system);

#endif
