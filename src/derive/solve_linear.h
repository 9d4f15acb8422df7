// Linear equations with expressions for coefficients, solved exactly.
#ifndef QDOT_DERIVE_SOLVE_LINEAR_H
#define QDOT_DERIVE_SOLVE_LINEAR_H

#include "expr/node.h"

// A x = w, n x n by rows. Unknowns that hang together form a block; one of up to three is solved by
// its adjugate over its determinant, a larger one by elimination whose intermediate results stay
// shared definitions. False where A is singular: then *relation, a combination of the entries of w,
// must be zero. below[i]: what x[i] is divided by, the same node for all of a block; 1 after
// elimination.
bool solve_linear(Context *cx, const Expr *A, const Expr *w, uint32_t n, Expr *x, Expr *below,
                  Expr *relation);

#endif
