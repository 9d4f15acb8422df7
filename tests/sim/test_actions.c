// Samples, memories and events of the model's own, against closed forms.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "derive/formulate.h"
#include "support/motion.h"

// ---- Sampled control of a linear plant

enum { X = 2, Z = 3 }; // x, x'; with the held input behind them

// exp(A h) of a Z x Z matrix, by its series after halving.
static void exponential(const double A[Z][Z], double h, double E[Z][Z]) {
  long double S[Z][Z] = {{0}}, T[Z][Z] = {{0}}, N[Z][Z];
  for (int i = 0; i < Z; i++) S[i][i] = T[i][i] = 1;
  long double step = (long double)h / 1024;
  for (int k = 1; k < 16; k++) {
    for (int i = 0; i < Z; i++)
      for (int j = 0; j < Z; j++) {
        N[i][j] = 0;
        for (int l = 0; l < Z; l++) N[i][j] += T[i][l] * A[l][j] * step / k;
      }
    memcpy(T, N, sizeof T);
    for (int i = 0; i < Z; i++)
      for (int j = 0; j < Z; j++) S[i][j] += T[i][j];
  }
  for (int k = 0; k < 10; k++) {
    for (int i = 0; i < Z; i++)
      for (int j = 0; j < Z; j++) {
        N[i][j] = 0;
        for (int l = 0; l < Z; l++) N[i][j] += S[i][l] * S[l][j];
      }
    memcpy(S, N, sizeof S);
  }
  for (int i = 0; i < Z; i++)
    for (int j = 0; j < Z; j++) E[i][j] = (double)S[i][j];
}

static void flow(const double A[Z][Z], double h, double z[Z]) {
  double E[Z][Z], y[Z] = {0};
  exponential(A, h, E);
  for (int i = 0; i < Z; i++)
    for (int j = 0; j < Z; j++) y[i] += E[i][j] * z[j];
  memcpy(z, y, sizeof y);
}

// The exact solution: between samples by the exponential, at samples by the law; delay < period.
TEST(a_sampled_loop_against_its_discrete_solution) {
  Random random = random_start(__func__);
  for (int round = 0; round < test_rounds(20); round++) {
    double m = random_real(&random, 0.5, 2), k = random_real(&random, 0, 50),
           c = random_real(&random, 0, 2), K = random_real(&random, 1, 20),
           D = random_real(&random, 0, 3), I = random_real(&random, 0, 5),
           T = random_real(&random, 2e-3, 0.05), r = 0.1, most = random_real(&random, 0.2, 3),
           delay = round % 2 ? T * random_real(&random, 0.1, 0.9) : 0;
    const char *text = text_format(
        &cx->keep,
        "param m = %.17g [kg], k = %.17g [N/m], c = %.17g [N*s/m], K = %.17g [N/m]\n"
        "param D = %.17g [N*s/m], I = %.17g [N/(m*s)], T = %.17g [s], r = %.17g [m]\n"
        "coord x = 0.02 [m], x' = -0.3 [m/s]\nmemory e = 0 [m*s]\ninput u = 0 [N]\n"
        "kinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\ndissipation = 1/2*c*x'^2\nforce x = u\n"
        "sample every T%s: u = -K*(x - r) - D*x' - I*e, e = e + (x - r)*T\n"
        "limit u in -%.17g..%.17g [N]\n"
        "simulate to %.17g [s] every %.17g [s] using rk853(rtol = 1e-13)\n",
        m, k, c, K, D, I, T, r, delay > 0 ? text_format(&cx->keep, " delay %.17g [s]", delay) : "",
        most, most, 40 * T, T);
    Motion motion = motion_to_end(cx, text);
    double A[Z][Z] = {{0, 1, 0}, {-k / m, -c / m, 1 / m}, {0}}, z[Z] = {0.02, -0.3, 0}, e = 0;
    for (int i = 0; i <= 40; i++) {
      CHECK_NEAR(motion_at(&motion, i * T, "x"), z[0], 1e-10);
      CHECK_NEAR(motion_at(&motion, i * T, "x'"), z[1], 1e-10);
      double u = fmin(fmax(-K * (z[0] - r) - D * z[1] - I * e, -most), most);
      double e_next = e + (z[0] - r) * T;
      if (delay > 0) flow(A, delay, z);
      z[2] = u, e = e_next;
      flow(A, T - delay, z);
    }
  }
}

