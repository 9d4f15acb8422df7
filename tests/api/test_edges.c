// Searches that end at an edge beyond which runs tell nothing, against closed forms.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

static int keep_text(void *user, const char *bytes, size_t n) {
  strncat(user, bytes, n);
  return 0;
}

static double number_after(const char *text, const char *key) {
  const char *at = strstr(text, key);
  assert_non_null(at);
  return strtod(strchr(at, ':') + 1, NULL);
}

static void find(const char *text, char *out, size_t size) {
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  qdot_answer *answer;
  assert_int_equal(qdot_model_parse(cx, "cam.qdot", text, strlen(text), NULL, &model), QDOT_OK);
  assert_int_equal(qdot_model_ask(model, "find", NULL, &answer), QDOT_OK);
  qdot_write_options json = qdot_write_defaults();
  json.format = QDOT_FORMAT_JSON;
  memset(out, 0, size);
  qdot_sink sink = {keep_text, out};
  assert_int_equal(qdot_answer_write(answer, &json, sink), QDOT_OK);
  qdot_context_close(cx);
}

// y = e (1 - cos w t) is pressed by F + k y + m y'': least at the top, where it is F + 2 k e -
// m e w^2. Beyond lift-off it is 0 and tells no way back.
TEST(the_fastest_cam_is_found) {
  (void)cx;
  Random random = random_start("cams");
  for (int round = 0; round < test_rounds(6); round++) {
    double m = random_real(&random, 0.2, 2), k = random_real(&random, 50, 500);
    double e = random_real(&random, 0.005, 0.04), F = random_real(&random, 1, 20);
    double w = sqrt((F + 2 * k * e) / (m * e));
    char text[1000], out[20000];
    snprintf(text, sizeof text,
             "param m = %.17g [kg], k = %.17g [N/m], F = %.17g [N], e = %.17g [m]\n"
             "param w = %.17g [rad/s]\ncoord y = 0 [m], y' = 0 [m/s]\n"
             "kinetic = 1/2*m*y'^2\npotential = 1/2*k*y^2 + F*y\n"
             "contact cam: y >= e*(1 - cos(w*t))\n"
             "measure least = min(lambda_cam), speed = w\n"
             "find w in %.17g..%.17g [rad/s]: maximize speed, least >= %.17g [N]\n"
             "simulate to %.17g [s] every 0.1 [s]\n",
             m, k, F, e, w * random_real(&random, 0.4, 0.9), 0.3 * w, 3 * w, 1e-6 * F, 15 / w);
    find(text, out, sizeof out);
    assert_non_null(strstr(out, "\"found\": true"));
    double found = number_after(out, "\"w\"");
    if (fabs(found - w) > 1e-5 * w) print_message("%.9g, expected %.9g\n", found, w);
    assert_true(fabs(found - w) <= 1e-5 * w);
  }
}

// Where the edge is a curve or a surface, what is best may lie anywhere on it.
TEST(the_best_place_of_an_edge_is_found) {
  (void)cx;
  Random random = random_start("edges");
  for (int round = 0; round < test_rounds(6); round++) {
    double m = random_real(&random, 0.3, 1), e = random_real(&random, 0.01, 0.03);
    double F = random_real(&random, 8, 20), k = random_real(&random, 200, 500);
    double w = sqrt((F + 2 * k * e) / (m * e)), widest = random_real(&random, 0.04, 0.06);
    char text[1200], out[30000];
    snprintf(text, sizeof text,
             "param m = %.17g [kg], k = %.17g [N/m], F = %.17g [N], e = %.17g [m]\n"
             "param w = %.17g [rad/s]\ncoord y = 0 [m], y' = 0 [m/s]\n"
             "kinetic = 1/2*m*y'^2\npotential = 1/2*k*y^2 + F*y\n"
             "contact cam: y >= e*(1 - cos(w*t))\n"
             "measure least = min(lambda_cam), speed = w, gain = w*e*(%.17g [m] - e)\n"
             "find w in %.17g..%.17g [rad/s], %s: maximize %s, least >= %.17g [N]\n"
             "simulate to %.17g [s] every 0.1 [s]\n",
             m, 0.7 * k, 0.5 * F, e, 0.4 * w, widest, 0.2 * w, 4 * w,
             round % 2 ? "e in 0.003..0.035 [m]" : "F in 1..25 [N], k in 100..600 [N/m]",
             round % 2 ? "gain" : "speed", 1e-6 * F, 25 / w);
    find(text, out, sizeof out);
    assert_non_null(strstr(out, "\"found\": true"));
    double expected = sqrt((25 + 2 * 600 * e) / (m * e)), got = number_after(out, "\"speed\"");
    if (round % 2) {
      expected = 0, got = number_after(out, "\"gain\"");
      for (double x = 0.003; x <= 0.035; x += 1e-6)
        expected = fmax(expected, (widest - x) * sqrt(x * (0.5 * F + 2 * 0.7 * k * x) / m));
    }
    if (fabs(got / expected - 1) > 1e-5) print_message("%.9g, expected %.9g\n", got, expected);
    assert_true(fabs(got / expected - 1) <= 1e-5);
  }
}

