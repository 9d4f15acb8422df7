// The Problem of a machine: callbacks that run its programs.
#include <math.h>
#include <string.h>

#include "engine/machine.h"
#include "engine/press_impulses.h"
#include "solve/algebra/dense.h"
#include "solve/dead_position.h"

// Infinite where a pivot vanished, not a number where anything was undefined.
static Status failure_of(double loss, bool constrained) {
  if (constrained) return QDOT_SINGULAR;
  return isnan(loss) ? QDOT_UNDEFINED : QDOT_SINGULAR_MASS;
}

// Learns the smallest inverse pivots; true when none of those of now is near a dead position.
static bool learn_slack(Machine *m, const double *slack, size_t stride) {
  const uint32_t *place = m->set->equations->lambda;
  bool is_far = true;
  for (int r = 0; r < m->problem.m; r++) {
    double inverse = fabs(slack[(size_t)r * stride]), smallest = m->slack[place[r]];
    if (smallest == 0 || inverse < smallest) m->slack[place[r]] = smallest = inverse;
    is_far &= inverse < DEAD_NEAR * smallest;
  }
  return is_far;
}

static bool is_trusted_near(Machine *m, const double *slack, size_t stride) {
  const uint32_t *place = m->set->equations->lambda;
  bool good = true;
  for (int r = 0; r < m->problem.m; r++) {
    double inverse = fabs(slack[(size_t)r * stride]), smallest = m->slack[place[r]];
    good &= inverse < ELIMINATION_MOST_LOSS * smallest;
    m->met_dead |= inverse > DEAD_NEAR * smallest;
    // those of more contacts than needed are rounding
    bool is_constraint = (int)place[r] < m->rows;
    if (is_constraint && inverse > m->nearest_dead * smallest) m->nearest_dead = inverse / smallest;
  }
  return good;
}

// Each inverse pivot of a constraint is measured by the smallest that it has had: where a row
// vanishes, nothing is lost, and yet what is divided by is next to nothing.
bool machine_trusts(Machine *m, double loss, const double *slack, size_t stride) {
  if (m->is_redundant) return false;
  bool good = learn_slack(m, slack, stride) || is_trusted_near(m, slack, stride);
  return good && loss < ELIMINATION_MOST_LOSS;
}

static bool is_trusted(Machine *m, double loss, const double *slack) {
  return machine_trusts(m, loss, slack, 1);
}

static Status run_forward(void *user, double t, const double *q, const double *qd, double *qdd,
                          double *lambda, double *rates) {
  Machine *m = user;
  size_t n = (size_t)m->n, rows = (size_t)m->problem.m;
  ForwardBlocks at = machine_run_forward(m, t, q, qd);
  if (!is_trusted(m, *at.loss, at.slack)) return failure_of(*at.loss, rows > 0);
  memcpy(qdd, at.qdd, n * sizeof *qdd);
  memcpy(lambda, at.lambda, rows * sizeof *lambda);
  memcpy(rates, at.rates, ((size_t)m->states + POWER_KINDS) * sizeof *rates);
  return QDOT_OK;
}

static Status run_derivative(void *user, double t, const double *y, double *k) {
  Machine *m = user;
  MachineSet *set = m->set;
  const InputLayout *at = &set->equations->layout;
  int n = m->n, acting = 2 * n + m->states;
  m->in[at->t] = t;
  dense_copy(acting, y, m->in + at->q); // velocities and states follow positions there, too
  dense_copy(n, y + n, k);
  machine_evaluate(m, PART_FORWARD, k + n);
  double loss = *forward_blocks(&set->equations->extents, k + n).loss;
  return loss < ELIMINATION_MOST_LOSS ? QDOT_OK : failure_of(loss, false);
}

bool machine_is_plain(const Machine *m) {
  return m->problem.derivative == run_derivative || m->problem.forward == run_forward;
}

bool machine_keeps_energy(const Machine *m) {
  const Equations *e = m->set->equations;
  const Program *p = e->parts[PART_FORWARD].program;
  uint32_t first = e->n + e->m + e->states;
  for (uint32_t i = first; p && i < first + POWER_KINDS; i++)
    if (p->outputs[i] >= p->constant_count || p->constants[p->outputs[i]] != 0) return false;
  return p != NULL;
}

static Status run_terms(void *user, double t, const double *q, const double *qd, double *M,
                        double *f, double *Phi_q, double *gamma) {
  Machine *m = user;
  size_t n = (size_t)m->n, rows = (size_t)m->problem.m;
  TermsBlocks at = machine_run_terms(m, t, q, qd);
  memcpy(M, at.M, n * n * sizeof *M);
  memcpy(f, at.f, n * sizeof *f);
  memcpy(Phi_q, at.Phi_q, rows * n * sizeof *Phi_q);
  memcpy(gamma, at.gamma, rows * sizeof *gamma);
  return QDOT_OK;
}

