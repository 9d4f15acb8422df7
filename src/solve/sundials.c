// Every SUNDIALS call: bdf by CVODES, dae by IDAS.
#include <cvodes/cvodes.h>
#include <idas/idas.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include "solve/algebra/dense.h"
#include "solve/jacobian.h"
#include "solve/method.h"

// bdf integrates y = (q, qd, s); dae integrates y = (q, qd, s, lambda, mu) in the form of Gear,
// Gupta and Leimkuhler, which keeps positions and velocities on the constraints and has index 2:
//   M (q' - qd) + Phi_q^T mu = 0,  r(t, q, qd, qd', lambda) = 0,  ds/dt given,  dPhi/dt = 0,
//   Phi = 0.
enum { POWERS = 3, MOST_PANELS = 8 };

typedef struct Sundials {
  Stepper *stepper;
  SUNContext context;
  void *memory; // of CVODES or IDAS
  N_Vector y, yp, weight, room;
  SUNMatrix matrix;
  SUNLinearSolver solver;
  SUNNonlinearSolver newton; // of dae; NULL: that of CVODES
  Jacobian jacobian;
  double *J; // of bdf: acting x acting
  double *qdd, *column, *end, *state;
  double *power[MOST_PANELS * POWERS]; // rates of the quadratures in the last step, at the nodes of
  int panels;                          // so many equal parts of it
  double *residual;
  int size;          // of y
  double strictness; // by what the tolerance of a local error is smaller than that of the result
  bool started, is_dae;
  Status trouble; // of the last callback that failed
  int calls;      // of callbacks in this step
  long rejected;  // steps before the last start
  double change;  // of the last iteration of dae, in tolerances
} Sundials;

extern const Method method_bdf, method_dae;

#define DATA(vector) N_VGetArrayPointer(vector)

// One step tries at most some twenty sizes, each with a few iterations; yet CVODES with a
// projection may try for ever.
enum { MOST_CALLS = 1000 };

// A local error of these methods of order 1 to 5 has the same sign for many steps in a row, and
// some thousand steps add theirs: the tolerance of a step is a thousandth of that of the result, as
// long as it is not lost in the rounding of stiff forces.
static const double LOCAL_SHARE = 1e-3, LEAST_LOCAL = 1e-12;

static double strictness(double rtol) {
  return rtol / fmin(rtol, fmax(LOCAL_SHARE * rtol, LEAST_LOCAL));
}

// Errors of an iteration that stops early alternate from step to step and hold the order down:
// iterations go on until they are within this part of the tolerance of a step (SUNDIALS: 0.1 of it
// for bdf, 0.33 for dae), and no further, where rounding of forces in constraints ends them. With
// an old Jacobian they converge slowly where stiff forces turn with the mechanism; that of bdf is
// at most MOST_OLD steps old.
static const double ITERATION = 0.05;
enum { MOST_OLD = 5 };
// A first change of an iteration that needs no second one, as a part of its tolerance; and a rate
// of changes that no longer shrink.
static const double FIRST_CHANGE = 1e-2, WORST_RATE = 0.9;

static int report(Sundials *w, Status status) {
  if (++w->calls > MOST_CALLS && status == QDOT_OK) status = QDOT_STEP_LIMIT;
  if (status == QDOT_OK) return 0;
  w->trouble = status;
  // recoverable: a smaller step may help
  return status == QDOT_STOPPED || w->calls > MOST_CALLS ? -1 : 1;
}

static Status status_from_flag(Sundials *w, int flag) {
  if (flag >= 0) return QDOT_OK;
  if (w->trouble != QDOT_OK) return w->trouble;
  switch (flag) {
  case CV_TOO_MUCH_WORK:
  case CV_TOO_MUCH_ACC:
  case CV_ERR_FAILURE: return QDOT_STEP_LIMIT;
  case CV_CONV_FAILURE: return QDOT_NO_CONVERGENCE;
  case CV_MEM_FAIL: return QDOT_NO_MEMORY;
  default: return QDOT_INTEGRATOR_FAILED;
  }
}

// The same numbers mean the same things in both packages; their texts are not for users.
static void ignore_message(int code, const char *module, const char *function, char *text,
                           void *user) {
  (void)code, (void)module, (void)function, (void)text, (void)user;
}

static int bdf_derivative(realtype t, N_Vector y, N_Vector yp, void *user) {
  Sundials *w = user;
  Stepper *s = w->stepper;
  const double *q = DATA(y);
  memcpy(w->state, q, (size_t)s->acting * sizeof *q);
  Status status = stepper_derivative(s, t, w->state, w->column);
  memcpy(DATA(yp), w->column, (size_t)s->acting * sizeof *q);
  return report(w, status);
}

