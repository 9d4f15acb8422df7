// Fits and searches, against closed forms and data of another integrator.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

static qdot_answer *ask(qdot_context *cx, const char *name, const char *text, const char *question,
                        qdot_status expected) {
  qdot_model *model = NULL;
  assert_int_equal(qdot_model_parse(cx, name, text, strlen(text), NULL, &model), QDOT_OK);
  qdot_answer *answer = NULL;
  assert_int_equal(qdot_model_ask(model, question, NULL, &answer), expected);
  return answer;
}

// ---- fit

typedef struct Pendulum {
  double length, damping, angle;
} Pendulum;

static double random_normal(Random *random) {
  double u = random_real(random, 1e-12, 1), v = random_real(random, 0, 1);
  return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

// The angle every 0.1 s by a Runge-Kutta method of our own, with noise in rad.
static void make_swing(const char *path, const Pendulum *p, double noise, Random *random) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("time [s];angle [deg]\n", file);
  double y[2] = {p->angle, 0}, h = 0.002;
  for (int i = 0; i <= 1500; i++) {
    if (i % 50 == 0) {
      fprintf(file, "%.1f;%.9g\n", i * h, (y[0] + noise * random_normal(random)) * 180 / M_PI);
    }
    double k[5][2] = {{0}};
    const double at[5] = {0, 0, 0.5, 0.5, 1};
    for (int s = 1; s < 5; s++) {
      double a = y[0] + at[s] * h * k[s - 1][0], w = y[1] + at[s] * h * k[s - 1][1];
      k[s][0] = w;
      k[s][1] = -9.81 / p->length * sin(a) - p->damping * w;
    }
    for (int c = 0; c < 2; c++) y[c] += h / 6 * (k[1][c] + 2 * k[2][c] + 2 * k[3][c] + k[4][c]);
  }
  fclose(file);
}

#define SWING(line)                                                                                \
  "param m = 2 [kg], L = 0.5 [m], d = 0.2 [1/s], g = 9.81 [m/s^2]\ncoord theta = 0.5\n"            \
  "kinetic = m*L^2*theta'^2/2\npotential = -m*g*L*cos(theta)\n"                                    \
  "dissipation = m*L^2*d*theta'^2/2\n" line "simulate to 1 [s] every 0.1 [s]\n"

static int keep_text(void *user, const char *bytes, size_t n) {
  strncat(user, bytes, n);
  return 0;
}

TEST(a_fit_recovers_what_made_the_data) {
  (void)cx;
  Random random = random_start("a_fit_recovers_what_made_the_data");
  Pendulum p = {0.42, 0.35, 0.7};
  const char *path = "/tmp/qdot_test_swing.csv";
  make_swing(path, &p, 0, &random);
  qdot_context *own = qdot_context_open(NULL);
  qdot_answer *a = ask(own, "/tmp/qdot_test.qdot",
                       SWING("fit L, d in 0..2 [1/s], theta(0) to \"qdot_test_swing.csv\": "
                             "theta = angle\n"),
                       "fit", QDOT_OK);
  assert_true(qdot_answer_is_found(a));
  CHECK_NEAR(qdot_answer_number(a, "parameters/0/value"), p.length, 1e-6);
  CHECK_NEAR(qdot_answer_number(a, "parameters/1/value"), p.damping, 1e-6);
  CHECK_NEAR(qdot_answer_number(a, "parameters/2/value"), p.angle, 1e-6);
  CHECK_NEAR(qdot_answer_number(a, "rank"), 3, 0);
  // neither the mass alone nor what only it would make known
  a = ask(own, "/tmp/qdot_test.qdot",
          SWING("fit m, L, d to \"qdot_test_swing.csv\": theta = angle\n"), "fit", QDOT_OK);
  CHECK_NEAR(qdot_answer_number(a, "rank"), 2, 0);
  qdot_context_close(own);
  remove(path);
}