static Status run_geometry(void *user, double t, const double *q, double *M, double *Phi_q) {
  Machine *m = user;
  size_t n = (size_t)m->n;
  GeometryBlocks at = machine_run_geometry(m, t, q, NULL);
  memcpy(M, at.M, n * n * sizeof *M);
  memcpy(Phi_q, at.Phi_q, (size_t)m->problem.m * n * sizeof *Phi_q);
  return QDOT_OK;
}

static Status run_position(void *user, double t, const double *q, double *Phi) {
  Machine *m = user;
  PositionBlocks at = machine_run_position(m, t, q, NULL);
  memcpy(Phi, at.Phi, (size_t)m->problem.holonomic * sizeof *Phi);
  return QDOT_OK;
}

static Status run_position_size(void *user, double t, const double *q, double *size) {
  machine_row_sizes(user, t, q, size);
  return QDOT_OK;
}

static Status run_velocity(void *user, double t, const double *q, const double *qd,
                           double *Phi_dot) {
  Machine *m = user;
  VelocityBlocks at = machine_run_velocity(m, t, q, qd);
  memcpy(Phi_dot, at.Phi_dot, (size_t)m->problem.m * sizeof *Phi_dot);
  return QDOT_OK;
}

static Status run_project_position(void *user, double t, const double *q, double *dq, double *Phi) {
  Machine *m = user;
  ProjectPositionBlocks at = machine_run_project_position(m, t, q, NULL);
  if (!is_trusted(m, *at.loss, at.slack)) return QDOT_SINGULAR;
  memcpy(dq, at.dq, (size_t)m->n * sizeof *dq);
  memcpy(Phi, at.Phi, (size_t)m->problem.holonomic * sizeof *Phi);
  return QDOT_OK;
}

static double run_dead_depth(void *user, double t, const double *q) {
  Machine *m = user;
  const uint32_t *place = m->set->equations->lambda;
  const double *slack = machine_run_project_position(m, t, q, NULL).slack;
  double deepest = 0;
  for (int r = 0; r < m->problem.m; r++) {
    double inverse = fabs(slack[r]), smallest = m->slack[place[r]];
    if (inverse > deepest * smallest) deepest = inverse / smallest;
  }
  return deepest;
}

static Status run_project_velocity(void *user, double t, const double *q, const double *qd,
                                   double *dqd, double *norm) {
  Machine *m = user;
  int rows = m->problem.m;
  ProjectVelocityBlocks at = machine_run_project_velocity(m, t, q, qd);
  if (!is_trusted(m, *at.loss, at.slack)) return QDOT_SINGULAR;
  memcpy(dqd, at.dqd, (size_t)m->n * sizeof *dqd);
  for (int r = 0; r < rows; r++) norm[r] = at.squares[r] > 0 ? sqrt(at.squares[r]) : 0;
  return QDOT_OK;
}

static Status run_rates(void *user, double t, const double *q, const double *qd,
                        const double *lambda, double *rates) {
  Machine *m = user;
  machine_give(m, NULL, lambda);
  memcpy(rates, machine_run_power(m, t, q, qd).rates,
         ((size_t)m->states + POWER_KINDS) * sizeof *rates);
  return QDOT_OK;
}

static Status run_tangent(void *user, double t, const double *q, const double *qd,
                          const double *qdd, const double *lambda, double *K, double *C) {
  Machine *m = user;
  size_t square = (size_t)m->n * (size_t)m->n;
  machine_give(m, qdd, lambda);
  TangentBlocks at = machine_run_tangent(m, t, q, qd);
  memcpy(K, at.K, square * sizeof *K);
  memcpy(C, at.C, square * sizeof *C);
  return QDOT_OK;
}

static Status run_state_tangent(void *user, double t, const double *q, const double *qd,
                                double *r_s, double *s_q, double *s_qd, double *s_s) {
  Machine *m = user;
  size_t states = (size_t)m->states, block = (size_t)m->n * states;
  StateTangentBlocks at = machine_run_state_tangent(m, t, q, qd);
  memcpy(r_s, at.r_s, block * sizeof *r_s);
  memcpy(s_q, at.s_q, block * sizeof *s_q);
  memcpy(s_qd, at.s_qd, block * sizeof *s_qd);
  memcpy(s_s, at.s_s, states * states * sizeof *s_s);
  return QDOT_OK;
}

static Status run_gradient(void *user, double t, const double *q, const double *v, double *L_q,
                           double *L_v, double *F) {
  Machine *m = user;
  size_t n = (size_t)m->n;
  GradientBlocks at = machine_run_gradient(m, t, q, v);
  memcpy(L_q, at.L_q, n * sizeof *q);
  memcpy(L_v, at.L_v, n * sizeof *q);
  memcpy(F, at.F, n * sizeof *q);
  return QDOT_OK;
}

