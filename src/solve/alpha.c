// Generalized-alpha for stiff systems and constraints at position level (Arnold and Bruls 2007).
#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"
#include "solve/algebra/linear.h"
#include "solve/algebra/newton.h"
#include "solve/fixed.h"

typedef struct Alpha {
  Stepper *stepper;
  Newton newton;
  Linear linear;
  Hermite ends;
  double *K, *C;
  double alpha_m, alpha_f, beta, gamma;
  double *x;                 // unknowns: qdd (n), lambda (m)
  double *a, *a_start;       // the method's own acceleration, and its part known beforehand
  double *q_start, *v_start; // q and qd with a = a_start
  double *lambda_old, *lambda_room;
  double *y_new, *room;
  double t, h, factored_h;
  double beta_h, gamma_h; // dq/dqdd and dqd/dqdd
} Alpha;

extern const Method method_alpha;

static void state_from_acceleration(Alpha *w, const double *qdd) {
  int n = w->stepper->n;
  for (int i = 0; i < n; i++) {
    w->y_new[i] = w->q_start[i] + w->beta_h * qdd[i];
    w->y_new[n + i] = w->v_start[i] + w->gamma_h * qdd[i];
  }
}

// r(t, q, qd, qdd, lambda), and the constraints over their own derivative by qdd: with this
// scaling the iteration matrix stays regular as h goes to zero.
static Status alpha_residual(void *user, const double *x, double *r) {
  Alpha *w = user;
  Stepper *s = w->stepper;
  const Problem *p = s->problem;
  int n = s->n;
  state_from_acceleration(w, x);
  const double *q = w->y_new, *qd = w->y_new + n;
  Status status = dynamics_residual(&s->dynamics, w->t, q, qd, x, x + n, r);
  if (status == QDOT_OK && p->holonomic < p->m) status = p->velocity(p->user, w->t, q, qd, r + n);
  for (int i = p->holonomic; i < p->m; i++) r[n + i] /= w->gamma_h;
  if (status == QDOT_OK && p->holonomic > 0) status = p->position(p->user, w->t, q, r + n);
  for (int i = 0; i < p->holonomic; i++) r[n + i] /= w->beta_h;
  return status;
}

static Status alpha_factor(void *user, const double *x) {
  Alpha *w = user;
  Stepper *s = w->stepper;
  const Problem *p = s->problem;
  int n = s->n, m = p->m, size = n + m;
  const double *M = s->dynamics.M, *Phi_q = s->dynamics.Phi_q;
  Status status = p->tangent(p->user, w->t, w->y_new, w->y_new + n, x, x + n, w->K, w->C);
  if (status != QDOT_OK) return status;
  double *A = w->linear.A;
  memset(A, 0, (size_t)size * size * sizeof *A);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[(size_t)i * size + j] = M[(size_t)i * n + j] + w->gamma_h * w->C[(size_t)i * n + j] +
                                w->beta_h * w->K[(size_t)i * n + j];
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      A[(size_t)(n + i) * size + j] = A[(size_t)j * size + n + i] = Phi_q[(size_t)i * n + j];
  w->factored_h = w->h;
  return linear_factor(&w->linear);
}

static void alpha_solve(void *user, double *b) { linear_solve(&((Alpha *)user)->linear, b); }

static double alpha_size(void *user, const double *dx, const double *x) {
  Alpha *w = user;
  int n = w->stepper->n;
  (void)x;
  double change = w->beta_h * fmax(dense_norm(n, dx) - n * w->stepper->noise, 0);
  return stepper_share(w->stepper, change, w->y_new, w->y_new + n, w->h);
}

static void choose_parameters(Alpha *w, double rho) {
  w->alpha_m = (2 * rho - 1) / (rho + 1);
  w->alpha_f = rho / (rho + 1);
  w->gamma = 0.5 + w->alpha_f - w->alpha_m;
  w->beta = 0.25 * (w->gamma + 0.5) * (w->gamma + 0.5);
}

