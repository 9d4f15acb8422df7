// Exact linearization: closed forms against minimal coordinates, numbers against differences.
#include "analyse/linear/linearize.h"

#include <math.h>
#include <string.h>

#include "expr/algebra/expand.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/print.h"
#include "expr/subst.h"
#include "support/analysis.h"

// ---- The two examples of Ge, Zhao, Chen and Liu (2005)

// Two uniform rods in natural coordinates: points 1, 2, 3, mass matrices m/3 and m/6.
static const char rods_in_points[] =
    "param g = 9.81 [m/s^2], m_1 = 1 [kg], m_2 = 2 [kg], L_1 = 1 [m], L_2 = 0.5 [m]\n"
    "coord x_1 = 0 [m], y_1 = 0 [m], x_2 ~ 0.1 [m], y_2 ~ -1 [m], x_3 ~ 0 [m], y_3 ~ -1.5 [m]\n"
    "kinetic one = m_1/6*(x_1'^2 + x_1'*x_2' + x_2'^2 + y_1'^2 + y_1'*y_2' + y_2'^2)\n"
    "kinetic two = m_2/6*(x_2'^2 + x_2'*x_3' + x_3'^2 + y_2'^2 + y_2'*y_3' + y_3'^2)\n"
    "potential = m_1*g*(y_1 + y_2)/2 + m_2*g*(y_2 + y_3)/2\n"
    "constraint O_x: x_1 = 0\n"
    "constraint O_y: y_1 = 0\n"
    "constraint one: (x_2 - x_1)^2 + (y_2 - y_1)^2 = L_1^2\n"
    "constraint two: (x_3 - x_2)^2 + (y_3 - y_2)^2 = L_2^2\n"
    "linearize at equilibrium\n";

// The same rods in minimal coordinates x_2, x_3, for small motions near the vertical.
static const char rods_minimal[] =
    "param g = 9.81 [m/s^2], m_1 = 1 [kg], m_2 = 2 [kg], L_1 = 1 [m], L_2 = 0.5 [m]\n"
    "coord x_2 = 0 [m], x_3 = 0 [m]\n"
    "let y_2 = -L_1*sqrt(1 - (x_2/L_1)^2)\n"
    "let y_3 = y_2 - L_2*sqrt(1 - ((x_3 - x_2)/L_2)^2)\n"
    "kinetic one = m_1/6*(x_2'^2 + y_2'^2)\n"
    "kinetic two = m_2/6*(x_2'^2 + x_2'*x_3' + x_3'^2 + y_2'^2 + y_2'*y_3' + y_3'^2)\n"
    "potential = m_1*g*y_2/2 + m_2*g*(y_2 + y_3)/2\n"
    "linearize at x_2 = 0, x_3 = 0\n";

TEST(rods_have_the_closed_form) {
  Analysed a = analysed(cx, rods_in_points);
  Linearized l = linearized(&a);
  assert_int_equal(l.f, 2);
  assert_int_equal(l.form.names.n, 0);
  check_matrix(&a, l.M, (const char *[]){"(m_1 + m_2)/3", "m_2/6", "m_2/6", "m_2/3"}, 4);
  const char *const K[] = {"g*(m_1/2 + m_2)/L_1 + g*m_2/(2*L_2)", "-g*m_2/(2*L_2)",
                           "-g*m_2/(2*L_2)", "g*m_2/(2*L_2)"};
  check_matrix(&a, l.K, K, 4);
  // gravity has no second derivative here: all stiffness is that of the loaded constraints
  check_matrix(&a, l.K_constraint, K, 4);
  check_matrix(&a, l.C, (const char *[]){"0", "0", "0", "0"}, 4);
  check_matrix(&a, l.form.q, (const char *[]){"0", "0", "0", "-L_1", "0", "-L_1 - L_2"}, 6);
  check_by_differences(&a, &l);
}

// Two models of one system, linearized: proved equal entry by entry, for all values.
static void check_equal(Context *cx, const char *one, const char *other) {
  Analysed a = analysed(cx, one), b = analysed(cx, other);
  Linearized l = linearized(&a), k = linearized(&b);
  assert_true(l.f == k.f && l.m > 0 && k.m == 0);
  for (uint32_t i = 0; i < l.f * l.f; i++) {
    assert_int_equal(expr_zero_test(cx, expr_sub(cx, l.M[i], k.M[i]), 100000), ZERO_YES);
    assert_int_equal(expr_zero_test(cx, expr_sub(cx, l.C[i], k.C[i]), 100000), ZERO_YES);
    assert_int_equal(expr_zero_test(cx, expr_sub(cx, l.K[i], k.K[i]), 100000), ZERO_YES);
  }
}

