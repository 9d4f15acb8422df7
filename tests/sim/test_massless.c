// Coordinates without mass: solved where a constraint ties them, refused in words where not; no NaN
// ever reaches a result.
#include <math.h>
#include <stdio.h>

#include "support/motion.h"

static void check_finite(const Motion *motion) {
  for (uint32_t i = 0; i < motion->values.n; i++) assert_true(isfinite(motion->values.at[i]));
}

TEST(zero_in_value_but_tied) {
  Motion motion = motion_of(cx, "param g = 9.81 [m/s^2], m = 1 [kg], L = 1 [m], m_0 = 0 [kg]\n"
                                "coord x = 0.6 [m], y ~ -0.8 [m], s ~ 0 [m]\n"
                                "kinetic = 1/2*m*(x'^2 + y'^2) + 1/2*m_0*s'^2\n"
                                "potential = m*g*y\n"
                                "constraint c: x^2 + y^2 = L^2\n"
                                "constraint d: s = x + y\n"
                                "simulate to 1 [s] every 0.1 [s]\n");
  assert_int_equal(motion.status, QDOT_OK);
  assert_int_equal(motion.rows, 11);
  check_finite(&motion);
  double x = motion_at(&motion, 1, "x"), y = motion_at(&motion, 1, "y");
  CHECK_NEAR(motion_at(&motion, 1, "s"), x + y, 1e-10);
  CHECK_NEAR(motion_at(&motion, 1, "E_tot"), motion_at(&motion, 0, "E_tot"), 1e-6);
}

TEST(absent_but_tied) {
  Motion motion = motion_of(cx, "param g = 9.81 [m/s^2], m = 1 [kg], L = 1 [m]\n"
                                "coord x = 0.6 [m], y ~ -0.8 [m], s ~ 0 [m]\n"
                                "kinetic = 1/2*m*(x'^2 + y'^2)\n"
                                "potential = m*g*y\n"
                                "constraint c: x^2 + y^2 = L^2\n"
                                "constraint d: s = x + y\n"
                                "simulate to 1 [s] every 0.1 [s]\n");
  assert_int_equal(motion.status, QDOT_OK);
  check_finite(&motion);
  CHECK_NEAR(motion_at(&motion, 1, "s"), motion_at(&motion, 1, "x") + motion_at(&motion, 1, "y"),
             1e-10);
}

TEST(free_without_mass_is_refused) {
  Motion motion = motion_load(cx,
                              "param m = 1 [kg], k = 10 [N/m]\n"
                              "coord x = 0.1 [m], y = 0.2 [m]\n"
                              "kinetic = 1/2*m*x'^2\n"
                              "potential = 1/2*k*(x - y)^2\n"
                              "simulate to 1 [s] every 0.1 [s]\n",
                              NULL);
  motion_run(&motion);
  assert_int_equal(motion.status, QDOT_SINGULAR_MASS);
  assert_true(cx->diagnostics.list.n > 0);
  check_finite(&motion);
}

TEST(links_without_mass_end_in_words) {
  // the mass matrix is regular until the massless first link and the second are in line
  Motion motion = motion_of(cx, "param g = 9.81 [m/s^2], m_1 = 0 [kg], m_2 = 1 [kg], L = 1 [m]\n"
                                "coord theta_1 = 30 [deg], theta_2 = 40 [deg]\n"
                                "let x_1 = L*sin(theta_1)\n"
                                "let y_1 = -L*cos(theta_1)\n"
                                "let x_2 = x_1 + L*sin(theta_2)\n"
                                "let y_2 = y_1 - L*cos(theta_2)\n"
                                "kinetic = 1/2*m_1*(x_1'^2 + y_1'^2) + 1/2*m_2*(x_2'^2 + y_2'^2)\n"
                                "potential = m_1*g*y_1 + m_2*g*y_2\n"
                                "simulate to 1 [s] every 0.01 [s]\n");
  check_finite(&motion);
  assert_int_equal(motion.summary.failure, QDOT_SINGULAR_MASS);
}

// ---- With damping instead of a mass

enum { MASSES = 2, LIGHT = 3, ALL = MASSES + LIGHT };

