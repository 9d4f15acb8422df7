// A request to stop is heard within a step, by every method.
#include "support/integrate.h"

typedef struct Patience {
  volatile int stop;
  long calls;
} Patience;

// x'' = -x, until the patience is at its end.
static Status terms(void *user, double t, const double *q, const double *qd, double *M, double *f,
                    double *Phi_q, double *gamma) {
  (void)t, (void)qd, (void)Phi_q, (void)gamma;
  Patience *patience = user;
  M[0] = 1;
  f[0] = -q[0];
  if (++patience->calls == 100) patience->stop = 1;
  return QDOT_OK;
}

static Status forward(void *user, double t, const double *q, const double *qd, double *qdd,
                      double *lambda, double *rates) {
  (void)lambda, (void)rates;
  double M;
  return terms(user, t, q, qd, &M, qdd, NULL, NULL);
}

// Nothing here has a value, so that an explicit method shrinks its step.
static Status undefined(void *user, double t, const double *q, const double *qd, double *qdd,
                        double *lambda, double *rates) {
  forward(user, t, q, qd, qdd, lambda, rates);
  return t > 1 ? QDOT_UNDEFINED : QDOT_OK;
}

static Status tangent(void *user, double t, const double *q, const double *qd, const double *qdd,
                      const double *lambda, double *K, double *C) {
  (void)user, (void)t, (void)q, (void)qd, (void)qdd, (void)lambda;
  K[0] = 1;
  C[0] = 0;
  return QDOT_OK;
}

static void check_stop(Context *cx, Problem problem, MethodId id) {
  Patience patience = {0};
  problem.user = &patience;
  MethodOptions options = with_tolerance(id, 1e-10);
  Mark mark = arena_mark(&cx->scratch);
  Stepper *s;
  assert_int_equal(stepper_open(&cx->scratch, &problem, &options, &s), QDOT_OK);
  s->stop = &patience.stop;
  assert_int_equal(stepper_start(s, 0, (double[1]){1}, (double[1]){0}, NULL), QDOT_OK);
  Status status = QDOT_OK;
  while (status == QDOT_OK && s->t < 1e6) status = stepper_step(s, 1e6);
  print_message("%s: %ld calls\n", method_name(id), patience.calls);
  assert_int_equal(status, QDOT_STOPPED);
  assert_true(patience.calls < 120);
  stepper_close(s);
  arena_release(&cx->scratch, mark);
}

TEST(every_method) {
  static const MethodId ids[] = {METHOD_RK853,   METHOD_RK45,  METHOD_BDF,
                                 METHOD_NEWMARK, METHOD_ALPHA, METHOD_DAE};
  Problem problem = {.n = 1, .terms = terms, .forward = forward, .tangent = tangent};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
    if (!method_get(ids[i])->lacks) check_stop(cx, problem, ids[i]);
}

TEST(shrinking_steps) {
  Problem problem = {.n = 1, .forward = undefined};
  check_stop(cx, problem, METHOD_RK45);
}

RUN_TESTS(cmocka_unit_test(every_method), cmocka_unit_test(shrinking_steps))
