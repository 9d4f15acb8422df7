// `check` refuses what the verbs refuse: every request line, right and wrong, in several models.
#include <stdio.h>
#include <string.h>

#include "qdot/qdot.h"
#include "solve/method.h"
#include "support/check.h"

// ---- Models, to which a line is added

static const char *const models[] = {
    // a plain oscillator
    "param m = 1 [kg], k = 4 [N/m]\ncoord x = 1 [m], y = 0 [m]\n"
    "kinetic = 1/2*m*(x'^2 + y'^2)\npotential = 1/2*k*(x^2 + y^2)\n",
    // with damping and a contact
    "param m = 1 [kg], k = 4 [N/m]\ncoord x = 1 [m], y = 0 [m]\n"
    "kinetic = 1/2*m*(x'^2 + y'^2)\npotential = 1/2*k*(x^2 + y^2)\n"
    "dissipation = (0.1 [kg/s])*x'^2/2\ncontact wall: x <= 2 [m]\n",
    // with a constraint and a mass that depends on the place
    "param m = 1 [kg], k = 4 [N/m]\ncoord x = 1 [m], y = 0 [m]\n"
    "kinetic = 1/2*m*(x'^2 + (1 + x^2/(1 [m^2]))*y'^2)\npotential = 1/2*k*(x^2 + y^2)\n"
    "constraint c: x^2 + y^2 = 1 [m^2]\n",
    // bodies
    "gravity (0, -9.81 [m/s^2])\nbody x: rod 1 [m], mass 1 [kg], angle = 20 [deg]\n"
    "joint A: revolute ground (0, 0), x (-0.5 [m], 0)\n"
    "coord y = 0 [m]\nkinetic = 1/2*(1 [kg])*y'^2\npotential = 1/2*(4 [N/m])*y^2\n",
};

typedef enum Verb { SIMULATES, LINEARIZES } Verb;

// The status of the verb and of the check, each in a context of its own.
static qdot_status verb_status(const char *text, Verb verb) {
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  qdot_system *system;
  qdot_run_options options = qdot_run_defaults();
  qdot_result *run;
  qdot_linear *linear;
  options.t_end = 0; // as the model says
  qdot_status status = qdot_model_parse(cx, "line", text, strlen(text), NULL, &model);
  if (status == QDOT_OK && verb == SIMULATES) status = qdot_model_simulate(model, &options, &run);
  if (status == QDOT_OK && verb == LINEARIZES) status = qdot_system_derive(model, &system);
  if (status == QDOT_OK && verb == LINEARIZES) status = qdot_system_linearize(system, 0, &linear);
  qdot_context_close(cx);
  return status;
}

static int keep(void *user, const char *bytes, size_t n) {
  char *out = user;
  size_t length = strlen(out);
  assert_true(length + n < 20000);
  memcpy(out + length, bytes, n);
  out[length + n] = 0;
  return 0;
}

// As JSON: the same status, and an error stands in it where there is one.
static void agree_as_json(const char *text, qdot_status wanted) {
  char json[20000] = "";
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  qdot_system *system;
  qdot_status status = qdot_model_parse(cx, "line", text, strlen(text), NULL, &model);
  if (status == QDOT_OK) status = qdot_system_derive(model, &system);
  if (status == QDOT_OK) {
    qdot_write_options style = qdot_write_defaults();
    style.format = QDOT_FORMAT_JSON;
    status = qdot_system_check_write(system, &style, (qdot_sink){keep, json});
    assert_non_null(strstr(json, "\"requests\""));
    assert_int_equal(status != QDOT_OK, strstr(json, "\"error\"") != NULL);
  }
  assert_int_equal(status, wanted);
  qdot_context_close(cx);
}

static qdot_status check_status(const char *text, size_t *warnings) {
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  qdot_system *system;
  const qdot_selfcheck *found;
  qdot_status status = qdot_model_parse(cx, "line", text, strlen(text), NULL, &model);
  if (status == QDOT_OK) status = qdot_system_derive(model, &system);
  if (status == QDOT_OK) status = qdot_system_check(system, &found);
  if (status == QDOT_OK) status = qdot_system_check_requests(system);
  assert_int_equal(status != QDOT_OK, qdot_error_count(cx) > 0);
  *warnings = qdot_warning_count(cx);
  qdot_context_close(cx);
  agree_as_json(text, status);
  return status;
}

