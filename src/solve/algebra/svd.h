// Singular values and vectors of dense matrices, row-major.
#ifndef QDOT_SOLVE_ALGEBRA_SVD_H
#define QDOT_SOLVE_ALGEBRA_SVD_H

#include "base/arena.h"

// Room for the singular value decomposition of matrices up to rows x n; k = min(rows, n).
typedef struct Svd {
  int rows, n, k;
  double *U;     // rows x k
  double *sigma; // k, largest first
  double *Vt;    // k x n
  // rooms
  double *A, *turned, *rotation, *sizes;
  double *work; // of LAPACK; NULL where it is not asked
  int *order, work_size, *iwork;
} Svd;
Svd *svd_new(Arena *arena, int rows, int n);
// B = U diag(sigma) Vt for the leading `rows` x n matrix B. QDOT_NO_CONVERGENCE when B is not
// finite.
Status svd_compute(Svd *svd, int rows, const double *B);

// Least-norm x (n) of A x = b (rows), singular values under cut * largest dropped. Destroys
// nothing; the scratch is taken from the arena and given back. *rank may be NULL.
Status svd_least_norm(Arena *arena, int rows, int n, const double *A, const double *b, double cut,
                      double *x, int *rank);

#endif
