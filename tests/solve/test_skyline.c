// L U in a skyline, against the dense one.
#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"
#include "solve/algebra/skyline.h"
#include "support/motion.h"

// Rows from `kept` on at random, in A and in the skyline.
static void fill(Random *random, Context *cx, Skyline *sky, int n, int kept, int *start,
                 double *A) {
  for (int i = kept; i < n; i++) start[i] = i - random_below(random, i + 1);
  skyline_shape(sky, &cx->keep, n, start, kept);
  for (int i = kept; i < n; i++)
    for (int j = 0; j <= i; j++) {
      bool inside = j >= start[i];
      double low = inside ? random_real(random, -1, 1) + (i == j) * n : 0;
      double high = inside ? random_real(random, -1, 1) : 0;
      A[j * n + i] = high;
      A[i * n + j] = low;
      if (!inside) continue;
      skyline_add(sky, i, j, low);
      if (i != j) skyline_add(sky, j, i, high);
    }
}

// The second time some of the rows are kept.
TEST(skyline_like_dense) {
  Random random = random_start("skyline_like_dense");
  Skyline sky = {0};
  for (int round = 0; round < test_rounds(60); round++) {
    int n = 1 + random_below(&random, 40), start[41], pivot[41];
    size_t square = (size_t)n * (size_t)n;
    double *A = arena_array(&cx->keep, double, square), b[41], x[41];
    for (int twice = 0; twice < 2; twice++) {
      int kept = twice ? random_below(&random, n + 1) : 0;
      fill(&random, cx, &sky, n, kept, start, A);
      double *copy = arena_array(&cx->keep, double, square);
      memcpy(copy, A, square * sizeof *A);
      for (int i = 0; i < n; i++) b[i] = x[i] = random_real(&random, -1, 1);
      assert_true(dense_lu(n, copy, pivot) > 0);
      dense_lu_solve(n, copy, pivot, b);
      assert_true(skyline_factor(&sky, 1e-14, kept));
      skyline_solve(&sky, x);
      for (int i = 0; i < n; i++) CHECK_NEAR(x[i], b[i], 1e-12);
    }
  }
}

TEST(singular_is_told) {
  Skyline sky = {0};
  skyline_shape(&sky, &cx->keep, 2, (int[]){0, 0}, 0);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) skyline_add(&sky, i, j, 1);
  assert_false(skyline_factor(&sky, 1e-14, 0));
}

RUN_TESTS(cmocka_unit_test(skyline_like_dense), cmocka_unit_test(singular_is_told))
