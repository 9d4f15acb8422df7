// L U in a skyline, against the dense one.
#include <math.h>

#include "solve/algebra/dense.h"
#include "solve/algebra/skyline.h"
#include "support/motion.h"

TEST(skyline_like_dense) {
  Random random = random_start("skyline_like_dense");
  Skyline sky = {0};
  for (int round = 0; round < test_rounds(60); round++) {
    int n = 1 + random_below(&random, 40), start[41], pivot[41];
    double *A = arena_array(&cx->keep, double, (size_t)n *(size_t)n), b[41], x[41];
    for (int i = 0; i < n; i++) start[i] = i - random_below(&random, i + 1);
    skyline_shape(&sky, &cx->keep, n, start);
    for (int i = 0; i < n; i++) {
      b[i] = x[i] = random_real(&random, -1, 1);
      for (int j = start[i]; j <= i; j++) {
        double low = random_real(&random, -1, 1) + (i == j) * n, high = random_real(&random, -1, 1);
        A[i * n + j] = low;
        skyline_add(&sky, i, j, low);
        if (i == j) continue;
        A[j * n + i] = high;
        skyline_add(&sky, j, i, high);
      }
    }
    assert_true(dense_lu(n, A, pivot) > 0);
    dense_lu_solve(n, A, pivot, b);
    assert_true(skyline_factor(&sky, 1e-14));
    skyline_solve(&sky, x);
    for (int i = 0; i < n; i++) CHECK_NEAR(x[i], b[i], 1e-12);
  }
}

TEST(singular_is_told) {
  Skyline sky = {0};
  skyline_shape(&sky, &cx->keep, 2, (int[]){0, 0});
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) skyline_add(&sky, i, j, 1);
  assert_false(skyline_factor(&sky, 1e-14));
}

RUN_TESTS(cmocka_unit_test(skyline_like_dense), cmocka_unit_test(singular_is_told))
