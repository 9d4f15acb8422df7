// Models, results and texts are closed one by one: their memory is given back, whatever was made
// from them. Whole runs of a simulation are what a fresh run gives.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

static const char pendulum[] =
    "param g = 9.81 [m/s^2], m = 1 [kg], L = 0.5 [m]\ncoord theta = 60 [deg]\n"
    "kinetic = 1/2*m*L^2*theta'^2\npotential = -m*g*L*cos(theta)\n"
    "linearize at theta = 0\nsimulate to 0.1 [s] every 0.05 [s]\n";

static qdot_model *parse(qdot_context *cx, const char *text) {
  qdot_model *model = NULL;
  qdot_status status = qdot_model_parse(cx, "m.qdot", text, strlen(text), NULL, &model);
  if (status != QDOT_OK) qdot_diagnostics_write(cx, NULL, qdot_sink_stream(stderr));
  assert_int_equal(status, QDOT_OK);
  return model;
}

static int swallow(void *user, const char *bytes, size_t n) {
  (void)user, (void)bytes, (void)n;
  return 0;
}

static void use_everything(qdot_context *cx) {
  qdot_model *model = parse(cx, pendulum), *wrong;
  qdot_system *system;
  qdot_linear *linear;
  qdot_result *result;
  qdot_evaluator *evaluator;
  qdot_text *text;
  qdot_run_options o = qdot_run_defaults();
  o.memory = 1 << 16;
  assert_int_equal(qdot_system_derive(model, &system), QDOT_OK);
  assert_int_equal(qdot_system_linearize(system, 0, &linear), QDOT_OK);
  assert_int_equal(qdot_evaluator_open(system, QDOT_EVALUATE_TERMS, &evaluator), QDOT_OK);
  assert_int_equal(qdot_model_simulate(model, &o, &result), QDOT_OK);
  // a text with mistakes leaves nothing but its diagnostics
  assert_int_not_equal(qdot_model_parse(cx, "wrong", "coord x = y\n", 12, NULL, &wrong), QDOT_OK);
  assert_int_equal(qdot_text_open(cx, "draft", "coord x = y\n", 12, &text), QDOT_OK);
  assert_true(qdot_diagnostic_count(cx) > 0);
  qdot_diagnostics_clear(cx);
  qdot_text_close(text);
  qdot_model_close(model);
}

static void models_give_their_memory_back(void **state) {
  (void)state;
  qdot_limits limits = qdot_limits_defaults();
  limits.memory_bytes = (size_t)16 << 20;
  qdot_context *cx = qdot_context_open(&limits);
  use_everything(cx);
  size_t before = qdot_context_memory(cx);
  for (int i = 0; i < 2000; i++) use_everything(cx);
  assert_int_equal(qdot_context_memory(cx), before);
  // in any order, and what is left is closed with the context
  qdot_model *a = parse(cx, pendulum), *b = parse(cx, pendulum), *c = parse(cx, pendulum);
  (void)b;
  qdot_model_close(a);
  qdot_model_close(c);
  qdot_model_close(NULL);
  qdot_text_close(NULL);
  qdot_context_close(cx);
}

// ---- What is made from a model, closed before it

static const char crank[] =
    "param r = 0.1 [m]\nbody crank: rod 2*r, mass 1 [kg]\n"
    "joint A: revolute ground (0, 0), crank (-r, 0)\nmotor A: speed 6 [rad/s]\n"
    "output h = crank.y\nmeasure top = max(h)\ntolerance r = 1 [mm], runs 4: top\n"
    "sweep r = 0.1..0.2 [m] steps 3: top\nsensitivity top to r\n"
    "simulate to 0.1 [s] every 0.05 [s]\n";

static void analyse_pendulum(qdot_model *model) {
  qdot_system *system;
  qdot_equilibria *equilibria;
  qdot_linear *linear;
  qdot_response *response;
  qdot_locus *locus;
  qdot_locus_options range = qdot_locus_defaults();
  range.range = "L=0.4..0.6", range.steps = 5;
  qdot_sink nowhere = {swallow, NULL};
  assert_int_equal(qdot_system_derive(model, &system), QDOT_OK);
  assert_int_equal(qdot_system_equilibria(system, NULL, &equilibria), QDOT_OK);
  assert_int_equal(qdot_system_linearize(system, 0, &linear), QDOT_OK);
  assert_int_equal(qdot_linear_response(linear, NULL, &response), QDOT_OK);
  assert_int_equal(qdot_system_locus(system, &range, &locus), QDOT_OK);
  // what one of them finds later does not lie in the memory of another
  qdot_equilibria_close(equilibria);
  qdot_response_close(response);
  assert_int_equal(qdot_linear_write(linear, NULL, nowhere), QDOT_OK);
  assert_int_equal(qdot_modes_write(linear, NULL, nowhere), QDOT_OK);
  qdot_locus_close(locus);
  assert_int_equal(qdot_linear_write(linear, NULL, nowhere), QDOT_OK);
  qdot_linear_close(linear);
  qdot_system_close(system);
}

