// Determinants of small matrices of expressions.
#ifndef QDOT_EXPR_ALGEBRA_DETERMINANT_H
#define QDOT_EXPR_ALGEBRA_DETERMINANT_H

#include "expr/node.h"

// Of n x n entries, row by row, by minors: n up to about 6, more where most entries are 0. As it
// comes, not simplified.
Expr expr_determinant(Context *cx, const Expr *A, uint32_t n);

#endif
