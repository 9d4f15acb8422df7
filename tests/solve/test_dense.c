// Dense linear algebra: loops against LAPACK on both sides of the size where it takes over, and
// square systems that may be singular.
#include "solve/algebra/dense.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/linear.h"
#include "support/check.h"

enum { MOST = 170 };

static const int sizes[] = {1, 2, 5, 12, 47, 48, 49, 159, 160, MOST};
#define SIZES (sizeof sizes / sizeof *sizes)

static double *random_array(Context *cx, Random *random, int n) {
  double *a = arena_array(&cx->keep, double, n);
  for (int i = 0; i < n; i++) a[i] = random_real(random, -1, 1);
  return a;
}

static double *copy_of(Context *cx, const double *a, int n) {
  return memcpy(arena_array(&cx->keep, double, n), a, (size_t)n * sizeof *a);
}

// |A x - b| of a matrix by rows.
static double residual(int n, const double *A, const double *x, const double *b) {
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double sum = -b[i];
    for (int j = 0; j < n; j++) sum += A[i * n + j] * x[j];
    worst = fmax(worst, fabs(sum));
  }
  return worst;
}

TEST(elimination_solves_systems_of_every_size) {
  Random random = random_start("elimination_solves_systems_of_every_size");
  for (size_t k = 0; k < SIZES; k++) {
    int n = sizes[k], pivot[MOST];
    double *A = random_array(cx, &random, n * n), *b = random_array(cx, &random, n);
    double *LU = copy_of(cx, A, n * n), *x = copy_of(cx, b, n);
    double quality = dense_lu(n, LU, pivot);
    assert_true(quality > 0 && quality <= 1);
    dense_lu_solve(n, LU, pivot, x);
    assert_true(residual(n, A, x, b) < 1e-10);
    // a row that is another one leaves no pivot
    if (n > 1) memcpy(A, A + n, (size_t)n * sizeof *A);
    if (n > 1) assert_true(dense_lu(n, A, pivot) < 1e-14);
  }
}

// G = B B^T by the definition, and x^T G x > 0 as Cholesky sees it.
TEST(gram_matrices_are_squares) {
  Random random = random_start("gram_matrices_are_squares");
  for (size_t k = 0; k < SIZES; k++) {
    int n = sizes[k];
    double *B = random_array(cx, &random, n * n), *G = arena_array(&cx->keep, double, n *n);
    dense_gram(n, n, B, G);
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) {
        double sum = 0;
        for (int l = 0; l < n; l++) sum += B[i * n + l] * B[j * n + l];
        CHECK_NEAR(G[i * n + j], sum, 1e-14);
      }
    for (int i = 0; i < n; i++)
      for (int j = i + 1; j < n; j++) G[i * n + j] = G[j * n + i];
    double *L = copy_of(cx, G, n * n), *b = random_array(cx, &random, n), *x = copy_of(cx, b, n);
    assert_int_equal(dense_cholesky(n, L, 1e-14), -1);
    dense_lower(n, L, x);
    dense_lower_transposed(n, L, x);
    double largest = 1;
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
    assert_true(residual(n, G, x, b) < 1e-12 * largest);
    // the last row depends on the others
    for (int j = 0; j < n && n > 1; j++) B[(n - 1) * n + j] = 3 * B[j];
    dense_gram(n, n, B, G);
    if (n > 1) assert_int_equal(dense_cholesky(n, G, 1e-12), n - 1);
  }
}

// Right sides that are the rows of B, of which one is zero, in the library's sizes, too.
TEST(right_sides_are_solved_together) {
  Random random = random_start("right_sides_are_solved_together");
  for (size_t k = 0; k < SIZES; k++) {
    int n = sizes[k], pivot[MOST], rows = 1 + random_below(&random, 6);
    double *A = random_array(cx, &random, n * n), *B = random_array(cx, &random, rows * n);
    memset(B + (rows - 1) * n, 0, (size_t)n * sizeof *B);
    double *LU = copy_of(cx, A, n * n), *X = copy_of(cx, B, rows * n);
    dense_lu(n, LU, pivot);
    dense_lu_solve_rows(n, LU, pivot, rows, X);
    for (int i = 0; i < rows; i++) {
      assert_true(residual(n, A, X + i * n, B + i * n) < 1e-9);
      double *alone = copy_of(cx, B + i * n, n);
      dense_lu_solve(n, LU, pivot, alone);
      for (int j = 0; j < n; j++) CHECK_NEAR(X[i * n + j], alone[j], 1e-9);
    }
    // L^T x = b for a lower triangle that is well conditioned
    for (int i = 0; i < n; i++) A[i * n + i] = n;
    double *T = arena_array(&cx->keep, double, n *n);
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) T[j * n + i] = A[i * n + j];
    memcpy(X, B, (size_t)(rows * n) * sizeof *X);
    dense_lower_transposed_rows(n, A, rows, X);
    for (int i = 0; i < rows; i++) assert_true(residual(n, T, X + i * n, B + i * n) < 1e-12);
  }
}

