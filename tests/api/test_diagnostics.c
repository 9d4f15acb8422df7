// Diagnostics as data.
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

static const char text[] = "param g = 9.81 [m/s^2], m = 1 [kg], L = 1 [m]\n"
                           "coord theta = 1 [rad]\n"
                           "kinetic = 1/2*m*L^2*thta'^2\n"
                           "potential = -m*g*L*cos(theta) + mm\n";

static void mistakes_are_told_as_data(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  assert_int_not_equal(qdot_model_parse(cx, "swing.qdot", text, strlen(text), NULL, &model),
                       QDOT_OK);
  size_t n = qdot_diagnostic_count(cx);
  assert_true(n >= 2);
  const qdot_diagnostic *first = qdot_diagnostic_at(cx, 0);
  assert_int_equal(first->severity, QDOT_SEVERITY_ERROR);
  assert_int_equal(first->status, QDOT_UNKNOWN_NAME);
  assert_string_equal(first->file, "swing.qdot");
  assert_int_equal(first->line, 3);
  assert_int_equal(first->column, 21);
  assert_memory_equal(text + first->begin, "thta", 4);
  assert_string_equal(first->suggestion, "theta");
  assert_non_null(strstr(first->text, "unknown name 'thta'"));
  // in the order of the text
  for (size_t i = 1; i < n; i++) {
    const qdot_diagnostic *before = qdot_diagnostic_at(cx, i - 1),
                          *here = qdot_diagnostic_at(cx, i);
    assert_true(!here->file || before->begin <= here->begin);
  }
  assert_null(qdot_diagnostic_at(cx, n));
  qdot_diagnostics_clear(cx);
  assert_int_equal(qdot_diagnostic_count(cx), 0);
  assert_int_equal(qdot_error_count(cx), 0);
  // the context can be used again
  static const char right[] = "param m = 1 [kg]\ncoord x = 0 [m]\nkinetic = 1/2*m*x'^2\n";
  assert_int_equal(qdot_model_parse(cx, "right.qdot", right, strlen(right), NULL, &model), QDOT_OK);
  assert_int_equal(qdot_error_count(cx), 0);
  qdot_context_close(cx);
}

RUN_TESTS(cmocka_unit_test(mistakes_are_told_as_data))
