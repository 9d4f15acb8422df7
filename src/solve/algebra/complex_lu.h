// Square linear systems with complex coefficients: LU with partial pivoting, by our own loops.
#ifndef QDOT_SOLVE_ALGEBRA_COMPLEX_LU_H
#define QDOT_SOLVE_ALGEBRA_COMPLEX_LU_H

// P (A + i B) = L U in place, row-major. Returns the ratio of the smallest to the largest pivot.
double complex_lu(int n, double *A, double *B, int *pivot);
// x + i y := (A + i B)^-1 (x + i y)
void complex_lu_solve(int n, const double *A, const double *B, const int *pivot, double *x,
                      double *y);

#endif