TEST(rods_agree_with_minimal_coordinates) { check_equal(cx, rods_in_points, rods_minimal); }

static const char spring_pendulum[] =
    "param g = 9.81 [m/s^2], m_1 = 2 [kg], m_2 = 1 [kg], L = 1.5 [m], k = 50 [N/m]\n"
    "coord x_1 ~ 0.2 [m], y_1 ~ 0 [m], x_2 ~ 0.1 [m], y_2 ~ -1.4 [m]\n"
    "kinetic = 1/2*m_1*(x_1'^2 + y_1'^2) + 1/2*m_2*(x_2'^2 + y_2'^2)\n"
    "potential = m_1*g*y_1 + m_2*g*y_2 + 1/2*k*x_1^2\n"
    "constraint rail: y_1 = 0\n"
    "constraint string: (x_2 - x_1)^2 + (y_2 - y_1)^2 = L^2\n"
    "independent x_1, x_2\n";

TEST(spring_pendulum_has_the_closed_form) {
  Analysed a = analysed(cx, spring_pendulum);
  Linearized l = linearized(&a);
  check_matrix(&a, l.M, (const char *[]){"m_1", "0", "0", "m_2"}, 4);
  check_matrix(&a, l.K, (const char *[]){"k + m_2*g/L", "-m_2*g/L", "-m_2*g/L", "m_2*g/L"}, 4);
  check_matrix(&a, l.K_constraint, (const char *[]){"m_2*g/L", "-m_2*g/L", "-m_2*g/L", "m_2*g/L"},
               4);
  check_by_differences(&a, &l);
}

static const char spring_pendulum_minimal[] =
    "param g = 9.81 [m/s^2], m_1 = 2 [kg], m_2 = 1 [kg], L = 1.5 [m], k = 50 [N/m]\n"
    "coord x_1 = 0 [m], x_2 = 0 [m]\n"
    "let y_2 = -L*sqrt(1 - ((x_2 - x_1)/L)^2)\n"
    "kinetic = 1/2*m_1*x_1'^2 + 1/2*m_2*(x_2'^2 + y_2'^2)\n"
    "potential = m_2*g*y_2 + 1/2*k*x_1^2\n"
    "linearize at x_1 = 0, x_2 = 0\n";

TEST(spring_pendulum_agrees_with_minimal_coordinates) {
  check_equal(cx, spring_pendulum, spring_pendulum_minimal);
}

// ---- Open chains, inputs and outputs

static const char cart_pole[] =
    "param M = 1 [kg], m = 0.1 [kg], l = 0.5 [m], g = 9.81 [m/s^2], c = 0.2 [N*s/m]\n"
    "coord x = 0 [m], theta = 0.1 [rad]\n"
    "input F = 0 [N]\n"
    "kinetic = 1/2*(M + m)*x'^2 + m*l*x'*theta'*cos(theta) + 1/2*m*l^2*theta'^2\n"
    "potential = m*g*l*cos(theta)\n"
    "dissipation = 1/2*c*x'^2\n"
    "force x = F\n"
    "output angle = theta\n"
    "output load = x''\n"
    "linearize at theta = 0\n";

TEST(cart_pole_has_inputs_and_outputs) {
  Analysed a = analysed(cx, cart_pole);
  Linearized l = linearized(&a);
  check_matrix(&a, l.M, (const char *[]){"M + m", "m*l", "m*l", "m*l^2"}, 4);
  check_matrix(&a, l.C, (const char *[]){"c", "0", "0", "0"}, 4);
  check_matrix(&a, l.K, (const char *[]){"0", "0", "0", "-m*g*l"}, 4);
  check_matrix(&a, l.B, (const char *[]){"1", "0"}, 2);
  check_by_differences(&a, &l);
  assert_int_equal(l.state.size, 4);
  for (int j = 0; j < 4; j++) {
    CHECK_NEAR(l.C_out[j], j == 1, 1e-15);
    CHECK_NEAR(l.C_out[4 + j], l.state.A[2 * 4 + j], 1e-12);
  }
  CHECK_NEAR(l.D_out[0], 0, 1e-15);
  CHECK_NEAR(l.D_out[1], l.state.B[2], 1e-12);
}

