// Convergence order of every method, with and without constraints, and of its dense output.
#include <math.h>
#include <string.h>

#include "support/integrate.h"
#include "support/truss.h"

// q'' + 2 c q' + k q = cos(w t), two of them coupled by nothing but the step size.
typedef struct Oscillator {
  double c, k, w;
} Oscillator;
static Oscillator oscillator = {0.2, 9, 2};

static Status forward(void *user, double t, const double *q, const double *qd, double *qdd,
                      double *lambda, double *rates) {
  const Oscillator *o = user;
  (void)lambda;
  qdd[0] = cos(o->w * t) - 2 * o->c * qd[0] - o->k * q[0];
  rates[0] = (cos(o->w * t) - 2 * o->c * qd[0]) * qd[0];
  return QDOT_OK;
}

static Status terms(void *user, double t, const double *q, const double *qd, double *M, double *f,
                    double *Phi_q, double *gamma) {
  const Oscillator *o = user;
  (void)Phi_q, (void)gamma;
  M[0] = 1;
  f[0] = cos(o->w * t) - 2 * o->c * qd[0] - o->k * q[0];
  return QDOT_OK;
}

static Status rates(void *user, double t, const double *q, const double *qd, const double *lambda,
                    double *out) {
  const Oscillator *o = user;
  (void)q, (void)lambda;
  out[0] = (cos(o->w * t) - 2 * o->c * qd[0]) * qd[0];
  return QDOT_OK;
}

static Status tangent(void *user, double t, const double *q, const double *qd, const double *qdd,
                      const double *lambda, double *K, double *C) {
  const Oscillator *o = user;
  (void)t, (void)q, (void)qd, (void)qdd, (void)lambda;
  K[0] = o->k;
  C[0] = 2 * o->c;
  return QDOT_OK;
}

static Status gradient(void *user, double t, const double *q, const double *v, double *L_q,
                       double *L_v, double *F) {
  const Oscillator *o = user;
  L_q[0] = -o->k * q[0];
  L_v[0] = v[0];
  F[0] = cos(o->w * t) - 2 * o->c * v[0];
  return QDOT_OK;
}

static Status hessian(void *user, double t, const double *q, const double *v, double *L_qq,
                      double *L_qv, double *L_vv, double *F_q, double *F_v) {
  const Oscillator *o = user;
  (void)t, (void)q, (void)v;
  L_qq[0] = -o->k;
  L_qv[0] = 0;
  L_vv[0] = 1;
  F_q[0] = 0;
  F_v[0] = -2 * o->c;
  return QDOT_OK;
}

static const Problem oscillator_problem = {.user = &oscillator,
                                           .n = 1,
                                           .quadratures = 1,
                                           .constant_mass = true,
                                           .linear = true,
                                           .forward = forward,
                                           .terms = terms,
                                           .rates = rates,
                                           .tangent = tangent,
                                           .gradient = gradient,
                                           .hessian = hessian};

static const double start_q = 0.3, start_qd = -0.5;

// The closed form: steady state and decaying part.
static void exact(double t, double *q, double *qd) {
  double c = oscillator.c, k = oscillator.k, w = oscillator.w;
  double d = (k - w * w) * (k - w * w) + 4 * c * c * w * w;
  double a = (k - w * w) / d, b = 2 * c * w / d, f = sqrt(k - c * c);
  double A = start_q - a, B = (start_qd - b * w + c * A) / f;
  double e = exp(-c * t), cs = cos(f * t), sn = sin(f * t);
  q[0] = a * cos(w * t) + b * sin(w * t) + e * (A * cs + B * sn);
  qd[0] = -a * w * sin(w * t) + b * w * cos(w * t) - c * e * (A * cs + B * sn) +
          e * f * (B * cs - A * sn);
}

static double oscillator_error(Context *cx, MethodOptions options, Ending *out) {
  double q, qd;
  *out = integrate_watch(cx, &oscillator_problem, &options, &start_q, &start_qd, 10, 5, exact);
  assert_int_equal(out->status, QDOT_OK);
  assert_true(out->t == 10);
  exact(10, &q, &qd);
  return fmax(fabs(out->q[0] - q), fabs(out->qd[0] - qd));
}

static void check_fixed_order(Context *cx, MethodId method) {
  Ending coarse, fine;
  double e1 = oscillator_error(cx, with_step(method, 0.02), &coarse);
  double e2 = oscillator_error(cx, with_step(method, 0.01), &fine);
  double order = log2(e1 / e2), dense = log2(coarse.worst_dense / fine.worst_dense);
  print_message("%-12s order %.2f, dense %.2f, error %.1e\n", method_name(method), order, dense,
                e2);
  assert_true(fabs(order - method_get(method)->order) < 0.25);
  assert_true(dense > method_get(method)->order - 0.3);
  // E - W is conserved as accurately as the method is
  double E0 = start_qd * start_qd / 2 + oscillator.k * start_q * start_q / 2;
  double E = fine.qd[0] * fine.qd[0] / 2 + oscillator.k * fine.q[0] * fine.q[0] / 2;
  assert_true(fabs(E - E0 - fine.w[0]) < 20 * e2 + 1e-12);
}

