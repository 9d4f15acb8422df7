// Initial conditions: given values kept, guesses moved least, and messages when it cannot be.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "support/motion.h"

static const char *message(const Motion *m) {
  const Diagnostics *d = &m->cx->diagnostics;
  return d->list.n > 0 ? d->list.at[d->list.n - 1].message : "";
}

static void check_message(const Motion *m, Status status, const char *part) {
  if (m->status != status || !strstr(message(m), part)) motion_explain(m);
  assert_int_equal(m->status, status);
  assert_non_null(strstr(message(m), part));
}

// The point of a circle nearest to the guess in the metric of the masses, by a fine search.
TEST(nearest_point) {
  Motion m = motion_of(cx, "param m = 1, M = 4, L = 1, g = 9.81\n"
                           "coord x ~ 0.9, y ~ -0.8\nkinetic = 1/2*m*x'^2 + 1/2*M*y'^2\n"
                           "potential = m*g*y\nconstraint rod: x^2 + y^2 = L^2\n"
                           "simulate to 0.1 every 0.1\n");
  double best = 1e9, x = 0, y = 0;
  for (double a = -1.5; a < 0; a += 1e-6) {
    double d = pow(cos(a) - 0.9, 2) + 4 * pow(sin(a) + 0.8, 2);
    if (d < best) best = d, x = cos(a), y = sin(a);
  }
  CHECK_NEAR(motion_at(&m, 0, "x"), x, 1e-5);
  CHECK_NEAR(motion_at(&m, 0, "y"), y, 1e-5);
  assert_int_equal(m.summary.moved, 2);
}

static const char *const crank =
    "param L = 1, m = 1, g = 9.81\ncoord x %s, y %s, theta %s\n%s"
    "kinetic = 1/2*m*(x'^2 + y'^2) + 1/2*m*L^2*theta'^2\npotential = m*g*y\n"
    "constraint A_x: x = L*cos(theta)\nconstraint A_y: y = L*sin(theta)\n"
    "simulate to 0.1 every 0.1\n";

static Motion run_crank(Context *cx, const char *x, const char *y, const char *theta,
                        const char *more) {
  Motion m = motion_load(cx, text_format(&cx->keep, crank, x, y, theta, more), NULL);
  motion_run(&m);
  return m;
}

TEST(kept_and_moved) {
  Motion m = run_crank(cx, "~ 0", "~ 0", "= 1", "coord theta' = 2\n");
  assert_int_equal(m.status, QDOT_OK);
  CHECK_NEAR(motion_at(&m, 0, "x"), cos(1), 1e-14);
  CHECK_NEAR(motion_at(&m, 0, "y"), sin(1), 1e-14);
  CHECK_NEAR(motion_at(&m, 0, "x'"), -2 * sin(1), 1e-14);
  CHECK_NEAR(motion_at(&m, 0, "y'"), 2 * cos(1), 1e-14);
  // a far guess that needs other starts
  m = run_crank(cx, "= -0.6", "= 0.8", "~ 0", "");
  assert_int_equal(m.status, QDOT_OK);
  CHECK_NEAR(cos(motion_at(&m, 0, "theta")), -0.6, 1e-12);
  CHECK_NEAR(sin(motion_at(&m, 0, "theta")), 0.8, 1e-12);
}

TEST(contradictions) {
  Motion m = run_crank(cx, "= 0.7", "~ 0", "= 1", "");
  check_message(&m, QDOT_INCONSISTENT,
                "the given initial values contradict constraint 'A_x' by 0.16");
  m = run_crank(cx, "= 3", "~ 0", "~ 0", "");
  check_message(&m, QDOT_INCONSISTENT, "constraint 'A_x' stays off by 2");
  m = run_crank(cx, "~ 0", "~ 0", "= 1", "coord theta' = 2, x' = 5\n");
  check_message(&m, QDOT_INCONSISTENT, "the given initial velocities contradict constraint 'A_x'");
}

