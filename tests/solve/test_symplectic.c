// Symplectic methods: their orders where H separates and where it does not, and the energy of long
// runs. QDOT_STEPS: of a long run; 10^7 of them take half a minute.
#include <math.h>
#include <stdlib.h>

#include "support/integrate.h"

// ---- Kepler's problem, a = k = m = 1, in Cartesian and in polar coordinates; e: its eccentricity

static const double eccentricity = 0.3;

static Status cartesian(void *user, double t, const double *q, const double *qd, double *qdd,
                        double *lambda, double *rates) {
  (void)user, (void)t, (void)qd, (void)lambda, (void)rates;
  double r2 = q[0] * q[0] + q[1] * q[1], r3 = r2 * sqrt(r2);
  qdd[0] = -q[0] / r3, qdd[1] = -q[1] / r3;
  return QDOT_OK;
}

static Status cartesian_gradient(void *user, double t, const double *q, const double *v,
                                 double *L_q, double *L_v, double *F) {
  L_v[0] = v[0], L_v[1] = v[1];
  F[0] = F[1] = 0;
  return cartesian(user, t, q, v, L_q, NULL, NULL);
}

static Status polar_gradient(void *user, double t, const double *q, const double *v, double *L_q,
                             double *L_v, double *F) {
  (void)user, (void)t;
  double r = q[0];
  L_q[0] = r * v[1] * v[1] - 1 / (r * r), L_q[1] = 0;
  L_v[0] = v[0], L_v[1] = r * r * v[1];
  F[0] = F[1] = 0;
  return QDOT_OK;
}

static Status polar_hessian(void *user, double t, const double *q, const double *v, double *L_qq,
                            double *L_qv, double *L_vv, double *F_q, double *F_v) {
  (void)user, (void)t;
  double r = q[0];
  for (int i = 0; i < 4; i++) L_qq[i] = L_qv[i] = L_vv[i] = F_q[i] = F_v[i] = 0;
  L_qq[0] = v[1] * v[1] + 2 / (r * r * r);
  L_qv[1] = 2 * r * v[1];
  L_vv[0] = 1, L_vv[3] = r * r;
  return QDOT_OK;
}

static Status polar(void *user, double t, const double *q, const double *v, double *a,
                    double *lambda, double *rates) {
  (void)user, (void)t, (void)lambda, (void)rates;
  double r = q[0];
  a[0] = r * v[1] * v[1] - 1 / (r * r);
  a[1] = -2 * v[0] * v[1] / r;
  return QDOT_OK;
}

static const Problem split = {.n = 2,
                              .constant_mass = true,
                              .separates = true,
                              .forward = cartesian,
                              .gradient = cartesian_gradient};
static const Problem mixed = {
    .n = 2, .forward = polar, .gradient = polar_gradient, .hessian = polar_hessian};

static void perihelion(const Problem *problem, double *q, double *qd) {
  double r = 1 - eccentricity, v = sqrt((1 + eccentricity) / r);
  bool is_polar = problem == &mixed;
  q[0] = r, q[1] = 0, qd[0] = 0, qd[1] = is_polar ? v / r : v;
}

static double energy_of(const Problem *problem, const double *q, const double *v) {
  if (problem == &mixed) return (v[0] * v[0] + q[0] * q[0] * v[1] * v[1]) / 2 - 1 / q[0];
  return (v[0] * v[0] + v[1] * v[1]) / 2 - 1 / hypot(q[0], q[1]);
}

// By Kepler's equation.
static void place_at(double t, double *x, double *y) {
  double e = eccentricity, E = t;
  for (int i = 0; i < 50; i++) E -= (E - e * sin(E) - t) / (1 - e * cos(E));
  *x = cos(E) - e, *y = sqrt(1 - e * e) * sin(E);
}

static MethodOptions of_order(int order, double step) {
  MethodOptions options = with_step(METHOD_SYMPLECTIC, step);
  options.order = order;
  return options;
}

// ---- Orders

static double distance(const Problem *problem, const double *q, double t) {
  double x, y;
  place_at(t, &x, &y);
  if (problem == &mixed) return hypot(q[0] * cos(q[1]) - x, q[0] * sin(q[1]) - y);
  return hypot(q[0] - x, q[1] - y);
}

typedef struct Errors {
  double end, between;
} Errors;