// A load on a spring: the equilibrium is found in closed form.
TEST(equilibrium_in_closed_form) {
  Analysed a = analysed(cx, "param m = 2 [kg], k = 40 [N/m], l_0 = 1 [m], g = 9.81 [m/s^2]\n"
                            "coord r = 1.2 [m], theta = 0.5 [rad]\n"
                            "kinetic = 1/2*m*(r'^2 + r^2*theta'^2)\n"
                            "potential = 1/2*k*(r - l_0)^2 - m*g*r*cos(theta)\n");
  Linearized l = linearized(&a);
  check_matrix(&a, l.form.q, (const char *[]){"l_0 + m*g/k", "0"}, 2);
  check_matrix(&a, l.K, (const char *[]){"k", "0", "0", "m*g*(l_0 + m*g/k)"}, 4);
  check_by_differences(&a, &l);
}

TEST(torque_leads_to_an_arc_sine) {
  Analysed a = analysed(cx, "param m = 2 [kg], L = 1 [m], g = 9.81 [m/s^2], tau = 5 [N*m]\n"
                            "coord theta = 0 [rad]\n"
                            "kinetic = 1/2*m*L^2*theta'^2\n"
                            "potential = -m*g*L*cos(theta)\n"
                            "force theta = tau\n");
  Linearized l = linearized(&a);
  assert_int_equal(l.form.names.n, 0);
  CHECK_NEAR(l.point->q[0], asin(5 / (2 * 9.81)), 1e-12);
  check_by_differences(&a, &l);
}

// No closed form: named values, whose numbers give the matrices.
TEST(values_without_closed_form_are_named) {
  Analysed a = analysed(cx, "param m = 1 [kg], k = 30 [N/m], L = 1 [m], g = 9.81 [m/s^2]\n"
                            "param a = 0.7 [m]\n"
                            "coord x ~ 0.5 [m], y ~ -0.8 [m]\n"
                            "kinetic = 1/2*m*(x'^2 + y'^2)\n"
                            "potential = m*g*y + 1/2*k*(sqrt((x - 2*a)^2 + (y - a)^2) - a)^2\n"
                            "constraint rod: x^2 + y^2 = L^2\n");
  Linearized l = linearized(&a);
  assert_int_equal(l.form.names.n, 2);
  assert_string_equal(symbol_text(cx, symbol_name(cx, l.form.names.at[0].symbol)), "x_e");
  check_by_differences(&a, &l);
}

// ---- Closed chains

// A parallelogram hanging between two pivots, with one bar more than needed.
TEST(redundant_constraints_change_nothing) {
  const char *start = "param m = 1 [kg], L = 1 [m], d = 0.8 [m], g = 9.81 [m/s^2]\n"
                      "coord x_1 ~ 0.1 [m], y_1 ~ -1 [m], x_2 ~ 0.9 [m], y_2 ~ -1 [m]\n"
                      "kinetic = 1/2*m*(x_1'^2 + y_1'^2 + x_2'^2 + y_2'^2)\n"
                      "potential = m*g*(y_1 + y_2)\n"
                      "constraint a: x_1^2 + y_1^2 = L^2\n"
                      "constraint b: (x_2 - d)^2 + y_2^2 = L^2\n"
                      "constraint c: x_2 - x_1 = d\n";
  const char *more = "constraint e: y_2 - y_1 = 0\n";
  Analysed a = analysed(cx, start);
  Analysed b = analysed(cx, text_format(&cx->keep, "%s%s", start, more));
  Linearized l = linearized(&a), k = linearized(&b);
  assert_int_equal(l.f, 1);
  assert_int_equal(k.f, 1);
  check_matrix(&a, l.K, (const char *[]){"2*m*g/L"}, 1);
  check_matrix(&b, k.K, (const char *[]){"2*m*g/L"}, 1);
  check_by_differences(&b, &k);
}

// ---- Steady motions and rolling

