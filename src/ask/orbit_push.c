// Floquet's multipliers, with what the accuracy of the runs leaves open about them.
//
// A motion of a family has the multiplier 1 more than once, and as a rule in a Jordan block: an
// error e of the matrix moves such eigenvalues by sqrt(e). Vectors that are multiplied by 1 are
// therefore split off one by one, by singular values, which move by e alone.
#include <math.h>
#include <string.h>

#include "ask/draw.h"
#include "ask/orbit_shoot.h"
#include "solve/algebra/eigenvalues.h"
#include "solve/algebra/svd.h"

enum { TRIALS = 16 };

typedef struct Push {
  Arena *arena;
  uint32_t n;
  double *M;    // n x n, by rows, by the size of the state
  double error; // of M
} Push;

static double largest_entry(uint32_t count, const double *a) {
  double most = 0;
  for (uint32_t i = 0; i < count; i++) most = fmax(most, fabs(a[i]));
  return most;
}

static void take_matrix(const Shooting *s, double *M) {
  uint32_t n = s->orbit->state;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      M[i * n + j] = s->S[(size_t)j * n + i] * s->size[j] / s->size[i];
}

// The error of M is below its change by a tenfold tolerance; and it belongs to a motion that closes
// only so far.
static Status measure_error(Shooting *s, Push *p, double *x, double T) {
  double *rtol = &s->rerun.simulation.options.method.rtol, own = *rtol;
  double *other = arena_array(p->arena, double, (size_t)p->n * p->n);
  *rtol = 10 * own;
  Status status = orbit_shoot(s, x, T);
  *rtol = own;
  if (status != QDOT_OK) return status;
  take_matrix(s, other);
  for (uint32_t i = 0; i < p->n * p->n; i++) other[i] -= p->M[i];
  double size = fmax(1, largest_entry(p->n * p->n, p->M));
  p->error =
      p->n * largest_entry(p->n * p->n, other) + (1e-11 + 10 * s->orbit->residual) * size * p->n;
  return orbit_shoot(s, x, T);
}

// Singular values of M - 1, with more columns behind it.
static Status decompose(const Push *p, const double *more, Svd **svd) {
  uint32_t n = p->n, columns = more ? n + 1 : n;
  double *A = arena_array(p->arena, double, (size_t)n *columns);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) A[i * columns + j] = p->M[i * n + j] - (i == j);
    if (more) A[i * columns + n] = more[i];
  }
  *svd = svd_new(p->arena, (int)n, (int)columns);
  return svd_compute(*svd, (int)n, A);
}

static uint32_t count_zeros(const Svd *svd, double error) {
  uint32_t zeros = 0;
  for (int k = 0; k < svd->k; k++) zeros += !(svd->sigma[k] > error);
  return zeros;
}

// M in the basis of the right singular vectors has columns of the unit matrix for those that are
// multiplied by 1: what is left of it is the block of the others.
static void split_off(Push *p, const Svd *svd, uint32_t ones) {
  uint32_t n = p->n, left = n - ones;
  double *block = arena_array(p->arena, double, (size_t)left *left);
  for (uint32_t a = 0; a < left; a++)
    for (uint32_t b = 0; b < left; b++) {
      double sum = 0;
      for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
          sum += svd->Vt[a * n + i] * p->M[i * n + j] * svd->Vt[b * n + j];
      block[a * left + b] = sum;
    }
  p->M = block;
  p->n = left;
}

static void sort_by_modulus(uint32_t n, double *re, double *im) {
  for (uint32_t i = 1; i < n; i++)
    for (uint32_t k = i; k > 0 && hypot(re[k], im[k]) > hypot(re[k - 1], im[k - 1]); k--) {
      double r = re[k], m = im[k];
      re[k] = re[k - 1], im[k] = im[k - 1];
      re[k - 1] = r, im[k - 1] = m;
    }
}

// How far each modulus moves when M is off by its error.
static Status doubt_moduli(const Push *p, const double *re, const double *im, double *doubt) {
  uint32_t n = p->n;
  double *A = arena_array(p->arena, double, (size_t)n *n);
  double *re_off = arena_array(p->arena, double, n), *im_off = arena_array(p->arena, double, n);
  for (uint32_t i = 0; i < n; i++) doubt[i] = p->error;
  for (uint64_t trial = 0; trial < TRIALS; trial++) {
    for (uint32_t i = 0; i < n * n; i++)
      A[i] = p->M[i] + p->error * (2 * draw_random(trial, i, 0) - 1);
    Status status = eigen_any(p->arena, (int)n, A, re_off, im_off, NULL);
    if (status != QDOT_OK) return status;
    sort_by_modulus(n, re_off, im_off);
    for (uint32_t i = 0; i < n; i++)
      doubt[i] = fmax(doubt[i], 2 * fabs(hypot(re_off[i], im_off[i]) - hypot(re[i], im[i])));
  }
  return QDOT_OK;
}