static int bdf_jacobian(realtype t, N_Vector y, N_Vector yp, SUNMatrix J, void *user, N_Vector a,
                        N_Vector b, N_Vector c) {
  (void)yp, (void)a, (void)b, (void)c;
  Sundials *w = user;
  int size = w->stepper->acting;
  Status status = jacobian_compute(&w->jacobian, t, DATA(y), w->J);
  for (int j = 0; j < size; j++)
    for (int i = 0; i < size; i++)
      SUNDenseMatrix_Column(J, j)[i] = w->J[(size_t)i * (size_t)size + (size_t)j];
  return report(w, status);
}

static int bdf_project(realtype t, N_Vector y, N_Vector correction, realtype tolerance,
                       N_Vector error, void *user) {
  (void)tolerance, (void)error;
  Sundials *w = user;
  Stepper *s = w->stepper;
  int n = s->n;
  memcpy(w->state, DATA(y), (size_t)s->acting * sizeof(double));
  Status status = project_state(&s->projector, t, w->state, w->state + n);
  for (int i = 0; i < s->acting; i++) DATA(correction)[i] = w->state[i] - DATA(y)[i];
  return report(w, status);
}

static int dae_residual(realtype t, N_Vector y, N_Vector yp, N_Vector out, void *user) {
  Sundials *w = user;
  Stepper *s = w->stepper;
  const Problem *p = s->problem;
  Dynamics *d = &s->dynamics;
  int n = s->n, m = p->m;
  const double *q = DATA(y), *qd = q + n, *lambda = q + s->acting, *mu = lambda + m;
  const double *q_rate = DATA(yp), *qd_rate = q_rate + n;
  double *r = DATA(out), *rows = r + s->acting;
  Status status = dynamics_residual(d, t, q, qd, qd_rate, lambda, r + n);
  for (int i = 0; i < n; i++) w->column[i] = q_rate[i] - qd[i];
  dense_multiply(n, n, d->M, w->column, r);
  dense_add_transposed(p->holonomic, n, 1, d->Phi_q, mu, r);
  if (status == QDOT_OK && p->states > 0) status = p->rates(p->user, t, q, qd, lambda, w->column);
  for (int i = 0; i < p->states; i++) r[2 * n + i] = q_rate[2 * n + i] - w->column[i];
  if (status == QDOT_OK && m > 0) status = p->velocity(p->user, t, q, qd, rows);
  if (status == QDOT_OK && p->holonomic > 0) status = p->position(p->user, t, q, rows + m);
  return report(w, status);
}

// What the residuals have of the states: rows of ds/dt, columns of s. By the rows of constraints
// they are left out.
static void dae_state_columns(const Sundials *w, double cj, SUNMatrix J) {
  const Stepper *s = w->stepper;
  int n = s->n, states = s->problem->states;
  for (int j = 0; states > 0 && j < s->acting; j++) {
    realtype *column = SUNDenseMatrix_Column(J, j), *rates = column + 2 * n;
    jacobian_rate_column(&w->jacobian, j, rates);
    for (int i = 0; i < states; i++) rates[i] = (j == 2 * n + i ? cj : 0) - rates[i];
    for (int i = 0; j >= 2 * n && i < n; i++)
      column[n + i] = w->jacobian.by_states[(size_t)i * states + j - 2 * n];
  }
}

// d(dPhi/dt)/dq by differences: without it the second iteration would change velocities by more
// than the first, and be taken for divergence.
static Status velocity_columns(Sundials *w, double t, const double *q, SUNMatrix J) {
  static const double SMALL = 1e-7;
  Stepper *s = w->stepper;
  const Problem *p = s->problem;
  int n = s->n, m = p->m;
  double *at = w->state, *rate = s->dynamics.gamma, *moved = s->dynamics.Phi_dot;
  memcpy(at, q, (size_t)s->acting * sizeof *at);
  Status status = m > 0 ? p->velocity(p->user, t, at, at + n, rate) : QDOT_OK;
  for (int j = 0; m > 0 && j < n && status == QDOT_OK; j++) {
    at[j] = q[j] + SMALL * fmax(fabs(q[j]), stepper_scale(s, j));
    double change = at[j] - q[j];
    status = p->velocity(p->user, t, at, at + n, moved);
    at[j] = q[j];
    realtype *column = SUNDenseMatrix_Column(J, j) + s->acting;
    for (int i = 0; i < m; i++) column[i] = (moved[i] - rate[i]) / change;
  }
  return status;
}

