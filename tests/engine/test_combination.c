// Closed contacts without programs of their own: the motion, its forces and its energies are those
// that programs for each set of contacts give.
#include <math.h>

#include "base/text.h"
#include "sim/plan_source.h"
#include "support/motion.h"

// A box with friction that falls onto a floor that moves, beside a wall; bodies, so that joints and
// contacts share the rows.
static const char *random_box(Context *cx, Random *random) {
  double a = random_real(random, 0.2, 0.6), b = random_real(random, 0.2, 0.6);
  Text text = text_new(&cx->keep);
  text_addf(&text,
            "param a = %.17g [m], b = %.17g [m], mu = %.17g\n"
            "gravity (0, -9.81 [m/s^2])\n"
            "body box: mass 2 [kg], inertia %.17g [kg*m^2], at (0, %.17g [m]), angle %.17g, "
            "velocity (%.17g [m/s], 0), spin %.17g [rad/s]\n",
            a, b, random_below(random, 2) ? random_real(random, 0.1, 0.8) : 0,
            random_real(random, 0.05, 0.2), 1.2 * b + random_real(random, 0, 0.3),
            random_real(random, -0.2, 0.2), random_real(random, -1, 1), random_real(random, -1, 1));
  for (int i = 0; i < 2; i++)
    text_addf(&text,
              "contact foot_%d: box (%s*a, -b), line (0, 0), axis 0, restitution %.17g, "
              "friction mu\n",
              i, i ? "-1" : "1", random_real(random, 0, 0.6));
  text_addf(&text, "simulate to %.17g [s] every 0.05 [s]\n", random_real(random, 0.4, 1));
  return text.at;
}

// A pendulum of a few links that swings against a stop.
static const char *random_chain(Context *cx, Random *random) {
  Text text = text_new(&cx->keep);
  int links = 1 + random_below(random, 3);
  text_addf(&text,
            "count N = %d\nparam L = 0.4 [m], m = 1 [kg], g = 9.81 [m/s^2]\n"
            "let x[0] = 0, y[0] = 0\nfor i in 1..N\n  coord theta[i] = %.17g [rad]\n"
            "  let x[i] = x[i-1] + L*sin(theta[i]), y[i] = y[i-1] - L*cos(theta[i])\n"
            "  kinetic = 1/2*m*(x[i]'^2 + y[i]'^2)\n  potential = m*g*y[i]\nend\n"
            "contact stop: x[N] >= %.17g [m] + %.17g [m]*sin(3 [1/s]*t), restitution %.17g\n"
            "simulate to 1 [s] every 0.05 [s]\n",
            links, random_real(random, 0.5, 1.2), random_real(random, -0.1, 0.2),
            random_below(random, 2) ? 0.05 : 0.0, random_real(random, 0, 0.8));
  return text.at;
}

static Motion run_with(Context *cx, const char *text, uint32_t most_own) {
  Motion motion = motion_load(cx, text, NULL);
  plan_source_of(&motion.system, motion.options.backend)->programs.most_own_contacts = most_own;
  motion_run(&motion);
  return motion;
}

static double largest_in(const Motion *motion, uint32_t column) {
  double most = 0;
  for (uint32_t i = 0; i < motion->rows; i++)
    most = fmax(most, fabs(motion->values.at[(size_t)i * motion->columns.n + column]));
  return most;
}

static void check_same(const Motion *own, const Motion *combined) {
  assert_int_equal(own->status, combined->status);
  assert_int_equal(own->rows, combined->rows);
  assert_int_equal(own->summary.events.n, combined->summary.events.n);
  for (uint32_t c = 0; c < own->columns.n; c++) {
    double most = fmax(largest_in(own, c), 1e-3);
    for (uint32_t i = 0; i < own->rows; i++) {
      size_t at = (size_t)i * own->columns.n + c;
      if (isnan(own->values.at[at])) continue;
      CHECK_NEAR(own->values.at[at] / most, combined->values.at[at] / most, 1e-5);
    }
  }
  CHECK_NEAR(own->summary.energy_drift, combined->summary.energy_drift, 1e-6);
}

TEST(combinations_move_as_programs_of_their_own) {
  Random random = random_start("combinations");
  uint32_t closed = 0;
  int rounds = test_rounds(80);
  for (int round = 0; round < rounds; round++) {
    const char *text = round % 2 ? random_box(cx, &random) : random_chain(cx, &random);
    Motion own = run_with(cx, text, UINT32_MAX), combined = run_with(cx, text, 0);
    check_same(&own, &combined);
    for (uint32_t i = 0; i < own.summary.events.n; i++)
      closed += own.summary.events.at[i].kind == SIM_CONTACT;
  }
  assert_true(closed > 3 || rounds < 80);
}

// The slopes of contact forces by the position, in the tangent of an implicit method.
TEST(implicit_methods_have_the_slopes_of_contact_forces) {
  static const char text[] =
      "coord x = 0.6 [m], y = 0.8 [m], x' = -0.8 [m/s], y' = 0.6 [m/s]\n"
      "kinetic = 1/2*1 [kg]*(x'^2 + y'^2)\npotential = 1 [kg]*9.81 [m/s^2]*y\n"
      "dissipation = 1/2*1e4 [N*s/m]*(x'^2 + y'^2)*1e-4\n"
      "contact ring: x^2 + y^2 <= 1 [m^2]\n"
      "simulate to 0.5 [s] every 0.05 [s] using radau(rtol = 1e-8)\n";
  Motion own = run_with(cx, text, UINT32_MAX), combined = run_with(cx, text, 0);
  check_same(&own, &combined);
  assert_true(combined.summary.steps <= own.summary.steps + own.summary.steps / 10 + 2);
}

RUN_TESTS(cmocka_unit_test(combinations_move_as_programs_of_their_own),
          cmocka_unit_test(implicit_methods_have_the_slopes_of_contact_forces))
