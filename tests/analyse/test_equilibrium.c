// Equilibria from many starts, their stability, and the contacts that hold them.
#include "analyse/vibration/stability.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "support/analysis.h"

static Equilibria equilibria_of(const Analysed *a, uint32_t starts) {
  Equilibria e;
  const Requests *r = &a->model->requests;
  const LinearizeRequest *request = r->linearizations.n ? &r->linearizations.at[0] : NULL;
  assert_int_equal(equilibria_find(a->cx, a->system, a->values, request, starts, &e), QDOT_OK);
  return e;
}

TEST(double_pendulum_has_four) {
  Analysed a = analysed(cx, "param g = 9.81 [m/s^2], m = 1 [kg], L = 1 [m]\n"
                            "coord theta_1 = 90 [deg], theta_2 = 0 [deg]\n"
                            "let r_1 = (L*sin(theta_1), -L*cos(theta_1))\n"
                            "let r_2 = r_1 + (L*sin(theta_2), -L*cos(theta_2))\n"
                            "kinetic = 1/2*m*dot(r_1', r_1') + 1/2*m*dot(r_2', r_2')\n"
                            "potential = m*g*r_1.y + m*g*r_2.y\n");
  Equilibria e = equilibria_of(&a, 24);
  assert_int_equal(e.n, 4);
  int stable = 0;
  for (uint32_t i = 0; i < e.n; i++) {
    bool hangs = fabs(e.at[i].state->q[0]) < 1e-9 && fabs(e.at[i].state->q[1]) < 1e-9;
    assert_true(e.at[i].has_modes);
    assert_int_equal(e.at[i].modes.stability == STABILITY_UNSTABLE, !hangs);
    assert_int_equal(e.at[i].form.names.n, 0);
    stable += hangs;
  }
  assert_int_equal(stable, 1);
}

// A bistable spring: x = 0 between two wells at +-a.
TEST(wells_and_the_hill_between_them) {
  Analysed a = analysed(cx, "param m = 1 [kg], k = 8 [N/m^3], a = 0.5 [m]\n"
                            "coord x = 0.4 [m]\n"
                            "kinetic = 1/2*m*x'^2\n"
                            "potential = k/4*(x^2 - a^2)^2\n");
  Equilibria e = equilibria_of(&a, 24);
  assert_int_equal(e.n, 3);
  CHECK_NEAR(e.at[0].state->q[0], 0.5, 1e-12);
  CHECK_NEAR(e.at[1].state->q[0], 0, 1e-9);
  CHECK_NEAR(e.at[2].state->q[0], -0.5, 1e-12);
  assert_int_equal(e.at[1].modes.stability, STABILITY_UNSTABLE);
  CHECK_NEAR(e.at[0].modes.mode[0].omega, 2, 1e-10);
}

// Free coordinates and rigid motions give one family, not many equilibria.
TEST(a_rigid_motion_is_one_family) {
  Analysed a = analysed(cx, "param m = 1 [kg], k = 8 [N/m], l = 0.3 [m]\n"
                            "coord x = 0 [m], y = 0.2 [m], z = 0 [m]\n"
                            "kinetic = 1/2*m*(x'^2 + y'^2 + z'^2)\n"
                            "potential = 1/2*k*(y - x - l)^2\n");
  Equilibria e = equilibria_of(&a, 12);
  assert_int_equal(e.n, 1);
  assert_int_equal(e.at[0].modes.stability, STABILITY_INDIFFERENT);
}

TEST(a_mass_rests_on_the_floor) {
  Analysed a = analysed(cx, "param m = 2 [kg], g = 9.81 [m/s^2], k = 10 [N/m]\n"
                            "coord x = 0.3 [m], y = 1 [m]\n"
                            "kinetic = 1/2*m*(x'^2 + y'^2)\n"
                            "potential = m*g*y + 1/2*k*y^2 + 1/2*k*x^2\n"
                            "contact floor: y >= 0\n");
  Equilibria e = equilibria_of(&a, 0);
  assert_int_equal(e.n, 1);
  CHECK_NEAR(e.at[0].state->q[1], 0, 1e-12);
  CHECK_NEAR(e.at[0].state->lambda[0], 2 * 9.81, 1e-12);
  assert_true(e.at[0].state->is_active[0]);
  assert_int_equal(e.at[0].linearized.f, 1);
}

// A governor: fly balls at an angle that depends on the speed.
TEST(governor_at_speed) {
  Analysed a = analysed(cx, "param m = 0.5 [kg], l = 0.4 [m], g = 9.81 [m/s^2], J = 0.01 [kg*m^2]\n"
                            "coord alpha = 0.6 [rad], phi = 0 [rad]\n"
                            "kinetic = m*l^2*(alpha'^2 + sin(alpha)^2*phi'^2) + 1/2*J*phi'^2\n"
                            "potential = -2*m*g*l*cos(alpha)\n"
                            "linearize at motion phi' = 7 [rad/s]\n");
  Equilibria e = equilibria_of(&a, 24);
  double high = acos(9.81 / (0.4 * 49));
  CHECK_NEAR(e.at[0].state->q[0], high, 1e-10);
  assert_int_equal(e.n, 4); // +-high, hanging, upright
  for (uint32_t i = 0; i < e.n; i++)
    if (fabs(e.at[i].state->q[0]) < 1e-6 || fabs(e.at[i].state->q[0]) > 3)
      assert_int_equal(e.at[i].modes.stability, STABILITY_UNSTABLE);
}

