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

// A part slides on the tip of a lever l at the angle f, turning at w: N = (g - l w^2 sin f)/(1/m +
// l^2 cos f (cos f - mu sin f)/J), up to next to where it jams.
TEST(presses_up_to_where_it_jams) {
  Random random = random_start("presses_up_to_where_it_jams"), *draw = &random;
  for (int i = 0; i < test_rounds(100); i++) {
    double m = exp(random_real(draw, -2, 4)), l = exp(random_real(draw, -2, 1));
    double f = random_real(draw, 0.5, 1.3), p = random_real(draw, 3, 8), J = m * l * l / p;
    double w = random_below(draw, 2) ? 0 : random_real(draw, -0.5, 0.5) * sqrt(G / l);
    double left = exp(random_real(draw, -20, -1)), v = -random_real(draw, 0.5, 5) * sqrt(G * l);
    double mu = (1 - left) * (1 + p * cos(f) * cos(f)) / (p * sin(f) * cos(f));
    double N = (G - l * w * w * sin(f)) / (1 / m + l * l * cos(f) * (cos(f) - mu * sin(f)) / J);
    Motion motion = motion_of(
        cx,
        text_format(&cx->keep,
                    "param m = %.17g [kg], J = %.17g [kg*m^2], l = %.17g [m], g = 9.81 [m/s^2], "
                    "mu = %.17g\ngravity (0, -g)\nbody rod: mass m, inertia J, at = (0, %.17g), "
                    "angle = %.17g, velocity = (%.17g, %.17g), spin = %.17g\n"
                    "contact tip: rod (-l, 0), line (0, 0), friction mu\noutput N = tip.N\n"
                    "simulate to 1e-9 [s] every 1e-9 [s]\n",
                    m, J, l, mu, l * sin(f), f, v - w * l * sin(f), w * l * cos(f), w));
    assert_int_equal(motion.status, QDOT_OK);
    CHECK_NEAR(motion_at(&motion, 0, "N"), N, fmax(1e-9, 1e-14 / left) * N);
  }
}

