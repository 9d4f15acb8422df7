// Drives whose speed jumps: impulses by the balance of momentum, told, with their work.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "support/motion.h"

static Motion run(Context *cx, const char *text) {
  Motion m = motion_of(cx, text);
  if (m.status != QDOT_OK || m.summary.stopped) motion_explain(&m);
  assert_int_equal(m.status, QDOT_OK);
  assert_int_equal(m.summary.stopped, STOPPED_NOT);
  return m;
}

static const SimEvent *jump(const Motion *m, uint32_t i) {
  assert_true(i < m->summary.events.n);
  assert_int_equal(m->summary.events.at[i].kind, SIM_JUMP);
  return &m->summary.events.at[i];
}

// A drive at speeds of its own pulls a mass by a spring: written as a speed, and as a position.
TEST(speed_steps) {
  static const char *const drives[] = {
      "x' = if(t < t_1, 0, v_1) + if(t < t_2, 0, v_2 - v_1)",
      "x = v_1*max(t - t_1, 0) + (v_2 - v_1)*max(t - t_2, 0)",
      "x = if(t < t_1, 0, v_1*(t - t_1)) + if(t > t_2, (v_2 - v_1)*(t - t_2), 0)"};
  static const char *const methods[] = {
      "rk853", "rk45", "bdf", "dae", "rk4(step = 0.001)", "alpha(step = 0.001)"};
  Random r = random_start("speed_steps");
  for (int i = 0; i < test_rounds(24); i++) {
    double t_1 = random_real(&r, 0.1, 0.4), t_2 = random_real(&r, 0.5, 0.9);
    double v_1 = random_real(&r, 0.2, 2), v_2 = random_real(&r, -2, -0.2), w = 10;
    int drive = i % 3, method = i / 3 % 6;
    Motion m = run(cx, text_format(&cx->keep,
                                   "param t_1 = %.17g, t_2 = %.17g, v_1 = %.17g, v_2 = %.17g\n"
                                   "coord x ~ 0, y = 0\ncoord x' ~ 0\n"
                                   "param m = 1, k = 100\nkinetic = 3/2*m*x'^2 + 1/2*m*y'^2\n"
                                   "potential = 1/2*k*(y - x)^2\n"
                                   "constraint drive: %s\nsimulate to 1.2 every 0.01 using %s\n",
                                   t_1, t_2, v_1, v_2, drives[drive], methods[method]));
    double exact = method < 4 ? 1e-6 : 1e-3;
    for (double t = 0; t < 1.2; t += 0.01) {
      double a = fmax(t - t_1, 0), b = fmax(t - t_2, 0), x = v_1 * a + (v_2 - v_1) * b;
      double y = x - v_1 * sin(w * a) / w - (v_2 - v_1) * sin(w * b) / w;
      CHECK_NEAR(motion_at(&m, t, "x"), x, exact);
      CHECK_NEAR(motion_at(&m, t, "y"), y, exact);
    }
    assert_int_equal(m.summary.events.n, 2);
    CHECK_NEAR(jump(&m, 0)->t, t_1, 1e-9);
    CHECK_NEAR(jump(&m, 1)->t, t_2, 1e-9);
    assert_true(m.summary.energy_drift < (method < 4 ? 1e-5 : 1e-2));
  }
}

// What rides on a driven part by a joint of its own: its momentum stays, its velocity does not.
TEST(momentum_of_riders) {
  Motion m = run(cx, "coord x ~ 0, y = 0\ncoord x' ~ 0\nkinetic = 2*x'^2 + 3/2*(x' + y')^2\n"
                     "constraint drive: x' = if(t < 0.5, 0, 1.5)\nsimulate to 1 every 0.1\n");
  CHECK_NEAR(motion_at(&m, 1, "x'"), 1.5, 1e-12);
  CHECK_NEAR(motion_at(&m, 1, "y'"), -1.5, 1e-12);
  CHECK_NEAR(motion_at(&m, 1, "y"), -0.75, 1e-9);
  CHECK_NEAR(m.summary.work_drives, 2 * 1.5 * 1.5, 1e-9);
}

// The same where the motion is given without a constraint: by a table, a maximum, a condition.
TEST(given_motion) {
  static const char *const given[] = {"max(0, v*(t - t_1))", "if(t < t_1, 0, v*(t - t_1))",
                                      "table(t, (0, 0 [m]), (0.3 [s], 0 [m]), (1.3 [s], 2 [m]))"};
  for (int i = 0; i < 3; i++) {
    Motion m = run(cx, text_format(&cx->keep,
                                   "param m = 1, v = 2, t_1 = 0.3, T = 1.3, L = 2\n"
                                   "let z = %s\ncoord y = 0\ncoord y' = 0.25\n"
                                   "kinetic = 1/2*m*(y' + z')^2\nsimulate to 1 every 0.1\n",
                                   given[i]));
    for (double t = 0; t < 1.05; t += 0.1)
      CHECK_NEAR(motion_at(&m, t, "y"), 0.25 * t - 2 * fmax(t - 0.3, 0), 1e-9);
    assert_int_equal(m.summary.events.n, 1);
    CHECK_NEAR(jump(&m, 0)->t, 0.3, 1e-12);
    assert_true(m.summary.energy_drift < 1e-8);
  }
}

