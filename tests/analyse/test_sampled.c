// Sampled loops to first order: against the exact discrete solution of linear plants, and against
// differences of simulated periods.
#include "analyse/linear/sampled.h"

#include <math.h>
#include <string.h>

#include "analyse/vibration/response.h"
#include "base/text.h"
#include "derive/with_states.h"
#include "support/analysis.h"
#include "support/motion.h"

static Linearized closed_loop(const Analysed *a) {
  Linearized l;
  LinearizeOptions how = {.numbers_only = true};
  const Requests *requests = &a->model->requests;
  if (requests->linearizations.n) how.request = &requests->linearizations.at[0];
  derive_matrices(a->cx, a->system);
  Status status =
      linearize_system(a->cx, system_with_states(a->cx, a->system), a->values, &how, &l);
  assert_int_equal(status, QDOT_OK);
  assert_non_null(l.sampled);
  return l;
}

// ---- A plant of one coordinate and a state, two rates and a delay, by hand

enum { PLANT = 3, HELD = 2, INPUTS = 1, ALL = PLANT + HELD + INPUTS, MOST = ALL + 8 };

// x, v and the state f, then what is held: u and e; then the input d.
typedef struct Loop {
  double A[PLANT][ALL];      // rates of the plant
  double u[ALL], e[ALL];     // next values
  double T_u, T_e, delay, T; // u every T_u with a delay, e every T_e; both every T
} Loop;

static void flow(const Loop *p, double time, double *x) {
  enum { PARTS = 64 };
  long double y[ALL], h = (long double)time / PARTS;
  for (int i = 0; i < ALL; i++) y[i] = x[i];
  for (int part = 0; part < PARTS; part++) { // the series of exp(A h) x, to rounding
    long double term[ALL], next[ALL];
    memcpy(term, y, sizeof term);
    for (int k = 1; k < 20; k++) {
      for (int i = 0; i < ALL; i++) {
        next[i] = 0;
        for (int j = 0; i < PLANT && j < ALL; j++) next[i] += p->A[i][j] * term[j] * h / k;
      }
      memcpy(term, next, sizeof term);
      for (int i = 0; i < ALL; i++) y[i] += term[i];
    }
  }
  for (int i = 0; i < ALL; i++) x[i] = (double)y[i];
}

static double next_of(const double *row, const double *x) {
  double sum = 0;
  for (int i = 0; i < ALL; i++) sum += row[i] * x[i];
  return sum;
}

// One period from x and the waiting values of u, the oldest first; both are replaced.
static void pass(const Loop *p, double *x, double *waiting, int count) {
  double due[16], t = 0;
  for (int i = 0; i < count; i++) due[i] = p->delay - (count - 1 - i) * p->T_u;
  int k_u = 1, k_e = 1;
  while (t < p->T - 1e-9) {
    double next = fmin(k_u * p->T_u, k_e * p->T_e);
    if (count > 0) next = fmin(next, due[0]);
    flow(p, next - t, x);
    t = next;
    if (count > 0 && due[0] <= t + 1e-12) {
      x[PLANT] = waiting[0];
      memmove(waiting, waiting + 1, --count * sizeof *waiting);
      memmove(due, due + 1, count * sizeof *due);
    }
    if (k_u * p->T_u <= t + 1e-12) {
      double u = next_of(p->u, x);
      if (p->delay > 0)
        waiting[count] = u, due[count++] = k_u * p->T_u + p->delay;
      else
        x[PLANT] = u;
      k_u++;
    }
    if (k_e * p->T_e <= t + 1e-12) x[PLANT + 1] = next_of(p->e, x), k_e++;
  }
}

static int state_named(const Linearized *l, const char *name) {
  for (uint32_t i = 0; i < l->sampled->size; i++) {
    const char *found;
    if (i >= l->state.size) {
      found = l->sampled->waiting_names[i - l->state.size];
    } else {
      StateName s = linearized_state(l, i);
      found = text_format(&l->cx->keep, "%s%s",
                          symbol_text(l->cx, l->system->model->coordinates.at[s.coordinate].name),
                          s.is_rate ? "'" : "");
    }
    if (strcmp(found, name) == 0) return (int)i;
  }
  fail_msg("no state %s", name);
  return -1;
}

