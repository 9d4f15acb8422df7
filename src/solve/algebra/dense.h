// Dense linear algebra in the shapes the solvers use: row-major, in place, memory by the caller.
#ifndef QDOT_SOLVE_ALGEBRA_DENSE_H
#define QDOT_SOLVE_ALGEBRA_DENSE_H

#include <stdbool.h>

// For few values: no call, four at a time.
static inline void dense_copy(int n, const double *from, double *to) {
  // wider ones go through the stack where the processor may have no registers for them
  typedef double Two __attribute__((vector_size(16), aligned(8)));
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    Two low = *(const Two *)(from + i), high = *(const Two *)(from + i + 2);
    *(Two *)(to + i) = low, *(Two *)(to + i + 2) = high;
    __asm__("" : "+r"(i)); // or the compiler makes it a memcpy
  }
  if (n & 2) to[i] = from[i], to[i + 1] = from[i + 1], i += 2;
  if (n & 1) to[i] = from[i];
}

// A = L L^T in the lower triangle of the n x n matrix A (the upper one is left alone). Returns -1,
// or the first row whose pivot is not above relative * A_ii (also when it is not a number).
int dense_cholesky(int n, double *A, double relative);
// b := L^-1 b and b := L^-T b.
void dense_lower(int n, const double *L, double *b);
void dense_lower_transposed(int n, const double *L, double *b);
// The same forward substitution for `rows` right sides that are the rows of B (rows x n).
void dense_lower_rows(int n, const double *L, int rows, double *B);
// The backward substitution likewise.
void dense_lower_transposed_rows(int n, const double *L, int rows, double *B);

// G := B B^T (lower triangle) for the rows of B (rows x n).
void dense_gram(int rows, int n, const double *B, double *G);

// P A = L U in place. Returns the ratio of the smallest to the largest pivot (0 when singular).
double dense_lu(int n, double *A, int *pivot);
void dense_lu_solve(int n, const double *LU, const int *pivot, double *b);
// The same for `rows` right sides that are the rows of B (rows x n).
void dense_lu_solve_rows(int n, const double *LU, const int *pivot, int rows, double *B);

// The rank of the rows of A (rows x n, overwritten) by Gram and Schmidt: a row counts where the
// rows before it leave more than `relative` of its norm. counts, unless NULL, says which ones do.
int dense_rank(int rows, int n, double *A, double relative, bool *counts);

double dense_dot(int n, const double *a, const double *b);
double dense_norm(int n, const double *a);
// y := y + s x
void dense_add(int n, double s, const double *x, double *y);
// y := A x and y := y + s A^T x for A (rows x n).
void dense_multiply(int rows, int n, const double *A, const double *x, double *y);
void dense_add_transposed(int rows, int n, double s, const double *A, const double *x, double *y);

// The least of the positive entries of the diagonal of A, n x n; INFINITY where there is none.
double dense_least_diagonal(int n, const double *A);

// `count` orthonormal vectors (rows of N) that are orthogonal to the first `rank` columns of U, a
// matrix of `rows` rows of `stride` values whose columns are orthonormal: of the unit vectors, each
// time what is left of the one of which most is left. count <= rows - rank.
void dense_complement(int rows, int stride, int rank, const double *U, int count, double *N);

#endif
