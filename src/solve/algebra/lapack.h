// Every LAPACK and BLAS call, behind plain functions over row-major matrices.
#ifndef QDOT_SOLVE_ALGEBRA_LAPACK_H
#define QDOT_SOLVE_ALGEBRA_LAPACK_H

#include <stdbool.h>

#include "base/arena.h"

// Is there room for what the library takes for itself? Ask before any other call: without it the
// library never comes back.
bool lapack_has_room(void);

// The large cases of dense.h. lapack_cholesky returns -1 or the first bad row.
int lapack_cholesky(int n, double *A);
void lapack_lower_rows(int n, const double *L, int rows, double *B);
void lapack_lower_transposed_rows(int n, const double *L, int rows, double *B);
void lapack_gram(int rows, int n, const double *B, double *G);
// The pivots of lapack_lu are for lapack_lu_solve alone.
void lapack_lu(int n, double *A, int *pivot);
void lapack_lu_solve(int n, const double *LU, const int *pivot, int rows, double *B);

// A = U diag(sigma) Vt, rows x n with k = min(rows, n) values; destroys A. Takes lapack_svd_size
// doubles and 8 k integers of room.
int lapack_svd_size(int rows, int n);
Status lapack_svd(int rows, int n, double *A, double *U, double *sigma, double *Vt, double *work,
                  int size, int *iwork);

// As eigen_symmetric, of a finite A.
Status lapack_eigen_symmetric(Arena *arena, int n, const double *A, double *values,
                              double *vectors);
// General eigenvalues re + i im; right eigenvectors, as eigen_any has them, or NULL.
Status lapack_eigen(Arena *arena, int n, const double *A, double *re, double *im, double *vectors);

#endif
