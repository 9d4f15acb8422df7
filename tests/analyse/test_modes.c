// Natural frequencies, damping, shapes and stability against published and closed-form values.
#include "analyse/vibration/modes.h"

#include <math.h>
#include <stdio.h>

#include "analyse/vibration/frequency_form.h"
#include "support/analysis.h"

static Modes modes_of(const Analysed *a, Linearized *l) {
  Modes modes;
  *l = linearized(a);
  assert_int_equal(modes_find(l, &a->cx->keep, &modes), QDOT_OK);
  return modes;
}

static void check_omegas(const Modes *m, const double *omega, uint32_t n) {
  assert_int_equal(m->count, n);
  for (uint32_t k = 0; k < n; k++) CHECK_NEAR(m->mode[k].omega, omega[k], 1e-12);
}

// Gears on shafts: G1-G2, G3-G4, G5-G6 with two meshes; one rigid rotation.
static const char drive_train[] =
    "param I_1 = 10 [kg*m^2], I_2 = 20 [kg*m^2], I_3 = 30 [kg*m^2], I_4 = 40 [kg*m^2]\n"
    "param I_5 = 50 [kg*m^2], I_6 = 60 [kg*m^2], k_t = 1e9 [N*m]\n"
    "param n_2 = 10, n_3 = 30, n_4 = 15, n_5 = 20\n"
    "coord theta_1 = 0 [rad], theta_2 = 0 [rad], theta_4 = 0 [rad], theta_6 = 0 [rad]\n"
    "let theta_3 = -n_2/n_3*theta_2\n"
    "let theta_5 = -n_4/n_5*theta_4\n"
    "kinetic = 1/2*(I_1*theta_1'^2 + I_2*theta_2'^2 + I_3*theta_3'^2 + I_4*theta_4'^2)\n"
    "kinetic = 1/2*(I_5*theta_5'^2 + I_6*theta_6'^2)\n"
    "potential = 1/2*k_t*((theta_1 - theta_2)^2 + (theta_3 - theta_4)^2 + (theta_5 - theta_6)^2)\n";

TEST(drive_train_turns_as_a_whole) {
  Analysed a = analysed(cx, drive_train);
  Linearized l;
  Modes m = modes_of(&a, &l);
  const double omega[] = {0, 3140.092700964355, 5732.275780195732, 12020.9120415782};
  check_omegas(&m, omega, 4);
  assert_int_equal(m.mode[0].kind, MODE_RIGID);
  const double rigid[] = {1, 1, -1.0 / 3, 0.25};
  for (int i = 0; i < 4; i++) CHECK_NEAR(m.mode[0].shape_re[i], rigid[i], 1e-10);
  CHECK_NEAR(m.mode[1].hz, 499.7612751252578, 1e-12);
  assert_int_equal(m.stability, STABILITY_INDIFFERENT);
}

// Two bodies on three springs, the rod's ends as coordinates; matrices and 40-digit frequencies are
// those of the reference.
TEST(rod_on_springs) {
  Analysed a = analysed(
      cx, "param m = 10 [kg], k = 1e4 [N/m], g = 9.81 [m/s^2]\n"
          "coord q_1 = 0 [m], q_2 = 0 [m], q_3 = 0 [m]\n"
          "kinetic = m*(1/3*q_1'^2 + 5/2*q_2'^2 + 1/3*q_3'^2 + 1/3*q_1'*q_3')\n"
          "potential = k*(17/25*q_1^2 + 1/2*q_2^2 + 29/50*q_3^2 - 3/5*q_1*q_2 + 6/25*q_1*q_3 "
          "- 2/5*q_2*q_3)\n"
          "potential = m*g*(q_1 + 5*q_2 + q_3)\n");
  Linearized l;
  Modes m = modes_of(&a, &l);
  const double omega[] = {11.20601056139687, 39.34667289452979, 55.55415969510057};
  check_omegas(&m, omega, 3);
  const double rest[] = {-0.03924, -0.084366, -0.02943};
  for (int i = 0; i < 3; i++) CHECK_NEAR(l.point->q[i], rest[i], 1e-14);
  check_matrix(&a, l.K,
               (const char *[]){"34/25*k", "-3/5*k", "6/25*k", "-3/5*k", "k", "-2/5*k", "6/25*k",
                                "-2/5*k", "29/25*k"},
               9);
}