TEST(conical_pendulum_is_a_steady_motion) {
  Analysed a = analysed(cx, "param m = 1 [kg], L = 1 [m], g = 9.81 [m/s^2], w = 4.5 [rad/s]\n"
                            "coord theta = 1 [rad], phi = 0 [rad]\n"
                            "kinetic = 1/2*m*L^2*(theta'^2 + sin(theta)^2*phi'^2)\n"
                            "potential = -m*g*L*cos(theta)\n"
                            "linearize at motion phi' = w\n");
  Linearized l = linearized(&a);
  CHECK_NEAR(cos(l.point->q[0]), 9.81 / (4.5 * 4.5), 1e-12);
  check_by_differences(&a, &l);
}

// A sledge on an edge: the lateral velocity vanishes. f = 2 velocities, p = 3 positions.
static const char sledge[] =
    "param m = 2 [kg], J = 0.3 [kg*m^2], a = 0.4 [m], v = 1.5 [m/s], c = 0.1 [N*s/m]\n"
    "coord x = 0 [m], y = 0 [m], psi = 0 [rad]\n"
    "let x_c = x + a*cos(psi)\n"
    "let y_c = y + a*sin(psi)\n"
    "input F = 0 [N]\n"
    "kinetic = 1/2*m*(x_c'^2 + y_c'^2) + 1/2*J*psi'^2\n"
    "force psi = F*a\n"
    "constraint edge: y'*cos(psi) - x'*sin(psi) = 0\n"
    "linearize at motion x' = v\n";

TEST(rolling_leaves_more_positions_than_velocities) {
  Analysed a = analysed(cx, sledge);
  Linearized l = linearized(&a);
  assert_int_equal(l.p, 3);
  assert_int_equal(l.f, 2);
  check_by_differences(&a, &l);
  // x'' = 0 and (J + m a^2) psi'' + m a v psi' = a F
  for (uint32_t i = 0; i < 2; i++) {
    if (l.choice.z[i] != 2) continue;
    check_matrix(&a, &l.M[i * 2 + i], (const char *[]){"J + m*a^2"}, 1);
    check_matrix(&a, &l.C[i * 2 + i], (const char *[]){"m*a*v"}, 1);
  }
}

// ---- Mistakes

static void check_says(const char *message, const char *part) {
  if (!strstr(message, part)) print_message("%s", message);
  assert_non_null(strstr(message, part));
}

TEST(no_equilibrium_is_explained) {
  Analysed a = analysed(cx, "param m = 1 [kg], k = 2 [N/m], F = 3 [N]\n"
                            "coord x = 0 [m], y = 0 [m]\n"
                            "kinetic = 1/2*m*(x'^2 + y'^2)\n"
                            "potential = 1/2*k*y^2\n"
                            "force x = F\n"
                            "linearize at equilibrium\n");
  const char *message = linearize_error(&a);
  check_says(message, "no equilibrium near the start");
  check_says(message, "nothing balances the force of 3 on 'x'");
}

// Two masses on one spring are pushed: the sum of the forces is the same at every state.
TEST(a_force_on_several_is_noticed) {
  Analysed a = analysed(cx, "param m = 1 [kg], k = 2 [N/m], F = 3 [N]\n"
                            "coord x = 0 [m], y = 1 [m], z = 0 [m]\n"
                            "kinetic = 1/2*m*(x'^2 + y'^2 + z'^2)\n"
                            "potential = 1/2*k*(y - x)^2 + 1/2*k*z^2\n"
                            "force x = F\n");
  const char *message = linearize_error(&a);
  check_says(message, "nothing balances the force of 3 on 'x', 'y' together");
}

// A spring that has no length at the balance of all others: no state to linearize about.
TEST(a_spring_of_no_length_has_no_slope) {
  static const char spring[] = "param m = 1 [kg], k = 20 [N/m], l = %s [m], L = 1 [m]\n"
                               "coord x = %s [m], y = 0.2 [m]\n"
                               "kinetic = 1/2*m*(x'^2 + y'^2)\n"
                               "potential = 1/2*k*(sqrt(x^2 + y^2) - l)^2"
                               " + 1/2*k*(sqrt((x - L)^2 + y^2) - L)^2\n";
  Analysed a = analysed(cx, text_format(&cx->keep, spring, "0", "0.3"));
  check_says(linearize_error(&a), "the equations have no slope here: sqrt(x^2 + y^2) vanishes");
  // with a length there are states beside it, and no other is taken
  a = analysed(cx, text_format(&cx->keep, spring, "0.1", "0.9"));
  Linearized l = linearized(&a);
  double first = hypot(l.point->q[0], l.point->q[1]);
  double second = hypot(l.point->q[0] - 1, l.point->q[1]);
  assert_true(first > 1e-3 && second > 1e-3);
  check_by_differences(&a, &l);
}