// A flag welded to a bar takes part in what closing the triangle does to the bar.
TEST(held_at_another_angle) {
  static const Formulation formulations[] = {FORMULATION_LAGRANGE, FORMULATION_NEWTON_EULER};
  static const char *const text =
      "param L = 1 [m]\nbody a: rod L, mass 1 [kg], angle %s\n"
      "body b: rod L, mass 1 [kg], angle 110 [deg]\n"
      "body flag: mass 1 [kg], inertia 1 [kg*m^2], angle = 90 [deg]\n"
      "joint A: revolute ground (0, 0), a (-L/2, 0)\n"
      "joint B: revolute ground (L, 0), b (-L/2, 0)\n"
      "joint C: revolute a (L/2, 0), b (L/2, 0)\n"
      "joint D: weld a (0, 0), flag (0, 0)\nsimulate to 0.1 every 0.1\n";
  for (int i = 0; i < 2; i++) {
    Motion m = motion_load_as(cx, text_format(&cx->keep, text, "50 [deg]"), NULL, formulations[i]);
    motion_run(&m);
    check_message(&m, QDOT_INCONSISTENT,
                  "the joints hold body 'flag' 10 deg from the angle given to it");
    // at 60 deg the triangle is closed and nothing moves
    m = motion_load_as(cx, text_format(&cx->keep, text, "60 [deg]"), NULL, formulations[i]);
    motion_run(&m);
    assert_int_equal(m.status, QDOT_OK);
  }
}

// Coordinates without mass that nothing holds do not keep the others from being placed.
TEST(loose_without_mass) {
  Motion m = motion_load(cx,
                         "param m = 1\ncoord x = 1, y ~ 0, z ~ 0\n"
                         "kinetic = 1/2*m*(x'^2 + y'^2)\nconstraint c: y = x\n"
                         "simulate to 0.1 every 0.1\n",
                         NULL);
  motion_run(&m);
  check_message(&m, QDOT_SINGULAR_MASS,
                "the mass matrix is not positive definite at coordinate 'z'");
}

// Equal four-bars at rest in their dead position, and with a velocity that decides.
static const char *const four_bar =
    "param m = 1, g = 9.81, L = 1\ncoord x_1 = 1, y_1 = 0, x_2 = 2, y_2 = 0\n"
    "coord y_1' = %s, y_2' = %s\n"
    "kinetic = 1/2*m*(x_1'^2 + y_1'^2 + x_2'^2 + y_2'^2)\npotential = m*g*(y_1 + y_2)\n"
    "constraint a: x_1^2 + y_1^2 = L^2\nconstraint b: (x_2 - L)^2 + y_2^2 = L^2\n"
    "constraint c: (x_2 - x_1)^2 + (y_2 - y_1)^2 = L^2\nsimulate to 5 every 0.01\n";

TEST(dead_position) {
  Motion m = motion_load(cx, text_format(&cx->keep, four_bar, "0", "0"), NULL);
  motion_run(&m);
  check_message(&m, QDOT_INCONSISTENT, "starts at rest in a dead position");
  m = motion_load(cx, text_format(&cx->keep, four_bar, "6", "6"), NULL);
  motion_run(&m);
  assert_int_equal(m.status, QDOT_OK);
  // the parallelogram stays one
  for (double t = 0; t < 5; t += 0.1)
    CHECK_NEAR(motion_at(&m, t, "y_1"), motion_at(&m, t, "y_2"), 1e-5);
}

TEST(redundant_rows) {
  Motion m = motion_of(cx, "param L = 1, m = 1, g = 9.81\ncoord x ~ 1, y ~ 0, theta = 0.3\n"
                           "kinetic = 1/2*m*(x'^2 + y'^2) + 1/2*m*L^2*theta'^2\n"
                           "potential = m*g*y\n"
                           "constraint A_x: x = L*cos(theta)\nconstraint A_y: y = L*sin(theta)\n"
                           "constraint again: 2*x + y = 2*L*cos(theta) + L*sin(theta)\n"
                           "simulate to 1 every 0.1\n");
  assert_string_equal(m.summary.redundant, "again");
  assert_int_equal(m.summary.freedom, 1);
  Motion plain = motion_of(cx, "param L = 1, m = 1, g = 9.81\ncoord theta = 0.3\n"
                               "kinetic = m*L^2*theta'^2\npotential = m*g*L*sin(theta)\n"
                               "simulate to 1 every 0.1\n");
  CHECK_NEAR(motion_at(&m, 1, "theta"), motion_at(&plain, 1, "theta"), 1e-7);
}

// Two loops, two degrees of freedom: closes from rough guesses.
TEST(five_bar) {
  Motion m =
      motion_of(cx, "param m = 1, g = 9.81, L = 1, d = 1.5\ncoord a = 70 [deg], b ~ 20 [deg]\n"
                    "coord c ~ -40 [deg], e = 110 [deg]\n"
                    "let x_1 = L*cos(a), y_1 = L*sin(a), x_3 = d + L*cos(e), y_3 = L*sin(e)\n"
                    "let x_2 = x_1 + L*cos(b), y_2 = y_1 + L*sin(b)\n"
                    "kinetic = 1/2*m*(x_1'^2 + y_1'^2 + x_2'^2 + y_2'^2 + x_3'^2 + y_3'^2)\n"
                    "potential = m*g*(y_1 + y_2 + y_3)\n"
                    "constraint x: x_2 + L*cos(c) = x_3\nconstraint y: y_2 + L*sin(c) = y_3\n"
                    "simulate to 5 every 0.01\n");
  assert_int_equal(m.summary.freedom, 2);
  assert_true(m.summary.position.value < 1e-12);
  assert_true(m.summary.energy_drift < 1e-6);
}