// Three swings of one pendulum, let go at three angles: length and damping are common, starts are
// not. Only the common ones are written into the model.
TEST(every_file_has_a_start_of_its_own) {
  (void)cx;
  Random random = random_start("every_file_has_a_start_of_its_own");
  static const char *const paths[] = {"/tmp/qdot_test_swing_1.csv", "/tmp/qdot_test_swing_2.csv",
                                      "/tmp/qdot_test_swing_3.csv"};
  double length = random_real(&random, 0.3, 0.6), damping = random_real(&random, 0.1, 0.5);
  double angles[3];
  for (int i = 0; i < 3; i++) {
    angles[i] = random_real(&random, 0.2, 1.2) * (i == 1 ? -1 : 1);
    make_swing(paths[i], &(Pendulum){length, damping, angles[i]}, 0, &random);
  }
  qdot_context *own = qdot_context_open(NULL);
  qdot_answer *a = ask(own, "/tmp/qdot_test.qdot",
                       SWING("fit L in 0.2..1 [m], each theta(0) in -1.5..1.5, d in 0..2 [1/s] to "
                             "\"qdot_test_swing_1.csv\": theta = angle, "
                             "\"qdot_test_swing_2.csv\": theta = angle, "
                             "\"qdot_test_swing_3.csv\": theta = angle\n"),
                       "fit", QDOT_OK);
  assert_true(qdot_answer_is_found(a));
  CHECK_NEAR(qdot_answer_number(a, "rank"), 5, 0);
  CHECK_NEAR(qdot_answer_number(a, "parameters/0/value"), length, 1e-6);
  CHECK_NEAR(qdot_answer_number(a, "parameters/1/value"), angles[0], 1e-6);
  CHECK_NEAR(qdot_answer_number(a, "parameters/2/value"), angles[1], 1e-6);
  CHECK_NEAR(qdot_answer_number(a, "parameters/3/value"), angles[2], 1e-6);
  CHECK_NEAR(qdot_answer_number(a, "parameters/4/value"), damping, 1e-6);
  char text[2000] = "";
  qdot_answer_write(a, NULL, (qdot_sink){keep_text, text});
  assert_non_null(strstr(text, "theta(0) of qdot_test_swing_3.csv"));
  text[0] = 0;
  assert_int_equal(qdot_answer_rewrite(a, (qdot_sink){keep_text, text}), QDOT_OK);
  assert_non_null(strstr(text, "coord theta = 0.5\n"));
  assert_null(strstr(text, "L = 0.5 [m]"));
  text[0] = 0;
  qdot_diagnostics_write(own, NULL, (qdot_sink){keep_text, text});
  assert_non_null(strstr(text, "'theta(0)' has a value of its own in every file"));
  qdot_context_close(own);
  for (int i = 0; i < 3; i++) remove(paths[i]);
}

// A length in metres and an angle: of several starts the one that follows both is kept, whatever
// the weights of the others.
TEST(starts_are_compared_by_what_they_leave) {
  (void)cx;
  Random random = random_start("starts_are_compared_by_what_they_leave");
  const char *path = "/tmp/qdot_test_two_units.csv";
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  double w_1 = random_real(&random, 7, 9), w_2 = random_real(&random, 3, 4);
  fputs("time [s],x [m],angle\n", file);
  for (int i = 0; i <= 60; i++)
    fprintf(file, "%g,%.12g,%.12g\n", 0.05 * i, 0.2 * cos(w_1 * 0.05 * i),
            0.3 * cos(w_2 * 0.05 * i));
  fclose(file);
  qdot_context *own = qdot_context_open(NULL);
  qdot_answer *a = ask(own, "/tmp/qdot_test.qdot",
                       "param w_1 = 2 [1/s], w_2 = 11 [1/s]\ncoord x = 0.2 [m], a = 0.3\n"
                       "kinetic = (1 [kg])*x'^2/2 + (1 [kg*m^2])*a'^2/2\n"
                       "potential = (1 [kg])*w_1^2*x^2/2 + (1 [kg*m^2])*w_2^2*a^2/2\n"
                       "fit w_1 in 1..12 [1/s], w_2 in 1..12 [1/s] to \"qdot_test_two_units.csv\": "
                       "x = x, a = angle\nsimulate to 3 [s] every 0.1 [s]\n",
                       "fit", QDOT_OK);
  CHECK_NEAR(qdot_answer_number(a, "parameters/0/value"), w_1, 1e-5);
  CHECK_NEAR(qdot_answer_number(a, "parameters/1/value"), w_2, 1e-5);
  qdot_context_close(own);
  remove(path);
}