// The drive train with weak dampers in the shafts: zeros stay zeros although the problem is not
// symmetric.
TEST(damping_keeps_the_rigid_mode) {
  Analysed a =
      analysed(cx, text_format(&cx->keep,
                               "%sdissipation = 1/2*2000 [N*m*s]*((theta_1' - theta_2')^2 + "
                               "(theta_3' - theta_4')^2)\n",
                               drive_train));
  Linearized l;
  Modes m = modes_of(&a, &l);
  assert_int_equal(m.mode[0].kind, MODE_RIGID);
  assert_true(m.mode[0].omega == 0);
  assert_true(m.eigenvalue[0][0] == 0 && m.eigenvalue[1][0] == 0 && m.eigenvalue[1][1] == 0);
  assert_int_equal(m.eigenvalue_count, 8);
  CHECK_NEAR(m.mode[1].omega, 3140.0, 1e-2);
  assert_true(m.mode[1].damping > 0);
  const double rigid[] = {1, 1, -1.0 / 3, 0.25};
  for (int i = 0; i < 4; i++) CHECK_NEAR(m.mode[0].shape_re[i], rigid[i], 1e-9);
}

// Each eigenvector must satisfy M s^2 x + C s x + K x = 0.
static void check_vectors(const Linearized *l, const Modes *m) {
  const Reduced *r = &l->number;
  double scale = 0;
  for (uint32_t i = 0; i < r->f * r->p; i++) scale = fmax(scale, fabs(r->K[i]));
  for (uint32_t k = 0; k < m->count; k++) {
    const Mode *mode = &m->mode[k];
    double a = mode->re, b = mode->im, sa = a * a - b * b, sb = 2 * a * b;
    for (uint32_t i = 0; i < r->f; i++) {
      double re = 0, im = 0;
      for (uint32_t j = 0; j < r->f; j++) {
        double x = mode->shape_re[l->choice.z[j]], y = mode->shape_im[l->choice.z[j]];
        double M = r->M[i * r->f + j], C = r->C[i * r->f + j], K = r->K[i * r->p + j];
        re += M * (sa * x - sb * y) + C * (a * x - b * y) + K * x;
        im += M * (sa * y + sb * x) + C * (a * y + b * x) + K * y;
      }
      assert_true(hypot(re, im) <= 1e-9 * fmax(1, scale));
    }
  }
}

TEST(double_pendulum_and_its_shapes) {
  Analysed a = analysed(cx, "param g = 9.81 [m/s^2], m = 1 [kg], L = 1 [m], c = 0.3 [N*m*s]\n"
                            "coord theta_1 = 0.2 [rad], theta_2 = 0.1 [rad]\n"
                            "let r_1 = (L*sin(theta_1), -L*cos(theta_1))\n"
                            "let r_2 = r_1 + (L*sin(theta_2), -L*cos(theta_2))\n"
                            "kinetic = 1/2*m*dot(r_1', r_1') + 1/2*m*dot(r_2', r_2')\n"
                            "potential = m*g*r_1.y + m*g*r_2.y\n");
  Linearized l;
  Modes m = modes_of(&a, &l);
  const double omega[] = {2.39719939786408623, 5.78735129803609403};
  check_omegas(&m, omega, 2);
  assert_int_equal(m.stability, STABILITY_OSCILLATORY);
  check_vectors(&l, &m);
  check_by_differences(&a, &l);
}

TEST(damped_pendulum_shapes_are_complex) {
  Analysed a = analysed(cx, "param g = 9.81 [m/s^2], m = 1 [kg], L = 1 [m], c = 0.3 [N*m*s]\n"
                            "coord theta_1 = 0.2 [rad], theta_2 = 0.1 [rad]\n"
                            "let r_1 = (L*sin(theta_1), -L*cos(theta_1))\n"
                            "let r_2 = r_1 + (L*sin(theta_2), -L*cos(theta_2))\n"
                            "kinetic = 1/2*m*dot(r_1', r_1') + 1/2*m*dot(r_2', r_2')\n"
                            "potential = m*g*r_1.y + m*g*r_2.y\n"
                            "dissipation = 1/2*c*theta_1'^2\n");
  Linearized l;
  Modes m = modes_of(&a, &l);
  assert_int_equal(m.stability, STABILITY_ASYMPTOTIC);
  assert_int_equal(m.count, 2);
  check_vectors(&l, &m);
}