// The impacting stick: a rod that flies without turning strikes the floor with one end. It slips
// on, turns back or holds, by the law of the two impulses; restitution that would make energy, as
// in Kane's paradox, is lowered.
TEST(impacting_stick) {
  Random random = random_start("impacting_stick");
  int held = 0, slipped = 0;
  for (int i = 0; i < test_rounds(60); i++) {
    double f = random_real(&random, 0.1, 1.5), mu = random_real(&random, 0, 1.2);
    double e = random_real(&random, 0, 1), vx = random_real(&random, -3, 3);
    double rx = -0.5 * cos(f), ry = -0.5 * sin(f), J = 1.0 / 12, vy = -1;
    double A = 1 + rx * rx / J, B = -rx * ry / J, C = 1 + ry * ry / J, p = 0, r = 0;
    int found = 0;
    for (int side = -1; side < 2; side += 2) {
      double press = (1 + e) / (A - side * mu * B), rub = -side * mu * press;
      if (!(press > 0) || side * (vx + B * press + C * rub) < 0) continue;
      p = press, r = rub, found++;
    }
    double press = ((1 + e) * C + vx * B) / (A * C - B * B), rub = (-vx - B * press) / C;
    bool holds = press > 0 && fabs(rub) <= mu * press;
    if (holds) p = press, r = rub, found++;
    if (found != 1) continue;
    double spin = (rx * p - ry * r) / J;
    double gain = (vx + r) * (vx + r) + (vy + p) * (vy + p) + J * spin * spin - vx * vx - vy * vy;
    if (fabs(gain) < 1e-6) continue;
    Motion m = motion_to_end(
        cx, text_format(&cx->keep,
                        "body stick: rod 1, mass 1, at = (0, 0.001 + %.17g), angle = %.17g, "
                        "velocity = (%.17g, -1), spin = 0\ncontact floor: stick (-0.5, 0), line "
                        "(0, 0), restitution %.17g, friction %.17g\nsimulate to 0.0011 every "
                        "0.0011\n",
                        -ry, f, vx, e, mu));
    assert_true(m.summary.impact_gain == 0);
    assert_int_equal(m.summary.impacts_softened > 0, gain > 0);
    held += holds, slipped += !holds;
    if (gain > 0) continue;
    CHECK_NEAR(motion_at(&m, 0.0011, "stick.x'"), vx + r, 1e-9);
    CHECK_NEAR(motion_at(&m, 0.0011, "stick.y'"), vy + p, 1e-9);
    CHECK_NEAR(motion_at(&m, 0.0011, "stick.theta'"), spin, 1e-8);
  }
  assert_true(held > 0 && slipped > 0);
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

// A mass on a spring and a moving belt: it sticks until the spring is too strong, slips along a
// sine and sticks again when it has the belt's speed.
TEST(stick_slip_oscillator) {
  Motion m = motion_to_end(cx, "param m = 2, k = 50, g = 9.81, v = 0.3, mu_s = 0.4, mu_k = 0.25\n"
                               "coord x = 0 [m], y = 0 [m], x' = v\nkinetic = 1/2*m*(x'^2 + y'^2)\n"
                               "potential = 1/2*k*x^2 + m*g*y\n"
                               "contact belt: y >= 0, friction mu_s, mu_k, along x - v*t\n"
                               "simulate to 6 every 0.01 using rk853(rtol = 1e-11)\n");
  double w = 5, v = 0.3, most = 0.4 * 2 * G / 50, middle = 0.25 * 2 * G / 50;
  double slips = 2 / w * (acos(-1) - atan((most - middle) * w / v));
  double sticks = 2 * (most - middle) / v, t = most / v;
  assert_true(m.summary.events.n >= 5);
  for (uint32_t i = 0; i < m.summary.events.n; i++) {
    CHECK_NEAR(motion_event(&m, i, i % 2 ? SIM_STICK : SIM_SLIP)->t, t, 1e-8);
    t += i % 2 ? sticks : slips;
  }
}

// Thrown forwards with back-spin: a disc comes back where R w > 2 v, and rolls at last.
TEST(disc_with_back_spin) {
  for (int returns = 0; returns < 2; returns++) {
    double v = 2, R = 0.1, spin = (returns ? 3 : 1) * v / R, mu = 0.25;
    Motion m = motion_to_end(
        cx,
        text_format(&cx->keep,
                    "param g = 9.81, R = 0.1\ngravity (0, -g)\n"
                    "body d: disc R, mass 0.4, at = (0, R), angle = 0, velocity = (2, 0), spin = "
                    "%.17g\ncontact floor: d (0, 0), radius R, line (0, 0), friction 0.25\n"
                    "simulate to 4 every 0.1\n",
                    spin));
    double end = (2 * v - R * spin) / 3, t = (v - end) / (mu * G);
    assert_true((end < 0) == (returns == 1));
    CHECK_NEAR(motion_event(&m, 0, SIM_STICK)->t, t, 1e-8);
    CHECK_NEAR(motion_at(&m, 4, "d.x'"), end, 1e-8);
    CHECK_NEAR(motion_at(&m, 4, "d.x"), v * t - mu * G * t * t / 2 + end * (4 - t), 1e-8);
  }
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
  CHECK_NEAR(motion_at(&m, 1, "pull"), S * exp(0.3 * 1.5 * M_PI), 1e-9);
  CHECK_NEAR(motion_at(&m, 10, "pull"), S + 10 / 0.2, 1e-9);
}

RUN_TESTS(cmocka_unit_test(stick_slip_oscillator), cmocka_unit_test(disc_with_back_spin),
          cmocka_unit_test(rod_jams_where_it_should), cmocka_unit_test(presses_up_to_where_it_jams),
          cmocka_unit_test(impacting_stick), cmocka_unit_test(woodpecker),
          cmocka_unit_test(capstan), cmocka_unit_test(band_brake))
