// Forces that are held between samples: a stepper that is told of the next jump leaves out the
// derivative before it. Random systems, calm and strongly damped, against a stepper that is not
// told, and both against one with a far smaller tolerance.
#include <math.h>
#include <string.h>

#include "support/integrate.h"

enum { N = 2, SAMPLES = 200, SYSTEMS = 60 };

// q_i'' = u_i - k_i sin(q_i) - c_i q_i' + (q_0 - q_1)/2
typedef struct Held {
  double u[N], k[N], c[N];
} Held;

static Status forward(void *user, double t, const double *q, const double *qd, double *qdd,
                      double *lambda, double *rates) {
  const Held *s = user;
  (void)t, (void)lambda, (void)rates;
  for (int i = 0; i < N; i++)
    qdd[i] = s->u[i] - s->k[i] * sin(q[i]) - s->c[i] * qd[i] + 0.5 * (q[0] - q[1]);
  return QDOT_OK;
}

enum { TOLD, NOT_TOLD, EXACT, STEPPERS };

typedef struct Trio {
  Held held[STEPPERS];
  Problem problem[STEPPERS];
  Stepper *stepper[STEPPERS];
  double error[2]; // the largest, in tolerances
} Trio;

static void open_trio(Context *cx, Trio *trio, const Held *held, double tolerance) {
  static const double q[N] = {0.3, -0.5}, qd[N] = {1, 0.2};
  for (int i = 0; i < STEPPERS; i++) {
    MethodOptions options = with_tolerance(METHOD_RK853, i == EXACT ? 1e-13 : tolerance);
    trio->held[i] = *held;
    trio->problem[i] = (Problem){.user = &trio->held[i], .n = N, .forward = forward};
    assert_int_equal(stepper_open(&cx->keep, &trio->problem[i], &options, &trio->stepper[i]),
                     QDOT_OK);
    assert_int_equal(stepper_start(trio->stepper[i], 0, q, qd, NULL), QDOT_OK);
  }
}

static void step_to(Trio *trio, double t) {
  trio->stepper[TOLD]->t_jump = t;
  for (int i = 0; i < STEPPERS; i++)
    while (trio->stepper[i]->t < t) assert_int_equal(stepper_step(trio->stepper[i], t), QDOT_OK);
}

// The last steps of both, if they began together, show the same motion.
static void check_between(Trio *trio, double share) {
  Stepper *told = trio->stepper[TOLD], *other = trio->stepper[NOT_TOLD];
  double y[2][2 * N + 4], t = told->t_old + share * (told->t - told->t_old);
  for (int i = 0; i < EXACT; i++)
    assert_int_equal(stepper_dense(trio->stepper[i], t, y[i]), QDOT_OK);
  if (told->t_old != other->t_old || memcmp(told->y_old, other->y_old, sizeof(double[2 * N])))
    return;
  assert_memory_equal(y[0], y[1], sizeof(double[2 * N]));
}

static void jump(Trio *trio, Random *random) {
  for (int j = 0; j < N; j++) {
    double u = random_real(random, -3, 3) * (1 + trio->held[0].c[j]);
    for (int i = 0; i < STEPPERS; i++) trio->held[i].u[j] = u;
  }
  for (int i = 0; i < STEPPERS; i++) assert_int_equal(stepper_go_on(trio->stepper[i]), QDOT_OK);
}

static void note_errors(Trio *trio, double tolerance) {
  const double *exact = trio->stepper[EXACT]->y;
  for (int i = 0; i < EXACT; i++)
    for (int j = 0; j < 2 * N; j++) {
      double allowed = tolerance * fmax(1, fabs(exact[j]));
      trio->error[i] = fmax(trio->error[i], fabs(trio->stepper[i]->y[j] - exact[j]) / allowed);
    }
}

static void follow(Trio *trio, Random *random, double period, double tolerance, bool looks) {
  trio->error[TOLD] = trio->error[NOT_TOLD] = 0;
  for (int k = 1; k <= SAMPLES; k++) {
    step_to(trio, k * period);
    note_errors(trio, tolerance);
    if (looks && k % 3 == 0) check_between(trio, random_real(random, 0, 1));
    // a moment at which nothing jumps after all is passed as any other
    if (k % 7 != 0) jump(trio, random);
  }
}

static void close_trio(Trio *trio) {
  for (int i = 0; i < STEPPERS; i++) stepper_close(trio->stepper[i]);
}

TEST(short_holds_give_the_same_bits) {
  Random random = random_start("short");
  for (int i = 0; i < SYSTEMS; i++) {
    Held held = {0};
    for (int j = 0; j < N; j++)
      held.k[j] = random_real(&random, 0, 30), held.c[j] = random_real(&random, 0, 3);
    Trio trio;
    open_trio(cx, &trio, &held, 1e-8);
    follow(&trio, &random, 1e-3, 1e-8, i % 2);
    const Stepper *told = trio.stepper[TOLD], *other = trio.stepper[NOT_TOLD];
    assert_int_equal(told->steps, other->steps);
    assert_memory_equal(told->y, other->y, sizeof(double[2 * N]));
    long saved = other->dynamics.evaluations - told->dynamics.evaluations;
    if (i % 2 == 0) assert_true(saved > SAMPLES * 3 / 4 && saved <= SAMPLES);
    close_trio(&trio);
  }
}

TEST(fast_motions_stay_as_good) {
  Random random = random_start("fast");
  double worst = 0;
  for (int i = 0; i < SYSTEMS; i++) {
    Held held = {0};
    double tolerance = pow(10, random_real(&random, -10, -6));
    for (int j = 0; j < N; j++) {
      held.k[j] = pow(10, random_real(&random, 0, 4));
      held.c[j] = pow(10, random_real(&random, -1, 3.5));
    }
    Trio trio;
    open_trio(cx, &trio, &held, tolerance);
    double period = pow(10, random_real(&random, -3.5, -1.5));
    follow(&trio, &random, period, tolerance, true);
    worst = fmax(worst, trio.error[TOLD] / (trio.error[NOT_TOLD] + 1));
    if (!(trio.error[TOLD] <= 2 * trio.error[NOT_TOLD] + 1))
      fail_msg("system %d: told %.3g tolerances off, not told %.3g", i, trio.error[TOLD],
               trio.error[NOT_TOLD]);
    close_trio(&trio);
  }
  print_message("told at most %.3g times as far off as not told\n", worst);
}

RUN_TESTS(cmocka_unit_test(short_holds_give_the_same_bits),
          cmocka_unit_test(fast_motions_stay_as_good))
