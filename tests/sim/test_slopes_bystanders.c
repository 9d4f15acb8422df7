// Slopes of measures do not depend on what else is measured: a condition of another measure that
// only just begins to hold, as all do around a motion that has died away, changes nothing.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "sim/run_source.h"
#include "support/motion.h"

enum { PARAMETERS = 3 };

static const char *const wanted[] = {
    "integral(c*x'^2)", "integral(abs(x'))", "max(abs(x'))",        "mean(x^2)",
    "min(x)",           "rms(max(x, 0))",    "first(t, x < 0.1*A)", "last(t, abs(x) > 0.05*A)",
    "min(x^2 + A^2)",   "final(x')",         "integral(abs(x*x'))", "max(k*abs(x) + c*abs(x'))"};
static const char *const bystanders[] = {"max(abs(x))",
                                         "last(t, abs(x) > 0.03*A)",
                                         "first(t, abs(x) < 0.01*A)",
                                         "count(x > 0)",
                                         "min(abs(x'))",
                                         "mean(if(x' > 0, x, 0 [m]))",
                                         "max(max(x, 0))",
                                         "count(x*x' > 0)"};
enum { WANTED = sizeof wanted / sizeof *wanted, OTHERS = sizeof bystanders / sizeof *bystanders };

// Slopes of the first measure of a model by its first parameters; why it has none, or NULL.
static const char *slopes_of_first(Context *cx, const char *text, double *out) {
  uint32_t numbers[PARAMETERS] = {0, 1, 2};
  double values[2 + OTHERS];
  Rerun rerun;
  Motion m = motion_load_as(cx, text, NULL, FORMULATION_LAGRANGE);
  Directions directions = {PARAMETERS, numbers};
  m.options.directions = &directions;
  m.options.method.rtol = 1e-11;
  assert_int_equal(rerun_open(&rerun, &m.system, &m.options), QDOT_OK);
  assert_int_equal(rerun_measures(&rerun, NULL, NULL, 0, values), QDOT_OK);
  memcpy(out, rerun.slopes, PARAMETERS * sizeof *out);
  const char *why = rerun.undefined[0] ? text_format(&cx->keep, "%s", rerun.undefined[0]) : NULL;
  rerun_close(&rerun);
  return why;
}

// An oscillation that dies away, by far.
static const char *decay(Context *cx, Random *random, double *k, double *c, double *A) {
  double m = random_real(random, 0.5, 2), w = random_real(random, 6, 14);
  *k = m * w * w, *c = 2 * random_real(random, 0.1, 0.5) * m * w, *A = random_real(random, 0.2, 2);
  return text_format(&cx->keep,
                     "param m = %.6f [kg], k = %.6f [N/m], c = %.6f [N*s/m], A = %.6f [m]\n"
                     "coord x = A\nkinetic = m*x'^2/2\npotential = k*x^2/2\ndissipation = "
                     "c*x'^2/2\nsimulate to %.4f [s] every 0.1 [s]\n",
                     m, *k, *c, *A, 50 * m / *c);
}

TEST(bystanders_change_no_slope) {
  Random random = random_start("bystanders_change_no_slope");
  for (int round = 0; round < 3 * WANTED; round++) {
    double k, c, A, alone[PARAMETERS], beside[PARAMETERS];
    const char *model = decay(cx, &random, &k, &c, &A);
    Text text = text_new(&cx->keep);
    text_addf(&text, "%smeasure y = %s\n", model, wanted[round % WANTED]);
    const char *why = slopes_of_first(cx, text.at, alone);
    for (int i = 0; i < OTHERS; i++)
      if (random_below(&random, 2)) text_addf(&text, "measure y_%d = %s\n", i, bystanders[i]);
    const char *why_beside = slopes_of_first(cx, text.at, beside);
    if (why || why_beside)
      fail_msg("alone: %s; beside others: %s\n%s", why ? why : "a slope",
               why_beside ? why_beside : "a slope", text.at);
    for (int j = 0; j < PARAMETERS; j++) {
      if (!(fabs(beside[j] - alone[j]) <= 1e-6 * fabs(alone[j]) + 1e-8))
        fail_msg("%d: %.12g beside others, %.12g alone\n%s", j, beside[j], alone[j], text.at);
    }
    // all the energy that was in the spring
    if (round % WANTED == 0) CHECK_NEAR(beside[1], A * A / 2, 1e-6);
    if (round % WANTED == 0) CHECK_NEAR(beside[2], 0, 1e-6);
  }
}

