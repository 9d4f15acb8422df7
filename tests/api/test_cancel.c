// Calls that are cancelled or run out of time, at any of their polls: the context, its models and
// what was made from them before do afterwards what they would have done, to the byte.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "qdot/qdot.h"
#include "support/check.h"

static const char crank[] =
    "param a = 0.5 [m], L = 1 [m], J = 1 [kg*m^2], m = 1 [kg], k = 1 [N/m], F = 2 [N]\n"
    "coord q = 90 [deg], x ~ 0.87 [m], p ~ -30 [deg]\n"
    "kinetic = 1/2*J*q'^2 + 1/2*m*x'^2 + J*p'^2\n"
    "let A = a/2*(cos(q), sin(q)), B = (x - L/2*cos(p), -L/2*sin(p))\n"
    "potential spring = 1/2*k*(norm(B - A) - L)^2\nforce (x + L*cos(p), L*sin(p)) = (F, 0)\n"
    "constraint loop_x: x - L*cos(p) = a*cos(q)\nconstraint loop_y: -L*sin(p) = a*sin(q)\n"
    "measure peak = max(abs(lambda_loop_x))\nsensitivity peak to L, m\n"
    "simulate to 1 [s] every 0.2 [s]\n";

static const char cart[] =
    "param m = 2 [kg], M = 5 [kg], L = 1 [m], g = 9.81 [m/s^2], k = 30 [N/m], c = 0.3 [N*s/m]\n"
    "coord x = 0.1 [m], theta = 20 [deg]\ninput F = 0 [N]\noutput tip = x + L*sin(theta)\n"
    "let r = (x + L*sin(theta), -L*cos(theta))\n"
    "kinetic = 1/2*M*x'^2 + 1/2*m*dot(r', r')\npotential = m*g*r.y + 1/2*k*x^2\n"
    "dissipation = 1/2*c*x'^2\nforce x = F\ncontact wall: x <= 0.4 [m], restitution 0.5\n"
    "linearize at x = 0, theta = 0\nsimulate to 0.5 [s] every 0.1 [s]\n";

static const char four_bar[] =
    "param a = 0.1 [m], b = 0.3 [m], c = 0.25 [m], d = 0.3 [m], rho = 2 [kg/m]\n"
    "body crank: rod a, mass rho*a, angle = 60 [deg]\nbody coupler: rod b, mass rho*b, angle 30 "
    "[deg]\n"
    "body rocker: rod c, mass rho*c, angle 100 [deg]\n"
    "joint A: revolute ground (0, 0), crank (-a/2, 0)\n"
    "joint B: revolute crank (a/2, 0), coupler (-b/2, 0)\n"
    "joint C: revolute coupler (b/2, 0), rocker (c/2, 0)\n"
    "joint D: revolute rocker (-c/2, 0), ground (d, 0)\n"
    "measure load = max(abs(B.F_x))\nsensitivity load to b\n"
    "simulate to 0.1 [s] every 0.02 [s]\n";

// ---- Texts

typedef struct Told {
  char *text;
  size_t n, room;
} Told;

static int take(void *user, const char *bytes, size_t n) {
  Told *told = user;
  if (told->n + n + 1 > told->room) {
    told->room = 2 * (told->n + n) + 4096;
    told->text = realloc(told->text, told->room);
    if (!told->text) return 1;
  }
  memcpy(told->text + told->n, bytes, n);
  told->n += n;
  told->text[told->n] = 0;
  return 0;
}

static int take_file(void *user, const char *name, const char *bytes, size_t n) {
  return take(user, name, strlen(name)) || take(user, bytes, n);
}

// Without what a clock has said.
static void forget_times(Told *told) {
  for (char *at = told->text; at && (at = strstr(at, "seconds\":"));) {
    size_t n = strcspn(at, ",\n}");
    memset(at, '_', n), at += n;
  }
}

// ---- What is done with a model

typedef qdot_status Work(qdot_model *model, Told *told);

