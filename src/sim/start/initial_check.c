// What an initial state must allow: bodies where they are said to be, masses that are positive,
// constraints that determine the motion.
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"
#include "expr/value/eval.h"
#include "sim/machine_source.h"
#include "sim/start/initial.h"
#include "solve/algebra/dense.h"
#include "solve/project.h"

// Beyond this size M is not written out for a check alone.
enum { LARGE = 80 };

static Status no_mass(Machine *m, int i) {
  const Coordinate *c = &m->system->model->coordinates.at[i];
  Status status = diag_error(m->cx, QDOT_SINGULAR_MASS, c->span,
                             "the mass matrix is not positive definite at coordinate '%s'",
                             machine_coordinate_name(m, i));
  diag_note(m->cx,
            "every coordinate needs a positive mass in the kinetic energy, a constraint that "
            "ties it to others that have one, or linear damping instead of a mass");
  return status;
}

// ---- Places

static Status held_elsewhere(Machine *m, const Body *body, int k, double off) {
  const char *name = symbol_text(m->cx, body->name);
  Status status = k == 2
                      ? diag_error(m->cx, QDOT_INCONSISTENT, body->start[k].span,
                                   "the joints hold body '%s' %.4g deg from the angle given to it",
                                   name, off * 57.29577951308232)
                      : diag_error(m->cx, QDOT_INCONSISTENT, body->start[k].span,
                                   "the joints hold body '%s' %.4g mm from the place given to it",
                                   name, 1e3 * off);
  diag_note(m->cx, "a value after '=' is kept; without '=' it is a guess that joints may change");
  return status;
}

static double *values_at(Machine *m, const double *q) {
  Context *cx = m->cx;
  const Model *model = m->system->model;
  double *values = arena_array(&cx->scratch, double, cx->exprs->symbols.n);
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    uint32_t at = symbol_variable(cx, model->parameters.at[i].symbol);
    values[at] = m->values[at];
  }
  for (int i = 0; i < m->n; i++) values[symbol_variable(cx, model->coordinates.at[i].q)] = q[i];
  return values;
}

// Guesses that are far off may end in either of two images.
static Status check_hand(Machine *m, const Solid *solid, const double *values) {
  double a[3][3], volume = 0;
  expr_eval_many(m->cx, &solid->axes[0][0], 9, values, &a[0][0]);
  for (int i = 0; i < 3; i++)
    volume +=
        a[0][i] * (a[1][(i + 1) % 3] * a[2][(i + 2) % 3] - a[1][(i + 2) % 3] * a[2][(i + 1) % 3]);
  if (!(volume < 0)) return QDOT_OK;
  Status status = diag_error(m->cx, QDOT_INCONSISTENT, solid->span,
                             "solid '%s' was assembled as its own mirror image",
                             symbol_text(m->cx, solid->name));
  diag_note(m->cx, "start its points and vectors nearer to where they belong");
  return status;
}

static Status check_solids(Machine *m, const double *q) {
  const Space *space = &m->system->model->space;
  const double *values = space->solids.n ? values_at(m, q) : NULL;
  for (uint32_t i = 0; i < space->solids.n; i++) {
    Status status = check_hand(m, &space->solids.at[i], values);
    if (status != QDOT_OK) return status;
  }
  return QDOT_OK;
}

Status initial_check_places(Machine *m, const double *q) {
  const Model *model = m->system->model;
  Status status = check_solids(m, q);
  if (status != QDOT_OK || !model->origin || !model->poses) return status;
  Context *cx = m->cx;
  double *values = values_at(m, q);
  for (uint32_t i = 0; i < model->origin->mechanism.bodies.n; i++) {
    const Body *body = &model->origin->mechanism.bodies.at[i];
    double off[3] = {0}, size[3];
    for (int k = 0; k < 3; k++) {
      if (body->start[k].kind != INITIAL_GIVEN) continue;
      double given = machine_value(m, body->start[k].value);
      off[k] = fabs(expr_eval(cx, model->poses[3 * i + k], values) - given);
    }
    double apart = hypot(off[0], off[1]);
    if (apart != 0) machine_sizes_of(m, model->poses + (size_t)3 * i, 3, 0, q, NULL, size);
    if (apart != 0 && apart > 1e-6 * fmax(size[0], size[1]))
      return held_elsewhere(m, body, off[0] > 0 ? 0 : 1, apart);
    if (off[2] > 1e-6) return held_elsewhere(m, body, 2, off[2]);
  }
  return QDOT_OK;
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