// No interval where nothing is left over, and no value where there are fewer data than unknowns.
TEST(few_data_are_told) {
  (void)cx;
  const char *path = "/tmp/qdot_test_few.csv";
  qdot_context *own = qdot_context_open(NULL);
  for (int rows = 2; rows <= 3; rows++) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("time [s],angle\n0.1,0.5\n0.3,0.1\n", file);
    if (rows == 3) fputs("0.6,-0.4\n", file);
    fclose(file);
    qdot_answer *a = ask(own, "/tmp/qdot_test.qdot",
                         SWING("fit L in 0.2..1 [m], d in 0..2 [1/s], theta(0) to "
                               "\"qdot_test_few.csv\": theta = angle\n"),
                         "fit", QDOT_OK);
    CHECK_NEAR(qdot_answer_number(a, "rank"), rows, 0);
    assert_true(isnan(qdot_answer_number(a, "parameters/0/low")));
  }
  qdot_context_close(own);
  remove(path);
}

// The numbers of the model's text are replaced, with their units; nothing else is.
TEST(values_that_were_found_are_written) {
  (void)cx;
  Random random = random_start("values_that_were_found_are_written");
  Pendulum p = {0.42, 0.35, 0.7};
  const char *path = "/tmp/qdot_test_written.csv";
  make_swing(path, &p, 0, &random);
  qdot_context *own = qdot_context_open(NULL);
  static const char before[] =
      "# a swing\nparam m = 2 [kg], L = 500.0 [mm] \"length\",d=0.2 [1/s] # damping\n"
      "param g = 9.81 [m/s^2]\ncoord theta = 30 [deg]\nkinetic = m*L^2*theta'^2/2\n"
      "potential = -m*g*L*cos(theta)\ndissipation = m*L^2*d*theta'^2/2\n"
      "fit L, d in 0..2 [1/s], theta(0) to \"qdot_test_written.csv\": theta = angle\n"
      "simulate to 1 [s] every 0.1 [s]\n";
  char after[2000] = "";
  qdot_answer *a = ask(own, "/tmp/qdot_test.qdot", before, "fit", QDOT_OK);
  assert_int_equal(qdot_answer_rewrite(a, (qdot_sink){keep_text, after}), QDOT_OK);
  double L, d, theta;
  char *L_at = strstr(after, "L = "), *d_at = strstr(after, ",d="),
       *start = strstr(after, "theta = ");
  assert_true(L_at && d_at && start);
  L = strtod(L_at + 4, &L_at), d = strtod(d_at + 3, &d_at), theta = strtod(start + 8, &start);
  CHECK_NEAR(L, 1e3 * p.length, 1e-6);
  CHECK_NEAR(d, p.damping, 1e-6);
  CHECK_NEAR(theta, p.angle * 180 / M_PI, 1e-6);
  assert_true(strncmp(L_at, " [mm] \"length\",d=", 17) == 0);
  assert_true(strncmp(d_at, " [1/s] # damping\nparam g = 9.81 [m/s^2]\n", 40) == 0);
  assert_string_equal(strstr(start, " [deg]"), strstr(before, " [deg]"));
  // its own result is where the next fit begins
  a = ask(own, "/tmp/qdot_test.qdot", after, "fit", QDOT_OK);
  assert_true(qdot_answer_number(a, "runs") <= 3);
  // what is computed has no number that could be replaced
  char told[2000] = "";
  a = ask(own, "/tmp/qdot_test.qdot",
          "param L = 0.5 [m], b = 0.1 [1/s], d = 2*b, g = 9.81 [m/s^2]\ncoord theta = 0.7\n"
          "kinetic = (1 [kg])*L^2*theta'^2/2\npotential = -(1 [kg])*g*L*cos(theta)\n"
          "dissipation = (1 [kg])*L^2*d*theta'^2/2\n"
          "fit L, d to \"qdot_test_written.csv\": theta = angle\nsimulate to 1 [s] every 0.1 [s]\n",
          "fit", QDOT_OK);
  assert_int_equal(qdot_answer_rewrite(a, (qdot_sink){keep_text, after}), QDOT_UNSUPPORTED);
  qdot_diagnostics_write(own, NULL, (qdot_sink){keep_text, told});
  assert_non_null(strstr(told, "the new value of 'd' cannot be written here"));
  assert_non_null(
      strstr(told, "only a plain number of the model's own file, outside of loops, is replaced"));
  qdot_context_close(own);
  remove(path);
}

