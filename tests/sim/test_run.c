// Whole runs from a model's text, against closed forms and reference solutions.
#include <math.h>
#include <string.h>

#include "support/motion.h"

static void print_summary(const Motion *m) {
  const SimSummary *s = &m->summary;
  print_message("%s: %ld steps, %ld rejected, %ld evaluations, %.3g ms; energy %.1e, residual %.1e "
                "%.1e %.1e, %u events%s%s\n",
                s->method, s->steps, s->rejected, s->evaluations, 1e3 * s->wall_seconds,
                s->energy_drift, s->position.value, s->velocity.value, s->acceleration.value,
                s->events.n, s->distrust.id ? ": " : "", remark_key(s->distrust.id));
}

static const char *const four_bar =
    "model \"Four-bar linkage\"\n"
    "param g = 9.81 [m/s^2], L_2 = 0.5 [m], L_3 = 1.2 [m], L_4 = 0.9 [m], d = 1 [m]\n"
    "param m_2 = 1 [kg], m_3 = 2 [kg], m_4 = 1.5 [kg]\n"
    "param J_2 = m_2*L_2^2/12, J_3 = m_3*L_3^2/12, J_4 = m_4*L_4^2/12\n"
    "coord x_2 ~ 0.1 [m], y_2 ~ 0.2 [m], theta_2 = 60 [deg]\n"
    "coord x_3 ~ 0.8 [m], y_3 ~ 0.6 [m], theta_3 ~ 20 [deg]\n"
    "coord x_4 ~ 1.2 [m], y_4 ~ 0.4 [m], theta_4 ~ 70 [deg]\n"
    "coord theta_2' = 8 [rad/s]\n"
    "kinetic = 1/2*m_2*(x_2'^2 + y_2'^2) + 1/2*J_2*theta_2'^2\n"
    "kinetic = 1/2*m_3*(x_3'^2 + y_3'^2) + 1/2*J_3*theta_3'^2\n"
    "kinetic = 1/2*m_4*(x_4'^2 + y_4'^2) + 1/2*J_4*theta_4'^2\n"
    "potential = g*(m_2*y_2 + m_3*y_3 + m_4*y_4)\n"
    "constraint O_x: x_2 - L_2/2*cos(theta_2) = 0\n"
    "constraint O_y: y_2 - L_2/2*sin(theta_2) = 0\n"
    "constraint A_x: x_2 + L_2/2*cos(theta_2) = x_3 - L_3/2*cos(theta_3)\n"
    "constraint A_y: y_2 + L_2/2*sin(theta_2) = y_3 - L_3/2*sin(theta_3)\n"
    "constraint B_x: x_3 + L_3/2*cos(theta_3) = x_4 + L_4/2*cos(theta_4)\n"
    "constraint B_y: y_3 + L_3/2*sin(theta_3) = y_4 + L_4/2*sin(theta_4)\n"
    "constraint D_x: x_4 - L_4/2*cos(theta_4) = d\n"
    "constraint D_y: y_4 - L_4/2*sin(theta_4) = 0\n"
    "simulate to 10 [s] every 1 [ms]\n";

TEST(four_bar_run) {
  Motion m = motion_of(cx, four_bar);
  print_summary(&m);
  print_message("%u of %u guesses moved, at most %g\n", m.summary.moved, m.summary.guesses,
                m.summary.most_moved);
  assert_int_equal(m.rows, 10001);
  assert_true(m.summary.position.value < 1e-12);
  assert_true(m.summary.energy_drift < 1e-6);
}

// For 1000 s: every row on the constraints, and an energy that drifts with the tolerance alone.
TEST(four_bar_long) {
  Motion m = motion_load(cx, four_bar, NULL);
  m.options.t_end = 1000;
  m.options.every = 0.1;
  m.options.method.rtol = 1e-10;
  motion_run(&m);
  print_summary(&m);
  assert_int_equal(m.rows, 10001);
  assert_true(m.summary.position.value < 1e-12);
  assert_true(m.summary.energy_drift < 1e-6);
}

// Impacts and release against the closed form of piecewise exponentials.
TEST(wall) {
  Motion m = motion_of(cx, "param m_1 = 10, k_1 = 7, m_w = 5, c_w = 20.29, k_w = 7, d = 0.005\n"
                           "coord q_1 = -0.01, p_1 = 0\n"
                           "kinetic = 1/2*m_1*q_1'^2 + 1/2*m_w*p_1'^2\n"
                           "potential = 1/2*k_1*q_1^2 + 1/2*k_w*p_1^2\n"
                           "dissipation = 1/2*c_w*p_1'^2\n"
                           "contact wall: q_1 <= p_1 + d\n"
                           "simulate to 3.5 every 0.1 using rk853(rtol = 1e-11, atol = 1e-13)\n");
  print_summary(&m);
  assert_int_equal(m.summary.events.n, 2);
  CHECK_NEAR(m.summary.events.at[0].t, 2.5032809456301840212, 1e-9);
  CHECK_NEAR(m.summary.events.at[0].before, 0.00724568837309471929, 1e-11);
  CHECK_NEAR(m.summary.events.at[1].t, 3.1419182969803033283, 1e-9);
  assert_int_equal(m.summary.events.at[0].kind, SIM_IMPACT);
  assert_int_equal(m.summary.events.at[1].kind, SIM_RELEASE);
  CHECK_NEAR(motion_at(&m, 2.6, "lambda_wall"), 0.043537943101599635, 1e-9);
  CHECK_NEAR(motion_at(&m, 3.5, "q_1"), 0.0064999134980469092, 1e-10);
  assert_true(m.summary.energy_drift < 1e-9);
}

