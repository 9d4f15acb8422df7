// Equations as numbers through the public API: every term against the others, slopes against
// differences, several evaluators at once.
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "qdot/qdot.h"
#include "support/check.h"

enum { MOST = 16, ALL = 127 };

static const char *const models[] = {"pendulum", "cart_pole",        "four_bar",   "slider_crank",
                                     "wall",     "chaplygin_sleigh", "rod_springs"};
#define MODEL_COUNT (sizeof models / sizeof *models)

static qdot_system *derive_example(qdot_context *cx, const char *name) {
  char path[500];
  const char *root = getenv("QDOT_ROOT");
  snprintf(path, sizeof path, "%s/examples/%s.qdot", root ? root : ".", name);
  qdot_model *model;
  qdot_system *system;
  assert_int_equal(qdot_model_load(cx, path, NULL, &model), QDOT_OK);
  assert_int_equal(qdot_system_derive(model, &system), QDOT_OK);
  return system;
}

static qdot_system *derive_text(qdot_context *cx, const char *text) {
  qdot_model *model;
  qdot_system *system;
  qdot_status status = qdot_model_parse(cx, "text", text, strlen(text), NULL, &model);
  if (status != QDOT_OK) qdot_diagnostics_write(cx, NULL, qdot_sink_stream(stderr));
  assert_int_equal(status, QDOT_OK);
  assert_int_equal(qdot_system_derive(model, &system), QDOT_OK);
  return system;
}

typedef struct Sample {
  qdot_evaluator *evaluator;
  int n, m, u, p;
  double t, q[MOST], qd[MOST];
} Sample;

static Sample open_sample(qdot_system *system, Random *random) {
  Sample s = {.n = (int)qdot_system_name_count(system, QDOT_PART_COORDINATES),
              .m = (int)qdot_system_name_count(system, QDOT_PART_CONSTRAINTS),
              .u = (int)qdot_system_name_count(system, QDOT_PART_INPUTS),
              .p = (int)qdot_system_name_count(system, QDOT_PART_PARAMETERS)};
  assert_int_equal(qdot_evaluator_open(system, ALL, &s.evaluator), QDOT_OK);
  assert_int_equal(qdot_evaluator_initial(s.evaluator, s.q, s.qd), QDOT_OK);
  s.t = random_real(random, 0, 1);
  for (int i = 0; i < s.n; i++) {
    s.q[i] += random_real(random, -0.02, 0.02);
    s.qd[i] += random_real(random, -0.02, 0.02);
  }
  assert_int_equal(qdot_evaluator_project(s.evaluator, s.t, s.q, s.qd), QDOT_OK);
  return s;
}

// M q'' + h + D + G = Q - Phi_q^T lambda and Phi_q q'' = gamma, on Phi = 0.
static void equations_hold(void **state) {
  (void)state;
  Random random = random_start(__func__);
  for (size_t k = 0; k < MODEL_COUNT; k++) {
    qdot_context *cx = qdot_context_open(NULL);
    Sample s = open_sample(derive_example(cx, models[k]), &random);
    double qdd[MOST], lambda[MOST], M[MOST * MOST], h[MOST], D[MOST], G[MOST], Q[MOST];
    double Phi_q[MOST * MOST], gamma[MOST], Phi[MOST], Phi_dot[MOST];
    qdot_terms terms = {sizeof terms, M, h, D, G, Q, Phi_q, gamma};
    assert_int_equal(qdot_evaluator_accelerations(s.evaluator, s.t, s.q, s.qd, qdd, lambda),
                     QDOT_OK);
    assert_int_equal(qdot_evaluator_terms(s.evaluator, s.t, s.q, s.qd, &terms), QDOT_OK);
    assert_int_equal(qdot_evaluator_constraints(s.evaluator, s.t, s.q, s.qd, Phi, Phi_dot),
                     QDOT_OK);
    for (int i = 0; i < s.n; i++) {
      double left = h[i] + D[i] + G[i], right = Q[i];
      for (int j = 0; j < s.n; j++) left += M[i * s.n + j] * qdd[j];
      for (int r = 0; r < s.m; r++) right -= Phi_q[r * s.n + i] * lambda[r];
      CHECK_NEAR(left, right, 1e-10);
    }
    for (int r = 0; r < s.m; r++) {
      double sum = 0;
      for (int j = 0; j < s.n; j++) sum += Phi_q[r * s.n + j] * qdd[j];
      CHECK_NEAR(sum, gamma[r], 1e-10);
      CHECK_NEAR(Phi[r], 0, 1e-10);
      CHECK_NEAR(Phi_dot[r], 0, 1e-10);
    }
    qdot_context_close(cx);
  }
}

