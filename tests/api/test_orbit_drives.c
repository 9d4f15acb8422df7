// Orbits of what time drives through samples, events and tables: a damped oscillator,
// x'' + c x' + k x = u, which is carried on exactly while u is held.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "qdot/qdot.h"
#include "support/check.h"

#define OSCILLATOR                                                                                 \
  "param m = 1 [kg], k = 10 [N/m], c = 0.6 [N*s/m], F = 1 [N], s = 1 [s]\ncoord x = 0.1 [m]\n"     \
  "kinetic = m*x'^2/2\npotential = k*x^2/2\ndissipation = c*x'^2/2\n"                              \
  "orbit x ~ 0.1 [m]\nsimulate to 30 [s] every 0.1 [s]\n"

static qdot_answer *ask(qdot_context *cx, const char *text, qdot_status expected) {
  qdot_model *model = NULL;
  assert_int_equal(qdot_model_parse(cx, "drive", text, strlen(text), NULL, &model), QDOT_OK);
  qdot_answer *answer = NULL;
  assert_int_equal(qdot_model_ask(model, "orbit", NULL, &answer), expected);
  return answer;
}

// For a time h with the force u.
static void carry_on(double h, double u, double *x, double *v) {
  double a = 0.3, w = sqrt(10 - a * a), off = *x - u / 10, decay = exp(-a * h);
  double slope = *v + a * off, c = cos(w * h), s = sin(w * h) / w;
  *x = u / 10 + decay * (off * c + slope * s);
  *v = decay * (*v * c - (a * *v + 10 * off) * s);
}

static void check_orbit(qdot_answer *a, double period, double x, double v) {
  assert_true(qdot_answer_is_found(a));
  CHECK_NEAR(qdot_answer_number(a, "period"), period, 1e-9);
  CHECK_NEAR(qdot_answer_number(a, "start/x"), x, 1e-7);
  CHECK_NEAR(qdot_answer_number(a, "start/x'"), v, 1e-7);
}

// A sine that repeats after p/q samples does so at an instant after p of them.
TEST(sampled_courses_repeat_with_their_samples) {
  (void)cx;
  static const int waves[][2] = {{20, 1}, {73, 10}, {7, 2}, {3, 1}, {11, 3}};
  Random random = random_start("sampled_courses_repeat_with_their_samples");
  for (size_t i = 0; i < sizeof waves / sizeof *waves; i++) {
    int p = waves[i][0], q = waves[i][1];
    double T = random_real(&random, 0.03, 0.1), phase = random_real(&random, 0, 6), x = 0, v = 0;
    char text[700];
    snprintf(text, sizeof text,
             OSCILLATOR "input u = 0 [N]\nforce x = u\nparam T = %.15g [s]\n"
                        "sample every T: u = F*sin(2*pi*t*%d/(%d*T) + %.15g)\n",
             T, q, p, phase);
    for (int k = 0; k < p * (int)(200 / (p * T)); k++)
      carry_on(T, sin(2 * M_PI * (k % p) * q / p + phase), &x, &v);
    qdot_context *own = qdot_context_open(NULL);
    check_orbit(ask(own, text, QDOT_OK), p * T, x, v);
    qdot_context_close(own);
  }
}

// s = -1 from a twelfth of the period on, +1 half a period later.
TEST(events_by_time_repeat_with_it) {
  (void)cx;
  Random random = random_start("events_by_time_repeat_with_it");
  for (int round = 0; round < 4; round++) {
    double P = random_real(&random, 0.5, 3), x = 0, v = 0;
    char text[700];
    snprintf(text, sizeof text,
             OSCILLATOR "memory b = 1\nforce x = b*F\nparam P = %.15g [s]\n"
                        "when sin(2*pi*t/P) > 0.5: b = -1\nwhen sin(2*pi*t/P) < -0.5: b = 1\n",
             P);
    for (int k = 0; k < 200 / P; k++) {
      carry_on(P / 12, 1, &x, &v);
      carry_on(P / 2, -1, &x, &v);
      carry_on(5 * P / 12, 1, &x, &v);
    }
    qdot_context *own = qdot_context_open(NULL);
    check_orbit(ask(own, text, QDOT_OK), P, x, v);
    qdot_context_close(own);
  }
}

// A triangle by its corners and by a formula, in a force and in a sample.
TEST(periodic_tables_have_their_period) {
  (void)cx;
  static const char *const uses[] = {"force x = F*%s\n", "input u = 0 [N]\nforce x = u\n"
                                                         "sample every 0.05 [s]: u = F*%s\n"};
  char path[] = "/tmp/qdot-triangle-XXXXXX", table[100];
  int file = mkstemp(path);
  static const char corners[] = "t [s], f\n0, 0\n0.3, 1\n0.9, -1\n1.2, 0\n";
  assert_true(write(file, corners, strlen(corners)) == (ssize_t)strlen(corners));
  close(file);
  snprintf(table, sizeof table, "table(t + 0.02 [s], \"%s\", 1, 2, periodic)", path);
  const char *shapes[] = {table, "2/pi*asin(sin(2*pi*(t + 0.02 [s])/(1.2 [s])))"};
  for (int use = 0; use < 2; use++) {
    double start[2][2];
    for (int shape = 0; shape < 2; shape++) {
      char line[300], text[700];
      snprintf(line, sizeof line, uses[use], shapes[shape]);
      snprintf(text, sizeof text, OSCILLATOR "%s", line);
      qdot_context *own = qdot_context_open(NULL);
      qdot_answer *a = ask(own, text, QDOT_OK);
      CHECK_NEAR(qdot_answer_number(a, "period"), 1.2, 1e-9);
      start[shape][0] = qdot_answer_number(a, "start/x");
      start[shape][1] = qdot_answer_number(a, "start/x'");
      qdot_context_close(own);
    }
    for (int i = 0; i < 2; i++) CHECK_NEAR(start[0][i], start[1][i], 1e-6);
  }
  unlink(path);
}

