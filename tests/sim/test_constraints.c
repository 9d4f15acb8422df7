// Constraints from a model's text: ways to keep them, dead positions, invariances, rolling, drives.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "support/motion.h"

static Motion run_with(Context *cx, const char *text, const char *const *set, double rtol) {
  Motion m = motion_load(cx, text, set);
  m.options.method.rtol = rtol;
  m.options.method.atol = 0;
  motion_run(&m);
  if (m.status != QDOT_OK || m.summary.stopped) motion_explain(&m);
  assert_int_equal(m.status, QDOT_OK);
  assert_int_equal(m.summary.stopped, STOPPED_NOT);
  return m;
}

// ---- Ways to keep constraints

// A crank-rocker whose crank turns over: no coordinate can stay independent all the way.
static const char *const crank_rocker =
    "param g = 9.81, r_1 = 2, r_2 = 0.8, r_3 = 1.8, r_4 = 1.5, m = 1\n"
    "coord a = 90 [deg], b ~ 22 [deg], c ~ 103 [deg]\ncoord a' = 8\n"
    "let x = r_2*cos(a) + r_3*cos(b), y = r_2*sin(a) + r_3*sin(b)\n"
    "kinetic = 1/2*m*r_2^2*a'^2 + 1/2*m*(x'^2 + y'^2) + 1/2*m*r_4^2*c'^2\n"
    "potential = m*g*(r_2*sin(a) + y)\n"
    "constraint loop_x: x = r_1 + r_4*cos(c)\nconstraint loop_y: y = r_4*sin(c)\n"
    "simulate to 10 every 0.1\n";

TEST(ways_to_keep_constraints) {
  Motion truth = run_with(cx, crank_rocker, NULL, 1e-12);
  double drift[STABILIZE_NONE + 1];
  for (int way = STABILIZE_PROJECT; way <= STABILIZE_NONE; way++) {
    Motion m = motion_load(cx, crank_rocker, NULL);
    m.options.method.stabilize = (Stabilize)way;
    m.options.method.baumgarte_alpha = m.options.method.baumgarte_beta = 20;
    motion_run(&m);
    assert_int_equal(m.status, QDOT_OK);
    drift[way] = m.summary.position.value;
    double error = fabs(motion_at(&m, 10, "a") - motion_at(&truth, 10, "a"));
    print_message("%-13s drift %.1e %.1e %.1e, error %.1e, %ld steps, %ld partitions\n",
                  sim_stabilize_name((Stabilize)way), drift[way], m.summary.velocity.value,
                  m.summary.acceleration.value, error, m.summary.steps, m.summary.partitions);
    assert_true(error < 1e-4);
    assert_string_equal(m.summary.stabilize, sim_stabilize_name((Stabilize)way));
  }
  assert_true(drift[STABILIZE_PROJECT] < 1e-14);
  assert_true(drift[STABILIZE_PARTITIONING] < 1e-13);
  assert_true(drift[STABILIZE_BAUMGARTE] < 1e-6);
  assert_true(drift[STABILIZE_BAUMGARTE] > drift[STABILIZE_PROJECT]);
  assert_true(drift[STABILIZE_NONE] > drift[STABILIZE_BAUMGARTE]);
}

// A mass that goes round: x and y take turns in being independent.
TEST(partition_changes) {
  Motion m = motion_load(cx,
                         "param m = 1, g = 9.81, L = 1\ncoord x ~ 0, y = -1\ncoord x' = 9\n"
                         "kinetic = 1/2*m*(x'^2 + y'^2)\npotential = m*g*y\n"
                         "constraint rod: x^2 + y^2 = L^2\n"
                         "simulate to 5 every 0.1 stabilize partitioning\n",
                         NULL);
  motion_run(&m);
  Motion angle = run_with(cx,
                          "param m = 1, g = 9.81, L = 1\ncoord a = 0\ncoord a' = 9\n"
                          "kinetic = 1/2*m*L^2*a'^2\npotential = -m*g*L*cos(a)\n"
                          "simulate to 5 every 0.1\n",
                          NULL, 1e-12);
  print_message("%ld partitions, %ld steps\n", m.summary.partitions, m.summary.steps);
  assert_true(m.summary.partitions > 10);
  assert_true(m.summary.position.value < 1e-14 && m.summary.velocity.value < 1e-13);
  CHECK_NEAR(motion_at(&m, 5, "x"), sin(motion_at(&angle, 5, "a")), 1e-5);
}