TEST(linear_plants_by_their_exponential) {
  Random random = random_start(__func__);
  for (int round = 0; round < test_rounds(30); round++) {
    double m = random_real(&random, 0.5, 2), k = random_real(&random, 0, 50),
           c = random_real(&random, 0, 2), K = random_real(&random, 1, 20),
           D = random_real(&random, 0, 3), I = random_real(&random, 0.5, 5),
           a = random_real(&random, 0.5, 0.99), lag = random_real(&random, 0.01, 0.1),
           tau = random_real(&random, 2e-3, 0.03);
    int n_u = 1 + random_below(&random, 3), n_e = 1 + random_below(&random, 3);
    double delay = round % 3 ? tau * n_u * random_real(&random, 0.1, 2.6) : 0;
    Loop p = {.A = {{0, 1}, {-k / m, -c / m, 1 / m, 0, 0, 1 / m}, {0, 0, -1 / lag, 1 / lag}},
              .u = {-K, -D, 0, 0, -I},
              .e = {0.3, 0, 0, 0.01, a, 0.05},
              .T_u = n_u * tau,
              .T_e = n_e * tau,
              .delay = delay};
    p.T = tau * (n_u == n_e ? n_u : n_u * n_e);
    Analysed model = analysed(
        cx,
        text_format(&cx->keep,
                    "param m = %.17g, k = %.17g, c = %.17g, K = %.17g, D = %.17g, I = %.17g\n"
                    "param lag = %.17g, tau = %.17g, a = %.17g, b_1 = 0.3, b_2 = 0.01, b_3 = 0.05\n"
                    "coord x = 0.3\nmemory e = 0\ninput u = 0, d = 0\n"
                    "state f = 0\nrate f = (u - f)/lag\nkinetic = 1/2*m*x'^2\n"
                    "potential = 1/2*k*x^2\ndissipation = 1/2*c*x'^2\nforce x = f + d\n"
                    "sample every %d*tau%s: u = -K*x - D*x' - I*e\n"
                    "sample every %d*tau: e = b_1*x + b_2*u + a*e + b_3*d\n"
                    "output y = m*x'' + 2*u\nlinearize at equilibrium\n",
                    m, k, c, K, D, I, lag, tau, a, n_u,
                    delay > 0 ? text_format(&cx->keep, " delay %.17g", delay) : "", n_e));
    Linearized l = closed_loop(&model);
    const Sampled *s = l.sampled;
    CHECK_NEAR(s->period, p.T, 1e-12);
    int waiting = delay > 0 ? (int)ceil(delay / p.T_u - 1e-9) : 0;
    assert_int_equal(s->size, PLANT + HELD + waiting);
    static const char *const names[] = {"x", "x'", "f", "u", "e"};
    int at[MOST];
    for (int i = 0; i < PLANT + HELD; i++) at[i] = state_named(&l, names[i]);
    for (int i = 0; i < waiting; i++)
      at[PLANT + HELD + i] = state_named(&l, text_format(&cx->keep, "u[%d]", waiting - i));
    for (int j = 0; j <= (int)s->size; j++) { // the last column is the input
      double x[ALL] = {0}, queue[16] = {0};
      bool is_input = j == (int)s->size;
      if (is_input)
        x[ALL - 1] = 1;
      else
        *(j < PLANT + HELD ? &x[j] : &queue[j - PLANT - HELD]) = 1;
      pass(&p, x, queue, waiting);
      for (int i = 0; i < (int)s->size; i++) {
        double wanted = i < PLANT + HELD ? x[i] : queue[i - PLANT - HELD];
        double got = is_input ? s->B[at[i]] : s->A[(size_t)at[i] * s->size + at[j]];
        CHECK_NEAR(got, wanted, 1e-11 * (1 + fabs(wanted)));
      }
    }
  }
}

