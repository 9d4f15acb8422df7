// Formulations side by side through the public API.
#include <stdio.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

static const char *const pendulum =
    "model \"Double pendulum\"\nparam g = 9.81 [m/s^2], L = 1 [m], m = 1 [kg]\ngravity (0, -g)\n"
    "body a: rod L, mass m\nbody b: rod L, mass m\n"
    "joint A: revolute ground (0, 0), a (-L/2, 0)\n"
    "joint B: revolute a (L/2, 0), b (-L/2, 0), friction 0.1 [N*m*s]\n"
    "simulate to 2 [s] every 20 [ms]\n";

// With a coordinate of the user's own beside the body there is no momentum balance.
static const char *const mixed =
    "param g = 9.81 [m/s^2], L = 1 [m], m = 1 [kg], k = 100 [N/m]\ngravity (0, -g)\n"
    "coord x = 0.1 [m]\nbody a: rod L, mass m\njoint A: revolute ground (0, 0), a (-L/2, 0)\n"
    "kinetic = 1/2*m*x'^2\npotential = 1/2*k*(x - a.x)^2\nsimulate to 1 [s] every 100 [ms]\n";

typedef struct Stages {
  int derive, prove, simulate, stop;
} Stages;

static void count_stage(void *user, const char *formulation, qdot_stage stage) {
  Stages *stages = user;
  assert_non_null(formulation);
  stages->derive += stage == QDOT_STAGE_DERIVE;
  stages->prove += stage == QDOT_STAGE_PROVE;
  stages->simulate += stage == QDOT_STAGE_SIMULATE;
}

static qdot_model *parse(qdot_context *cx, const char *text) {
  qdot_model *model;
  qdot_status status = qdot_model_parse(cx, "model.qdot", text, strlen(text), NULL, &model);
  if (status != QDOT_OK) qdot_diagnostics_write(cx, NULL, qdot_sink_stream(stderr));
  assert_int_equal(status, QDOT_OK);
  return model;
}

static const char *written(qdot_comparison *comparison, qdot_format format) {
  static char text[100000];
  memset(text, 0, sizeof text);
  FILE *memory = fmemopen(text, sizeof text - 1, "w");
  qdot_write_options style = qdot_write_defaults();
  style.format = format;
  assert_int_equal(qdot_comparison_write(comparison, &style, qdot_sink_stream(memory)), QDOT_OK);
  fclose(memory);
  return text;
}

static int occurrences(const char *text, const char *part) {
  int count = 0;
  for (; (text = strstr(text, part)); text += strlen(part)) count++;
  return count;
}

static void all_formulations_are_listed(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_compare_options options = qdot_compare_defaults();
  Stages stages = {0};
  options.stage = count_stage;
  options.stage_user = &stages;
  qdot_comparison *comparison;
  assert_int_equal(qdot_model_compare(parse(cx, pendulum), &options, &comparison), QDOT_OK);
  assert_true(qdot_comparison_is_proved(comparison));
  assert_false(qdot_comparison_is_stopped(comparison));
  assert_int_equal(stages.derive, 4);
  assert_int_equal(stages.prove, 3);
  assert_int_equal(stages.simulate, 4);
  assert_int_equal(occurrences(written(comparison, QDOT_FORMAT_JSON), "\"result\": \"equal\""), 3);
  assert_int_equal(occurrences(written(comparison, QDOT_FORMAT_TEXT), "proved equal"), 3);
  qdot_context_close(cx);
}

static void what_does_not_apply_is_said(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_comparison *comparison;
  assert_int_equal(qdot_model_compare(parse(cx, mixed), NULL, &comparison), QDOT_OK);
  assert_true(qdot_comparison_is_proved(comparison));
  assert_int_equal(qdot_error_count(cx), 0);
  assert_int_equal(
      occurrences(written(comparison, QDOT_FORMAT_TEXT), "newton-euler does not apply"), 1);
  qdot_context_close(cx);
}

static void some_models_have_one_formulation_only(void **state) {
  (void)state;
  static const char *const models[] = {
      "state s = 1\nrate s = -s/(1 [s])\n",
      "point G ~ (0, 0, 0)\nvector u ~ (1, 0, 0), v ~ (0, 1, 0), w ~ (0, 0, 1)\n"
      "solid s: G (0, 0, 0), u (1, 0, 0), v (0, 1, 0), w (0, 0, 1), mass 1 [kg], ball 1 [m]\n"};
  for (int i = 0; i < 2; i++) {
    qdot_context *cx = qdot_context_open(NULL);
    qdot_comparison *comparison;
    assert_int_equal(qdot_model_compare(parse(cx, models[i]), NULL, &comparison), QDOT_UNSUPPORTED);
    assert_null(comparison);
    assert_int_equal(qdot_error_count(cx), 1);
    qdot_context_close(cx);
  }
}

// Of energies the roads are compared.
static void energies_have_many_roads(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_comparison *comparison;
  const char *text = "coord x = 1, y = 2\nkinetic = 1/2*x'^2 + 1/2*x^2*y'^2\n";
  assert_int_equal(qdot_model_compare(parse(cx, text), NULL, &comparison), QDOT_OK);
  assert_true(qdot_comparison_is_proved(comparison));
  assert_true(qdot_compared_count(comparison) >= 7);
  for (size_t i = 0; i < qdot_compared_count(comparison); i++) {
    const qdot_compared *road = qdot_compared_at(comparison, i);
    assert_int_equal(road->is_reference, i == 0);
    assert_true(road->is_equal && !road->refusal && road->derive_seconds >= 0);
    assert_int_equal(road->coordinates, 2);
  }
  assert_null(qdot_compared_at(comparison, qdot_compared_count(comparison)));
  assert_int_equal(occurrences(written(comparison, QDOT_FORMAT_TEXT), "proved equal"),
                   (int)qdot_compared_count(comparison) - 1);
  assert_int_equal(occurrences(written(comparison, QDOT_FORMAT_JSON), "\"proved\": true"),
                   (int)qdot_compared_count(comparison));
  qdot_comparison_close(comparison);
  qdot_context_close(cx);
}

// The user's flag ends the run under way; what is proved stays proved.
static void a_stop_keeps_what_there_is(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_compare_options options = qdot_compare_defaults();
  Stages stages = {.stop = 1};
  qdot_run_options run = qdot_run_defaults();
  run.stop = &stages.stop;
  options.run = &run;
  options.stage = count_stage;
  options.stage_user = &stages;
  qdot_comparison *comparison;
  assert_int_equal(qdot_model_compare(parse(cx, pendulum), &options, &comparison), QDOT_OK);
  assert_true(qdot_comparison_is_stopped(comparison));
  assert_true(qdot_comparison_is_proved(comparison));
  assert_int_equal(stages.simulate, 1);
  qdot_context_close(cx);
}

RUN_TESTS(cmocka_unit_test(all_formulations_are_listed),
          cmocka_unit_test(what_does_not_apply_is_said),
          cmocka_unit_test(some_models_have_one_formulation_only),
          cmocka_unit_test(energies_have_many_roads), cmocka_unit_test(a_stop_keeps_what_there_is))
