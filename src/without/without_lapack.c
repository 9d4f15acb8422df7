// Without LAPACK: our own loops serve matrices of every size, as they do where memory is short.
#include "solve/algebra/lapack.h"

#include <assert.h>

bool lapack_has_room(void) { return false; }

// Nobody calls what follows, since nobody is told that there is room.

int lapack_cholesky(int n, double *A) {
  (void)n, (void)A;
  assert(!"LAPACK");
  return 0;
}

void lapack_lower_rows(int n, const double *L, int rows, double *B) {
  (void)n, (void)L, (void)rows, (void)B;
  assert(!"LAPACK");
}

void lapack_lower_transposed_rows(int n, const double *L, int rows, double *B) {
  (void)n, (void)L, (void)rows, (void)B;
  assert(!"LAPACK");
}

void lapack_gram(int rows, int n, const double *B, double *G) {
  (void)rows, (void)n, (void)B, (void)G;
  assert(!"LAPACK");
}

void lapack_lu(int n, double *A, int *pivot) {
  (void)n, (void)A, (void)pivot;
  assert(!"LAPACK");
}

void lapack_lu_solve(int n, const double *LU, const int *pivot, int rows, double *B) {
  (void)n, (void)LU, (void)pivot, (void)rows, (void)B;
  assert(!"LAPACK");
}

int lapack_svd_size(int rows, int n) {
  (void)rows, (void)n;
  assert(!"LAPACK");
  return 0;
}

Status lapack_svd(int rows, int n, double *A, double *U, double *sigma, double *Vt, double *work,
                  int size, int *iwork) {
  (void)rows, (void)n, (void)A, (void)U, (void)sigma, (void)Vt, (void)work, (void)size, (void)iwork;
  assert(!"LAPACK");
  return QDOT_UNSUPPORTED;
}

Status lapack_eigen_symmetric(Arena *arena, int n, const double *A, double *values,
                              double *vectors) {
  (void)arena, (void)n, (void)A, (void)values, (void)vectors;
  assert(!"LAPACK");
  return QDOT_UNSUPPORTED;
}

Status lapack_eigen(Arena *arena, int n, const double *A, double *re, double *im, double *vectors) {
  (void)arena, (void)n, (void)A, (void)re, (void)im, (void)vectors;
  assert(!"LAPACK");
  return QDOT_UNSUPPORTED;
}