// A fast and a slow line; at common instants they go in their order.
TEST(two_rates) {
  Motion m = motion_to_end(cx, "coord x = 0 [m]\nmemory a = 0, b = 0, c = 0\n"
                               "kinetic = 1/2*(1 [kg])*x'^2\n"
                               "sample every 0.1 [s]: a = a + 1\n"
                               "sample every 0.3 [s]: b = a\n"
                               "sample every 0.1 [s]: c = c + b, b = 100*b\n"
                               "output a, b, c\nforce x = a*(1 [N])\n"
                               "simulate to 0.95 [s] every 50 [ms]\n");
  double a = 0, b = 0, c = 0;
  for (int i = 0; i < 20; i++) {
    if (i % 2 == 0) {
      a++;
      if (i % 6 == 0) b = a;
      c += b, b *= 100;
    }
    CHECK_NEAR(motion_at(&m, 0.05 * i, "a"), a, 0);
    CHECK_NEAR(motion_at(&m, 0.05 * i, "b"), b, 0);
    CHECK_NEAR(motion_at(&m, 0.05 * i, "c"), c, 0);
    CHECK_NEAR(motion_at(&m, 0.05 * i, "x''"), a, 1e-12);
  }
}

// A delay of several periods: as many values are on their way.
TEST(a_long_delay) {
  Motion m = motion_to_end(cx, "coord x = 0 [m]\nmemory a = 0 [s]\nkinetic = 1/2*(1 [kg])*x'^2\n"
                               "force x = a*(1 [N/s])\n"
                               "sample every 0.1 [s] delay 0.25 [s]: a = t\noutput a\n"
                               "simulate to 2 [s] every 10 [ms]\n");
  for (int i = 0; i <= 200; i++)
    CHECK_NEAR(motion_at(&m, 0.01 * i, "a"), i < 25 ? 0 : floor((i - 25) / 10 + 1e-9) * 0.1, 1e-12);
}

// A pendulum that a sampled torque holds upright: all formulations, all methods.
static const char *const upright =
    "param m = 1 [kg], L = 0.5 [m], K = 12 [N*m], D = 2 [N*m*s]\ngravity (0, -9.81 [m/s^2])\n"
    "body rod: rod L, mass m, angle = 92 [deg]\n"
    "joint pin: revolute ground (0, 0), rod (-L/2, 0)\ninput tau = 0 [N*m]\n"
    "torque rod = tau\noutput tau\n"
    "sample every 10 [ms]: tau = -K*(rod.theta - 90 [deg]) - D*rod.theta'\n"
    "limit tau in -0.3..0.3 [N*m]\n";

TEST(formulations_agree) {
  Motion first = {0};
  for (int f = 0; f < FORMULATIONS; f++) {
    const char *text = text_format(
        &cx->keep, "%ssimulate to 1 [s] every 20 [ms] using rk853(rtol = 1e-11)\n", upright);
    Motion m = motion_load_as(cx, text, NULL, (Formulation)f);
    motion_run(&m);
    assert_int_equal(m.status, QDOT_OK);
    if (f == 0) first = m;
    for (int i = 0; i <= 50; i++)
      CHECK_NEAR(motion_at(&m, 0.02 * i, "tau"), motion_at(&first, 0.02 * i, "tau"), 1e-8);
  }
}

