// Tolerances through the library: the same on any number of threads, stopped with what there is.
#include <math.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

static const char text[] =
    "param m = 1 [kg], k = 20 [N/m], mu = 0.3, g = 9.81 [m/s^2], e = 0.6\n"
    "coord x = 1 [m], y = 0.5 [m]\nkinetic = m*(x'^2 + y'^2)/2\npotential = k*x^2/2 + m*g*y\n"
    "dissipation = mu*m*g*abs(x')\ncontact floor: y >= 0 restitution e\n"
    "measure rest = final(x), bounces = count(y <= 0), fast = max(abs(x'))\n"
    "tolerance k = 1 [N/m], mu = normal 0.02, e = 0.05, runs 60, seed 3: rest, bounces, fast\n"
    "simulate to 2 [s] every 0.1 [s]\n";

static qdot_model *parse(qdot_context *cx, const char *of) {
  qdot_model *model;
  assert_int_equal(qdot_model_parse(cx, "drop.qdot", of, strlen(of), NULL, &model), QDOT_OK);
  return model;
}

static void any_number_of_threads_gives_the_same(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model = parse(cx, text);
  assert_string_equal(qdot_model_question_at(model, 0), "tolerance");
  assert_null(qdot_model_question_at(model, 1));
  assert_int_equal(qdot_model_question_count(model), 1);
  double first[3][60];
  for (uint32_t threads = 1; threads <= 4; threads++) {
    qdot_tolerance_options options = qdot_tolerance_defaults();
    options.threads = threads;
    qdot_tolerance *tolerance;
    assert_int_equal(qdot_model_tolerance(model, &options, &tolerance), QDOT_OK);
    assert_int_equal(qdot_tolerance_run_count(tolerance), 60);
    assert_int_equal(qdot_tolerance_failed_count(tolerance), 0);
    assert_false(qdot_tolerance_is_stopped(tolerance));
    assert_false(qdot_tolerance_is_drawn(tolerance));
    assert_int_equal(qdot_distribution_count(tolerance), 3);
    assert_null(qdot_distribution_at(tolerance, 3));
    for (size_t i = 0; i < 3; i++) {
      const qdot_distribution *d = qdot_distribution_at(tolerance, i);
      assert_int_equal(d->runs, 60);
      if (threads == 1) memcpy(first[i], d->sorted, sizeof first[i]);
      assert_memory_equal(first[i], d->sorted, sizeof first[i]);
    }
    assert_string_equal(qdot_distribution_at(tolerance, 2)->name, "fast");
  }
  qdot_context_close(cx);
}

typedef struct Stopper {
  volatile int stop;
  uint32_t behind;
} Stopper;

static void stop_behind(void *user, uint32_t done, uint32_t runs) {
  Stopper *stopper = user;
  assert_int_equal(runs, 60);
  if (done >= stopper->behind) stopper->stop = 1;
}

static void a_stop_keeps_what_was_done(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model = parse(cx, text);
  Stopper stopper = {.behind = 20};
  qdot_run_options run = qdot_run_defaults();
  run.stop = &stopper.stop;
  qdot_tolerance_options options = qdot_tolerance_defaults();
  options.run = &run;
  options.threads = 2;
  options.progress = stop_behind;
  options.progress_user = &stopper;
  qdot_tolerance *tolerance;
  assert_int_equal(qdot_model_tolerance(model, &options, &tolerance), QDOT_OK);
  assert_true(qdot_tolerance_is_stopped(tolerance));
  assert_true(qdot_tolerance_run_count(tolerance) >= 20 &&
              qdot_tolerance_run_count(tolerance) < 60);
  assert_int_equal(qdot_distribution_at(tolerance, 0)->runs, qdot_tolerance_run_count(tolerance));
  // stopped before the first run there is nothing to keep
  assert_int_equal(qdot_model_tolerance(model, &options, &tolerance), QDOT_STOPPED);
  assert_null(tolerance);
  qdot_context_close(cx);
}

static void a_model_without_the_line_is_refused(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model = parse(cx, "param m = 1 [kg]\ncoord x = 1 [m]\nkinetic = m*x'^2/2\n"
                                "simulate to 1 [s]\n");
  qdot_tolerance *tolerance;
  assert_int_equal(qdot_model_tolerance(model, NULL, &tolerance), QDOT_BAD_MODEL);
  assert_null(qdot_model_question_at(model, 0));
  qdot_context_close(cx);
}

RUN_TESTS(cmocka_unit_test(any_number_of_threads_gives_the_same),
          cmocka_unit_test(a_stop_keeps_what_was_done),
          cmocka_unit_test(a_model_without_the_line_is_refused))
