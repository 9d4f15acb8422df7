// Equal four-bars through their dead positions, on the right branch, whatever scales them.
#include <math.h>
#include <string.h>

#include "support/integrate.h"
#include "support/truss.h"

static const double start_angle = 1.2, start_rate = 7;

// All cranks turn together, so the mechanism is the pendulum  angle'' = -g cos(angle) / length.
static Status pendulum(void *user, double t, const double *q, const double *qd, double *qdd,
                       double *lambda, double *rates) {
  (void)user, (void)t, (void)qd, (void)lambda, (void)rates;
  qdd[0] = -9.81 * cos(q[0]);
  return QDOT_OK;
}

static Ending truth_at(Context *cx, double t_end) {
  Problem problem = {.n = 1, .forward = pendulum};
  MethodOptions options = with_tolerance(METHOD_RK853, 1e-14);
  return integrate(cx, &problem, &options, &start_angle, &start_rate, t_end);
}

// Largest distance of any point from where the pendulum says it is.
static double run(Context *cx, Truss *truss, int four_bars, MethodOptions options, double t_end,
                  Ending *out) {
  double q[128], qd[128], x[128], xd[128], worst = 0;
  Ending truth = truth_at(cx, t_end);
  four_bars_state(four_bars, start_angle, start_rate, q, qd);
  *out = integrate(cx, &truss->problem, &options, q, qd, t_end);
  four_bars_state(four_bars, truth.q[0], truth.qd[0], x, xd);
  for (int i = 0; i < truss->problem.n; i++) worst = fmax(worst, fabs(out->q[i] - x[i]));
  return out->status == QDOT_OK ? worst : INFINITY;
}

// In 10 s the cranks turn about seven times: some 14 dead positions.
TEST(every_tolerance) {
  Truss truss;
  Ending ending;
  for (int four_bars = 1; four_bars <= 6; four_bars = four_bars == 1 ? 2 : 3 * four_bars)
    for (double tolerance = 1e-5; tolerance > 5e-12; tolerance /= 10) {
      truss_four_bars(&truss, four_bars);
      double error =
          run(cx, &truss, four_bars, with_tolerance(METHOD_RK853, tolerance), 10, &ending);
      print_message("%d four-bars, %.0e: error %.1e, %ld steps, %ld rejected\n", four_bars,
                    tolerance, error, ending.steps, ending.rejected);
      assert_true(error < 1e4 * tolerance);
      assert_true(ending.steps < 4000);
    }
}

TEST(rk45_too) {
  Truss truss;
  Ending ending;
  for (double tolerance = 1e-5; tolerance > 5e-10; tolerance /= 10) {
    truss_four_bars(&truss, 1);
    double error = run(cx, &truss, 1, with_tolerance(METHOD_RK45, tolerance), 10, &ending);
    print_message("rk45 %.0e: error %.1e, %ld steps\n", tolerance, error, ending.steps);
    assert_true(error < 2e4 * tolerance);
  }
}

// A constraint times 1e5, grams for kilograms, and a mass ratio of 1e8 change nothing.
TEST(invariances) {
  for (int change = 0; change < 3; change++)
    // many of them: the branch that is taken may not hang on where steps happen to end
    for (double tolerance = 1e-5; tolerance > 5e-12; tolerance /= 1.5) {
      Truss truss;
      Ending ending;
      truss_four_bars(&truss, 2);
      if (change == 0) truss.rod[1].factor = 1e5;
      if (change == 1)
        for (int i = 0; i < 3; i++) truss.mass[i] *= 1000;
      if (change == 2) truss.mass[1] = 1e-8;
      double error = run(cx, &truss, 2, with_tolerance(METHOD_RK853, tolerance), 10, &ending);
      print_message("change %d, %.0e: error %.1e, %ld steps\n", change, tolerance, error,
                    ending.steps);
      assert_true(error < 1e4 * tolerance);
    }
}

// Redundant rows: every rod twice. The motion is the same, the multipliers share the load.
TEST(redundant) {
  Truss truss;
  Ending ending;
  truss_four_bars(&truss, 1);
  int rods = truss.rods;
  for (int i = 0; i < rods; i++) truss.rod[truss.rods++] = truss.rod[i];
  truss_finish(&truss);
  double error = run(cx, &truss, 1, with_tolerance(METHOD_RK853, 1e-9), 10, &ending);
  print_message("redundant: error %.1e, %ld steps\n", error, ending.steps);
  assert_true(error < 1e-5);
  double q[4], qd[4], qdd[4], lambda[6];
  four_bars_state(1, 0.8, 3, q, qd);
  Mark mark = arena_mark(&cx->scratch);
  Dynamics dynamics;
  dynamics_open(&dynamics, &cx->scratch, &truss.problem);
  assert_int_equal(dynamics_evaluate(&dynamics, 0, q, qd, qdd, lambda, (double[1]){0}), QDOT_OK);
  for (int i = 0; i < rods; i++) CHECK_NEAR(lambda[i], lambda[rods + i], 1e-10);
  arena_release(&cx->scratch, mark);
}

RUN_TESTS(cmocka_unit_test(every_tolerance), cmocka_unit_test(rk45_too),
          cmocka_unit_test(invariances), cmocka_unit_test(redundant))
