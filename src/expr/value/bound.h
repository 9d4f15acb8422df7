// Evaluation in doubles together with a bound of its rounding error.
#ifndef QDOT_EXPR_VALUE_BOUND_H
#define QDOT_EXPR_VALUE_BOUND_H

#include "expr/node.h"

typedef struct Bounded {
  double value;
  double error; // |value - exact value| <= error; infinite where a switch is undecided
} Bounded;

// values[symbol_variable(s)] is the exact value of symbol s. First-order running analysis with a
// generous factor; not a proof for values near a pole, where the error comes out infinite or NaN.
Bounded expr_eval_bounded(Context *cx, Expr e, const double *values);

#endif