// A rope over a pulley ties another mass to the drive: it jumps, too.
TEST(tied_masses) {
  Motion m = run(cx, "coord x ~ 0, y ~ 0\ncoord x' ~ 0\nkinetic = 1/2*x'^2 + 5/2*y'^2\n"
                     "constraint rope: x + y = 0\nconstraint drive: x' = if(t < 0.5, 0, 2)\n"
                     "simulate to 1 every 0.1\n");
  CHECK_NEAR(motion_at(&m, 1, "y"), -1, 1e-9);
  CHECK_NEAR(m.summary.work_drives, 0.5 * 4 + 2.5 * 4, 1e-9);
  assert_true(m.summary.energy_drift < 1e-9);
}

// A block on a lift: taken along at once, thrown by its restitution, or left behind.
TEST(block_on_a_lift) {
  static const char *const text =
      "param g = 9.81, e = %g, v = %g\ncoord z ~ 0, y = 0\ncoord z' ~ 0\n"
      "kinetic = z'^2 + 1/2*y'^2\npotential = g*y\nconstraint drive: z' = if(t < 0.2, 0, v)\n"
      "contact lift: y >= z restitution e\nsimulate to 0.3 every 0.01\n";
  Motion along = run(cx, text_format(&cx->keep, text, 0.0, 1.0));
  CHECK_NEAR(motion_at(&along, 0.3, "y"), 0.1, 1e-9);
  CHECK_NEAR(motion_at(&along, 0.3, "lambda_lift"), 9.81, 1e-9);
  Motion thrown = run(cx, text_format(&cx->keep, text, 0.5, 1.0));
  CHECK_NEAR(motion_at(&thrown, 0.3, "y"), 1.5 * 0.1 - 9.81 / 2 * 0.01, 1e-9);
  Motion left = run(cx, text_format(&cx->keep, text, 0.0, -1.0));
  CHECK_NEAR(motion_at(&left, 0.3, "y"), -9.81 / 2 * 0.01, 1e-9);
  CHECK_NEAR(motion_at(&left, 0.3, "z"), -0.1, 1e-9);
}

// A position that jumps cannot be followed.
TEST(leap) {
  Motion m = motion_of(cx, "coord x ~ 0\nkinetic = 1/2*x'^2\n"
                           "constraint drive: x = if(t < 0.5, 0, 1)\nsimulate to 1 every 0.1\n");
  assert_int_equal(m.status, QDOT_OK);
  assert_int_equal(m.summary.stopped, STOPPED_LIMIT);
  CHECK_NEAR(m.summary.t_end, 0.5, 1e-9);
  const Diagnostics *d = &m.cx->diagnostics;
  bool told = false;
  for (uint32_t i = 0; i < d->list.n; i++)
    told |= strstr(d->list.at[i].message, "constraint 'drive' gives jumps") != NULL;
  assert_true(told);
}

// Ramps that begin at the very start: the side is that of the first moment after it.
TEST(switches_at_the_start) {
  static const char *const methods[] = {"rk853", "rk45", "bdf", "dae", "rk4(step = 0.01)"};
  for (int i = 0; i < 5; i++) {
    Motion m = run(cx, text_format(&cx->keep,
                                   "param a = 2\ncoord x = 0\ncoord x' ~ 0\nkinetic = 1/2*x'^2\n"
                                   "constraint drive: x' = a*max(0, min(t, 1))\n"
                                   "simulate to 2 every 0.1 using %s\n",
                                   methods[i]));
    CHECK_NEAR(motion_at(&m, 0, "x''"), 2, 1e-12);
    CHECK_NEAR(motion_at(&m, 1, "x"), 1, 1e-6);
    CHECK_NEAR(motion_at(&m, 2, "x"), 3, 1e-6);
    assert_int_equal(m.summary.events.n, 0);
  }
}

// ---- Speeds that samples and events give

