// Motions that repeat, against closed forms.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

static qdot_answer *ask(qdot_context *cx, const char *text, qdot_status expected) {
  qdot_model *model = NULL;
  assert_int_equal(qdot_model_parse(cx, "orbit", text, strlen(text), NULL, &model), QDOT_OK);
  qdot_answer *answer = NULL;
  assert_int_equal(qdot_model_ask(model, "orbit", NULL, &answer), expected);
  return answer;
}

static int keep_text(void *user, const char *bytes, size_t n) {
  strncat(user, bytes, n);
  return 0;
}

// A key of the answer that is true.
static bool flag(qdot_answer *a, const char *key) {
  char text[4000] = "", said[60];
  qdot_write_options json = qdot_write_defaults();
  json.format = QDOT_FORMAT_JSON;
  qdot_answer_write(a, &json, (qdot_sink){keep_text, text});
  snprintf(said, sizeof said, "\"%s\": true", key);
  return strstr(text, said) != NULL;
}

static double geometric_mean(double x, double y) {
  for (int k = 0; k < 8; k++) {
    double mean = (x + y) / 2;
    y = sqrt(x * y), x = mean;
  }
  return x;
}

// Of a pendulum of length 1.
static double swing_period(double g, double amplitude) {
  return 2 * M_PI / sqrt(g) / geometric_mean(1, cos(amplitude / 2));
}

TEST(rest_is_no_orbit) {
  (void)cx;
#define DAMPED                                                                                     \
  "param m = 1 [kg], k = 20 [N/m], c = 1 [N*s/m]\ncoord x = 1 [m]\nkinetic = m*x'^2/2\n"           \
  "potential = k*x^2/2\ndissipation = c*x'^2/2\norbit x ~ 1 [m]\nsimulate to 20 [s] every 0.1 "    \
  "[s]\n"
  qdot_context *own = qdot_context_open(NULL);
  char told[2000] = "";
  ask(own, DAMPED, QDOT_NO_CONVERGENCE);
  qdot_diagnostics_write(own, NULL, (qdot_sink){keep_text, told});
  assert_non_null(strstr(told, "from there the search ends in an equilibrium"));
  qdot_answer *a = ask(own, DAMPED "force x = 2 [N]*sin(4 [1/s]*t)\n", QDOT_OK);
  assert_true(qdot_answer_is_found(a));
  CHECK_NEAR(qdot_answer_number(a, "period"), 2 * M_PI / 4, 1e-9);
  // k - m w^2 + i c w = 4 + 4 i: x = 2/sqrt(32) sin(4 t - 45 deg)
  CHECK_NEAR(qdot_answer_number(a, "start/x"), -0.25, 1e-8);
  qdot_context_close(own);
}

// A linear oscillator follows its force with the period of that, whatever the first run showed:
// multipliers exp(-c/(2 m) T).
TEST(a_forced_orbit_has_its_least_period) {
  (void)cx;
  Random random = random_start("a_forced_orbit_has_its_least_period");
  for (int round = 0; round < 8; round++) {
    double w = random_real(&random, 1, 6), T = 2 * M_PI / w;
    char text[500];
    snprintf(text, sizeof text,
             "param m = 1 [kg], k = 4 [N/m], c = 0.2 [N*s/m]\ncoord x = 1 [m]\n"
             "kinetic = m*x'^2/2\npotential = k*x^2/2\ndissipation = c*x'^2/2\n"
             "force x = 2 [N]*cos(%.15g [rad/s]*t)\norbit x ~ 1 [m]\n"
             "simulate to 40 [s] every 0.1 [s]\n",
             w);
    qdot_context *own = qdot_context_open(NULL);
    qdot_answer *a = ask(own, text, QDOT_OK);
    assert_true(qdot_answer_is_found(a));
    CHECK_NEAR(qdot_answer_number(a, "period"), T, 1e-9);
    CHECK_NEAR(
        hypot(qdot_answer_number(a, "multipliers/0/0"), qdot_answer_number(a, "multipliers/0/1")),
        exp(-0.1 * T), 1e-6);
    qdot_context_close(own);
  }
}

