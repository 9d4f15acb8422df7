// Every LAPACK and BLAS call. A row-major matrix is the transpose of a column-major one: the
// routines are called for the transpose, so nothing is copied around.
#include "solve/lapack.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

static Status status_from_info(lapack_int info) {
  return info == 0 ? QDOT_OK : info < 0 ? QDOT_BAD_VALUE : QDOT_NO_CONVERGENCE;
}

static bool all_finite(size_t count, const double *a) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += a[i] * 0;
  return sum == 0;
}

int lapack_cholesky(int n, double *A) {
  return (int)LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, A, n) - 1;
}

void lapack_lower_rows(int n, const double *L, int rows, double *B) {
  cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, rows, n, 1, L, n, B,
              n);
}

void lapack_gram(int rows, int n, const double *B, double *G) {
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, rows, n, 1, B, n, 0, G, rows);
}

void lapack_lu(int n, double *A, int *pivot) {
  (void)LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, A, n, pivot);
}

void lapack_lu_solve(int n, const double *LU, const int *pivot, double *b) {
  (void)LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', n, 1, LU, n, pivot, b, n);
}

Svd *svd_new(Arena *arena, int rows, int n) {
  Svd *svd = arena_new(arena, Svd);
  int k = rows < n ? rows : n;
  *svd = (Svd){.rows = rows, .n = n, .k = k};
  if (k == 0) return svd;
  svd->A = arena_array(arena, double, (size_t)rows *n);
  svd->U = arena_array(arena, double, (size_t)rows *k);
  svd->Vt = arena_array(arena, double, (size_t)k *n);
  svd->sigma = arena_array(arena, double, k);
  svd->iwork = arena_array(arena, int, 8 * (size_t)k);
  double size;
  LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'S', n, rows, svd->A, n, svd->sigma, svd->Vt, n, svd->U, k,
                      &size, -1, svd->iwork);
  svd->work_size = (int)size;
  svd->work = arena_array(arena, double, svd->work_size);
  return svd;
}

// The transpose B^T (n x rows, column-major) = V diag(sigma) U^T.
Status svd_compute(Svd *svd, int rows, const double *B) {
  svd->k = rows < svd->n ? rows : svd->n;
  if (svd->k == 0) return QDOT_OK;
  if (!all_finite((size_t)rows * svd->n, B)) return QDOT_NO_CONVERGENCE;
  memcpy(svd->A, B, (size_t)rows * svd->n * sizeof *B);
  return status_from_info(LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'S', svd->n, rows, svd->A, svd->n,
                                              svd->sigma, svd->Vt, svd->n, svd->U, svd->k,
                                              svd->work, svd->work_size, svd->iwork));
}

Status lapack_least_norm(Arena *arena, int rows, int n, const double *A, const double *b,
                         double cut, double *x, int *rank) {
  Mark mark = arena_mark(arena);
  Svd *svd = svd_new(arena, rows, n);
  Status status = svd_compute(svd, rows, A);
  memset(x, 0, (size_t)n * sizeof *x);
  int used = 0;
  for (; status == QDOT_OK && used < svd->k; used++) {
    if (!(svd->sigma[used] > cut * svd->sigma[0])) break;
    double along = 0;
    for (int i = 0; i < rows; i++) along += svd->U[(size_t)i * svd->k + used] * b[i];
    cblas_daxpy(n, along / svd->sigma[used], svd->Vt + (size_t)used * n, 1, x, 1);
  }
  if (rank) *rank = used;
  arena_release(arena, mark);
  return status;
}

Status lapack_eigen_symmetric(Arena *arena, int n, const double *A, double *values,
                              double *vectors) {
  if (!all_finite((size_t)n * n, A)) return QDOT_NO_CONVERGENCE;
  Mark mark = arena_mark(arena);
  memcpy(vectors, A, (size_t)n * n * sizeof *A);
  int size = 34 * n + 1;
  double *work = arena_array(arena, double, size);
  lapack_int info =
      LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'U', n, vectors, n > 0 ? n : 1, values, work, size);
  arena_release(arena, mark);
  return status_from_info(info);
}

static void transpose(int n, const double *A, double *out) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) out[(size_t)j * n + i] = A[(size_t)i * n + j];
}

Status lapack_eigen(Arena *arena, int n, const double *A, double *re, double *im, double *vectors) {
  if (!all_finite((size_t)n * n, A)) return QDOT_NO_CONVERGENCE;
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
