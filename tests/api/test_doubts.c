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

RUN_TESTS(cmocka_unit_test(columns_without_a_unit_are_doubted),
          cmocka_unit_test(data_that_begin_late_are_doubted),
          cmocka_unit_test(tolerances_wider_than_the_value_are_told))