// What drives may repeat sooner than its sines do; or never, in which case nothing is claimed.
TEST(the_period_of_forces_is_their_own) {
  (void)cx;
  static const struct {
    const char *force;
    double period;
  } cases[] = {{"abs(sin(3*t/s))", M_PI / 3},
               {"sin(3*t/s)^2 + cos(12*t/s)", M_PI / 3},
               {"cos(2*t/s) + cos(3*t/s)", 2 * M_PI},
               {"1e-3*sin(3*t/s)", 2 * M_PI / 3},
               {"t/s*sin(3*t/s)", NAN},
               {"cos(t*t/s/s)", NAN},
               {"sin(t/s) + sin(sqrt(2)*t/s)", NAN}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[500];
    snprintf(text, sizeof text,
             "param m = 1 [kg], k = 30 [N/m], c = 1 [N*s/m], s = 1 [s], F = 1 [N]\n"
             "coord x = 0 [m]\nkinetic = m*x'^2/2\npotential = k*x^2/2\n"
             "dissipation = c*x'^2/2\nforce x = F*(%s)\norbit x ~ 0.1 [m]\n"
             "simulate to 20 [s] every 0.1 [s]\n",
             cases[i].force);
    qdot_context *own = qdot_context_open(NULL);
    bool repeats = !isnan(cases[i].period);
    qdot_answer *a = ask(own, text, repeats ? QDOT_OK : QDOT_UNSUPPORTED);
    if (repeats) CHECK_NEAR(qdot_answer_number(a, "period"), cases[i].period, 1e-9);
    qdot_context_close(own);
  }
}

// A pendulum as a body, as coordinates with a constraint, as a loop: one period.
TEST(orbits_of_bodies_and_constraints) {
  (void)cx;
  qdot_context *own = qdot_context_open(NULL);
  static const char *const models[] = {
      "gravity (0, -9.81 [m/s^2])\nbody rod: mass 1 [kg], rod 1.5 [m], angle = -60 [deg], spin = "
      "0\n"
      "joint A: revolute ground (0, 0), rod (-0.75 [m], 0)\n"
      "orbit rod.theta ~ -50 [deg], rod.omega ~ 0 [rad/s]\nsimulate to 5 [s] every 0.1 [s]\n",
      "param L = 1 [m], m = 1 [kg], g = 9.81 [m/s^2]\ncoord x ~ 0.6 [m], y ~ -0.7 [m]\n"
      "coord x' = 0, y' = 0\nkinetic = m*(x'^2 + y'^2)/2\npotential = m*g*y\n"
      "constraint c: x^2 + y^2 = L^2\norbit x ~ 0.642 [m]\nsimulate to 5 [s] every 0.1 [s]\n",
      // a parallelogram swings as one pendulum
      "gravity (0, -9.81 [m/s^2])\nbody a: mass 1 [kg], inertia 1e-9 [kg*m^2], angle = -50 [deg], "
      "spin = 0\nbody c: mass 3 [kg], inertia 1 [kg*m^2], angle ~ 0\n"
      "body b: mass 1 [kg], inertia 1e-9 [kg*m^2], angle ~ -50 [deg]\n"
      "joint A: revolute ground (0, 0), a (-1 [m], 0)\njoint B: revolute a (0, 0), c (-0.3 [m], "
      "0)\n"
      "joint C: revolute c (0.3 [m], 0), b (0, 0)\njoint D: revolute b (-1 [m], 0), ground (0.6 "
      "[m], 0)\n"
      "orbit a.theta ~ -50 [deg]\nsimulate to 5 [s] every 0.1 [s]\n"};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    qdot_answer *a = ask(own, models[i], QDOT_OK);
    assert_true(qdot_answer_is_found(a));
    double amplitude =
        i == 1 ? atan2(qdot_answer_number(a, "start/x"), -qdot_answer_number(a, "start/y"))
        : i    ? qdot_answer_number(a, "start/a.theta") + M_PI / 2
               : qdot_answer_number(a, "start/rod.theta") + M_PI / 2;
    CHECK_NEAR(amplitude, i == 1 ? asin(0.642) : 40 * M_PI / 180, 1e-7);
    CHECK_NEAR(qdot_answer_number(a, "period"), swing_period(9.81, amplitude), 1e-7);
    assert_true(flag(a, "neutral"));
    CHECK_NEAR(qdot_answer_number(a, "family"), 1, 0);
    assert_true(isnan(qdot_answer_number(a, "multipliers/2/0")));
  }
  qdot_context_close(own);
}

