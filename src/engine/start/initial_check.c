// What an initial state must allow: bodies where they are said to be, masses that are positive,
// constraints that determine the motion.
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"
#include "engine/machine.h"
#include "engine/plan_start.h"
#include "engine/start/initial.h"
#include "solve/algebra/dense.h"
#include "solve/project.h"

// Beyond this size M is not written out for a check alone.
enum { LARGE = 80 };
// Of its size, and in rad: how far from where it is said to be a body may be held.
static const double ELSEWHERE = 1e-6;

static Status no_mass(Machine *m, int i) {
  Status status = diag_error(m->cx, QDOT_SINGULAR_MASS, m->plan->coordinates[i].span,
                             "the mass matrix is not positive definite at coordinate '%s'",
                             machine_coordinate_name(m, i));
  diag_note(m->cx,
            "every coordinate needs a positive mass in the kinetic energy, a constraint that "
            "ties it to others that have one, or linear damping instead of a mass");
  return status;
}

// ---- Places

// Values of a tape with parameters as they are and coordinates q; inputs and time are 0.
static double *tape_at(Machine *m, const Tape *tape, const double *q) {
  const PlanVariables *at = &m->plan->variables;
  Arena *scratch = &m->cx->scratch;
  double *values = arena_array(scratch, double, at->count);
  double *room = arena_array(scratch, double, tape_values_room(tape));
  double *out = arena_array(scratch, double, tape->root_count);
  for (uint32_t i = 0; i < m->plan->parameter_count; i++)
    values[at->parameters[i]] = m->values[at->parameters[i]];
  for (int i = 0; i < m->n; i++) values[at->q[i]] = q[i];
  tape_values(tape, values, room, out);
  return out;
}

// Guesses that are far off may end in either of two images. axes: the rows of a matrix, whose
// determinant is then negative.
static Status check_hand(Machine *m, const PlanSolid *solid, const double *axes) {
  const double(*a)[3] = (const double(*)[3])axes;
  double volume = 0;
  for (int i = 0; i < 3; i++)
    volume +=
        a[0][i] * (a[1][(i + 1) % 3] * a[2][(i + 2) % 3] - a[1][(i + 2) % 3] * a[2][(i + 1) % 3]);
  if (!(volume < 0)) return QDOT_OK;
  Status status = diag_error(m->cx, QDOT_INCONSISTENT, solid->span,
                             "solid '%s' was assembled as its own mirror image", solid->name);
  diag_note(m->cx, "start its points and vectors nearer to where they belong");
  return status;
}

static Status check_solids(Machine *m, const double *q) {
  const PlanPlaces *places = m->plan->places;
  const double *axes = places->solid_count > 0 ? tape_at(m, places->axes, q) : NULL;
  for (uint32_t i = 0; i < places->solid_count; i++) {
    Status status = check_hand(m, &places->solids[i], axes + (size_t)9 * i);
    if (status != QDOT_OK) return status;
  }
  return QDOT_OK;
}

static Status held_elsewhere(Machine *m, const PlanBody *body, int k, double off) {
  Status status = k == 2
                      ? diag_error(m->cx, QDOT_INCONSISTENT, body->start[k].span,
                                   "the joints hold body '%s' %.4g deg from the angle given to it",
                                   body->name, off * 57.29577951308232)
                      : diag_error(m->cx, QDOT_INCONSISTENT, body->start[k].span,
                                   "the joints hold body '%s' %.4g mm from the place given to it",
                                   body->name, 1e3 * off);
  diag_note(m->cx, "a value after '=' is kept; without '=' it is a guess that joints may change");
  return status;
}

// A body's x, y and angle in `pose`; `size` is that of x and y.
static Status check_body(Machine *m, const PlanBody *body, const double *pose, double size) {
  double off[3] = {0};
  for (int k = 0; k < 3; k++)
    if (body->start[k].is_given) off[k] = fabs(pose[k] - machine_number(m, &body->start[k].value));
  double apart = sqrt(off[0] * off[0] + off[1] * off[1]);
  if (apart != 0 && apart > ELSEWHERE * size)
    return held_elsewhere(m, body, off[0] > 0 ? 0 : 1, apart);
  return off[2] > ELSEWHERE ? held_elsewhere(m, body, 2, off[2]) : QDOT_OK;
}

Status initial_check_places(Machine *m, const double *q) {
  const PlanPlaces *places = m->plan->places;
  Status status = check_solids(m, q);
  if (places->body_count == 0) return status;
  const double *poses = tape_at(m, places->poses, q);
  double *size = arena_array(&m->cx->scratch, double, places->poses->root_count);
  machine_tape_sizes(m, places->poses, 0, q, NULL, size);
  for (uint32_t i = 0; i < places->body_count && status == QDOT_OK; i++)
    status = check_body(m, &places->bodies[i], poses + (size_t)3 * i,
                        fmax(size[3 * i], size[3 * i + 1]));
  return status;
}

// ---- Masses

