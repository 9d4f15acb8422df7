// The Problem of a machine: callbacks that run its programs.
#include <math.h>
#include <string.h>

#include "code/eliminate.h"
#include "sim/sizes.h"
#include "solve/dense.h"

// A row whose pivot is so much below its largest is near a dead position: pivots are squares.
static const double NEAR_DEAD = 400;

// Infinite where a pivot vanished, not a number where anything was undefined.
static Status failure_of(double loss, bool constrained) {
  if (constrained) return QDOT_SINGULAR;
  return isnan(loss) ? QDOT_UNDEFINED : QDOT_SINGULAR_MASS;
}

// May the pivots be divided by? trust: their loss, then the inverse pivots of the constraints, each
// measured by the smallest that it has had: where a row vanishes, nothing is lost, and yet what is
// divided by is next to nothing.
static bool is_trusted(Machine *m, const double *trust) {
  bool good = trust[0] < ELIMINATION_MOST_LOSS;
  for (int r = 0; r < m->problem.m; r++) {
    double inverse = fabs(trust[1 + r]), *smallest = &m->slack[machine_place(m, r)];
    if (*smallest == 0 || inverse < *smallest) *smallest = inverse;
    good = good && inverse < ELIMINATION_MOST_LOSS * *smallest;
    m->met_dead = m->met_dead || inverse > NEAR_DEAD * *smallest;
  }
  return good;
}

static Status run_forward(void *user, double t, const double *q, const double *qd, double *qdd,
                          double *lambda, double *rates) {
  Machine *m = user;
  size_t n = (size_t)m->n, rows = (size_t)m->problem.m;
  const double *out = machine_run(m, PART_FORWARD, t, q, qd);
  const double *trust = out + n + rows + POWER_KINDS;
  if (!is_trusted(m, trust)) return failure_of(trust[0], rows > 0);
  memcpy(qdd, out, n * sizeof *qdd);
  memcpy(lambda, out + n, rows * sizeof *lambda);
  memcpy(rates, out + n + rows, POWER_KINDS * sizeof *rates);
  return QDOT_OK;
}

static Status run_derivative(void *user, double t, const double *y, double *k) {
  Machine *m = user;
  MachineSet *set = m->set;
  const InputLayout *at = &set->equations->layout;
  int n = m->n;
  m->in[at->t] = t;
  dense_copy(2 * n, y, m->in + at->q); // velocities follow positions there, too
  dense_copy(n, y + n, k);
  compiled_run(&set->equations->parts[PART_FORWARD], m->in, k + n, set->work[PART_FORWARD]);
  double loss = k[2 * n + POWER_KINDS];
  return loss < ELIMINATION_MOST_LOSS ? QDOT_OK : failure_of(loss, false);
}

static Status run_terms(void *user, double t, const double *q, const double *qd, double *M,
                        double *f, double *Phi_q, double *gamma) {
  Machine *m = user;
  size_t n = (size_t)m->n, rows = (size_t)m->problem.m;
  const double *out = machine_run(m, PART_TERMS, t, q, qd);
  memcpy(M, out, n * n * sizeof *M);
  memcpy(f, out + n * n, n * sizeof *f);
  memcpy(Phi_q, out + n * n + n, rows * n * sizeof *Phi_q);
  memcpy(gamma, out + n * n + n + rows * n, rows * sizeof *gamma);
  return QDOT_OK;
}

static Status run_geometry(void *user, double t, const double *q, double *M, double *Phi_q) {
  Machine *m = user;
  size_t n = (size_t)m->n;
  const double *out = machine_run(m, PART_GEOMETRY, t, q, NULL);
  memcpy(M, out, n * n * sizeof *M);
  memcpy(Phi_q, out + n * n, (size_t)m->problem.m * n * sizeof *Phi_q);
  return QDOT_OK;
}

static Status run_position(void *user, double t, const double *q, double *Phi) {
  Machine *m = user;
  const double *out = machine_run(m, PART_POSITION, t, q, NULL);
  memcpy(Phi, out, (size_t)m->problem.holonomic * sizeof *Phi);
  return QDOT_OK;
}

static Status run_position_size(void *user, double t, const double *q, double *size) {
  machine_row_sizes(user, t, q, size);
  return QDOT_OK;
}

static Status run_velocity(void *user, double t, const double *q, const double *qd,
                           double *Phi_dot) {
  Machine *m = user;
  const double *out = machine_run(m, PART_VELOCITY, t, q, qd);
  memcpy(Phi_dot, out, (size_t)m->problem.m * sizeof *Phi_dot);
  return QDOT_OK;
}