// An arm that is driven, with another at its end, which swings; some strike a wall.
static const char *driven(Context *cx, Random random, const char *how) {
  double speed[4];
  for (int i = 0; i < 4; i++) speed[i] = random_real(&random, -3, 3);
  Text text = text_new(&cx->keep);
  text_addf(&text,
            "gravity (0, -9.81 [m/s^2])\nparam w_0 = %.3f [rad/s], w_1 = %.3f [rad/s], "
            "w_2 = %.3f [rad/s], w_3 = %.3f [rad/s]\n%s"
            "body arm: mass 2 [kg], inertia 0.5 [kg*m^2], at (1 [m], 0)\n"
            "body tip: mass 1 [kg], inertia %.3f [kg*m^2], at (2.5 [m], 0)\n"
            "joint A: revolute ground (0, 0), arm (-1 [m], 0)\n"
            "joint B: revolute arm (1 [m], 0), tip (-0.5 [m], 0)\n",
            speed[0], speed[1], speed[2], speed[3], strcmp(how, "switch") ? "input u = w_0\n" : "",
            random_real(&random, 0.1, 0.4));
  Text *out = &text;
  if (strcmp(how, "switch") != 0) text_add(out, "motor A: speed u\n");
  if (strcmp(how, "switch") == 0)
    text_add(out, "motor A: speed if(t < 0.2 [s], w_0, if(t < 0.4 [s], w_1, if(t < 0.6 [s], w_2, "
                  "w_3)))\n");
  if (strcmp(how, "sample") == 0)
    text_add(out, "sample every 0.2 [s]: u = if(t < 0.1 [s], w_0, if(t < 0.3 [s], w_1, if(t < 0.5 "
                  "[s], w_2, w_3)))\n");
  if (strcmp(how, "when") == 0)
    text_add(out, "when t > 0.2 [s]: u = w_1\nwhen t > 0.4 [s]: u = w_2\n"
                  "when t > 0.6 [s]: u = w_3\n");
  if (random_below(&random, 2))
    text_add(out, "contact wall: tip (0.5 [m], 0), line (0, -1 [m]), axis 0, restitution 0.5\n");
  text_add(out, "simulate to 1 [s] every 0.05 [s] using rk853(rtol = 1e-10)\n");
  return text.at;
}

TEST(speeds_that_inputs_give) {
  Random random = random_start("speeds_that_inputs_give");
  for (int round = 0; round < test_rounds(10); round++) {
    Motion other = motion_to_end(cx, driven(cx, random, "switch"));
    static const char *const ways[] = {"sample", "when"};
    for (int k = 0; k < 2; k++) {
      Motion m = motion_to_end(cx, driven(cx, random, ways[k]));
      assert_true(m.summary.energy_drift < 1e-7);
      CHECK_NEAR(m.summary.work_drives, other.summary.work_drives,
                 1e-6 * (1 + fabs(other.summary.work_drives)));
      for (int row = 0; row <= 20; row++) {
        double t = 0.05 * row;
        CHECK_NEAR(motion_at(&m, t, "tip.theta"), motion_at(&other, t, "tip.theta"), 1e-6);
        CHECK_NEAR(motion_at(&m, t, "arm.theta"), motion_at(&other, t, "arm.theta"), 1e-9);
      }
    }
    random_bits(&random);
  }
}

// A given motion whose rate has a corner, at rest or not, jumps in nothing: no event says so.
TEST(corners_of_rates_are_no_jumps) {
  Random random = random_start("corners_of_rates_are_no_jumps");
  static const char *const motions[] = {"max(t - t_1, 0*t)^2", "min(t - t_1, 0*t)^2",
                                        "(t - t_1)*abs(t - t_1)",
                                        "if(t > t_1, 2*(t - t_1)^2, (t_1 - t)^2)"};
  for (int k = 0; k < test_rounds(40); k++) {
    double v = k % 2 ? random_real(&random, -1, 1) : 0;
    Motion m = motion_of(
        cx, text_format(&cx->keep,
                        "param t_1 = %.17g [s]\ncoord x = 0, x' = %.17g [m/s]\n"
                        "let s = %.17g [m/s^2]*%s\nkinetic = 1 [kg]/2*(x' + s')^2\n"
                        "potential = %.17g [N/m]/2*x^2 - 1e-3 [N]*x\nsimulate to 1 every 0.1\n",
                        random_real(&random, 0.1, 0.9), v, random_real(&random, 0.5, 3),
                        motions[k % 4], random_real(&random, 1, 100)));
    assert_int_equal(m.summary.stopped, STOPPED_NOT);
    assert_int_equal(m.summary.events.n, 0);
  }
}

RUN_TESTS(cmocka_unit_test(corners_of_rates_are_no_jumps),
          cmocka_unit_test(speeds_that_inputs_give), cmocka_unit_test(speed_steps),
          cmocka_unit_test(momentum_of_riders), cmocka_unit_test(given_motion),
          cmocka_unit_test(tied_masses), cmocka_unit_test(block_on_a_lift), cmocka_unit_test(leap),
          cmocka_unit_test(switches_at_the_start))
