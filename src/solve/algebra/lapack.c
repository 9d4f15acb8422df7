// Every LAPACK and BLAS call. A row-major matrix is the transpose of a column-major one: the
// routines are called for the transpose, so nothing is copied around.
#include "solve/algebra/lapack.h"

#include <cblas.h>
#include <lapacke.h>
#include <string.h>
#include <sys/mman.h>

static Status status_from_info(lapack_int info) {
  return info == 0 ? QDOT_OK : info < 0 ? QDOT_BAD_VALUE : QDOT_NO_CONVERGENCE;
}

// OpenBLAS asks for a buffer of 128 MB at its first call and goes on asking, for ever, where it
// does not get it; the library itself takes 40 MB of addresses.
bool lapack_has_room(void) {
  size_t bytes = (size_t)256 << 20;
  void *room = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return false;
  munmap(room, bytes);
  return true;
}

int lapack_cholesky(int n, double *A) {
  return (int)LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, A, n) - 1;
}

void lapack_lower_rows(int n, const double *L, int rows, double *B) {
  cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, rows, n, 1, L, n, B,
              n);
}

void lapack_lower_transposed_rows(int n, const double *L, int rows, double *B) {
  cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, rows, n, 1, L, n,
              B, n);
}

void lapack_gram(int rows, int n, const double *B, double *G) {
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, rows, n, 1, B, n, 0, G, rows);
}

void lapack_lu(int n, double *A, int *pivot) {
  (void)LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, A, n, pivot);
}

void lapack_lu_solve(int n, const double *LU, const int *pivot, int rows, double *B) {
  (void)LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', n, rows, LU, n, pivot, B, n);
}

int lapack_svd_size(int rows, int n) {
  int k = rows < n ? rows : n, none;
  double size, room = 0;
  LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'S', n, rows, &room, n, &room, &room, n, &room, k, &size,
                      -1, &none);
  return (int)size;
}

// The transpose A^T (n x rows, column-major) = V diag(sigma) U^T.
Status lapack_svd(int rows, int n, double *A, double *U, double *sigma, double *Vt, double *work,
                  int size, int *iwork) {
  int k = rows < n ? rows : n;
  return status_from_info(LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'S', n, rows, A, n, sigma, Vt, n, U,
                                              k, work, size, iwork));
}

// Divide and conquer: its room is what dsyevd asks for.
Status lapack_eigen_symmetric(Arena *arena, int n, const double *A, double *values,
                              double *vectors) {
  Mark mark = arena_mark(arena);
  memcpy(vectors, A, (size_t)n * n * sizeof *A);
  int size = 1 + 6 * n + 2 * n * n, places = 3 + 5 * n;
  double *work = arena_array(arena, double, size);
  int *iwork = arena_array(arena, int, places);
  lapack_int info = LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'U', n, vectors, n > 0 ? n : 1,
                                        values, work, size, iwork, places);
  arena_release(arena, mark);
  return status_from_info(info);
}

static void transpose(int n, const double *A, double *out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) out[(size_t)j * n + i] = A[(size_t)i * n + j];
}

Status lapack_eigen(Arena *arena, int n, const double *A, double *re, double *im, double *vectors) {
  Mark mark = arena_mark(arena);
  int size = 34 * n + 1, ld = n > 0 ? n : 1;
  double *copy = arena_array(arena, double, (size_t)n *n);
  double *work = arena_array(arena, double, size);
  transpose(n, A, copy);
  lapack_int info = LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', vectors ? 'V' : 'N', n, copy, ld, re,
                                       im, NULL, ld, vectors, ld, work, size);
  arena_release(arena, mark);
  return status_from_info(info);
}
