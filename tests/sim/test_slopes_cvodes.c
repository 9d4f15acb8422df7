// Slopes of runs against the forward sensitivities of CVODES, for random rows of masses whose
// equations are written here by hand.
#include <cvodes/cvodes.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "base/text.h"
#include "sim/run_source.h"
#include "support/motion.h"

enum { MOST_MASSES = 3, EACH = 5, MOST = MOST_MASSES * EACH + 2 };

// m, k, c, a (start), b (start velocity) of every mass, then F and w.
typedef struct Chain {
  int n;
  double p[MOST];
} Chain;

static double of(const Chain *chain, int mass, int which) { return chain->p[mass * EACH + which]; }

// y: positions, velocities, and the integral of the last position's square.
static int chain_rates(double t, N_Vector y, N_Vector rates, void *user) {
  const Chain *chain = user;
  int n = chain->n;
  const double *x = N_VGetArrayPointer(y), *v = x + n;
  double *out = N_VGetArrayPointer(rates), force[MOST_MASSES + 1] = {0};
  for (int i = 0; i < n; i++) {
    double d = x[i] - (i ? x[i - 1] : 0), u = v[i] - (i ? v[i - 1] : 0);
    force[i] = -of(chain, i, 1) * (d + 12 * d * d * d) - of(chain, i, 2) * u;
  }
  force[n] = -chain->p[n * EACH] * cos(chain->p[n * EACH + 1] * t);
  for (int i = 0; i < n; i++) {
    out[i] = v[i];
    out[n + i] = (force[i] - force[i + 1]) / of(chain, i, 0);
  }
  out[2 * n] = x[n - 1] * x[n - 1];
  return 0;
}

// The same along a change S of the state and one of parameter j.
static void rates_along(const Chain *chain, double t, const double *x, const double *S, int j,
                        double *out) {
  int n = chain->n;
  const double *v = x + n, *dv = S + n;
  double force[MOST_MASSES + 1], change[MOST_MASSES + 1];
  double dp[MOST] = {0};
  dp[j] = 1;
  for (int i = 0; i < n; i++) {
    double d = x[i] - (i ? x[i - 1] : 0), u = v[i] - (i ? v[i - 1] : 0);
    double dd = S[i] - (i ? S[i - 1] : 0), du = dv[i] - (i ? dv[i - 1] : 0);
    double k = of(chain, i, 1), c = of(chain, i, 2), dk = dp[i * EACH + 1], dc = dp[i * EACH + 2];
    force[i] = -k * (d + 12 * d * d * d) - c * u;
    change[i] = -dk * (d + 12 * d * d * d) - k * (1 + 36 * d * d) * dd - dc * u - c * du;
  }
  double F = chain->p[n * EACH], w = chain->p[n * EACH + 1];
  force[n] = -F * cos(w * t);
  change[n] = -dp[n * EACH] * cos(w * t) + F * t * sin(w * t) * dp[n * EACH + 1];
  for (int i = 0; i < n; i++) {
    double m = of(chain, i, 0);
    out[i] = dv[i];
    out[n + i] =
        (change[i] - change[i + 1]) / m - (force[i] - force[i + 1]) / (m * m) * dp[i * EACH];
  }
  out[2 * n] = 2 * x[n - 1] * S[n - 1];
}

static int chain_slopes(int count, double t, N_Vector y, N_Vector rates, N_Vector *S, N_Vector *out,
                        void *user, N_Vector room, N_Vector other) {
  (void)rates, (void)room, (void)other;
  for (int j = 0; j < count; j++)
    rates_along(user, t, N_VGetArrayPointer(y), N_VGetArrayPointer(S[j]), j,
                N_VGetArrayPointer(out[j]));
  return 0;
}

static void check_flag(int flag) { assert_true(flag >= 0); }

