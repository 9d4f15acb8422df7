// Models without a value at t = 0: every question says so, in the words of a run.
#include <stdio.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

static int keep_text(void *user, const char *bytes, size_t n) {
  strncat(user, bytes, n);
  return 0;
}

static const char *const DATA = "/tmp/qdot_test_no_value.csv";

// A part of the model that has no value where x = x_0, and what is said of it.
typedef struct Gap {
  const char *line, *said;
} Gap;

static const Gap gaps[] = {
    {"force x = (1 [N*m])/(x - x_0)", "the equation of 'x' has no value from there on"},
    {"force x = (1 [N])/sin(3*t/(1 [s]))", "the equation of 'x' has no value from there on"},
    {"force x = (1 [N])*log(x/x_0 - 1)", "the equation of 'x' has no value from there on"},
    {"force x = (1 [N])*(x/x_0 - 1)^(-1/3)", "the equation of 'x' has no value from there on"},
    {"potential = (1 [J])*log(x/x_0 - 1)", "has no value from there on"},
};

TEST(no_question_survives_a_start_without_a_value) {
  (void)cx;
  static const char *const questions[] = {"sensitivity", "fit", "find", "orbit", "tolerance"};
  Random random = random_start("no_question_survives_a_start_without_a_value");
  FILE *file = fopen(DATA, "w");
  assert_non_null(file);
  fputs("t,x\n0,1\n0.1,0.9\n0.2,0.8\n0.3,0.6\n", file);
  fclose(file);
  for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
    char text[1500], told[4000] = "";
    double start = random_real(&random, 0.5, 2);
    snprintf(text, sizeof text,
             "param m = %.3g [kg], k = %.3g [N/m], x_0 = %.3g [m]\ncoord x = x_0\n"
             "kinetic = m*x'^2/2\npotential = k*x^2/2\n%s\nmeasure peak = max(x)\n"
             "sensitivity peak to k\nfind k in 1..10 [N/m]: peak = 1 [m]\n"
             "fit k to \"qdot_test_no_value.csv\": t = t [s], x = x [m]\norbit x ~ x_0\n"
             "tolerance k = 5 [%%], runs 20: peak\nsimulate to 1 [s] every 0.1 [s]\n",
             random_real(&random, 0.5, 2), random_real(&random, 1, 9), start, gaps[g].line);
    for (size_t q = 0; q < sizeof questions / sizeof *questions; q++) {
      qdot_context *own = qdot_context_open(NULL);
      qdot_model *model = NULL;
      assert_int_equal(
          qdot_model_parse(own, "/tmp/qdot_test.qdot", text, strlen(text), NULL, &model), QDOT_OK);
      qdot_answer *answer = NULL;
      qdot_tolerance *spread = NULL;
      qdot_status status = strcmp(questions[q], "tolerance") == 0
                               ? qdot_model_tolerance(model, NULL, &spread)
                               : qdot_model_ask(model, questions[q], NULL, &answer);
      assert_int_not_equal(status, QDOT_OK);
      *told = '\0';
      qdot_diagnostics_write(own, NULL, (qdot_sink){keep_text, told});
      assert_non_null(strstr(told, "the run ends at t = 0 s"));
      assert_non_null(strstr(told, gaps[g].said));
      qdot_context_close(own);
    }
  }
  remove(DATA);
}

RUN_TESTS(cmocka_unit_test(no_question_survives_a_start_without_a_value))