Status initial_check_mass(Machine *m, const double *q) {
  const Problem *p = &m->problem;
  int n = m->n;
  if (n > LARGE && p->m == 0) return QDOT_OK;
  machine_need(m, PART_GEOMETRY);
  double *M = arena_array(&m->cx->scratch, double, (size_t)n *(size_t)n);
  double *Phi_q = arena_array(&m->cx->scratch, double, (size_t)p->m *(size_t)n);
  Status status = p->geometry(p->user, 0, q, M, Phi_q);
  if (status != QDOT_OK) return status;
  Kkt kkt;
  problem_kkt_open(p, &kkt, &m->cx->scratch, false);
  status = kkt_factor(&kkt, M, Phi_q, p->m);
  if (status == QDOT_UNDEFINED)
    return diag_error_plain(m->cx, QDOT_UNDEFINED,
                            "the equations of motion have no finite value at the initial state");
  if (status != QDOT_SINGULAR_MASS) return status;
  int bad = dense_cholesky(n, M, 1e-13);
  return no_mass(m, bad < 0 ? 0 : bad);
}

// Rows that add nothing to those before them, by Gram and Schmidt on the scaled rows of B.
static const char *redundant_rows(Machine *m, Kkt *kkt) {
  Text names = text_new(&m->cx->keep);
  int n = m->n, count = 0, basis_size = 0;
  double *basis = arena_array(&m->cx->scratch, double, (size_t)kkt->rows *(size_t)n);
  for (int r = 0; r < kkt->rows; r++) {
    double *v = basis + (size_t)basis_size * (size_t)n;
    memcpy(v, kkt->B + (size_t)r * (size_t)n, (size_t)n * sizeof *v);
    for (int twice = 0; twice < 2; twice++)
      for (int k = 0; k < basis_size; k++) {
        const double *u = basis + (size_t)k * (size_t)n;
        dense_add(n, -dense_dot(n, u, v), u, v);
      }
    double size = dense_norm(n, v);
    if (size < 1e-6) {
      text_addf(&names, "%s%s", count++ ? ", " : "", machine_row_name(m, r));
      continue;
    }
    for (int i = 0; i < n; i++) v[i] /= size;
    basis_size++;
  }
  return count > 0 ? names.at : NULL;
}

// The rank of the constraints a little further along some direction that they allow at q.
static int rank_nearby(Machine *m, Kkt *kkt, const double *q, double *M, double *Phi_q) {
  const Problem *p = &m->problem;
  int n = m->n, rank = 0;
  Arena *scratch = &m->cx->scratch;
  double *dq = arena_array(scratch, double, n), *back = arena_array(scratch, double, n);
  double *c = arena_array(scratch, double, p->m),
         *moved = arena_array(scratch, double, 2 * n + m->states);
  Dynamics dynamics;
  Projector projector;
  dynamics_open(&dynamics, scratch, p);
  projector_open(&projector, scratch, &dynamics);
  uint64_t noise = 7;
  for (int attempt = 0; attempt < 6; attempt++) {
    p->geometry(p->user, 0, q, M, Phi_q);
    if (kkt_factor(kkt, M, Phi_q, p->m) != QDOT_OK) return rank;
    for (int i = 0; i < n; i++) {
      double size = machine_coordinate_size(m, i);
      dq[i] = 1e-2 * (size > 0 ? size : 1) * random_signed(&noise);
    }
    dense_multiply(p->m, n, Phi_q, dq, c);
    kkt_correction(kkt, c, back);
    for (int i = 0; i < n; i++) moved[i] = q[i] + dq[i] - back[i];
    memset(moved + n, 0, (size_t)n * sizeof *moved);
    machine_start_states(m, moved + 2 * n);
    if (project_state(&projector, 0, moved, moved + n) != QDOT_OK) continue;
    p->geometry(p->user, 0, moved, M, Phi_q);
    if (kkt_factor(kkt, M, Phi_q, p->m) == QDOT_OK && kkt->rank > rank) rank = kkt->rank;
  }
  return rank;
}

// Fewer independent constraints than rows: some are redundant, or this is a dead position, where
// the rank is higher all around.
Status initial_check_rank(Machine *m, const double *q, const double *qd, SimSummary *summary) {
  const Problem *p = &m->problem;
  summary->freedom = (uint32_t)m->n;
  machine_know_redundant(m, false);
  if (p->m == 0) return QDOT_OK;
  size_t n = (size_t)m->n;
  double *M = arena_array(&m->cx->scratch, double, n *n);
  double *Phi_q = arena_array(&m->cx->scratch, double, (size_t)p->m *n);
  Kkt kkt;
  problem_kkt_open(p, &kkt, &m->cx->scratch, false);
  Status status = p->geometry(p->user, 0, q, M, Phi_q);
  if (status == QDOT_OK) status = kkt_factor(&kkt, M, Phi_q, p->m);
  summary->freedom = (uint32_t)(m->n - kkt.rank);
  if (status != QDOT_OK || kkt.rank == p->m) return status;
  int rank = kkt.rank;
  const char *redundant = redundant_rows(m, &kkt);
  int nearby = rank_nearby(m, &kkt, q, M, Phi_q);
  if (nearby <= rank) {
    summary->redundant = redundant;
    machine_know_redundant(m, true);
    return QDOT_OK;
  }
  // which way it continues is decided by the velocities, if there are any
  if (dense_norm(m->n, qd) > 0) return QDOT_OK;
  status = diag_error_plain(m->cx, QDOT_INCONSISTENT,
                            "the mechanism starts at rest in a dead position: its motion is not "
                            "determined");
  diag_note(m->cx,
            "%d of its %d constraints are independent here, %d a little further on; start "
            "elsewhere, or with a velocity that says which way to go",
            rank, p->m, nearby);
  return status;
}