TEST(a_point_without_balance_keeps_a_force) {
  Analysed a = analysed(cx, "param m = 2 [kg], L = 1 [m], g = 9.81 [m/s^2]\n"
                            "coord theta = 0 [rad]\n"
                            "kinetic = 1/2*m*L^2*theta'^2\n"
                            "potential = -m*g*L*cos(theta)\n"
                            "linearize at theta = 30 [deg]\n");
  Linearized l = linearized(&a);
  check_matrix(&a, l.Q, (const char *[]){"-m*g*L/2"}, 1);
  check_matrix(&a, l.K, (const char *[]){"m*g*L*sqrt(3)/2"}, 1);
  Text text = text_new(&cx->keep);
  diag_print(&cx->sources, &cx->diagnostics.list.at[0], false, &text);
  check_says(text.at, "this point is not an equilibrium: 9.81 on 'theta'");
  check_says(text.at, "the nearest equilibrium: theta = ");
}

TEST(time_is_named) {
  Analysed a = analysed(cx, "param m = 2 [kg], k = 1 [N/m], w = 3 [rad/s], F = 1 [N]\n"
                            "coord x = 0 [m]\n"
                            "kinetic = 1/2*m*x'^2\n"
                            "potential = 1/2*k*x^2\n"
                            "force x = F*x/(1 [m])*sin(w*t)\n"
                            "linearize at equilibrium\n");
  check_says(linearize_error(&a), "this force depends on t");
}

// What excites from outside does not change what is excited.
TEST(excitations_are_left_out) {
  Analysed a = analysed(cx, "param m = 2 [kg], k = 8 [N/m], w = 3 [rad/s], F = 1 [N], G = 2 [N]\n"
                            "coord x = 0 [m]\n"
                            "kinetic = 1/2*m*x'^2\n"
                            "potential = 1/2*k*x^2\n"
                            "force x = F*sin(w*t) + G\n"
                            "linearize at equilibrium\n");
  Linearized l = linearized(&a);
  check_matrix(&a, l.K, (const char *[]){"k"}, 1);
  CHECK_NEAR(l.point->q[0], 0.25, 1e-12);
}

// A rotor on springs with an unbalance has the modes of one without.
TEST(unbalances_are_left_out) {
  static const char *const rotor =
      "param M = 20 [kg], k = 8e4 [N/m], c = 60 [N*s/m], U = %s [kg*m], w = 50 [rad/s]\n"
      "body frame: mass M, inertia 1 [kg*m^2]\n"
      "body rotor: mass 5 [kg], inertia 0.01 [kg*m^2]\n"
      "joint S: prismatic ground (0, 0), frame (0, 0), axis 90 [deg]\n"
      "joint A: revolute frame (0, 0), rotor (0, 0)\n"
      "spring s: ground (0, -1 [m]), frame (0, 0), stiffness k, length 1 [m], damping c\n"
      "unbalance u: rotor (0, 0), moment U, angle 0\nmotor A: speed w\n";
  Analysed a = analysed(cx, text_format(&cx->keep, rotor, "2e-3"));
  Linearized l = linearized(&a);
  Analysed still = analysed(cx, text_format(&cx->keep, rotor, "0"));
  Linearized without = linearized(&still);
  assert_int_equal(l.p, 1);
  for (int i = 0; i < 4; i++) CHECK_NEAR(l.state.A[i], without.state.A[i], 1e-12);
  CHECK_NEAR(l.state.A[2], -8e4 / 25, 1e-9);
  CHECK_NEAR(l.state.A[3], -60. / 25, 1e-12);
}

