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

static double row_times(const double *B, int size, int row, const double *x) {
  double sum = 0;
  for (int j = 0; j < size; j++) sum += B[row * size + j] * x[j];
  return sum;
}

// w, p, v and r of random problems, some with several ways of rubbing, or with limits of their own;
// impacts always have a solution.
TEST(conditions_hold) {
  Random random = random_start("conditions_hold");
  enum { ALL = 3 * MOST };
  for (int round = 0; round < 2000; round++) {
    int n = 1 + (int)random_real(&random, 0, MOST);
    int more = round % 2 ? (int)random_real(&random, 0, n + 1) : 0, rubs = n + more;
    int size = n + rubs, freedoms = 1 + (int)random_real(&random, 0, 2 * MOST), of[MOST];
    double B[ALL * ALL], x[ALL] = {0}, start[2 * MOST + 2], G[ALL][2 * MOST + 2], largest = 0;
    double *w = x, *v = x + n, force[ALL], *p = force, *r = force + n;
    Rub rub[2 * MOST];
    for (int k = 0; k < freedoms; k++) start[k] = random_real(&random, -1, 1);
    for (int i = 0; i < size; i++)
      for (int k = 0; k < freedoms; k++) G[i][k] = random_real(&random, -1, 1);
    // velocities of a state, as impacts have them: then there is a solution
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        B[i * size + j] = 0;
        for (int k = 0; k < freedoms; k++) B[i * size + j] += G[i][k] * G[j][k];
      }
      for (int k = 0; k < freedoms; k++) x[i] += G[i][k] * start[k];
      largest = fmax(largest, fabs(x[i]));
    }
    for (int i = 0; i < rubs; i++)
      rub[i] = (Rub){random_real(&random, 0, 1) < 0.2 ? 0 : random_real(&random, 0, 1.5), 0};
    for (int i = 0; i < more; i++) of[i] = (int)random_real(&random, 0, n);
    for (int i = 0; i < more; i++)
      if (random_real(&random, 0, 1) < 0.3) of[i] = -1;
    double limit[2 * MOST] = {0};
    for (int i = n; i < rubs; i++) limit[i] = random_real(&random, -0.2, 2);
    for (int i = n; i < rubs; i++) limit[i] = fmax(limit[i], 0);
    Coulomb problem = {n, B, w, v, rub, more, of, limit, NULL};
    assert_true(coulomb_solve(&cx->scratch, &problem, p, r));
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, p[i]);
    double tolerance = 1e-9 * (2 * largest + most);
    for (int i = 0; i < n; i++) {
      double apart = w[i] + row_times(B, size, i, force);
      assert_true(p[i] >= 0);
      assert_true(apart >= -tolerance);
      assert_true(fmin(p[i], apart) <= tolerance);
    }
    for (int i = 0; i < rubs; i++) {
      int contact = i < n ? i : of[i - n];
      double along = v[i] + row_times(B, size, n + i, force);
      double hold = contact < 0 ? limit[i] : rub[i].mu * p[contact];
      int owner = contact < 0 ? n + i : contact;
      double own = 1 + 1 / sqrt(B[owner * size + owner]);
      assert_true(fabs(r[i]) <= hold + tolerance * own);
      if (along > tolerance * (1 + 1 / rub[i].mu)) CHECK_NEAR(r[i], -hold, tolerance * own);
      if (along < -tolerance * (1 + 1 / rub[i].mu)) CHECK_NEAR(r[i], hold, tolerance * own);
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
    Coulomb problem = {n, B, w, v, rub, 0, NULL, NULL, NULL};
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
    Coulomb problem = {1, B, w, v, rub, 0, NULL, NULL, NULL};
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
