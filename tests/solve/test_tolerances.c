// A tolerance means the same for every method that takes one: errors against closed forms.
#include <math.h>
#include <string.h>

#include "support/integrate.h"

// Two modes z_i'' = (s1 + s2) z_i' - s1 s2 z_i + F cos(w t), seen from a frame that turns:
// x = R(W t) z, mass m. One mode is slow (s1, s2 = -d +- i v), the other slow (a pair, too) or
// stiff (real s1 of 1/s, s2 far beyond it). Where W is not zero, stiff forces turn with the frame.
typedef struct Mode {
  bool is_stiff;
  double c, k, F;
  double s1, s2;     // stiff: the exponents; else damping d and frequency v
  double A, B, a, b; // of exp(s1 t), exp(s2 t), or of cos, sin; of cos(w t), sin(w t)
} Mode;

typedef struct Turning {
  Mode mode[2];
  double w, W, mass;
} Turning;
static Turning turning;

static void mode_at(const Mode *o, double w, double t, double *z, double *zd) {
  *z = o->a * cos(w * t) + o->b * sin(w * t);
  *zd = w * (o->b * cos(w * t) - o->a * sin(w * t));
  if (o->is_stiff) {
    double e1 = o->A * exp(o->s1 * t), e2 = o->B * exp(o->s2 * t);
    *z += e1 + e2;
    *zd += o->s1 * e1 + o->s2 * e2;
  } else {
    double e = exp(-o->s1 * t), cs = e * cos(o->s2 * t), sn = e * sin(o->s2 * t);
    *z += o->A * cs + o->B * sn;
    *zd += (o->B * o->s2 - o->A * o->s1) * cs - (o->A * o->s2 + o->B * o->s1) * sn;
  }
}

static void turn(double angle, const double *a, double *b) {
  double cs = cos(angle), sn = sin(angle), a0 = a[0], a1 = a[1];
  b[0] = cs * a0 - sn * a1;
  b[1] = sn * a0 + cs * a1;
}

static void exact(double t, double *q, double *qd) {
  double z[2], zd[2], W = turning.W;
  for (int i = 0; i < 2; i++) mode_at(&turning.mode[i], turning.w, t, &z[i], &zd[i]);
  double rate[2] = {zd[0] - W * z[1], zd[1] + W * z[0]};
  turn(W * t, z, q);
  turn(W * t, rate, qd);
}

static Status forward(void *user, double t, const double *q, const double *qd, double *qdd,
                      double *lambda, double *rates) {
  const Turning *p = user;
  (void)lambda, (void)rates;
  double z[2], rate[2], out[2], W = p->W;
  turn(-W * t, q, z);
  turn(-W * t, qd, rate);
  double zd[2] = {rate[0] + W * z[1], rate[1] - W * z[0]};
  for (int i = 0; i < 2; i++) {
    const Mode *o = &p->mode[i];
    double other = i == 0 ? -zd[1] : zd[0];
    out[i] = o->F * cos(p->w * t) - o->c * zd[i] - o->k * z[i] + 2 * W * other - W * W * z[i];
  }
  turn(W * t, out, qdd);
  return QDOT_OK;
}

static Status terms(void *user, double t, const double *q, const double *qd, double *M, double *f,
                    double *Phi_q, double *gamma) {
  const Turning *p = user;
  (void)Phi_q, (void)gamma;
  M[0] = M[3] = p->mass;
  M[1] = M[2] = 0;
  Status status = forward(user, t, q, qd, f, NULL, NULL);
  for (int i = 0; i < 2; i++) f[i] *= p->mass;
  return status;
}

// The forces are linear: their derivatives are their values at unit states without the excitation.
static Status tangent(void *user, double t, const double *q, const double *qd, const double *qdd,
                      const double *lambda, double *K, double *C) {
  Turning p = *(const Turning *)user;
  (void)q, (void)qd, (void)qdd, (void)lambda;
  p.mode[0].F = p.mode[1].F = 0;
  for (int j = 0; j < 4; j++) {
    double unit[4] = {0}, out[2];
    unit[j] = 1;
    forward(&p, t, unit, unit + 2, out, NULL, NULL);
    for (int i = 0; i < 2; i++) (j < 2 ? K : C)[2 * i + j % 2] = -p.mass * out[i];
  }
  return QDOT_OK;
}

static const Problem turning_problem = {
    .user = &turning, .n = 2, .forward = forward, .terms = terms, .tangent = tangent};