TEST(methods_agree) {
  static const char *const methods[] = {"rk853(rtol = 1e-10)",  "rk45(rtol = 1e-10)",
                                        "rk4(step = 1 [ms])",   "bdf(rtol = 1e-9)",
                                        "alpha(step = 1 [ms])", "newmark(step = 1 [ms])"};
  double tau = 0;
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    const char *text =
        text_format(&cx->keep, "%ssimulate to 1 [s] every 20 [ms] using %s\n", upright, methods[i]);
    Motion m = motion_to_end(cx, text);
    if (i == 0) tau = motion_at(&m, 0.5, "tau");
    CHECK_NEAR(motion_at(&m, 0.5, "tau"), tau, i < 4 ? 1e-7 : 1e-4);
  }
}

// ---- Events

// A mass that a relay with hysteresis pushes to and fro: parabolas.
TEST(a_relay_with_hysteresis) {
  Motion m = motion_to_end(cx, "param d = 0.1 [m]\ncoord x = 0 [m], x' = 0.3 [m/s]\n"
                               "memory s = -1\nkinetic = 1/2*(1 [kg])*x'^2\n"
                               "force x = s*(1 [N])\n"
                               "when x >= d: s = -1\nwhen x <= -d: s = 1\noutput s\n"
                               "simulate to 20 [s] every 0.1 [s]\n");
  double x = 0, v = 0.3, t = 0, s = -1;
  for (uint32_t i = 0; i < m.summary.events.n; i++) {
    double to = s < 0 ? -0.1 : 0.1, distance = s * (to - x);
    double wait = (-s * v + sqrt(v * v + 2 * distance));
    t += wait, v += s * wait, x = to, s = -s;
    const SimEvent *e = motion_event(&m, i, SIM_RESET);
    CHECK_NEAR(e->t, t, 1e-9);
    assert_int_equal(e->number, s > 0);
  }
  assert_true(m.summary.events.n > 5);
}

// Bounces by a reset are those of the closed form; without an end they are told.
static const char *const bouncing =
    "param e = 0.8\ncoord y = 1 [m]\nkinetic = 1/2*(1 [kg])*y'^2\n"
    "potential = (9.81 [N])*y\nmemory n = 0\nwhen y = 0 falling: y' = -e*y', n = n + 1\n"
    "output n\n";

TEST(bounces) {
  const char *text =
      text_format(&cx->keep, "%sstop when n >= 8\nsimulate to 10 [s] every 0.1 [s]\n", bouncing);
  Motion m = motion_to_end(cx, text);
  double t = sqrt(2 / 9.81), v = sqrt(2 * 9.81);
  assert_int_equal(m.summary.events.n, 9);
  for (uint32_t i = 0; i < 8; i++) {
    CHECK_NEAR(motion_event(&m, i, SIM_RESET)->t, t, 1e-10);
    if (i == 7) break;
    v *= 0.8, t += 2 * v / 9.81;
  }
  CHECK_NEAR(motion_event(&m, 8, SIM_STOP)->t, t, 1e-10);
  CHECK_NEAR(m.summary.t_end, t, 1e-10);
  CHECK_NEAR(m.values.at[(m.rows - 1) * m.columns.n], t, 1e-10);
  motion_run(&m);
  Motion endless =
      motion_of(cx, text_format(&cx->keep, "%ssimulate to 10 [s] every 0.1 [s]\n", bouncing));
  assert_int_equal(endless.summary.stopped, STOPPED_LIMIT);
  CHECK_NEAR(endless.summary.t_end, sqrt(2 / 9.81) * (1 + 2 * 0.8 / 0.2), 1e-5);
}

// Events that make each other true at one moment have no end either.
TEST(events_without_end_at_one_moment) {
  Motion m = motion_of(cx, "coord x = 0 [m], x' = 1 [m/s]\nkinetic = 1/2*(1 [kg])*x'^2\n"
                           "memory a = 0\nwhen a > 1: a = 0\nwhen a < 0.5 and x > 1 [m]: a = 2\n"
                           "force x = a*(1 [N])\nsimulate to 5 [s] every 0.1 [s]\n");
  assert_int_equal(m.summary.stopped, STOPPED_LIMIT);
  CHECK_NEAR(m.summary.t_end, 1, 1e-9);
}