static qdot_status derive_and_print(qdot_model *model, Told *told) {
  static const qdot_format formats[] = {QDOT_FORMAT_JSON, QDOT_FORMAT_LATEX, QDOT_FORMAT_HTML};
  qdot_system *system;
  qdot_status status = qdot_system_derive(model, &system);
  for (int i = 0; i < 3 && status == QDOT_OK; i++) {
    qdot_system_write_options options = qdot_system_write_defaults();
    options.format = formats[i], options.steps = i == 1;
    status = qdot_system_write(system, &options, (qdot_sink){take, told});
  }
  if (status == QDOT_OK) qdot_system_close(system);
  return status;
}

static qdot_status export_code(qdot_model *model, Told *told) {
  qdot_system *system;
  qdot_export_options options = qdot_export_defaults();
  options.files = (qdot_file_sink){take_file, told};
  qdot_status status = qdot_system_derive(model, &system);
  if (status == QDOT_OK) status = qdot_system_export(system, "python", &options);
  if (status == QDOT_OK) qdot_system_close(system);
  return status;
}

static const qdot_write_options json = {.size = sizeof json, .format = QDOT_FORMAT_JSON};

static qdot_status rest_and_linearize(qdot_model *model, Told *told) {
  qdot_system *system;
  qdot_equilibria *found;
  qdot_linear *linear;
  qdot_equilibria_options few = qdot_equilibria_defaults();
  few.starts = 3;
  qdot_status status = qdot_system_derive(model, &system);
  if (status == QDOT_OK) status = qdot_system_equilibria(system, &few, &found);
  if (status == QDOT_OK) status = qdot_equilibria_write(found, &json, (qdot_sink){take, told});
  if (status == QDOT_OK) status = qdot_system_linearize(system, 0, &linear);
  if (status == QDOT_OK) status = qdot_linear_write(linear, &json, (qdot_sink){take, told});
  return status == QDOT_CANCELLED ? status : QDOT_OK;
}

static qdot_status simulate(qdot_model *model, Told *told) {
  qdot_result *result;
  qdot_run_options options = qdot_run_defaults();
  options.memory = 1 << 20;
  qdot_status status = qdot_model_simulate(model, &options, &result);
  if (status != QDOT_OK) return status;
  for (size_t i = 0; i < qdot_result_column_count(result); i++) {
    size_t n;
    const double *values = qdot_result_values(result, i, &n);
    if (!values) return QDOT_CANCELLED; // the only way to be without
    take(told, (const char *)values, n * sizeof *values);
  }
  qdot_result_close(result);
  return QDOT_OK;
}

static qdot_status ask(qdot_model *model, Told *told) {
  qdot_answer *answer;
  if (!qdot_model_question_at(model, 0)) return QDOT_OK;
  qdot_status status = qdot_model_ask(model, qdot_model_question_at(model, 0), NULL, &answer);
  if (status == QDOT_OK) status = qdot_answer_write(answer, &json, (qdot_sink){take, told});
  if (status == QDOT_OK) qdot_answer_close(answer);
  return status;
}

static qdot_status go_by_hand(qdot_model *model, Told *told) {
  qdot_simulation *simulation;
  qdot_status status = qdot_simulation_open(model, NULL, &simulation);
  if (status != QDOT_OK) return status;
  for (int i = 1; i <= 5 && status == QDOT_OK; i++) {
    while ((status = qdot_simulation_advance(simulation, 0.02 * i)) == QDOT_CANCELLED)
      status = QDOT_OK; // and on from where it is
    const double *row = status == QDOT_OK ? qdot_simulation_values(simulation) : NULL;
    if (row)
      take(told, (const char *)row, qdot_simulation_column_count(simulation) * sizeof *row);
    else
      status = QDOT_CANCELLED;
  }
  qdot_simulation_close(simulation);
  return status;
}

static Work *const works[] = {derive_and_print, export_code, rest_and_linearize,
                              simulate,         ask,         go_by_hand};
enum { WORKS = sizeof works / sizeof *works };

// ---- Cancelled anywhere

static qdot_model *parse(qdot_context *cx, const char *text) {
  qdot_model *model = NULL;
  qdot_status status = qdot_model_parse(cx, "m.qdot", text, strlen(text), NULL, &model);
  if (status != QDOT_OK) qdot_diagnostics_write(cx, NULL, qdot_sink_stream(stderr));
  assert_int_equal(status, QDOT_OK);
  return model;
}

