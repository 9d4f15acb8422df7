// Least squares over the multipliers that balance each other.
//
// All multipliers that serve are lambda_0 + N d, the columns of N spanning what Phi_q^T takes to 0.
// Loads are affine in the multipliers (but for teeth that push apart, hence the rounds), so that
// a run of their program for each column of N gives the least squares problem for d.
#include "engine/sharing.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"
#include "solve/algebra/svd.h"

enum { MOST_ROUNDS = 8 };

typedef struct Sharing {
  Machine *m;
  double t;
  const double *q, *qd;
  int rows, free, loads;
  double *N;      // free x rows: each row a direction, in multipliers
  double *lambda; // rows: of the machine
  double *weight; // loads: 1 for a force, 1 / length for a torque
  double *base;   // loads, weighted
  double *slope;  // loads x free
} Sharing;

// ---- What balances itself

// From the rows as the saddle point has scaled them.
static Status find_directions(Sharing *s, Kkt *kkt, Arena *arena) {
  const Svd *svd = kkt->svd;
  Status status = svd_compute(kkt->svd, s->rows, kkt->B);
  if (status != QDOT_OK) return status;
  int rank = 0, most = s->rows < s->m->n ? s->rows : s->m->n;
  while (rank < most && svd->sigma[rank] > SHARING_GONE * svd->sigma[0]) rank++;
  s->free = s->rows - rank;
  s->N = arena_array(arena, double, (size_t)s->free *(size_t)s->rows);
  dense_complement(s->rows, svd->k, rank, svd->U, s->free, s->N);
  for (int j = 0; j < s->free; j++)
    for (int i = 0; i < s->rows; i++)
      if (kkt->scale[i] > 0) s->N[(size_t)j * (size_t)s->rows + (size_t)i] /= kkt->scale[i];
  return QDOT_OK;
}

// ---- Loads

static void put_multipliers(const Sharing *s, const double *direction, double by) {
  const Equations *e = s->m->set->equations;
  double *all = s->m->in + e->layout.lambda;
  for (int r = 0; r < s->rows; r++)
    all[e->lambda[r]] = s->lambda[r] + (direction ? by * direction[r] : 0);
}

static const double *loads_of(const Sharing *s) {
  return machine_run_loads(s->m, s->t, s->q, s->qd).loads;
}

// One column: what the loads gain along a direction; returns its norm.
static double take_slope(const Sharing *s, int j, double by) {
  put_multipliers(s, s->N + (size_t)j * (size_t)s->rows, by);
  const double *loads = loads_of(s);
  double square = 0;
  for (int i = 0; i < s->loads; i++) {
    double gain = (s->weight[i] * loads[i] - s->base[i]) / by;
    s->slope[(size_t)i * (size_t)s->free + (size_t)j] = gain;
    square += gain * gain;
  }
  return sqrt(square);
}

// Steps that are seen beside the loads, and do not turn the teeth's force round.
static void find_slopes(Sharing *s) {
  double size = dense_norm(s->loads, s->base);
  for (int j = 0; j < s->free; j++) {
    double gain = take_slope(s, j, 1);
    if (gain > 0 && size > 0) gain = take_slope(s, j, 1e-4 * size / gain);
    if (!(gain > 0)) continue;
    for (int i = 0; i < s->loads; i++) s->slope[(size_t)i * (size_t)s->free + (size_t)j] /= gain;
    double *v = s->N + (size_t)j * (size_t)s->rows;
    for (int i = 0; i < s->rows; i++) v[i] /= gain;
  }
}

// ---- The whole

static void open_sharing(Sharing *s, Arena *arena) {
  const PlanLoads *carried = &s->m->plan->loads;
  const Equations *e = s->m->set->equations;
  size_t rows = (size_t)s->rows, count = (size_t)s->free, loads = carried->count;
  s->loads = (int)loads;
  s->lambda = arena_array(arena, double, rows);
  s->weight = arena_array(arena, double, loads);
  s->base = arena_array(arena, double, loads);
  s->slope = arena_array(arena, double, loads *count);
  double length2 = machine_number(s->m, &carried->length2);
  for (size_t i = 0; i < loads; i++)
    s->weight[i] = carried->is_torque[i] && length2 > 0 ? 1 / sqrt(length2) : 1;
  for (size_t r = 0; r < rows; r++) s->lambda[r] = s->m->in[e->layout.lambda + e->lambda[r]];
}

static Status move_multipliers(Sharing *s, Arena *arena) {
  double *step = arena_array(arena, double, s->free);
  double *against = arena_array(arena, double, s->loads);
  for (int round = 0; round < MOST_ROUNDS; round++) {
    put_multipliers(s, NULL, 0);
    const double *loads = loads_of(s);
    for (int i = 0; i < s->loads; i++)
      s->base[i] = s->weight[i] * loads[i], against[i] = -s->base[i];
    find_slopes(s);
    Status status = svd_least_norm(arena, s->loads, s->free, s->slope, against, 1e-12, step, NULL);
    if (status != QDOT_OK) return status;
    for (int j = 0; j < s->free; j++)
      dense_add(s->rows, step[j], s->N + (size_t)j * (size_t)s->rows, s->lambda);
    if (dense_norm(s->free, step) <= 1e-13 * dense_norm(s->loads, s->base)) break;
  }
  put_multipliers(s, NULL, 0);
  return QDOT_OK;
}

Status machine_share_loads(Machine *m, Dynamics *d, double t, const double *q, const double *qd) {
  Sharing s = {.m = m, .t = t, .q = q, .qd = qd, .rows = d->kkt.rows};
  if (m->plan->loads.count == 0) return QDOT_OK;
  Mark mark = arena_mark(&m->arena);
  Status status = find_directions(&s, &d->kkt, &m->arena);
  if (status == QDOT_OK && s.free > 0) {
    open_sharing(&s, &m->arena);
    status = move_multipliers(&s, &m->arena);
  }
  arena_release(&m->arena, mark);
  return status;
}