static Status run_hessian(void *user, double t, const double *q, const double *v, double *L_qq,
                          double *L_qv, double *L_vv, double *F_q, double *F_v) {
  Machine *m = user;
  size_t bytes = (size_t)m->n * (size_t)m->n * sizeof *q;
  HessianBlocks at = machine_run_hessian(m, t, q, v);
  memcpy(L_qq, at.L_qq, bytes);
  memcpy(L_qv, at.L_qv, bytes);
  memcpy(L_vv, at.L_vv, bytes);
  memcpy(F_q, at.F_q, bytes);
  memcpy(F_v, at.F_v, bytes);
  return QDOT_OK;
}

static Status prepare_implicit(void *user) {
  Machine *m = user;
  machine_need(m, PART_TERMS);
  machine_need(m, PART_TANGENT);
  if (m->states > 0) machine_need(m, PART_STATE_TANGENT);
  return QDOT_OK;
}

static Status run_gaps(void *user, double t, const double *q, const double *qd, const double **phi,
                       const double **rate) {
  ContactsBlocks at = machine_run_contacts(user, t, q, qd);
  *phi = at.phi, *rate = at.phi_dot;
  return QDOT_OK;
}

static Status run_contact_rows(void *user, double t, const double *q, const double *qd,
                               ContactRows *out) {
  Machine *m = user;
  TouchesBlocks at = machine_run_touches(m, t, q, qd);
  *out = m->contact_rows;
  out->value = at.pressing, out->slip_value = at.rubbing, out->v = at.v;
  return QDOT_OK;
}

static Status run_joint_rows(void *user, double t, const double *q, const double *qd,
                             const double **v, const double **v_q) {
  Machine *m = user;
  press_impulses_read(m->joints, t, q, qd);
  *v = m->joints->v, *v_q = m->joints->v_q;
  return QDOT_OK;
}

static Status run_joint_presses(void *user, double t, const double *q, const double *qd,
                                const double *qdd, const double *lambda, const double *pressed,
                                const double *rubbed, const double **out) {
  Machine *m = user;
  double *all = m->joints->lambda;
  memset(all, 0, (size_t)m->rows * sizeof *all);
  for (int r = 0; r < m->problem.m; r++) all[machine_place(m, r)] = lambda[r];
  if (m->contacts > 0) memcpy(all + m->rows, pressed, (size_t)m->contacts * sizeof *all);
  Impulses by = {qdd, all, m->rubs ? rubbed : NULL, rubbed + m->contacts};
  *out = press_impulses_find(m->joints, t, q, qd, &by);
  return QDOT_OK;
}

static double run_energy(void *user, double t, const double *q, const double *qd) {
  return *machine_run_energy(user, t, q, qd).total;
}

void machine_know_redundant(Machine *m, bool is_redundant) {
  if (m->is_redundant == is_redundant) return;
  m->is_redundant = is_redundant;
  machine_fill_problem(m);
}

void machine_fill_problem(Machine *m) {
  const Equations *e = m->set->equations;
  bool has_fast = e->has_forward && !m->is_redundant;
  m->problem = (Problem){.user = m,
                         .n = m->n,
                         .m = (int)e->m,
                         .holonomic = (int)e->holonomic,
                         .states = m->states,
                         .quadratures = POWER_KINDS,
                         .kind = m->kind,
                         .kinds = m->kinds,
                         .scale = m->kind_scale,
                         .state_scale = m->state_scale,
                         .constant_mass = e->has_constant_mass,
                         .begins_rough = e->switch_count > 0 && e->has_roots,
                         .forward = has_fast ? run_forward : NULL,
                         .met_dead = e->has_forward ? &m->met_dead : NULL,
                         .nearest_dead = &m->nearest_dead,
                         .dead_depth = has_fast && e->m > 0 ? run_dead_depth : NULL,
                         .terms = run_terms,
                         .geometry = run_geometry,
                         .position = run_position,
                         .position_size = run_position_size,
                         .velocity = run_velocity,
                         .rates = run_rates,
                         .tangent = run_tangent,
                         .state_tangent = run_state_tangent,
                         .prepare_implicit = prepare_implicit,
                         .gradient = run_gradient,
                         .hessian = run_hessian};
  if (m->restitution) {
    m->problem.contacts = m->contacts;
    m->problem.restitution = m->restitution, m->problem.friction = m->friction;
    m->problem.gaps = run_gaps;
    m->problem.contact_rows = run_contact_rows;
    m->problem.energy = run_energy;
  }
  if (m->joints && m->joints->rubs) {
    m->problem.joints = m->joints->count;
    m->problem.grip = m->joints->grip;
    m->problem.joint_rows = run_joint_rows;
    m->problem.joint_presses = run_joint_presses;
    m->problem.energy = run_energy;
  }
  if (e->m == 0 && e->has_forward) m->problem.derivative = run_derivative;
  if (e->m > 0 && has_fast) {
    m->problem.project_position = run_project_position;
    m->problem.project_velocity = run_project_velocity;
  }
}