// Masses and massless points on a line, with springs and dampers between all of them and to a wall.
typedef struct Network {
  double k[ALL + 1][ALL + 1], c[ALL + 1][ALL + 1], m[MASSES], F[ALL];
} Network;

// Solves A x = b by elimination.
static void solve(int n, double A[LIGHT][LIGHT], double *b) {
  for (int p = 0; p < n; p++)
    for (int i = 0; i < n; i++) {
      double factor = i == p ? 0 : A[i][p] / A[p][p];
      for (int k = p; k < n; k++) A[i][k] -= factor * A[p][k];
      b[i] -= factor * b[p];
    }
  for (int i = 0; i < n; i++) b[i] /= A[i][i];
}

// y: places of all, velocities of the masses
static void network_rates(const Network *n, double t, const double *y, double *out) {
  double force[ALL], v[ALL] = {y[ALL], y[ALL + 1]}, A[LIGHT][LIGHT], b[LIGHT];
  for (int i = 0; i < ALL; i++) {
    force[i] = n->F[i] * sin(3 * t) - n->k[i][ALL] * y[i];
    for (int j = 0; j < ALL; j++) force[i] -= n->k[i][j] * (y[i] - y[j]);
  }
  for (int i = 0; i < LIGHT; i++) {
    b[i] = force[MASSES + i];
    double sum = n->c[MASSES + i][ALL];
    for (int j = 0; j < ALL; j++) sum += n->c[MASSES + i][j];
    for (int j = 0; j < LIGHT; j++) A[i][j] = i == j ? sum : -n->c[MASSES + i][MASSES + j];
    for (int j = 0; j < MASSES; j++) b[i] += n->c[MASSES + i][j] * v[j];
  }
  solve(LIGHT, A, b);
  for (int i = 0; i < LIGHT; i++) v[MASSES + i] = b[i];
  for (int i = 0; i < ALL; i++) out[i] = v[i];
  for (int i = 0; i < MASSES; i++) {
    double sum = force[i] - n->c[i][ALL] * v[i];
    for (int j = 0; j < ALL; j++) sum -= n->c[i][j] * (v[i] - v[j]);
    out[ALL + i] = sum / n->m[i];
  }
}

