// Contacts against closed forms: several at once, bounces that pile up, moving tables, release.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "support/motion.h"

static const double g = 9.81;

static Motion run(Context *cx, const char *text, const char *const *set) {
  Motion m = motion_load(cx, text, set);
  m.options.method.rtol = 1e-11;
  motion_run(&m);
  if (m.status != QDOT_OK || m.summary.stopped) motion_explain(&m);
  assert_int_equal(m.status, QDOT_OK);
  assert_int_equal(m.summary.stopped, STOPPED_NOT);
  return m;
}

static const SimEvent *event(const Motion *m, uint32_t i, SimEventKind kind) {
  assert_true(i < m->summary.events.n);
  assert_int_equal(m->summary.events.at[i].kind, kind);
  return &m->summary.events.at[i];
}

// A ball into a corner: both walls at the same instant, each with its restitution.
TEST(corner) {
  Motion m = run(cx,
                 "param m = 1\ncoord x = 1, y = 2\ncoord x' = -1, y' = -2\n"
                 "kinetic = 1/2*m*(x'^2 + y'^2)\ncontact left: x >= 0 restitution 0.5\n"
                 "contact floor: y >= 0 restitution 0.25\nsimulate to 3 every 0.5\n",
                 NULL);
  assert_int_equal(m.summary.events.n, 2);
  for (uint32_t i = 0; i < 2; i++) CHECK_NEAR(event(&m, i, SIM_IMPACT)->t, 1, 1e-12);
  CHECK_NEAR(motion_at(&m, 3, "x"), 2 * 0.5, 1e-11);
  CHECK_NEAR(motion_at(&m, 3, "y"), 2 * 0.5, 1e-11);
  CHECK_NEAR(m.summary.work_impacts, -0.5 * (0.75 * 1 + 4 * (1 - 1.0 / 16)), 1e-11);
}

// One on the other on the floor: forces by weight, from the first instant on.
TEST(stack) {
  Motion m = run(cx,
                 "param m_1 = 2, m_2 = 3, g = 9.81\ncoord y_1 = 0, y_2 = 0\n"
                 "kinetic = 1/2*m_1*y_1'^2 + 1/2*m_2*y_2'^2\npotential = g*(m_1*y_1 + m_2*y_2)\n"
                 "contact upper: y_2 >= y_1\ncontact floor: y_1 >= 0\nsimulate to 1 every 0.25\n",
                 NULL);
  for (double t = 0; t <= 1; t += 0.25) {
    CHECK_NEAR(motion_at(&m, t, "lambda_floor"), 5 * g, 1e-12);
    CHECK_NEAR(motion_at(&m, t, "lambda_upper"), 3 * g, 1e-12);
    CHECK_NEAR(motion_at(&m, t, "y_2"), 0, 1e-14);
  }
  assert_int_equal(m.summary.events.n, 0);
}

// The stack dropped: floor and upper one after the other, inelastic, and then at rest.
TEST(dropped_stack) {
  Motion m = run(cx,
                 "param m_1 = 2, m_2 = 3, g = 9.81\ncoord y_1 = 1, y_2 = 1.5\n"
                 "kinetic = 1/2*m_1*y_1'^2 + 1/2*m_2*y_2'^2\npotential = g*(m_1*y_1 + m_2*y_2)\n"
                 "contact upper: y_2 >= y_1\ncontact floor: y_1 >= 0\nsimulate to 1 every 0.1\n",
                 NULL);
  CHECK_NEAR(event(&m, 0, SIM_IMPACT)->t, sqrt(2 / g), 1e-10);
  CHECK_NEAR(event(&m, 1, SIM_IMPACT)->t, sqrt(3 / g), 1e-10);
  CHECK_NEAR(motion_at(&m, 1, "lambda_floor"), 5 * g, 1e-10);
  CHECK_NEAR(m.summary.work_impacts, -g * (2 * 1 + 3 * 1.5), 1e-9);
}

// Newton's cradle: as many balls leave as arrive, whatever the order of the lines.
static const char *const cradle =
    "param L = 1, g = 9.81, m = 1\ncount N = 5, lifted = 2\nfor i in 1..N\n"
    "coord theta[i] = if(i <= lifted, -0.5, 0)\n"
    "kinetic = 1/2*m*L^2*theta[i]'^2\npotential = -m*g*L*cos(theta[i])\nend\n"
    "for i in 2..N\ncontact c[i]: %s restitution 1\nend\nsimulate to 1 every 0.05\n";

TEST(cradle_of_five) {
  static const char *const rows[] = {"theta[i-1] <= theta[i]", "theta[N-i+1] <= theta[N-i+2]",
                                     "theta[i] >= theta[i-1]"};
  for (int lifted = 1; lifted <= 4; lifted++)
    for (int order = 0; order < 3; order++) {
      const char *const set[] = {text_format(&cx->keep, "lifted=%d", lifted), NULL};
      Motion m = run(cx, text_format(&cx->keep, cradle, rows[order]), set);
      // half a swing later (before the next impact) the last ones are up, the others hang
      for (int i = 1; i <= 5; i++) {
        double angle = motion_at(&m, 1, text_format(&cx->keep, "theta[%d]", i));
        double first = motion_at(&m, 1, "theta[5]");
        CHECK_NEAR(angle, i > 5 - lifted ? first : 0, 1e-8);
        assert_true(first > 0.4);
      }
      assert_true(fabs(m.summary.work_impacts) < 1e-10);
    }
}