static void solve_at(Sample *s, const double *q, const double *qd, double *out) {
  assert_int_equal(qdot_evaluator_accelerations(s->evaluator, s->t, q, qd, out, out + s->n),
                   QDOT_OK);
}

// One column of slopes against a central difference of two solutions.
static void check_column(const Sample *s, const double *slopes, int columns, int column,
                         const double *above, const double *below, double step) {
  double largest = 1;
  for (int r = 0; r < s->n + s->m; r++) largest = fmax(largest, fabs(slopes[r * columns + column]));
  for (int r = 0; r < s->n + s->m; r++)
    CHECK_NEAR(slopes[r * columns + column] / largest, (above[r] - below[r]) / (2 * step * largest),
               1e-6);
}

static void slopes_by_state(Sample *s) {
  double slopes[2 * MOST * 2 * MOST], x[2 * MOST], above[2 * MOST], below[2 * MOST];
  assert_int_equal(qdot_evaluator_slopes(s->evaluator, s->t, s->q, s->qd, slopes, NULL, NULL),
                   QDOT_OK);
  for (int j = 0; j < 2 * s->n; j++) {
    memcpy(x, s->q, (size_t)s->n * sizeof *x);
    memcpy(x + s->n, s->qd, (size_t)s->n * sizeof *x);
    double step = 1e-6;
    x[j] += step;
    solve_at(s, x, x + s->n, above);
    x[j] -= 2 * step;
    solve_at(s, x, x + s->n, below);
    check_column(s, slopes, 2 * s->n, j, above, below, step);
  }
}

static void slopes_by_value(Sample *s, qdot_system *system, qdot_part kind, int count) {
  double *slopes = calloc((size_t)(s->n + s->m) * (size_t)count + 1, sizeof *slopes);
  double above[2 * MOST], below[2 * MOST];
  assert_int_equal(qdot_evaluator_slopes(s->evaluator, s->t, s->q, s->qd, NULL,
                                         kind == QDOT_PART_INPUTS ? slopes : NULL,
                                         kind == QDOT_PART_PARAMETERS ? slopes : NULL),
                   QDOT_OK);
  for (int j = 0; j < count; j++) {
    const char *name = qdot_system_name_at(system, kind, (size_t)j);
    // an evaluator of its own: what was set once is no longer computed
    qdot_evaluator *own, *kept = s->evaluator;
    double value;
    assert_int_equal(qdot_evaluator_open(system, 0, &own), QDOT_OK);
    assert_int_equal(qdot_evaluator_get(own, name, &value), QDOT_OK);
    double step = 1e-6 * fmax(1, fabs(value));
    s->evaluator = own;
    assert_int_equal(qdot_evaluator_set(own, name, value + step), QDOT_OK);
    solve_at(s, s->q, s->qd, above);
    assert_int_equal(qdot_evaluator_set(own, name, value - step), QDOT_OK);
    solve_at(s, s->q, s->qd, below);
    s->evaluator = kept;
    check_column(s, slopes, count, j, above, below, step);
    qdot_evaluator_close(own);
  }
  free(slopes);
}

static void slopes_are_derivatives(void **state) {
  (void)state;
  Random random = random_start(__func__);
  for (size_t k = 0; k < MODEL_COUNT; k++) {
    qdot_context *cx = qdot_context_open(NULL);
    qdot_system *system = derive_example(cx, models[k]);
    Sample s = open_sample(system, &random);
    slopes_by_state(&s);
    slopes_by_value(&s, system, QDOT_PART_INPUTS, s.u);
    slopes_by_value(&s, system, QDOT_PART_PARAMETERS, s.p);
    qdot_context_close(cx);
  }
}

