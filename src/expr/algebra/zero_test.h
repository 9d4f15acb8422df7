// Identities, decided by expansion.
#ifndef QDOT_EXPR_ALGEBRA_ZERO_TEST_H
#define QDOT_EXPR_ALGEBRA_ZERO_TEST_H

#include "expr/node.h"

typedef enum ZeroTest { ZERO_NO, ZERO_YES, ZERO_TOO_LARGE } ZeroTest;
// Is e zero for all values, functions other than sine, cosine and tangent taken as unknowns?
// ZERO_NO is final when e has no such functions and no roots.
ZeroTest expr_zero_test(Context *cx, Expr e, uint64_t budget);

#endif