// A condition of held values acts when it becomes true, not while it stays so.
TEST(a_condition_acts_once) {
  Motion m = motion_to_end(cx, "coord x = 0 [m]\nkinetic = 1/2*(1 [kg])*x'^2\n"
                               "memory n = 0, k = 0, j = 0\nforce x = (k + j)*(1 [N])\n"
                               "sample every 0.1 [s]: n = if(t > 0.75 [s], 0, min(n + 1, 3))\n"
                               "when n >= 3: k = k + 1\nwhen n > 2 and t > 0.35 [s]: j = j + 1\n"
                               "output n, k, j\nsimulate to 1 [s] every 0.05 [s]\n");
  CHECK_NEAR(motion_at(&m, 1, "k"), 1, 0);
  CHECK_NEAR(motion_at(&m, 1, "j"), 1, 0);
  assert_int_equal(m.summary.events.n, 2);
  CHECK_NEAR(motion_event(&m, 0, SIM_RESET)->t, 0.2, 1e-12);
  CHECK_NEAR(motion_event(&m, 1, SIM_RESET)->t, 0.35, 1e-9);
}

// What holds at the start stops only after it has once been false.
TEST(a_stop_that_holds_at_the_start) {
  Motion m = motion_to_end(cx, "coord x = 0 [m], x' = 1 [m/s]\nkinetic = 1/2*(1 [kg])*x'^2\n"
                               "potential = 1/2*(1 [N/m])*x^2\nstop when x <= 0\n"
                               "simulate to 10 [s] every 0.1 [s]\n");
  CHECK_NEAR(m.summary.t_end, M_PI, 1e-9);
}

// Given values are kept, the rest follows the constraint.
TEST(resets_on_constraints) {
  Motion m = motion_to_end(cx, "param L = 1 [m]\ncoord x = 0.5 [m], y ~ -0.8 [m]\n"
                               "kinetic = 1/2*(1 [kg])*(x'^2 + y'^2)\npotential = (9.81 [N])*y\n"
                               "constraint rod: x^2 + y^2 = L^2\n"
                               "when x = 0: x' = 2*x'\n"
                               "when t = 1.2 [s]: x = 0.6 [m], y' = 0.3 [m/s]\n"
                               "simulate to 1.2 [s] every 0.1 [s] using rk853(rtol = 1e-11)\n");
  const SimEvent *e = motion_event(&m, 0, SIM_RESET);
  double h = 9.81 * (1 - sqrt(0.75)), v = -sqrt(2 * h);
  // behind the lowest point, with twice the speed
  double t = e->t + 0.05, k = floor(t * 10 + 0.999) / 10;
  double x = motion_at(&m, k, "x"), y = motion_at(&m, k, "y"), xd = motion_at(&m, k, "x'"),
         yd = motion_at(&m, k, "y'");
  CHECK_NEAR(x * x + y * y, 1, 1e-10);
  CHECK_NEAR((xd * xd + yd * yd) / 2 + 9.81 * y, 4 * v * v / 2 - 9.81, 1e-8);
}

// Two at one moment go in the order of their lines.
TEST(two_at_one_moment) {
  Motion m = motion_to_end(cx, "coord x = 0 [m], x' = 1 [m/s]\nkinetic = 1/2*(1 [kg])*x'^2\n"
                               "memory a = 1\nwhen x = 0.5 [m]: a = a + 1\n"
                               "when x = 0.5 [m] and a > 1.5: a = 10*a\noutput a\n"
                               "simulate to 1 [s] every 0.1 [s]\n");
  assert_int_equal(m.summary.events.n, 2);
  assert_int_equal(motion_event(&m, 0, SIM_RESET)->number, 0);
  assert_int_equal(motion_event(&m, 1, SIM_RESET)->number, 1);
  CHECK_NEAR(motion_at(&m, 1, "a"), 20, 0);
}

