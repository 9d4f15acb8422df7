// One mechanism in four formulations: the same motion.
#include <stdio.h>
#include <stdlib.h>

#include "support/motion.h"

static Motion motions[FORMULATIONS];
static const char *file_name;

static void run_all_formulations(Context *cx) {
  char path[600];
  const char *root = getenv("QDOT_ROOT");
  snprintf(path, sizeof path, "%s/tests/sim/%s", root ? root : ".", file_name);
  for (int f = 0; f < FORMULATIONS; f++) {
    motions[f] = motion_load_file_as(cx, path, (Formulation)f);
    motions[f].options.method.rtol = 1e-9;
    motion_run(&motions[f]);
    if (motions[f].status != QDOT_OK) motion_explain(&motions[f]);
    assert_int_equal(motions[f].status, QDOT_OK);
    assert_true(motions[f].summary.position.value < 1e-10);
  }
}

static void agree(double t, const char *column, double tolerance) {
  double expected = motion_at(&motions[FORMULATION_LAGRANGE], t, column);
  for (int f = 1; f < FORMULATIONS; f++)
    CHECK_NEAR(motion_at(&motions[f], t, column), expected, tolerance);
}

// Slides, pins, springs, friction, a motor, a force and a torque.
TEST(a_tree_moves_the_same_in_all_formulations) {
  file_name = "bodies.qdot";
  run_all_formulations(cx);
  assert_int_equal(motions[FORMULATION_LAGRANGE].system.n, 5);
  assert_int_equal(motions[FORMULATION_MAXIMAL].system.n, 15);
  // angles and points without inertia do not make it harder
  for (int f = 1; f < FORMULATIONS; f++)
    assert_true(motions[f].summary.evaluations < 5 * motions[0].summary.evaluations);
  for (double t = 0.1; t < 1.05; t += 0.1) {
    agree(t, "tip_x", 1e-6);
    agree(t, "turned", 1e-6);
    agree(t, "E_kin", 1e-6);
  }
}

TEST(a_loop_moves_the_same_in_all_formulations) {
  file_name = "four_bar_bodies.qdot";
  run_all_formulations(cx);
  assert_int_equal(motions[FORMULATION_LAGRANGE].system.row_count, 2);
  for (double t = 0.5; t < 5.1; t += 0.5) {
    agree(t, "crank.theta", 1e-5);
    agree(t, "E_pot", 1e-5);
  }
}

// ---- A force that walks along a body

static Random *of_round;

// Two rods, the second on a spring, and a force that walks along it: at its point, or at the middle
// with the torque that it has there.
static void check_walk(Context *cx) {
  const char *place[] = {"-L/2 + v*t", "L/4*sin(3*t/(1 [s]))", "L/5"};
  const char *x = place[random_below(of_round, 3)], *y = place[random_below(of_round, 3)];
  Text t = text_new(&cx->keep);
  text_addf(&t,
            "param L = %.3g [m], v = %.3g [m/s], P = %.3g [N], Q = %.3g [N]\n"
            "gravity (0, -9.81 [m/s^2])\nbody a: rod L, mass 2 [kg], angle %.3g [deg]\n"
            "body b: rod L, mass 1 [kg], angle %.3g [deg]\n"
            "joint A: revolute ground (0, 0), a (-L/2, 0)\n"
            "joint B: revolute a (L/2, 0), b (-L/2, 0), friction 0.3 [N*m*s]\n"
            "spring s: torsional a, b, stiffness 30 [N*m]\noutput turned = b.theta\n",
            random_real(of_round, 0.5, 2), random_real(of_round, -1, 1),
            random_real(of_round, -20, 20), random_real(of_round, -20, 20),
            random_real(of_round, -180, 180), random_real(of_round, -180, 180));
  const char *walks = text_format(&cx->keep, "%sforce b (%s, %s) = (P, Q)\n", t.at, x, y);
  const char *turns = text_format(
      &cx->keep,
      "%sforce b (0, 0) = (P, Q)\nlet X = %s, Y = %s, c = cos(b.theta), s_ = sin(b.theta)\n"
      "torque b = (X*c - Y*s_)*Q - (X*s_ + Y*c)*P\n",
      t.at, x, y);
  Motion wanted = motion_in_balance(cx, turns, FORMULATION_LAGRANGE, 0.6, 0.05);
  for (int f = 0; f < FORMULATIONS; f++) {
    Motion motion = motion_in_balance(cx, walks, (Formulation)f, 0.6, 0.05);
    for (double at = 0; at < 0.61; at += 0.05)
      CHECK_NEAR(motion_at(&motion, at, "turned"), motion_at(&wanted, at, "turned"), 1e-6);
  }
}

TEST(a_force_that_walks_along_a_body_has_a_torque_about_its_middle) {
  Random random = random_start("a_force_that_walks_along_a_body_has_a_torque_about_its_middle");
  of_round = &random;
  for (int round = 0; round < test_rounds(15); round++) with_context(check_walk);
}

RUN_TESTS(cmocka_unit_test(a_tree_moves_the_same_in_all_formulations),
          cmocka_unit_test(a_loop_moves_the_same_in_all_formulations),
          cmocka_unit_test(a_force_that_walks_along_a_body_has_a_torque_about_its_middle))