static Status alpha_open(Stepper *s) {
  Alpha *w = arena_new(s->arena, Alpha);
  s->work = w;
  w->stepper = s;
  int n = s->n, m = s->problem->m;
  choose_parameters(w, s->options.rho);
  linear_open(&w->linear, s->arena, n + m);
  hermite_open(&w->ends, s);
  w->K = arena_array(s->arena, double, (size_t)n *n);
  w->C = arena_array(s->arena, double, (size_t)n *n);
  w->x = arena_array(s->arena, double, n + m);
  w->a = stepper_array(s);
  w->a_start = stepper_array(s);
  w->q_start = stepper_array(s);
  w->v_start = stepper_array(s);
  w->lambda_old = arena_array(s->arena, double, m);
  w->lambda_room = arena_array(s->arena, double, m);
  w->y_new = stepper_array(s);
  w->room = stepper_array(s);
  w->newton = (Newton){.user = w,
                       .n = n + m,
                       .residual = alpha_residual,
                       .factor = alpha_factor,
                       .solve = alpha_solve,
                       .size = alpha_size,
                       .tolerance = 1e-13,
                       .most_rounds = 50,
                       .linear = s->problem->linear && m == 0,
                       .r = arena_array(s->arena, double, n + m)};
  return QDOT_OK;
}

static Status alpha_start(Stepper *s) {
  Alpha *w = s->work;
  w->newton.factored = false;
  stepper_learn_noise(s); // what rests on constraints has no other size
  Status status =
      dynamics_evaluate(&s->dynamics, s->t, s->y, s->y + s->n, w->x, w->x + s->n, w->ends.rate);
  memcpy(w->a, w->x, (size_t)s->n * sizeof *w->a);
  memcpy(w->ends.a, w->x, (size_t)s->n * sizeof *w->a);
  return status;
}

// What the new q and qd are without the new qdd.
static void predict(Alpha *w) {
  Stepper *s = w->stepper;
  int n = s->n;
  double h = w->h, share = (1 - w->alpha_f) / (1 - w->alpha_m);
  w->beta_h = w->beta * h * h * share;
  w->gamma_h = w->gamma * h * share;
  for (int i = 0; i < n; i++) {
    double known = (w->alpha_f * w->x[i] - w->alpha_m * w->a[i]) / (1 - w->alpha_m);
    w->a_start[i] = known;
    w->q_start[i] =
        s->y[i] + h * s->y[n + i] + h * h * ((0.5 - w->beta) * w->a[i] + w->beta * known);
    w->v_start[i] = s->y[n + i] + h * ((1 - w->gamma) * w->a[i] + w->gamma * known);
  }
}

static void accept(Alpha *w) {
  Stepper *s = w->stepper;
  double share = (1 - w->alpha_f) / (1 - w->alpha_m);
  for (int i = 0; i < s->n; i++) w->a[i] = w->a_start[i] + share * w->x[i];
  hermite_advance(&w->ends);
  memcpy(w->ends.a, w->x, (size_t)s->n * sizeof *w->x);
  fixed_accept(s, w->t, &w->y_new);
}

static Status alpha_step(Stepper *s, double t_limit) {
  Alpha *w = s->work;
  int n = s->n, m = s->problem->m;
  w->t = grid_next(s->t, s->options.step, t_limit, &w->h);
  if (w->h != w->factored_h) w->newton.factored = false;
  predict(w);
  memcpy(w->lambda_old, w->x + n, (size_t)m * sizeof *w->x);
  Status status = newton_solve(&w->newton, w->x);
  if (status != QDOT_OK) return status;
  state_from_acceleration(w, w->x);
  if (!(dense_norm(2 * n, w->y_new) < 1e150)) return QDOT_BLOW_UP;
  if (s->options.stabilize == STABILIZE_PROJECT)
    status = project_velocity(&s->projector, w->t, w->y_new, w->y_new + n);
  if (status != QDOT_OK) return status;
  accept(w);
  return hermite_quadratures(s, &w->ends, w->lambda_old, w->x + n, w->lambda_room, w->room);
}

static Status alpha_dense(Stepper *s, double t, double *y) {
  hermite_state(s, &((Alpha *)s->work)->ends, t, y);
  return QDOT_OK;
}

const Method method_alpha = {.name = "alpha",
                             .kind = METHOD_IMPLICIT,
                             .takes = {"rho", "step"},
                             .refuses = 1 << NEED_STATES,
                             .order = 2,
                             .nodes = 3,
                             .fixed_step = true,
                             .open = alpha_open,
                             .start = alpha_start,
                             .step = alpha_step,
                             .dense = alpha_dense};