TEST(upright_cart_pole_falls) {
  Analysed a = analysed(cx, "param M = 1 [kg], m = 0.1 [kg], l = 0.5 [m], g = 9.81 [m/s^2]\n"
                            "coord x = 0 [m], theta = 0 [rad]\n"
                            "kinetic = 1/2*(M + m)*x'^2 + m*l*x'*theta'*cos(theta)\n"
                            "kinetic = 1/2*m*l^2*theta'^2\n"
                            "potential = m*g*l*cos(theta)\n");
  Linearized l;
  Modes m = modes_of(&a, &l);
  assert_int_equal(m.stability, STABILITY_UNSTABLE);
  CHECK_NEAR(m.mode[m.growing].re, 4.64564312017184549, 1e-13);
  assert_int_equal(m.mode[0].kind, MODE_RIGID);
  CHECK_NEAR(m.mode[0].shape_re[0], 1, 1e-12);
}

TEST(hanging_acrobot) {
  Analysed a = analysed(
      cx, "param m_1 = 1 [kg], m_2 = 1 [kg], l_1 = 1 [m], c_1 = 0.5 [m], c_2 = 1 [m]\n"
          "param I_1 = 0.083 [kg*m^2], I_2 = 0.33 [kg*m^2], g = 9.81 [m/s^2]\n"
          "coord q_1 = 0.5 [rad], q_2 = 0.3 [rad]\n"
          "let r_1 = (c_1*sin(q_1), -c_1*cos(q_1))\n"
          "let r_2 = (l_1*sin(q_1) + c_2*sin(q_1 + q_2), -l_1*cos(q_1) - c_2*cos(q_1 + q_2))\n"
          "kinetic = 1/2*m_1*dot(r_1', r_1') + 1/2*m_2*dot(r_2', r_2')\n"
          "kinetic = 1/2*I_1*q_1'^2 + 1/2*I_2*(q_1' + q_2')^2\n"
          "potential = g*(m_1*r_1.y + m_2*r_2.y)\n");
  Linearized l;
  Modes m = modes_of(&a, &l);
  const double omega[] = {2.239997030714297, 6.101102905142894};
  check_omegas(&m, omega, 2);
}

// Steady precession of a heavy top: gyroscopic, and stable above the speed of a sleeping top.
TEST(sleeping_top_needs_speed) {
  const char *text = "param I_1 = 0.002 [kg*m^2], I_3 = 0.001 [kg*m^2], k = 0.3 [N*m]\n"
                     "param w = %g [rad/s]\n"
                     "coord a = 0 [rad], b = 0 [rad], s = 0 [rad]\n"
                     "let u_1 = a'\n"
                     "let u_2 = b'*cos(a)\n"
                     "let u_3 = s' - b'*sin(a)\n"
                     "kinetic = 1/2*I_1*(u_1^2 + u_2^2) + 1/2*I_3*u_3^2\n"
                     "potential = k*cos(a)*cos(b)\n"
                     "linearize at motion s' = w, a = 0, b = 0\n";
  for (int fast = 0; fast < 2; fast++) {
    // 2 sqrt(k I_1)/I_3 = 48.9898
    Analysed a = analysed(cx, text_format(&cx->keep, text, fast ? 49.1 : 48.8));
    Linearized l;
    Modes m = modes_of(&a, &l);
    assert_int_equal(m.stability == STABILITY_UNSTABLE, !fast);
    check_by_differences(&a, &l);
  }
}

// Massless coordinates follow the others: springs in series, and a damper that gives one state.
TEST(a_massless_point_between_springs) {
  const char *text = "param m = 2 [kg], k_1 = 100 [N/m], k_2 = 300 [N/m], c = %g [N*s/m]\n"
                     "coord x = 0 [m], y = 0 [m]\n"
                     "kinetic = 1/2*m*x'^2\n"
                     "potential = 1/2*k_1*(x - y)^2 + 1/2*k_2*y^2\n"
                     "dissipation = 1/2*c*y'^2\n";
  for (int damped = 0; damped < 2; damped++) {
    Analysed a = analysed(cx, text_format(&cx->keep, text, damped ? 5.0 : 0.0));
    Linearized l;
    Modes m = modes_of(&a, &l);
    assert_int_equal(l.has_state_space, damped);
    assert_int_equal(m.infinite, damped ? 0 : 2);
    assert_int_equal(m.count, damped ? 2 : 1);
    check_vectors(&l, &m);
    if (damped) continue;
    CHECK_NEAR(m.mode[0].omega, sqrt(37.5), 1e-13);
    CHECK_NEAR(m.mode[0].shape_re[1], 0.25, 1e-13);
  }
}

