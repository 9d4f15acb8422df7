// Searches where a measure has no derivative, or where another one beside it has none.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

enum { ROOM = 4000 };

static int keep_text(void *user, const char *text, size_t length) {
  char *out = user;
  size_t used = strlen(out);
  if (used + length < ROOM) memcpy(out + used, text, length), out[used + length] = 0;
  return 0;
}

// The answer in words; k: what it found.
static void ask(const char *text, const char *question, char *out, double *k) {
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model = NULL;
  qdot_answer *answer = NULL;
  assert_int_equal(qdot_model_parse(cx, "decay", text, strlen(text), NULL, &model), QDOT_OK);
  assert_int_equal(qdot_model_ask(model, question, NULL, &answer), QDOT_OK);
  out[0] = 0;
  qdot_answer_write(answer, NULL, (qdot_sink){keep_text, out});
  if (k && !qdot_answer_is_found(answer)) fail_msg("%s\n%s", text, out);
  if (k) *k = qdot_answer_number(answer, "parameters/k");
  qdot_context_close(cx);
}

// An oscillation from A that dies away: all of k A^2/2 becomes heat.
static double decay(Random *random, char *out) {
  double m = random_real(random, 0.5, 2), A = random_real(random, 0.5, 2);
  double c = random_real(random, 0.3, 0.6) * m * 10;
  snprintf(out, ROOM,
           "param m = %.6f [kg], k = 100 [N/m], c = %.6f [N*s/m]\ncoord x = %.12g [m]\n"
           "kinetic = m*x'^2/2\npotential = k*x^2/2\ndissipation = c*x'^2/2\n"
           "simulate to %.6f [s] every 0.1 [s]\nmeasure heat = integral(c*x'^2)\n",
           m, c, A, 50 * m / c);
  return A;
}

TEST(bystanders_change_no_result) {
  (void)cx;
  Random random = random_start("bystanders_change_no_result");
  static const char *const others[] = {"max(k*abs(x))", "last(t, abs(x) > 0.05 [m])",
                                       "first(t, abs(x) < 0.01 [m])", "count(x > 0 [m])",
                                       "min(abs(x'))"};
  for (int round = 0; round < 15; round++) {
    char text[ROOM], said[ROOM];
    double A = decay(&random, text), wanted = random_real(&random, 60, 190), alone, beside;
    size_t used = strlen(text);
    if (round % 3 == 0) wanted = 50;
    if (round % 3 == 0)
      snprintf(text + used, ROOM - used, "find k in 50..200 [N/m]: minimize heat\n");
    if (round % 3 == 1)
      snprintf(text + used, ROOM - used, "find k in 50..200 [N/m]: heat = %.12g [J]\n",
               wanted * A * A / 2);
    if (round % 3 == 2)
      snprintf(
          text + used, ROOM - used,
          "measure far = integral(x^2)\nfind k in 50..200 [N/m]: minimize far, heat <= %.12g [J]\n",
          wanted * A * A / 2);
    ask(text, "find", said, &alone);
    used = strlen(text);
    snprintf(text + used, ROOM - used, "measure other = %s\n", others[round % 5]);
    ask(text, "find", said, &beside);
    if (strstr(said, "changes nothing")) fail_msg("%s\n%s", text, said);
    CHECK_NEAR(beside, alone, 1e-3);
    if (round % 3 < 2) CHECK_NEAR(beside, wanted, 1e-3);
  }
}

// What is aimed at has no derivative; runs beside each other tell how it changes.
TEST(differences_stand_in_for_derivatives) {
  (void)cx;
  Random random = random_start("differences_stand_in_for_derivatives");
  for (int round = 0; round < 10; round++) {
    char text[ROOM], said[ROOM];
    double A = decay(&random, text), wanted = random_real(&random, 60, 190), k;
    bool is_least = round % 2 == 0;
    size_t used = strlen(text);
    snprintf(
        text + used, ROOM - used,
        "param W = %.12g [J]\nmeasure y = %s\nsensitivity y to k\nfind k in 50..200 [N/m]: %s\n",
        wanted * A * A / 2,
        is_least ? "(integral(c*x'^2) - W)^2/(1 [J^2]) + rms(max(x - 9 [m], 0 [m]))/(1 [m])"
                 : "integral(c*x'^2)/W + rms(max(x - 9 [m], 0 [m]))/(1 [m])",
        is_least ? "minimize y" : "y = 1");
    ask(text, "sensitivity", said, NULL);
    if (!strstr(said, "no derivative")) fail_msg("%s\n%s", text, said);
    ask(text, "find", said, &k);
    if (strstr(said, "changes nothing")) fail_msg("%s\n%s", text, said);
    CHECK_NEAR(k, wanted, is_least ? 0.05 : 1e-3);
  }
}

// A count has the derivative 0 and changes nevertheless.
TEST(what_counts_is_not_idle) {
  (void)cx;
  Random random = random_start("what_counts_is_not_idle");
  for (int round = 0; round < 10; round++) {
    char text[ROOM], said[ROOM];
    snprintf(text, sizeof text,
             "param m = %.6f [kg], k = 100 [N/m], idle = 1\ncoord x = 0.1 [m]\nkinetic = m*x'^2/2\n"
             "potential = k*x^2/2\nmeasure n = count(x > 0.05 [m])\n"
             "find k in 50..900 [N/m], idle in 1..2: maximize n\nsimulate to 5 [s] every 0.1 [s]\n",
             random_real(&random, 0.5, 2));
    ask(text, "find", said, NULL);
    if (strstr(said, "k changes nothing")) fail_msg("%s\n%s", text, said);
    if (!strstr(said, "idle changes nothing")) fail_msg("%s\n%s", text, said);
  }
}

RUN_TESTS(cmocka_unit_test(bystanders_change_no_result),
          cmocka_unit_test(differences_stand_in_for_derivatives),
          cmocka_unit_test(what_counts_is_not_idle))
