// Back onto the constraints by the least mass-weighted change.
#include "solve/project.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"

enum { MOST_ROUNDS = 12 };
// Residuals by the sizes of their rows: what rounding leaves, and below what it may be left at that
// when no further round improves it.
static const double ROUNDED = 4 * DBL_EPSILON, STALLED = 1e-12;
// A drive that passes a dead position stands still there itself, up to the width of what is cut.
static const double FOLLOWED = 1e-2;

void projector_open(Projector *projector, Arena *arena, Dynamics *dynamics) {
  const Problem *p = dynamics->problem;
  size_t n = (size_t)p->n, m = (size_t)p->m;
  *projector = (Projector){.dynamics = dynamics};
  size_t states = (size_t)p->states;
  projector->dq = arena_array(arena, double, n + states);
  projector->kept = arena_array(arena, double, 2 * n + states);
  projector->norm = arena_array(arena, double, m);
  projector->size = arena_array(arena, double, m);
  projector->removed = arena_array(arena, double, m);
  projector->driven = arena_array(arena, double, m);
  if (p->holonomic < p->m) problem_kkt_open(p, &projector->positions, arena, p->constant_mass);
  projector->of_positions.columns = arena_array(arena, int, n);
  projector->of_velocities.columns = arena_array(arena, int, n);
  projector->allowed = arena_array(arena, bool, n);
  projector->block = arena_array(arena, double, m > n ? m * m : m * n);
}

// The size of a row by its slopes, where the problem does not tell it.
static Status sizes_by_slopes(Projector *projector, double t, const double *q, double *size) {
  Dynamics *d = projector->dynamics;
  const Problem *p = d->problem;
  Status status = p->geometry(p->user, t, q, d->M, d->Phi_q);
  for (int r = 0; r < p->holonomic; r++) {
    size[r] = 0;
    for (int i = 0; i < p->n; i++) size[r] += fabs(d->Phi_q[(size_t)r * p->n + i] * q[i]);
  }
  return status;
}

double projector_share(const Projector *projector, const double *residual) {
  double worst = 0;
  for (int r = 0; r < projector->dynamics->problem->holonomic; r++) {
    double share = fabs(residual[r]);
    if (share > 0) share /= projector->size[r];
    if (!(share <= worst)) worst = share;
  }
  return worst;
}

// The residuals by the sizes that their rows have had; these are looked at anew only where a
// residual seems to be more than rounding.
static double misfit(Projector *projector, double t, const double *q, const double *residual) {
  const Problem *p = projector->dynamics->problem;
  double worst = projector_share(projector, residual), *now = projector->norm;
  if (worst <= ROUNDED) return worst;
  Status status = p->position_size ? p->position_size(p->user, t, q, now)
                                   : sizes_by_slopes(projector, t, q, now);
  if (status != QDOT_OK) return NAN;
  for (int r = 0; r < p->holonomic; r++) projector->size[r] = fmax(projector->size[r], now[r]);
  return projector_share(projector, residual);
}

// Nothing more to gain: rounding, or so small that it no longer shrinks.
static bool is_settled(double misfit, double before) {
  return misfit <= ROUNDED || (misfit <= STALLED && misfit > 0.5 * before);
}

// What a rank-deficient solve cannot take away does not count.
static Status move_positions(Projector *projector, Kkt *kkt, double t, double *q) {
  Dynamics *d = projector->dynamics;
  const Problem *p = d->problem;
  double before = INFINITY, misfit_before = INFINITY;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    Status status = p->position(p->user, t, q, d->Phi);
    if (status != QDOT_OK) return status;
    for (int i = 0; i < p->holonomic; i++) d->Phi[i] = -d->Phi[i];
    double size = kkt_correction(kkt, d->Phi, projector->dq);
    if (!isfinite(size)) return QDOT_NO_CONVERGENCE;
    dense_multiply(p->holonomic, p->n, d->Phi_q, projector->dq, projector->removed);
    double left = misfit(projector, t, q, projector->removed);
    if (!isfinite(left)) return QDOT_NO_CONVERGENCE;
    bool settled = is_settled(left, misfit_before);
    if (!settled && size > 2 * before) return QDOT_NO_CONVERGENCE;
    dense_add(p->n, 1, projector->dq, q);
    if (settled) return QDOT_OK;
    before = size;
    misfit_before = left;
  }
  return QDOT_NO_CONVERGENCE;
}

