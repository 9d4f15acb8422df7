// Friction that is published, or found in every textbook: regions, limit cycles, ropes.
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "support/motion.h"

static const double G = 9.81;

static Motion load_example(Context *cx, const char *name) {
  const char *root = getenv("QDOT_ROOT");
  const char *path = text_format(&cx->keep, "%s/examples/%s.qdot", root ? root : ".", name);
  return motion_load_file(cx, path, NULL);
}

// Painlevé's rod slides on its lower end: it jams where 1 + 3 cos f (cos f - mu sin f) < 0.
TEST(rod_jams_where_it_should) {
  Random random = random_start("rod_jams_where_it_should");
  for (int i = 0; i < test_rounds(60); i++) {
    double f = random_real(&random, 0.2, 1.4), mu = random_real(&random, 0.8, 3);
    double left = 1 + 3 * cos(f) * (cos(f) - mu * sin(f));
    if (fabs(left) < 1e-3) continue;
    Motion m = motion_load(cx,
                           text_format(&cx->keep,
                                       "param m = 1, L = 1, g = 9.81, mu = %.17g, f = %.17g\n"
                                       "gravity (0, -g)\nbody rod: mass m, rod L, at = "
                                       "(L/2*cos(f), L/2*sin(f)), angle = f, velocity = (-2, 0), "
                                       "spin = 0\ncontact floor: rod (-L/2, 0), line (0, 0), "
                                       "friction mu\noutput N = floor.N\n"
                                       "simulate to 1e-6 every 1e-6\n",
                                       mu, f),
                           NULL);
    motion_run(&m);
    assert_int_equal(m.status == QDOT_OK, left > 0);
    if (left > 0) CHECK_NEAR(motion_at(&m, 0, "N"), G / left, 1e-9);
  }
}

// The woodpecker toy settles into its cycle, whose period alternates ever less.
TEST(woodpecker) {
  Motion m = load_example(cx, "woodpecker");
  m.options.t_end = 6;
  motion_run(&m);
  assert_int_equal(m.summary.stopped, STOPPED_NOT);
  double t[100];
  int n = 0;
  for (uint32_t i = 0; i < m.summary.events.n && n < 100; i++) {
    const SimEvent *e = &m.summary.events.at[i];
    if (e->kind == SIM_IMPACT && e->number == 0) t[n++] = e->t;
  }
  assert_true(n > 35);
  for (int i = 2; i + 2 < n; i++) {
    double first = t[i] - t[i - 1], next = t[i + 1] - t[i], last = t[i + 2] - t[i + 1];
    assert_true(fabs(last - next) < 0.9 * fabs(next - first));
  }
  CHECK_NEAR(t[n - 1] - t[n - 2], 0.145976, 1e-6);
  assert_true(m.summary.energy_drift < 1e-6 && m.summary.impact_gain == 0);
}

// A rope around a drum holds a load until S exp(mu alpha) is less than its weight.
TEST(capstan) {
  Motion m = motion_to_end(cx, "param m = 50, g = 9.81, mu = 0.25, alpha = 2*pi, S = 150, c = 20\n"
                               "coord y = 0\ncoord y' = 0\nlet pull = S - c*t\n"
                               "kinetic = 1/2*m*y'^2\npotential = m*g*y\n"
                               "force y = pull*exp(-mu*alpha*sign(y'))\n"
                               "simulate to 6 every 0.1\n");
  double k = exp(0.25 * 2 * M_PI), begin = (150 - 50 * G / k) / 20, t = 6 - begin;
  CHECK_NEAR(motion_event(&m, 0, SIM_SLIP)->t, begin, 1e-8);
  CHECK_NEAR(motion_at(&m, 6, "y"), -20 * k * t * t * t / 6 / 50, 1e-8);
}

TEST(band_brake) {
  Motion m = load_example(cx, "band_brake");
  motion_run(&m);
  double S = 40, brake = S * (exp(0.3 * 1.5 * M_PI) - 1) * 0.2, J = 100 * 0.04 / 2;
  CHECK_NEAR(motion_event(&m, 0, SIM_STICK)->t, 60 * J / (brake - 10), 1e-8);
  CHECK_NEAR(motion_at(&m, 10, "drum.theta'"), 0, 1e-12);
}

RUN_TESTS(cmocka_unit_test(rod_jams_where_it_should), cmocka_unit_test(woodpecker),
          cmocka_unit_test(capstan), cmocka_unit_test(band_brake))