TEST(fixed_steps) {
  for (MethodId method = 0; method < METHOD_COUNT; method++)
    if (method_get(method)->fixed_step) check_fixed_order(cx, method);
}

// For a method with error control: error per cost as the tolerance falls by 1e6.
static void check_adaptive_order(Context *cx, MethodId method, double order) {
  Ending loose, tight;
  double e1 = oscillator_error(cx, with_tolerance(method, 1e-5), &loose);
  double e2 = oscillator_error(cx, with_tolerance(method, 1e-11), &tight);
  double measured = log(e1 / e2) / log((double)tight.steps / (double)loose.steps);
  print_message("%-12s order %.2f, error %.1e at 1e-11, dense %.1e, %ld steps, %ld evaluations\n",
                method_name(method), measured, e2, tight.worst_dense, tight.steps,
                tight.evaluations);
  assert_true(e2 < 1e-8);
  assert_true(tight.worst_dense < 2e-8);
  assert_true(measured > order - 0.8);
  double E0 = start_qd * start_qd / 2 + oscillator.k * start_q * start_q / 2;
  double E = tight.qd[0] * tight.qd[0] / 2 + oscillator.k * tight.q[0] * tight.q[0] / 2;
  assert_true(fabs(E - E0 - tight.w[0]) < 1e-8);
}

TEST(adaptive_steps) {
  for (MethodId method = 0; method < METHOD_COUNT; method++) {
    // methods of SUNDIALS choose their order
    bool chooses = method == METHOD_BDF || method == METHOD_DAE;
    if (!method_get(method)->fixed_step && !method_get(method)->lacks)
      check_adaptive_order(cx, method, chooses ? 4 : method_get(method)->order);
  }
}

// A damped double pendulum of point masses in Cartesian coordinates.
static void double_pendulum(Truss *truss, double *q, double *qd) {
  *truss = (Truss){.points = 2, .mass = {1, 2}, .gravity = 9.81, .damping = 0.1};
  truss_ground_rod(truss, 0, 0, 0, 1);
  truss_rod(truss, 1, 0, 0.7);
  truss_finish(truss);
  double start[4] = {1, 0, 1, -0.7}, rate[4] = {0, 0.5, 0.3, 0.5};
  memcpy(q, start, sizeof start);
  memcpy(qd, rate, sizeof rate);
}

static double difference(const Ending *a, const Ending *b, int n) {
  double worst = 0;
  for (int i = 0; i < n; i++) {
    worst = fmax(worst, fabs(a->q[i] - b->q[i]));
    worst = fmax(worst, fabs(a->qd[i] - b->qd[i]));
  }
  return worst;
}

TEST(constrained_steps) {
  Truss truss;
  double q[4], qd[4];
  double_pendulum(&truss, q, qd);
  MethodOptions best = with_tolerance(METHOD_RK853, 1e-13);
  Ending truth = integrate(cx, &truss.problem, &best, q, qd, 2);
  assert_int_equal(truth.status, QDOT_OK);
  for (MethodId method = 0; method < METHOD_COUNT; method++) {
    if (!method_get(method)->fixed_step || !method_meets(method_get(method), NEED_CONSTRAINTS))
      continue;
    // at longer steps terms of order 2 and 3 may cancel by chance
    double step = method_get(method)->order > 2 ? 0.001 : 0.00025;
    MethodOptions coarse = with_step(method, step), fine = with_step(method, step / 2);
    Ending a = integrate(cx, &truss.problem, &coarse, q, qd, 2);
    Ending b = integrate(cx, &truss.problem, &fine, q, qd, 2);
    assert_int_equal(a.status, QDOT_OK);
    assert_int_equal(b.status, QDOT_OK);
    double order = log2(difference(&a, &truth, 4) / difference(&b, &truth, 4));
    print_message("%-12s order %.2f with constraints, error %.1e, work %.1e\n", method_name(method),
                  order, difference(&b, &truth, 4), fabs(b.w[0] - truth.w[0]));
    assert_true(fabs(order - method_get(method)->order) < 0.3);
    CHECK_NEAR(b.w[0], truth.w[0], 10 * difference(&b, &truth, 4));
  }
  for (MethodId method = 0; method < METHOD_COUNT; method++)
    for (double tolerance = 1e-6; tolerance > 1e-11; tolerance *= 1e-2) {
      if (method_get(method)->fixed_step || method_get(method)->lacks) continue;
      MethodOptions options = with_tolerance(method, tolerance);
      Ending a = integrate(cx, &truss.problem, &options, q, qd, 2);
      assert_int_equal(a.status, QDOT_OK);
      print_message("%-12s %.0e: error %.1e in %ld steps, %ld evaluations\n", method_name(method),
                    tolerance, difference(&a, &truth, 4), a.steps, a.evaluations);
      assert_true(difference(&a, &truth, 4) < 2000 * tolerance);
      CHECK_NEAR(a.w[0], truth.w[0], 2000 * tolerance);
    }
}