TEST(bouncing_ball) {
  Motion m = motion_of(cx, "param m = 1, g = 9.81\ncoord y = 1\nkinetic = 1/2*m*y'^2\n"
                           "potential = m*g*y\ncontact floor: y >= 0 restitution 0.8\n"
                           "simulate to 5 every 0.01\n");
  print_summary(&m);
  static const double times[] = {0.451523640985730904, 1.17396146656290035, 1.75191172702463591,
                                 2.21427193539402436,  2.58416010208953511, 2.88007063544594372,
                                 3.1167990621310706,   3.30618180347917211};
  for (int i = 0; i < 8; i++) CHECK_NEAR(m.summary.events.at[i].t, times[i], 1e-12);
  const SimEvent *last = &m.summary.events.at[m.summary.events.n - 1];
  assert_int_equal(last->kind, SIM_CONTACT);
  CHECK_NEAR(last->t, 4.06371276887157814, 1e-6);
  CHECK_NEAR(motion_at(&m, 5, "lambda_floor"), 9.81, 1e-12);
  CHECK_NEAR(motion_at(&m, 5, "y"), 0, 1e-14);
}

TEST(cradle) {
  Motion m =
      motion_of(cx, "param L = 1, g = 9.81, m = 1\ncount N = 3\nfor i in 1..N\n"
                    "coord theta[i] = if(i == 1, -0.5, 0)\n"
                    "kinetic = 1/2*m*L^2*theta[i]'^2\npotential = -m*g*L*cos(theta[i])\nend\n"
                    "for i in 2..N\ncontact c[i]: theta[i-1] <= theta[i] restitution 1\nend\n"
                    "simulate to 4 every 0.01 using rk853(rtol = 1e-11)\n");
  print_summary(&m);
  // both contacts are struck at once, four times
  static const double times[] = {0.509466978789542222, 1.52840093636862667, 2.54733489394771111,
                                 3.56626885152679555};
  assert_int_equal(m.summary.events.n, 8);
  for (int i = 0; i < 8; i++) {
    assert_int_equal(m.summary.events.at[i].kind, SIM_IMPACT);
    CHECK_NEAR(m.summary.events.at[i].t, times[i / 2], 1e-9);
    CHECK_NEAR(m.summary.events.at[i].before, 1.54978389968114177, 1e-9);
  }
  // after the first impact ball 3 swings alone
  CHECK_NEAR(motion_at(&m, 1.0, "theta[1]"), 0, 1e-9);
  CHECK_NEAR(motion_at(&m, 1.0, "theta[2]"), 0, 1e-9);
  assert_true(motion_at(&m, 1.0, "theta[3]") > 0.3);
}

// Wheels and a body at rest until a bump comes: nothing has a size yet, and what is far from the
// road begins as a high power of time.
static const char *const over_a_bump =
    "param m = 600, J = 900, a = 1.2, b = 1.4, m_f = 40, m_r = 45, k_f = 18e3, k_r = 20e3\n"
    "param c_f = 1.2e3, c_r = 1.3e3, k_t = 180e3, v = 10, h = 0.06, l = 0.5, s_0 = 1\n"
    "coord z = 0, theta = 0, z_f = 0, z_r = 0\n"
    "let s = v*t - s_0\n"
    "let bump = if(s > 0 and s < l, h/2*(1 - cos(2*pi*s/l)), 0)\n"
    "let d_f = z + a*theta - z_f, d_r = z - b*theta - z_r\n"
    "kinetic = 1/2*m*z'^2 + 1/2*J*theta'^2 + 1/2*m_f*z_f'^2 + 1/2*m_r*z_r'^2\n"
    "potential = 1/2*k_f*d_f^2 + 1/2*k_r*d_r^2 + 1/2*k_t*(z_f - bump)^2 + 1/2*k_t*z_r^2\n"
    "dissipation = 1/2*c_f*d_f'^2 + 1/2*c_r*d_r'^2\n"
    "simulate to 0.6 every 0.01\n";

TEST(rest_until_a_bump) {
  Motion reference = motion_load(cx, over_a_bump, NULL);
  reference.options.method.atol = 1e-14;
  motion_run(&reference);
  double most = motion_at(&reference, 0.16, "z_f");
  assert_true(most > 0.01);
  const MethodId methods[] = {METHOD_RK853, METHOD_RK45, METHOD_AUTO};
  const double sizes[] = {0.06, 6e-9};
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 2; j++) {
      // the equations are linear: a tiny bump makes a tiny motion, as well known as any other
      char setting[40];
      snprintf(setting, sizeof setting, "h=%.17g", sizes[j]);
      Motion m = motion_load(cx, over_a_bump, (const char *const[]){setting, NULL});
      m.options.method.method = methods[i];
      motion_run(&m);
      print_summary(&m);
      assert_int_equal(m.rows, 61);
      for (int k = 0; k <= 60; k += 5) {
        double expected = motion_at(&reference, 0.01 * k, "z_f") * sizes[j] / 0.06;
        CHECK_NEAR(motion_at(&m, 0.01 * k, "z_f"), expected, 3e-7 * most * sizes[j] / 0.06);
      }
    }
}

RUN_TESTS(cmocka_unit_test(rest_until_a_bump), cmocka_unit_test(four_bar_run),
          cmocka_unit_test(four_bar_long), cmocka_unit_test(wall), cmocka_unit_test(bouncing_ball),
          cmocka_unit_test(cradle))
