// Multipliers of motions with friction, against differences of runs over one period.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "qdot/qdot.h"
#include "sim/run_source.h"
#include "support/motion.h"

enum { KINDS = 5 };

// A mass between springs that a force drives against friction: of a contact, of two feet, of a
// joint, of a force, and of a contact with a limit beyond which it sticks.
static const char *const bodies[KINDS] = {
    "coord x = %s, x' = %s, y = 0 [m]\nkinetic = m*(x'^2 + y'^2)/2\n"
    "potential = m*g*y + k*x^2/2\ncontact floor: y >= 0, friction mu, along x\n"
    "force x = F*cos(w*t)\nmeasure x_f = final(x), v_f = final(x')\n",
    "gravity (0, -g)\nbody b: plate (1 [m], 0.2 [m]), mass m, at = (%s, 0.1 [m]), angle = 0, "
    "velocity = (%s, 0), spin = 0\n"
    "contact l: b (-0.5 [m], -0.1 [m]), line (0, 0), friction mu\n"
    "contact r: b (0.5 [m], -0.1 [m]), line (0, 0), friction mu\n"
    "force b (0, 0) = (F*cos(w*t) - k*b.x, 0)\n"
    "measure x_f = final(b.x), v_f = final(b.x')\n",
    "gravity (0, -g)\nbody b: mass m, point, at = (%s, 0), velocity = (%s, 0)\n"
    "joint rail: prismatic ground (0, 0), b (0, 0), friction mu\n"
    "force b (0, 0) = (F*cos(w*t) - k*b.x, 0)\n"
    "measure x_f = final(b.x), v_f = final(b.x')\n",
    "coord x = %s, x' = %s\nkinetic = m*x'^2/2\npotential = k*x^2/2\n"
    "dissipation = mu*m*g*abs(x')\nforce x = F*cos(w*t)\n"
    "measure x_f = final(x), v_f = final(x')\n",
    "coord x = %s, x' = %s, y = 0 [m]\nkinetic = m*(x'^2 + y'^2)/2\n"
    "potential = m*g*y + k*x^2/2\ncontact floor: y >= 0, friction 1.3*mu, mu, along x\n"
    "force x = F*cos(w*t)\nmeasure x_f = final(x), v_f = final(x')\n"};

static const char *const names[KINDS] = {"x", "b.x", "rail.s", "x", "x"};

// x and x' after a period, by central differences: the sum and the product of the multipliers.
static void multiply_by_runs(Context *cx, const char *text, double T, const double *start,
                             double *sum, double *product) {
  Motion m = motion_load_as(cx, text, NULL, FORMULATION_LAGRANGE);
  m.options.method.rtol = 1e-11;
  m.options.t_end = T;
  Rerun rerun;
  assert_int_equal(rerun_open(&rerun, &m.system, &m.options), QDOT_OK);
  rerun.follows_end = false;
  uint32_t places[2] = {0, 1};
  double M[2][2], h = 1e-5;
  for (int j = 0; j < 2; j++) {
    double end[2][2];
    for (int side = 0; side < 2; side++) {
      double x[2] = {start[0], start[1]};
      x[j] += side ? h : -h;
      if (rerun_measures(&rerun, places, x, 2, end[side]) != QDOT_OK)
        fail_msg("%s\n%s", text, rerun.why);
    }
    for (int i = 0; i < 2; i++) M[i][j] = (end[1][i] - end[0][i]) / (2 * h);
  }
  *sum = M[0][0] + M[1][1];
  *product = M[0][0] * M[1][1] - M[0][1] * M[1][0];
  rerun_close(&rerun);
}

static qdot_answer *ask(qdot_context *cx, const char *text) {
  qdot_model *model = NULL;
  qdot_answer *answer = NULL;
  qdot_status status = qdot_model_parse(cx, "orbit", text, strlen(text), NULL, &model);
  if (status != QDOT_OK || qdot_model_ask(model, "orbit", NULL, &answer) != QDOT_OK) {
    qdot_diagnostics_write(cx, NULL, qdot_sink_stream(stderr));
    fail_msg("%s", text);
  }
  return answer;
}

// With %s for where it starts and how fast.
static void write_model(char *to, size_t size, const char *body, const char *x, const char *v,
                        const char *values) {
  const char *first = strstr(body, "%s"), *second = strstr(first + 2, "%s");
  snprintf(to, size, "%s%.*s%s%.*s%s%s", values, (int)(first - body), body, x,
           (int)(second - first - 2), first + 2, v, second + 2);
}