// The three other ways to treat the constraints agree with the projection.
TEST(other_stabilizations) {
  Truss truss;
  double q[4], qd[4];
  double_pendulum(&truss, q, qd);
  MethodOptions options = with_tolerance(METHOD_RK853, 1e-12);
  Ending truth = integrate(cx, &truss.problem, &options, q, qd, 3);
  options.rtol = options.atol = 1e-9;
  for (int i = STABILIZE_BAUMGARTE; i <= STABILIZE_NONE; i++) {
    options.stabilize = (Stabilize)i;
    Ending a = integrate(cx, &truss.problem, &options, q, qd, 3);
    assert_int_equal(a.status, QDOT_OK);
    double Phi[2];
    truss.problem.position(&truss, 3, a.q, Phi);
    print_message("stabilize %d: error %.1e, drift %.1e\n", i, difference(&a, &truth, 4),
                  fmax(fabs(Phi[0]), fabs(Phi[1])));
    assert_true(difference(&a, &truth, 4) < 1e-6);
    if (i == STABILIZE_PARTITIONING) assert_true(fmax(fabs(Phi[0]), fabs(Phi[1])) < 1e-14);
  }
}

// Wide vectors or not: the same bits.
TEST(same_bits_on_every_machine) {
  Truss truss;
  for (int four_bars = 1; four_bars <= 5; four_bars++) {
    double q[64], qd[64];
    truss_four_bars(&truss, four_bars);
    four_bars_state(four_bars, 1.2, 7, q, qd);
    MethodOptions options = with_tolerance(METHOD_RK853, 1e-9);
    Ending wide = integrate(cx, &truss.problem, &options, q, qd, 3);
    options.narrow = true;
    Ending narrow = integrate(cx, &truss.problem, &options, q, qd, 3);
    assert_int_equal(wide.steps, narrow.steps);
    size_t bytes = (size_t)truss.problem.n * sizeof(double);
    assert_memory_equal(wide.q, narrow.q, bytes);
    assert_memory_equal(wide.qd, narrow.qd, bytes);
  }
}

// Van der Pol's oscillator is stiff for a large factor: auto notices and changes to bdf.
static Status stiff_forward(void *user, double t, const double *q, const double *qd, double *qdd,
                            double *lambda, double *out) {
  (void)user, (void)t, (void)lambda, (void)out;
  qdd[0] = 1000 * (1 - q[0] * q[0]) * qd[0] - q[0];
  return QDOT_OK;
}

static Status stiff_terms(void *user, double t, const double *q, const double *qd, double *M,
                          double *f, double *Phi_q, double *gamma) {
  (void)Phi_q, (void)gamma;
  M[0] = 1;
  return stiff_forward(user, t, q, qd, f, NULL, NULL);
}

static Status stiff_tangent(void *user, double t, const double *q, const double *qd,
                            const double *qdd, const double *lambda, double *K, double *C) {
  (void)user, (void)t, (void)qdd, (void)lambda;
  K[0] = 2000 * q[0] * qd[0] + 1;
  C[0] = -1000 * (1 - q[0] * q[0]);
  return QDOT_OK;
}

TEST(automatic_change) {
  Problem problem = {
      .n = 1, .forward = stiff_forward, .terms = stiff_terms, .tangent = stiff_tangent};
  double q = 2, qd = 0;
  MethodOptions options = with_tolerance(METHOD_AUTO, 1e-6);
  Ending a = integrate(cx, &problem, &options, &q, &qd, 300);
  assert_int_equal(a.status, QDOT_OK);
  options.method = method_get(METHOD_BDF)->lacks ? METHOD_RADAU : METHOD_BDF;
  Ending b = integrate(cx, &problem, &options, &q, &qd, 300);
  print_message("auto %ld steps, %s %ld steps\n", a.steps, method_name(options.method), b.steps);
  CHECK_NEAR(a.q[0], b.q[0], 1e-4);
  assert_true(a.steps < 2000);
}

RUN_TESTS(cmocka_unit_test(same_bits_on_every_machine), cmocka_unit_test(fixed_steps),
          cmocka_unit_test(adaptive_steps), cmocka_unit_test(constrained_steps),
          cmocka_unit_test(other_stabilizations), cmocka_unit_test(automatic_change))