// Chains of springs and dampers in which some points have no mass, at random: every finite pair
// satisfies the equations, and there are as many as states: two for a mass, one for a massless
// point with a damper, none for one with springs alone.
TEST(finite_eigenvalues_of_random_chains) {
  Random random = random_start("massless");
  for (int round = 0; round < test_rounds(40); round++) {
    int n = 2 + (int)random_below(&random, 5), states = 0;
    Text text = text_new(&cx->keep);
    double size = pow(10, random_real(&random, -4, 4));
    text_addf(&text, "let x[0] = 0 [m]\n");
    for (int i = 1; i <= n; i++) {
      bool has_mass = i == 1 || random_below(&random, 2), has_damper = random_below(&random, 2);
      text_addf(&text, "coord x[%d] = 0 [m]\n", i);
      text_addf(&text, "potential = 1/2*%.6g [N/m]*(x[%d] - x[%d])^2 + 1/2*%.6g [N/m]*x[%d]^2\n",
                size * random_real(&random, 1, 9), i, i - 1, size * random_real(&random, 0.1, 2),
                i);
      if (has_mass)
        text_addf(&text, "kinetic = 1/2*%.6g [kg]*x[%d]'^2\n", random_real(&random, 1, 9), i);
      if (has_damper)
        text_addf(&text, "dissipation = 1/2*%.6g [N*s/m]*x[%d]'^2\n",
                  sqrt(size) * random_real(&random, 0.1, 1), i);
      states += has_mass ? 2 : has_damper;
    }
    Analysed a = analysed(cx, text.at);
    Linearized l;
    Modes m = modes_of(&a, &l);
    assert_int_equal((int)m.eigenvalue_count, states);
    assert_int_equal((int)m.infinite, l.has_state_space ? 0 : 2 * n - states);
    check_vectors(&l, &m);
  }
}

TEST(an_open_coordinate_is_named) {
  Analysed a = analysed(cx, "param m = 1 [kg], g = 9.81 [m/s^2], l = 1 [m]\n"
                            "coord theta = 0.1 [rad], phi = 0 [rad]\n"
                            "kinetic = 1/2*m*l^2*(theta'^2 + (sin(theta)*phi')^2)\n"
                            "potential = -m*g*l*cos(theta)\n");
  Linearized l = linearized(&a);
  Modes m;
  assert_int_equal(modes_find(&l, &cx->keep, &m), QDOT_SINGULAR_MASS);
  assert_int_equal(m.undetermined, 1);
}

// ---- Rows of velocities that hold positions

// F(q) = 0, or dF/dt = 0 for the same F: curved, its factors of velocities depend on q, and loaded
// at the point, so that its curvature is stiffness.
static Modes modes_of_row(Context *cx, Random *random, const char *row, Linearized *l) {
  char text[1024];
  double a = random_real(random, 0.5, 2), b = random_real(random, -2, -0.5);
  double d = random_real(random, -1, 1), e = random_real(random, -1, 1);
  double load = random_real(random, -1, 1);
  snprintf(text, sizeof text,
           "coord x = 0 [m], y = 0 [m], z = 0 [m]\n"
           "input u = 0 [N]\n"
           "param a = %.17g, b = %.17g, d = %.17g [1/m], e = %.17g [1/m], f = %.17g [N]\n"
           "param m = %.17g [kg], k = %.17g [N/m], c = %.17g [N*s/m], L = 1 [m]\n"
           "let F = a*x + b*y*(1 + d*x) + L*sin(z/L) + e*x*z\n"
           "kinetic = 1/2*m*(x'^2 + 2*y'^2 + 3*z'^2 + x'*y')\n"
           "potential = 9*k*(x^2 + 2*y^2 + z^2 + x*z) + f*(a*x + b*y + z)\n"
           "force x = u - c*x'\n"
           "constraint held: %s = 0\n"
           "linearize at x = 0, y = 0, z = 0\n",
           a, b, d, e, load, random_real(random, 0.5, 2), random_real(random, 1, 5),
           random_real(random, 0, 0.5), row);
  Analysed model = analysed(cx, text);
  return modes_of(&model, l);
}