TEST(forced_motions_that_rub) {
  Random random = random_start("forced_motions_that_rub");
  int rounds = test_rounds(10), stable = 0;
  for (int round = 0; round < rounds; round++) {
    int kind = round % KINDS;
    const char *x = names[kind];
    double m = random_real(&random, 0.5, 3), k = random_real(&random, 40, 150);
    double mu = random_real(&random, 0.05, 0.2), w = sqrt(k / m);
    w *= random_below(&random, 2) ? random_real(&random, 0.6, 0.8) : random_real(&random, 1.3, 1.6);
    char values[300], text[2000], from[2000];
    snprintf(values, sizeof values,
             "param x_0 = 0.1 [m], v_0 = 0 [m/s], m = %.15g [kg], k = %.15g [N/m], mu = %.15g, "
             "g = 9.81 [m/s^2], F = %.15g [N], w = %.15g [rad/s]\n"
             "simulate to %.15g [s] every %.15g [s]\n",
             m, k, mu, mu * m * 9.81 * random_real(&random, 2, 6), w, 20 * M_PI / w,
             0.02 * M_PI / w);
    write_model(text, sizeof text, bodies[kind], "0.1 [m]", "0 [m/s]", values);
    snprintf(text + strlen(text), sizeof text - strlen(text), "orbit %s ~ 0.1 [m]\n",
             kind == 2 ? "b.x" : x);
    write_model(from, sizeof from, bodies[kind], "x_0", "v_0", values);
    qdot_context *own = qdot_context_open(NULL);
    qdot_answer *a = ask(own, text);
    double T = qdot_answer_number(a, "period");
    double start[2];
    for (int i = 0; i < 2; i++) {
      snprintf(values, sizeof values, "start/%s%s", x, i ? "'" : "");
      start[i] = qdot_answer_number(a, values);
    }
    double re[2] = {qdot_answer_number(a, "multipliers/0/0"),
                    qdot_answer_number(a, "multipliers/1/0")};
    double im = qdot_answer_number(a, "multipliers/0/1"), sum, product;
    if (!qdot_answer_is_found(a)) fail_msg("%s", text);
    multiply_by_runs(cx, from, T, start, &sum, &product);
    double most = fmax(hypot(re[0], im), hypot(re[1], im));
    if (!(fabs(re[0] + re[1] - sum) < 1e-5 && fabs(re[0] * re[1] + im * im - product) < 1e-5))
      fail_msg("%s\nmultipliers %.9g %.9g +- %.9g i, runs have the sum %.9g, the product %.9g",
               text, re[0], re[1], im, sum, product);
    stable += most < 1;
    qdot_context_close(own);
  }
  print_message("%d of %d are stable\n", stable, rounds);
}

// What sticks forgets how it came there: beside the multiplier along the motion there is only 0.
TEST(stick_slip_stands_alone) {
  (void)cx;
  Random random = random_start("stick_slip_stands_alone");
  for (int round = 0; round < 4; round++) {
    double m = random_real(&random, 0.5, 2), k = random_real(&random, 60, 150);
    double mu = random_real(&random, 0.2, 0.4), v = random_real(&random, 0.05, 0.15);
    char text[1000];
    snprintf(text, sizeof text,
             "param m = %.15g [kg], k = %.15g [N/m], mu_s = %.15g, mu_k = %.15g, v = %.15g [m/s], "
             "g = 9.81 [m/s^2]\ncoord x = 0 [m], x' = v, y = 0 [m]\n"
             "kinetic = m*(x'^2 + y'^2)/2\npotential = m*g*y + k*x^2/2\n"
             "contact belt: y >= 0, friction mu_s, mu_k, along x - v*t\n"
             "orbit x ~ mu_s*m*g/k\nsimulate to 5 [s] every 5 [ms]\n",
             m, k, 1.6 * mu, mu, v);
    qdot_context *own = qdot_context_open(NULL);
    qdot_answer *a = ask(own, text);
    if (!qdot_answer_is_found(a)) fail_msg("%s", text);
    CHECK_NEAR(qdot_answer_number(a, "multipliers/0/0"), 1, 1e-6);
    CHECK_NEAR(qdot_answer_number(a, "multipliers/1/0"), 0, 1e-6);
    // sticks from -d to D with the belt, D = mu_s m g/k, and slips about mu_k m g/k
    double c = mu * m * 9.81 / k, D = 1.6 * c, w = sqrt(k / m), s = (D - c) * w / v;
    double T = 2 * (D - c) / v + (2 * M_PI - 2 * atan(s)) / w;
    CHECK_NEAR(qdot_answer_number(a, "period"), T, 1e-7);
    qdot_context_close(own);
  }
}

RUN_TESTS(cmocka_unit_test(forced_motions_that_rub), cmocka_unit_test(stick_slip_stands_alone))