TEST(orbits_have_known_periods_and_multipliers) {
  (void)cx;
  qdot_context *own = qdot_context_open(NULL);
  // van der Pol's oscillator with mu = 1
  qdot_answer *a =
      ask(own,
          "param m = 1 [kg], k = 1 [N/m], mu = 1 [N*s/m], L = 1 [m]\ncoord x = 1.5 [m]\n"
          "kinetic = m*x'^2/2\npotential = k*x^2/2\nforce x = mu*(1 - (x/L)^2)*x'\n"
          "orbit x ~ 2 [m], x' ~ 0.1 [m/s]\nsimulate to 20 [s] every 0.1 [s]\n",
          QDOT_OK);
  assert_true(qdot_answer_is_found(a));
  CHECK_NEAR(qdot_answer_number(a, "period"), 6.6632868593231301, 1e-7);
  CHECK_NEAR(qdot_answer_number(a, "multipliers/0/0"), 1, 1e-6);
  CHECK_NEAR(qdot_answer_number(a, "multipliers/1/0"), 0.00085971, 1e-6);
  // a forced linear oscillator: multipliers exp(lambda T) of the free one
  a = ask(own,
          "param m = 1 [kg], c = 0.4 [N*s/m], k = 4 [N/m], F = 1 [N], w = 3 [rad/s]\n"
          "coord x = 0.1 [m]\nkinetic = m*x'^2/2\npotential = k*x^2/2\ndissipation = c*x'^2/2\n"
          "force x = F*cos(w*t)\norbit x ~ 0 [m]\nsimulate to 10 [s] every 0.1 [s]\n",
          QDOT_OK);
  double T = 2 * M_PI / 3, decay = exp(-0.2 * T), turn = sqrt(4 - 0.04) * T;
  assert_true(qdot_answer_is_found(a));
  CHECK_NEAR(qdot_answer_number(a, "period"), T, 1e-12);
  CHECK_NEAR(qdot_answer_number(a, "multipliers/0/0"), decay * cos(turn), 1e-7);
  CHECK_NEAR(fabs(qdot_answer_number(a, "multipliers/0/1")), fabs(decay * sin(turn)), 1e-7);
  double re = 4 - 9, im = 1.2, square = re * re + im * im; // x = Re(F/(k - m w^2 + i c w) e^iwt)
  CHECK_NEAR(qdot_answer_number(a, "start/x"), re / square, 1e-8);
  CHECK_NEAR(qdot_answer_number(a, "start/x'"), 3 * im / square, 1e-7);
  qdot_context_close(own);
}

// ---- Families

// A motion that repeats from the named start, whose push is neutral.
static qdot_answer *ask_family(qdot_context *cx, const char *text, double period, int family) {
  qdot_answer *a = ask(cx, text, QDOT_OK);
  assert_true(qdot_answer_is_found(a));
  CHECK_NEAR(qdot_answer_number(a, "period") / period, 1, 1e-8);
  assert_true(flag(a, "neutral"));
  CHECK_NEAR(qdot_answer_number(a, "family"), family, 0);
  return a;
}

TEST(a_pendulum_swings_from_where_it_is_released) {
  (void)cx;
  Random random = random_start("a_pendulum_swings_from_where_it_is_released");
  for (int angle = 10; angle <= 170; angle += 20) {
    double g = random_real(&random, 1, 20);
    char text[400];
    snprintf(text, sizeof text,
             "param g = %.15g [m/s^2], m = 2 [kg], L = 1 [m]\ncoord theta = 0 [rad]\n"
             "kinetic = m*L^2*theta'^2/2\npotential = -m*g*L*cos(theta)\n"
             "orbit theta ~ %d [deg]\nsimulate to %.15g [s] every 0.1 [s]\n",
             g, angle, random_real(&random, 8, 200) / sqrt(g));
    qdot_context *own = qdot_context_open(NULL);
    double start = angle * M_PI / 180;
    qdot_answer *a = ask_family(own, text, swing_period(g, start), 1);
    CHECK_NEAR(qdot_answer_number(a, "start/theta"), start, 1e-9);
    CHECK_NEAR(qdot_answer_number(a, "multipliers/1/0"), 1, 1e-7);
    qdot_context_close(own);
  }
}

