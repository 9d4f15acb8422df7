// Eigenvalues by our own loops: what A v = w v promises, on random, graded, defective and extreme
// matrices; against LAPACK's; and against roots that are known.
#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"
#include "solve/algebra/eigenvalues.h"
#include "solve/algebra/lapack.h"
#include "support/check.h"

enum { MOST = 24 };

typedef struct Pairs {
  int n;
  double re[MOST], im[MOST], vectors[MOST * MOST];
} Pairs;

// Random entries of one of several kinds: full, sparse, graded over 16 decades, of rank one half,
// nilpotent with rounding, symmetric, orthogonal-like, companions.
static void fill(Random *random, int n, int kind, double *A) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double x = random_real(random, -1, 1);
      if (kind == 1 && random_real(random, 0, 1) < 0.4) x = 0;
      if (kind == 2) x *= pow(10, 16.0 * (i - j) / n);
      if (kind == 3) x = i >= j ? 0 : x;
      if (kind == 4) x = j == (i + 1) % n ? 1 : 0;
      if (kind == 5) x = i + 1 < n ? j == i + 1 : x;
      A[i * n + j] = kind == 6 && j < i ? A[j * n + i] : x;
    }
}

// The residual |A v - w v| of all pairs.
static void check_residuals(const double *A, const Pairs *p, double tolerance) {
  int n = p->n;
  for (int k = 0; k < n; k++) {
    const double *x = p->vectors + k * n, *y = p->im[k] != 0 ? x + n : NULL;
    double norm = 0, off = 0, size = dense_norm(n * n, A);
    for (int i = 0; i < n; i++) {
      double re = dense_dot(n, A + i * n, x), im = y ? dense_dot(n, A + i * n, y) : 0;
      re -= p->re[k] * x[i] - (y ? p->im[k] * y[i] : 0);
      im -= y ? p->re[k] * y[i] + p->im[k] * x[i] : 0;
      off = fmax(off, hypot(re, im));
      norm += x[i] * x[i] + (y ? y[i] * y[i] : 0);
    }
    CHECK_NEAR(norm, 1, 1e-12);
    if (!(off <= tolerance * size)) fail_msg("n %d, value %d: %g of %g", n, k, off, size);
    if (y) {
      CHECK_NEAR(p->re[k + 1], p->re[k], 0);
      CHECK_NEAR(p->im[k + 1], -p->im[k], 0);
      assert_true(p->im[k] > 0);
      k++;
    }
  }
}

TEST(vectors_are_those_of_the_matrix) {
  Random random = random_start("vectors_are_those_of_the_matrix");
  for (int round = 0; round < test_rounds(400); round++) {
    int n = (int)random_real(&random, 1, MOST + 0.99), kind = round % 7;
    double A[MOST * MOST], scale = ldexp(1, round % 3 ? 660 : -660);
    Pairs p = {.n = n};
    fill(&random, n, kind, A);
    assert_int_equal(eigen_any(&cx->keep, n, A, p.re, p.im, p.vectors), QDOT_OK);
    // graded ones are balanced first: the residual is small in the balanced sense only
    if (kind != 2) check_residuals(A, &p, 1e-12 * n);
    double values[2][MOST];
    for (int i = 0; i < n * n; i++) A[i] *= scale;
    assert_int_equal(eigen_any(&cx->keep, n, A, values[0], values[1], NULL), QDOT_OK);
    for (int k = 0; k < n; k++) {
      assert_true(values[0][k] / scale == p.re[k]);
      assert_true(values[1][k] / scale == p.im[k]);
    }
  }
}

// The largest distance of a value from the nearest of the others.
static double distance(int n, const double *re, const double *im, const double *a,
                       const double *b) {
  double most = 0;
  for (int i = 0; i < n; i++) {
    double least = INFINITY;
    for (int k = 0; k < n; k++) least = fmin(least, hypot(re[i] - a[k], im[i] - b[k]));
    most = fmax(most, least);
  }
  return most;
}

TEST(values_are_those_of_the_library) {
  Random random = random_start("values_are_those_of_the_library");
  for (int round = 0; round < test_rounds(300); round++) {
    int n = (int)random_real(&random, 1, MOST + 0.99), kind = round % 7;
    double A[MOST * MOST], a[MOST], b[MOST];
    Pairs p = {.n = n};
    fill(&random, n, kind, A);
    assert_int_equal(eigen_any(&cx->keep, n, A, p.re, p.im, p.vectors), QDOT_OK);
    assert_int_equal(lapack_eigen(&cx->keep, n, A, a, b, NULL), QDOT_OK);
    double size = kind == 2 ? 1 : dense_norm(n * n, A);
    double off = fmax(distance(n, p.re, p.im, a, b), distance(n, a, b, p.re, p.im));
    // sparse ones and companions may be next to a multiple value, which is known to a root of it
    double sure = kind == 1 || kind == 5 ? 1e-6 : 1e-11;
    if (!(off <= sure * size)) fail_msg("kind %d, n %d: %g", kind, n, off / size);
  }
}