// A row z' = r - x is met at rest by x = r; where x is held elsewhere z has to move.
TEST(rows_of_velocities_are_met_at_rest) {
  static const char text[] = "param m = 1 [kg], k = 10 [N/m], r = 0.5 [m], k_i = 4 [N/(m*s)]\n"
                             "param c = 5 [N*s/m]\n"
                             "coord x = 0.1 [m], z = 0 [m*s]\n"
                             "kinetic = 1/2*m*x'^2\n"
                             "potential = 1/2*k*x^2\n"
                             "dissipation = 1/2*c*x'^2\n"
                             "force x = k_i*z\n"
                             "constraint i: z' = r - x\n";
  Analysed a = analysed(cx, text);
  Linearized l = linearized(&a);
  CHECK_NEAR(l.point->q[0], 0.5, 1e-12);
  CHECK_NEAR(l.point->q[1], 1.25, 1e-12);
  assert_true(l.point->qd[0] == 0 && l.point->qd[1] == 0);
  Modes modes;
  assert_int_equal(modes_find(&l, &cx->keep, &modes), QDOT_OK);
  // the roots of s^3 + 5 s^2 + 10 s + 4
  assert_int_equal(modes.eigenvalue_count, 3);
  for (uint32_t k = 0; k < 3; k++) {
    double complex s = modes.eigenvalue[k][0] + I * modes.eigenvalue[k][1];
    assert_true(cabs(((s + 5) * s + 10) * s + 4) < 1e-10);
  }
}

// Links under their own weight: nothing acts to the side, so that those forces are rounding and
// must not lead the search. It ends where the forces balance, from the start alone.
TEST(linkages_rest_where_nothing_acts_to_the_side) {
  Random random = random_start(__func__);
  for (int i = 0; i < 40; i++) {
    double crank = random_real(&random, 0.6, 1);
    double coupler = random_real(&random, 1.6, 2);
    double rocker = random_real(&random, 1.3, 1.7);
    Analysed a = analysed(
        cx,
        text_format(
            &cx->keep,
            "param g = 9.81 [m/s^2], r_1 = 2 [m], r_2 = %.6f [m], r_3 = %.6f [m], r_4 = %.6f [m]\n"
            "param m_2 = 1 [kg], m_3 = 2 [kg], m_4 = 1.5 [kg]\n"
            "coord x_2 ~ 0 [m], y_2 ~ 0.4 [m], theta_2 = 90 [deg]\n"
            "coord x_3 ~ 0.8 [m], y_3 ~ 1.1 [m], theta_3 ~ 22 [deg]\n"
            "coord x_4 ~ 1.8 [m], y_4 ~ 0.7 [m], theta_4 ~ 103 [deg]\n"
            "kinetic = 1/2*m_2*(x_2'^2 + y_2'^2) + 1/2*m_3*(x_3'^2 + y_3'^2)\n"
            "kinetic = 1/2*m_4*(x_4'^2 + y_4'^2)\n"
            "potential = m_2*g*y_2 + m_3*g*y_3 + m_4*g*y_4\n"
            "constraint a: x_2 = r_2/2*cos(theta_2)\n"
            "constraint b: y_2 = r_2/2*sin(theta_2)\n"
            "constraint c: x_3 = r_2*cos(theta_2) + r_3/2*cos(theta_3)\n"
            "constraint d: y_3 = r_2*sin(theta_2) + r_3/2*sin(theta_3)\n"
            "constraint e: x_4 = r_1 + r_4/2*cos(theta_4)\n"
            "constraint f: y_4 = r_4/2*sin(theta_4)\n"
            "constraint h: r_2*cos(theta_2) + r_3*cos(theta_3) = r_1 + r_4*cos(theta_4)\n"
            "constraint i: r_2*sin(theta_2) + r_3*sin(theta_3) = r_4*sin(theta_4)\n",
            crank, coupler, rocker));
    Equilibria e = equilibria_of(&a, 0);
    assert_true(e.n > 0);
  }
}

RUN_TESTS(cmocka_unit_test(rows_of_velocities_are_met_at_rest),
          cmocka_unit_test(linkages_rest_where_nothing_acts_to_the_side),
          cmocka_unit_test(double_pendulum_has_four),
          cmocka_unit_test(wells_and_the_hill_between_them),
          cmocka_unit_test(a_rigid_motion_is_one_family),
          cmocka_unit_test(a_mass_rests_on_the_floor), cmocka_unit_test(governor_at_speed))
