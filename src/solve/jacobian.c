// Derivatives of (qd, qdd, ds/dt) by (q, qd, s).
#include "solve/jacobian.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"

// Of a state, by its size: the change for a difference.
static const double SMALL = 1e-7;

void jacobian_open(Jacobian *w, Stepper *s) {
  size_t n = (size_t)s->n, m = (size_t)s->problem->m, states = (size_t)s->problem->states;
  *w = (Jacobian){.stepper = s};
  w->K = arena_array(s->arena, double, n *n);
  w->C = arena_array(s->arena, double, n *n);
  w->by_states = arena_array(s->arena, double, states *(3 * n + states));
  w->qdd = stepper_array(s);
  w->column = stepper_array(s);
  w->state = stepper_array(s);
  w->rise = arena_array(s->arena, double, m);
  if (m == 0) return;
  w->M = arena_array(s->arena, double, n *n);
  w->f = arena_array(s->arena, double, n);
  w->Phi_q = arena_array(s->arena, double, m *n);
  w->gamma = arena_array(s->arena, double, m);
}

Status jacobian_states(Jacobian *w, double t, const double *q) {
  const Problem *p = w->stepper->problem;
  size_t n = (size_t)p->n, block = n * (size_t)p->states;
  double *r_s = w->by_states, *s_q = r_s + block, *s_qd = s_q + block, *s_s = s_qd + block;
  return p->states > 0 ? p->state_tangent(p->user, t, q, q + n, r_s, s_q, s_qd, s_s) : QDOT_OK;
}

void jacobian_rate_column(const Jacobian *w, int j, double *out) {
  const Problem *p = w->stepper->problem;
  int n = p->n, states = p->states;
  const double *s_q = w->by_states + (size_t)n * states, *s_qd = s_q + (size_t)n * states;
  const double *s_s = s_qd + (size_t)n * states;
  for (int i = 0; i < states; i++)
    out[i] = j < n       ? s_q[(size_t)i * n + j]
             : j < 2 * n ? s_qd[(size_t)i * n + j - n]
                         : s_s[(size_t)i * states + j - 2 * n];
}

static double changed(const Stepper *s, const double *y, int j) {
  double size = j < 2 * s->n ? stepper_scale(s, j % s->n) : 0;
  size = fmax(fabs(y[j]), size > 0 ? 1e-3 * size : fmax(s->largest[j], 1e-6));
  return y[j] + SMALL * size;
}

static Status by_differences(Jacobian *w, double t, const double *y, double *J) {
  Stepper *s = w->stepper;
  int size = s->acting;
  memcpy(w->state, y, (size_t)size * sizeof *y);
  Status status = stepper_derivative(s, t, w->state, w->qdd);
  for (int j = 0; j < size && status == QDOT_OK; j++) {
    w->state[j] = changed(s, y, j);
    status = stepper_derivative(s, t, w->state, w->column);
    for (int i = 0; i < size; i++)
      J[(size_t)i * size + j] = (w->column[i] - w->qdd[i]) / (w->state[j] - y[j]);
    w->state[j] = y[j];
  }
  return status;
}

// rise = d(gamma - Phi_q qdd) by the j-th of (q, qd) with qdd held.
static Status constraint_column(Jacobian *w, double t, const double *y, int j) {
  const Stepper *s = w->stepper;
  const Problem *p = s->problem;
  const Dynamics *d = &s->dynamics;
  int n = s->n;
  for (int i = 0; i < p->m; i++) w->rise[i] = 0;
  if (p->m == 0 || j >= 2 * n) return QDOT_OK;
  memcpy(w->state, y, (size_t)s->acting * sizeof *y);
  w->state[j] = changed(s, y, j);
  double change = w->state[j] - y[j];
  Status status = p->terms(p->user, t, w->state, w->state + n, w->M, w->f, w->Phi_q, w->gamma);
  for (int i = 0; i < p->m; i++) {
    const double *moved = w->Phi_q + (size_t)i * n, *row = d->Phi_q + (size_t)i * n;
    w->rise[i] =
        (w->gamma[i] - d->gamma[i] - (dense_dot(n, moved, w->qdd) - dense_dot(n, row, w->qdd))) /
        change;
  }
  return status;
}

Status jacobian_compute(Jacobian *w, double t, const double *y, double *J) {
  Stepper *s = w->stepper;
  const Problem *p = s->problem;
  Dynamics *d = &s->dynamics;
  int n = s->n, size = s->acting;
  if (!p->tangent) return by_differences(w, t, y, J);
  Status status = dynamics_evaluate(d, t, y, y + n, w->qdd, NULL, w->column);
  if (status == QDOT_OK) status = p->terms(p->user, t, y, y + n, d->M, d->f, d->Phi_q, d->gamma);
  if (status == QDOT_OK) status = p->tangent(p->user, t, y, y + n, w->qdd, d->lambda, w->K, w->C);
  if (status == QDOT_OK) status = jacobian_states(w, t, y);
  if (status == QDOT_OK) status = kkt_factor(&d->kkt, d->M, d->Phi_q, p->m);
  double *rates = w->column + n;
  for (int j = 0; j < size && status == QDOT_OK; j++) {
    const double *tangent = j < n       ? w->K + j
                            : j < 2 * n ? w->C + (j - n)
                                        : w->by_states + (j - 2 * n);
    int columns = j < 2 * n ? n : p->states;
    status = constraint_column(w, t, y, j);
    for (int i = 0; i < n; i++) w->column[i] = -tangent[(size_t)i * columns];
    kkt_solve(&d->kkt, d->Phi_q, w->column, w->rise, w->state, d->Phi_dot);
    for (int i = 0; i < n; i++) {
      J[(size_t)i * size + j] = j == n + i;
      J[(size_t)(n + i) * size + j] = w->state[i];
    }
    if (p->states > 0) jacobian_rate_column(w, j, rates);
    for (int i = 0; i < p->states; i++) J[(size_t)(2 * n + i) * size + j] = rates[i];
  }
  return status;
}