// The last moment beyond a twentieth is earliest where the first swing back just comes to it: with
// less damping it jumps to the end of that swing.
TEST(measures_that_jump_are_told) {
  (void)cx;
  double ratio = log(20) / sqrt(M_PI * M_PI + log(20) * log(20));
  for (int unknowns = 1; unknowns <= 2; unknowns++) {
    char text[1200], out[30000];
    snprintf(text, sizeof text,
             "param m = 1 [kg], k = 80 [N/m], c = 3 [N*s/m]\ncoord x = 1 [m], x' = 0 [m/s]\n"
             "kinetic = m*x'^2/2\npotential = k*x^2/2\ndissipation = c*x'^2/2\n"
             "measure settled = last(t, abs(x) > 0.05 [m])\n"
             "find c in 4..40 [N*s/m]%s: minimize settled\nsimulate to 0.9 [s] every 0.1 [s]\n",
             unknowns > 1 ? ", k in 20..100 [N/m]" : "");
    find(text, out, sizeof out);
    double k = unknowns > 1 ? 100 : 80, c = 2 * ratio * sqrt(k);
    if (unknowns == 1) CHECK_NEAR(number_after(out, "\"c\"") / c, 1, 1e-6);
    // x = exp(-d t) (cos(w t) + d/w sin(w t)) = 0.05
    double d = c / 2, w = sqrt(k - d * d), low = 0, high = M_PI / 2 / w + 1;
    for (int i = 0; i < 60; i++) {
      double t = (low + high) / 2;
      bool is_before = t * w < M_PI && exp(-d * t) * (cos(w * t) + d / w * sin(w * t)) > 0.05;
      *(is_before ? &low : &high) = t;
    }
    CHECK_NEAR(number_after(out, "\"settled\"") / low, 1, unknowns > 1 ? 2e-3 : 1e-6);
    assert_non_null(strstr(out, "\"beside\""));
    assert_true(number_after(out, "\"runs\"") < 1500); // two more where a run has no slopes
  }
}

// The highest place of a mass that a sampled loop moves to r: parabolas between the samples.
static double overshoot(double K, double D, double T, double r) {
  double x = 0, v = 0, most = 0;
  for (int k = 0; k < 2 / T; k++) {
    double a = -K * (x - r) - D * v, top = a < 0 ? -v / a : 0;
    if (top > 0 && top < T) most = fmax(most, x + v * top / 2);
    x += v * T + a * T * T / 2, v += a * T;
    most = fmax(most, x);
  }
  return most;
}

// At rest in its target the error just touches 0 and has no slopes, though its integral has some:
// a descent that took them for 0 ended anywhere, and was told as a place of its own.
TEST(integrals_without_slopes_have_one_best_place) {
  (void)cx;
  Random random = random_start("integrals_without_slopes_have_one_best_place");
  for (int round = 0; round < 4; round++) {
    double T = random_real(&random, 0.02, 0.045), r = random_real(&random, 0.05, 0.2), K = 50;
    char text[1200], out[30000];
    snprintf(text, sizeof text,
             "param m = 1 [kg], K = 20 [N/m], D = 6 [N*s/m], r = %.15g [m]\ncoord x = 0 [m]\n"
             "input u = 0 [N]\nkinetic = 1/2*m*x'^2\nforce x = u\n"
             "sample every %.15g [s]: u = -K*(x - r) - D*x'\n"
             "measure over = max(x), iae = integral(abs(x - r)), um = max(abs(u))\n"
             "find K in 5..100 [N/m], D in 1..30 [N*s/m]: minimize iae, over <= %.15g [m], um <= "
             "%.15g [N]\nsimulate to 2 [s] every 20 [ms]\n",
             r, T, 1.02 * r, K * r);
    find(text, out, sizeof out);
    double low = 1, high = 20; // less damping goes further beyond
    for (int i = 0; i < 60; i++) {
      double D = (low + high) / 2;
      *(overshoot(K, D, T, r) > 1.02 * r ? &low : &high) = D;
    }
    CHECK_NEAR(number_after(out, "\"K\"") / K, 1, 1e-5);
    CHECK_NEAR(number_after(out, "\"D\"") / low, 1, 1e-4);
    assert_non_null(strstr(out, "\"alternatives\": []"));
  }
}