// A computed parameter that is set no longer follows, nor do slopes go through it.
static void slopes_end_at_what_is_set(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_system *system = derive_text(cx, "param m = 2 [kg], L = 3 [m]\n"
                                        "param J = m*L^2/3, K = J + m*(1 [m^2])\n"
                                        "coord q = 1\nkinetic = 1/2*(J + K)*q'^2\n"
                                        "potential = -m*(9.81 [m/s^2])*L/2*cos(q)\n");
  qdot_evaluator *e;
  assert_int_equal(qdot_evaluator_open(system, ALL, &e), QDOT_OK);
  static const char *const names[] = {"m", "L", "J", "K"};
  double q = 0.7, qd = 0.2, slopes[4], value, ahead, behind, h = 1e-5;
  for (int given = -1; given < 4; given++) {
    if (given >= 0) assert_int_equal(qdot_evaluator_set(e, names[given], 2.5 + given), QDOT_OK);
    assert_int_equal(qdot_evaluator_slopes(e, 0, &q, &qd, NULL, NULL, slopes), QDOT_OK);
    for (int i = 0; i <= given; i++) { // setting one makes it given
      assert_int_equal(qdot_evaluator_get(e, names[i], &value), QDOT_OK);
      qdot_evaluator_set(e, names[i], value + h);
      qdot_evaluator_accelerations(e, 0, &q, &qd, &ahead, NULL);
      qdot_evaluator_set(e, names[i], value - h);
      qdot_evaluator_accelerations(e, 0, &q, &qd, &behind, NULL);
      qdot_evaluator_set(e, names[i], value);
      CHECK_NEAR(slopes[i], (ahead - behind) / (2 * h), 1e-8);
    }
  }
  qdot_context_close(cx);
}

static void computed_parameters_follow(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_system *system =
      derive_text(cx, "param m = 2 [kg], L = 3 [m]\nparam J = m*L^2/3, k = 2*J/L^2\n"
                      "coord q = 1 [rad]\nparam g = 9.81 [m/s^2]\nkinetic = 1/2*J*q'^2\n"
                      "potential = -m*g*L/2*cos(q)\n"
                      "input F = 2*k*L/(1 [s^2])\nforce q = F*L\noutput a = q''\n");
  qdot_evaluator *e, *other;
  assert_int_equal(qdot_evaluator_open(system, QDOT_EVALUATE_OUTPUTS, &e), QDOT_OK);
  assert_int_equal(qdot_evaluator_open(system, 0, &other), QDOT_OK);
  double value, q = 0, qd = 1, energies[3], a;
  assert_int_equal(qdot_evaluator_get(e, "k", &value), QDOT_OK);
  CHECK_NEAR(value, 4.0 / 3, 1e-15);
  assert_int_equal(qdot_evaluator_set(e, "m", 6), QDOT_OK);
  assert_int_equal(qdot_evaluator_get(e, "k", &value), QDOT_OK);
  CHECK_NEAR(value, 4, 1e-15);
  assert_int_equal(qdot_evaluator_get(e, "F", &value), QDOT_OK);
  CHECK_NEAR(value, 24, 1e-15);
  // what is set stays as it is
  assert_int_equal(qdot_evaluator_set(e, "J", 5), QDOT_OK);
  assert_int_equal(qdot_evaluator_set(e, "F", 1), QDOT_OK);
  assert_int_equal(qdot_evaluator_set(e, "L", 2), QDOT_OK);
  assert_int_equal(qdot_evaluator_outputs(e, 0, &q, &qd, &a, energies), QDOT_OK);
  CHECK_NEAR(a, 2.0 / 5, 1e-14);
  CHECK_NEAR(energies[0], 2.5, 1e-14);
  CHECK_NEAR(energies[1], -6 * 9.81, 1e-14);
  CHECK_NEAR(energies[2], energies[0] + energies[1], 1e-14);
  // the other one has values of its own, and names that do not exist are refused
  assert_int_equal(qdot_evaluator_get(other, "J", &value), QDOT_OK);
  CHECK_NEAR(value, 6, 1e-15);
  assert_int_equal(qdot_evaluator_set(e, "mass", 1), QDOT_UNKNOWN_NAME);
  assert_int_equal(qdot_evaluator_set(e, "m", NAN), QDOT_BAD_VALUE);
  assert_int_equal(qdot_evaluator_outputs(other, 0, &q, &qd, &a, NULL), QDOT_BAD_ARGUMENT);
  assert_int_equal(qdot_evaluator_slopes(other, 0, &q, &qd, &a, NULL, NULL), QDOT_BAD_ARGUMENT);
  qdot_evaluator_close(e); // not in the order of opening
  qdot_evaluator_close(other);
  assert_int_equal(qdot_error_count(cx), 0);
  qdot_context_close(cx);
}

