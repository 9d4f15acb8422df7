// The motion between the ends of steps, and at them, is as good as the tolerance says: random
// systems, calm and strongly damped, against many small steps from where each step began.
#include <math.h>
#include <string.h>

#include "solve/explicit.h"
#include "support/integrate.h"

enum { N = 3, SYSTEMS = 24, MOST_STEPS = 80 };

typedef enum Kind { LINEAR, PENDULUMS, STIFFENING, VAN_DER_POL, KINDS } Kind;

// q'' = F cos(W t + i) - K g(q) - C q'
typedef struct Random3 {
  Kind kind;
  double K[N][N], C[N][N], F[N], W;
} Random3;

static double spring(Kind kind, double q) {
  return kind == PENDULUMS ? sin(q) : kind == STIFFENING ? q + q * q * q : q;
}

static Status forward(void *user, double t, const double *q, const double *qd, double *qdd,
                      double *lambda, double *rates) {
  const Random3 *s = user;
  (void)lambda, (void)rates;
  for (int i = 0; i < N; i++) {
    double damping = s->kind == VAN_DER_POL ? 0.2 + q[i] * q[i] : 1;
    qdd[i] = s->F[i] * cos(s->W * t + i);
    for (int j = 0; j < N; j++)
      qdd[i] -= s->K[i][j] * spring(s->kind, q[j]) + s->C[i][j] * damping * qd[j];
  }
  return QDOT_OK;
}

// One direction is damped, by eigenvalues of 10 to 3000, or nothing is.
static Random3 random_system(Random *random, Kind kind, bool damped) {
  Random3 s = {.kind = kind, .W = random_real(random, 0.2, 8)};
  double damper = damped ? pow(10, random_real(random, 1, 3.5)) : random_real(random, 0.01, 1);
  double stiffness = pow(10, random_real(random, 0, 3));
  double A[N][N], v[N];
  for (int i = 0; i < N; i++) {
    v[i] = random_real(random, -1, 1);
    s.F[i] = random_real(random, -5, 5) * (damped ? 1 + damper / 10 : 1);
    for (int j = 0; j < N; j++) A[i][j] = random_real(random, -1, 1);
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      s.K[i][j] = i == j ? 0.1 : 0;
      for (int k = 0; k < N; k++) s.K[i][j] += stiffness * A[k][i] * A[k][j];
      s.C[i][j] = damper * v[i] * v[j] + (i == j ? random_real(random, 0, 0.3) : 0);
    }
  return s;
}

static void derivative(Random3 *s, double t, const double *y, double *k) {
  memcpy(k, y + N, N * sizeof *k);
  forward(s, t, y, y + N, k + N, NULL, NULL);
}

// Runge and Kutta's steps, the fourth order taken away.
static void small_steps(Random3 *s, double t, double h, const double *from, int steps, double *y) {
  double k[4][2 * N], z[2 * N];
  static const double share[] = {0, 0.5, 0.5, 1};
  memcpy(y, from, 2 * N * sizeof *y);
  h /= steps;
  for (int step = 0; step < steps; step++, t += h) {
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 2 * N; j++) z[j] = y[j] + (i ? share[i] * h * k[i - 1][j] : 0);
      derivative(s, t + share[i] * h, z, k[i]);
    }
    for (int j = 0; j < 2 * N; j++) y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
  }
}

static void local_motion(Random3 *s, double t, double h, const double *from, double *y) {
  double coarse[2 * N];
  small_steps(s, t, h, from, 30, coarse);
  small_steps(s, t, h, from, 60, y);
  for (int j = 0; j < 2 * N; j++) y[j] += (y[j] - coarse[j]) / 15;
}

// In tolerances, from what the motion from the step's beginning is at this time.
static double error_at(Stepper *stepper, Random3 *s, double t) {
  double y[2 * N + 4] = {0}, e[2 * N + 4] = {0}, truth[2 * N];
  assert_int_equal(stepper_dense(stepper, t, y), QDOT_OK);
  local_motion(s, stepper->t_old, t - stepper->t_old, stepper->y_old, truth);
  for (int j = 0; j < 2 * N; j++) e[j] = y[j] - truth[j];
  return error_norm(stepper, e, stepper->y_old, stepper->y);
}