static void refuse(const char *line, const char *expected) {
  char text[1000], told[4000] = "";
  snprintf(text, sizeof text,
           "param m = 1 [kg], k = 4 [N/m], a = 1 [m]\ncoord x = 1 [m]\nkinetic = m*x'^2/2\n"
           "potential = k*x^2/2\nlet P = (a*cos(t/(1 [s])), a*sin(t/(1 [s])))\n%s\n"
           "simulate to 2 [s] every 0.1 [s]\n",
           line);
  qdot_context *cx = qdot_context_open(NULL);
  qdot_model *model;
  qdot_answer *answer;
  assert_int_equal(qdot_model_parse(cx, "a", text, strlen(text), NULL, &model), QDOT_OK);
  assert_int_equal(qdot_model_ask(model, "find", NULL, &answer), QDOT_NO_CONVERGENCE);
  qdot_diagnostics_write(cx, NULL, (qdot_sink){keep_text, told});
  if (!strstr(told, expected)) print_message("%s\n", told);
  assert_non_null(strstr(told, expected));
  qdot_context_close(cx);
}

TEST(searches_without_any_run_say_why) {
  (void)cx;
  refuse("measure far = first(t, x > 3 [m])\nfind k in 1..9 [N/m]: minimize far",
         "gives a whole run: measure 'far' has no value");
  refuse("find a in 1..9 [m]: path P timed through (1 [s], 0, 1 [m]), (7 [s], 1 [m], 0)",
         "it ends at 2 s, before point 2 of the path, which is passed at 7 s");
}

TEST(idle_unknowns_of_a_path_are_told) {
  (void)cx;
  char out[30000];
  find("param m = 1 [kg], a = 0.2 [m]\ngravity (0, -9.81 [m/s^2])\n"
       "body crank: mass m, rod a, angle = 10 [deg]\njoint A: revolute ground (0, 0), crank "
       "(-a/2, 0)\n"
       "motor A: speed 60 [rpm]\n"
       "find m in 0.5..2 [kg]: path crank (a/2, 0) through (0.3 [m], 0), (0, 0.3 [m])\n"
       "simulate to 1 [s] every 0.1 [s]\n",
       out, sizeof out);
  assert_non_null(strstr(out, "\"found\": false"));
  const char *idle = strstr(out, "\"without_influence\"");
  assert_non_null(idle);
  assert_non_null(strstr(idle, "\"m\""));
}

// A path that cannot be met is missed by the least squares; a condition beside it is kept, whatever
// the size of the path.
TEST(paths_are_least_squares_under_conditions) {
  (void)cx;
  char text[1000], out[30000];
  for (int round = 0; round < 2; round++) {
    snprintf(
        text, sizeof text,
        "param m = 1 [kg], a = 2 [m]\ncoord x = 1 [m]\nkinetic = m*x'^2/2\n"
        "let P = (a*cos(t/(1 [s])), a*sin(t/(1 [s])))\nmeasure size = a + 0*final(x)\n"
        "find a in 1..9 [m] global: path P timed through (0 [s], 3 [m], 0), (1 [s], 5 [m], 0)%s\n"
        "simulate to 2 [s] every 0.1 [s]\n",
        round ? ", size <= 2.7 [m]" : "");
    find(text, out, sizeof out);
    // the derivative of (a - 3)^2 + a^2 - 10 a cos(1) + 25 is 0
    CHECK_NEAR(number_after(out, "\"a\""), round ? 2.7 : (3 + 5 * cos(1)) / 2, 1e-5);
  }
}

RUN_TESTS(cmocka_unit_test(paths_are_least_squares_under_conditions),
          cmocka_unit_test(the_fastest_cam_is_found),
          cmocka_unit_test(the_best_place_of_an_edge_is_found),
          cmocka_unit_test(measures_that_jump_are_told),
          cmocka_unit_test(integrals_without_slopes_have_one_best_place),
          cmocka_unit_test(searches_without_any_run_say_why),
          cmocka_unit_test(idle_unknowns_of_a_path_are_told))