// Rows that say the same twice take pivoting, with a mass matrix that stays until a mass is set.
static void masses_change_where_rows_are_too_many(void **state) {
  (void)state;
  Random random = random_start("masses_change_where_rows_are_too_many");
  qdot_context *cx = qdot_context_open(NULL);
  qdot_system *system = derive_text(cx, "param m = 2 [kg], M = 3 [kg], F = 5 [N]\n"
                                        "coord x = 0 [m], y = 0 [m]\n"
                                        "kinetic = m*x'^2/2 + M*y'^2/2\nforce x = F\n"
                                        "constraint c: x + y = 0\nconstraint d: 2*x + 2*y = 0\n");
  qdot_evaluator *e;
  assert_int_equal(qdot_evaluator_open(system, 0, &e), QDOT_OK);
  double q[2] = {0}, qd[2] = {0}, qdd[2], lambda[2];
  for (int k = 0; k < 10; k++) {
    double m = random_real(&random, 1, 9), M = random_real(&random, 1, 9);
    assert_int_equal(qdot_evaluator_set(e, "m", m), QDOT_OK);
    assert_int_equal(qdot_evaluator_set(e, "M", M), QDOT_OK);
    assert_int_equal(qdot_evaluator_accelerations(e, 0, q, qd, qdd, lambda), QDOT_OK);
    CHECK_NEAR(qdd[0], 5 / (m + M), 1e-14);
  }
  qdot_evaluator_close(e);
  qdot_context_close(cx);
}

// sign, abs and contacts at any state
static void switches_and_contacts(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_system *system = derive_text(cx, "param m = 2 [kg], F = 3 [N]\ncoord x = 1 [m]\n"
                                        "kinetic = 1/2*m*x'^2\nforce x = -F*sign(x')\n"
                                        "contact wall: x <= 4 [m]\n");
  qdot_evaluator *e;
  assert_int_equal(qdot_evaluator_open(system, QDOT_EVALUATE_CONTACTS, &e), QDOT_OK);
  assert_string_equal(qdot_system_name_at(system, QDOT_PART_CONTACTS, 0), "wall");
  assert_null(qdot_system_name_at(system, QDOT_PART_CONTACTS, 1));
  for (int i = 0; i < 6; i++) {
    double x = i, v = i % 2 ? 1 + i : -1 - i, a, phi, phi_dot;
    assert_int_equal(qdot_evaluator_accelerations(e, 0, &x, &v, &a, NULL), QDOT_OK);
    CHECK_NEAR(a, v > 0 ? -1.5 : 1.5, 1e-15);
    assert_int_equal(qdot_evaluator_contacts(e, 0, &x, &v, &phi, &phi_dot), QDOT_OK);
    CHECK_NEAR(phi, x - 4, 1e-15);
    CHECK_NEAR(phi_dot, v, 1e-15);
  }
  qdot_context_close(cx);
}

// ---- Threads: evaluators of one system side by side

enum { THREADS = 4 };

typedef struct Job {
  qdot_evaluator *evaluator;
  double mass, sum;
  qdot_status status;
} Job;

static void *evaluate_often(void *argument) {
  Job *job = argument;
  double q[MOST] = {0.1, 0.2}, qd[MOST] = {1, 2}, qdd[MOST], slopes[MOST * MOST];
  job->sum = 0;
  job->status = qdot_evaluator_set(job->evaluator, "m", job->mass);
  for (int i = 0; i < test_rounds(2000) && job->status == QDOT_OK; i++) {
    q[1] = 1e-3 * i;
    job->status = qdot_evaluator_accelerations(job->evaluator, 0, q, qd, qdd, NULL);
    if (job->status == QDOT_OK)
      job->status = qdot_evaluator_slopes(job->evaluator, 0, q, qd, slopes, NULL, NULL);
    job->sum += qdd[0] + qdd[1] + slopes[0];
  }
  return NULL;
}