// A knife edge on a driven turntable: one constraint of positions, one of velocities alone.
TEST(partition_without_positions) {
  const char *text = "param m = 1, J = 1\ncoord x = 0, y = 0, a ~ 0.1, s ~ 1, u = 0\n"
                     "coord x' = 1, u' = 0.3\n"
                     "kinetic = 1/2*m*(x'^2 + y'^2 + s'^2 + u'^2) + 1/2*J*a'^2\n"
                     "constraint knife: x'*sin(a) - y'*cos(a) = 0\n%s"
                     "simulate to 2 every 0.1\n";
  static const char *const others[] = {"", "constraint ring: s^2 + u^2 = 1\n"};
  for (size_t i = 0; i < 2; i++) {
    Motion truth = run_with(cx, text_format(&cx->keep, text, others[i]), NULL, 1e-12);
    Motion m = motion_load(cx, text_format(&cx->keep, text, others[i]), NULL);
    m.options.method.stabilize = STABILIZE_PARTITIONING;
    m.options.method.rtol = 1e-10;
    motion_run(&m);
    assert_int_equal(m.summary.stopped, STOPPED_NOT);
    CHECK_NEAR(motion_at(&m, 2, "y"), motion_at(&truth, 2, "y"), 1e-8);
    CHECK_NEAR(motion_at(&m, 2, "u"), motion_at(&truth, 2, "u"), 1e-8);
    assert_true(m.summary.velocity.value < 1e-13);
  }
}

// ---- Dead positions

// N equal four-bars in a row; all cranks turn together like one pendulum a'' = -3/2 k g cos(a)/L.
static const char *const equal_bars =
    "param g = 9.81, L = 1, m = 1\ncount N = 1\n"
    "for i in 0..N\n  coord a[i] = 1.2\n  coord a[i]' = 7\nend\n"
    "for i in 1..N\n  coord b[i] = 0\n  coord b[i]' = 0\nend\n"
    "for i in 0..N\n  kinetic = 1/2*m*L^2*a[i]'^2\n  potential = m*g*L*sin(a[i])\nend\n"
    "for i in 1..N\n"
    "  constraint x[i]: L*cos(a[i-1]) + L*cos(b[i]) = L + L*cos(a[i])\n"
    "  constraint y[i]: L*sin(a[i-1]) + L*sin(b[i]) = L*sin(a[i])\n"
    "  kinetic = 1/2*m*L^2*b[i]'^2/12\nend\nsimulate to 10 every 0.1\n";

static const char *const pendulum =
    "param g = 9.81, L = 1, m = 1\ncoord a = 1.2\ncoord a' = 7\n"
    "kinetic = 1/2*m*L^2*a'^2\npotential = m*g*L*sin(a)\nsimulate to 10 every 0.1\n";

static double worst_crank(const Motion *m, const Motion *truth, int four_bars) {
  double worst = 0;
  for (int i = 0; i <= four_bars; i++)
    for (double t = 0; t <= 10; t += 0.5) {
      const char *name = text_format(&m->cx->keep, "a[%d]", i);
      worst = fmax(worst, fabs(motion_at(m, t, name) - motion_at(truth, t, "a")));
    }
  return worst;
}

TEST(through_dead_positions) {
  Motion truth = run_with(cx, pendulum, NULL, 1e-13);
  assert_true(fabs(motion_at(&truth, 10, "a")) > 12 * 3.14); // a dozen dead positions, or more
  for (int four_bars = 1; four_bars <= 4; four_bars *= 2)
    for (double rtol = 1e-5; rtol > 5e-12; rtol /= 10) {
      const char *const set[] = {text_format(&cx->keep, "N=%d", four_bars), NULL};
      Motion m = run_with(cx, equal_bars, set, rtol);
      double error = worst_crank(&m, &truth, four_bars);
      if (error > 3e4 * rtol || m.summary.steps > 4000)
        print_error("%d four-bars at %.0e: error %.1e, %ld steps\n", four_bars, rtol, error,
                    m.summary.steps);
      assert_true(error < 3e4 * rtol);
      assert_true(m.summary.steps < 4000); // the step does not collapse
      assert_true(m.summary.position.value < 1e-12);
    }
}