// Do the velocities give the drives what they ask for? A rank-deficient solve leaves what it cannot
// take away, and beyond a limit position that is the motion of the drive itself.
static Status check_drives(Projector *projector, double t, const double *q, const double *qd) {
  Dynamics *d = projector->dynamics;
  const Problem *p = d->problem;
  if (d->kkt.rank == d->kkt.rows) return QDOT_OK;
  memset(projector->dq, 0, (size_t)p->n * sizeof *projector->dq);
  dense_copy(p->states, qd + p->n, projector->dq + p->n);
  Status status = p->velocity(p->user, t, q, projector->dq, d->Phi_dot);
  if (status != QDOT_OK) return status;
  for (int r = 0; r < p->m; r++)
    projector->driven[r] = fmax(projector->driven[r], fabs(d->Phi_dot[r]));
  status = p->velocity(p->user, t, q, qd, d->Phi_dot);
  for (int r = 0; status == QDOT_OK && r < p->m; r++)
    if (fabs(d->Phi_dot[r]) > FOLLOWED * projector->driven[r] && projector->driven[r] > 0)
      status = QDOT_SINGULAR;
  return status;
}

// Linear in qd; the factor is that of the unprojected q, so further rounds take the rest away while
// there is one.
static Status move_velocities(Projector *projector, double t, const double *q, double *qd) {
  enum { ROUNDS = 4 };
  Dynamics *d = projector->dynamics;
  const Problem *p = d->problem;
  double before = INFINITY;
  for (int round = 0; round < ROUNDS; round++) {
    Status status = p->velocity(p->user, t, q, qd, d->Phi_dot);
    if (status != QDOT_OK) return status;
    for (int i = 0; i < p->m; i++) d->Phi_dot[i] = -d->Phi_dot[i];
    double size = kkt_correction(&d->kkt, d->Phi_dot, projector->dq);
    if (!isfinite(size)) return QDOT_NO_CONVERGENCE;
    if (size == 0 || size > 0.5 * before) break;
    dense_add(p->n, 1, projector->dq, qd);
    before = size;
  }
  return check_drives(projector, t, q, qd);
}

// The dense way finds the scales of the rows up to date whenever it is needed.
void projector_learn(Projector *projector) {
  Dynamics *d = projector->dynamics;
  const Problem *p = d->problem;
  const double *norm = projector->norm;
  for (int i = 0; i < p->m; i++) d->kkt.scale[i] = fmax(d->kkt.scale[i], norm[i]);
  if (p->holonomic == p->m) return;
  double *scale = projector->positions.scale;
  for (int i = 0; i < p->holonomic; i++) scale[i] = fmax(scale[i], norm[i]);
}

size_t projector_learned(const Projector *projector) {
  const Problem *p = projector->dynamics->problem;
  return (size_t)(2 * p->m + p->holonomic);
}

static void copy_learned(Projector *projector, double *room, bool back) {
  const Problem *p = projector->dynamics->problem;
  double *positions = projector->positions.scale;
  double *own[] = {projector->size, projector->dynamics->kkt.scale, positions};
  size_t count[] = {(size_t)p->m, (size_t)p->m, positions ? (size_t)p->holonomic : 0};
  for (int i = 0; i < 3; i++) {
    if (count[i] > 0) memcpy(back ? own[i] : room, back ? room : own[i], count[i] * sizeof *room);
    room += count[i];
  }
}

void projector_keep(const Projector *projector, double *room) {
  copy_learned((Projector *)projector, room, false);
}

void projector_restore(Projector *projector, const double *room) {
  copy_learned(projector, (double *)room, true);
}