// ---- Samples and events while a contact is closed

TEST(actions_on_the_ground) {
  Motion m = motion_to_end(cx, "param m = 2 [kg], g = 9.81 [m/s^2]\ncoord y = 0.1 [m]\n"
                               "kinetic = m*y'^2/2\npotential = m*g*y\ninput F = 0 [N]\n"
                               "memory n = 0\nforce y = F\ncontact floor: y >= 0\n"
                               "sample every 10 [ms]: F = (30 [N/s])*t, n = n + 1\n"
                               "when t = 0.305 [s]: n = n + 1000\noutput F, n\n"
                               "simulate to 0.4 [s] every 0.1 [s]\n");
  CHECK_NEAR(motion_at(&m, 0.4, "n"), 1041, 0);
  CHECK_NEAR(motion_at(&m, 0.3, "y"), 0, 1e-12);
  CHECK_NEAR(motion_at(&m, 0.4, "lambda_floor"), 2 * 9.81 - 12, 1e-9);
}

// ---- Measures see what rows show, at both ends

static double value_at(const Motion *m, uint32_t row, const char *column) {
  return m->values.at[(size_t)row * m->columns.n + motion_column(m, column)];
}

// Samples of two rates, with rows at all of them, a latch that throws the mass back, and stops.
TEST(measures_agree_with_rows) {
  static const char *const columns[] = {"x", "x'", "x''", "u_out", "k_out", "z_out"};
  enum { COLUMNS = 6 };
  Random random = random_start("measures_agree_with_rows");
  for (int round = 0; round < test_rounds(60); round++) {
    int halves = 2 + random_below(&random, 40);
    Text text = text_new(&cx->keep);
    text_addf(&text,
              "param k_x = %.3f [N/m]\ncoord x = 0.1 [m]\nkinetic = 1/2*(1 [kg])*x'^2\n"
              "potential = k_x*x^2/2\ninput u = 0 [N]\nmemory k = 0, z = 0\nforce x = u\n"
              "sample every 20 [ms]: u = %.3f [N]*cos(k), k = k + 1\n"
              "sample every 50 [ms]%s: z = z + sin(40*t/(1 [s]))\n"
              "when x' > %.3f [m/s]: x' = -x', z = z + 1\n",
              random_real(&random, 20, 90), random_real(&random, 0, 5),
              random_below(&random, 2) ? " delay 10 [ms]" : "", random_real(&random, 0.2, 1));
    if (random_below(&random, 2))
      text_addf(&text, "stop when %s\n",
                random_below(&random, 2) ? "k > 12.5" : "z > 0.9 and t > 50 [ms]");
    text_add(&text, "output u_out = u, k_out = k, z_out = z\n");
    for (int i = 0; i < COLUMNS; i++) {
      const char *of = i < 3 ? columns[i] : text_format(&cx->keep, "%c", columns[i][0]);
      text_addf(&text, "measure a_%d = start(%s), b_%d = final(%s), c_%d = max(%s)\n", i, of, i, of,
                i, of);
    }
    text_addf(&text,
              "measure n = count(k > 1.5), t_k = last(t, k < 1.5)\n"
              "simulate to %d [ms] every 10 [ms]\n",
              10 * halves);
    Motion m = motion_to_end(cx, text.at);
    const double *measures = m.summary.measures;
    for (int i = 0; i < COLUMNS; i++) {
      double largest = -INFINITY, last = value_at(&m, m.rows - 1, columns[i]);
      for (uint32_t row = 0; row < m.rows; row++)
        largest = fmax(largest, value_at(&m, row, columns[i]));
      CHECK_NEAR(measures[3 * i], value_at(&m, 0, columns[i]), 1e-12);
      CHECK_NEAR(measures[3 * i + 1], last, 1e-12 * (1 + fabs(last)));
      assert_true(measures[3 * i + 2] >= largest - 1e-12 * (1 + fabs(largest)));
      // what is held is seen in some row
      if (i == 3 || i == 4) CHECK_NEAR(measures[3 * i + 2], largest, 1e-12);
    }
    CHECK_NEAR(measures[3 * COLUMNS], 1, 0);
    CHECK_NEAR(measures[3 * COLUMNS + 1], 0.02, 1e-12);
  }
}