static void judge(Orbit *o, uint32_t ones, const double *doubt) {
  uint32_t grow = 0, stay = ones - (o->is_forced || ones == 0 ? 0 : 1);
  for (uint32_t i = 0; i < o->multipliers; i++) {
    double off = hypot(o->re[i], o->im[i]) - 1;
    if (i == o->trivial || (o->re[i] == 1 && o->im[i] == 0)) continue;
    grow += off > doubt[i];
    stay += fabs(off) <= doubt[i];
  }
  o->is_stable = grow == 0 && stay == 0;
  o->is_neutral = grow == 0 && stay > 0;
}

// Motions beside this one: what leaves it closed, but for the push along it.
static Status find_family(Shooting *s, const Push *p, double T) {
  Orbit *o = s->orbit;
  Svd *svd;
  double *along = NULL;
  if (!o->is_forced) {
    along = arena_array(p->arena, double, p->n);
    for (uint32_t i = 0; i < p->n; i++) along[i] = s->rate[i] * T / s->size[i];
  }
  Status status = decompose(p, along, &svd);
  o->family = status == QDOT_OK ? count_zeros(svd, 10 * p->error) : 0;
  return status;
}

// Multipliers of the block that is left, and 1 for all that was split off, largest first.
static Status list_multipliers(Orbit *o, const Push *p, uint32_t ones, double *doubt) {
  Status status = eigen_any(p->arena, (int)p->n, p->M, o->re, o->im, NULL);
  if (status != QDOT_OK) return status;
  sort_by_modulus(p->n, o->re, o->im);
  status = doubt_moduli(p, o->re, o->im, doubt);
  uint32_t before = 0; // those that lie outside the circle
  while (before < p->n && hypot(o->re[before], o->im[before]) > 1) before++;
  for (uint32_t i = p->n; i-- > before;)
    o->re[i + ones] = o->re[i], o->im[i + ones] = o->im[i], doubt[i + ones] = doubt[i];
  for (uint32_t i = before; i < before + ones; i++) o->re[i] = 1, o->im[i] = 0, doubt[i] = p->error;
  return status;
}

static uint32_t nearest_to_one(const Orbit *o) {
  uint32_t found = o->multipliers;
  double nearest = 1e-3;
  for (uint32_t i = 0; i < o->multipliers; i++) {
    double off = hypot(o->re[i] - 1, o->im[i]);
    if (off < nearest) nearest = off, found = i;
  }
  return found;
}

static Status find_multipliers(Shooting *s, Push *p, double *x, double T) {
  Orbit *o = s->orbit;
  uint32_t n = p->n, ones = 0;
  p->M = arena_array(p->arena, double, (size_t)n *n);
  o->re = arena_array(o->cx->results, double, n + 1);
  o->im = arena_array(o->cx->results, double, n + 1);
  double *doubt = arena_array(p->arena, double, n + 1);
  take_matrix(s, p->M);
  Status status = measure_error(s, p, x, T);
  if (status == QDOT_OK) status = find_family(s, p, T);
  for (double error = 10 * p->error; status == QDOT_OK && p->n > 0; error *= 10) {
    Svd *svd;
    status = decompose(p, NULL, &svd);
    uint32_t zeros = status == QDOT_OK ? count_zeros(svd, error) : 0;
    if (zeros == 0) break;
    ones += zeros;
    split_off(p, svd, zeros);
  }
  if (status == QDOT_OK) status = list_multipliers(o, p, ones, doubt);
  // what leaves the constraints does not come back
  const Problem *problem = &s->rerun.simulation.run.machine.problem;
  uint32_t gone = (uint32_t)(problem->holonomic + problem->m);
  o->multipliers = gone < n ? n - gone : 0;
  o->trivial = o->is_forced ? o->multipliers : nearest_to_one(o);
  if (status == QDOT_OK) judge(o, ones, doubt);
  return status;
}

Status orbit_push(Shooting *s, double *x, double T) {
  Arena *scratch = &s->orbit->cx->scratch;
  Mark mark = arena_mark(scratch);
  Push p = {.arena = scratch, .n = s->orbit->state};
  Status status = find_multipliers(s, &p, x, T);
  arena_release(scratch, mark);
  return status;
}