// ---- Eigenvalues and response of the same map

// exp(i w k T) at the input, held: outputs settle to H exp(i w k T).
TEST(response_against_a_long_run_of_the_map) {
  Analysed model =
      analysed(cx, "param m = 1, k = 30, c = 1, K = 20, D = 4, T = 0.05\ncoord x = 0\n"
                   "input u = 0, d = 0\nkinetic = 1/2*m*x'^2\npotential = 1/2*k*x^2\n"
                   "dissipation = 1/2*c*x'^2\nforce x = u + d\n"
                   "sample every T delay 0.02: u = -K*x - D*x'\nlinearize at equilibrium\n");
  Linearized l = closed_loop(&model);
  Modes modes;
  assert_int_equal(modes_find(&l, &cx->keep, &modes), QDOT_OK);
  assert_int_equal(modes.stability, STABILITY_ASYMPTOTIC);
  CHECK_NEAR(modes.period, 0.05, 0);
  ResponseInput inputs[] = {{"d", false, 0}, {"x", true, 0}};
  ResponseOutput outputs[] = {{"x", l.system->q[0]}, {"x''", l.system->qdd[0]}};
  ResponseTask task = {inputs, outputs, 2, 2, 0.1, 9, 20};
  Response r;
  response_compute(&l, &modes, model.values, &task, &cx->keep, &r);
  const Sampled *s = l.sampled;
  uint32_t n = s->size;
  for (uint32_t f = 0; f < r.n; f += 5) {
    double x[16] = {0}, y[16] = {0}, w = 2 * acos(-1) * r.hz[f] * s->period; // real, imaginary
    for (int k = 0; k < 2000; k++) {
      double nx[16] = {0}, ny[16] = {0};
      for (uint32_t i = 0; i < n; i++) {
        nx[i] = s->B[i] * cos(w * k), ny[i] = s->B[i] * sin(w * k);
        for (uint32_t j = 0; j < n; j++)
          nx[i] += s->A[i * n + j] * x[j], ny[i] += s->A[i * n + j] * y[j];
      }
      memcpy(x, nx, sizeof x), memcpy(y, ny, sizeof y);
    }
    double size = hypot(x[0], y[0]);
    CHECK_NEAR(response_gain(&r, f, 0, 0), size, 1e-9 * size);
    CHECK_NEAR(response_gain(&r, f, 0, 1), size, 1e-9 * size); // the same force
    // m x'' = u + d - k x - c x' with d = exp(i w k)
    double d_re = cos(w * 2000), d_im = sin(w * 2000);
    double a_re = d_re + x[2] - 30 * x[0] - x[1], a_im = d_im + y[2] - 30 * y[0] - y[1];
    CHECK_NEAR(response_gain(&r, f, 1, 0), hypot(a_re, a_im), 1e-9 * (1 + hypot(a_re, a_im)));
  }
}

// ---- Differences of simulated periods

// From a start beside the equilibrium: the row at a period against A times that at 0, where samples
// have just been.
static void check_period(Context *cx, const char *form, const char *const *columns, int n) {
  Analysed model = analysed(cx, text_format(&cx->keep, form, "0", "0", 0.0, 0.0, 0.0));
  Linearized l = closed_loop(&model);
  assert_int_equal(l.sampled->size, n);
  int at[8];
  for (int i = 0; i < n; i++) at[i] = state_named(&l, columns[i]);
  Random random = random_start(__func__);
  for (int round = 0; round < 6; round++) {
    double small = 1e-5;
    double start[8][2], end[8][2]; // on both sides, so that errors of second order cancel
    double by[5];
    for (int i = 0; i < 5; i++) by[i] = small * random_real(&random, -1, 1);
    for (int side = 0; side < 2; side++) {
      double f = side ? -1 : 1;
      Motion motion =
          motion_to_end(cx, text_format(&cx->keep, form, text_format(&cx->keep, "%.17g", f * by[0]),
                                        text_format(&cx->keep, "%.17g", f * by[1]), f * by[2],
                                        f * by[3], f * by[4]));
      for (int i = 0; i < n; i++) {
        start[i][side] = motion_at(&motion, 0, columns[i]);
        end[i][side] = motion_at(&motion, l.sampled->period, columns[i]);
      }
    }
    for (int i = 0; i < n; i++) {
      double sum = 0, size = 0;
      for (int j = 0; j < n; j++) {
        double part = l.sampled->A[(size_t)at[i] * n + at[j]] * (start[j][0] - start[j][1]);
        sum += part, size += fabs(part);
      }
      CHECK_NEAR(end[i][0] - end[i][1], sum, 1e-6 * size + 1e-14);
    }
  }
}

