// Pressing and rubbing contacts: the conditions hold, and without friction it is what is known.
#include "solve/algebra/coulomb.h"

#include <math.h>

#include "sim/contact/complementarity.h"
#include "solve/algebra/lemke.h"
#include "support/check.h"

enum { MOST = 5 };

// A symmetric matrix of a random mechanism: rows of `freedoms` numbers, times their transpose.
static void random_matrix(Random *random, int size, int freedoms, double *B) {
  double G[2 * MOST][2 * MOST + 2];
  for (int i = 0; i < size; i++)
    for (int k = 0; k < freedoms; k++) G[i][k] = random_real(random, -1, 1);
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      B[i * size + j] = 0;
      for (int k = 0; k < freedoms; k++) B[i * size + j] += G[i][k] * G[j][k];
    }
}

static double row_times(const double *B, int size, int row, const double *p, const double *r,
                        int n) {
  double sum = 0;
  for (int j = 0; j < n; j++) sum += B[row * size + j] * p[j] + B[row * size + n + j] * r[j];
  return sum;
}

// w, p, v and r of random problems; impacts always have a solution.
TEST(conditions_hold) {
  Random random = random_start("conditions_hold");
  for (int round = 0; round < 2000; round++) {
    int n = 1 + (int)random_real(&random, 0, MOST), size = 2 * n;
    int freedoms = 1 + (int)random_real(&random, 0, 2 * MOST);
    double B[4 * MOST * MOST], w[MOST], v[MOST], p[MOST], r[MOST], start[2 * MOST + 2], largest = 0;
    double G[2 * MOST][2 * MOST + 2];
    Rub rub[MOST];
    for (int k = 0; k < freedoms; k++) start[k] = random_real(&random, -1, 1);
    for (int i = 0; i < size; i++)
      for (int k = 0; k < freedoms; k++) G[i][k] = random_real(&random, -1, 1);
    for (int i = 0; i < size; i++)
      for (int j = 0; j < size; j++) {
        B[i * size + j] = 0;
        for (int k = 0; k < freedoms; k++) B[i * size + j] += G[i][k] * G[j][k];
      }
    // velocities of a state, as impacts have them: then there is a solution
    for (int i = 0; i < n; i++) {
      w[i] = v[i] = 0;
      for (int k = 0; k < freedoms; k++) w[i] += G[i][k] * start[k], v[i] += G[n + i][k] * start[k];
      largest = fmax(largest, fabs(w[i]) + fabs(v[i]));
      rub[i] = (Rub){random_real(&random, 0, 1) < 0.2 ? 0 : random_real(&random, 0, 1.5), 0};
    }
    Coulomb problem = {n, B, w, v, rub};
    assert_true(coulomb_solve(&cx->scratch, &problem, p, r));
    double force = 0;
    for (int i = 0; i < n; i++) force = fmax(force, p[i]);
    double tolerance = 1e-9 * (largest + force);
    for (int i = 0; i < n; i++) {
      double apart = w[i] + row_times(B, size, i, p, r, n);
      double along = v[i] + row_times(B, size, n + i, p, r, n);
      assert_true(p[i] >= 0);
      assert_true(apart >= -tolerance);
      assert_true(fmin(p[i], apart) <= tolerance);
      double own = 1 + 1 / sqrt(B[i * size + i]);
      assert_true(fabs(r[i]) <= rub[i].mu * p[i] + tolerance * own);
      if (along > tolerance) CHECK_NEAR(r[i], -rub[i].mu * p[i], tolerance * own);
      if (along < -tolerance) CHECK_NEAR(r[i], rub[i].mu * p[i], tolerance * own);
    }
  }
}

// Without friction w is that of the symmetric problem.
TEST(smooth_is_as_before) {
  Random random = random_start("smooth_is_as_before");
  for (int round = 0; round < 500; round++) {
    int n = 1 + (int)random_real(&random, 0, MOST), size = 2 * n;
    double B[4 * MOST * MOST], A[MOST * MOST], w[MOST], v[MOST] = {0}, p[MOST], r[MOST],
                                                        known[MOST];
    Rub rub[MOST] = {{0, 0}};
    random_matrix(&random, size, size + 1, B);
    for (int i = 0; i < n; i++) w[i] = random_real(&random, -1, 1);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) A[i * n + j] = B[i * size + j];
    Coulomb problem = {n, B, w, v, rub};
    assert_true(coulomb_solve(&cx->scratch, &problem, p, r));
    complementarity_solve(&cx->scratch, n, A, w, known);
    for (int i = 0; i < n; i++) CHECK_NEAR(p[i], known[i], 1e-8 * (1 + fabs(known[i])));
  }
}

// A rod that slides with its lower end in front: too much friction has no solution, or two.
TEST(painleve) {
  for (int lifts = 0; lifts < 2; lifts++) {
    double m = 1, L = 1, J = m * L * L / 12, phi = 1, mu = 3, c = cos(phi) * L / 2,
           s = sin(phi) * L / 2;
    double B[4] = {1 / m + c * c / J, -c * s / J, -c * s / J, 1 / m + s * s / J};
    double w[1] = {lifts ? 5.0 : -5.0}, v[1] = {0}, p[1], r[1];
    Rub rub[1] = {{mu, -1}}; // slides against the rod: r = mu p
    assert_true(B[0] + mu * B[1] < 0);
    Coulomb problem = {1, B, w, v, rub};
    bool solved = coulomb_solve(&cx->scratch, &problem, p, r);
    assert_true(solved == (lifts == 1));
    if (solved) assert_true(coulomb_is_ambiguous(&problem, p, r));
  }
}

// A linear program as a complementarity problem: min c x, A x >= b, x >= 0.
TEST(lemke_solves_programs) {
  // min x + 2 y, x + y >= 3, x <= 2
  double A[2][2] = {{1, 1}, {-1, 0}}, M[16] = {0}, q[4] = {1, 2, -3, 2}, z[4];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) M[(2 + i) * 4 + j] = A[i][j], M[j * 4 + 2 + i] = -A[i][j];
  assert_true(lemke_solve(&cx->scratch, 4, M, q, z));
  CHECK_NEAR(z[0], 2, 1e-12);
  CHECK_NEAR(z[1], 1, 1e-12);
}

RUN_TESTS(cmocka_unit_test(conditions_hold), cmocka_unit_test(smooth_is_as_before),
          cmocka_unit_test(painleve), cmocka_unit_test(lemke_solves_programs))
