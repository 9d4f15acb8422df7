// The midpoint variational integrator: discrete Euler-Lagrange equations, constraints at the nodes.
// L_d(q0, q1) = h L((q0 + q1)/2, (q1 - q0)/h), forces by the discrete principle of d'Alembert.
#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"
#include "solve/algebra/linear.h"
#include "solve/algebra/newton.h"
#include "solve/fixed.h"

typedef struct Variational {
  Stepper *stepper;
  Newton newton;
  Linear linear;
  Hermite ends;
  double *x; // unknowns: q at the next node (n), h lambda at this one (m)
  double *p; // momentum at this node, constraint impulses of the past included
  double *L_q, *L_v, *F;
  double *L_qq, *L_qv, *L_vv, *F_q, *F_v;
  double *q_mid, *v_mid;
  double *Phi_q_old; // at this node
  double *lambda_old, *lambda, *lambda_room;
  double *y_new, *room, *M;
  double t, h, factored_h;
} Variational;

extern const Method method_variational;

static void midpoint(Variational *w, const double *q1) {
  const double *q0 = w->stepper->y;
  for (int i = 0; i < w->stepper->n; i++) {
    w->q_mid[i] = 0.5 * (q0[i] + q1[i]);
    w->v_mid[i] = (q1[i] - q0[i]) / w->h;
  }
}

static Status gradient_mid(Variational *w) {
  const Problem *p = w->stepper->problem;
  return p->gradient(p->user, w->t - w->h / 2, w->q_mid, w->v_mid, w->L_q, w->L_v, w->F);
}

// p0 + D1 L_d + h/2 F - Phi_q(q0)^T (h lambda) = 0, times -h so that masses are its tangent; and
// Phi(q1) = 0.
static Status variational_residual(void *user, const double *x, double *r) {
  Variational *w = user;
  Stepper *s = w->stepper;
  const Problem *p = s->problem;
  int n = s->n;
  if (dynamics_is_stopped(&s->dynamics)) return QDOT_STOPPED;
  midpoint(w, x);
  Status status = gradient_mid(w);
  if (status != QDOT_OK) return status;
  s->dynamics.evaluations++;
  for (int i = 0; i < n; i++)
    r[i] = -w->h * (w->p[i] + w->h / 2 * (w->L_q[i] + w->F[i]) - w->L_v[i]);
  dense_add_transposed(p->m, n, w->h, w->Phi_q_old, x + n, r);
  return p->m > 0 ? p->position(p->user, w->t, x, r + n) : QDOT_OK;
}

static Status variational_factor(void *user, const double *x) {
  Variational *w = user;
  Stepper *s = w->stepper;
  const Problem *p = s->problem;
  int n = s->n, m = p->m, size = n + m;
  double h = w->h, *A = w->linear.A;
  Status status = p->hessian(p->user, w->t - h / 2, w->q_mid, w->v_mid, w->L_qq, w->L_qv, w->L_vv,
                             w->F_q, w->F_v);
  if (status == QDOT_OK && m > 0)
    status = p->geometry(p->user, w->t, x, s->dynamics.M, s->dynamics.Phi_q);
  if (status != QDOT_OK) return status;
  memset(A, 0, (size_t)size * size * sizeof *A);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      size_t ij = (size_t)i * n + j, ji = (size_t)j * n + i;
      double force = h / 2 * (w->L_qq[ij] / 2 + w->L_qv[ij] / h + w->F_q[ij] / 2 + w->F_v[ij] / h);
      A[(size_t)i * size + j] = -h * (force - w->L_qv[ji] / 2 - w->L_vv[ij] / h);
    }
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      A[(size_t)(n + i) * size + j] = s->dynamics.Phi_q[(size_t)i * n + j];
      A[(size_t)j * size + n + i] = h * w->Phi_q_old[(size_t)i * n + j];
    }
  w->factored_h = h;
  return linear_factor(&w->linear);
}

static void variational_solve(void *user, double *b) {
  linear_solve(&((Variational *)user)->linear, b);
}

static double variational_size(void *user, const double *dx, const double *x) {
  Variational *w = user;
  return stepper_share(w->stepper, dense_norm(w->stepper->n, dx), x, w->v_mid, w->h);
}

static Status variational_open(Stepper *s) {
  Variational *w = arena_new(s->arena, Variational);
  s->work = w;
  w->stepper = s;
  int n = s->n, m = s->problem->m;
  size_t square = (size_t)n * n;
  linear_open(&w->linear, s->arena, n + m);
  hermite_open(&w->ends, s);
  double **vectors[] = {&w->p, &w->L_q, &w->L_v, &w->F, &w->q_mid, &w->v_mid, &w->y_new, &w->room};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) *vectors[i] = stepper_array(s);
  double **matrices[] = {&w->L_qq, &w->L_qv, &w->L_vv, &w->F_q, &w->F_v, &w->M};
  for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
    *matrices[i] = arena_array(s->arena, double, square);
  w->x = arena_array(s->arena, double, n + m);
  w->Phi_q_old = arena_array(s->arena, double, (size_t)m *n);
  w->lambda_old = arena_array(s->arena, double, m);
  w->lambda = arena_array(s->arena, double, m);
  w->lambda_room = arena_array(s->arena, double, m);
  w->newton = (Newton){.user = w,
                       .n = n + m,
                       .residual = variational_residual,
                       .factor = variational_factor,
                       .solve = variational_solve,
                       .size = variational_size,
                       .tolerance = 1e-14,
                       .most_rounds = 50,
                       .r = arena_array(s->arena, double, n + m)};
  return QDOT_OK;
}