// Slopes of the state at the end, by parameter: (2 n + 1) x count.
static void cvodes_slopes(Chain *chain, double end, double *out) {
  int n = chain->n, size = 2 * n + 1, count = n * EACH + 2;
  SUNContext context;
  check_flag(SUNContext_Create(NULL, &context));
  N_Vector y = N_VNew_Serial(size, context);
  N_Vector *S = N_VCloneVectorArray(count, y);
  N_VConst(0, y);
  for (int j = 0; j < count; j++) N_VConst(0, S[j]);
  for (int i = 0; i < n; i++) {
    N_VGetArrayPointer(y)[i] = of(chain, i, 3);
    N_VGetArrayPointer(y)[n + i] = of(chain, i, 4);
    N_VGetArrayPointer(S[i * EACH + 3])[i] = 1;
    N_VGetArrayPointer(S[i * EACH + 4])[n + i] = 1;
  }
  void *memory = CVodeCreate(CV_ADAMS, context);
  SUNMatrix matrix = SUNDenseMatrix(size, size, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
  check_flag(CVodeInit(memory, chain_rates, 0, y));
  check_flag(CVodeSStolerances(memory, 1e-11, 1e-13));
  check_flag(CVodeSetUserData(memory, chain));
  check_flag(CVodeSetLinearSolver(memory, solver, matrix));
  check_flag(CVodeSetMaxNumSteps(memory, 100000));
  check_flag(CVodeSensInit(memory, count, CV_SIMULTANEOUS, chain_slopes, S));
  double sizes[MOST];
  for (int j = 0; j < count; j++) sizes[j] = fabs(chain->p[j]);
  check_flag(CVodeSetSensParams(memory, NULL, sizes, NULL));
  check_flag(CVodeSensEEtolerances(memory));
  check_flag(CVodeSetSensErrCon(memory, SUNTRUE));
  double t;
  check_flag(CVode(memory, end, y, &t, CV_NORMAL));
  check_flag(CVodeGetSens(memory, &t, S));
  for (int j = 0; j < count; j++)
    for (int i = 0; i < size; i++) out[i * count + j] = N_VGetArrayPointer(S[j])[i];
  CVodeFree(&memory);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroyVectorArray(S, count);
  N_VDestroy(y);
  SUNContext_Free(&context);
}

static Chain random_chain(Random *random) {
  Chain chain = {.n = 1 + random_below(random, MOST_MASSES)};
  static const double low[EACH] = {0.5, 20, 0.1, 0.02, -1}, high[EACH] = {2, 80, 1, 0.2, -0.1};
  for (int i = 0; i < chain.n * EACH; i++)
    chain.p[i] = random_real(random, low[i % EACH], high[i % EACH]);
  chain.p[chain.n * EACH] = random_real(random, 1, 5);
  chain.p[chain.n * EACH + 1] = random_real(random, 2, 9);
  return chain;
}

static const char *chain_text(Context *cx, const Chain *chain, double end) {
  static const char *const names[EACH] = {"m", "k", "c", "a", "b"}, *const units[EACH] = {
                                                                        "kg", "N/m", "N*s/m", "m",
                                                                        "m/s"};
  Text text = text_new(&cx->keep);
  int n = chain->n;
  for (int i = 0; i < n * EACH; i++)
    text_addf(&text, "param %s_%d = %.17g [%s]\n", names[i % EACH], i / EACH + 1, chain->p[i],
              units[i % EACH]);
  text_addf(&text, "param F = %.17g [N], w = %.17g [rad/s]\n", chain->p[n * EACH],
            chain->p[n * EACH + 1]);
  for (int i = 1; i <= n; i++) {
    const char *d = i == 1 ? "x_1" : text_format(&cx->keep, "(x_%d - x_%d)", i, i - 1);
    text_addf(&text, "coord x_%d = a_%d\ncoord x_%d' = b_%d\nkinetic = m_%d*x_%d'^2/2\n", i, i, i,
              i, i, i);
    text_addf(&text, "potential = k_%d*%s^2/2 + 3*k_%d*%s^4/(1 [m^2])\n", i, d, i, d);
  }
  for (int i = 1; i <= n; i++)
    text_addf(&text, "dissipation = c_%d*(x_%d' - %s)^2/2\n", i, i,
              i == 1 ? "0 [m/s]" : text_format(&cx->keep, "x_%d'", i - 1));
  text_addf(&text, "force x_%d = F*cos(w*t)\n", n);
  for (int i = 1; i <= n; i++) text_addf(&text, "measure p_%d = final(x_%d)\n", i, i);
  for (int i = 1; i <= n; i++) text_addf(&text, "measure v_%d = final(x_%d')\n", i, i);
  text_addf(&text, "measure s = integral(x_%d^2)\nsimulate to %.17g [s] every 0.1 [s]\n", n, end);
  return text.at;
}

TEST(slopes_agree_with_cvodes) {
  Random random = random_start("slopes_agree_with_cvodes");
  for (int round = 0; round < test_rounds(20); round++) {
    Chain chain = random_chain(&random);
    double end = random_real(&random, 0.5, 2), expected[(2 * MOST_MASSES + 1) * MOST];
    Motion m = motion_load_as(cx, chain_text(cx, &chain, end), NULL, FORMULATION_LAGRANGE);
    m.options.method.rtol = 1e-10;
    uint32_t count = m.system.model->parameters.n, numbers[MOST];
    assert_int_equal(count, chain.n * EACH + 2);
    for (uint32_t j = 0; j < count; j++) numbers[j] = j;
    Directions directions = {count, numbers};
    m.options.directions = &directions;
    Rerun rerun;
    double values[2 * MOST_MASSES + 1];
    assert_int_equal(rerun_open(&rerun, &m.system, &m.options), QDOT_OK);
    assert_int_equal(rerun_measures(&rerun, NULL, NULL, 0, values), QDOT_OK);
    cvodes_slopes(&chain, end, expected);
    for (uint32_t i = 0; i < 2 * (uint32_t)chain.n + 1; i++)
      for (uint32_t j = 0; j < count; j++) {
        double exact = rerun.slopes[i * count + j], other = expected[i * count + j];
        double size = fabs(other) + fabs(values[i] / chain.p[j]);
        if (fabs(exact - other) > 2e-6 * size)
          fail_msg("measure %u by parameter %u: %.12g, CVODES %.12g", i, j, exact, other);
      }
    rerun_close(&rerun);
  }
}

RUN_TESTS(cmocka_unit_test(slopes_agree_with_cvodes))
