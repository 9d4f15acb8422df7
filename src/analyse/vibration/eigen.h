// Eigenvalues with the zeros taken out first, so that rigid modes are exactly 0.
#ifndef QDOT_ANALYSE_VIBRATION_EIGEN_H
#define QDOT_ANALYSE_VIBRATION_EIGEN_H

#include "base/arena.h"

typedef struct Eigen {
  int n, count;            // size, vectors: the zeros that have no chain, then the others
  int zeros;               // algebraic multiplicity of 0
  int null;                // independent vectors of eigenvalue 0: the first `null` ones
  double *re, *im;         // count; conjugates follow each other, im > 0 first
  double *vec_re, *vec_im; // count x n
} Eigen;

// Of any square A. Zeros are deflated by orthogonal steps: a double zero in a chain is a double
// zero, not a pair of small numbers.
Status eigen_general(Arena *arena, int n, const double *A, Eigen *out);

// Of K x = mu M x, both symmetric, M positive definite: mu ascending (n), x in rows, x M x = 1.
// Zeros are as many as K has null directions. QDOT_SINGULAR_MASS when M is not positive.
Status eigen_symmetric_pencil(Arena *arena, int n, const double *K, const double *M, double *mu,
                              double *x);

#endif
