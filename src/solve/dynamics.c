// Accelerations and multipliers at a state.
#include "solve/dynamics.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"
#include "solve/dead_position.h"

void problem_kkt_open(const Problem *p, Kkt *kkt, Arena *arena, bool constant_mass) {
  kkt_open(kkt, arena, p->n, p->m, constant_mass);
  for (int i = 0; p->kind && i < p->n; i++) kkt->unit[i] = p->scale[p->kind[i]];
}

void dynamics_open(Dynamics *dynamics, Arena *arena, const Problem *problem) {
  size_t n = (size_t)problem->n, m = (size_t)problem->m;
  *dynamics = (Dynamics){.problem = problem};
  problem_kkt_open(problem, &dynamics->kkt, arena, problem->constant_mass);
  dynamics->M = arena_array(arena, double, n *n);
  dynamics->f = arena_array(arena, double, n);
  dynamics->Phi_q = arena_array(arena, double, m *n);
  dynamics->gamma = arena_array(arena, double, m);
  dynamics->lambda = arena_array(arena, double, m);
  dynamics->Phi = arena_array(arena, double, m);
  dynamics->Phi_dot = arena_array(arena, double, m);
}

// Baumgarte: gamma - 2 alpha dPhi/dt - beta^2 Phi pulls a violated constraint back.
static Status pull_back(Dynamics *d, double t, const double *q, const double *qd) {
  const Problem *p = d->problem;
  Status status = p->velocity(p->user, t, q, qd, d->Phi_dot);
  if (status == QDOT_OK) status = p->position(p->user, t, q, d->Phi);
  if (status != QDOT_OK) return status;
  for (int i = 0; i < p->m; i++) {
    d->gamma[i] -= 2 * d->baumgarte_alpha * d->Phi_dot[i];
    if (i < p->holonomic) d->gamma[i] -= d->baumgarte_beta * d->baumgarte_beta * d->Phi[i];
  }
  return QDOT_OK;
}

// Without fast callbacks nobody else sees dead positions: there the rank falls, or the least pivot
// that is no redundancy is far below what it has been.
static void look_for_dead(Dynamics *d) {
  const Problem *p = d->problem;
  const Kkt *kkt = &d->kkt;
  if (p->forward || !p->met_dead) return;
  if (kkt->rank > d->most_rank || d->rows != p->m) d->most_rank = kkt->rank, d->best_pivot = 0;
  d->rows = p->m;
  double pivot = kkt->mode == KKT_CUT || kkt->rank < d->most_rank ? 0 : kkt->worst_pivot;
  d->best_pivot = fmax(d->best_pivot, pivot);
  if (pivot * DEAD_NEAR >= d->best_pivot && d->best_pivot > 0) return;
  *p->met_dead = true;
  *p->nearest_dead = fmax(*p->nearest_dead, d->best_pivot / fmax(pivot, KKT_TRUSTED));
}

static Status evaluate_dense(Dynamics *d, double t, const double *q, const double *qd, double *qdd,
                             double *lambda) {
  const Problem *p = d->problem;
  Status status = p->terms(p->user, t, q, qd, d->M, d->f, d->Phi_q, d->gamma);
  if (status == QDOT_OK && (d->baumgarte_alpha != 0 || d->baumgarte_beta != 0))
    status = pull_back(d, t, q, qd);
  if (status == QDOT_OK) status = kkt_factor(&d->kkt, d->M, d->Phi_q, p->m);
  if (status != QDOT_OK) return status;
  if (d->kkt.rank < p->m) d->revealed++;
  look_for_dead(d);
  kkt_solve(&d->kkt, d->Phi_q, d->f, d->gamma, qdd, lambda);
  return QDOT_OK;
}

Status dynamics_evaluate(Dynamics *d, double t, const double *q, const double *qd, double *qdd,
                         double *lambda, double *rates) {
  const Problem *p = d->problem;
  if (dynamics_is_stopped(d)) return QDOT_STOPPED;
  d->evaluations++;
  if (!lambda) lambda = d->lambda;
  if (p->forward && d->baumgarte_alpha == 0 && d->baumgarte_beta == 0) {
    Status status = p->forward(p->user, t, q, qd, qdd, lambda, rates);
    if (status != QDOT_SINGULAR) return status;
  }
  Status status = evaluate_dense(d, t, q, qd, qdd, lambda);
  if (status == QDOT_OK && p->states + p->quadratures > 0)
    status = p->rates(p->user, t, q, qd, lambda, rates);
  return status;
}

Status dynamics_residual(Dynamics *d, double t, const double *q, const double *qd,
                         const double *qdd, const double *lambda, double *r) {
  const Problem *p = d->problem;
  if (dynamics_is_stopped(d)) return QDOT_STOPPED;
  d->evaluations++;
  Status status = p->terms(p->user, t, q, qd, d->M, d->f, d->Phi_q, d->gamma);
  if (status != QDOT_OK) return status;
  dense_multiply(p->n, p->n, d->M, qdd, r);
  dense_add(p->n, -1, d->f, r);
  dense_add_transposed(p->m, p->n, 1, d->Phi_q, lambda, r);
  return QDOT_OK;
}
