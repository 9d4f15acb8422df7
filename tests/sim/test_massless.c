// Coordinates without mass: solved where a constraint ties them, refused in words where not; no NaN
// ever reaches a result.
#include <math.h>

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

RUN_TESTS(cmocka_unit_test(zero_in_value_but_tied), cmocka_unit_test(absent_but_tied),
          cmocka_unit_test(free_without_mass_is_refused),
          cmocka_unit_test(links_without_mass_end_in_words))