static void ask_crank(qdot_model *model) {
  qdot_tolerance *tolerance;
  qdot_sweep *sweep;
  qdot_answer *answer;
  qdot_positions *positions;
  qdot_tolerance_options o = qdot_tolerance_defaults();
  qdot_sweep_options s = qdot_sweep_defaults();
  o.threads = s.threads = 1;
  assert_int_equal(qdot_model_tolerance(model, &o, &tolerance), QDOT_OK);
  assert_int_equal(qdot_model_sweep(model, &s, &sweep), QDOT_OK);
  assert_int_equal(qdot_model_ask(model, "sensitivity", NULL, &answer), QDOT_OK);
  assert_int_equal(qdot_positions_open(model, NULL, &positions), QDOT_OK);
  qdot_sweep_close(sweep);
  qdot_tolerance_close(tolerance);
  qdot_positions_close(positions);
  qdot_answer_close(answer);
}

static void a_view_is_closed_before_its_origin(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model = parse(cx, pendulum);
  qdot_system *system;
  qdot_linear *linear;
  qdot_view *first, *second;
  size_t rows, width;
  assert_int_equal(qdot_system_derive(model, &system), QDOT_OK);
  assert_int_equal(qdot_system_linearize(system, 0, &linear), QDOT_OK);
  assert_int_equal(qdot_mode_view(linear, 0, NULL, &first), QDOT_OK);
  assert_int_equal(qdot_mode_view(linear, 0, NULL, &second), QDOT_OK);
  qdot_view_close(first);
  assert_non_null(strstr(qdot_view_json(second), "layout"));
  assert_non_null(qdot_view_numbers(second, &rows, &width));
  assert_true(rows > 1 && width > 1);
  qdot_context_close(cx);
}

// Memory grows by whole blocks, each larger than the last: what a round leaves is told by how many
// rounds fill a block. 0 where none is begun; no more than this where one is not filled in time.
static size_t left_by_a_round(qdot_context *cx, qdot_model *model, void (*work)(qdot_model *)) {
  enum { ROUNDS = 48 };
  size_t block = 0, held = qdot_context_memory(cx);
  int begun = 0;
  for (int k = 0; k - begun < ROUNDS; k++) {
    work(model);
    size_t now = qdot_context_memory(cx);
    if (now == held) continue;
    if (block > 0) return block / (size_t)(k - begun);
    block = now - held, held = now, begun = k;
  }
  return block / ROUNDS;
}

static void analyses_give_their_memory_back(void **state) {
  (void)state;
  enum { WARM = 12 };
  const struct {
    const char *text;
    void (*work)(qdot_model *model);
    size_t most; // bytes that a round may leave with the model: names of columns, a formulation
  } jobs[] = {{pendulum, analyse_pendulum, 0}, {crank, ask_crank, 16000}};
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
    qdot_context *cx = qdot_context_open(NULL);
    qdot_model *model = parse(cx, jobs[i].text);
    for (int k = 0; k < WARM; k++) jobs[i].work(model);
    // every formulation is derived anew, and stays with the model
    qdot_comparison *comparison = NULL;
    if (qdot_model_compare(model, NULL, &comparison) == QDOT_OK) qdot_comparison_close(comparison);
    size_t left = left_by_a_round(cx, model, jobs[i].work);
    print_message("%zu bytes are left by a round\n", left);
    assert_true(left <= jobs[i].most);
    qdot_context_close(cx);
  }
  qdot_system_close(NULL), qdot_linear_close(NULL), qdot_equilibria_close(NULL);
  qdot_response_close(NULL), qdot_locus_close(NULL), qdot_view_close(NULL);
  qdot_comparison_close(NULL), qdot_tolerance_close(NULL), qdot_sweep_close(NULL);
  qdot_answer_close(NULL), qdot_positions_close(NULL);
}

// What one model runs out of is out for the whole context; the message still says what.
static void exhaustion_reaches_the_context(void **state) {
  (void)state;
  qdot_limits limits = qdot_limits_defaults();
  limits.nodes = 20;
  qdot_context *cx = qdot_context_open(&limits);
  qdot_model *model, *other;
  char said[400] = "";
  assert_int_equal(qdot_model_parse(cx, "m", pendulum, strlen(pendulum), NULL, &model),
                   QDOT_TOO_LARGE);
  assert_int_equal(qdot_model_parse(cx, "m", pendulum, strlen(pendulum), NULL, &other),
                   QDOT_TOO_LARGE);
  FILE *memory = fmemopen(said, sizeof said, "w");
  qdot_diagnostics_write(cx, NULL, qdot_sink_stream(memory));
  fclose(memory);
  assert_non_null(strstr(said, "the limit is 20 nodes"));
  qdot_context_close(cx);
}