static int dae_jacobian(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix J,
                        void *user, N_Vector a, N_Vector b, N_Vector c) {
  (void)r, (void)a, (void)b, (void)c;
  Sundials *w = user;
  Stepper *s = w->stepper;
  const Problem *p = s->problem;
  Dynamics *d = &s->dynamics;
  int n = s->n, m = p->m, h = p->holonomic;
  const double *q = DATA(y), *qd = q + n, *lambda = q + s->acting, *qd_rate = DATA(yp) + n;
  Status status = p->terms(p->user, t, q, qd, d->M, d->f, d->Phi_q, d->gamma);
  if (status == QDOT_OK)
    status = p->tangent(p->user, t, q, qd, qd_rate, lambda, w->jacobian.K, w->jacobian.C);
  if (status == QDOT_OK) status = jacobian_states(&w->jacobian, t, q);
  if (status != QDOT_OK) return report(w, status);
  dae_state_columns(w, cj, J);
  for (int j = 0; j < n; j++) {
    realtype *by_q = SUNDenseMatrix_Column(J, j), *by_qd = SUNDenseMatrix_Column(J, n + j);
    for (int i = 0; i < n; i++) {
      size_t ij = (size_t)i * n + j;
      by_q[i] = cj * d->M[ij];
      by_qd[i] = -d->M[ij];
      by_q[n + i] = w->jacobian.K[ij];
      by_qd[n + i] = w->jacobian.C[ij] + cj * d->M[ij];
    }
    for (int i = 0; i < m; i++) {
      double entry = d->Phi_q[(size_t)i * n + j];
      by_qd[s->acting + i] = entry;
      SUNDenseMatrix_Column(J, s->acting + i)[n + j] = entry;
      if (i >= h) continue;
      by_q[s->acting + m + i] = entry;
      SUNDenseMatrix_Column(J, s->acting + m + i)[j] = entry;
    }
  }
  return report(w, velocity_columns(w, t, q, J));
}

// With the multipliers that follow from q and qd: those of IDAS are held to no accuracy, least of
// all in the first steps behind a start.
// What starts from zero is measured by its own first growth; a state that others hardly move, by
// what it may come to.
static double least_size(const Stepper *s, int i) {
  if (i >= s->acting) return 0;
  if (i < 2 * s->n) return 1e-6 * stepper_scale(s, i % s->n);
  double least = stepper_least_state(s, i - 2 * s->n);
  return least > 0 ? least : 1e-6;
}

// The accuracy asked for is that of q and qd; multipliers follow from them.
static int error_weights(N_Vector y, N_Vector weights, void *user) {
  Sundials *w = user;
  const Stepper *s = w->stepper;
  const double *at = DATA(y);
  double *out = DATA(weights);
  for (int i = 0; i < w->size; i++) {
    double allowed = i < s->acting ? s->options.rtol * fabs(at[i]) + s->floor[i] : 0;
    out[i] =
        i >= s->acting ? 1e-30 : w->strictness / fmax(allowed, s->options.rtol * least_size(s, i));
  }
  return 0;
}

static void sundials_close(Stepper *s) {
  Sundials *w = s->work;
  if (!w) return;
  if (w->memory) (w->is_dae ? IDAFree : CVodeFree)(&w->memory);
  if (w->newton) SUNNonlinSolFree(w->newton);
  if (w->solver) SUNLinSolFree(w->solver);
  if (w->matrix) SUNMatDestroy(w->matrix);
  N_Vector *vectors[] = {&w->y, &w->yp, &w->weight, &w->room};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    if (*vectors[i]) N_VDestroy(*vectors[i]);
  if (w->context) SUNContext_Free(&w->context);
  s->work = NULL;
}

