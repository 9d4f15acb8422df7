// Eigenvalues and eigenvectors of dense matrices, row-major.
// Sources: eigenvalues.c, schur.c, jacobi.c
#ifndef QDOT_SOLVE_ALGEBRA_EIGENVALUES_H
#define QDOT_SOLVE_ALGEBRA_EIGENVALUES_H

#include "base/arena.h"

// Scales rows and columns by powers of 2 until their norms agree: A := D^-1 A D with D = diag(d).
void balance_norms(int n, double *A, double *d);

// Symmetric A = V^T diag(values) V: values ascending, the rows of `vectors` are the eigenvectors.
// QDOT_NO_CONVERGENCE when A is not finite.
Status eigen_symmetric(Arena *arena, int n, const double *A, double *values, double *vectors);

// Any A: re + i im, the two of a pair one after the other, im > 0 first. `vectors` (n x n, or NULL)
// has a row for every real eigenvalue, and for a pair one with the real and one with the imaginary
// part; each of length 1, its largest component real.
Status eigen_any(Arena *arena, int n, const double *A, double *re, double *im, double *vectors);

// ---- What these are made of, for sizes at which the loops here win

Status jacobi_eigen(Arena *arena, int n, const double *A, double *values, double *vectors);

// A = Z T Z^T, T with blocks of one and two rows on its diagonal, the latter for pairs alone.
typedef struct Schur {
  int n;
  double *T;       // n x n
  double *Zt;      // n x n, its rows are the columns of Z; NULL where nobody asked for vectors
  double *re, *im; // n
} Schur;
// T holds A, balanced and finite; Zt, unless NULL, is filled.
Status schur_compute(Schur *schur);
// The vectors of all eigenvalues, in the shape of eigen_any but of any length.
void schur_vectors(Arena *arena, const Schur *schur, double *vectors);

#endif
