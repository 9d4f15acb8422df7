// Dense linear algebra in the shapes the solvers use: row-major, in place, memory by the caller.
#ifndef QDOT_SOLVE_DENSE_H
#define QDOT_SOLVE_DENSE_H

// A = L L^T in the lower triangle of the n x n matrix A (the upper one is left alone). Returns -1,
// or the first row whose pivot is not above relative * A_ii (also when it is not a number).
int dense_cholesky(int n, double *A, double relative);
// b := L^-1 b and b := L^-T b.
void dense_lower(int n, const double *L, double *b);
void dense_lower_transposed(int n, const double *L, double *b);
// The same forward substitution for `rows` right sides that are the rows of B (rows x n).
void dense_lower_rows(int n, const double *L, int rows, double *B);

// G := B B^T (lower triangle) for the rows of B (rows x n).
void dense_gram(int rows, int n, const double *B, double *G);

// P A = L U in place. Returns the ratio of the smallest to the largest pivot (0 when singular).
double dense_lu(int n, double *A, int *pivot);
void dense_lu_solve(int n, const double *LU, const int *pivot, double *b);

double dense_dot(int n, const double *a, const double *b);
double dense_norm(int n, const double *a);
// y := y + s x
void dense_add(int n, double s, const double *x, double *y);
// y := A x and y := y + s A^T x for A (rows x n).
void dense_multiply(int rows, int n, const double *A, const double *x, double *y);
void dense_add_transposed(int rows, int n, double s, const double *A, const double *x, double *y);

#endif