// A constraint times 1e5, kilograms for grams, a mass ratio of 1e8: the same motion.
TEST(invariances) {
  static const struct {
    const char *from, *to, *what;
    double allowed;
  } changes[] = {{"constraint x[i]: L*cos(a[i-1]) + L*cos(b[i]) = L + L*cos(a[i])",
                  "constraint x[i]: 1e5*(L*cos(a[i-1]) + L*cos(b[i])) = 1e5*(L + L*cos(a[i]))",
                  "scaled", 1e-5},
                 {"m = 1\n", "m = 1000\n", "units", 1e-5},
                 {"1/2*m*L^2*b[i]'^2/12", "1/2*1e-8*m*L^2*b[i]'^2/12", "mass ratio", 1e-4}};
  Motion truth = run_with(cx, pendulum, NULL, 1e-13);
  const char *const set[] = {"N=2", NULL};
  for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
    const char *at = strstr(equal_bars, changes[c].from);
    assert_non_null(at);
    const char *text = text_format(&cx->keep, "%.*s%s%s", (int)(at - equal_bars), equal_bars,
                                   changes[c].to, at + strlen(changes[c].from));
    Motion m = run_with(cx, text, set, 1e-9);
    double error = worst_crank(&m, &truth, 2);
    print_message("%-10s error %.1e, %ld steps\n", changes[c].what, error, m.summary.steps);
    assert_true(error < changes[c].allowed);
  }
}

// A five-bar that falls through positions in which its outer links lie in line: sharper runs agree.
TEST(five_bar) {
  const char *text = "param m = 1, g = 9.81, L = 1, d = 1\ncoord a = 80 [deg], b ~ 20 [deg]\n"
                     "coord c ~ -20 [deg], e = 100 [deg]\n"
                     "let x_1 = L*cos(a), y_1 = L*sin(a), x_3 = d + L*cos(e), y_3 = L*sin(e)\n"
                     "let x_2 = x_1 + L*cos(b), y_2 = y_1 + L*sin(b)\n"
                     "kinetic = 1/2*m*(x_1'^2 + y_1'^2 + x_2'^2 + y_2'^2 + x_3'^2 + y_3'^2)\n"
                     "potential = m*g*(y_1 + y_2 + y_3)\n"
                     "constraint x: x_2 + L*cos(c) = x_3\nconstraint y: y_2 + L*sin(c) = y_3\n"
                     "simulate to 2 every 0.1\n";
  // another method and a hundredth of the tolerance; later on the motion is chaotic
  Motion sharp = motion_load(cx, text, NULL);
  sharp.options.method.method = METHOD_RK45;
  sharp.options.method.rtol = 1e-12;
  motion_run(&sharp);
  for (double rtol = 1e-5; rtol > 5e-12; rtol /= 10) {
    Motion m = run_with(cx, text, NULL, rtol);
    double error = fabs(motion_at(&m, 2, "a") - motion_at(&sharp, 2, "a"));
    if (error > 1e3 * rtol) print_error("%.0e: error %.1e\n", rtol, error);
    assert_true(error < 1e3 * rtol && m.summary.steps < 500);
    assert_true(m.summary.position.value < 1e-12);
  }
}

// ---- Rolling and sliding

// Chaplygin's sleigh: v = V tanh(c (t - t_0)), w = W / cosh(c (t - t_0)).
TEST(sleigh) {
  Motion m = run_with(cx,
                      "param m = 2, J = 0.5, a = 0.3\ncoord x = 0, y = 0, theta = 0\n"
                      "coord x' = 1, y' ~ 0, theta' = 2\n"
                      "let G = (x, y) + a*(cos(theta), sin(theta))\n"
                      "kinetic = 1/2*m*dot(G', G') + 1/2*J*theta'^2\n"
                      "constraint blade: x'*sin(theta) = y'*cos(theta)\n"
                      "output v = x'*cos(theta) + y'*sin(theta)\nsimulate to 5 every 0.5\n",
                      NULL, 1e-11);
  double I = 0.5 + 2 * 0.09, V = sqrt(1 + I / 2 * 4), c = 0.3 * V * 2 / I;
  double t_0 = -atanh(1 / V) / c;
  for (double t = 0; t <= 5; t += 0.5) {
    CHECK_NEAR(motion_at(&m, t, "v"), V * tanh(c * (t - t_0)), 1e-9);
    CHECK_NEAR(motion_at(&m, t, "theta'"), V * sqrt(2 / I) / cosh(c * (t - t_0)), 1e-9);
  }
  assert_true(m.summary.velocity.value < 1e-14);
}