// A mass on a table that shakes: rests until the table falls faster than it, flies, lands.
TEST(shaken_table) {
  Motion m = run(cx,
                 "param m = 1, g = 9.81, A = 0.1, w = 12\ncoord y = 0\ncoord y' = 1.2\n"
                 "kinetic = 1/2*m*y'^2\npotential = m*g*y\n"
                 "contact table: y >= A*sin(w*t)\nsimulate to 0.6 every 0.02\n",
                 NULL);
  double A = 0.1, w = 12, t_1 = asin(g / (A * w * w)) / w;
  const SimEvent *release = event(&m, 0, SIM_RELEASE);
  CHECK_NEAR(release->t, t_1, 1e-9);
  // lambda while it rests: m (g - A w^2 sin(w t))
  CHECK_NEAR(motion_at(&m, 0.04, "lambda_table"), g - A * w * w * sin(w * 0.04), 1e-9);
  // the flight meets the table again where the parabola says, by bisection
  double y_1 = A * sin(w * t_1), v_1 = A * w * cos(w * t_1), low = t_1 + 0.1, high = 0.6;
  for (int i = 0; i < 80; i++) {
    double t = (low + high) / 2, d = t - t_1;
    if (y_1 + v_1 * d - g / 2 * d * d > A * sin(w * t))
      low = t;
    else
      high = t;
  }
  CHECK_NEAR(event(&m, 1, SIM_IMPACT)->t, low, 1e-8);
  assert_true(m.summary.energy_drift < 1e-9);
}

// A pendulum that bounces off a wall at its lowest point: half the period, all the energy.
TEST(pendulum_at_a_wall) {
  Motion m = run(cx,
                 "param m = 1, g = 9.81, L = 1\ncoord a = 0.01\nkinetic = 1/2*m*L^2*a'^2\n"
                 "potential = -m*g*L*cos(a)\ncontact wall: a >= 0 restitution 1\n"
                 "simulate to 5 every 0.1\n",
                 NULL);
  // the period of a small swing, with the next term of its series
  double half = 3.14159265358979312 / sqrt(g) * (1 + 0.01 * 0.01 / 16);
  for (uint32_t i = 0; i < m.summary.events.n; i++)
    CHECK_NEAR(event(&m, i, SIM_IMPACT)->t, half * (0.5 + i), 1e-8);
  assert_int_equal(m.summary.events.n, 5);
  assert_true(fabs(m.summary.work_impacts) < 1e-12);
}

// Bounces pile up at a known time: from then on it lies still, and the run takes no longer.
TEST(piled_up) {
  for (double e = 0.2; e < 0.95; e += 0.35) {
    const char *const set[] = {text_format(&cx->keep, "e=%g", e), NULL};
    Motion m = run(cx,
                   "param m = 1, g = 9.81, e = 0.5\ncoord y = 1\nkinetic = 1/2*m*y'^2\n"
                   "potential = m*g*y\ncontact floor: y >= 0 restitution e\n"
                   "simulate to 12 every 0.1\n",
                   set);
    double fall = sqrt(2 / g), end = fall * (1 + e) / (1 - e);
    const SimEvent *last = &m.summary.events.at[m.summary.events.n - 1];
    CHECK_NEAR(last->t, end, 1e-6); // a contact, or an impact too gentle to part again
    double t = fall;
    for (uint32_t i = 0; i + 1 < m.summary.events.n && t < end - 1e-6; i++) {
      CHECK_NEAR(event(&m, i, SIM_IMPACT)->t, t, 1e-9);
      t += 2 * fall * pow(e, i + 1);
    }
    CHECK_NEAR(motion_at(&m, 12, "lambda_floor"), g, 1e-12);
    assert_true(m.summary.steps < 4000);
    CHECK_NEAR(m.summary.work_impacts, -g, 1e-9);
  }
}

// A bead slides down the inside of a dome and leaves nothing: a particle on a sphere lets go of it
// where cos(a) = 2/3.
TEST(leaves_the_sphere) {
  Motion m = run(cx,
                 "param m = 1, g = 9.81, R = 1\ncoord x = 0.1, y ~ 1\n"
                 "kinetic = 1/2*m*(x'^2 + y'^2)\npotential = m*g*y\n"
                 "contact sphere: sqrt(x^2 + y^2) >= R\nsimulate to 2 every 0.01\n",
                 (const char *const[]){"y=sqrt(99)/10", NULL});
  const SimEvent *release = event(&m, 0, SIM_RELEASE);
  // energy from the start: cos(a) = 2/3 cos(a_0)
  double y = motion_at(&m, release->t, "y");
  assert_true(fabs(y - 2.0 / 3 * sqrt(0.99)) < 0.02); // the nearest row
  double v2 = 2 * g * (sqrt(0.99) - 2.0 / 3 * sqrt(0.99));
  CHECK_NEAR(v2, g * 2.0 / 3 * sqrt(0.99), 1e-12); // what lets go: v^2 = g R cos(a)
  assert_int_equal(m.summary.events.n, 1);
}

