// A run as numbers and equations as a fragment of a page, for programs that draw themselves.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

static const char pendulum[] = "model \"Swing \t <b>\"\n"
                               "param g = 9.81 [m/s^2], m = 2 [kg], L = 0.8 [m]\n"
                               "coord theta = 40 [deg]\n"
                               "let r = (L*sin(theta), -L*cos(theta))\n"
                               "kinetic = 1/2*m*dot(r', r')\n"
                               "potential = m*g*r.y\n"
                               "simulate to 2 [s] every 1 [ms]\n"
                               "draw line (0, 0) r\n";

typedef struct Fixture {
  qdot_context *cx;
  qdot_model *model;
  qdot_result *result;
} Fixture;

static Fixture run(const char *text) {
  Fixture f = {.cx = qdot_context_open(NULL)};
  assert_int_equal(qdot_model_parse(f.cx, "x.qdot", text, strlen(text), NULL, &f.model), QDOT_OK);
  qdot_run_options options = qdot_run_defaults();
  options.memory = 1 << 26;
  assert_int_equal(qdot_model_simulate(f.model, &options, &f.result), QDOT_OK);
  return f;
}

// Where a member of the layout begins in a row.
static size_t place(const char *json, const char *member) {
  const char *at = strstr(strstr(json, "\"layout\""), member);
  assert_non_null(at);
  return (size_t)atoi(at + strlen(member) + 1);
}

TEST(numbers_are_those_of_the_motion) {
  Fixture f = run(pendulum);
  qdot_view_options options = qdot_view_defaults();
  options.samples = 100;
  qdot_view *view;
  assert_int_equal(qdot_result_view(f.result, &options, &view), QDOT_OK);
  const char *json = qdot_view_json(view);
  assert_non_null(strstr(json, "\"title\": \"Swing \\u0009 \\u003cb>\""));
  size_t rows, width, q = place(json, "\"q\":"), curves = place(json, "\"curves\":");
  const double *numbers = qdot_view_numbers(view, &rows, &width);
  assert_true(rows >= 50 && rows <= 210 && curves < width);
  for (size_t i = 0; i < rows; i++) {
    const double *row = numbers + i * width;
    // the line's second point behind the time and the first
    CHECK_NEAR(row[4], 0.8 * sin(row[q]), 1e-12);
    CHECK_NEAR(row[5], -0.8 * cos(row[q]), 1e-12);
    assert_true(i == 0 || row[0] >= row[-(long)width]);
  }
  CHECK_NEAR(numbers[0], 0, 0);
  CHECK_NEAR(numbers[(rows - 1) * width], 2, 1e-12);
  qdot_context_close(f.cx);
}

// A pendulum's mode swings about the lowest point, and ends where it began.
TEST(a_mode_is_a_view) {
  Fixture f = run(pendulum);
  qdot_system *system;
  qdot_linear *linear;
  qdot_view *view;
  assert_int_equal(qdot_system_derive(f.model, &system), QDOT_OK);
  assert_int_equal(qdot_system_linearize(system, 0, &linear), QDOT_OK);
  assert_int_equal(qdot_mode_view(linear, 0, NULL, &view), QDOT_OK);
  size_t rows, width, q = place(qdot_view_json(view), "\"q\":");
  const double *numbers = qdot_view_numbers(view, &rows, &width);
  double low = 0, high = 0;
  for (size_t i = 0; i < rows; i++) {
    low = fmin(low, numbers[i * width + q]), high = fmax(high, numbers[i * width + q]);
    CHECK_NEAR(numbers[i * width + 4], 0.8 * sin(numbers[i * width + q]), 1e-12);
  }
  CHECK_NEAR(low, -high, 1e-9);
  assert_true(high > 0.05 && high < 1);
  CHECK_NEAR(numbers[q], numbers[(rows - 1) * width + q], 1e-9);
  assert_int_equal(qdot_mode_view(linear, 7, NULL, &view), QDOT_BAD_ARGUMENT);
  assert_null(view);
  qdot_context_close(f.cx);
}

TEST(a_view_has_a_known_language) {
  Fixture f = run(pendulum);
  qdot_view_options options = qdot_view_defaults();
  options.language = "xx";
  qdot_view *view;
  assert_int_equal(qdot_result_view(f.result, &options, &view), QDOT_BAD_ARGUMENT);
  assert_null(view);
  qdot_context_close(f.cx);
}

static int collect(void *user, const char *bytes, size_t n) {
  strncat(user, bytes, n);
  return 0;
}

TEST(equations_as_a_fragment) {
  static char out[200000];
  Fixture f = run(pendulum);
  qdot_system *system;
  assert_int_equal(qdot_system_derive(f.model, &system), QDOT_OK);
  qdot_system_write_options options = qdot_system_write_defaults();
  options.format = QDOT_FORMAT_HTML;
  for (options.steps = 0; options.steps < 2; options.steps++) {
    out[0] = 0;
    assert_int_equal(qdot_system_write(system, &options, (qdot_sink){collect, out}), QDOT_OK);
    assert_non_null(strstr(out, "<math"));
    assert_non_null(strstr(out, "data-s=\"theta\""));
    assert_null(strstr(out, "<body"));
    assert_null(strstr(out, "<b>"));
  }
  qdot_write_options plain = qdot_write_defaults();
  plain.format = QDOT_FORMAT_HTML;
  assert_int_equal(qdot_model_write(f.model, &plain, (qdot_sink){collect, out}), QDOT_UNSUPPORTED);
  qdot_context_close(f.cx);
}

RUN_TESTS(cmocka_unit_test(numbers_are_those_of_the_motion), cmocka_unit_test(a_mode_is_a_view),
          cmocka_unit_test(a_view_has_a_known_language), cmocka_unit_test(equations_as_a_fragment))
