// Numbers of parts as parameters: set in the text, from outside, or in an evaluator or a run under
// way, they give the same equations.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

// Every kind of part with its numbers as %g, in the order of `numbers`.
static const char *const text =
    "gravity (0, -%.17g [m/s^2])\n"
    "body crank: mass %.17g [kg], inertia %.17g [kg*m^2], angle = 70 [deg]\n"
    "body rod: rod %.17g [m], mass %.17g [kg], angle ~ -20 [deg]\n"
    "body ram: plate (%.17g [m], %.17g [m]), mass %.17g [kg], at ~ (1.2 [m], 0.1 [m])\n"
    "body tail: disc %.17g [m], mass %.17g [kg], at ~ (1.5 [m], -0.3 [m])\n"
    "joint shaft: revolute ground (0, %.17g [m]), crank (0, 0), friction %.17g [N*m*s]\n"
    "joint pin: revolute crank (%.17g [m], 0), rod (%.17g [m], 0)\n"
    "joint wrist: revolute rod (%.17g [m], 0), ram (0, 0)\n"
    "joint guide: prismatic ground (0, 0), ram (0, 0), axis 0\n"
    "joint hook: revolute ram (%.17g [m], 0), tail (0, %.17g [m])\n"
    "spring s: ground (%.17g [m], 0), ram (0, 0), stiffness %.17g [N/m], length %.17g [m]\n"
    "damper d: torsional ground, tail, damping %.17g [N*m*s]\n"
    "spring w: torsional ground, crank, stiffness %.17g [N*m], angle %.17g\n"
    "motor shaft: torque %.17g [N*m]\n"
    "output pull = s.F, bearing = shaft.F_y\n"
    "measure most = max(abs(s.F)), high = final(tail.y)\n"
    "simulate to 1 [s] every 0.1 [s]\n";

static const struct {
  const char *name;
  double value;
} numbers[] = {
    {"gravity.g", 9.81},  {"crank.mass", 1},    {"crank.inertia", 0.1}, {"rod.length", 1},
    {"rod.mass", 2},      {"ram.width", 0.2},   {"ram.height", 0.1},    {"ram.mass", 3},
    {"tail.radius", 0.1}, {"tail.mass", 0.5},   {"shaft.y_1", 0.05},    {"shaft.friction", 0.1},
    {"pin.x_1", 0.3},     {"pin.x_2", -0.5},    {"wrist.x_1", 0.6},     {"hook.x_1", 0.25},
    {"hook.y_2", 0.15},   {"s.x_1", 2},         {"s.stiffness", 40},    {"s.length_0", 0.4},
    {"d.damping", 0.05},  {"w.stiffness", 1.5}, {"w.angle_0", 0.4},     {"shaft.torque", 2.5}};
enum { COUNT = sizeof numbers / sizeof *numbers, MOST = 24 };

static const char *const formulations[] = {"lagrange", "newton-euler", "maximal", "natural"};

static char *write_text(const double *v) {
  char *out = malloc(8000);
  int n = snprintf(out, 8000, text, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9],
                   v[10], v[11], v[12], v[13], v[14], v[15], v[16], v[17], v[18], v[19], v[20],
                   v[21], v[22], v[23]);
  assert_true(n > 0 && n < 8000);
  return out;
}

static qdot_model *read_text(qdot_context *cx, const double *v, const char *formulation,
                             const char *const *settings, size_t n) {
  char *model_text = write_text(v);
  qdot_model_options options = qdot_model_defaults();
  options.settings = settings, options.setting_count = n, options.formulation = formulation;
  qdot_model *model;
  qdot_status status =
      qdot_model_parse(cx, "text", model_text, strlen(model_text), &options, &model);
  if (status != QDOT_OK) qdot_diagnostics_write(cx, NULL, qdot_sink_stream(stderr));
  assert_int_equal(status, QDOT_OK);
  free(model_text);
  return model;
}

static void draw_numbers(Random *random, double *v) {
  for (int i = 0; i < COUNT; i++)
    v[i] = numbers[i].value * (i % 3 ? 1 : random_real(random, 0.95, 1.05));
}

