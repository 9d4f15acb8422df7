// Linearizations through the public API: the state space against the evaluator's exact slopes,
// modes against closed forms.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

enum { MOST = 8 };

static qdot_system *derive_example(qdot_context *cx, const char *name, const char *setting) {
  char path[500];
  const char *root = getenv("QDOT_ROOT");
  snprintf(path, sizeof path, "%s/examples/%s.qdot", root ? root : ".", name);
  qdot_model_options options = qdot_model_defaults();
  options.settings = &setting;
  options.setting_count = setting ? 1 : 0;
  qdot_model *model;
  qdot_system *system;
  assert_int_equal(qdot_model_load(cx, path, &options, &model), QDOT_OK);
  assert_int_equal(qdot_system_derive(model, &system), QDOT_OK);
  if (strcmp(name, "cart_pole") == 0) assert_string_equal(qdot_model_title(model), "Cart-pole");
  return system;
}

// About the upright, x' = A x + B u: the lower halves of A and B are slopes of the accelerations.
static void state_space_is_made_of_slopes(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_system *system = derive_example(cx, "cart_pole", "F=0");
  qdot_linear *linear;
  qdot_evaluator *evaluator;
  assert_int_equal(qdot_system_linearize(system, 0, &linear), QDOT_OK);
  assert_int_equal(qdot_evaluator_open(system, 127, &evaluator), QDOT_OK);
  double q[2] = {0, 0}, qd[2] = {0, 0}, by_state[2 * 4], by_input[2];
  assert_int_equal(qdot_evaluator_slopes(evaluator, 0, q, qd, by_state, by_input, NULL), QDOT_OK);
  size_t rows, columns;
  const double *A = qdot_linear_matrix(linear, QDOT_MATRIX_A, &rows, &columns);
  assert_int_equal(rows, 4);
  assert_int_equal(columns, 4);
  for (size_t j = 0; j < 4; j++)
    for (size_t i = 0; i < 2; i++) {
      CHECK_NEAR(A[i * 4 + j], j == i + 2 ? 1 : 0, 1e-14);
      CHECK_NEAR(A[(i + 2) * 4 + j], by_state[i * 4 + j], 1e-12);
    }
  const double *B = qdot_linear_matrix(linear, QDOT_MATRIX_B, &rows, &columns);
  assert_int_equal(columns, 1);
  CHECK_NEAR(B[2], by_input[0], 1e-12);
  CHECK_NEAR(B[3], by_input[1], 1e-12);
  qdot_context_close(cx);
}

static void modes_have_their_frequency(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_linear *linear;
  assert_int_equal(qdot_system_linearize(derive_example(cx, "pendulum", "L=2"), 0, &linear),
                   QDOT_OK);
  assert_int_equal(qdot_mode_count(linear), 1);
  const qdot_mode *mode = qdot_mode_at(linear, 0);
  assert_int_equal(mode->kind, QDOT_MODE_OSCILLATION);
  CHECK_NEAR(mode->omega, sqrt(9.81 / 2), 1e-14);
  CHECK_NEAR(mode->im, mode->omega, 1e-14);
  CHECK_NEAR(mode->shape_re[0], 1, 1e-14);
  size_t rows, columns;
  const double *M = qdot_linear_matrix(linear, QDOT_MATRIX_MASS, &rows, &columns);
  CHECK_NEAR(M[0], 4, 1e-14);
  assert_null(qdot_linear_matrix(linear, (qdot_matrix)99, &rows, &columns));
  qdot_context_close(cx);
}

static void check_stability(const char *example, qdot_stability stability, const char *words) {
  qdot_context *cx = qdot_context_open(NULL);
  qdot_linear *linear;
  const char *text;
  assert_int_equal(qdot_system_linearize(derive_example(cx, example, NULL), 0, &linear), QDOT_OK);
  assert_int_equal(qdot_linear_stability(linear, NULL), stability);
  assert_int_equal(qdot_linear_stability(linear, &text), stability);
  assert_string_equal(text, words);
  qdot_context_close(cx);
}

static void stability_is_told(void **state) {
  (void)state;
  check_stability("pendulum", QDOT_STABILITY_STABLE, "stable, undamped");
  check_stability("four_bar", QDOT_STABILITY_UNSTABLE, "unstable");
  check_stability("chaplygin_sleigh", QDOT_STABILITY_INDIFFERENT,
                  "indifferent: displacements persist");
  check_stability("bouncing_ball", QDOT_STABILITY_HELD, "held: no degree of freedom is left");
  check_stability("spherical_pendulum", QDOT_STABILITY_UNKNOWN, "there are no modes");
}

// "a..b [mm]" is "a/1000..b/1000", whatever stands at the first end.
static void ranges_take_the_unit_behind_them(void **state) {
  (void)state;
  static const struct {
    const char *unit;
    double factor;
  } units[] = {{"mm", 1e-3}, {"cm", 1e-2}, {"in", 0.0254}, {"km", 1e3}};
  Random random = random_start("ranges_take_the_unit_behind_them");
  qdot_context *cx = qdot_context_open(NULL);
  qdot_system *system = derive_example(cx, "pendulum", NULL);
  for (int round = 0; round < 12; round++) {
    size_t u = (size_t)round % (sizeof units / sizeof *units);
    double a = random_real(&random, 1, 500), b = random_real(&random, 501, 999);
    char text[100];
    qdot_locus_options o = {.size = sizeof o, .range = text, .steps = 2};
    qdot_locus *locus;
    if (round % 2)
      snprintf(text, sizeof text, "L=%.17g..%.17g [%s]", a, b, units[u].unit);
    else
      snprintf(text, sizeof text, "L=%.17g [%s]..%.17g [%s]", a, units[u].unit, b, units[u].unit);
    assert_int_equal(qdot_system_locus(system, &o, &locus), QDOT_OK);
    CHECK_NEAR(qdot_locus_step_at(locus, 0)->value, a * units[u].factor, 1e-12 * a);
    CHECK_NEAR(qdot_locus_step_at(locus, 1)->value, b * units[u].factor, 1e-12 * b);
    qdot_locus_close(locus);
  }
  qdot_linear *linear;
  assert_int_equal(qdot_system_linearize(system, 0, &linear), QDOT_OK);
  for (int round = 0; round < 12; round++) {
    double a = random_real(&random, 1, 50), b = random_real(&random, 51, 999);
    char text[100];
    size_t count;
    qdot_response *response;
    qdot_response_options o = {.size = sizeof o, .inputs = "theta", .range = text, .points = 10};
    snprintf(text, sizeof text, "%.17g..%.17g [mHz]", a, b);
    assert_int_equal(qdot_linear_response(linear, &o, &response), QDOT_OK);
    const double *hz = qdot_response_frequencies(response, &count);
    CHECK_NEAR(hz[0], a * 1e-3, 1e-12);
    CHECK_NEAR(hz[count - 1], b * 1e-3, 1e-12);
    qdot_response_close(response);
  }
  qdot_context_close(cx);
}

RUN_TESTS(cmocka_unit_test(ranges_take_the_unit_behind_them),
          cmocka_unit_test(state_space_is_made_of_slopes), cmocka_unit_test(stability_is_told),
          cmocka_unit_test(modes_have_their_frequency))