// What it tells in a context of its own, and how often it polls.
static uint32_t undisturbed(const char *text, Work *work, Told *told) {
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model = parse(cx, text);
  told->n = 0;
  model->cx->polls_left = UINT32_MAX;
  assert_int_equal(work(model, told), QDOT_OK);
  uint32_t polls = UINT32_MAX - model->cx->polls_left;
  forget_times(told);
  qdot_context_close(cx);
  return polls;
}

static void check_model(const char *text, Random *random, int rounds) {
  Told expected[WORKS] = {0}, told = {0};
  uint32_t polls[WORKS];
  for (int i = 0; i < WORKS; i++) polls[i] = undisturbed(text, works[i], &expected[i]);
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model = parse(cx, text);
  int cancelled = 0;
  for (int round = 0; round < rounds; round++) {
    int chosen = random_below(random, WORKS);
    if (polls[chosen] == 0) continue;
    uint32_t at = 1 + (uint32_t)random_below(random, (int)polls[chosen]);
    told.n = 0;
    model->cx->polls_left = at;
    qdot_status status = works[chosen](model, &told);
    model->cx->polls_left = 0;
    if (status != QDOT_OK) {
      assert_int_equal(status, QDOT_CANCELLED);
      assert_true(qdot_error_count(cx) > 0);
      cancelled++;
    }
    qdot_diagnostics_clear(cx);
    chosen = random_below(random, WORKS);
    told.n = 0;
    status = works[chosen](model, &told);
    if (status != QDOT_OK) qdot_diagnostics_write(cx, NULL, qdot_sink_stream(stderr));
    assert_int_equal(status, QDOT_OK);
    forget_times(&told);
    assert_int_equal(told.n, expected[chosen].n);
    assert_memory_equal(told.text, expected[chosen].text, told.n);
    if (round % 2) { // from the beginning: what is derived once is derived anew
      qdot_model_close(model);
      model = parse(cx, text);
    }
  }
  print_message("%d of %d calls cancelled\n", cancelled, rounds);
  assert_true(cancelled > rounds / 4);
  qdot_context_close(cx);
  for (int i = 0; i < WORKS; i++) free(expected[i].text);
  free(told.text);
}

static void models_survive_their_cancelled_calls(void **state) {
  (void)state;
  Random random = random_start(__func__);
  check_model(cart, &random, test_rounds(60));
  check_model(crank, &random, test_rounds(60));
  check_model(four_bar, &random, test_rounds(30));
}

// ---- Out of time

static const char spinner[] = "param J = 1 [kg*m^2]\ncoord phi = 0.1 [rad], phi' = 1 [rad/s]\n"
                              "kinetic = 1/2*J*phi'^2\npotential = -(5 [J])*cos(phi)\n"
                              "simulate to 1e12 [s] every 1e10 [s]\n";

static void time_limits_end_runs_alone(void **state) {
  (void)state;
  qdot_limits limits = qdot_limits_defaults();
  limits.seconds = 0.05;
  qdot_context *cx = qdot_context_open(&limits);
  qdot_model *model = parse(cx, spinner);
  qdot_result *result;
  qdot_simulation *simulation;
  for (int i = 0; i < 3; i++) {
    double began = context_seconds();
    assert_int_equal(qdot_model_simulate(model, NULL, &result), QDOT_TIMEOUT);
    assert_null(result);
    assert_true(context_seconds() - began < 2);
    Told told = {0};
    qdot_diagnostics_write(cx, NULL, (qdot_sink){take, &told});
    assert_non_null(strstr(told.text, "the time limit is reached\n    the limit is 0.05 s\n"));
    free(told.text);
    qdot_diagnostics_clear(cx);
  }
  assert_int_equal(qdot_simulation_open(model, NULL, &simulation), QDOT_OK);
  double before = 0;
  for (int i = 0; i < 3; i++) {
    double began = context_seconds();
    assert_int_equal(qdot_simulation_advance(simulation, 1e308), QDOT_TIMEOUT);
    assert_true(context_seconds() - began < 2);
    assert_true(qdot_simulation_time(simulation) > before);
    before = qdot_simulation_time(simulation);
  }
  qdot_simulation_close(simulation);
  qdot_context_close(cx);
}

RUN_TESTS(cmocka_unit_test(models_survive_their_cancelled_calls),
          cmocka_unit_test(time_limits_end_runs_alone))