// x'' = -(k x + b x^3); of two wells, b > 0 > k, beyond the hill.
TEST(duffing_oscillators_have_elliptic_periods) {
  (void)cx;
  Random random = random_start("duffing_oscillators_have_elliptic_periods");
  for (int round = 0; round < 12; round++) {
    double b = random_real(&random, 0.5, 4), start = random_real(&random, 0.3, 2);
    double k = round % 3 ? random_real(&random, 0, 4) : -0.4 * b * start * start;
    double stiff = k + b * start * start, m = b * start * start / (2 * stiff);
    char text[400];
    snprintf(text, sizeof text,
             "param m = 1 [kg], k = %.15g [N/m], b = %.15g [N/m^3]\ncoord x = 0.1 [m]\n"
             "kinetic = m*x'^2/2\npotential = k*x^2/2 + b*x^4/4\norbit x ~ %.15g [m]\n"
             "simulate to 60 [s] every 0.1 [s]\n",
             k, b, start);
    qdot_context *own = qdot_context_open(NULL);
    qdot_answer *a =
        ask_family(own, text, 2 * M_PI / sqrt(stiff) / geometric_mean(1, sqrt(1 - m)), 1);
    CHECK_NEAR(qdot_answer_number(a, "start/x"), start, 1e-8);
    qdot_context_close(own);
  }
}

TEST(ellipses_of_kepler_close) {
  (void)cx;
  Random random = random_start("ellipses_of_kepler_close");
  for (int round = 0; round < 6; round++) {
    double v = random_real(&random, 0.7, 1.3), half_axis = 1 / (2 - v * v);
    char text[400];
    snprintf(text, sizeof text,
             "param m = 1 [kg], mu = 1 [m^3/s^2]\ncoord x = 1 [m], y = 0 [m]\n"
             "coord x' = 0 [m/s], y' = 1 [m/s]\nkinetic = m*(x'^2 + y'^2)/2\n"
             "potential = -m*mu/sqrt(x^2 + y^2)\norbit y' ~ %.15g [m/s]\n"
             "simulate to 100 [s] every 0.1 [s]\n",
             v);
    qdot_context *own = qdot_context_open(NULL);
    qdot_answer *a = ask_family(own, text, 2 * M_PI * pow(half_axis, 1.5), 3);
    CHECK_NEAR(qdot_answer_number(a, "start/y'"), v, 1e-8);
    CHECK_NEAR(qdot_answer_number(a, "start/x"), 1, 1e-8);
    qdot_context_close(own);
  }
}

#define TWO(orbit)                                                                                 \
  "param m = 1 [kg], a = %.15g [1/s], b = %.15g [1/s]\ncoord x = 1 [m], y = 0.5 [m]\n"             \
  "kinetic = m*(x'^2 + y'^2)/2\npotential = m*(a^2*x^2 + b^2*y^2)/2\n" orbit                       \
  "simulate to %.15g [s] every 0.1 [s]\n"

TEST(oscillators_side_by_side_repeat_together_or_one_by_one) {
  (void)cx;
  Random random = random_start("oscillators_side_by_side_repeat_together_or_one_by_one");
  static const int turns[][2] = {{1, 1}, {1, 2}, {2, 3}, {3, 4}, {1, 3}};
  for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
    double w = random_real(&random, 0.5, 3), T = 2 * M_PI / w;
    char text[500];
    snprintf(text, sizeof text, TWO("orbit x ~ 1 [m], y ~ 0.5 [m]\n"), turns[i][0] * w,
             turns[i][1] * w, random_real(&random, 2, 20) * T);
    qdot_context *own = qdot_context_open(NULL);
    qdot_answer *a = ask_family(own, text, T, 3);
    CHECK_NEAR(qdot_answer_number(a, "start/x"), 1, 1e-8);
    CHECK_NEAR(qdot_answer_number(a, "start/y"), 0.5, 1e-8);
    // without a common period one of them stands still
    snprintf(text, sizeof text, TWO("orbit x ~ 1 [m], y ~ 0.5 [m]\n"), w, w * sqrt(2.8), 20 * T);
    a = ask(own, text, QDOT_OK);
    double x = qdot_answer_number(a, "start/x"), y = qdot_answer_number(a, "start/y");
    CHECK_NEAR(fmin(fabs(x - 1) + fabs(y), fabs(x) + fabs(y - 0.5)), 0, 1e-7);
    CHECK_NEAR(qdot_answer_number(a, "period"), fabs(y) < 1e-6 ? T : T / sqrt(2.8), 1e-7);
    assert_true(flag(a, "neutral"));
    qdot_context_close(own);
  }
}

