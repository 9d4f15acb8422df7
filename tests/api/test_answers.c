// What lines of the model ask, by the library.
#include <math.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

static const char spring[] =
    "param m = 2 [kg], k = 50 [N/m], c = 1 [N*s/m]\ncoord x = 0.3 [m]\nkinetic = m*x'^2/2\n"
    "potential = k*x^2/2\ndissipation = c*x'^2/2\nmeasure low = min(x), f = final(x')\n"
    "sensitivity low, f to m, k, c, x(0)\nsimulate to 1 [s] every 0.1 [s]\n";

static qdot_model *read_model(qdot_context *cx, const char *text) {
  qdot_model *model = NULL;
  assert_int_equal(qdot_model_parse(cx, "test", text, strlen(text), NULL, &model), QDOT_OK);
  return model;
}

TEST(a_sensitivity_has_its_numbers_by_path) {
  (void)cx;
  qdot_context *own = qdot_context_open(NULL);
  qdot_model *model = read_model(own, spring);
  qdot_answer *answer;
  assert_int_equal(qdot_model_ask(model, "sensitivity", NULL, &answer), QDOT_OK);
  assert_true(qdot_answer_is_found(answer) && !qdot_answer_is_stopped(answer));
  assert_null(qdot_answer_file_at(answer, 0));
  // the first low is where half a period has gone by: -x_0 exp(-d T/2), d = c/2m
  double d = 0.25, w = sqrt(25 - d * d), T = 2 * M_PI / w, low = -0.3 * exp(-d * T / 2);
  CHECK_NEAR(qdot_answer_number(answer, "measures/low/value"), low, 1e-7);
  CHECK_NEAR(qdot_answer_number(answer, "measures/low/derivative/x(0)"), low / 0.3, 1e-6);
  double by_w = low * d * M_PI / (w * w), by_d = -low * M_PI / w; // at a fixed d, and a fixed w
  double w_c = -d / w / 4, d_c = 0.25, w_k = 0.5 / (2 * w);
  CHECK_NEAR(qdot_answer_number(answer, "measures/low/derivative/c"), by_w * w_c + by_d * d_c,
             1e-6);
  CHECK_NEAR(qdot_answer_number(answer, "measures/low/derivative/k"), by_w * w_k, 1e-7);
  assert_true(isnan(qdot_answer_number(answer, "measures/high/value")));
  qdot_context_close(own);
}

TEST(questions_that_are_none_are_refused) {
  (void)cx;
  qdot_context *own = qdot_context_open(NULL);
  qdot_model *model = read_model(own, "coord x = 0\nkinetic = x'^2\n");
  qdot_answer *answer;
  assert_int_equal(qdot_model_ask(model, "sensitivity", NULL, &answer), QDOT_BAD_MODEL);
  assert_int_equal(qdot_model_ask(model, "wealth", NULL, &answer), QDOT_BAD_ARGUMENT);
  assert_null(answer);
  qdot_context_close(own);
}

static int keep_text(void *user, const char *bytes, size_t n) {
  strncat(user, bytes, n);
  return 0;
}

// The end of the run is no moment of the motion: 0 would be said to be its derivative.
TEST(what_still_holds_at_the_end_has_no_slope) {
  (void)cx;
  qdot_context *own = qdot_context_open(NULL);
  qdot_model *model = read_model(
      own, "param m = 2 [kg], k = 50 [N/m], c = 1 [N*s/m]\ncoord x = 0.3 [m]\n"
           "kinetic = m*x'^2/2\npotential = k*x^2/2\ndissipation = c*x'^2/2\n"
           "measure settled = last(t, abs(x) > 0.01 [m]), reached = last(x, t >= 0.2 [s])\n"
           "measure end = final(x)\nsensitivity settled, reached, end to k\n"
           "simulate to 1 [s] every 0.1 [s]\n");
  qdot_answer *answer;
  char text[4000] = "";
  assert_int_equal(qdot_model_ask(model, "sensitivity", NULL, &answer), QDOT_OK);
  qdot_answer_write(answer, NULL, (qdot_sink){keep_text, text});
  assert_non_null(strstr(text, "its condition still holds at the end of the run"));
  assert_true(isnan(qdot_answer_number(answer, "measures/settled/derivative/k")));
  CHECK_NEAR(qdot_answer_number(answer, "measures/reached/derivative/k"),
             qdot_answer_number(answer, "measures/end/derivative/k"), 1e-9);
  qdot_context_close(own);
}

RUN_TESTS(cmocka_unit_test(what_still_holds_at_the_end_has_no_slope),
          cmocka_unit_test(a_sensitivity_has_its_numbers_by_path),
          cmocka_unit_test(questions_that_are_none_are_refused))