// However many right sides there are, and zeros among them.
TEST(rows_side_by_side_have_the_bits_of_each_alone) {
  Random random = random_start("rows_side_by_side_have_the_bits_of_each_alone");
  for (int round = 0; round < 200; round++) {
    int n = 1 + random_below(&random, 24), rows = random_below(&random, 14);
    double *L = random_array(cx, &random, n * n), *B = random_array(cx, &random, rows * n);
    for (int i = 0; i < rows * n; i++)
      if (random_below(&random, 3) == 0) B[i] = random_below(&random, 2) ? 0.0 : -0.0;
    double *alone = copy_of(cx, B, rows * n);
    for (int i = 0; i < rows; i++) dense_lower(n, L, alone + i * n);
    dense_lower_rows(n, L, rows, B);
    assert_memory_equal(B, alone, (size_t)(rows * n) * sizeof *B);
  }
}

static Linear open_linear(Context *cx, const double *A, int n) {
  Linear linear;
  linear_open(&linear, &cx->keep, n);
  memcpy(linear.A, A, (size_t)n * n * sizeof *A);
  assert_int_equal(linear_factor(&linear), QDOT_OK);
  return linear;
}

// Units of unknowns and equations over twenty powers of ten change nothing.
TEST(systems_in_odd_units_are_solved) {
  Random random = random_start("systems_in_odd_units_are_solved");
  for (int round = 0; round < 50; round++) {
    int n = 2 + random_below(&random, 8);
    double *A = random_array(cx, &random, n * n), *x = random_array(cx, &random, n), b[10] = {0};
    double column[10], row[10];
    for (int i = 0; i < n; i++) {
      A[i * n + i] += 3;
      column[i] = pow(10, random_below(&random, 21) - 10);
      row[i] = pow(10, random_below(&random, 21) - 10);
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        A[i * n + j] *= row[i] * column[j];
        b[i] += A[i * n + j] * (x[j] / column[j]);
      }
    Linear linear = open_linear(cx, A, n);
    assert_false(linear.deficient);
    linear_solve(&linear, b);
    for (int i = 0; i < n; i++) CHECK_NEAR(b[i] * column[i], x[i], 1e-11);
  }
}

// A = U V^T of rank r: the right side U c is met although A is singular, and the answer does not
// grow along what A does not see.
TEST(singular_systems_are_met_where_they_can_be) {
  Random random = random_start("singular_systems_are_met_where_they_can_be");
  for (int round = 0; round < 50; round++) {
    int n = 3 + random_below(&random, 50), rank = 1 + random_below(&random, n - 1);
    double *U = random_array(cx, &random, n * rank), *V = random_array(cx, &random, n * rank);
    double *A = arena_array(&cx->keep, double, n *n), *c = random_array(cx, &random, rank);
    double *b = arena_array(&cx->keep, double, n);
    for (int i = 0; i < n; i++)
      for (int l = 0; l < rank; l++) {
        b[i] += U[i * rank + l] * c[l];
        for (int j = 0; j < n; j++) A[i * n + j] += U[i * rank + l] * V[j * rank + l];
      }
    double *x = copy_of(cx, b, n);
    Linear linear = open_linear(cx, A, n);
    assert_true(linear.deficient);
    assert_int_equal(linear.rank, rank);
    linear_solve(&linear, x);
    double largest = 1;
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
    assert_true(residual(n, A, x, b) < 1e-9 * largest);
  }
}

// Of all solutions of x + y = 2 the shortest; nothing at all for an equation that says nothing.
TEST(the_least_solution_is_taken) {
  double b[] = {2, 2}, nothing[] = {1, 1};
  Linear linear = open_linear(cx, (double[]){1, 1, 1, 1}, 2);
  linear_solve(&linear, b);
  CHECK_NEAR(b[0], 1, 1e-14);
  CHECK_NEAR(b[1], 1, 1e-14);
  linear = open_linear(cx, (double[]){0, 0, 0, 0}, 2);
  assert_int_equal(linear.rank, 0);
  linear_solve(&linear, nothing);
  assert_true(nothing[0] == 0 && nothing[1] == 0);
  linear_open(&linear, &cx->keep, 1);
  linear.A[0] = NAN;
  assert_int_equal(linear_factor(&linear), QDOT_UNDEFINED);
}

RUN_TESTS(cmocka_unit_test(elimination_solves_systems_of_every_size),
          cmocka_unit_test(gram_matrices_are_squares),
          cmocka_unit_test(right_sides_are_solved_together),
          cmocka_unit_test(rows_side_by_side_have_the_bits_of_each_alone),
          cmocka_unit_test(systems_in_odd_units_are_solved),
          cmocka_unit_test(singular_systems_are_met_where_they_can_be),
          cmocka_unit_test(the_least_solution_is_taken))