// To t = 1 by fourth-order steps.
static void network_run(const Network *n, double *y) {
  enum { STEPS = 20000, SIZE = ALL + MASSES };
  double h = 1. / STEPS, k[4][SIZE], at[SIZE];
  for (int s = 0; s < STEPS; s++) {
    static const double weight[4] = {0, 0.5, 0.5, 1};
    for (int stage = 0; stage < 4; stage++) {
      for (int i = 0; i < SIZE; i++)
        at[i] = y[i] + (stage ? weight[stage] * h * k[stage - 1][i] : 0);
      network_rates(n, (s + weight[stage]) * h, at, k[stage]);
    }
    for (int i = 0; i < SIZE; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
}

static void add_pairs(const Network *n, Text *text) {
  for (int i = 0; i < ALL; i++) {
    for (int j = i + 1; j < ALL; j++) {
      text_addf(text, "potential = %.17g [N/m]*1/2*(x_%d - x_%d)^2\n", n->k[i][j], i, j);
      text_addf(text, "dissipation = %.17g [N*s/m]*1/2*(x_%d' - x_%d')^2\n", n->c[i][j], i, j);
    }
    text_addf(text, "potential = %.17g [N/m]*1/2*x_%d^2\n", n->k[i][ALL], i);
    text_addf(text, "dissipation = %.17g [N*s/m]*1/2*x_%d'^2\n", n->c[i][ALL], i);
  }
}

TEST(massless_points_between_dampers) {
  Random random = random_start("massless_points_between_dampers");
  for (int round = 0; round < 10; round++) {
    Network n = {0};
    Text text = text_new(&cx->keep);
    double y[ALL + MASSES] = {0};
    for (int i = 0; i < ALL; i++) {
      y[i] = random_real(&random, -1, 1), n.F[i] = random_real(&random, -2, 2);
      text_addf(&text, "coord x_%d = %.17g [m]\n", i, y[i]);
      for (int j = i + 1; j <= ALL; j++) {
        n.k[i][j] = random_real(&random, 1, 30), n.c[i][j] = random_real(&random, 0.3, 3);
        if (j < ALL) n.k[j][i] = n.k[i][j], n.c[j][i] = n.c[i][j];
      }
    }
    for (int i = 0; i < MASSES; i++) {
      n.m[i] = random_real(&random, 0.5, 2);
      text_addf(&text, "kinetic = %.17g [kg]*1/2*x_%d'^2\n", n.m[i], i);
    }
    add_pairs(&n, &text);
    for (int i = 0; i < ALL; i++)
      text_addf(&text, "force x_%d = %.17g [N]*sin(3 [rad/s]*t)\noutput v_%d = x_%d'\n", i, n.F[i],
                i, i);
    text_add(&text, "simulate to 1 [s] every 0.5 [s] using rk853(rtol = 1e-11, atol = 1e-12)\n");
    Motion motion = motion_of(cx, text.at);
    assert_int_equal(motion.status, QDOT_OK);
    assert_int_equal(motion.system.n, MASSES);
    assert_true(motion.summary.energy_drift < 1e-8);
    network_run(&n, y);
    double rates[ALL + MASSES];
    network_rates(&n, 1, y, rates);
    for (int i = 0; i < ALL; i++) {
      char name[8];
      snprintf(name, sizeof name, "x_%d", i);
      CHECK_NEAR(motion_at(&motion, 1, name), y[i], 1e-9);
      name[0] = 'v';
      CHECK_NEAR(motion_at(&motion, 1, name), rates[i], 1e-8);
    }
  }
}

// What the dampers lose is what the forces do, less what the energies gain.
TEST(dampers_of_massless_points_dissipate) {
  Motion motion = motion_of(cx, "param w = 1 [rad/s], c = 5 [N*s/m], F = 2 [N]\n"
                                "coord x = 0.3 [m], y = 0 [m]\nkinetic = 1/2*(1 [kg])*x'^2\n"
                                "potential = 50 [N/m]*(x - y)^2\n"
                                "dissipation = c/2*y'^2\nforce x = F\nforce y = F*cos(w*t)\n"
                                "output loss = c*y'^2\noutput gain = F*x' + F*cos(w*t)*y'\n"
                                "simulate to 2 [s] every 0.1 [ms] using rk853(rtol = 1e-10)\n");
  assert_int_equal(motion.status, QDOT_OK);
  double lost = 0, done = 0;
  uint32_t loss = motion_column(&motion, "loss"), gain = motion_column(&motion, "gain");
  for (uint32_t r = 0; r + 1 < motion.rows; r++) {
    const double *row = &motion.values.at[r * motion.columns.n], *next = row + motion.columns.n;
    lost += 0.00005 * (row[loss] + next[loss]), done += 0.00005 * (row[gain] + next[gain]);
  }
  CHECK_NEAR(-motion.summary.work_dissipation, lost, 1e-5);
  CHECK_NEAR(motion.summary.work_forces, done, 1e-5);
}

TEST(damping_that_is_not_linear_is_refused) {
  Motion motion = motion_load(cx,
                              "param c = 1 [kg*s/m^2]\ncoord x = 0.1 [m], y = 0.2 [m]\n"
                              "kinetic = 1/2*(1 [kg])*x'^2\n"
                              "potential = 5 [N/m]*(x - y)^2\ndissipation = c*y'^4\n"
                              "simulate to 1 [s] every 0.1 [s]\n",
                              NULL);
  motion_run(&motion);
  assert_int_equal(motion.status, QDOT_SINGULAR_MASS);
}

RUN_TESTS(cmocka_unit_test(zero_in_value_but_tied), cmocka_unit_test(absent_but_tied),
          cmocka_unit_test(free_without_mass_is_refused),
          cmocka_unit_test(links_without_mass_end_in_words),
          cmocka_unit_test(massless_points_between_dampers),
          cmocka_unit_test(dampers_of_massless_points_dissipate),
          cmocka_unit_test(damping_that_is_not_linear_is_refused))