// One second order Verlet step; of fourth order by Yoshida's three of them.
static void coupled_force(const double *k, const double *q, double *a) {
  double stretch = q[0] - q[1];
  a[0] = -k[0] * q[0] - k[3] * pow(q[0], 3) - k[2] * stretch;
  a[1] = -k[1] * q[1] + k[2] * stretch;
}

static void coupled_motion(const double *k, double T, double *x) {
  static const double split[3] = {1.3512071919596578, -1.7024143839193153, 1.3512071919596578};
  enum { STEPS = 4000 };
  for (int i = 0; i < 3 * STEPS; i++) {
    double h = split[i % 3] * T / STEPS, a[2];
    for (int c = 0; c < 2; c++) x[c] += h / 2 * x[2 + c];
    coupled_force(k, x, a);
    for (int c = 0; c < 2; c++) x[2 + c] += h * a[c], x[c] += h / 2 * x[2 + c];
  }
}

// Masses with a spring between them, one of them stiffening: normal modes of a nonlinear system.
TEST(modes_of_nonlinear_systems_are_orbits) {
  (void)cx;
  Random random = random_start("modes_of_nonlinear_systems_are_orbits");
  int found = 0;
  for (int round = 0; round < 10; round++) {
    double k[4], x[4], start[4];
    for (int i = 0; i < 4; i++) k[i] = random_real(&random, 0.3, 3);
    char text[600];
    snprintf(text, sizeof text,
             "param m = 1 [kg], a = %.15g [N/m], b = %.15g [N/m], c = %.15g [N/m], d = %.15g "
             "[N/m^3]\ncoord x = 0 [m], y = 0 [m]\nkinetic = m*(x'^2 + y'^2)/2\n"
             "potential = a*x^2/2 + b*y^2/2 + c*(x - y)^2/2 + d*x^4/4\n"
             "orbit x ~ %.15g [m], y ~ %.15g [m]\nsimulate to 40 [s] every 0.1 [s]\n",
             k[0], k[1], k[2], k[3], random_real(&random, 0.3, 1), random_real(&random, 0.3, 1));
    qdot_context *own = qdot_context_open(NULL);
    qdot_answer *a = ask(own, text, QDOT_OK);
    found += qdot_answer_is_found(a);
    static const char *const names[] = {"start/x", "start/y", "start/x'", "start/y'"};
    for (int i = 0; i < 4; i++) x[i] = start[i] = qdot_answer_number(a, names[i]);
    coupled_motion(k, qdot_answer_number(a, "period"), x);
    for (int i = 0; qdot_answer_is_found(a) && i < 4; i++) CHECK_NEAR(x[i], start[i], 1e-7);
    if (qdot_answer_is_found(a)) assert_true(qdot_answer_number(a, "family") == 1);
    qdot_context_close(own);
  }
  assert_true(found >= 8);
}

// Beside a hill: x'' = x, multipliers exp(T) and exp(-T); with a little damping of x none is 1.
TEST(families_may_be_unstable_or_end) {
  (void)cx;
  static const char *const line =
      "param m = 1 [kg], k = 4 [N/m], h = %s [N/m], c = %s [N*s/m]\ncoord x = 0 [m], y = 1 [m]\n"
      "kinetic = m*(x'^2 + y'^2)/2\npotential = h*x^2/2 + k*y^2/2\ndissipation = c*x'^2/2\n"
      "orbit y ~ 1 [m]\nsimulate to 7 [s] every 0.1 [s]\n";
  char text[500];
  snprintf(text, sizeof text, line, "-1", "0");
  qdot_context *own = qdot_context_open(NULL);
  qdot_answer *a = ask(own, text, QDOT_OK);
  assert_true(qdot_answer_is_found(a));
  assert_false(flag(a, "stable") || flag(a, "neutral"));
  CHECK_NEAR(qdot_answer_number(a, "family"), 1, 0);
  CHECK_NEAR(qdot_answer_number(a, "multipliers/0/0") / exp(M_PI), 1, 1e-7);
  snprintf(text, sizeof text, line, "9", "0.01");
  a = ask(own, text, QDOT_OK);
  assert_true(flag(a, "neutral"));
  CHECK_NEAR(
      hypot(qdot_answer_number(a, "multipliers/2/0"), qdot_answer_number(a, "multipliers/2/1")),
      exp(-0.005 * M_PI), 1e-7);
  qdot_context_close(own);
}