static void check_system(Context *cx, Random *random, MethodId method, Random3 *s, double *inside,
                         double *end) {
  Problem problem = {.user = s, .n = N, .forward = forward};
  MethodOptions options = with_tolerance(method, pow(10, random_real(random, -10, -5)));
  Stepper *stepper;
  double q[N], qd[N];
  for (int i = 0; i < N; i++) q[i] = random_real(random, -1, 1), qd[i] = random_real(random, -1, 1);
  assert_int_equal(stepper_open(&cx->keep, &problem, &options, &stepper), QDOT_OK);
  assert_int_equal(stepper_start(stepper, 0, q, qd, NULL), QDOT_OK);
  while (stepper->t < 10 && stepper->steps < MOST_STEPS) {
    assert_int_equal(stepper_step(stepper, 10), QDOT_OK);
    double h = stepper->t - stepper->t_old;
    *end = fmax(*end, error_at(stepper, s, stepper->t));
    for (int i = 1; i < 10; i += 3)
      *inside = fmax(*inside, error_at(stepper, s, stepper->t_old + 0.1 * i * h));
  }
  stepper_close(stepper);
}

static void check_method(Context *cx, MethodId method) {
  Random random = random_start(method_name(method));
  for (int damped = 0; damped < 2; damped++) {
    double inside = 0, end = 0;
    for (int i = 0; i < SYSTEMS; i++) {
      Random3 s = random_system(&random, i % KINDS, damped);
      check_system(cx, &random, method, &s, &inside, &end);
    }
    print_message("%s, %s: %.2g tolerances inside of steps, %.2g at their ends\n",
                  method_name(method), damped ? "damped" : "calm", inside, end);
    assert_true(inside < 8);
    assert_true(end < 8);
  }
}

TEST(motion_is_good_between_steps) {
  check_method(cx, METHOD_RK853);
  check_method(cx, METHOD_RK45);
}

// A motor with its load: the fast mode has decayed, the slow one is 500 times as large.
static Status motor(void *user, double t, const double *q, const double *qd, double *qdd,
                    double *lambda, double *rates) {
  (void)user, (void)t, (void)q, (void)lambda, (void)rates;
  qdd[0] = -0.5 * qd[0] + 250 * qd[1];
  qdd[1] = 4000 - qd[0] / 0.06 - 400 * qd[1];
  return QDOT_OK;
}

// x = x_0 - (exp(l t) (A - k) - exp(k t) (A - l)) x_0 / (l - k)
static double motor_speed(double t) {
  double det = 0.5 * 400 + 250 / 0.06, k = -200.25 - sqrt(200.25 * 200.25 - det), l = det / k;
  double x[2] = {1e6 / det, 2e3 / det}, row = -x[0] / 0.06 - 400 * x[1];
  return x[1] - (exp(l * t) * (row - k * x[1]) - exp(k * t) * (row - l * x[1])) / (l - k);
}

TEST(slow_motions_do_not_hide_fast_ones) {
  Problem problem = {.n = 2, .forward = motor};
  const double zero[2] = {0};
  for (double rtol = 1e-5; rtol > 1e-11; rtol /= 3) {
    MethodOptions options = with_tolerance(METHOD_RK853, rtol);
    Stepper *stepper;
    double worst = 0;
    assert_int_equal(stepper_open(&cx->keep, &problem, &options, &stepper), QDOT_OK);
    assert_int_equal(stepper_start(stepper, 0, zero, zero, NULL), QDOT_OK);
    while (stepper->t < 0.5) {
      assert_int_equal(stepper_step(stepper, 0.5), QDOT_OK);
      for (int i = 1; i <= 8; i++) {
        double y[8], t = stepper->t_old + i / 8.0 * (stepper->t - stepper->t_old);
        assert_int_equal(stepper_dense(stepper, t, y), QDOT_OK);
        worst = fmax(worst, fabs(y[3] - motor_speed(t)) / (rtol * (1 + fabs(y[3]))));
      }
    }
    if (worst > 20) fail_msg("%.3g tolerances off at rtol %.1e", worst, rtol);
    stepper_close(stepper);
  }
}

RUN_TESTS(cmocka_unit_test(motion_is_good_between_steps),
          cmocka_unit_test(slow_motions_do_not_hide_fast_ones))
