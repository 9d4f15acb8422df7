// Rows of four-bars whose links are equal pass their dead positions without stopping at them,
// however many they are and however they are formulated.
#include <math.h>

#include "base/text.h"
#include "support/motion.h"

static const double GRAVITY = 9.81;

static const char *four_bars(Context *cx, int count, double spin, double t_end) {
  return text_format(
      &cx->keep,
      "param g = 9.81 [m/s^2], L = 1 [m], m = 1 [kg]\ngravity (0, -g)\n"
      "for i in 0..%d\n"
      "  body v[i]: rod L, mass m, at (i*L, L/2), angle pi/2, spin %.17g [rad/s]\n"
      "  joint A[i]: revolute ground (i*L, 0), v[i] (-L/2, 0)\n"
      "end\n"
      "for i in 1..%d\n"
      "  body h[i]: rod L, mass m, at ((i - 1/2)*L, L), angle 0, velocity (%.17g, 0)\n"
      "  joint B[i]: revolute v[i-1] (L/2, 0), h[i] (-L/2, 0)\n"
      "  joint C[i]: revolute h[i] (L/2, 0), v[i] (L/2, 0)\n"
      "end\n"
      "output first = v[0].theta, last = v[%d].theta\n"
      "simulate to %.17g [s] every 0.1 [s]\n",
      count, spin, count, -spin, count, t_end);
}

// All cranks have one angle: (N+1) L^2/3 + N L^2 times its acceleration is the moment of weights.
static double angle_at(int count, double spin, double t_end) {
  enum { STEPS = 40000 };
  double lever = (count + 1) / 2.0 + count, inertia = (count + 1) / 3.0 + count;
  double rate = GRAVITY * lever / inertia, h = t_end / STEPS, a = acos(-1) / 2, w = spin;
  for (int i = 0; i < STEPS; i++) {
    double k1 = -rate * cos(a), k2 = -rate * cos(a + h / 2 * w);
    double k3 = -rate * cos(a + h / 2 * w + h * h / 4 * k1);
    double k4 = -rate * cos(a + h * w + h * h / 2 * k2);
    a += h * w + h * h / 6 * (k1 + k2 + k3);
    w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return a;
}

// In 5 s the cranks pass about five dead positions. A step that stops at one needs a hundred more.
TEST(rows_pass_their_dead_positions) {
  static const Formulation formulations[] = {FORMULATION_LAGRANGE, FORMULATION_MAXIMAL,
                                             FORMULATION_NATURAL};
  for (int count = 1; count <= 40; count += count < 6 ? 1 : 17)
    for (size_t f = 0; f < 3; f++) {
      Motion m = motion_load_as(cx, four_bars(cx, count, -1, 5), NULL, formulations[f]);
      m.options.method.rtol = 1e-8;
      m.keeps_stretches = true; // what is drawn may not end what is computed
      motion_run(&m);
      assert_int_equal(m.status, QDOT_OK);
      assert_int_equal(m.summary.stopped, STOPPED_NOT);
      double angle = angle_at(count, -1, 5), first = motion_at(&m, 5, "first");
      print_message("%d four-bars, %s: error %.1e, %ld steps, %ld rejected\n", count,
                    formulation_text(formulations[f]), fabs(first - angle), (long)m.summary.steps,
                    (long)m.summary.rejected);
      CHECK_NEAR(first, angle, 1e-5);
      CHECK_NEAR(motion_at(&m, 5, "last"), angle, 1e-5);
      assert_true(m.summary.steps + m.summary.rejected < 100);
    }
}

// The longer the row, the smaller its singular values are beside a dead position, and the tighter
// the tolerance, the more stages are too close to it. Neither may cost more than a few other tries.
TEST(long_rows_pass_at_tight_tolerances) {
  static const struct {
    Formulation formulation;
    int most;
  } rows[] = {{FORMULATION_LAGRANGE, 60}, {FORMULATION_MAXIMAL, 24}};
  Random random = random_start("long rows");
  for (int round = 0; round < 12; round++) {
    Formulation f = rows[round % 2].formulation;
    int count = (int)random_real(&random, 8, rows[round % 2].most);
    double rtol = round % 4 < 2 ? 1e-10 : 1e-8, spin = random_real(&random, -6, -2);
    Motion m = motion_load_as(cx, four_bars(cx, count, spin, 5), NULL, f);
    m.options.method.rtol = rtol;
    motion_run(&m);
    assert_int_equal(m.status, QDOT_OK);
    double angle = angle_at(count, spin, 5), last = motion_at(&m, 5, "last");
    print_message("%d four-bars, %s, rtol %.0e, spin %.3f: error %.1e, %ld evaluations\n", count,
                  formulation_text(f), rtol, spin, fabs(last - angle), (long)m.summary.evaluations);
    CHECK_NEAR(last, angle, 1000 * rtol);
    CHECK_NEAR(motion_at(&m, 5, "first"), angle, 1000 * rtol);
    assert_true(m.summary.evaluations < 6000);
  }
}

// A crank that drives another through a coupler of the ground's length: b L sin(angle) = moment.
// Next to the dead position the force has no bound, and that is said; of unequal links nothing is.
TEST(unbounded_forces_are_told) {
  Random random = random_start("unbounded forces");
  for (int round = 0; round < 10; round++) {
    double a = random_real(&random, 0.2, 1), b = random_real(&random, 1.2, 2);
    double other = a * (round % 2 ? 1 : random_real(&random, 1.3, 1.5));
    Motion m = motion_load(
        cx,
        text_format(&cx->keep,
                    "param a = %.17g [m], b = %.17g [m], c = %.17g [m]\n"
                    "body driver: rod a, mass 1 [kg], angle = 60 [deg], spin = 6 [rad/s]\n"
                    "body coupler: rod b, mass 1 [kg], angle 0\n"
                    "body driven: rod c, mass 1 [kg], angle 60 [deg]\n"
                    "joint A: revolute ground (0, 0), driver (-a/2, 0)\n"
                    "joint B: revolute driver (a/2, 0), coupler (-b/2, 0)\n"
                    "joint C: revolute coupler (b/2, 0), driven (c/2, 0)\n"
                    "joint D: revolute driven (-c/2, 0), ground (b, 0), friction 0.05 [N*m*s]\n"
                    "motor A: torque 1 [N*m]\n"
                    "output F = lambda_D_x\nsimulate to 1.5 [s] every 10 [ms]\n",
                    a, b, other),
        NULL);
    m.keeps_stretches = true;
    motion_run(&m);
    assert_int_equal(m.status, QDOT_OK);
    assert_int_equal(m.summary.hint.id == REMARK_DEAD_FORCES, round % 2);
    if (round % 2) assert_true(m.summary.hint.number[0] > 0.05 && m.summary.hint.number[0] < 1.5);
  }
}

RUN_TESTS(cmocka_unit_test(rows_pass_their_dead_positions),
          cmocka_unit_test(long_rows_pass_at_tight_tolerances),
          cmocka_unit_test(unbounded_forces_are_told))