// An upright disc that rolls with constant rates runs round a circle of radius r w / W.
TEST(rolling_disc) {
  Motion m = run_with(cx,
                      "param m = 1, r = 0.5\ncoord x = 0, y = 0, phi = 0, psi = 0\n"
                      "coord x' ~ 1, phi' = 4, psi' = 0.7\n"
                      "kinetic = 1/2*m*(x'^2 + y'^2) + 1/4*m*r^2*phi'^2 + 1/8*m*r^2*psi'^2\n"
                      "constraint a: x' = r*phi'*cos(psi)\nconstraint b: y' = r*phi'*sin(psi)\n"
                      "simulate to 9 every 1\n",
                      NULL, 1e-11);
  double radius = 0.5 * 4 / 0.7;
  for (double t = 0; t <= 9; t += 1) {
    CHECK_NEAR(motion_at(&m, t, "x"), radius * sin(0.7 * t), 1e-9);
    CHECK_NEAR(motion_at(&m, t, "y"), radius * (1 - cos(0.7 * t)), 1e-9);
    // the force that turns the direction of motion: m v W, across
    double across =
        motion_at(&m, t, "lambda_a") * sin(0.7 * t) - motion_at(&m, t, "lambda_b") * cos(0.7 * t);
    CHECK_NEAR(across, 0.5 * 4 * 0.7, 1e-8);
  }
}

// ---- Drives

// A crank turned by a motor: the motion is given, and the drive does the work.
TEST(driven_crank) {
  Motion m = run_with(cx,
                      "param m = 1, L = 1, g = 9.81, w = 3, A = 0.4\n"
                      "coord x ~ 0, y ~ -1, theta ~ 0\n"
                      "kinetic = 1/2*m*(x'^2 + y'^2)\npotential = m*g*y\n"
                      "constraint A_x: x = L*sin(theta)\nconstraint A_y: y = -L*cos(theta)\n"
                      "constraint drive: theta = A*sin(w*t)\nsimulate to 4 every 0.1\n",
                      NULL, 1e-10);
  assert_int_equal(m.summary.freedom, 0);
  for (double t = 0; t <= 4; t += 0.1) {
    double a = 0.4 * sin(3 * t), add = -0.4 * 9 * sin(3 * t);
    CHECK_NEAR(motion_at(&m, t, "theta"), a, 1e-13);
    // the torque of the drive is what the equation of the pendulum lacks
    CHECK_NEAR(-motion_at(&m, t, "lambda_drive"), add + 9.81 * sin(a), 1e-10);
  }
  double E = motion_at(&m, 4, "E_tot") - motion_at(&m, 0, "E_tot");
  CHECK_NEAR(m.summary.work_drives, E, 1e-8);
}

// A skate with a rod that is tied twice: rows of positions and of velocities alone, and one too
// many, which must not change the motion.
TEST(skate_with_a_rod_tied_twice) {
  static const char *const text =
      "param m = 1, J = 0.2, L = 1\ncoord x = 0, y = 0, theta = 1, s ~ 0.5\n"
      "coord theta' = 2\ncoord y' ~ 1\n"
      "kinetic = 1/2*m*(x'^2 + y'^2 + s'^2) + 1/2*J*theta'^2\n"
      "constraint skate: x'*sin(theta) - y'*cos(theta) = 0\nconstraint rod: s = L*sin(theta)\n"
      "%ssimulate to 2 every 0.1\n";
  Motion once = run_with(cx, text_format(&cx->keep, text, ""), NULL, 1e-11);
  Motion twice = run_with(
      cx, text_format(&cx->keep, text, "constraint again: 2*s = 2*L*sin(theta)\n"), NULL, 1e-11);
  static const char *const columns[] = {"x", "y", "theta", "s", "x'", "y'", "theta'", "s''"};
  for (double t = 0; t < 2.05; t += 0.1)
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
      CHECK_NEAR(motion_at(&once, t, columns[i]), motion_at(&twice, t, columns[i]), 1e-9);
  assert_string_equal(twice.summary.redundant, "again");
  assert_true(twice.summary.position.value < 1e-14 && twice.summary.velocity.value < 1e-14);
}

RUN_TESTS(cmocka_unit_test(ways_to_keep_constraints), cmocka_unit_test(partition_changes),
          cmocka_unit_test(partition_without_positions), cmocka_unit_test(through_dead_positions),
          cmocka_unit_test(invariances), cmocka_unit_test(five_bar), cmocka_unit_test(sleigh),
          cmocka_unit_test(rolling_disc), cmocka_unit_test(skate_with_a_rod_tied_twice),
          cmocka_unit_test(driven_crank))