// Velocities that are guessed and moved are told; those that are given or follow are not.
TEST(moved_velocities) {
  static const char *const text = "param L = 1 [m], m = 1 [kg]\ncoord x = 0.6 [m], y = -0.8 [m]\n"
                                  "coord x' %s 1 [m/s]%s\nkinetic = 1/2*m*(x'^2 + y'^2)\n"
                                  "constraint rod: x^2 + y^2 = L^2\n"
                                  "simulate to 0.1 [s] every 0.1 [s]\n";
  Motion both = motion_of(cx, text_format(&cx->keep, text, "~", ", y' ~ 0 [m/s]"));
  assert_int_equal(both.summary.velocity_guesses, 2);
  assert_int_equal(both.summary.velocities_moved, 2);
  assert_int_equal(both.summary.moved_velocity, 1);
  // the velocity along the circle is kept: v = (v . t) t, t = (0.8, 0.6)
  CHECK_NEAR(both.summary.most_velocity_moved, 0.48, 1e-12);
  Motion one = motion_of(cx, text_format(&cx->keep, text, "=", ""));
  assert_int_equal(one.summary.velocity_guesses, 0);
  assert_int_equal(one.summary.velocities_moved, 0);
  Motion met = motion_of(cx, text_format(&cx->keep, text, "~", ", y' ~ 0.75 [m/s]"));
  assert_int_equal(met.summary.velocity_guesses, 2);
  assert_int_equal(met.summary.velocities_moved, 0);
}

// A slider-crank that is drawn closed but for rounding stays as it is drawn, in every formulation.
TEST(closed_drawing_stays) {
  static const double angles[] = {0, 1e-17, -6e-17, 1e-13};
  for (int f = 0; f < FORMULATIONS; f++)
    for (int i = 0; i < 4; i++) {
      Motion m = motion_load_as(
          cx,
          text_format(&cx->keep,
                      "body crank: rod 0.1 [m], mass 1 [kg], angle %.17g [rad], spin 1 [rad/s]\n"
                      "body rod: rod 0.3 [m], mass 1 [kg], angle 0 [rad]\n"
                      "body piston: plate (0.1 [m], 0.1 [m]), mass 1 [kg], at (0.4 [m], 0)\n"
                      "joint O: revolute ground (0, 0), crank (-0.05 [m], 0)\n"
                      "joint A: revolute crank (0.05 [m], 0), rod (-0.15 [m], 0)\n"
                      "joint B: revolute rod (0.15 [m], 0), piston (0, 0)\n"
                      "joint S: prismatic ground (0.4 [m], 0), piston (0, 0)\n"
                      "output x = piston.x\nsimulate to 0.01 [s] every 0.01 [s]\n",
                      angles[i]),
          NULL, (Formulation)f);
      motion_run(&m);
      assert_int_equal(m.status, QDOT_OK);
      CHECK_NEAR(motion_at(&m, 0, "x"), 0.4, 1e-12);
    }
}

// Where the guesses are on another side of a switch than the start, the start is looked for again;
// guesses are counted once.
TEST(moves_are_counted_once) {
  static const char *const forces[] = {"", "force x = -m*g*sign(x)\n",
                                       "force theta = if(x < 0 and y < 0.5*L, m*g*L, 0)\n"};
  for (int i = 0; i < 3; i++) {
    Motion m = run_crank(cx, "~ -0.1", "~ 0.2", "= 1", forces[i]);
    assert_int_equal(m.status, QDOT_OK);
    assert_int_equal(m.summary.guesses, 2);
    assert_int_equal(m.summary.moved, 2);
    CHECK_NEAR(m.summary.most_moved, sin(1) - 0.2, 1e-12);
  }
}

RUN_TESTS(cmocka_unit_test(held_at_another_angle), cmocka_unit_test(loose_without_mass),
          cmocka_unit_test(nearest_point), cmocka_unit_test(kept_and_moved),
          cmocka_unit_test(contradictions), cmocka_unit_test(dead_position),
          cmocka_unit_test(redundant_rows), cmocka_unit_test(five_bar),
          cmocka_unit_test(moved_velocities), cmocka_unit_test(closed_drawing_stays),
          cmocka_unit_test(moves_are_counted_once))
