// What is wrong with data or tolerances is told, with a cure: units, times, signs.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

static int keep_text(void *user, const char *bytes, size_t n) {
  strncat(user, bytes, n);
  return 0;
}

// x = a cos(w t) exactly, times from `begins` on, in a unit.
static void make_data(const char *path, double w, double begins, double unit, int rows) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("time,x\n", file);
  for (int i = 0; i < rows; i++)
    fprintf(file, "%.9g,%.9g\n", begins + 0.1 * (i + 1), 0.3 * cos(w * 0.1 * (i + 1)) / unit);
  fclose(file);
}

static void fit(const char *coordinate, const char *column, char *text, char *json) {
  char model[800];
  snprintf(model, sizeof model,
           "param m = 1 [kg], k = 5 [N/m], L = 1 [m]\ncoord %s\n"
           "kinetic = %s*q'^2/2\npotential = %s*q^2/2\n"
           "fit k to \"qdot_test_doubts.csv\": q = x%s\nsimulate to 1 [s] every 0.1 [s]\n",
           coordinate, strstr(coordinate, "rad") ? "m*L^2" : "m",
           strstr(coordinate, "rad") ? "k*L^2" : "k", column);
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *m;
  qdot_answer *answer;
  qdot_write_options options = qdot_write_defaults();
  assert_int_equal(
      qdot_model_parse(cx, "/tmp/qdot_test_doubts.qdot", model, strlen(model), NULL, &m), QDOT_OK);
  assert_int_equal(qdot_model_ask(m, "fit", NULL, &answer), QDOT_OK);
  *text = *json = 0;
  qdot_answer_write(answer, &options, (qdot_sink){keep_text, text});
  options.format = QDOT_FORMAT_JSON;
  qdot_answer_write(answer, &options, (qdot_sink){keep_text, json});
  qdot_context_close(cx);
}

TEST(columns_without_a_unit_are_doubted) {
  (void)cx;
  static char text[20000], json[20000];
  make_data("/tmp/qdot_test_doubts.csv", 2, 0, M_PI / 180, 40);
  fit("q = 0.3 [rad]", "", text, json);
  assert_non_null(strstr(text, "the data of q have no unit"));
  assert_non_null(strstr(text, "such as [deg]"));
  assert_non_null(strstr(json, "the data of q have no unit"));
  fit("q = 0.3 [rad]", " [deg]", text, json);
  assert_null(strstr(text, "have no unit"));
  make_data("/tmp/qdot_test_doubts.csv", 2, 0, 1e-3, 40);
  fit("q = 0.3 [m]", "", text, json);
  assert_non_null(strstr(text, "such as [mm]"));
  make_data("/tmp/qdot_test_doubts.csv", 2, 0, 1, 40);
  fit("q = 0.3 [m]", "", text, json);
  assert_null(strstr(text, "have no unit"));
  assert_non_null(strstr(text, "40 values"));
  assert_non_null(strstr(json, "\"hints\": []"));
}

TEST(data_that_begin_late_are_doubted) {
  (void)cx;
  static char text[20000], json[20000];
  make_data("/tmp/qdot_test_doubts.csv", 2, 50, 1, 40);
  fit("q = 0.3 [m]", "", text, json);
  assert_non_null(strstr(text, "the data begin at t = 50.1 s, the motion at 0"));
  assert_non_null(strstr(json, "the data begin at t = 50.1 s"));
  make_data("/tmp/qdot_test_doubts.csv", 2, 1, 1, 40);
  fit("q = 0.3 [m]", "", text, json);
  assert_null(strstr(text, "the data begin"));
  make_data("/tmp/qdot_test_doubts.csv", 2, 0, 1, 1);
  fit("q = 0.3 [m]", "", text, json);
  assert_non_null(strstr(text, "1 value,"));
}

// Runs in which a value has changed its sign are counted by the same draws: a fifth of them.
TEST(tolerances_wider_than_the_value_are_told) {
  (void)cx;
  static const char *const model =
      "param m = 1 [kg], k = 3 [N/m]\ncoord x = 1 [m]\nkinetic = m*x'^2/2\n"
      "potential = k*x^2/2\nmeasure peak = max(abs(x'))\n"
      "tolerance m = 1.6666667 [kg], k = 0.1 [N/m], runs 2000: peak\nsimulate to 1 [s] every 0.1 "
      "[s]\n";
  qdot_context *own = qdot_context_open(NULL);
  qdot_model *m;
  qdot_tolerance *answer;
  assert_int_equal(qdot_model_parse(own, "a", model, strlen(model), NULL, &m), QDOT_OK);
  assert_int_equal(qdot_model_tolerance(m, NULL, &answer), QDOT_OK);
  static char text[20000], json[20000];
  *text = *json = 0;
  qdot_write_options options = qdot_write_defaults();
  qdot_tolerance_write(answer, &options, (qdot_sink){keep_text, text});
  options.format = QDOT_FORMAT_JSON;
  qdot_tolerance_write(answer, &options, (qdot_sink){keep_text, json});
  const char *turned = strstr(json, "\"changed_sign\"");
  assert_non_null(turned);
  CHECK_NEAR(strtod(strchr(strstr(turned, "\"m\""), ':') + 1, NULL) / 2000, 0.2, 0.03);
  assert_null(strstr(turned, "\"k\""));
  assert_non_null(strstr(json, "\"failure\": \"the mass matrix is not positive definite"));
  assert_non_null(strstr(text, "m changes its sign within its tolerance"));
  assert_null(strstr(text, "nan"));
  qdot_context_close(own);
}

// ---- Noise