// The momentum of a state is L_v.
static Status variational_start(Stepper *s) {
  Variational *w = s->work;
  const Problem *p = s->problem;
  w->newton.factored = false;
  Status status = p->gradient(p->user, s->t, s->y, s->y + s->n, w->L_q, w->p, w->F);
  if (status == QDOT_OK && p->m > 0) status = p->geometry(p->user, s->t, s->y, w->M, w->Phi_q_old);
  if (status != QDOT_OK) return status;
  return dynamics_evaluate(&s->dynamics, s->t, s->y, s->y + s->n, w->ends.a, w->lambda,
                           w->ends.rate);
}

// qd with L_v(q, qd) = p up to an impulse of the constraints, and dPhi/dt = 0: L_v is affine in qd,
// so that one solve from any qd is exact.
static Status velocity_from_momentum(Variational *w) {
  Stepper *s = w->stepper;
  const Problem *p = s->problem;
  int n = s->n;
  double *qd = w->y_new + n;
  memcpy(qd, w->v_mid, (size_t)n * sizeof *qd);
  Status status = p->gradient(p->user, w->t, w->y_new, qd, w->L_q, w->L_v, w->F);
  if (status == QDOT_OK && p->m > 0)
    status = p->geometry(p->user, w->t, w->y_new, s->dynamics.M, s->dynamics.Phi_q);
  if (status == QDOT_OK && p->m == 0)
    status =
        p->hessian(p->user, w->t, w->y_new, qd, w->L_qq, w->L_qv, s->dynamics.M, w->F_q, w->F_v);
  if (status == QDOT_OK)
    status = kkt_factor(&s->dynamics.kkt, s->dynamics.M, s->dynamics.Phi_q, p->m);
  if (status != QDOT_OK) return status;
  for (int i = 0; i < n; i++) w->L_v[i] = w->p[i] - w->L_v[i];
  if (p->m > 0) status = p->velocity(p->user, w->t, w->y_new, qd, s->dynamics.Phi_dot);
  for (int i = 0; i < p->m; i++) s->dynamics.gamma[i] = -s->dynamics.Phi_dot[i];
  kkt_solve(&s->dynamics.kkt, s->dynamics.Phi_q, w->L_v, s->dynamics.gamma, w->L_q,
            s->dynamics.lambda);
  dense_add(n, 1, w->L_q, qd);
  return status;
}

static void accept(Variational *w) {
  Stepper *s = w->stepper;
  fixed_accept(s, w->t, &w->y_new);
  hermite_advance(&w->ends);
  double *kept = w->lambda_old;
  w->lambda_old = w->lambda;
  w->lambda = kept;
  memcpy(w->Phi_q_old, s->dynamics.Phi_q, (size_t)s->problem->m * s->n * sizeof *kept);
}

static Status variational_step(Stepper *s, double t_limit) {
  Variational *w = s->work;
  int n = s->n, m = s->problem->m;
  w->t = grid_next(s->t, s->options.step, t_limit, &w->h);
  if (w->h != w->factored_h) w->newton.factored = false;
  for (int i = 0; i < n; i++) w->x[i] = s->y[i] + w->h * (s->y[n + i] + w->h / 2 * w->ends.a[i]);
  for (int i = 0; i < m; i++) w->x[n + i] = w->h * w->lambda[i];
  Status status = newton_solve(&w->newton, w->x);
  if (status != QDOT_OK) return status;
  midpoint(w, w->x);
  status = gradient_mid(w);
  if (status != QDOT_OK) return status;
  for (int i = 0; i < n; i++) w->p[i] = w->L_v[i] + w->h / 2 * (w->L_q[i] + w->F[i]);
  memcpy(w->y_new, w->x, (size_t)n * sizeof *w->x);
  if (!(dense_norm(n, w->y_new) < 1e150)) return QDOT_BLOW_UP;
  status = velocity_from_momentum(w);
  if (status != QDOT_OK) return status;
  accept(w);
  status =
      dynamics_evaluate(&s->dynamics, s->t, s->y, s->y + n, w->ends.a, w->lambda, w->ends.rate);
  if (status != QDOT_OK) return status;
  return hermite_quadratures(s, &w->ends, w->lambda_old, w->lambda, w->lambda_room, w->room);
}

static Status variational_dense(Stepper *s, double t, double *y) {
  hermite_state(s, &((Variational *)s->work)->ends, t, y);
  return QDOT_OK;
}

const Method method_variational = {.name = "variational",
                                   .kind = METHOD_OF_LAGRANGIAN,
                                   .takes = {"step"},
                                   .refuses = 1 << NEED_CONTACTS | 1 << NEED_DISSIPATION |
                                              1 << NEED_STATES | 1 << NEED_NONHOLONOMIC,
                                   .order = 2,
                                   .nodes = 3,
                                   .fixed_step = true,
                                   .open = variational_open,
                                   .start = variational_start,
                                   .step = variational_step,
                                   .dense = variational_dense};