TEST(intervals_contain_the_truth_in_95_of_100) {
  (void)cx;
  Random random = random_start("intervals_contain_the_truth_in_95_of_100");
  Pendulum p = {0.42, 0.35, 0.7};
  const char *path = "/tmp/qdot_test_noisy.csv";
  const double truth[3] = {p.length, p.damping, p.angle};
  bool is_long = getenv("QDOT_SOAK");
  int rounds = is_long ? 2000 : 300, inside = 0;
  for (int i = 0; i < rounds; i++) {
    make_swing(path, &p, 0.02, &random);
    qdot_context *own = qdot_context_open(NULL);
    qdot_answer *a = ask(own, "/tmp/qdot_test.qdot",
                         SWING("fit L, d, theta(0) to \"qdot_test_noisy.csv\": theta = angle\n"),
                         "fit", QDOT_OK);
    for (int k = 0; k < 3; k++) {
      char low[40], high[40];
      snprintf(low, sizeof low, "parameters/%d/low", k);
      snprintf(high, sizeof high, "parameters/%d/high", k);
      inside += qdot_answer_number(a, low) <= truth[k] && truth[k] <= qdot_answer_number(a, high);
    }
    qdot_context_close(own);
  }
  remove(path);
  double share = inside / (3.0 * rounds);
  print_message("%.2f %% of %d\n", 100 * share, 3 * rounds);
  CHECK_NEAR(share, 0.95, is_long ? 0.01 : 0.04);
}

// ---- find

TEST(a_search_finds_closed_forms) {
  (void)cx;
  qdot_context *own = qdot_context_open(NULL);
  // the range of a throw is greatest at 45 degrees; the least speed that reaches 12 m is sqrt(12 g)
  qdot_answer *a =
      ask(own, "throw",
          "param v = 8 [m/s], a = 20 [deg], g = 9.81 [m/s^2], m = 1 [kg]\ncoord x = 0, y = 0\n"
          "coord x' = v*cos(a), y' = v*sin(a)\nkinetic = m*(x'^2 + y'^2)/2\npotential = m*g*y\n"
          "measure reach = first(x, y < 0 and t > 0.01 [s]), speed = start(sqrt(x'^2 + y'^2))\n"
          "find v in 5..30 [m/s], a in 10..80 [deg]: minimize speed, reach >= 12 [m]\n"
          "simulate to 6 [s] every 0.1 [s]\n",
          "find", QDOT_OK);
  assert_true(qdot_answer_is_found(a));
  CHECK_NEAR(qdot_answer_number(a, "parameters/v"), sqrt(12 * 9.81), 1e-4);
  CHECK_NEAR(qdot_answer_number(a, "parameters/a"), M_PI / 4, 1e-3);
  // what cannot be met: the best is kept, and not said to be found
  a = ask(own, "throw",
          "param v = 8 [m/s], g = 9.81 [m/s^2], m = 1 [kg]\ncoord y = 0 [m], y' = v\n"
          "kinetic = m*y'^2/2\npotential = m*g*y\nmeasure high = max(y)\n"
          "find v in 5..10 [m/s]: high = 20 [m]\nsimulate to 2 [s] every 0.1 [s]\n",
          "find", QDOT_OK);
  assert_false(qdot_answer_is_found(a));
  assert_true(qdot_answer_number(a, "runs") < 500);
  CHECK_NEAR(qdot_answer_number(a, "parameters/v"), 10, 1e-6);
  CHECK_NEAR(qdot_answer_number(a, "residual"), 1 - 100 / (2 * 9.81) / 20, 1e-6);
  qdot_context_close(own);
}