// ---- A walking machine: steps settle on the published cycle

TEST(a_compass_walker) {
  const char *root = getenv("QDOT_ROOT");
  const char *path =
      text_format(&cx->keep, "%s/tests/sim/models/compass_walker.qdot", root ? root : ".");
  Motion m = motion_load_file(cx, path, NULL);
  m.options.t_end = 30;
  motion_run(&m);
  assert_int_equal(m.status, QDOT_OK);
  uint32_t n = m.summary.events.n;
  assert_true(n > 35);
  double t = motion_event(&m, n - 2, SIM_RESET)->t;
  CHECK_NEAR(motion_event(&m, n - 1, SIM_RESET)->t - t, 0.734, 5e-4);
  // the state just after the last step but one: angles of swing and stance leg, and their rates
  static const double wanted[] = {-0.3234, 0.2187, -0.3774, -1.0924};
  static const char *const columns[] = {"theta_1", "theta_2", "theta_1'", "theta_2'"};
  m.options.t_end = t + 1e-6, m.options.every = t + 1e-6;
  motion_run(&m);
  for (int i = 0; i < 4; i++) CHECK_NEAR(motion_at(&m, t, columns[i]), wanted[i], 1e-4);
}

// A swing of amplitude 1 over two periods: of lines with levels beside it, those above never
// happen.
TEST(lines_that_never_happen_are_told) {
  Random random = random_start("lines_that_never_happen_are_told");
  for (int round = 0; round < test_rounds(20); round++) {
    enum { LINES = 4 };
    Text text = text_new(&cx->keep), never = text_new(&cx->keep);
    text_add(&text, "coord x = 0 [m], x' = 1 [m/s]\nkinetic = (1 [kg])*x'^2/2\n"
                    "potential = (1 [N/m])*x^2/2\nmemory n = 0\n");
    int count = 0;
    for (int i = 0; i < LINES; i++) {
      bool is_reached = random_below(&random, 2), ends = i == 0 && !is_reached;
      double level = is_reached ? random_real(&random, 0.1, 0.95) : random_real(&random, 1.05, 9);
      const char *when = text_format(&cx->keep, "%s x %s %.3f [m]", ends ? "stop when" : "when",
                                     random_below(&random, 2) ? ">" : "=", level);
      text_addf(&text, "%s%s\n", when, ends ? "" : ": n = n + 1");
      if (!is_reached) text_addf(&never, "%s'%s'", count++ ? ", " : "", when);
    }
    text_add(&text, "simulate to 12 every 1\n");
    Motion m = motion_to_end(cx, text.at);
    if (count == 0) assert_null(m.summary.never);
    if (count > 0) assert_string_equal(m.summary.never, never.at);
  }
}

RUN_TESTS(cmocka_unit_test(measures_agree_with_rows),
          cmocka_unit_test(a_sampled_loop_against_its_discrete_solution),
          cmocka_unit_test(two_rates), cmocka_unit_test(a_long_delay),
          cmocka_unit_test(formulations_agree), cmocka_unit_test(methods_agree),
          cmocka_unit_test(a_relay_with_hysteresis), cmocka_unit_test(bounces),
          cmocka_unit_test(events_without_end_at_one_moment),
          cmocka_unit_test(a_condition_acts_once), cmocka_unit_test(a_stop_that_holds_at_the_start),
          cmocka_unit_test(resets_on_constraints), cmocka_unit_test(two_at_one_moment),
          cmocka_unit_test(actions_on_the_ground), cmocka_unit_test(a_compass_walker),
          cmocka_unit_test(lines_that_never_happen_are_told))