ProjectRound projector_judge(Projector *projector, int round, double t, const double *q,
                             const double *dq, double *left) {
  double before = *left;
  *left = projector_share(projector, projector->removed);
  // there is another round anyway, unless a row has had no size yet
  if (round > 0 || !isfinite(*left)) *left = misfit(projector, t, q, projector->removed);
  if (!isfinite(*left) || !isfinite(dense_norm(projector->dynamics->problem->n, dq)))
    return ROUND_FAILS;
  // twice at least: coordinates that are known finely follow the rounding of those that are not
  if (*left == 0 || (round > 0 && (*left <= ROUNDED || is_settled(*left, before))))
    return ROUND_LAST;
  return round + 1 == MOST_ROUNDS ? ROUND_FAILS : ROUND_AGAIN;
}

// Newton steps and one linear solve by the problem's own elimination; QDOT_SINGULAR where that
// meets a dead position.
Status project_near(Projector *projector, double t, double *q, double *qd) {
  const Problem *p = projector->dynamics->problem;
  double *dq = projector->dq, left = INFINITY;
  ProjectRound next = p->holonomic > 0 ? ROUND_AGAIN : ROUND_LAST;
  for (int round = 0; next == ROUND_AGAIN; round++) {
    Status status = p->project_position(p->user, t, q, dq, projector->removed);
    if (status != QDOT_OK) return status;
    next = projector_judge(projector, round, t, q, dq, &left);
    if (next == ROUND_FAILS) return QDOT_NO_CONVERGENCE;
    dense_add(p->n, 1, dq, q);
  }
  Status status = p->project_velocity(p->user, t, q, qd, dq, projector->norm);
  if (status != QDOT_OK) return status;
  dense_add(p->n, 1, dq, qd);
  projector_learn(projector);
  return QDOT_OK;
}

static Status factor_at(Projector *projector, double t, const double *q) {
  Dynamics *d = projector->dynamics;
  const Problem *p = d->problem;
  Status status = p->geometry(p->user, t, q, d->M, d->Phi_q);
  if (status != QDOT_OK) return status;
  return kkt_factor(&d->kkt, d->M, d->Phi_q, p->m);
}

Status project_velocity(Projector *projector, double t, const double *q, double *qd) {
  if (projector->dynamics->problem->m == 0) return QDOT_OK;
  Status status = factor_at(projector, t, q);
  return status == QDOT_OK ? move_velocities(projector, t, q, qd) : status;
}

// By the difference of two projections: what time alone does to the rows is in both.
Status project_direction(Projector *projector, double t, const double *q, double *v) {
  const Problem *p = projector->dynamics->problem;
  if (!p->project_velocity) return QDOT_SINGULAR;
  double *still = projector->kept, *dv = projector->dq, *drift = still + p->n + p->states;
  memset(still, 0, (size_t)p->n * sizeof *still);
  dense_copy(p->states, v + p->n, still + p->n);
  Status status = p->project_velocity(p->user, t, q, still, drift, projector->norm);
  if (status == QDOT_OK) status = p->project_velocity(p->user, t, q, v, dv, projector->norm);
  if (status != QDOT_OK) return status;
  dense_add(p->n, 1, dv, v);
  dense_add(p->n, -1, drift, v);
  return QDOT_OK;
}

Status project_state(Projector *projector, double t, double *q, double *qd) {
  Dynamics *d = projector->dynamics;
  const Problem *p = d->problem;
  if (p->m == 0) return QDOT_OK;
  Status status = QDOT_SINGULAR;
  if (p->project_position) {
    memcpy(projector->kept, q, (size_t)p->n * sizeof *q);
    memcpy(projector->kept + p->n, qd, (size_t)p->n * sizeof *q);
    status = project_near(projector, t, q, qd);
    if (status == QDOT_OK) return QDOT_OK;
    memcpy(q, projector->kept, (size_t)p->n * sizeof *q);
    memcpy(qd, projector->kept + p->n, (size_t)p->n * sizeof *q);
  }
  status = factor_at(projector, t, q);
  if (status != QDOT_OK) return status;
  Kkt *kkt = &d->kkt;
  if (p->holonomic < p->m) {
    kkt = &projector->positions;
    status = kkt_factor(kkt, d->M, d->Phi_q, p->holonomic);
    if (status != QDOT_OK) return status;
  }
  if (p->holonomic > 0) status = move_positions(projector, kkt, t, q);
  return status == QDOT_OK ? move_velocities(projector, t, q, qd) : status;
}