static void random_mode(Random *r, Mode *o, double stiffness) {
  *o = (Mode){.is_stiff = stiffness > 0, .F = random_real(r, -2, 2)};
  double w = turning.w;
  if (o->is_stiff) {
    o->s1 = -random_real(r, 0.1, 2);
    o->s2 = -stiffness;
    o->c = -(o->s1 + o->s2);
    o->k = o->s1 * o->s2;
    o->F *= o->k;
    o->A = random_real(r, -1, 1);
    // the fast motion has decayed, or decays first
    o->B = random_below(r, 2) ? random_real(r, -1, 1) / stiffness : 0;
  } else {
    o->s1 = random_real(r, 0, 0.3);
    o->s2 = random_real(r, 1, 4);
    o->c = 2 * o->s1;
    o->k = o->s1 * o->s1 + o->s2 * o->s2;
    o->A = random_real(r, -1, 1);
    o->B = random_real(r, -1, 1);
  }
  double d = (o->k - w * w) * (o->k - w * w) + o->c * o->c * w * w;
  o->a = o->F * (o->k - w * w) / d;
  o->b = o->F * o->c * w / d;
}

static void random_problem(Random *r, double stiffness) {
  turning = (Turning){.w = random_real(r, 0.3, 1.5), .mass = random_real(r, 0.1, 10)};
  turning.W = random_below(r, 3) ? random_real(r, -1, 1) : 0;
  random_mode(r, &turning.mode[0], 0);
  random_mode(r, &turning.mode[1], stiffness);
}

// The error at t = 10 s as a part of the largest value, over the tolerance. Every method of
// variable step stays below the bound of its row at each of these tolerances; explicit methods are
// asked what they can do in a second.
static const double tolerances[] = {1e-5, 1e-7, 1e-9};
static const struct Bound {
  MethodId method;
  double error;     // of positions and velocities, in tolerances
  double stiffness; // beyond this no problems are asked, in 1/s
} bounds[] = {{METHOD_RK853, 10, 1e3}, {METHOD_RK45, 20, 1e3},  {METHOD_BDF, 5, 1e7},
              {METHOD_DAE, 10, 1e7},   {METHOD_RADAU, 10, 1e7}, {METHOD_AUTO, 10, 1e7}};

static double error_of(Context *cx, MethodId method, double rtol, Ending *out) {
  double q[2], qd[2], size[2] = {0}, error = 0;
  for (double t = 0; t <= 10; t += 0.1) {
    exact(t, q, qd);
    size[0] = fmax(size[0], hypot(q[0], q[1]));
    size[1] = fmax(size[1], hypot(qd[0], qd[1]));
  }
  MethodOptions options = with_tolerance(method, rtol);
  options.atol = 0;
  exact(0, q, qd);
  *out = integrate(cx, &turning_problem, &options, q, qd, 10);
  assert_int_equal(out->status, QDOT_OK);
  exact(10, q, qd);
  for (int i = 0; i < 2; i++) {
    error = fmax(error, fabs(out->q[i] - q[i]) / size[0]);
    error = fmax(error, fabs(out->qd[i] - qd[i]) / size[1]);
  }
  return error / rtol;
}

static void check_method(Context *cx, const struct Bound *bound, bool is_stiff) {
  Random r = random_start("tolerances");
  double worst[3] = {0};
  long steps[3] = {0};
  for (int round = 0; round < test_rounds(12); round++) {
    double most = log10(bound->stiffness), exponent = random_real(&r, 2, most);
    random_problem(&r, is_stiff ? pow(10, exponent) : 0);
    for (int k = 0; k < 3; k++) {
      Ending ending;
      worst[k] = fmax(worst[k], error_of(cx, bound->method, tolerances[k], &ending));
      steps[k] += ending.steps;
    }
  }
  print_message("%-6s %-9s errors %8.2f %8.2f %8.2f of the tolerance, steps %ld %ld %ld\n",
                method_name(bound->method), is_stiff ? "stiff" : "not stiff", worst[0], worst[1],
                worst[2], steps[0], steps[1], steps[2]);
  for (int k = 0; k < 3; k++) assert_true(worst[k] < bound->error);
}

static void check_all(Context *cx, bool is_stiff) {
  int tested = 0, there = 0;
  for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++, tested++)
    if (!method_get(bounds[i].method)->lacks) check_method(cx, &bounds[i], is_stiff);
  for (MethodId id = 0; id < METHOD_COUNT; id++) there += method_takes(method_get(id), "rtol");
  assert_int_equal(tested, there);
}

TEST(smooth_problems) { check_all(cx, false); }
TEST(stiff_problems) { check_all(cx, true); }

RUN_TESTS(cmocka_unit_test(smooth_problems), cmocka_unit_test(stiff_problems))
