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

RUN_TESTS(cmocka_unit_test(a_tree_moves_the_same_in_all_formulations),
          cmocka_unit_test(a_loop_moves_the_same_in_all_formulations))