// A box that falls on a corner rocks to rest: bounces of two corners pile up, and it lies flat.
TEST(a_box_comes_to_rest) {
  Motion m =
      motion_of(cx, "param g = 9.81 [m/s^2], a = 0.2 [m], b = 0.1 [m]\ngravity (0, -g)\n"
                    "body k: mass 1 [kg], plate (a, b), at = (0, 0.5 [m]), angle = 20 [deg]\n"
                    "contact c1: k (-a/2, -b/2), line (0, 0), axis 0, restitution 0.3\n"
                    "contact c2: k (a/2, -b/2), line (0, 0), axis 0, restitution 0.3\n"
                    "contact c3: k (a/2, b/2), line (0, 0), axis 0, restitution 0.3\n"
                    "contact c4: k (-a/2, b/2), line (0, 0), axis 0, restitution 0.3\n"
                    "simulate to 1 [s] every 10 [ms]\n");
  CHECK_NEAR(motion_at(&m, 1, "k.y"), 0.05, 1e-12);
  CHECK_NEAR(motion_at(&m, 1, "k.theta"), 0, 1e-12);
  CHECK_NEAR(motion_at(&m, 1, "lambda_c1") + motion_at(&m, 1, "lambda_c2"), 9.81, 1e-9);
  assert_true(m.summary.energy_drift < 1e-7);
}

// A chain of links leans against a wall: while it does, the contact is a constraint, in the dense
// form of few links and in the lifted one of many.
TEST(chain_at_a_wall) {
  static const char *const text =
      "count N = %d\nparam m = 1, L = 0.5, g = 9.81\nlet x[0] = 0, y[0] = 0\nfor i in 1..N\n"
      "  coord theta[i] = 0.5\n"
      "  let x[i] = x[i-1] + L*sin(theta[i]), y[i] = y[i-1] - L*cos(theta[i])\n"
      "  kinetic = 1/2*m*(x[i]'^2 + y[i]'^2)\n  potential = m*g*y[i]\nend\n"
      "%s\nsimulate to 0.1 every 0.02\n";
  for (int links = 3; links < 30; links *= 3) {
    Motion wall =
        motion_of(cx, text_format(&cx->keep, text, links, "contact wall: x[N] >= N*L*sin(0.5)"));
    Motion tied =
        motion_of(cx, text_format(&cx->keep, text, links, "constraint wall: x[N] = N*L*sin(0.5)"));
    for (double t = 0; t < 0.11; t += 0.02) {
      double force = motion_at(&wall, t, "lambda_wall");
      assert_true(force > 1);
      CHECK_NEAR(force, -motion_at(&tied, t, "lambda_wall"), 1e-9);
      CHECK_NEAR(motion_at(&wall, t, "theta[1]"), motion_at(&tied, t, "theta[1]"), 1e-11);
      CHECK_NEAR(motion_at(&wall, t, "theta[2]''"), motion_at(&tied, t, "theta[2]''"), 1e-9);
    }
  }
}

// A corner of a body that only turns: no coordinate accelerates, and the bounces pile up all the
// same. All formulations settle at the same time.
TEST(settles_by_turning) {
  double settled[4];
  for (int f = 0; f < 4; f++) {
    Motion m = motion_load_as(
        cx,
        "body b: inertia 0.068 [kg*m^2], mass 1.744 [kg],"
        " at = (-0.835598224069239 [m], 0.45475787229283 [m]), angle = 2.582,"
        " velocity = (2.83047373432069 [m/s], -1.5000787176581 [m/s]), spin = -0.917 [rad/s]\n"
        "contact f: b (-0.016 [m], 0.282 [m]), radius 0.098 [m], line (-0.803 [m], -0.305 [m]),"
        " axis 1.059, restitution 0.242\nsimulate to 0.6 [s] every 0.05 [s]\n",
        NULL, (Formulation)f);
    motion_run(&m);
    assert_int_equal(m.status, QDOT_OK);
    assert_int_equal(m.summary.stopped, STOPPED_NOT);
    settled[f] = NAN;
    for (uint32_t i = 0; i < m.summary.events.n; i++)
      if (m.summary.events.at[i].kind == SIM_CONTACT) settled[f] = m.summary.events.at[i].t;
    CHECK_NEAR(settled[f], 0.243151, 1e-6);
    CHECK_NEAR(settled[f], settled[0], 1e-9);
  }
}

RUN_TESTS(cmocka_unit_test(chain_at_a_wall), cmocka_unit_test(a_box_comes_to_rest),
          cmocka_unit_test(corner), cmocka_unit_test(stack), cmocka_unit_test(dropped_stack),
          cmocka_unit_test(cradle_of_five), cmocka_unit_test(shaken_table),
          cmocka_unit_test(pendulum_at_a_wall), cmocka_unit_test(piled_up),
          cmocka_unit_test(leaves_the_sphere), cmocka_unit_test(settles_by_turning))
