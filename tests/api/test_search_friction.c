// Fits and searches of what rubs, against closed forms: found, and with few runs.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

static qdot_answer *ask(qdot_context *cx, const char *text, const char *question) {
  qdot_model *model = NULL;
  qdot_answer *answer = NULL;
  qdot_status status =
      qdot_model_parse(cx, "/tmp/qdot_test.qdot", text, strlen(text), NULL, &model);
  if (status == QDOT_OK) status = qdot_model_ask(model, question, NULL, &answer);
  if (status != QDOT_OK) qdot_diagnostics_write(cx, NULL, qdot_sink_stream(stderr));
  if (status != QDOT_OK) fail_msg("%s", text);
  return answer;
}

// ---- fit

TEST(friction_of_a_box_that_slides_to_rest) {
  (void)cx;
  Random random = random_start("friction_of_a_box_that_slides_to_rest");
  for (int round = 0; round < 3; round++) {
    double mu = random_real(&random, 0.15, 0.4), v = random_real(&random, 2, 4), g = 9.81;
    FILE *file = fopen("/tmp/qdot_test_slide.csv", "w");
    assert_non_null(file);
    fputs("t [s],x [m]\n", file);
    for (int i = 0; i <= 40; i++) {
      double t = fmin(0.05 * i, v / (mu * g));
      fprintf(file, "%.2f,%.12g\n", 0.05 * i, v * t - mu * g * t * t / 2);
    }
    fclose(file);
    char text[1000];
    snprintf(text, sizeof text,
             "param m = 2 [kg], mu = 0.25, v = 3 [m/s]\ngravity (0, -9.81 [m/s^2])\n"
             "body b: plate (0.4 [m], 0.2 [m]), mass m, at = (0, 0.1 [m]), angle = 0, velocity = "
             "(v, 0), spin = 0\n"
             "contact l: b (-0.2 [m], -0.1 [m]), line (0, 0), friction mu\n"
             "contact r: b (0.2 [m], -0.1 [m]), line (0, 0), friction mu\n"
             "fit mu, v to \"qdot_test_slide.csv\": b.x = x\nsimulate to 2 [s] every 0.1 [s]\n");
    qdot_context *own = qdot_context_open(NULL);
    qdot_answer *a = ask(own, text, "fit");
    assert_true(qdot_answer_is_found(a));
    CHECK_NEAR(qdot_answer_number(a, "parameters/0/value"), mu, 1e-7);
    CHECK_NEAR(qdot_answer_number(a, "parameters/1/value"), v, 1e-7);
    assert_true(qdot_answer_number(a, "runs") < 40);
    qdot_context_close(own);
  }
}

// Runs with the true value end before the data do: the search comes to a halt, and says no more.
TEST(nothing_is_said_of_how_well_before_it_has_converged) {
  (void)cx;
  FILE *file = fopen("/tmp/qdot_test_blocked.csv", "w");
  assert_non_null(file);
  fputs("t [s],x [m]\n", file);
  for (int i = 0; i <= 20; i++) fprintf(file, "%.2f,%.9g\n", 0.05 * i, 1.5 * 0.05 * i);
  fclose(file);
  qdot_context *own = qdot_context_open(NULL);
  qdot_answer *a = ask(own,
                       "param v = 0.5 [m/s], c = 0.1 [N*s/m]\ncoord x = 0 [m], x' = v\n"
                       "kinetic = (1 [kg])*x'^2/2\ndissipation = c*x'^2/2\nstop when x > 0.9 [m]\n"
                       "fit v, c to \"qdot_test_blocked.csv\": x = x\n"
                       "simulate to 1 [s] every 0.1 [s]\n",
                       "fit");
  assert_false(qdot_answer_is_found(a));
  for (int i = 0; i < 2; i++) {
    assert_true(isnan(qdot_answer_number(a, i ? "parameters/1/low" : "parameters/0/low")));
    assert_true(isnan(qdot_answer_number(a, i ? "parameters/1/high" : "parameters/0/high")));
  }
  assert_true(isnan(qdot_answer_number(a, "correlation/0/1")));
  qdot_context_close(own);
}