// Of what does not repeat no period is claimed, wherever t stands.
TEST(what_does_not_repeat_has_no_orbit) {
  (void)cx;
  static const struct {
    const char *lines;
    qdot_status status;
  } cases[] = {
#define SAMPLED(value) "input u = 0 [N]\nforce x = u\nsample every 50 [ms]: u = " value "\n"
      {SAMPLED("F*t/s"), QDOT_UNSUPPORTED},
      {SAMPLED("F*sin(t/s)"), QDOT_UNSUPPORTED}, // 2 pi s and 50 ms have no common multiple
      {SAMPLED("if(t > 100 [s], F, 0) + F*sin(2*pi*t/s)"), QDOT_UNSUPPORTED},
      {SAMPLED("F*sin(2*pi*t/s)") "stop when t > 100 [s]\n", QDOT_OK},
      {SAMPLED("F*sin(2*pi*sin(2*pi*t/s))"), QDOT_OK},
      {"when x = 0 rising: x' = x' + t*(0.1 [m/s^2])\n", QDOT_UNSUPPORTED},
      {"memory b = 1\nforce x = b*F\nwhen t = 2 [s]: b = -1\n", QDOT_UNSUPPORTED},
      {"memory b = 1\nforce x = b*F\nwhen x = 0 and t > 2 [s]: b = -b\n", QDOT_UNSUPPORTED},
      {"memory w = 0 [1/s]\nforce x = F*(sin(6*t/s) + w*t)\nwhen x = 0: w = 1 [1/s] - w\n",
       QDOT_UNSUPPORTED},
      {"force x = F*table(t/s, (0, 0), (1, 1), (2, 0))\n", QDOT_UNSUPPORTED},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[700];
    snprintf(text, sizeof text, OSCILLATOR "%s", cases[i].lines);
    qdot_context *own = qdot_context_open(NULL);
    qdot_answer *a = ask(own, text, cases[i].status);
    if (a) CHECK_NEAR(qdot_answer_number(a, "period"), 1, 1e-9);
    qdot_context_close(own);
  }
}

// A pendulum whose support shakes along it, x'' + c x' + (g/L - A w^2/L cos(w t)) x = 0 for small
// x, about its rest below or above: multipliers against those of a Runge-Kutta method of our own.
TEST(a_rest_that_is_driven_has_multipliers) {
  (void)cx;
  Random random = random_start("a_rest_that_is_driven_has_multipliers");
  for (int round = 0; round < 8; round++) {
    double w = random_real(&random, 3, 30), A = random_real(&random, 0.02, 0.2);
    double c = random_real(&random, 0.05, 0.5), g = 9.81, T = 2 * M_PI / w, S[4] = {1, 0, 0, 1};
    int sign = round % 2 ? -1 : 1, steps = 4000; // -1: above
    for (int i = 0; i < steps; i++)
      for (int j = 0; j < 2; j++) {
        double h = T / steps, k[4][2], x = S[j], v = S[2 + j];
        for (int r = 0; r < 4; r++) {
          double at = r == 0 ? 0 : r == 3 ? h : h / 2, t = i * h + at;
          double y = x + (r ? at * k[r - 1][0] : 0), u = v + (r ? at * k[r - 1][1] : 0);
          k[r][0] = u, k[r][1] = -c * u - sign * (g - A * w * w * cos(w * t)) * y;
        }
        S[j] += h / 6 * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0]);
        S[2 + j] += h / 6 * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1]);
      }
    char text[700];
    snprintf(
        text, sizeof text,
        "param L = 1 [m], g = 9.81 [m/s^2], A = %.15g [m], w = %.15g [rad/s], c = %.15g [1/s]\n"
        "param m = 1 [kg]\ncoord a = 0\n"
        "kinetic = m*L^2*a'^2/2 - m*L*A*w*sin(w*t)*sin(a)*a'\npotential = -m*g*L*cos(a)\n"
        "dissipation = m*L^2*c*a'^2/2\norbit a ~ %s\nsimulate to 3 [s] every 0.1 [s]\n",
        A, w, c, sign > 0 ? "0" : "pi");
    qdot_context *own = qdot_context_open(NULL);
    qdot_answer *a = ask(own, text, QDOT_OK);
    assert_true(qdot_answer_is_found(a));
    CHECK_NEAR(qdot_answer_number(a, "period"), T, 1e-12);
    double re[2], im[2], size = fabs(S[0]) + fabs(S[3]) + 1;
    for (int i = 0; i < 2; i++) {
      char path[40];
      snprintf(path, sizeof path, "multipliers/%d/0", i);
      re[i] = qdot_answer_number(a, path);
      snprintf(path, sizeof path, "multipliers/%d/1", i);
      im[i] = qdot_answer_number(a, path);
    }
    CHECK_NEAR(re[0] + re[1], S[0] + S[3], 1e-7 * size);
    CHECK_NEAR(re[0] * re[1] - im[0] * im[1], exp(-c * T), 1e-7 * size);
    qdot_context_close(own);
  }
}

RUN_TESTS(cmocka_unit_test(a_rest_that_is_driven_has_multipliers),
          cmocka_unit_test(sampled_courses_repeat_with_their_samples),
          cmocka_unit_test(events_by_time_repeat_with_it),
          cmocka_unit_test(periodic_tables_have_their_period),
          cmocka_unit_test(what_does_not_repeat_has_no_orbit))