// A force without damping: neutral, alone, or where the free motion fits into its periods a family.
TEST(forced_motions_without_damping_are_neutral) {
  (void)cx;
  Random random = random_start("forced_motions_without_damping_are_neutral");
  for (int round = 0; round < 8; round++) {
    bool fits = round % 2;
    double w = random_real(&random, 1, 3), natural = fits ? 1.5 * w : 1.37 * w;
    char text[500];
    snprintf(text, sizeof text,
             "param m = 1 [kg], a = %.15g [1/s]\ncoord x = 1 [m]\nkinetic = m*x'^2/2\n"
             "potential = m*a^2*x^2/2\nforce x = 1 [N]*cos(%.15g [1/s]*t)\norbit x ~ 1 [m]\n"
             "simulate to 40 [s] every 0.1 [s]\n",
             natural, w);
    qdot_context *own = qdot_context_open(NULL);
    qdot_answer *a = ask_family(own, text, 2 * M_PI / w * (fits ? 2 : 1), fits ? 2 : 0);
    CHECK_NEAR(qdot_answer_number(a, "start/x"), fits ? 1 : 1 / (natural * natural - w * w), 1e-7);
    qdot_context_close(own);
  }
}

// ---- Samples and memories

// A mass whose sampled spring and damper only turn the phase plane: by a q-th of a turn.
TEST(sampled_loops_of_determinant_one_come_back) {
  (void)cx;
  Random random = random_start("sampled_loops_of_determinant_one_come_back");
  for (int round = 0; round < 6; round++) {
    int q = (int)random_real(&random, 5, 60);
    double T = random_real(&random, 0.05, 0.2), K = 2 * (1 - cos(2 * M_PI / q)) / (T * T);
    char text[500];
    snprintf(text, sizeof text,
             "param m = 1 [kg], T = %.15g [s], K = %.15g [N/m]\ncoord x = 1 [m]\n"
             "input u = 0 [N]\nkinetic = m*x'^2/2\nforce x = u\n"
             "sample every T: u = -K*x - K*T/2*x'\norbit x ~ 0.7 [m]\n"
             "simulate to %.15g [s] every 0.1 [s]\n",
             T, K, 3.4 * q * T);
    qdot_context *own = qdot_context_open(NULL);
    qdot_answer *a = ask_family(own, text, q * T, 2);
    CHECK_NEAR(qdot_answer_number(a, "start/x"), 0.7, 1e-8);
    qdot_context_close(own);
  }
}