// False where it is not so easy; q and qd are then left anyhow.
static bool look_fast(Projector *projector, double t, double *q, double *qd) {
  const Problem *p = projector->dynamics->problem;
  double *dq = projector->dq, left = p->holonomic > 0 ? INFINITY : 0;
  *p->met_dead = false;
  for (int round = 0; left > PROJECT_NEAR; round++) {
    if (round == PROJECT_NEAR_ROUNDS) return false;
    if (p->project_position(p->user, t, q, dq, projector->removed) != QDOT_OK) return false;
    left = projector_share(projector, projector->removed);
    dense_add(p->n, 1, dq, q);
  }
  if (p->project_velocity(p->user, t, q, qd, dq, projector->norm) != QDOT_OK) return false;
  dense_add(p->n, 1, dq, qd);
  return !isnan(left) && !*p->met_dead;
}

Status project_look(Projector *projector, double t, double *q, double *qd) {
  const Problem *p = projector->dynamics->problem;
  size_t bytes = (size_t)p->n * sizeof *q;
  if (p->m == 0) return QDOT_OK;
  if (!p->project_position || !p->met_dead) return project_state(projector, t, q, qd);
  memcpy(projector->kept, q, bytes);
  memcpy(projector->kept + p->n, qd, bytes);
  if (look_fast(projector, t, q, qd)) return QDOT_OK;
  memcpy(q, projector->kept, bytes);
  memcpy(qd, projector->kept + p->n, bytes);
  return project_state(projector, t, q, qd);
}

// Elimination with pivots over rows and columns of `block`; a column may be chosen only where
// allowed[] says so. Returns the rank reached; the least pivot of these rows of size 1 is *quality.
static int choose_columns(int rows, int n, double *A, int *columns, const bool *allowed,
                          double *quality) {
  double first = 0;
  *quality = 1;
  for (int r = 0; r < rows; r++) {
    int best_row = -1, best_column = -1;
    double best = 0;
    for (int i = r; i < rows; i++)
      for (int j = 0; j < n; j++)
        if (fabs(A[(size_t)i * n + j]) > best && (!allowed || allowed[j])) {
          best = fabs(A[(size_t)i * n + j]);
          best_row = i;
          best_column = j;
        }
    if (r == 0) first = best;
    if (best <= 1e-8 * first) return r;
    *quality = fmin(*quality, best);
    columns[r] = best_column;
    double *top = A + (size_t)r * n, *row = A + (size_t)best_row * n;
    for (int j = 0; j < n && row != top; j++) {
      double kept = top[j];
      top[j] = row[j];
      row[j] = kept;
    }
    for (int i = r + 1; i < rows; i++) {
      double *other = A + (size_t)i * n;
      dense_add(n, -other[best_column] / top[best_column], top, other);
      other[best_column] = 0;
    }
  }
  return rows;
}

// Rows of Phi_q over their largest norm, so that units do not decide.
static void scaled_rows(const Dynamics *d, int rows, double *out) {
  int n = d->problem->n;
  memcpy(out, d->Phi_q, (size_t)rows * n * sizeof *out);
  for (int i = 0; i < rows; i++) {
    double size = dense_norm(n, out + (size_t)i * n);
    for (int j = 0; j < n && size > 0; j++) out[(size_t)i * n + j] /= size;
  }
}