TEST(symmetric_ones) {
  Random random = random_start("symmetric_ones");
  for (int round = 0; round < test_rounds(300); round++) {
    int n = (int)random_real(&random, 1, MOST + 0.99);
    double A[MOST * MOST], values[MOST], V[MOST * MOST], theirs[MOST], W[MOST * MOST], scale[MOST];
    fill(&random, n, 6, A);
    for (int i = 0; i < n; i++) scale[i] = round % 2 ? 1 : pow(10, random_real(&random, -6, 6));
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) A[i * n + j] *= scale[i] * scale[j];
    assert_int_equal(eigen_symmetric(&cx->keep, n, A, values, V), QDOT_OK);
    assert_int_equal(lapack_eigen_symmetric(&cx->keep, n, A, theirs, W), QDOT_OK);
    double size = fmax(fabs(values[0]), fabs(values[n - 1]));
    for (int k = 0; k < n; k++) {
      double v[MOST];
      dense_multiply(n, n, A, V + k * n, v);
      dense_add(n, -values[k], V + k * n, v);
      assert_true(dense_norm(n, v) <= 1e-13 * n * size);
      assert_true(fabs(values[k] - theirs[k]) <= 1e-13 * n * size);
      assert_true(k == 0 || values[k] >= values[k - 1]);
      for (int l = 0; l <= k; l++) CHECK_NEAR(dense_dot(n, V + k * n, V + l * n), k == l, 1e-13);
    }
  }
}

// D (1 + E) D with random D from 1e-8 to 1 and a small symmetric E: every value, also the least,
// lies within the norm of E, relatively, of an entry of D^2 (Ostrowski's theorem).
TEST(small_values_of_graded_ones) {
  Random random = random_start("small_values_of_graded_ones");
  for (int round = 0; round < test_rounds(100); round++) {
    enum { N = 8 };
    double A[N * N], values[N], V[N * N], d[N];
    for (int i = 0; i < N; i++) d[i] = pow(10, -8 + 8.0 * i / N + random_real(&random, 0, 0.1));
    for (int i = 0; i < N; i++)
      for (int j = 0; j <= i; j++)
        A[i * N + j] = A[j * N + i] =
            ((i == j) + 1e-13 * random_real(&random, -1, 1)) * d[i] * d[j];
    assert_int_equal(eigen_symmetric(&cx->keep, N, A, values, V), QDOT_OK);
    for (int i = 0; i < N; i++) CHECK_NEAR(values[i] / (d[i] * d[i]), 1, 1e-11);
  }
}

// Companions of (x - r_1) (x - r_2) ..., roots apart from each other and some in pairs.
TEST(known_roots) {
  Random random = random_start("known_roots");
  for (int round = 0; round < test_rounds(200); round++) {
    enum { N = 6 };
    double re[N], im[N], c[N + 1] = {1}, A[N * N] = {0}, a[N], b[N];
    for (int k = 0; k < N; k += 2) {
      double x = random_real(&random, 0.8, 1.2) * (k + 1), y = random_real(&random, 0.3, 0.6);
      bool is_pair = random_real(&random, 0, 1) < 0.5;
      re[k] = is_pair ? x : x - y, re[k + 1] = is_pair ? x : x + y;
      im[k] = is_pair ? y : 0, im[k + 1] = -im[k];
      double sum = -(re[k] + re[k + 1]), product = re[k] * re[k + 1] + im[k] * im[k];
      for (int i = k + 2; i > 0; i--)
        c[i] += (i >= 1 ? c[i - 1] * sum : 0) + (i >= 2 ? c[i - 2] * product : 0);
    }
    for (int i = 0; i + 1 < N; i++) A[i * N + i + 1] = 1;
    for (int j = 0; j < N; j++) A[(N - 1) * N + j] = -c[N - j];
    assert_int_equal(eigen_any(&cx->keep, N, A, a, b, NULL), QDOT_OK);
    assert_true(distance(N, re, im, a, b) < 1e-8);
  }
}

TEST(what_is_not_finite_or_empty) {
  double A[9] = {1, 2, 3, 4, NAN, 6, 7, 8, 9}, re[3], im[3], V[9];
  assert_int_equal(eigen_any(&cx->keep, 3, A, re, im, V), QDOT_NO_CONVERGENCE);
  assert_int_equal(eigen_symmetric(&cx->keep, 3, A, re, V), QDOT_NO_CONVERGENCE);
  A[4] = INFINITY;
  assert_int_equal(eigen_any(&cx->keep, 3, A, re, im, V), QDOT_NO_CONVERGENCE);
  assert_int_equal(eigen_any(&cx->keep, 0, A, re, im, V), QDOT_OK);
  assert_int_equal(eigen_symmetric(&cx->keep, 0, A, re, V), QDOT_OK);
  memset(A, 0, sizeof A);
  assert_int_equal(eigen_any(&cx->keep, 3, A, re, im, V), QDOT_OK);
  for (int i = 0; i < 3; i++) assert_true(re[i] == 0 && im[i] == 0);
}

RUN_TESTS(cmocka_unit_test(vectors_are_those_of_the_matrix),
          cmocka_unit_test(values_are_those_of_the_library), cmocka_unit_test(symmetric_ones),
          cmocka_unit_test(small_values_of_graded_ones), cmocka_unit_test(known_roots),
          cmocka_unit_test(what_is_not_finite_or_empty))