// Conditions alone, nothing to be made least: met to the accuracy of the runs, not nearly.
TEST(conditions_alone_are_met) {
  (void)cx;
  Random random = random_start("conditions_alone_are_met");
  for (int round = 0; round < 10; round++) {
    // x = x_0 cos(w t) comes to 0 at pi/(2 w), with the speed x_0 w
    double w = random_real(&random, 2, 8), x_0 = random_real(&random, 0.1, 0.9);
    char text[600];
    snprintf(text, sizeof text,
             "param m = 1 [kg], k = 10 [N/m]\ncoord x = 0.5 [m]\nkinetic = m*x'^2/2\n"
             "potential = k*x^2/2\nmeasure back = first(t, x <= 0), speed = max(abs(x'))\n"
             "find k in 1..100 [N/m], x(0) in 0.05..1 [m]: back = %.15g [s], speed = %.15g [m/s]\n"
             "simulate to 2 [s] every 0.1 [s]\n",
             M_PI / (2 * w), x_0 * w);
    qdot_context *own = qdot_context_open(NULL);
    qdot_answer *a = ask(own, "spring", text, "find", QDOT_OK);
    assert_true(qdot_answer_is_found(a));
    CHECK_NEAR(qdot_answer_number(a, "parameters/k"), w * w, 1e-5);
    CHECK_NEAR(qdot_answer_number(a, "parameters/x(0)"), x_0, 1e-5);
    qdot_context_close(own);
  }
}

// What has no influence is named, and gives no alternatives.
TEST(unknowns_without_influence_are_told) {
  (void)cx;
  qdot_context *own = qdot_context_open(NULL);
  qdot_answer *a = ask(own, "spring",
                       "param m = 1 [kg], k = 10 [N/m], w = 2\ncoord x = 0.5 [m]\n"
                       "kinetic = m*x'^2/2\npotential = k*x^2/2\ndissipation = 1e-9*w*(1 [N*s/m])*"
                       "x'^2*0\nmeasure speed = max(abs(x'))\n"
                       "find w in 1..5, k in 1..100 [N/m]: minimize speed\n"
                       "simulate to 2 [s] every 0.1 [s]\n",
                       "find", QDOT_OK);
  char text[1000] = "";
  qdot_answer_write(a, NULL, (qdot_sink){keep_text, text});
  assert_non_null(strstr(text, "w changes nothing that is aimed at\n"));
  assert_null(strstr(text, "elsewhere"));
  assert_null(strstr(text, "k changes nothing"));
  // an optimum within the range, where the slope vanishes
  a = ask(own, "spring",
          "param m = 1 [kg], k = 10 [N/m], b = 1\ncoord x = 0.5 [m]\nkinetic = m*x'^2/2\n"
          "potential = k*x^2/2\nmeasure far = start((b - 2)^2)\n"
          "find b in 0..5: minimize far\nsimulate to 1 [s] every 0.1 [s]\n",
          "find", QDOT_OK);
  text[0] = 0;
  qdot_answer_write(a, NULL, (qdot_sink){keep_text, text});
  CHECK_NEAR(qdot_answer_number(a, "parameters/b"), 2, 1e-5);
  assert_null(strstr(text, "changes nothing"));
  qdot_context_close(own);
}

