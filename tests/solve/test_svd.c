// Singular values: what the decomposition promises, on random, rank-deficient and extreme matrices,
// and against the library's.
#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"
#include "solve/algebra/lapack.h"
#include "solve/algebra/svd.h"
#include "support/check.h"

enum { MOST = 40 };

// Entries between -1 and 1, of a rank at most.
static void fill(Random *random, int rows, int n, int rank, double scale, double *B) {
  double left[MOST * MOST], right[MOST * MOST];
  for (int i = 0; i < rows * rank; i++) left[i] = random_real(random, -1, 1);
  for (int i = 0; i < rank * n; i++) right[i] = random_real(random, -1, 1);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < rank; k++) sum += left[i * rank + k] * right[k * n + j];
      B[i * n + j] = scale * sum;
    }
}

static void check_parts(const Svd *svd, int rows, const double *B, double scale) {
  int n = svd->n, k = svd->k;
  for (int i = 0; i < k; i++) {
    assert_true(svd->sigma[i] >= 0 && (i == 0 || svd->sigma[i] <= svd->sigma[i - 1]));
    for (int j = 0; j <= i; j++) {
      double u = 0, v = dense_dot(n, svd->Vt + i * n, svd->Vt + j * n);
      for (int r = 0; r < rows; r++) u += svd->U[r * k + i] * svd->U[r * k + j];
      CHECK_NEAR(u, i == j, 1e-13);
      CHECK_NEAR(v, i == j, 1e-13);
    }
  }
  for (int r = 0; r < rows; r++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int i = 0; i < k; i++)
        sum += svd->U[r * k + i] * (svd->sigma[i] / scale) * svd->Vt[i * n + j];
      CHECK_NEAR(sum, B[r * n + j] / scale, 1e-12);
    }
}

TEST(products_and_angles) {
  Random random = random_start("products_and_angles");
  double B[MOST * MOST];
  for (int round = 0; round < test_rounds(200); round++) {
    int rows = (int)random_real(&random, 1, MOST), n = (int)random_real(&random, 1, MOST);
    int k = rows < n ? rows : n, rank = round % 3 ? k : (int)random_real(&random, 0, k + 0.99);
    double scale = round % 5 == 0 ? 1e-200 : round % 5 == 1 ? 1e200 : 1;
    Svd *svd = svd_new(&cx->keep, MOST, n);
    fill(&random, rows, n, rank, scale, B);
    assert_int_equal(svd_compute(svd, rows, B), QDOT_OK);
    check_parts(svd, rows, B, scale);
    for (int i = rank; i < k; i++) assert_true(svd->sigma[i] <= 1e-12 * svd->sigma[0]);
  }
}

TEST(values_are_those_of_the_library) {
  Random random = random_start("values_are_those_of_the_library");
  double B[MOST * MOST];
  for (int round = 0; round < 20; round++) {
    int rows = 5 + round, n = 25 - round;
    fill(&random, rows, n, rows < n ? rows : n, 1, B);
    Svd *own = svd_new(&cx->keep, rows, n), *other = svd_new(&cx->keep, rows, n);
    int size = lapack_svd_size(rows, n), iwork[8 * MOST];
    double *work = arena_array(&cx->keep, double, size);
    memcpy(other->A, B, sizeof(double) * (size_t)(rows * n));
    assert_int_equal(svd_compute(own, rows, B), QDOT_OK);
    assert_int_equal(
        lapack_svd(rows, n, other->A, other->U, other->sigma, other->Vt, work, size, iwork),
        QDOT_OK);
    for (int i = 0; i < own->k; i++)
      CHECK_NEAR(own->sigma[i], other->sigma[i], 1e-13 * own->sigma[0]);
  }
}

// The least solution of what several solve, and the nearest where none does.
TEST(least_norm) {
  double A[] = {1, 1, 0, 2, 2, 0}, b[] = {2, 4}, x[3];
  int rank;
  assert_int_equal(svd_least_norm(&cx->keep, 2, 3, A, b, 1e-12, x, &rank), QDOT_OK);
  assert_int_equal(rank, 1);
  CHECK_NEAR(x[0], 1, 1e-14);
  CHECK_NEAR(x[1], 1, 1e-14);
  CHECK_NEAR(x[2], 0, 1e-14);
  A[0] = NAN;
  Svd *svd = svd_new(&cx->keep, 2, 3);
  assert_int_equal(svd_compute(svd, 2, A), QDOT_NO_CONVERGENCE);
}

RUN_TESTS(cmocka_unit_test(products_and_angles), cmocka_unit_test(values_are_those_of_the_library),
          cmocka_unit_test(least_norm))
