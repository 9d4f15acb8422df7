// Numbers at the ends of their range in options and arguments: a status with its diagnostic within
// the time limit, never a crash.
#include <float.h>
#include <math.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

static const char cart[] =
    "param m = 2 [kg], k = 30 [N/m], c = 0.3 [N*s/m]\ncoord x = 0.1 [m]\ninput F = 0 [N]\n"
    "kinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\ndissipation = 1/2*c*x'^2\nforce x = F\n"
    "linearize at x = 0\nplot x\ndraw line (0, 0) (x, 0)\n"
    "simulate to 0.5 [s] every 0.1 [s]\n";

static const double extremes[] = {NAN, INFINITY, -INFINITY, -1,     -0.0,  DBL_MIN, 5e-324,
                                  1,   1e-100,   1e100,     1e-150, 1e150, 1e308,   -1e308};
enum { EXTREMES = sizeof extremes / sizeof *extremes };

static double any(Random *random) {
  return random_below(random, 3) ? extremes[random_below(random, EXTREMES)] : 0;
}

static int swallow(void *user, const char *bytes, size_t n) {
  (void)user, (void)bytes, (void)n;
  return 0;
}

static int swallow_file(void *user, const char *name, const char *bytes, size_t n) {
  (void)user, (void)name, (void)bytes, (void)n;
  return 0;
}

static const qdot_sink nowhere = {swallow, NULL};

static qdot_context *open_context(qdot_model **model) {
  qdot_limits limits = qdot_limits_defaults();
  limits.seconds = 0.1;
  qdot_context *cx = qdot_context_open(&limits);
  assert_int_equal(qdot_model_parse(cx, "m.qdot", cart, strlen(cart), NULL, model), QDOT_OK);
  return cx;
}

// A mistake has its sentence, and the next call works.
static void check_status(qdot_context *cx, qdot_status status) {
  if (status != QDOT_OK && status != QDOT_BAD_ARGUMENT) assert_true(qdot_error_count(cx) > 0);
  qdot_diagnostics_clear(cx);
}

static void frequencies(void **state) {
  (void)state;
  Random random = random_start(__func__);
  qdot_model *model;
  qdot_system *system;
  qdot_linear *linear;
  qdot_response *response;
  qdot_context *cx = open_context(&model);
  assert_int_equal(qdot_system_derive(model, &system), QDOT_OK);
  assert_int_equal(qdot_system_linearize(system, 0, &linear), QDOT_OK);
  for (int round = 0; round < test_rounds(200); round++) {
    qdot_response_options options = qdot_response_defaults();
    options.from = any(&random), options.to = any(&random), options.points = 20;
    qdot_status status = qdot_linear_response(linear, &options, &response);
    bool is_no_number = isnan(options.from) || isnan(options.to) || isinf(options.to);
    if (is_no_number) assert_int_equal(status, QDOT_BAD_ARGUMENT);
    assert_true((status == QDOT_OK) == (response != NULL));
    if (status == QDOT_OK) {
      size_t n;
      const double *hz = qdot_response_frequencies(response, &n);
      assert_true(n > 1);
      for (size_t i = 0; i < n; i++) assert_true(isfinite(hz[i]) && (i == 0 || hz[i] > hz[i - 1]));
      assert_int_equal(qdot_response_write(response, NULL, nowhere), QDOT_OK);
    }
    check_status(cx, status);
  }
  qdot_context_close(cx);
}

static void runs(void **state) {
  (void)state;
  Random random = random_start(__func__);
  qdot_model *model;
  qdot_context *cx = open_context(&model);
  for (int round = 0; round < test_rounds(60); round++) {
    qdot_run_options options = qdot_run_defaults();
    options.t_end = any(&random), options.every = any(&random), options.step = any(&random);
    options.rtol = any(&random), options.atol = any(&random), options.memory = 1 << 16;
    qdot_result *result;
    double began = context_seconds();
    qdot_status status = qdot_model_simulate(model, &options, &result);
    assert_true(context_seconds() - began < 5);
    if (isnan(options.t_end + options.every + options.step + options.rtol + options.atol))
      assert_int_equal(status, QDOT_BAD_VALUE);
    if (status == QDOT_OK) qdot_result_close(result);
    check_status(cx, status);
  }
  qdot_context_close(cx);
}

static void speeds(void **state) {
  (void)state;
  qdot_model *model;
  qdot_result *result;
  qdot_context *cx = open_context(&model);
  qdot_run_options run = qdot_run_defaults();
  run.memory = 1 << 20;
  assert_int_equal(qdot_model_simulate(model, &run, &result), QDOT_OK);
  for (int i = 0; i < EXTREMES; i++) {
    qdot_report_options report = qdot_report_defaults();
    qdot_animate_options animation = qdot_animate_defaults();
    report.files = animation.files = (qdot_file_sink){swallow_file, NULL};
    report.formats = QDOT_FILE_TEX, report.gnuplot = report.pdflatex = "/nowhere/program";
    animation.formats = QDOT_FILE_SVG, animation.width = 40;
    report.speed = animation.speed = extremes[i];
    check_status(cx, qdot_result_report(result, &report));
    check_status(cx, qdot_result_animate(result, &animation));
    report.speed = animation.speed = 0;
    report.magnify = animation.magnify = extremes[i];
    check_status(cx, qdot_result_report(result, &report));
    check_status(cx, qdot_result_animate(result, &animation));
  }
  qdot_context_close(cx);
}

// What the header lets be NULL.
static void initial_states_that_are_skipped(void **state) {
  (void)state;
  qdot_model *model;
  qdot_system *system;
  qdot_evaluator *evaluator;
  double q = 0, qd = 1;
  qdot_context *cx = open_context(&model);
  assert_int_equal(qdot_system_derive(model, &system), QDOT_OK);
  assert_int_equal(qdot_evaluator_open(system, QDOT_EVALUATE_TERMS, &evaluator), QDOT_OK);
  assert_int_equal(qdot_evaluator_initial(evaluator, NULL, NULL), QDOT_OK);
  assert_int_equal(qdot_evaluator_initial(evaluator, &q, NULL), QDOT_OK);
  assert_int_equal(qdot_evaluator_initial(evaluator, NULL, &qd), QDOT_OK);
  CHECK_NEAR(q, 0.1, 1e-15);
  CHECK_NEAR(qd, 0, 1e-15);
  qdot_context_close(cx);
}

RUN_TESTS(cmocka_unit_test(frequencies), cmocka_unit_test(runs), cmocka_unit_test(speeds),
          cmocka_unit_test(initial_states_that_are_skipped))