static Errors errors_of(Context *cx, const Problem *problem, int order, double step) {
  double q[2], qd[2], y[8];
  MethodOptions options = of_order(order, step);
  Errors worst = {0};
  Stepper *s;
  Mark mark = arena_mark(&cx->scratch);
  assert_int_equal(stepper_open(&cx->scratch, problem, &options, &s), QDOT_OK);
  perihelion(problem, q, qd);
  assert_int_equal(stepper_start(s, 0, q, qd, NULL), QDOT_OK);
  while (s->t < 4) {
    assert_int_equal(stepper_step(s, 4), QDOT_OK);
    double t = s->t_old + 0.37 * (s->t - s->t_old);
    assert_int_equal(stepper_dense(s, t, y), QDOT_OK);
    worst.end = fmax(worst.end, distance(problem, s->y, s->t));
    worst.between = fmax(worst.between, distance(problem, y, t));
  }
  stepper_close(s);
  arena_release(&cx->scratch, mark);
  return worst;
}

static void check_orders(Context *cx, const Problem *problem) {
  for (int order = 2; order <= 8; order += 2) {
    double step = order < 6 ? 0.02 : 0.1;
    Errors coarse = errors_of(cx, problem, order, step);
    Errors fine = errors_of(cx, problem, order, step / 2);
    double measured = log2(coarse.end / fine.end), between = log2(coarse.between / fine.between);
    print_message("%s, order %d: %.2f, between %.2f, error %.1e\n",
                  problem == &mixed ? "Gauss" : "split", order, measured, between, fine.end);
    assert_true(fabs(measured - order) < 0.35);
    assert_true(between > order - 0.5);
  }
}

TEST(orders_where_h_separates) { check_orders(cx, &split); }
TEST(orders_where_it_does_not) { check_orders(cx, &mixed); }

// ---- Energy

// The largest error of the energy within each tenth of a run.
static void watch_energy(Context *cx, const Problem *problem, int order, double step, long steps,
                         double *tenth) {
  double q[2], qd[2];
  MethodOptions options = of_order(order, step);
  Stepper *s;
  Mark mark = arena_mark(&cx->scratch);
  assert_int_equal(stepper_open(&cx->scratch, problem, &options, &s), QDOT_OK);
  perihelion(problem, q, qd);
  assert_int_equal(stepper_start(s, 0, q, qd, NULL), QDOT_OK);
  double E = energy_of(problem, q, qd);
  for (int i = 0; i < 10; i++) tenth[i] = 0;
  for (long i = 0; i < steps; i++) {
    assert_int_equal(stepper_step(s, 1e30), QDOT_OK);
    double *worst = &tenth[i * 10 / steps];
    *worst = fmax(*worst, fabs(energy_of(problem, s->y, s->y + 2) - E));
  }
  stepper_close(s);
  arena_release(&cx->scratch, mark);
}

// It swings, it does not grow; beyond that rounding walks at random.
static void check_energy(Context *cx, const Problem *problem, int order, double step) {
  const char *asked = getenv("QDOT_STEPS");
  long steps = asked ? atol(asked) : test_rounds(40000);
  double tenth[10];
  watch_energy(cx, problem, order, step, steps, tenth);
  double walk = 4e-16 * sqrt((double)steps);
  print_message("%s, order %d, %ld steps: %.2e, at the end %.2e\n",
                problem == &mixed ? "Gauss" : "split", order, steps, tenth[0], tenth[9]);
  for (int i = 1; i < 10; i++) assert_true(tenth[i] < 1.2 * tenth[0] + walk);
}

TEST(energy_where_h_separates) {
  check_energy(cx, &split, 2, 0.02);
  check_energy(cx, &split, 4, 0.05);
  check_energy(cx, &split, 6, 0.1);
  check_energy(cx, &split, 8, 0.1);
}

TEST(energy_where_it_does_not) {
  check_energy(cx, &mixed, 2, 0.02);
  check_energy(cx, &mixed, 4, 0.05);
  check_energy(cx, &mixed, 8, 0.1);
}

RUN_TESTS(cmocka_unit_test(orders_where_h_separates), cmocka_unit_test(orders_where_it_does_not),
          cmocka_unit_test(energy_where_h_separates), cmocka_unit_test(energy_where_it_does_not))