static Status run_project_position(void *user, double t, const double *q, double *dq, double *Phi) {
  Machine *m = user;
  const double *out = machine_run(m, PART_PROJECT_POSITION, t, q, NULL);
  if (!is_trusted(m, out + m->n + m->problem.holonomic)) return QDOT_SINGULAR;
  memcpy(dq, out, (size_t)m->n * sizeof *dq);
  memcpy(Phi, out + m->n, (size_t)m->problem.holonomic * sizeof *Phi);
  return QDOT_OK;
}

static Status run_project_velocity(void *user, double t, const double *q, const double *qd,
                                   double *dqd, double *norm) {
  Machine *m = user;
  int rows = m->problem.m;
  const double *out = machine_run(m, PART_PROJECT_VELOCITY, t, q, qd);
  if (!is_trusted(m, out + m->n + rows)) return QDOT_SINGULAR;
  memcpy(dqd, out, (size_t)m->n * sizeof *dqd);
  const double *squares = out + m->n + rows + 1 + rows;
  for (int r = 0; r < rows; r++) norm[r] = squares[r] > 0 ? sqrt(squares[r]) : 0;
  return QDOT_OK;
}

static Status run_rates(void *user, double t, const double *q, const double *qd,
                        const double *lambda, double *rates) {
  Machine *m = user;
  machine_give(m, NULL, lambda);
  memcpy(rates, machine_run(m, PART_POWER, t, q, qd), POWER_KINDS * sizeof *rates);
  return QDOT_OK;
}

static Status run_tangent(void *user, double t, const double *q, const double *qd,
                          const double *qdd, const double *lambda, double *K, double *C) {
  Machine *m = user;
  size_t square = (size_t)m->n * (size_t)m->n;
  machine_give(m, qdd, lambda);
  const double *out = machine_run(m, PART_TANGENT, t, q, qd);
  memcpy(K, out, square * sizeof *K);
  memcpy(C, out + square, square * sizeof *C);
  return QDOT_OK;
}

static Status run_gradient(void *user, double t, const double *q, const double *v, double *L_q,
                           double *L_v, double *F) {
  Machine *m = user;
  size_t n = (size_t)m->n;
  const double *out = machine_run(m, PART_GRADIENT, t, q, v);
  memcpy(L_q, out, n * sizeof *q);
  memcpy(L_v, out + n, n * sizeof *q);
  memcpy(F, out + 2 * n, n * sizeof *q);
  return QDOT_OK;
}

static Status run_hessian(void *user, double t, const double *q, const double *v, double *L_qq,
                          double *L_qv, double *L_vv, double *F_q, double *F_v) {
  Machine *m = user;
  size_t square = (size_t)m->n * (size_t)m->n;
  const double *out = machine_run(m, PART_HESSIAN, t, q, v);
  double *blocks[] = {L_qq, L_qv, L_vv, F_q, F_v};
  for (size_t i = 0; i < 5; i++) memcpy(blocks[i], out + i * square, square * sizeof *out);
  return QDOT_OK;
}

static Status prepare_implicit(void *user) {
  Machine *m = user;
  machine_need(m, PART_TERMS);
  machine_need(m, PART_TANGENT);
  return QDOT_OK;
}

static bool is_constant(const Context *cx, Expr e, uint32_t kinds) {
  return !expr_has_kind(cx, e, kinds);
}

static bool has_constant_mass(const Machine *m) {
  const System *s = m->system;
  if (!s->M) return false;
  for (uint32_t i = 0; i < s->n * s->n; i++)
    if (!is_constant(m->cx, s->M[i], KIND_BIT(SYMBOL_TIME) | KIND_BIT(SYMBOL_COORDINATE)))
      return false;
  return true;
}

void machine_fill_problem(Machine *m) {
  const Equations *e = m->set->equations;
  m->problem = (Problem){.user = m,
                         .n = m->n,
                         .m = (int)e->m,
                         .holonomic = (int)e->holonomic,
                         .quadratures = POWER_KINDS,
                         .kind = m->kind,
                         .kinds = m->kinds,
                         .scale = m->kind_scale,
                         .constant_mass = has_constant_mass(m),
                         .forward = e->has_forward ? run_forward : NULL,
                         .met_dead = e->has_forward ? &m->met_dead : NULL,
                         .terms = run_terms,
                         .geometry = run_geometry,
                         .position = run_position,
                         .position_size = run_position_size,
                         .velocity = run_velocity,
                         .rates = run_rates,
                         .tangent = run_tangent,
                         .prepare_implicit = prepare_implicit,
                         .gradient = run_gradient,
                         .hessian = run_hessian};
  if (e->m == 0 && e->has_forward) m->problem.derivative = run_derivative;
  if (e->m > 0 && e->has_forward) {
    m->problem.project_position = run_project_position;
    m->problem.project_velocity = run_project_velocity;
  }
}
