// Scales come from the problem: a motion does not depend on where its coordinates are counted from,
// on the size of the mechanism or on the unit of time.
#include <math.h>

#include "base/text.h"
#include "support/motion.h"

// Lengths times `length`, times times `time`, angles counted from `turns` whole turns further on.
typedef struct Scaled {
  double length, time, turns;
} Scaled;

static const Scaled plain = {1, 1, 0};

static const char *head(Context *cx, Scaled s, double t_end) {
  return text_format(&cx->keep,
                     "param a = %.17g [m], w = %.17g [rad/s], k = %.17g [rad]\n"
                     "gravity (0, %.17g [m/s^2])\nsimulate to %.17g [s] every %.17g [s]\n",
                     s.length, 1 / s.time, 2 * M_PI * s.turns, -9.81 * s.length / (s.time * s.time),
                     t_end * s.time, t_end / 4 * s.time);
}

// Two equal cranks on a coupler as long as the ground: every coordinate is zero in a dead position.
static const char *parallelogram(Context *cx, Scaled s) {
  return text_format(&cx->keep, "%s%s", head(cx, s, 1),
                     "body left: rod 2/10*a, mass 0.4 [kg], angle = 1.04 [rad] + k, spin = -20*w\n"
                     "body coupler: rod a/2, mass 1 [kg], angle k\n"
                     "body right: rod 2/10*a, mass 0.4 [kg], angle 1.04 [rad] + k\n"
                     "joint A: revolute ground (0, 0), left (-a/10, 0)\n"
                     "joint B: revolute left (a/10, 0), coupler (-a/4, 0)\n"
                     "joint C: revolute coupler (a/4, 0), right (a/10, 0)\n"
                     "joint D: revolute right (-a/10, 0), ground (a/2, 0)\n"
                     "output x = coupler.x/a, y = right.x/a, s = sin(left.theta)\n");
}

// Driven through the place where crank, rod and slide are all at zero.
static const char *slider_crank(Context *cx, Scaled s) {
  return text_format(&cx->keep, "%s%s", head(cx, s, 1),
                     "body crank: rod a/10, mass 1 [kg], angle = -1 [rad] + k\n"
                     "body rod: rod 3/10*a, mass 1 [kg], angle 0.28 [rad] + k\n"
                     "body piston: plate (a/20, a/20), mass 1 [kg]\n"
                     "joint O: revolute ground (0, 0), crank (-a/20, 0)\n"
                     "joint A: revolute crank (a/20, 0), rod (-3/20*a, 0)\n"
                     "joint B: revolute rod (3/20*a, 0), piston (0, 0)\n"
                     "joint S: prismatic ground (4/10*a, 0), piston (0, 0)\n"
                     "motor O: speed 4*w\n"
                     "output x = piston.x/a, y = rod.y/a, s = sin(rod.theta)\n");
}

// Three four-bars of equal links in a row.
static const char *row_of_loops(Context *cx, Scaled s) {
  Text text = text_new(&cx->keep);
  text_addf(&text,
            "%sbody b_0: rod a, mass 1 [kg], angle = pi/2 + k, spin = -w\n"
            "joint A_0: revolute ground (0, 0), b_0 (-a/2, 0)\n",
            head(cx, s, 1.8));
  for (int i = 1; i <= 3; i++)
    text_addf(
        &text,
        "body b_%d: rod a, mass 1 [kg], angle pi/2 + k\nbody c_%d: rod a, mass 1 [kg], angle k\n"
        "joint A_%d: revolute ground (%d*a, 0), b_%d (-a/2, 0)\n"
        "joint B_%d: revolute b_%d (a/2, 0), c_%d (-a/2, 0)\n"
        "joint C_%d: revolute c_%d (a/2, 0), b_%d (a/2, 0)\n",
        i, i, i, i, i, i, i - 1, i, i, i, i);
  text_addf(&text, "output x = c_3.x/a, y = b_3.x/a, s = sin(b_0.theta)\n");
  return text.at;
}

typedef const char *Builder(Context *cx, Scaled s);
static Builder *const builders[] = {parallelogram, slider_crank, row_of_loops};
enum { BUILDERS = sizeof builders / sizeof *builders };

static Motion moved(Context *cx, int b, Scaled s, Formulation formulation, double rtol) {
  Motion m = motion_load_as(cx, builders[b](cx, s), NULL, formulation);
  m.options.method.rtol = rtol;
  motion_run(&m);
  if (m.status != QDOT_OK || m.summary.stopped) {
    print_error("model %d, %s, lengths %g, times %g, turns %g, rtol %g\n", b,
                formulation_text(formulation), s.length, s.time, s.turns, rtol);
    motion_explain(&m);
  }
  assert_int_equal(m.status, QDOT_OK);
  assert_int_equal(m.summary.stopped, STOPPED_NOT);
  return m;
}

static void check_same(Context *cx, int b, Scaled s, Formulation formulation, double allowed) {
  static const char *const names[] = {"x", "y", "s"};
  Motion expected = moved(cx, b, plain, FORMULATION_LAGRANGE, 1e-11);
  Motion m = moved(cx, b, s, formulation, 1e-8);
  for (int row = 0; row <= 4; row++)
    for (int i = 0; i < 3; i++) {
      double every = expected.options.every;
      double value = motion_at(&expected, row * every, names[i]);
      double apart = fabs(motion_at(&m, row * every * s.time, names[i]) - value);
      if (!(apart <= allowed))
        print_error("model %d, %s, lengths %g, times %g, turns %g: %s in row %d off by %.2g\n", b,
                    formulation_text(formulation), s.length, s.time, s.turns, names[i], row, apart);
      assert_true(apart <= allowed);
    }
}

// Where all coordinates pass through zero, at every tolerance.
TEST(through_zero) {
  for (int f = 0; f < FORMULATIONS; f++)
    for (double rtol = 1e-6; rtol > 5e-12; rtol /= 10)
      for (int b = 0; b < BUILDERS; b++) moved(cx, b, plain, (Formulation)f, rtol);
}

TEST(origin_of_angles) {
  static const double turns[] = {-1, 1, 7};
  for (int f = 0; f < FORMULATIONS; f++)
    for (int b = 0; b < BUILDERS; b++)
      for (int i = 0; i < 3; i++) check_same(cx, b, (Scaled){1, 1, turns[i]}, (Formulation)f, 2e-6);
}

TEST(sizes_and_times) {
  static const double lengths[] = {1e-6, 1e-3, 1e4, 1e9}, times[] = {1e-6, 1e3, 1e6};
  for (int f = 0; f < FORMULATIONS; f++)
    for (int b = 0; b < BUILDERS; b++) {
      for (int i = 0; i < 4; i++)
        check_same(cx, b, (Scaled){lengths[i], 1, 0}, (Formulation)f, 1e-6);
      for (int i = 0; i < 3; i++) check_same(cx, b, (Scaled){1, times[i], 0}, (Formulation)f, 1e-6);
    }
}

RUN_TESTS(cmocka_unit_test(through_zero), cmocka_unit_test(origin_of_angles),
          cmocka_unit_test(sizes_and_times))
