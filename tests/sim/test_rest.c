// What sticking brings to zero is zero, and what waits for that happens there, whatever the rows:
// brakes, blocks, slides, belts and planks against the closed forms of their stops.
#include <math.h>

#include "base/text.h"
#include "support/motion.h"

static const double G = 9.81;

// A model without its `simulate` line, the speed that friction takes away, and when.
typedef struct Stopping {
  const char *text, *speed;
  double t;
} Stopping;

typedef Stopping MakeModel(Context *cx, Random *random);

// A shoe on a light lever brakes a drum.
static Stopping brake(Context *cx, Random *random) {
  double mu = random_real(random, 0.1, 0.5), J = random_real(random, 0.2, 2);
  double w = random_real(random, 5, 30), lever = pow(10, random_real(random, -6, -0.5));
  double h = random_real(random, -50e-3, 50e-3), d = 0.4, l = 0.6, r = 0.15, P = 100;
  const char *text =
      text_format(&cx->keep,
                  "param r = 0.15 [m], d = 0.4 [m], l = 0.6 [m], h = %.17g [m]\n"
                  "body drum: mass 10, inertia %.17g, at = (0, 0), angle = 0, spin = %.17g\n"
                  "joint axle: revolute ground (0, 0), drum (0, 0)\n"
                  "body lever: mass %.17g, inertia %.17g, at = (0, r + h), angle = 0, spin = 0\n"
                  "joint pin: revolute ground (-d, r + h), lever (-d, 0)\n"
                  "contact shoe: lever (0, -h), circle drum (0, 0), ring r, friction %.17g\n"
                  "force lever (l - d, 0) = (0, -100 [N])\noutput v = drum.omega\n",
                  h, J, w, lever, lever, mu);
  return (Stopping){text, "drum.omega", J * w * (d - mu * h) / (mu * P * l * r)};
}

// Dry friction as a force.
static Stopping block(Context *cx, Random *random) {
  double F = random_real(random, 0.5, 20), m = random_real(random, 0.1, 5);
  double v = random_real(random, 0.1, 10);
  return (Stopping){text_format(&cx->keep,
                                "coord x = 0.3 [m], x' = %.17g [m/s]\nkinetic = %.17g [kg]/2*x'^2\n"
                                "force x = -%.17g [N]*sign(x')\noutput v = x'\n",
                                v, m, F),
                    "x'", m * v / F};
}

// A slide that rubs under its own load.
static Stopping slide(Context *cx, Random *random) {
  double mu = random_real(random, 0.05, 0.6), v = random_real(random, 0.5, 5);
  return (Stopping){
      text_format(&cx->keep,
                  "gravity (0, -9.81)\n"
                  "body b: mass 2, inertia 1, at = (0, 0), angle = 0, velocity = (%.17g, 0), "
                  "spin = 0\njoint s: prismatic ground (0, 0), b (0, 0), friction %.17g\n"
                  "output v = b.x'\n",
                  v, mu),
      "b.x'", v / (mu * G)};
}

// Thrown on a floor, with the velocity in the natural direction of another: along a slope.
static Stopping slope(Context *cx, Random *random) {
  double a = random_real(random, 0.05, 0.4), mu = tan(a) + random_real(random, 0.05, 0.5);
  double v = random_real(random, 0.5, 5);
  const char *text =
      text_format(&cx->keep,
                  "gravity (0, -9.81)\nparam a = %.17g, v_0 = %.17g [m/s]\n"
                  "body b: mass 2, point, at = (0, 0), velocity = (v_0*cos(a), v_0*sin(a))\n"
                  "contact floor: b (0, 0), line (0, 0), axis a, friction %.17g\n"
                  "output v = b.x'*cos(a) + b.y'*sin(a)\n",
                  a, v, mu);
  return (Stopping){text, "(b.x'*cos(a) + b.y'*sin(a))", v / G / (sin(a) + mu * cos(a))};
}

// A block on a plank, which both go on together.
static Stopping plank(Context *cx, Random *random) {
  double mu = random_real(random, 0.05, 0.6), v = random_real(random, 0.5, 5);
  double m = random_real(random, 0.2, 3), M = random_real(random, 0.2, 30);
  const char *text =
      text_format(&cx->keep,
                  "coord x = 0, x' = %.17g [m/s], y = 0, X = 0\n"
                  "kinetic = %.17g [kg]/2*(x'^2 + y'^2) + %.17g [kg]/2*X'^2\n"
                  "potential = %.17g [kg]*9.81 [m/s^2]*y\n"
                  "contact rub: y >= 0, friction %.17g along x - X\noutput v = x' - X'\n",
                  v, m, M, m, mu);
  return (Stopping){text, "(x' - X')", v / (mu * G * (1 + m / M))};
}

static MakeModel *const models[] = {brake, block, slide, slope, plank};
enum { MODELS = sizeof models / sizeof *models };

// Every condition that names the speed's zero, each once, at the moment of sticking.
TEST(conditions_happen_where_something_sticks) {
  Random random = random_start("conditions_happen_where_something_sticks");
  for (int k = 0; k < test_rounds(60); k++) {
    Stopping s = models[k % MODELS](cx, &random);
    double every = s.t * pow(10, random_real(&random, -2.5, 0.3));
    Motion m = motion_to_end(
        cx, text_format(&cx->keep,
                        "%smemory n_0 = 0, n_1 = 0, n_2 = 0, n_3 = 0\n"
                        "when %s = 0: n_0 = n_0 + 1\nwhen %s = 0 falling: n_1 = n_1 + 1\n"
                        "when %s = 0 rising: n_2 = n_2 + 1\nwhen %s <= 0: n_3 = n_3 + 1\n"
                        "output n_0, n_1, n_2, n_3\n"
                        "measure at = first(t, n_0 > 0), low = first(t, %s <= 0)\n"
                        "simulate to %.17g every %.17g\n",
                        s.text, s.speed, s.speed, s.speed, s.speed, s.speed, 2 * s.t, every));
    double end = m.summary.t_end;
    CHECK_NEAR(motion_at(&m, end, "n_0"), 1, 0);
    CHECK_NEAR(motion_at(&m, end, "n_1"), 1, 0);
    CHECK_NEAR(motion_at(&m, end, "n_2"), 0, 0);
    CHECK_NEAR(motion_at(&m, end, "n_3"), 1, 0);
    CHECK_NEAR(m.summary.measures[0], s.t, 2e-7);
    if (!(fabs(m.summary.measures[1] - s.t) <= 2e-7)) print_message("%s\n", s.text);
    CHECK_NEAR(m.summary.measures[1], s.t, 2e-7);
  }
}

// A run that stops there ends at that moment, at rest.
TEST(runs_stop_where_something_sticks) {
  Random random = random_start("runs_stop_where_something_sticks");
  for (int k = 0; k < test_rounds(60); k++) {
    Stopping s = models[k % MODELS](cx, &random);
    double every = s.t * pow(10, random_real(&random, -2.5, 0.3));
    Motion m = motion_to_end(cx, text_format(&cx->keep,
                                             "%sstop when %s = 0\nsimulate to %.17g "
                                             "every %.17g\n",
                                             s.text, s.speed, 3 * s.t, every));
    CHECK_NEAR(m.summary.t_end, s.t, 2e-7);
    double last = m.values.at[(m.rows - 1) * m.columns.n + motion_column(&m, "v")];
    assert_true(fabs(last) <= 1e-14 * 30);
  }
}

RUN_TESTS(cmocka_unit_test(conditions_happen_where_something_sticks),
          cmocka_unit_test(runs_stop_where_something_sticks))