static Status open_both(Stepper *s, bool is_dae) {
  Sundials *w = arena_new(s->arena, Sundials);
  s->work = w;
  w->stepper = s;
  w->is_dae = is_dae;
  w->strictness = strictness(s->options.rtol);
  w->size = s->acting + (is_dae ? s->problem->m + s->problem->holonomic : 0);
  jacobian_open(&w->jacobian, s);
  size_t square = is_dae ? 0 : (size_t)s->acting * (size_t)s->acting;
  w->J = arena_array(s->arena, double, square);
  w->qdd = stepper_array(s);
  w->column = stepper_array(s);
  w->state = stepper_array(s);
  w->end = stepper_array(s);
  for (int i = 0; i < MOST_PANELS * POWERS; i++) w->power[i] = stepper_array(s);
  if (SUNContext_Create(NULL, &w->context) != 0) return QDOT_NO_MEMORY;
  w->y = N_VNew_Serial(w->size, w->context);
  w->yp = N_VNew_Serial(w->size, w->context);
  w->room = N_VNew_Serial(w->size, w->context);
  w->matrix = SUNDenseMatrix(w->size, w->size, w->context);
  w->memory = is_dae ? IDACreate(w->context) : CVodeCreate(CV_BDF, w->context);
  if (!w->y || !w->yp || !w->room || !w->matrix || !w->memory) return QDOT_NO_MEMORY;
  w->solver = SUNLinSol_Dense(w->y, w->matrix, w->context);
  if (is_dae) w->newton = SUNNonlinSol_Newton(w->y, w->context);
  return w->solver && (w->newton || !is_dae) ? QDOT_OK : QDOT_NO_MEMORY;
}

static Status bdf_open(Stepper *s) { return open_both(s, false); }
static Status dae_open(Stepper *s) { return open_both(s, true); }

// The first failure of a row of calls.
static int first_failure(const int *flags, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (flags[i] < 0) return flags[i];
  return 0;
}

static int bdf_set_up(Stepper *s) {
  Sundials *w = s->work;
  const MethodOptions *o = &s->options;
  void *cv = w->memory;
  int flags[] = {
      CVodeInit(cv, bdf_derivative, s->t, w->y),
      CVodeSetErrHandlerFn(cv, ignore_message, NULL),
      CVodeWFtolerances(cv, error_weights),
      CVodeSetUserData(cv, w),
      CVodeSetLinearSolver(cv, w->solver, w->matrix),
      s->problem->tangent ? CVodeSetJacFn(cv, bdf_jacobian) : 0,
      CVodeSetMaxNumSteps(cv, -1),
      CVodeSetNonlinConvCoef(cv, ITERATION),
      CVodeSetLSetupFrequency(cv, MOST_OLD),
      CVodeSetJacEvalFrequency(cv, 1),
      s->problem->m > 0 && o->stabilize == STABILIZE_PROJECT ? CVodeSetProjFn(cv, bdf_project) : 0};
  return first_failure(flags, sizeof flags / sizeof *flags);
}

static int bdf_reset(Stepper *s) {
  Sundials *w = s->work;
  return CVodeReInit(w->memory, s->t, w->y);
}

// When the iteration of dae has converged: IDAS's own test asks the first two changes for a rate,
// and takes rounding of forces in constraints for divergence. What no longer shrinks, but is within
// the tolerance, is as good as rounding allows.
static int dae_converges(SUNNonlinearSolver newton, N_Vector y, N_Vector change, realtype tolerance,
                         N_Vector weight, void *user) {
  (void)y, (void)user;
  Sundials *w = user;
  int iteration = 0;
  SUNNonlinSolGetCurIter(newton, &iteration);
  double now = N_VWrmsNorm(change, weight), before = w->change;
  w->change = now;
  if (now <= FIRST_CHANGE * tolerance) return SUN_NLS_SUCCESS;
  if (iteration == 0) return SUN_NLS_CONTINUE;
  double rate = now / before;
  if (rate < WORST_RATE && rate / (1 - rate) * now <= tolerance) return SUN_NLS_SUCCESS;
  if (rate < WORST_RATE) return SUN_NLS_CONTINUE;
  return now <= tolerance ? SUN_NLS_SUCCESS : SUN_NLS_CONV_RECVR;
}

static int dae_set_up(Stepper *s) {
  Sundials *w = s->work;
  void *ida = w->memory;
  int flags[] = {IDAInit(ida, dae_residual, s->t, w->y, w->yp),
                 IDASetErrHandlerFn(ida, ignore_message, NULL),
                 IDASetUserData(ida, w),
                 IDAWFtolerances(ida, error_weights),
                 IDASetLinearSolver(ida, w->solver, w->matrix),
                 IDASetJacFn(ida, dae_jacobian),
                 IDASetMaxNumSteps(ida, -1),
                 IDASetNonlinearSolver(ida, w->newton),
                 SUNNonlinSolSetConvTestFn(w->newton, dae_converges, w),
                 IDASetNonlinConvCoef(ida, ITERATION)};
  return first_failure(flags, sizeof flags / sizeof *flags);
}