// An integrating controller and a force: the start by many periods of the exact map.
TEST(memories_come_back_too) {
  (void)cx;
  qdot_context *own = qdot_context_open(NULL);
  qdot_answer *a = ask(own,
                       "param m = 1 [kg], K = 20 [N/m], D = 6 [N*s/m], I = 5 [N/(m*s)]\n"
                       "coord x = 0 [m]\nmemory e = 0 [m*s]\ninput u = 0 [N]\n"
                       "kinetic = m*x'^2/2\nforce x = u + 3 [N]*cos(2*pi*t/(1 [s]))\n"
                       "sample every 0.1 [s]: u = -K*x - D*x' - I*e, e = e + x*(0.1 [s])\n"
                       "orbit x ~ 0.1 [m]\nsimulate to 10 [s] every 0.1 [s]\n",
                       QDOT_OK);
  assert_true(qdot_answer_is_found(a));
  double x = 0.1, v = 0, e = 0, h = 0.1, w = 2 * M_PI;
  for (int k = 0; k < 10000; k++) {
    double t = k % 10 * h, u = -20 * x - 6 * v - 5 * e;
    e += x * h;
    // x'' = u + 3 cos(w t)
    double c = v - 3 / w * sin(w * t);
    x += c * h + u * h * h / 2 - 3 / (w * w) * (cos(w * (t + h)) - cos(w * t));
    v = c + u * h + 3 / w * sin(w * (t + h));
  }
  CHECK_NEAR(qdot_answer_number(a, "period"), 1, 1e-12);
  CHECK_NEAR(qdot_answer_number(a, "start/x"), x, 1e-8);
  CHECK_NEAR(qdot_answer_number(a, "start/x'"), v, 1e-8);
  CHECK_NEAR(qdot_answer_number(a, "start/e"), e, 1e-8);
  char told[2000] = "";
  qdot_answer_write(a, NULL, (qdot_sink){keep_text, told});
  assert_non_null(strstr(told, "period 1 s, that of the forces and samples, stable\n"));
  // a relay with hysteresis; x' where it switches, by another integration
  a = ask(own,
          "param m = 1 [kg], d = 0.1 [m]\ncoord x = 0 [m]\nmemory s = -1\nkinetic = m*x'^2/2\n"
          "potential = 1 [N/m]*x^2\ndissipation = 0.25 [N*s/m]*x'^2\nforce x = s*(1 [N])\n"
          "when x >= d: s = -1\nwhen x <= -d: s = 1\n"
          "orbit x' ~ 0.4 [m/s]\nsimulate to 10 [s] every 50 [ms]\n",
          QDOT_OK);
  assert_true(flag(a, "stable"));
  CHECK_NEAR(qdot_answer_number(a, "period"), 2.6246482059, 1e-7);
  CHECK_NEAR(fabs(qdot_answer_number(a, "start/s")), 1, 0);
  ask(own,
      "param m = 1 [kg]\ncoord x = 1 [m]\ninput u = 0 [N]\nkinetic = m*x'^2/2\nforce x = u\n"
      "sample every 0.1 [s] delay 0.05 [s]: u = -x*(1 [N/m])\norbit x ~ 1 [m]\n"
      "simulate to 10 [s] every 50 [ms]\n",
      QDOT_UNSUPPORTED);
  qdot_context_close(own);
}

TEST(the_compass_walker_walks) {
  (void)cx;
  static const char *const line = "\norbit theta_1 ~ -0.32, theta_2 ~ 0.22, theta_1' ~ -0.38 "
                                  "[rad/s], theta_2' ~ -1.09 [rad/s]\n";
  char text[8000], path[4096];
  const char *root = getenv("QDOT_ROOT");
  snprintf(path, sizeof path, "%s/tests/sim/models/compass_walker.qdot", root ? root : ".");
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  size_t n = fread(text, 1, sizeof text - strlen(line) - 1, file);
  fclose(file);
  memcpy(text + n, line, strlen(line) + 1);
  qdot_context *own = qdot_context_open(NULL);
  qdot_answer *a = ask(own, text, QDOT_OK);
  assert_true(qdot_answer_is_found(a));
  CHECK_NEAR(qdot_answer_number(a, "period"), 0.734, 5e-4);
  CHECK_NEAR(qdot_answer_number(a, "multipliers/0/0"), 1, 1e-5);
  CHECK_NEAR(qdot_answer_number(a, "multipliers/1/0"), -0.200, 5e-4);
  CHECK_NEAR(fabs(qdot_answer_number(a, "multipliers/1/1")), 0.544, 5e-4);
  CHECK_NEAR(qdot_answer_number(a, "multipliers/3/0"), 0.132, 5e-4);
  qdot_context_close(own);
}

RUN_TESTS(cmocka_unit_test(rest_is_no_orbit), cmocka_unit_test(a_forced_orbit_has_its_least_period),
          cmocka_unit_test(the_period_of_forces_is_their_own),
          cmocka_unit_test(orbits_of_bodies_and_constraints),
          cmocka_unit_test(orbits_have_known_periods_and_multipliers),
          cmocka_unit_test(a_pendulum_swings_from_where_it_is_released),
          cmocka_unit_test(duffing_oscillators_have_elliptic_periods),
          cmocka_unit_test(ellipses_of_kepler_close),
          cmocka_unit_test(oscillators_side_by_side_repeat_together_or_one_by_one),
          cmocka_unit_test(modes_of_nonlinear_systems_are_orbits),
          cmocka_unit_test(families_may_be_unstable_or_end),
          cmocka_unit_test(forced_motions_without_damping_are_neutral),
          cmocka_unit_test(sampled_loops_of_determinant_one_come_back),
          cmocka_unit_test(memories_come_back_too), cmocka_unit_test(the_compass_walker_walks))