TEST(a_path_goes_through_points_that_were_made_by_it) {
  (void)cx;
  qdot_context *own = qdot_context_open(NULL);
  // an ellipse x = 0.3 cos, y = 0.2 sin, by a trammel whose lengths are sought
  char text[1000];
  double c = cos(0.7), s = sin(0.7), e = cos(2.1), f = sin(2.1), h = cos(4), k = sin(4);
  snprintf(text, sizeof text,
           "param a = 0.25 [m], b = 0.25 [m], w = 6.3 [rad/s]\ncoord q = 0\n"
           "let P = (a*cos(q), b*sin(q))\nkinetic = (1 [kg])*dot(P', P')/2\nconstraint d: q = w*t\n"
           "find a in 0.1..0.5 [m], b in 0.1..0.5 [m]: path P through (%.12g [m], %.12g [m]), "
           "(%.12g [m], %.12g [m]), (%.12g [m], %.12g [m])\nsimulate to 1 [s] every 0.1 [s]\n",
           0.3 * c, 0.2 * s, 0.3 * e, 0.2 * f, 0.3 * h, 0.2 * k);
  qdot_answer *a = ask(own, "ellipse", text, "find", QDOT_OK);
  assert_true(qdot_answer_is_found(a));
  assert_true(qdot_answer_number(a, "residual") < 1e-6);
  CHECK_NEAR(qdot_answer_number(a, "parameters/a"), 0.3, 1e-5);
  CHECK_NEAR(qdot_answer_number(a, "parameters/b"), 0.2, 1e-5);
  qdot_context_close(own);
}

// Places and times of w t, of which the curve alone tells nothing.
TEST(a_timed_path_keeps_its_times) {
  (void)cx;
  qdot_context *own = qdot_context_open(NULL);
  char text[1000];
  snprintf(text, sizeof text,
           "param a = 0.25 [m], w = 5 [rad/s]\ncoord q = 0\nlet P = (a*cos(q), a*sin(q))\n"
           "kinetic = (1 [kg])*dot(P', P')/2\nconstraint d: q = w*t\n"
           "find a in 0.1..0.5 [m], w in 2..9 [rad/s]: path P through (0.1 [s], %.12g [m], %.12g "
           "[m]), (0.4 [s], %.12g [m], %.12g [m]), timed\nsimulate to 1 [s] every 0.1 [s]\n",
           0.3 * cos(0.6), 0.3 * sin(0.6), 0.3 * cos(2.4), 0.3 * sin(2.4));
  qdot_answer *a = ask(own, "circle", text, "find", QDOT_OK);
  assert_true(qdot_answer_is_found(a));
  CHECK_NEAR(qdot_answer_number(a, "parameters/a"), 0.3, 1e-5);
  CHECK_NEAR(qdot_answer_number(a, "parameters/w"), 6, 1e-4);
  qdot_context_close(own);
}

// What events assign starts with the value of the run at hand.
TEST(the_start_of_a_memory_is_searched) {
  (void)cx;
  qdot_context *own = qdot_context_open(NULL);
  qdot_answer *a = ask(own, "memory",
                       "param m = 1 [kg]\ncoord x = 0 [m], x' = 1 [m/s]\nmemory e = 1 [N]\n"
                       "kinetic = m*x'^2/2\nforce x = e\nwhen x >= 1 [m]: e = -1 [N]\n"
                       "measure v = final(x')\nsimulate to 2 [s] every 0.1 [s]\n"
                       "find e in 0.5..5 [N]: v = 1.2 [m/s]\n",
                       "find", QDOT_OK);
  assert_true(qdot_answer_is_found(a));
  // x = 1 at t_1 with x' = 1 + e t_1, then x' falls by 1 m/s^2 until 2 s
  double e = qdot_answer_number(a, "parameters/e"), t = (sqrt(1 + 2 * e) - 1) / e;
  CHECK_NEAR(1 + e * t - (2 - t), 1.2, 1e-7);
  qdot_context_close(own);
}

RUN_TESTS(cmocka_unit_test(the_start_of_a_memory_is_searched),
          cmocka_unit_test(a_fit_recovers_what_made_the_data),
          cmocka_unit_test(every_file_has_a_start_of_its_own),
          cmocka_unit_test(starts_are_compared_by_what_they_leave),
          cmocka_unit_test(few_data_are_told), cmocka_unit_test(values_that_were_found_are_written),
          cmocka_unit_test(intervals_contain_the_truth_in_95_of_100),
          cmocka_unit_test(a_search_finds_closed_forms), cmocka_unit_test(conditions_alone_are_met),
          cmocka_unit_test(unknowns_without_influence_are_told),
          cmocka_unit_test(a_path_goes_through_points_that_were_made_by_it),
          cmocka_unit_test(a_timed_path_keeps_its_times))
