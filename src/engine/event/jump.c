// Velocities that jump, by the balance of momentum:
// M dq' + Phi_q^T P = p(before) - p(after) and Phi_q dq' = -dPhi/dt, p = dT/dq'.
#include "engine/event/jump.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"

// Of the terms that a difference is made of; and of the rate with which it grows, by rounding of
// the time at which it is taken.
static const double SAME = 1e-10, SAME_TIME = 1e-12;

JumpSide jump_side(Arena *arena, Machine *m, double t, const double *q, const double *qd) {
  size_t n = (size_t)m->n, places = (size_t)(m->rows + m->contacts);
  JumpSide side = {arena_array(arena, double, places), arena_array(arena, double, places),
                   arena_array(arena, double, n), arena_array(arena, double, n),
                   arena_array(arena, bool, places)};
  for (int r = 0; r < m->problem.m; r++) side.is_there[machine_place(m, r)] = true;
  if (m->problem.m > 0) {
    machine_need(m, PART_POSITION);
    machine_need(m, PART_VELOCITY);
    const double *Phi = machine_run_position(m, t, q, NULL).Phi;
    for (int r = 0; r < m->problem.holonomic; r++) side.Phi[machine_place(m, r)] = Phi[r];
    const double *Phi_dot = machine_run_velocity(m, t, q, qd).Phi_dot;
    for (int r = 0; r < m->problem.m; r++) side.Phi_dot[machine_place(m, r)] = Phi_dot[r];
  }
  if (m->plan->traits.kinetic_has_time) {
    machine_need(m, PART_GRADIENT);
    memcpy(side.momentum, machine_run_gradient(m, t, q, qd).L_v, n * sizeof *q);
    machine_need(m, PART_TERMS);
    memcpy(side.force, machine_run_terms(m, t, q, qd).f, n * sizeof *q);
  }
  return side;
}

static bool differ(double a, double b, double size, double rate, double t) {
  double most = fmax(fabs(a), fabs(b));
  return fabs(a - b) > SAME * fmax(size, most) + SAME_TIME * fabs(t) * fabs(rate) + DBL_MIN;
}

// What momenta are the sum of: by the velocities and by what moves by itself, which may cancel each
// other; scratch memory.
static double *momentum_sizes(Machine *m, double t, const double *q, const double *qd,
                              const JumpSide *side) {
  size_t n = (size_t)m->n;
  double *size = arena_array(&m->cx->scratch, double, n);
  machine_need(m, PART_GEOMETRY);
  const double *M = machine_run_geometry(m, t, q, NULL).M;
  for (size_t i = 0; i < n; i++) {
    double by_itself = side->momentum[i];
    for (size_t j = 0; j < n; j++) {
      size[i] += fabs(M[i * n + j] * qd[j]);
      by_itself -= M[i * n + j] * qd[j];
    }
    size[i] += fabs(by_itself);
  }
  return size;
}

JumpKind jump_between(Machine *m, double t, const double *q, const double *qd,
                      const JumpSide *before, const JumpSide *after, uint32_t *who) {
  int n = m->n;
  JumpKind kind = JUMP_NONE;
  if (m->problem.m > 0) machine_need(m, PART_TERMS);
  TermsBlocks terms = {0};
  if (m->problem.m > 0) terms = machine_run_terms(m, t, q, qd);
  for (int r = 0; r < m->problem.m; r++) {
    int place = machine_place(m, r);
    if (!before->is_there[place]) continue; // a contact that has just closed
    double reach = 0, speed = 0, gamma = terms.gamma[r];
    const double *row = terms.Phi_q + (size_t)r * n;
    for (int j = 0; j < n; j++) {
      reach += fabs(row[j] * q[j]);
      speed += fabs(row[j] * qd[j]);
    }
    double rate = fmax(speed, fabs(after->Phi_dot[place]));
    bool jumps = differ(before->Phi_dot[place], after->Phi_dot[place], speed, gamma, t);
    bool leaps = differ(before->Phi[place], after->Phi[place], reach, rate, t);
    bool opens = place >= m->rows && after->Phi[place] < before->Phi[place];
    if (!jumps && !leaps) continue;
    if (leaps && !opens) *who = (uint32_t)place;
    if (leaps && !opens) return JUMP_PLACE;
    if (place < m->rows && kind != JUMP_SPEED) *who = (uint32_t)place;
    if (kind != JUMP_SPEED) kind = place < m->rows ? JUMP_SPEED : JUMP_SURFACE;
  }
  const double *size = m->plan->traits.kinetic_has_time ? momentum_sizes(m, t, q, qd, after) : NULL;
  for (int i = 0; size && i < n && kind != JUMP_SPEED; i++) {
    double rate = size[i] + fmax(fabs(before->force[i]), fabs(after->force[i]));
    if (!differ(before->momentum[i], after->momentum[i], size[i], rate, t)) continue;
    *who = (uint32_t)(m->rows + i);
    kind = JUMP_SPEED;
  }
  return kind;
}

Status jump_velocities(Machine *m, double t, const double *q, double *qd, const JumpSide *before,
                       const JumpSide *after) {
  const Problem *p = &m->problem;
  size_t n = (size_t)m->n, rows = (size_t)p->m;
  Mark mark = arena_mark(&m->cx->scratch);
  Arena *scratch = &m->cx->scratch;
  double *M = arena_array(scratch, double, n *n), *Phi_q = arena_array(scratch, double, rows *n);
  double *impulse = arena_array(scratch, double, n), *change = arena_array(scratch, double, n);
  double *missing = arena_array(scratch, double, rows), *P = arena_array(scratch, double, rows);
  Kkt kkt;
  kkt_open(&kkt, scratch, m->n, p->m, false);
  machine_known_scale(m, kkt.scale);
  machine_need(m, PART_GEOMETRY);
  Status status = p->geometry(p->user, t, q, M, Phi_q);
  if (status == QDOT_OK) status = kkt_factor(&kkt, M, Phi_q, p->m);
  for (size_t i = 0; i < n; i++) impulse[i] = before->momentum[i] - after->momentum[i];
  for (int r = 0; r < p->m; r++) missing[r] = -after->Phi_dot[machine_place(m, r)];
  if (status == QDOT_OK) {
    kkt_solve(&kkt, Phi_q, impulse, missing, change, P);
    dense_add(m->n, 1, change, qd);
  }
  arena_release(scratch, mark);
  return status;
}