TEST(simulated_periods) {
  static const char *const cart[] = {"x", "theta", "x'", "theta'", "u", "e"};
  check_period(
      cx,
      "param M = 0.5 [kg], m = 0.2 [kg], L = 0.3 [m], g = 9.81 [m/s^2], T = 0.02 [s]\n"
      "param K_1 = 3, K_2 = 4, K_3 = 28, K_4 = 5, K_5 = 1\n"
      "coord x = %s, theta = %s\ncoord x' = %.17g\ninput u = 0 [N]\nmemory e = %.17g [m*s]\n"
      "coord theta' = %.17g\nlet p = (x + L*sin(theta), L*cos(theta))\n"
      "kinetic = 1/2*M*x'^2 + 1/2*m*dot(p', p')\npotential = m*g*p.y\nforce x = u\n"
      "sample every T: u = K_1*x + K_2*x' + K_3*sin(theta) + K_4*theta' + K_5*e, e = e + x*T\n"
      "limit u in -8..8 [N]\noutput u, e\nlinearize at equilibrium\n"
      "simulate to T every T using rk853(rtol = 1e-13)\n",
      cart, 6);
}

TEST(refusals) {
  static const struct {
    const char *lines, *message;
  } rows[] = {
      {"sample every 0.01: u = -k*x\nsample every 0.02: u = -2*k*x\n", "two samples assign this"},
      {"param w = 3\nsample every 0.1: u = k*sin(w*t)*x\n", "this sample depends on t"},
      {"memory e = 0\nsample every 0.01: u = -k*x\nsample every 0.01*sqrt(2): e = x\n",
       "have no common multiple"},
      {"body b: mass 1 [kg], inertia 1 [kg*m^2]\njoint A: revolute ground (0, 0), b (0, 0)\n"
       "memory w = 0 [rad/s]\nmotor A: speed w\nsample every 0.1: w = -w/2\n",
       "acts by impulses"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Analysed a = analysed(
        cx, text_format(&cx->keep,
                        "param m = 1, k = 1\ncoord x = 0\ninput u = 0\nkinetic = 1/2*m*x'^2\n"
                        "potential = 1/2*k*x^2\nforce x = u\n%slinearize at equilibrium\n",
                        rows[i].lines));
    Linearized l;
    LinearizeOptions how = {.request = &a.model->requests.linearizations.at[0],
                            .numbers_only = true};
    derive_matrices(cx, a.system);
    uint32_t before = cx->diagnostics.list.n;
    assert_int_not_equal(linearize_system(cx, system_with_states(cx, a.system), a.values, &how, &l),
                         QDOT_OK);
    const char *message = cx->diagnostics.list.at[before].message;
    if (!strstr(message, rows[i].message)) print_error("%s\n", message);
    assert_non_null(strstr(message, rows[i].message));
  }
}

RUN_TESTS(cmocka_unit_test(linear_plants_by_their_exponential),
          cmocka_unit_test(response_against_a_long_run_of_the_map),
          cmocka_unit_test(simulated_periods), cmocka_unit_test(refusals))