// A bend of an integrand leaves its integral smooth, however it is touched; a jump does not.
TEST(touches_concern_what_jumps_at_them) {
  Random random = random_start("touches_concern_what_jumps_at_them");
  static const char *const others[] = {"count(x > b)", "integral(if(x > b, 1, 0))",
                                       "last(t, x > b)", "first(t, x > b)"};
  for (int round = 0; round < 16; round++) {
    double w = random_real(&random, 2, 9), v = random_real(&random, 0.5, 3), slopes[PARAMETERS];
    const char *model =
        text_format(&cx->keep,
                    "param v = %.15g [m/s], k = %.15g [N/m], b = %.15g [m]\ncoord x = 0 [m]\n"
                    "coord x' = v\nkinetic = (1 [kg])*x'^2/2\npotential = k*x^2/2\n"
                    "simulate to %.15g [s] every 0.1 [s]\n",
                    v, w * w, v / w * (1 - 1e-7), 2 * M_PI / w);
    const char *other = others[round % 4];
    // over a period: v^2/w^2 pi/w, with a moving end that is left out
    const char *why = slopes_of_first(
        cx, text_format(&cx->keep, "%smeasure y = integral(x^2), z = %s\n", model, other), slopes);
    if (why) fail_msg("%s: %s", other, why);
    CHECK_NEAR(slopes[0], 2 * v / (w * w) * M_PI / w, 1e-7 * fabs(slopes[0]) + 1e-7);
    why = slopes_of_first(
        cx,
        text_format(&cx->keep, "%smeasure y = integral(max(x - b, 0 [m])), z = %s\n", model, other),
        slopes);
    if (why) fail_msg("bend: %s", why);
    if (round % 4 == 0) continue;
    why = slopes_of_first(cx, text_format(&cx->keep, "%smeasure y = %s\n", model, other), slopes);
    if (!why || !strstr(why, "only just")) fail_msg("%s: %s", other, why ? why : "a slope");
  }
}

// A sample that falls on the end of the run concerns what it decides there alone.
TEST(the_last_sample_concerns_what_it_decides) {
  Random random = random_start("the_last_sample_concerns_what_it_decides");
  static const char *const early[] = {"max(u)", "first(u, x < 0 [m])", "start(x)",
                                      "min(u)", "last(u, t < 3*T)",    "count(x > 0.5 [m])"};
  static const char *const late[] = {"final(u)", "integral(u)", "last(u, t > 0 [s])"};
  for (int round = 0; round < 12; round++) {
    double slopes[2][PARAMETERS], T = (8 + random_below(&random, 10)) / 256.;
    const char *model =
        text_format(&cx->keep,
                    "param T = %.15g [s], k = %.6f [N/m], m = %.6f [kg]\ncoord x = 1 [m]\n"
                    "kinetic = m*x'^2/2\npotential = k*x^2/2\ninput u = 0 [N]\nforce x = u\n"
                    "sample every T: u = -(4 [N*s/m])*x'\n",
                    T, random_real(&random, 10, 30), random_real(&random, 0.8, 1.2));
    for (int k = 0; k < 2; k++) {
      const char *text =
          text_format(&cx->keep, "%smeasure y = %s\nsimulate to %.15g [s] every 0.1 [s]\n", model,
                      early[round % 6], (k ? 100.4 : 100) * T);
      const char *why = slopes_of_first(cx, text, slopes[k]);
      if (why) fail_msg("%s\n%s", why, text);
    }
    for (int j = 0; j < PARAMETERS; j++)
      CHECK_NEAR(slopes[0][j], slopes[1][j], 1e-6 * fabs(slopes[1][j]) + 1e-8);
    const char *why = slopes_of_first(
        cx,
        text_format(&cx->keep, "%smeasure y = %s\nsimulate to %.15g [s] every 0.1 [s]\n", model,
                    late[round % 3], 10 * T),
        slopes[0]);
    if (!why || !strstr(why, "end of the run"))
      fail_msg("%s: %s", late[round % 3], why ? why : "-");
  }
}

RUN_TESTS(cmocka_unit_test(bystanders_change_no_slope),
          cmocka_unit_test(touches_concern_what_jumps_at_them),
          cmocka_unit_test(the_last_sample_concerns_what_it_decides))