// What is left of random damped swings with normal errors is noise, and that of a model without
// their cubic spring, or of a slow drift beside them, is not.
static void make_noisy(Random *random, double k, double c, double cubic, double drift) {
  FILE *file = fopen("/tmp/qdot_test_doubts.csv", "w");
  assert_non_null(file);
  fputs("time,x\n", file);
  double y[2] = {0.3, 0}, h = 2e-3;
  for (int i = 0; i <= 2000; i++) {
    double u = random_real(random, 1e-12, 1), v = random_real(random, 0, 1);
    double noise = 1e-3 * sqrt(-2 * log(u)) * cos(2 * M_PI * v);
    if (i % 25 == 0 && i % 275 == 0)
      fprintf(file, "%.9g,%s\n", i * h, i % 2 ? "nan" : "none");
    else if (i % 25 == 0)
      fprintf(file, "%.9g,%.9g\n", i * h, y[0] + noise + drift * i * h);
    double f[4][2];
    for (int s = 0; s < 4; s++) {
      double at = s == 0 ? 0 : s == 3 ? h : h / 2, *before = f[s == 0 ? 0 : s - 1];
      double x = y[0] + (s ? at * before[0] : 0), w = y[1] + (s ? at * before[1] : 0);
      f[s][0] = w, f[s][1] = -k * x - c * w - cubic * x * x * x;
    }
    for (int n = 0; n < 2; n++) y[n] += h / 6 * (f[0][n] + 2 * f[1][n] + 2 * f[2][n] + f[3][n]);
  }
  fclose(file);
}

static qdot_answer *fit_swing(qdot_context *cx, const char *behind) {
  char model[600];
  snprintf(model, sizeof model,
           "param m = 1 [kg], k = 30 [N/m], c = 1 [N*s/m]\ncoord x = 0.3 [m]\n"
           "kinetic = m*x'^2/2\npotential = k*x^2/2\ndissipation = c*x'^2/2\n"
           "fit k in 1..600 [N/m], c in 0..30 [N*s/m] to \"qdot_test_doubts.csv\": x = x [m]%s\n"
           "simulate to 1 [s] every 0.1 [s]\n",
           behind);
  qdot_model *m;
  qdot_answer *answer;
  assert_int_equal(
      qdot_model_parse(cx, "/tmp/qdot_test_doubts.qdot", model, strlen(model), NULL, &m), QDOT_OK);
  assert_int_equal(qdot_model_ask(m, "fit", NULL, &answer), QDOT_OK);
  return answer;
}

TEST(what_is_no_noise_has_no_interval) {
  (void)cx;
  static char text[20000], json[20000];
  Random random = random_start("what_is_no_noise_has_no_interval");
  qdot_write_options options = qdot_write_defaults();
  options.format = QDOT_FORMAT_JSON;
  int taken_for_noise = 0, covered = 0, rounds = 12;
  for (int round = 0; round < rounds; round++) {
    double k = random_real(&random, 20, 60), c = random_real(&random, 0.3, 3);
    make_noisy(&random, k, c, 0, 0);
    qdot_context *own = qdot_context_open(NULL);
    qdot_answer *a = fit_swing(own, "");
    *json = '\0';
    qdot_answer_write(a, &options, (qdot_sink){keep_text, json});
    bool is_noise = strstr(json, "\"noise\": true,\n  \"values\"") != NULL;
    taken_for_noise += is_noise;
    covered += is_noise && qdot_answer_number(a, "parameters/0/low") < k &&
               qdot_answer_number(a, "parameters/0/high") > k;
    assert_non_null(strstr(json, "\"gaps\": 8"));
    *text = '\0';
    qdot_answer_write(a, NULL, (qdot_sink){keep_text, text});
    assert_non_null(strstr(text, "73 values"));
    assert_non_null(strstr(text, "8 rows without a value left out"));
    qdot_context_close(own);
    bool cubic = round % 2;
    make_noisy(&random, k, c, cubic ? 200 : 0, cubic ? 0 : 0.02);
    own = qdot_context_open(NULL);
    a = fit_swing(own, "");
    *text = *json = '\0';
    qdot_answer_write(a, &options, (qdot_sink){keep_text, json});
    qdot_answer_write(a, NULL, (qdot_sink){keep_text, text});
    assert_non_null(strstr(json, "\"noise\": false,\n  \"values\""));
    assert_non_null(strstr(json, "\"low\": null"));
    assert_non_null(strstr(text, "what is left of x is no noise"));
    assert_true(isnan(qdot_answer_number(a, "parameters/1/high")));
    qdot_context_close(own);
  }
  assert_true(taken_for_noise >= rounds - 1);
  assert_true(covered >= rounds - 3); // 95 of 100
}

// Many turns between the start's frequency and the true one: valleys all the way.
TEST(a_global_fit_leaves_the_wrong_valley) {
  (void)cx;
  Random random = random_start("a_global_fit_leaves_the_wrong_valley");
  for (int round = 0; round < 2; round++) {
    double k = random_real(&random, 250, 550), c = random_real(&random, 0.2, 1);
    make_noisy(&random, k, c, 0, 0);
    qdot_context *own = qdot_context_open(NULL);
    qdot_answer *a = fit_swing(own, ", global");
    CHECK_NEAR(qdot_answer_number(a, "parameters/0/value"), k, 2e-2 * k);
    CHECK_NEAR(qdot_answer_number(a, "parameters/1/value"), c, 0.1 * c);
    assert_true(qdot_answer_number(a, "starts") > 80);
    qdot_context_close(own);
  }
}

RUN_TESTS(cmocka_unit_test(what_is_no_noise_has_no_interval),
          cmocka_unit_test(a_global_fit_leaves_the_wrong_valley),
          cmocka_unit_test(columns_without_a_unit_are_doubted),
          cmocka_unit_test(data_that_begin_late_are_doubted),
          cmocka_unit_test(tolerances_wider_than_the_value_are_told))