// Keeps the dependent coordinates of the first rows while their pivots are about as good as when
// they were chosen.
static Status choose_partition(Projector *projector, int rows, Partition *partition) {
  bool *allowed = projector->allowed;
  Dynamics *d = projector->dynamics;
  int n = d->problem->n, rank = 0;
  double quality = 0;
  if (partition->rank > 0) {
    memset(allowed, 0, (size_t)n * sizeof *allowed);
    for (int i = 0; i < partition->rank; i++) allowed[partition->columns[i]] = true;
    scaled_rows(d, rows, projector->block);
    rank = choose_columns(rows, n, projector->block, partition->columns, allowed, &quality);
  }
  if (rank < partition->rank || rank == 0 || quality < 0.3 * partition->quality) {
    scaled_rows(d, rows, projector->block);
    rank = choose_columns(rows, n, projector->block, partition->columns, NULL, &quality);
    projector->partitions++;
    partition->quality = quality;
  }
  partition->rank = rank;
  return rank > 0 ? QDOT_OK : QDOT_SINGULAR;
}

// Solves Phi_q dq = -residual for the dependent coordinates through the normal equations of their
// block: rows may be more than the rank.
static Status dependent_step(Projector *projector, const Partition *partition, int rows,
                             const double *residual, double *x) {
  Dynamics *d = projector->dynamics;
  const int *columns = partition->columns;
  int n = d->problem->n, r = partition->rank;
  double *A = projector->block, *b = projector->dq;
  for (int a = 0; a < r; a++) {
    b[a] = 0;
    for (int c = 0; c <= a; c++) A[(size_t)a * r + c] = 0;
    for (int i = 0; i < rows; i++) {
      const double *row = d->Phi_q + (size_t)i * n;
      double weight = 1 / fmax(dense_dot(n, row, row), 1e-300);
      b[a] -= weight * row[columns[a]] * residual[i];
      for (int c = 0; c <= a; c++)
        A[(size_t)a * r + c] += weight * row[columns[a]] * row[columns[c]];
    }
  }
  if (dense_cholesky(r, A, 1e-15) >= 0) return QDOT_SINGULAR;
  dense_lower(r, A, b);
  dense_lower_transposed(r, A, b);
  for (int a = 0; a < r; a++) x[columns[a]] += b[a];
  return QDOT_OK;
}

static Status dependent_positions(Projector *projector, double t, double *q) {
  Dynamics *d = projector->dynamics;
  const Problem *p = d->problem;
  Partition *partition = &projector->of_positions;
  Status status = choose_partition(projector, p->holonomic, partition);
  double left = INFINITY, before;
  bool settled = false;
  for (int round = 0; status == QDOT_OK && !settled && round < MOST_ROUNDS; round++) {
    status = p->position(p->user, t, q, d->Phi);
    if (status != QDOT_OK) break;
    before = left;
    left = misfit(projector, t, q, d->Phi);
    settled = is_settled(left, before);
    status = dependent_step(projector, partition, p->holonomic, d->Phi, q);
    if (status == QDOT_OK) status = p->geometry(p->user, t, q, d->M, d->Phi_q);
  }
  return status == QDOT_OK && !settled ? QDOT_NO_CONVERGENCE : status;
}

Status project_dependent(Projector *projector, double t, double *q, double *qd) {
  Dynamics *d = projector->dynamics;
  const Problem *p = d->problem;
  if (p->m == 0) return QDOT_OK;
  Status status = p->geometry(p->user, t, q, d->M, d->Phi_q);
  if (status == QDOT_OK && p->holonomic > 0) status = dependent_positions(projector, t, q);
  Partition *partition = p->holonomic < p->m ? &projector->of_velocities : &projector->of_positions;
  if (status == QDOT_OK && p->holonomic < p->m)
    status = choose_partition(projector, p->m, partition);
  for (int round = 0; status == QDOT_OK && round < 2; round++) {
    status = p->velocity(p->user, t, q, qd, d->Phi_dot);
    if (status == QDOT_OK) status = dependent_step(projector, partition, p->m, d->Phi_dot, qd);
  }
  return status;
}