// ---- Whole runs

static qdot_model *load(qdot_context *cx, const char *name) {
  char path[400];
  const char *root = getenv("QDOT_ROOT");
  snprintf(path, sizeof path, "%s/examples/%s.qdot", root ? root : "..", name);
  qdot_model *model;
  assert_int_equal(qdot_model_load(cx, path, NULL, &model), QDOT_OK);
  return model;
}

static void check_same(qdot_result *a, qdot_result *b) {
  size_t columns = qdot_result_column_count(a), n, m;
  assert_int_equal(qdot_result_column_count(b), columns);
  for (size_t i = 0; i < columns; i++) {
    const double *x = qdot_result_values(a, i, &n), *y = qdot_result_values(b, i, &m);
    assert_string_equal(qdot_result_column_at(a, i), qdot_result_column_at(b, i));
    assert_int_equal(n, m);
    assert_memory_equal(x, y, n * sizeof *x);
  }
  assert_int_equal(qdot_result_event_count(a), qdot_result_event_count(b));
  assert_true(qdot_result_certificate(a)->steps == qdot_result_certificate(b)->steps);
}

static const char *const examples[] = {"four_bar", "double_pendulum", "bouncing_ball", "cart_pole"};

// The first run, the second and the one after another value was tried are those of a fresh model.
static void runs_are_repeated_exactly(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
    qdot_context *cx = qdot_context_open(NULL);
    qdot_model *model = load(cx, examples[k]);
    qdot_simulation *simulation;
    qdot_result *fresh, *first, *other, *again;
    qdot_system *system;
    qdot_run_options o = qdot_run_defaults();
    o.memory = 1 << 24, o.t_end = 1, o.every = 0.01;
    assert_int_equal(qdot_model_simulate(model, &o, &fresh), QDOT_OK);
    assert_int_equal(qdot_simulation_open(model, NULL, &simulation), QDOT_OK);
    assert_int_equal(qdot_simulation_run(simulation, &o, &first), QDOT_OK);
    check_same(fresh, first);
    assert_int_equal(qdot_system_derive(model, &system), QDOT_OK);
    const char *name = qdot_system_name_at(system, QDOT_PART_PARAMETERS, 0);
    qdot_evaluator *evaluator;
    double value;
    assert_int_equal(qdot_evaluator_open(system, 0, &evaluator), QDOT_OK);
    assert_int_equal(qdot_evaluator_get(evaluator, name, &value), QDOT_OK);
    assert_int_equal(qdot_simulation_set(simulation, name, 1.01 * value), QDOT_OK);
    assert_int_equal(qdot_simulation_run(simulation, &o, &other), QDOT_OK);
    assert_int_equal(qdot_simulation_set(simulation, name, value), QDOT_OK);
    assert_int_equal(qdot_simulation_run(simulation, &o, &again), QDOT_OK);
    check_same(fresh, again);
    // and it can be advanced step by step from there
    assert_int_equal(qdot_simulation_advance(simulation, 0.5), QDOT_OK);
    assert_true(qdot_simulation_time(simulation) == 0.5);
    qdot_context_close(cx);
  }
}

static void runs_give_their_memory_back(void **state) {
  (void)state;
  for (size_t k = 0; k < 3; k++) {
    qdot_context *cx = qdot_context_open(NULL);
    qdot_simulation *simulation;
    qdot_result *result;
    qdot_run_options o = qdot_run_defaults();
    o.memory = 1 << 24, o.t_end = 0.2, o.every = 0.02;
    assert_int_equal(qdot_simulation_open(load(cx, examples[k]), NULL, &simulation), QDOT_OK);
    size_t before = 0;
    for (int i = 0; i < 2000; i++) {
      assert_int_equal(qdot_simulation_run(simulation, &o, &result), QDOT_OK);
      qdot_result_close(result);
      if (i == 200) before = qdot_context_memory(cx);
    }
    if (qdot_context_memory(cx) != before)
      print_error("%s: %zu bytes a run\n", examples[k], (qdot_context_memory(cx) - before) / 1799);
    assert_true(qdot_context_memory(cx) - before < 1800 * 400);
    qdot_context_close(cx);
  }
}

RUN_TESTS(cmocka_unit_test(models_give_their_memory_back),
          cmocka_unit_test(analyses_give_their_memory_back),
          cmocka_unit_test(a_view_is_closed_before_its_origin),
          cmocka_unit_test(exhaustion_reaches_the_context),
          cmocka_unit_test(runs_are_repeated_exactly),
          cmocka_unit_test(runs_give_their_memory_back))