static void agree(const char *line, Verb verb) {
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    char text[2000];
    size_t warnings;
    snprintf(text, sizeof text, "%s%s\n", models[i], line);
    qdot_status by_verb = verb_status(text, verb), by_check = check_status(text, &warnings);
    // what a setting may cure is a warning
    if (by_verb == QDOT_UNSUPPORTED && verb == LINEARIZES) {
      assert_true(by_check == QDOT_OK && warnings > 0);
      continue;
    }
    if ((by_verb == QDOT_OK) != (by_check == QDOT_OK))
      fail_msg("model %zu, '%s': %d, check %d", i, line, by_verb, by_check);
  }
}

// ---- Lines

static void all_methods_and_options(void **state) {
  (void)state;
  const char *methods[METHOD_COUNT + 4] = {"ode45", "rk54", "newmrk", "Bdf"};
  for (int i = 0; i < METHOD_COUNT; i++) methods[4 + i] = method_get((MethodId)i)->name;
  static const char *const options[] = {"",
                                        "(rtol = 1e-6)",
                                        "(rtol = 2)",
                                        "(rtol = -1)",
                                        "(rtl = 1e-6)",
                                        "(step = 1 [ms])",
                                        "(step = 0 [ms])",
                                        "(step = 1 [m])",
                                        "(beta = 1/4, gamma = 1/2)",
                                        "(beta = -1)",
                                        "(rho = 0.8)",
                                        "(rho = 3)",
                                        "(atol = -1)",
                                        "(nope = 1)"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
      char line[200];
      snprintf(line, sizeof line, "simulate to 0.01 [s] every 5 [ms] using %s%s", methods[i],
               options[k]);
      agree(line, SIMULATES);
    }
}

static void all_other_requests(void **state) {
  (void)state;
  static const char *const simulations[] = {
      "simulate to 0.01 [s]",
      "simulate to 0.01 [s] every 1e-14 [s]",
      "simulate to 0.01 [s] stabilize projection",
      "simulate to 0.01 [s] stabilize baumgarte(alpha = 5)",
      "simulate to 0.01 [s] stabilize baumgarte(alpha = -5)",
      "simulate to 0.01 [s] stabilize nope",
      "simulate to 0.01 [s] stabilize none(x = 1)",
      "simulate to 0.01 [m]",
      "simulate to 0.01 [s]\nderive using lagrnge",
      "simulate to 0.01 [s]\nderive using natural",
      "simulate to 0.01 [s]\nplot nope",
      "simulate to 0.01 [s]\nplot y, y.x",
      "simulate to 0.01 [s]\nplot contact nope",
      "simulate to 0.01 [s]\nplot spectrum y",
      "simulate to 0.01 [s]\ndraw disc (y, 0) radius nope",
      "simulate to 0.01 [s]\nconstraint far: y = 3 [m]\nconstraint near: y^2 = 2 [m^2]",
  };
  static const char *const linearizations[] = {
      "linearize at equilibrium",
      "linearize at y = 0",
      "linearize at y = 0 [kg]",
      "linearize at nope = 0",
      "linearize at motion y' = 1 [m/s]",
      "linearize at equilibrium independent y",
      "linearize at equilibrium independent y, y",
      "linearize at equilibrium independent nope",
      "linearize at x.theta = -90 [deg]",
      "linearize at equilibrium independent x.x",
      "linearize at equilibrium\nindependent y",
      "constraint far: y = 3 [m]\nconstraint near: y^2 = 2 [m^2]\nlinearize at equilibrium",
      "force y = 1 [N]*sin(3 [rad/s]*t)\nlinearize at equilibrium",
  };
  for (size_t i = 0; i < sizeof simulations / sizeof *simulations; i++)
    agree(simulations[i], SIMULATES);
  for (size_t i = 0; i < sizeof linearizations / sizeof *linearizations; i++)
    agree(linearizations[i], LINEARIZES);
}

static void plots_of_what_is_not_there_are_warned_about(void **state) {
  (void)state;
  char text[2000];
  size_t warnings;
  for (int i = 0; i < 3; i++) {
    snprintf(text, sizeof text, "%s%s\n", models[i], i % 2 ? "plot residual" : "plot multipliers");
    assert_int_equal(check_status(text, &warnings), QDOT_OK);
    assert_int_equal(warnings, i < 2); // the third has a constraint
  }
}

RUN_TESTS(cmocka_unit_test(all_methods_and_options), cmocka_unit_test(all_other_requests),
          cmocka_unit_test(plots_of_what_is_not_there_are_warned_about))