static int dae_reset(Stepper *s) {
  Sundials *w = s->work;
  return IDAReInit(w->memory, s->t, w->y, w->yp);
}

static Status sundials_start(Stepper *s) {
  Sundials *w = s->work;
  w->trouble = QDOT_OK;
  w->calls = 0;
  w->rejected = s->rejected;
  double *y = DATA(w->y), *yp = DATA(w->yp);
  memset(y, 0, (size_t)w->size * sizeof *y);
  memset(yp, 0, (size_t)w->size * sizeof *y);
  memcpy(y, s->y, (size_t)s->acting * sizeof *y);
  Status status = stepper_derivative(s, s->t, s->y, w->column);
  if (status != QDOT_OK) return status;
  memcpy(yp, w->column, (size_t)s->acting * sizeof *y);
  if (w->is_dae) memcpy(y + s->acting, s->dynamics.lambda, (size_t)s->problem->m * sizeof *y);
  int flag;
  if (w->started)
    flag = w->is_dae ? dae_reset(s) : bdf_reset(s);
  else
    flag = w->is_dae ? dae_set_up(s) : bdf_set_up(s);
  w->started = true;
  return status_from_flag(w, flag);
}

static void count_failures(Stepper *s) {
  Sundials *w = s->work;
  long error_test = 0, convergence = 0;
  if (w->is_dae) {
    IDAGetNumErrTestFails(w->memory, &error_test);
    IDAGetNumNonlinSolvConvFails(w->memory, &convergence);
  } else {
    CVodeGetNumErrTestFails(w->memory, &error_test);
    CVodeGetNumNonlinSolvConvFails(w->memory, &convergence);
  }
  s->rejected = w->rejected + error_test + convergence;
}

static Status advance(Stepper *s, double t_limit, double *t) {
  Sundials *w = s->work;
  w->trouble = QDOT_OK;
  w->calls = 0;
  int flag;
  if (w->is_dae) {
    IDASetStopTime(w->memory, t_limit);
    flag = IDASolve(w->memory, t_limit, t, w->y, w->yp, IDA_ONE_STEP);
  } else {
    CVodeSetStopTime(w->memory, t_limit);
    flag = CVode(w->memory, t_limit, w->y, t, CV_ONE_STEP);
  }
  return status_from_flag(w, flag);
}

// What the method may be held to where forces of constraints leave no accuracy for more: from where
// it is, ten times less than before, but not less than it was asked for.
static Status loosen(Stepper *s) {
  Sundials *w = s->work;
  w->strictness = fmax(w->strictness / 10, 1);
  count_failures(s);
  return sundials_start(s);
}

// q, qd and s at a moment of the last step, in w->room.
static int state_at(Sundials *w, double t) {
  return (w->is_dae ? IDAGetDky : CVodeGetDky)(w->memory, t, 0, w->room);
}

// ---- Quadratures
//
// By Gauss and Legendre with three points on the polynomial of the step: these methods follow a
// polynomial of their own order without error, in steps as long as they like, and would leave the
// error of its integrals, which are of higher order, without control. Such steps are taken in
// parts.

static double gauss_node(int i) { return 0.5 + (i - 1) * 0.38729833462074169; } // sqrt(15)/10

// The basis polynomial of node i, and its integral from 0, at u.
static double basis(int i, double u) {
  double c = gauss_node(i), a = gauss_node((i + 1) % POWERS), b = gauss_node((i + 2) % POWERS);
  return (u - a) * (u - b) / ((c - a) * (c - b));
}

static double basis_integral(int i, double u) {
  double c = gauss_node(i), a = gauss_node((i + 1) % POWERS), b = gauss_node((i + 2) % POWERS);
  return u * (u * (u / 3 - (a + b) / 2) + a * b) / ((c - a) * (c - b));
}

// Rates of the quadratures at a moment of the step. The multipliers follow from q and qd: those of
// IDAS are held to no accuracy, least of all in the first steps behind a start.
static Status power_at(Stepper *s, double t, double *power) {
  Sundials *w = s->work;
  int flag = state_at(w, t), works = s->problem->quadratures;
  if (flag < 0) return status_from_flag(w, flag);
  const double *q = DATA(w->room);
  Status status = dynamics_evaluate(&s->dynamics, t, q, q + s->n, w->qdd, NULL, w->column);
  if (status != QDOT_OK) return status;
  dense_copy(works, w->column + s->problem->states, power);
  return isnan(dense_norm(works, power)) ? QDOT_UNDEFINED : QDOT_OK;
}