static void start_numbers(double *v) {
  for (int i = 0; i < COUNT; i++) v[i] = numbers[i].value;
}

typedef struct Answer {
  size_t n;
  double qdd[MOST], outputs[2];
} Answer;

static Answer ask(qdot_system *system, qdot_evaluator *evaluator, const double *q,
                  const double *qd) {
  Answer a = {.n = qdot_system_name_count(system, QDOT_PART_COORDINATES)};
  double lambda[MOST], energies[3];
  assert_int_equal(qdot_evaluator_accelerations(evaluator, 0, q, qd, a.qdd, lambda), QDOT_OK);
  assert_int_equal(qdot_evaluator_outputs(evaluator, 0, q, qd, a.outputs, energies), QDOT_OK);
  return a;
}

static void assert_alike(const Answer *a, const Answer *b) {
  assert_int_equal(a->n, b->n);
  for (size_t i = 0; i < a->n; i++) CHECK_NEAR(a->qdd[i], b->qdd[i], 1e-9 * (1 + fabs(b->qdd[i])));
  for (size_t i = 0; i < 2; i++)
    CHECK_NEAR(a->outputs[i], b->outputs[i], 1e-9 * (1 + fabs(b->outputs[i])));
}

static void open_both(qdot_context *cx, qdot_model *model, qdot_system **system,
                      qdot_evaluator **evaluator) {
  (void)cx;
  assert_int_equal(qdot_system_derive(model, system), QDOT_OK);
  assert_int_equal(qdot_evaluator_open(*system, QDOT_EVALUATE_OUTPUTS, evaluator), QDOT_OK);
}

// In the text, as a setting, and in an evaluator that began with other numbers.
TEST(three_ways_to_set_a_number_agree) {
  Random random = random_start("three_ways_to_set_a_number_agree");
  for (int round = 0; round < 4; round++) {
    const char *formulation = formulations[round];
    double start[COUNT], v[COUNT], q[MOST], qd[MOST], value;
    start_numbers(start), draw_numbers(&random, v);
    char lines[COUNT][60];
    const char *settings[COUNT];
    for (int i = 0; i < COUNT; i++) {
      snprintf(lines[i], sizeof lines[i], "%s=%.17g", numbers[i].name, v[i]);
      settings[i] = lines[i];
    }
    qdot_context *own = qdot_context_open(NULL);
    qdot_system *in_text, *set, *changed;
    qdot_evaluator *e_text, *e_set, *e_changed;
    open_both(own, read_text(own, v, formulation, NULL, 0), &in_text, &e_text);
    open_both(own, read_text(own, start, formulation, settings, COUNT), &set, &e_set);
    open_both(own, read_text(own, start, formulation, NULL, 0), &changed, &e_changed);
    for (int i = 0; i < COUNT; i++) {
      assert_int_equal(qdot_evaluator_get(e_changed, numbers[i].name, &value), QDOT_OK);
      CHECK_NEAR(value, start[i], 1e-14 * fabs(start[i]));
      assert_int_equal(qdot_evaluator_set(e_changed, numbers[i].name, v[i]), QDOT_OK);
      assert_int_equal(qdot_evaluator_get(e_set, numbers[i].name, &value), QDOT_OK);
      CHECK_NEAR(value, v[i], 1e-14 * fabs(v[i]));
    }
    assert_int_equal(qdot_evaluator_initial(e_text, q, qd), QDOT_OK);
    size_t n = qdot_system_name_count(in_text, QDOT_PART_COORDINATES);
    for (size_t i = 0; i < n; i++) qd[i] += random_real(&random, -0.1, 0.1);
    assert_int_equal(qdot_evaluator_project(e_text, 0, q, qd), QDOT_OK);
    Answer a = ask(in_text, e_text, q, qd), b = ask(set, e_set, q, qd),
           c = ask(changed, e_changed, q, qd);
    assert_alike(&b, &a);
    assert_alike(&c, &a);
    qdot_context_close(own);
  }
}