static void evaluators_share_a_system(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_system *system = derive_example(cx, "cart_pole");
  Job jobs[THREADS];
  double alone[THREADS];
  for (int i = 0; i < THREADS; i++) {
    jobs[i] = (Job){.mass = 0.1 * (i + 1)};
    assert_int_equal(qdot_evaluator_open(system, QDOT_EVALUATE_STATE_SLOPES, &jobs[i].evaluator),
                     QDOT_OK);
    evaluate_often(&jobs[i]);
    alone[i] = jobs[i].sum;
  }
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, evaluate_often, &jobs[i]), 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal(jobs[i].status, QDOT_OK);
    assert_true(jobs[i].sum == alone[i]);
  }
  qdot_context_close(cx);
}

// A drive that switches starts with the speed that holds at the beginning, or a moment later.
static void switched_drives_start(void **state) {
  (void)state;
  static const char *const speeds[] = {"if(t < 1 [s], 2 [rad/s], 0.5 [rad/s])",
                                       "if(t > 0, 2 [rad/s], 0.5 [rad/s])",
                                       "max(0.5, 2*cos(t/(1 [s])))*1 [rad/s]"};
  for (int k = 0; k < 3; k++) {
    char text[400];
    snprintf(text, sizeof text,
             "body crank: rod 0.4 [m], mass 1 [kg], at (0.2 [m], 0)\n"
             "joint A: revolute ground (0, 0), crank (-0.2 [m], 0)\nmotor A: speed %s\n",
             speeds[k]);
    qdot_context *cx = qdot_context_open(NULL);
    qdot_evaluator *evaluator;
    double q[1], qd[1];
    assert_int_equal(qdot_evaluator_open(derive_text(cx, text), ALL, &evaluator), QDOT_OK);
    assert_int_equal(qdot_evaluator_initial(evaluator, q, qd), QDOT_OK);
    CHECK_NEAR(qd[0], 2, 1e-12);
    qdot_context_close(cx);
  }
}

// States stand behind the velocities; accelerations, rates and slopes by them are those of the
// model.
static void states_stand_behind_velocities(void **state) {
  (void)state;
  qdot_context *cx = qdot_context_open(NULL);
  qdot_system *system = derive_text(cx, "param J = 2 [kg*m^2], k = 3 [N*m/A], L = 0.5 [H]\n"
                                        "coord a = 1 [rad]\nstate i = 4 [A]\n"
                                        "rate i = (5 [V] - k*a' - (2 [ohm])*i)/L\n"
                                        "kinetic = 1/2*J*a'^2\nforce a = k*i\n");
  qdot_evaluator *evaluator;
  double q[1], qd[2], qdd[1], rate[1], by_state[3];
  assert_int_equal(qdot_system_name_count(system, QDOT_PART_STATES), 1);
  assert_string_equal(qdot_system_name_at(system, QDOT_PART_STATES, 0), "i");
  assert_int_equal(qdot_evaluator_open(system, ALL, &evaluator), QDOT_OK);
  assert_int_equal(qdot_evaluator_initial(evaluator, q, qd), QDOT_OK);
  CHECK_NEAR(qd[1], 4, 0);
  qd[0] = 0.25, qd[1] = -1.5;
  assert_int_equal(qdot_evaluator_accelerations(evaluator, 0, q, qd, qdd, NULL), QDOT_OK);
  assert_int_equal(qdot_evaluator_rates(evaluator, 0, q, qd, rate), QDOT_OK);
  assert_int_equal(qdot_evaluator_slopes(evaluator, 0, q, qd, by_state, NULL, NULL), QDOT_OK);
  CHECK_NEAR(qdd[0], 3 * -1.5 / 2, 1e-14);
  CHECK_NEAR(rate[0], (5 - 3 * 0.25 + 2 * 1.5) / 0.5, 1e-14);
  CHECK_NEAR(by_state[2], 1.5, 1e-14);
  qdot_context_close(cx);
}

RUN_TESTS(cmocka_unit_test(states_stand_behind_velocities), cmocka_unit_test(equations_hold),
          cmocka_unit_test(slopes_are_derivatives), cmocka_unit_test(computed_parameters_follow),
          cmocka_unit_test(slopes_end_at_what_is_set), cmocka_unit_test(switches_and_contacts),
          cmocka_unit_test(masses_change_where_rows_are_too_many),
          cmocka_unit_test(switched_drives_start), cmocka_unit_test(evaluators_share_a_system))
