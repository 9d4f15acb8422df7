// Contacts at rest whose load falls to zero: they let go there, and what follows is the integral of
// the forces by another route.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "support/motion.h"

// A force that grows from f_0 through W at t_0.
typedef struct Growth {
  enum { LINEAR, SQUARE, CUBE, SINE, COSINE, EXPONENTIAL, LOADS } kind;
  double f_0, a, w;
} Growth;

static double shape(const Growth *load, double t) {
  double w = load->w;
  switch (load->kind) {
  case LINEAR: return t;
  case SQUARE: return t * t;
  case CUBE: return t * t * t;
  case SINE: return sin(w * t);
  case COSINE: return 1 - cos(w * t);
  default: return exp(w * t) - 1;
  }
}

static const char *shape_text(Context *cx, const Growth *load) {
  static const char *const forms[LOADS] = {
      "tau", "tau^2", "tau^3", "sin(w*tau)", "(1 - cos(w*tau))", "(exp(w*tau) - 1)"};
  return text_format(&cx->keep, "(f_0 + a*%s)", forms[load->kind]);
}

static Growth random_load(Random *draw, double W, double t_0, double T) {
  Growth load = {.kind = (int)random_below(draw, LOADS)};
  load.f_0 = random_below(draw, 2) ? 0 : random_real(draw, 0, 0.8) * W;
  load.w = load.kind == SINE ? random_real(draw, 0.9, 1.5) / T : random_real(draw, 1.9, 2.8) / T;
  load.a = (W - load.f_0) / shape(&load, t_0);
  return load;
}

static double force_of(const Growth *load, double t) {
  return load->f_0 + load->a * shape(load, t);
}

// Simpson's rule for the velocity and the way that (F - W)/m gives from t_0 to T.
static void integrate(const Growth *load, double W, double m, double t_0, double T, double *way,
                      double *speed) {
  enum { PARTS = 2000 };
  double h = (T - t_0) / PARTS;
  *way = *speed = 0;
  for (int i = 0; i <= PARTS; i++) {
    double t = t_0 + i * h, weight = i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2;
    double a = weight * h / 3 * (force_of(load, t) - W) / m;
    *speed += a;
    *way += a * (T - t);
  }
}

// Masses on stops, flaps, bodies and boxes on the ground, with and without friction, at the origin
// and elsewhere.
static const char *const supports[] = {
    "coord y = b\nkinetic = 1/2*m*y'^2\npotential = m*g*y\nforce y = F\ncontact c: y >= b\n",
    "coord y = b\nkinetic = 1/2*m*y'^2\nforce y = F - m*g\ncontact c: y >= b\n",
    "coord z = 0, y = b\nkinetic = 1/2*m*(y'^2 + z'^2)\nforce y = F\nforce z = 3*F\n"
    "potential = m*g*(y + z)\ncontact d: z >= 0\ncontact c: y >= b\n",
    "gravity (0, -g)\nbody B: mass m, point, at = (0, b), velocity = (0, 0)\n"
    "contact c: B (0, 0), line (0, b)\nforce B (0, 0) = (0, F)\noutput y = B.y\n",
    "gravity (0, -g)\nbody B: mass m, point, at = (0, b), velocity = (0, 0)\n"
    "contact c: B (0, 0), line (0, b), friction 0.4\nforce B (0, 0) = (0, F)\noutput y = B.y\n",
    "gravity (0, -g)\nbody B: mass m, point, at = (0, b), velocity = (3 [m/s], 0)\n"
    "contact c: B (0, 0), line (0, b), friction 0.4\nforce B (0, 0) = (0, F)\noutput y = B.y\n",
    "gravity (0, -g)\nbody B: plate (2 [m], 1 [m]), mass m, at = (0, b + 0.5 [m]), angle = 0, "
    "velocity = (0, 0), spin = 0\ncontact c: B (-1, -1/2), line (0, b)\n"
    "contact d: B (1, -1/2), line (0, b)\nforce B (0, 0) = (0, F)\noutput y = B.y - 0.5\n",
    "gravity (0, -g)\nbody B: plate (2 [m], 1 [m]), mass m, at = (0, b + 0.5 [m]), angle = 0, "
    "velocity = (0, 0), spin = 0\ncontact c: B (-1, -1/2), line (0, b), friction 0.3\n"
    "contact d: B (1, -1/2), line (0, b), friction 0.3\nforce B (0, 0) = (0, F)\n"
    "output y = B.y - 0.5\n",
};
enum { SUPPORTS = sizeof supports / sizeof *supports };

static const SimEvent *release_of(const Motion *motion, const char *contact) {
  const System *s = &motion->system;
  for (uint32_t i = 0; i < motion->summary.events.n; i++) {
    const SimEvent *e = &motion->summary.events.at[i];
    if (e->kind == SIM_RELEASE &&
        strcmp(symbol_text(motion->cx, s->contacts[e->number].name), contact) == 0)
      return e;
  }
  return NULL;
}

TEST(lifts_off_where_its_load_passes_zero) {
  enum { RK4 = 3 };
  static const char *const methods[RK4] = {"rk853", "rk45", "rk853"};
  Random random = random_start("lifts_off_where_its_load_passes_zero"), *draw = &random;
  for (int i = 0; i < test_rounds(160); i++) {
    double T = exp(random_real(draw, -4, 4)), m = exp(random_real(draw, -4, 4)), g = 9.81;
    double b = random_below(draw, 2) ? 0 : random_real(draw, -2, 2);
    double W = m * g, t_0 = random_real(draw, 0.2, 0.8) * T, way, speed;
    Growth load = random_load(draw, W, t_0, T);
    int method = (int)random_below(draw, 4);
    static const double row[] = {0.1, 0.01, 0.001};
    const char *rk4 = text_format(&cx->keep, "rk4(step = %.17g)", 1e-3 * T);
    const char *using = method == RK4 ? rk4 : methods[method];
    Motion motion = motion_of(
        cx, text_format(&cx->keep,
                        "param m = %.17g [kg], g = %.17g [m/s^2], b = %.17g [m]\n"
                        "param f_0 = %.17g [N], a = %.17g [N], w = %.17g\n"
                        "let tau = t/(1 [s]), F = %s\n%ssimulate to %.17g every %.17g using %s\n",
                        m, g, b, load.f_0, load.a, load.w, shape_text(cx, &load),
                        supports[random_below(draw, SUPPORTS)], T, row[random_below(draw, 3)] * T,
                        using));
    assert_int_equal(motion.status, QDOT_OK);
    assert_int_equal(motion.summary.stopped, STOPPED_NOT);
    const SimEvent *release = release_of(&motion, "c");
    assert_non_null(release);
    CHECK_NEAR(release->t, t_0, 1e-9 * T);
    integrate(&load, W, m, t_0, T, &way, &speed);
    double good = method == RK4 ? 1e-4 : 1e-6;
    CHECK_NEAR(motion_at(&motion, T, "y") - b, way, good * way);
    assert_true(motion.summary.energy_drift < (method == RK4 ? 1e-3 : 1e-5));
    // what has let go does not strike again, and rests without steps that follow rounding
    for (uint32_t k = 0; k < motion.summary.events.n; k++)
      assert_int_not_equal(motion.summary.events.at[k].kind, SIM_IMPACT);
    if (method != RK4) assert_true(motion.summary.steps < 2000);
  }
}

RUN_TESTS(cmocka_unit_test(lifts_off_where_its_load_passes_zero))