// ---- find

static void check_edge(const char *text, const char *key, double expected, double part) {
  qdot_context *own = qdot_context_open(NULL);
  qdot_answer *a = ask(own, text, "find");
  double x = qdot_answer_number(a, key), runs = qdot_answer_number(a, "runs");
  if (!qdot_answer_is_found(a) || !(fabs(x - expected) <= part * expected) || !(runs <= 150))
    fail_msg("%s\n%.12g, not %.12g, after %g runs", text, x, expected, runs);
  qdot_context_close(own);
}

// An edge beyond which everything slides: no slope on the one side, a steep one on the other.
TEST(limits_of_rest_take_few_runs) {
  (void)cx;
  Random random = random_start("limits_of_rest_take_few_runs");
  for (int round = 0; round < 3; round++) {
    char text[1000];
    double a = random_real(&random, 5, 40), R = random_real(&random, 0.1, 0.5);
    snprintf(text, sizeof text,
             "param mu = 0.5, a = %.15g [deg]\n"
             "gravity (9.81 [m/s^2]*sin(a), -9.81 [m/s^2]*cos(a))\n"
             "body b: plate (1 [m], 0.1 [m]), mass 2 [kg], at = (0, 0.05 [m]), angle = 0, velocity "
             "= (0, 0), spin = 0\n"
             "contact l: b (-0.5 [m], -0.05 [m]), line (0, 0), friction mu\n"
             "contact r: b (0.5 [m], -0.05 [m]), line (0, 0), friction mu\n"
             "measure moved = abs(final(b.x)), need = mu\n"
             "find mu in 0.01..1.2: minimize need, moved <= 1 [um]\n"
             "simulate to 1 [s] every 0.1 [s]\n",
             a);
    check_edge(text, "parameters/mu", tan(a * M_PI / 180), 1e-5);
    a = random_real(&random, 0.5, 2);
    snprintf(text, sizeof text,
             "param R = %.15g [m], a = %.15g [deg], f = 5 [mm]\n"
             "gravity (9.81 [m/s^2]*sin(a), -9.81 [m/s^2]*cos(a))\n"
             "body w: disc R, mass 3 [kg], at = (0, R), angle = 0, velocity = (0, 0), spin = 0\n"
             "contact road: w (0, 0), radius R, line (0, 0), friction 0.6, rolling f\n"
             "measure moved = abs(final(w.x)), need = f\n"
             "find f in 0..50 [mm]: minimize need, moved <= 1 [nm]\n"
             "simulate to 1 [s] every 0.1 [s]\n",
             R, a);
    check_edge(text, "parameters/f", R * tan(a * M_PI / 180), 1e-5);
    double l = random_real(&random, 0.2, 0.4), mu = random_real(&random, 0.2, 0.4);
    snprintf(text, sizeof text,
             "param w = 0.6 [m], l = %.15g [m], mu = %.15g, e = 0.1 [m]\n"
             "body d: plate (l, w), mass 3 [kg], at = (0, 0), angle = 0, velocity = (0, 0), spin = "
             "0\ncontact a: d (-l/2, w/2), line (0, w/2), axis 180 [deg], friction mu\n"
             "contact b: d (l/2, -w/2), line (0, -w/2), friction mu\n"
             "force d (l/2, e) = (20 [N], 0)\nmeasure far = final(d.x), ecc = e\n"
             "find e in 0.05..1.5 [m]: maximize ecc, far >= 1 [um]\n"
             "simulate to 1 [s] every 0.1 [s]\n",
             l, mu);
    check_edge(text, "parameters/e", l / (2 * mu), 1e-5);
  }
}

RUN_TESTS(cmocka_unit_test(friction_of_a_box_that_slides_to_rest),
          cmocka_unit_test(nothing_is_said_of_how_well_before_it_has_converged),
          cmocka_unit_test(limits_of_rest_take_few_runs))
