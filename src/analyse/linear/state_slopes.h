// The linearized equations in all coordinates, before any choice among them.
#ifndef QDOT_ANALYSE_LINEAR_STATE_SLOPES_H
#define QDOT_ANALYSE_LINEAR_STATE_SLOPES_H

#include "analyse/linear/reduced.h"

// Expressions that the balance does not have; all at any state.
typedef struct StateSlopes {
  Expr *C;             // n x n: derivative of h + D + G - Q by q'
  Expr *B;             // n x inputs: minus its derivative by the inputs
  Expr *rate_q;        // m x n: derivative of the nonholonomic rows by q; 0 for others
  bool *is_integrable; // m: a row of velocities that holds positions
} StateSlopes;

void state_slopes_derive(Balance *b, Arena *arena, StateSlopes *out);

// Numbers at a state; active rows only.
Status state_slopes_evaluate(Balance *b, const StateSlopes *e, const Steady *s, Arena *arena,
                             FullNumbers *full, RowNumbers *rows);

#endif
