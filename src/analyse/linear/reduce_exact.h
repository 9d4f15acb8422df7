// M^, C^, K^, B^ as expressions: the projection of reduced.c with closed forms for numbers.
#ifndef QDOT_ANALYSE_LINEAR_REDUCE_EXACT_H
#define QDOT_ANALYSE_LINEAR_REDUCE_EXACT_H

#include "analyse/linear/linearized.h"
#include "analyse/linear/state_slopes.h"

// Fills M, C, K, K_constraint, B, R, lambda and is_large of *out from its choice and form.
Status reduce_exactly(Balance *b, const StateSlopes *e, const RowNumbers *rows, Linearized *out);

#endif
