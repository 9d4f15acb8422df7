// Ranks are a matter of geometry: masses and the length of a structure do not change them.
#include <math.h>

#include "base/text.h"
#include "support/motion.h"

static const char *chain(Context *cx, double ratio) {
  Text text = text_new(&cx->keep);
  text_addf(&text, "gravity (0, -9.81 [m/s^2])\nsimulate to 1 [s] every 0.25 [s]\n");
  for (int i = 1; i <= 3; i++) {
    text_addf(&text, "body b[%d]: rod 1 [m], mass %.17g [kg], angle = %g [rad]\n", i,
              i % 2 ? 1 : ratio, -0.3 - 0.2 * i);
    text_addf(&text, "joint J[%d]: revolute %s, b[%d] (-0.5 [m], 0)\n", i,
              i == 1 ? "ground (0, 0)" : text_format(&cx->keep, "b[%d] (0.5 [m], 0)", i - 1), i);
  }
  text_addf(&text, "output z = b[3].x, y = b[2].y\n");
  return text.at;
}

static const char *loop(Context *cx, double ratio) {
  return text_format(&cx->keep,
                     "gravity (0, -9.81 [m/s^2])\nsimulate to 1 [s] every 0.25 [s]\n"
                     "body a: rod 0.3 [m], mass 1 [kg], angle = 1 [rad], spin = 3 [rad/s]\n"
                     "body c: rod 0.8 [m], mass %.17g [kg], angle 0.3 [rad]\n"
                     "body d: rod 0.6 [m], mass 1 [kg], angle 1.2 [rad]\n"
                     "joint A: revolute ground (0, 0), a (-0.15 [m], 0)\n"
                     "joint B: revolute a (0.15 [m], 0), c (-0.4 [m], 0)\n"
                     "joint C: revolute c (0.4 [m], 0), d (0.3 [m], 0)\n"
                     "joint D: revolute d (-0.3 [m], 0), ground (0.7 [m], 0)\n"
                     "output z = d.x, y = c.y\n",
                     ratio);
}

static Motion moved(Context *cx, const char *text, Formulation formulation, double rtol) {
  Motion m = motion_load_as(cx, text, NULL, formulation);
  m.options.method.rtol = rtol;
  motion_run(&m);
  if (m.status != QDOT_OK || m.summary.stopped) motion_explain(&m);
  assert_int_equal(m.status, QDOT_OK);
  assert_int_equal(m.summary.stopped, STOPPED_NOT);
  return m;
}

TEST(mass_ratios) {
  static const double ratios[] = {1e-8, 1e-5, 1e-2, 1e3, 1e6, 1e8};
  for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++)
    for (int closed = 0; closed < 2; closed++) {
      const char *text = closed ? loop(cx, ratios[i]) : chain(cx, ratios[i]);
      Motion expected = moved(cx, text, FORMULATION_LAGRANGE, 1e-10);
      for (int f = 0; f < FORMULATIONS; f++) {
        Motion m = moved(cx, text, (Formulation)f, 1e-8);
        assert_int_equal(m.summary.freedom, closed ? 1 : 3);
        assert_null(m.summary.redundant);
        assert_true(m.summary.position.value < 1e-12);
        for (int row = 0; row <= 4; row++) {
          double t = 0.25 * row;
          CHECK_NEAR(motion_at(&m, t, "z"), motion_at(&expected, t, "z"), 1e-5);
          CHECK_NEAR(motion_at(&m, t, "y"), motion_at(&expected, t, "y"), 1e-5);
        }
      }
    }
}

// Pairs of crossed bars, pinned in the middle and to the next pair; a foot slides on the ground.
static const char *scissor_lift(Context *cx, int stages) {
  Text text = text_new(&cx->keep);
  text_addf(&text, "param L = 1 [m], p = 0.6 [rad]\ngravity (0, -9.81 [m/s^2])\n"
                   "simulate to 1e-6 [s] every 1e-6 [s]\n"
                   "body foot: plate (L/10, L/10), mass 1 [kg], at (L*cos(p), 0)\n"
                   "joint S: prismatic ground (0, 0), foot (0, 0)\n");
  for (int i = 1; i <= stages; i++) {
    text_addf(&text,
              "body a[%d]: rod L, mass 1 [kg], angle %s p\n"
              "body b[%d]: rod L, mass 1 [kg], angle pi - p\n"
              "joint M[%d]: revolute a[%d] (0, 0), b[%d] (0, 0)\n",
              i, i == 1 ? "=" : "", i, i, i, i);
    const char *below_a = text_format(&cx->keep, "b[%d] (L/2, 0)", i - 1);
    const char *below_b = text_format(&cx->keep, "a[%d] (L/2, 0)", i - 1);
    text_addf(
        &text,
        "joint P[%d]: revolute %s, a[%d] (-L/2, 0)\njoint Q[%d]: revolute %s, b[%d] (-L/2, 0)\n", i,
        i == 1 ? "ground (0, 0)" : below_a, i, i, i == 1 ? "foot (0, 0)" : below_b, i);
  }
  return text.at;
}

// Cranks of one length on one coupler each: every second loop says nothing new.
static const char *ladder(Context *cx, int rungs) {
  Text text = text_new(&cx->keep);
  text_addf(&text,
            "param L = 1 [m]\ngravity (0, -9.81 [m/s^2])\nsimulate to 1e-6 [s] every 1e-6 [s]\n"
            "body c: rod L, mass 1 [kg], angle 0 [rad]\n");
  for (int i = 0; i < rungs; i++)
    text_addf(&text,
              "body r[%d]: rod L, mass 1 [kg], angle %s 1 [rad]\n"
              "joint A[%d]: revolute ground (%d*L/%d, 0), r[%d] (-L/2, 0)\n"
              "joint B[%d]: revolute r[%d] (L/2, 0), c (%d*L/%d - L/2, 0)\n",
              i, i == 0 ? "=" : "", i, i, rungs, i, i, i, i, rungs);
  return text.at;
}

TEST(long_structures) {
  static const int stages[] = {1, 2, 10, 30};
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
    for (int f = 0; f < FORMULATIONS; f++) {
      Motion lift = moved(cx, scissor_lift(cx, stages[i]), (Formulation)f, 1e-8);
      assert_int_equal(lift.summary.freedom, 1);
      assert_null(lift.summary.redundant);
      Motion rungs = moved(cx, ladder(cx, stages[i] + 1), (Formulation)f, 1e-8);
      assert_int_equal(rungs.summary.freedom, 1);
      assert_int_equal(rungs.summary.redundant != NULL, stages[i] > 1);
    }
  Motion high = moved(cx, scissor_lift(cx, 60), FORMULATION_MAXIMAL, 1e-8);
  assert_int_equal(high.summary.freedom, 1);
}

RUN_TESTS(cmocka_unit_test(mass_ratios), cmocka_unit_test(long_structures))