TEST(a_drive_of_amplitude_zero_is_left_out) {
  Analysed a =
      analysed(cx, "param m = 2 [kg], g = 9.81 [m/s^2], l = 1 [m], A = 0 [m], w = 9 [rad/s]\n"
                   "coord theta = 0 [rad]\n"
                   "let r = (l*sin(theta), A*cos(w*t) - l*cos(theta))\n"
                   "kinetic = 1/2*m*dot(r', r')\n"
                   "potential = m*g*r.y\n");
  Linearized l = linearized(&a);
  check_matrix(&a, l.K, (const char *[]){"m*g*l"}, 1);
  assert_int_equal(l.form.zeros.n, 1);
}

TEST(an_unsteady_motion_names_the_term) {
  Analysed a = analysed(cx, "param m = 2 [kg], L = 1 [m], g = 9.81 [m/s^2]\n"
                            "coord theta = 0 [rad]\n"
                            "kinetic = 1/2*m*L^2*theta'^2\n"
                            "potential = -m*g*L*cos(theta)\n"
                            "linearize at motion theta' = 2\n");
  check_says(linearize_error(&a), "depends on 'theta', which moves at 2");
}

TEST(wrong_independent_coordinates_are_explained) {
  const char *start = strstr(rods_in_points, "linearize");
  const char *base = arena_copy(&cx->keep, rods_in_points, (size_t)(start - rods_in_points));
  Analysed a = analysed(cx, text_format(&cx->keep, "%sindependent x_2, y_2\n", base));
  const char *message = linearize_error(&a);
  check_says(message, "do not determine the others");
  check_says(message, "'x_2, x_3' would do");
  Analysed b = analysed(cx, text_format(&cx->keep, "%sindependent x_2\n", base));
  message = linearize_error(&b);
  check_says(message, "1 coordinate is named independent, but 2 are");
}

// Four equal bars folded flat: two branches meet.
TEST(a_dead_position_is_explained) {
  Analysed a = analysed(cx, "param m = 1 [kg], L = 1 [m], k = 3 [N/m]\n"
                            "coord x_1 ~ 1 [m], y_1 ~ 0 [m], x_2 ~ 2 [m], y_2 ~ 0 [m]\n"
                            "kinetic = 1/2*m*(x_1'^2 + y_1'^2 + x_2'^2 + y_2'^2)\n"
                            "potential = 1/2*k*(y_1^2 + y_2^2)\n"
                            "constraint a: x_1^2 + y_1^2 = L^2\n"
                            "constraint b: (x_2 - x_1)^2 + (y_2 - y_1)^2 = L^2\n"
                            "constraint c: (x_2 - L)^2 + y_2^2 = L^2\n"
                            "linearize at x_1 = 1, y_1 = 0, x_2 = 2, y_2 = 0\n");
  const char *message = linearize_error(&a);
  check_says(message, "singular at this point: its 3 constraints have rank 2 here, 3 nearby");
}

RUN_TESTS(cmocka_unit_test(rods_have_the_closed_form),
          cmocka_unit_test(rods_agree_with_minimal_coordinates),
          cmocka_unit_test(spring_pendulum_has_the_closed_form),
          cmocka_unit_test(spring_pendulum_agrees_with_minimal_coordinates),
          cmocka_unit_test(cart_pole_has_inputs_and_outputs),
          cmocka_unit_test(equilibrium_in_closed_form),
          cmocka_unit_test(torque_leads_to_an_arc_sine),
          cmocka_unit_test(values_without_closed_form_are_named),
          cmocka_unit_test(redundant_constraints_change_nothing),
          cmocka_unit_test(conical_pendulum_is_a_steady_motion),
          cmocka_unit_test(rolling_leaves_more_positions_than_velocities),
          cmocka_unit_test(no_equilibrium_is_explained),
          cmocka_unit_test(a_force_on_several_is_noticed),
          cmocka_unit_test(a_spring_of_no_length_has_no_slope),
          cmocka_unit_test(a_point_without_balance_keeps_a_force), cmocka_unit_test(time_is_named),
          cmocka_unit_test(excitations_are_left_out), cmocka_unit_test(unbalances_are_left_out),
          cmocka_unit_test(a_drive_of_amplitude_zero_is_left_out),
          cmocka_unit_test(an_unsteady_motion_names_the_term),
          cmocka_unit_test(wrong_independent_coordinates_are_explained),
          cmocka_unit_test(a_dead_position_is_explained))