TEST(a_rate_that_can_be_integrated_holds_positions) {
  Random random = random_start("integrable");
  for (int k = 0; k < 20; k++) {
    Random again = random;
    Linearized positions, rates;
    Modes m = modes_of_row(cx, &random, "F", &positions);
    Modes same = modes_of_row(cx, &again, "F'", &rates);
    assert_int_equal(rates.p, 2);
    assert_int_equal(rates.f, 2);
    for (uint32_t i = 0; i < 16; i++) CHECK_NEAR(rates.state.A[i], positions.state.A[i], 1e-9);
    for (uint32_t i = 0; i < 4; i++) CHECK_NEAR(rates.state.B[i], positions.state.B[i], 1e-9);
    assert_int_equal(same.count, m.count);
    assert_int_equal(same.stability, m.stability);
    for (uint32_t i = 0; i < m.count; i++) {
      CHECK_NEAR(same.mode[i].omega, m.mode[i].omega, 1e-9);
      assert_int_equal(same.mode[i].kind, m.mode[i].kind);
    }
  }
}

// Where a rate says again what a position row says, the load stays with the position.
TEST(a_rate_that_repeats_a_position_carries_nothing) {
  Analysed a = analysed(cx, "param g = 9.81 [m/s^2], m = 2 [kg], k = 50 [N/m]\n"
                            "coord x = 0 [m], y = 0 [m]\n"
                            "kinetic = 1/2*m*(x'^2 + y'^2)\n"
                            "potential = 1/2*k*x^2 + m*g*y\n"
                            "constraint again: 5*x' = 5*y'\n"
                            "constraint same: x = y\n"
                            "linearize at equilibrium\n");
  Linearized l;
  Modes m = modes_of(&a, &l);
  check_omegas(&m, (double[]){sqrt(50.0 / 4)}, 1);
  CHECK_NEAR(l.point->lambda[0], 0, 1e-12);
  CHECK_NEAR(fabs(l.point->lambda[1]), 2 * 9.81, 1e-9);
}

// A hoop in a cylinder: one degree of freedom, omega^2 = g/(2 (R - r)).
TEST(a_hoop_that_rolls_has_one_mode) {
  Analysed a = analysed(cx, "param g = 9.81 [m/s^2], m = 1.5 [kg], r = 0.1 [m], R = 0.5 [m]\n"
                            "coord theta = 0.9 [rad], phi ~ 0 [rad]\n"
                            "kinetic = 1/2*m*(R - r)^2*theta'^2 + 1/2*m*r^2*phi'^2\n"
                            "potential = -m*g*(R - r)*cos(theta)\n"
                            "constraint roll: (R - r)*theta' + r*phi' = 0\n"
                            "linearize at equilibrium\n");
  Linearized l;
  Modes m = modes_of(&a, &l);
  check_omegas(&m, (double[]){sqrt(9.81 / 0.8)}, 1);
  assert_int_equal(m.stability, STABILITY_OSCILLATORY);
  FrequencyForms forms = frequency_forms(&l, &m, a.values);
  assert_int_equal(forms.n, 1);
  check_matrix(&a, &forms.at[0].square, (const char *[]){"g/(2*(R - r))"}, 1);
}

RUN_TESTS(cmocka_unit_test(a_rate_that_can_be_integrated_holds_positions),
          cmocka_unit_test(a_rate_that_repeats_a_position_carries_nothing),
          cmocka_unit_test(a_hoop_that_rolls_has_one_mode),
          cmocka_unit_test(a_massless_point_between_springs),
          cmocka_unit_test(finite_eigenvalues_of_random_chains),
          cmocka_unit_test(an_open_coordinate_is_named),
          cmocka_unit_test(drive_train_turns_as_a_whole), cmocka_unit_test(rod_on_springs),
          cmocka_unit_test(damping_keeps_the_rigid_mode),
          cmocka_unit_test(double_pendulum_and_its_shapes),
          cmocka_unit_test(damped_pendulum_shapes_are_complex),
          cmocka_unit_test(upright_cart_pole_falls), cmocka_unit_test(hanging_acrobot),
          cmocka_unit_test(sleeping_top_needs_speed))