// All of them are listed, and the derivative by each is that of differences.
TEST(slopes_by_numbers_are_differences) {
  double start[COUNT], q[MOST], qd[MOST], slopes[2 * MOST * 40];
  start_numbers(start);
  qdot_context *own = qdot_context_open(NULL);
  qdot_system *system;
  qdot_evaluator *e, *other;
  open_both(own, read_text(own, start, "lagrange", NULL, 0), &system, &other);
  unsigned parts = QDOT_EVALUATE_PARAMETER_SLOPES | QDOT_EVALUATE_OUTPUTS;
  assert_int_equal(qdot_evaluator_open(system, parts, &e), QDOT_OK);
  assert_int_equal(qdot_evaluator_initial(e, q, qd), QDOT_OK);
  size_t p = qdot_system_name_count(system, QDOT_PART_PARAMETERS);
  size_t n = qdot_system_name_count(system, QDOT_PART_COORDINATES);
  assert_true(p >= COUNT && p < 40);
  assert_int_equal(qdot_evaluator_slopes(e, 0, q, qd, NULL, NULL, slopes), QDOT_OK);
  for (size_t k = 0; k < p; k++) {
    const char *name = qdot_system_name_at(system, QDOT_PART_PARAMETERS, k);
    double value;
    assert_int_equal(qdot_evaluator_get(e, name, &value), QDOT_OK);
    if (strstr(name, ".inertia") && strcmp(name, "crank.inertia") != 0) continue; // computed
    double h = 1e-6 * fabs(value), rows[2][MOST];
    // places move the constraints off zero, whose accelerations stay defined
    for (int side = 0; side < 2; side++) {
      assert_int_equal(qdot_evaluator_set(other, name, value + (side ? h : -h)), QDOT_OK);
      Answer a = ask(system, other, q, qd);
      memcpy(rows[side], a.qdd, sizeof rows[side]);
    }
    assert_int_equal(qdot_evaluator_set(other, name, value), QDOT_OK);
    for (size_t i = 0; i < n; i++) {
      double difference = (rows[1][i] - rows[0][i]) / (2 * h);
      CHECK_NEAR(slopes[i * p + k], difference, 1e-5 * (1 + fabs(difference)));
    }
  }
  qdot_context_close(own);
}

// A run whose spring is exchanged under way goes on as one that begins there with the other.
TEST(a_run_goes_on_with_another_number) {
  double start[COUNT], v[COUNT];
  start_numbers(start), start_numbers(v);
  v[18] = 90;
  qdot_context *own = qdot_context_open(NULL);
  qdot_simulation *changed, *fresh;
  assert_int_equal(qdot_simulation_open(read_text(own, start, "lagrange", NULL, 0), NULL, &changed),
                   QDOT_OK);
  assert_int_equal(qdot_simulation_open(read_text(own, v, "lagrange", NULL, 0), NULL, &fresh),
                   QDOT_OK);
  assert_int_equal(qdot_simulation_advance(changed, 0.5), QDOT_OK);
  const double *row = qdot_simulation_values(changed);
  size_t columns = qdot_simulation_column_count(changed);
  double q[MOST], qd[MOST];
  for (size_t i = 0; i < 4; i++) q[i] = row[1 + i], qd[i] = row[5 + i];
  assert_int_equal(qdot_simulation_set(changed, "s.stiffness", 90), QDOT_OK);
  assert_int_equal(qdot_simulation_set_state(fresh, 0.5, q, qd), QDOT_OK);
  assert_int_equal(qdot_simulation_advance(changed, 1), QDOT_OK);
  assert_int_equal(qdot_simulation_advance(fresh, 1), QDOT_OK);
  row = qdot_simulation_values(changed);
  const double *expected = qdot_simulation_values(fresh);
  for (size_t i = 0; i < columns; i++)
    if (i < 9) CHECK_NEAR(row[i], expected[i], 1e-6 * (1 + fabs(expected[i])));
  assert_int_equal(qdot_simulation_set(changed, "s.stiffnes", 1), QDOT_UNKNOWN_NAME);
  qdot_context_close(own);
}

RUN_TESTS(cmocka_unit_test(three_ways_to_set_a_number_agree),
          cmocka_unit_test(slopes_by_numbers_are_differences),
          cmocka_unit_test(a_run_goes_on_with_another_number))