// By how much the polynomial of the last part misses the rates at the end of the step, as a part of
// what the quadratures are held to.
static double missed(const Stepper *s, double h, const double *end) {
  const Sundials *w = s->work;
  double *const *last = w->power + (size_t)(w->panels - 1) * POWERS, most = 0, size = s->work_scale;
  int works = s->problem->quadratures;
  for (int k = 0; k < works; k++) size = fmax(size, fabs(s->y[s->acting + k] + h * end[k]));
  for (int k = 0; k < works; k++) {
    double there = 0;
    for (int i = 0; i < POWERS; i++) there += basis(i, 1) * last[i][k];
    most = fmax(most, fabs(there - end[k]));
  }
  // beside the end it misses by a twentieth of that on average
  return size > 0 ? 0.05 * fabs(h) * most / (size * s->options.rtol) : 0;
}

static Status find_powers(Stepper *s, double from, double to) {
  Sundials *w = s->work;
  if (s->problem->quadratures == 0) return QDOT_OK;
  double h = to - from, *end = w->end;
  Status status = power_at(s, to, end);
  for (w->panels = 1; status == QDOT_OK; w->panels *= 2) {
    for (int i = 0; i < w->panels * POWERS && status == QDOT_OK; i++) {
      double u = (i / POWERS + gauss_node(i % POWERS)) / w->panels;
      status = power_at(s, from + u * h, w->power[i]);
    }
    if (w->panels == MOST_PANELS || !(missed(s, h / w->panels, end) > 1)) break;
  }
  return status;
}

// Quadratures at part u of a step of size h that began with those of `begin`.
static void add_powers(const Stepper *s, const double *begin, double h, double u, double *y) {
  const Sundials *w = s->work;
  int works = s->problem->quadratures;
  dense_copy(works, begin + s->acting, y + s->acting);
  for (int i = 0; i < w->panels * POWERS && works > 0; i++) {
    double part = fmin(fmax(u * w->panels - i / POWERS, 0), 1); // of this panel
    dense_add(works, h / w->panels * basis_integral(i % POWERS, part), w->power[i], y + s->acting);
  }
}

static Status sundials_step(Stepper *s, double t_limit) {
  Sundials *w = s->work;
  double t = s->t;
  Status status = advance(s, t_limit, &t);
  while (status != QDOT_OK && status != QDOT_STOPPED && w->strictness > 1) {
    t = s->t;
    status = loosen(s);
    if (status == QDOT_OK) status = advance(s, t_limit, &t);
  }
  if (status != QDOT_OK) return status;
  if (isnan(dense_norm(s->acting, DATA(w->y)))) return QDOT_UNDEFINED;
  status = find_powers(s, s->t, t);
  if (status != QDOT_OK) return status;
  double *old = s->y_old;
  s->y_old = s->y;
  s->y = old;
  s->t_old = s->t;
  s->t = fabs(t - t_limit) <= 1e-14 * fabs(t_limit) ? t_limit : t;
  memcpy(s->y, DATA(w->y), (size_t)s->acting * sizeof *old);
  add_powers(s, s->y_old, t - s->t_old, 1, s->y);
  s->steps++;
  count_failures(s);
  return dense_norm(s->acting, s->y) < 1e150 ? QDOT_OK : QDOT_BLOW_UP;
}

static Status sundials_dense(Stepper *s, double t, double *y) {
  Sundials *w = s->work;
  double h = s->t - s->t_old;
  int flag = state_at(w, t);
  memcpy(y, DATA(w->room), (size_t)s->acting * sizeof *y);
  bool has_step = s->steps > 0 && h > 0;
  add_powers(s, has_step ? s->y_old : s->y, h, has_step ? (t - s->t_old) / h : 0, y);
  return status_from_flag(w, flag);
}

const Method method_bdf = {.name = "bdf",
                           .others = {"ode15s", "ode23s"},
                           .kind = METHOD_IMPLICIT,
                           .takes = {"rtol", "atol"},
                           .nodes = 5,
                           .open = bdf_open,
                           .start = sundials_start,
                           .step = sundials_step,
                           .dense = sundials_dense,
                           .close = sundials_close};

const Method method_dae = {.name = "dae",
                           .others = {"ida"},
                           .kind = METHOD_IMPLICIT,
                           .takes = {"rtol", "atol"},
                           .nodes = 5,
                           .open = dae_open,
                           .start = sundials_start,
                           .step = sundials_step,
                           .dense = sundials_dense,
                           .close = sundials_close};
