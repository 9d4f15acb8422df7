// Every LAPACK and BLAS call, behind plain functions over row-major matrices.
#ifndef QDOT_SOLVE_LAPACK_H
#define QDOT_SOLVE_LAPACK_H

#include <stdbool.h>

#include "base/arena.h"

// The large cases of dense.h. lapack_cholesky returns -1 or the first bad row.
int lapack_cholesky(int n, double *A);
void lapack_lower_rows(int n, const double *L, int rows, double *B);
void lapack_gram(int rows, int n, const double *B, double *G);
// The pivots of lapack_lu are for lapack_lu_solve alone.
void lapack_lu(int n, double *A, int *pivot);
void lapack_lu_solve(int n, const double *LU, const int *pivot, double *b);

// Room for the singular value decomposition of matrices up to rows x n; k = min(rows, n).
typedef struct Svd {
  int rows, n, k;
  double *A;     // copy of the matrix, destroyed
  double *U;     // rows x k
  double *sigma; // k, largest first
  double *Vt;    // k x n
  double *work;
  int work_size, *iwork;
} Svd;
Svd *svd_new(Arena *arena, int rows, int n);
// B = U diag(sigma) Vt for the leading `rows` x n matrix B. QDOT_NO_CONVERGENCE when B is not
// finite.
Status svd_compute(Svd *svd, int rows, const double *B);

// Least-norm x (n) of A x = b (rows), singular values under cut * largest dropped. Destroys
// nothing; the scratch is taken from the arena and given back. *rank may be NULL.
Status lapack_least_norm(Arena *arena, int rows, int n, const double *A, const double *b,
                         double cut, double *x, int *rank);

// Symmetric A = V diag(values) V^T: values ascending, the rows of `vectors` are the eigenvectors.
Status lapack_eigen_symmetric(Arena *arena, int n, const double *A, double *values,
                              double *vectors);
// General eigenvalues re + i im; right eigenvectors (LAPACK's packed pairs, one per row) or NULL.
Status lapack_eigen(Arena *arena, int n, const double *A, double *re, double *im, double *vectors);

#endif
