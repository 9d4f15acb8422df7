// Ranks are a matter of geometry: masses and the length of a structure do not change them.
#include <math.h>

#include "analyse/mobility/freedom.h"
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

// ---- Rows that say nothing new

// A point on a rod, whose length is stated once, or twice in two ways.
static const char *on_a_rod(Context *cx, Random *random, bool twice) {
  double L = random_real(random, 0.2, 3), at = random_real(random, -0.9, 0.9);
  const char *const again[] = {"sqrt(x^2 + y^2) = L", "x^2/L^2 + y^2/L^2 = 1",
                               "(x^2 + y^2)^2 = L^4", "x^2 = L^2 - y^2"};
  const char *second = again[random_below(random, 4)];
  return text_format(&cx->keep,
                     "param g = 9.81 [m/s^2], L = %.17g [m], m = 2 [kg]\n"
                     "coord x = %.17g [m], y ~ %.17g [m], x' = 0\nkinetic = 1/2*m*(x'^2 + y'^2)\n"
                     "potential = m*g*y\nconstraint rod: x^2 + y^2 = L^2\n%s%s\n"
                     "simulate to 2 [s] every 0.5 [s]\noutput z = x\n",
                     L, at * L, -L, twice ? "constraint again: " : "", twice ? second : "");
}

TEST(a_constraint_stated_twice_is_no_dead_position) {
  Random random = random_start("a_constraint_stated_twice_is_no_dead_position");
  for (int round = 0; round < test_rounds(10); round++) {
    Random same = random;
    Motion once = moved(cx, on_a_rod(cx, &same, false), FORMULATION_LAGRANGE, 1e-9);
    Motion twice = moved(cx, on_a_rod(cx, &random, true), FORMULATION_LAGRANGE, 1e-9);
    assert_int_equal(twice.summary.freedom, 1);
    assert_int_equal(model_freedom(twice.system.model), 1);
    assert_non_null(twice.summary.redundant);
    assert_false(remark_is_made(&twice.summary.hint));
    assert_in_range(twice.summary.evaluations, 1, 1.3 * (double)once.summary.evaluations);
    for (int row = 0; row <= 4; row++)
      CHECK_NEAR(motion_at(&twice, 0.5 * row, "z"), motion_at(&once, 0.5 * row, "z"), 1e-6);
  }
}

// Bennett's linkage: four hinges in space, whose constraints are independent nearly everywhere, and
// not where they are met. Frames by Denavit and Hartenberg, tan(t_1/2) tan(t_2/2) = sin((b + a)/2)
// / sin((b - a)/2) for twists a, b and lengths in proportion to their sines.
typedef struct Frame {
  double at[3], x[3], z[3];
} Frame;

static void turn_about(const double axis[3], double angle, double v[3]) {
  double c = cos(angle), s = sin(angle), along = 0, across[3];
  for (int i = 0; i < 3; i++) along += axis[i] * v[i];
  for (int i = 0; i < 3; i++)
    across[i] = axis[(i + 1) % 3] * v[(i + 2) % 3] - axis[(i + 2) % 3] * v[(i + 1) % 3];
  for (int i = 0; i < 3; i++) v[i] = c * v[i] + s * across[i] + (1 - c) * along * axis[i];
}

static Frame next_frame(Frame f, double turn, double length, double twist) {
  turn_about(f.z, turn, f.x);
  for (int i = 0; i < 3; i++) f.at[i] += length * f.x[i];
  turn_about(f.x, twist, f.z);
  return f;
}

static const char *vector(Context *cx, const double v[3]) {
  return text_format(&cx->keep, "(%.17g, %.17g, %.17g)", v[0], v[1], v[2]);
}

static const char *bennett(Context *cx, Random *random) {
  double a = random_real(random, 0.4, 0.9), b = random_real(random, 0.2, a - 0.1);
  double t = random_real(random, 0.7, 1.5), size = random_real(random, 0.1, 2);
  double other = 2 * atan(sin((b + a) / 2) / sin((b - a) / 2) / tan(t / 2));
  double turns[] = {t, other, -t, -other}, twists[] = {a, b, a, b};
  Frame f[5] = {{{0}, {1, 0, 0}, {0, 0, 1}}};
  for (int i = 0; i < 4; i++)
    f[i + 1] = next_frame(f[i], turns[i], size * sin(twists[i]), twists[i]);
  for (int i = 0; i < 3; i++) CHECK_NEAR(f[4].at[i], 0, 1e-12);
  Text text = text_new(&cx->keep);
  text_add(&text, "gravity (0, 0, -9.81)\nsimulate to 0.5 every 0.5\n");
  for (int i = 0; i < 4; i++) {
    bool is_fixed = i == 0 || i == 3;
    const char *is = is_fixed ? "=" : "~", *fixed = is_fixed ? " fixed" : "";
    text_addf(&text, "point P%d %s %s%s\n", i, is, vector(cx, f[i].at), fixed);
    text_addf(&text, "vector z%d %s %s%s\n", i, is, vector(cx, f[i].z), fixed);
    if (i < 3) text_addf(&text, "vector u%d ~ %s\n", i, vector(cx, f[i + 1].x));
  }
  for (int i = 0; i < 3; i++)
    text_addf(&text,
              "solid link%d: P%d (0, 0, 0), P%d (%.17g, 0, 0), z%d (0, 0, 1), z%d (0, %.17g, "
              "%.17g), u%d (1, 0, 0), mass 1, inertia (0.1, 0.1, 0.1)\n",
              i, i + 1, i, -size * sin(twists[i]), i + 1, i, sin(twists[i]), cos(twists[i]), i);
  return text.at;
}

TEST(a_linkage_that_counting_forbids) {
  Random random = random_start("a_linkage_that_counting_forbids");
  for (int round = 0; round < test_rounds(4); round++) {
    Motion m = moved(cx, bennett(cx, &random), FORMULATION_LAGRANGE, 1e-8);
    assert_int_equal(m.summary.freedom, 1);
    assert_int_equal(model_freedom(m.system.model), 1);
    assert_false(remark_is_made(&m.summary.hint));
    assert_true(m.summary.energy_drift < 1e-6);
  }
}

RUN_TESTS(cmocka_unit_test(mass_ratios), cmocka_unit_test(long_structures),
          cmocka_unit_test(a_constraint_stated_twice_is_no_dead_position),
          cmocka_unit_test(a_linkage_that_counting_forbids))
