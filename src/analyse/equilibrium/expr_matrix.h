// Small matrices of expressions: products and solutions in closed form, kept in shared parts where
// they would swell.
#ifndef QDOT_ANALYSE_EQUILIBRIUM_EXPR_MATRIX_H
#define QDOT_ANALYSE_EQUILIBRIUM_EXPR_MATRIX_H

#include "expr/node.h"

typedef struct Exact {
  Context *cx;
  bool is_large; // entries are no longer simplified; large ones become shared parts
} Exact;

// Nodes of an entry.
uint32_t exact_size(Context *cx, Expr e);

// The sum of the sizes of an entry's terms, inside products too: what its rounding is measured
// with.
double exact_terms_size(Context *cx, Expr e, const double *values);

// e in a short form, or a shared part once the work is large.
Expr exact_tidy(Exact *x, Expr e);

// X := S^-1 X for S (k x k) and X (k x columns). `numbers` are the values of S and guide the choice
// of pivots; S must not be singular there. S and numbers are destroyed. Nothing but S at the point
// is ever inverted.
void expr_matrix_solve(Exact *x, uint32_t k, uint32_t columns, Expr *S, double *numbers, Expr *X);

// out (rows x columns) := A (rows x inner) B (inner x columns), entries as they come.
void expr_matrix_multiply(Exact *x, uint32_t rows, uint32_t inner, uint32_t columns, const Expr *A,
                          const Expr *B, Expr *out);
// out (columns x width) := A^T B
void expr_matrix_multiply_transposed(Exact *x, uint32_t rows, uint32_t columns, uint32_t width,
                                     const Expr *A, const Expr *B, Expr *out);

#endif
