// The finite part of a linearized system whose mass matrix is singular.
#include "analyse/vibration/singular_mass.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"
#include "solve/algebra/svd.h"

#define SINGULAR 1e-12 // of the largest singular value: none
#define MOST_LEVELS 8

typedef struct Pencil {
  Arena *arena;
  const Reduced *r;
  uint32_t n;    // p + f
  double *scale; // p: units of the positions
  double rate;   // unit of time
  double *E, *A; // n x n, scaled
} Pencil;

// ---- Scaling

static double diagonal(const double *A, uint32_t width, uint32_t i) {
  return fabs(A[(size_t)i * width + i]);
}

static double sum_of(const double *A, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += fabs(A[i]);
  return sum;
}

// A rate at which two of mass, damping and stiffness matter alike.
static double typical_rate(const Reduced *r) {
  double m = 0, c = 0, k = 0;
  for (uint32_t i = 0; i < r->f; i++) {
    m += diagonal(r->M, r->f, i), c += diagonal(r->C, r->f, i), k += diagonal(r->K, r->p, i);
  }
  if (m > 0 && k > 0) return sqrt(k / m);
  if (m > 0 && c > 0) return c / m;
  return c > 0 && k > 0 ? k / c : 1;
}

static void choose_scales(Pencil *x) {
  const Reduced *r = x->r;
  x->rate = typical_rate(r);
  for (uint32_t i = 0; i < r->p; i++) {
    double force = 0;
    if (i < r->f)
      force = diagonal(r->K, r->p, i) + x->rate * diagonal(r->C, r->f, i) +
              x->rate * x->rate * diagonal(r->M, r->f, i);
    x->scale[i] = force > 0 ? 1 / sqrt(force) : 1;
  }
}

// z' = W s + Y z and M s' = -C s - K z in the chosen units.
static void fill(Pencil *x) {
  const Reduced *r = x->r;
  uint32_t p = r->p, f = r->f, n = x->n;
  const double *a = x->scale;
  for (uint32_t i = 0; i < p; i++) {
    double *row = x->A + (size_t)i * n;
    x->E[(size_t)i * n + i] = 1;
    for (uint32_t j = 0; j < p; j++) row[j] = r->Y[(size_t)i * p + j] * a[j] / (a[i] * x->rate);
    for (uint32_t j = 0; j < f; j++) row[p + j] = r->W[(size_t)i * f + j] * a[j] / a[i];
  }
  for (uint32_t i = 0; i < f; i++) {
    double *row = x->A + (size_t)(p + i) * n, *mass = x->E + (size_t)(p + i) * n;
    for (uint32_t j = 0; j < p; j++) row[j] = -a[i] * a[j] * r->K[(size_t)i * p + j];
    for (uint32_t j = 0; j < f; j++) {
      row[p + j] = -a[i] * a[j] * x->rate * r->C[(size_t)i * f + j];
      mass[p + j] = a[i] * a[j] * x->rate * x->rate * r->M[(size_t)i * f + j];
    }
  }
}

// ---- The shifted inverse

// The share of the smallest singular value of A - sE; its direction in *null (n values).
static double regularity(const Pencil *x, double shift, double *B, double *null) {
  uint32_t n = x->n;
  for (size_t i = 0; i < (size_t)n * n; i++) B[i] = x->A[i] - shift * x->E[i];
  Svd *svd = svd_new(x->arena, (int)n, (int)n);
  if (svd_compute(svd, (int)n, B) != QDOT_OK) return 0;
  memcpy(null, svd->Vt + (size_t)(n - 1) * n, n * sizeof *null);
  return svd->sigma[n - 1] / fmax(svd->sigma[0], 1e-300);
}

static uint32_t largest_of(const double *a, uint32_t n) {
  uint32_t largest = 0;
  for (uint32_t i = 1; i < n; i++)
    if (fabs(a[i]) > fabs(a[largest])) largest = i;
  return largest;
}

// T = (A - sE)^-1 E at the shift, of a few, that is farthest from an eigenvalue.
static Status shifted_inverse(const Pencil *x, double *T, double *shift, uint32_t *undetermined) {
  static const double shifts[] = {1.37, 0.43, 4.21, -0.71};
  uint32_t n = x->n;
  double *B = arena_array(x->arena, double, (size_t)n *n), best = 0;
  double *null = arena_array(x->arena, double, n);
  for (size_t k = 0; k < sizeof shifts / sizeof *shifts; k++) {
    double quality = regularity(x, shifts[k], B, null);
    if (quality > best) best = quality, *shift = shifts[k];
  }
  *undetermined = largest_of(null, x->r->p);
  if (!(best > SINGULAR)) return QDOT_SINGULAR;
  int *pivot = arena_array(x->arena, int, n);
  double *column = arena_array(x->arena, double, n);
  for (size_t i = 0; i < (size_t)n * n; i++) B[i] = x->A[i] - *shift * x->E[i];
  dense_lu((int)n, B, pivot);
  for (uint32_t j = 0; j < n; j++) {
    for (uint32_t i = 0; i < n; i++) column[i] = x->E[(size_t)i * n + j];
    dense_lu_solve((int)n, B, pivot, column);
    for (uint32_t i = 0; i < n; i++) T[(size_t)i * n + j] = column[i];
  }
  return QDOT_OK;
}

// ---- The lasting range

// Rows of U (rank x m) span the range of T (m x m).
static uint32_t range_of(Arena *arena, uint32_t m, const double *T, double largest, double *U) {
  Svd *svd = svd_new(arena, (int)m, (int)m);
  if (svd_compute(svd, (int)m, T) != QDOT_OK) return 0;
  uint32_t rank = 0;
  while (rank < m && svd->sigma[rank] > SINGULAR * largest) rank++;
  for (uint32_t i = 0; i < rank; i++)
    for (uint32_t j = 0; j < m; j++) U[(size_t)i * m + j] = svd->U[(size_t)j * m + i];
  return rank;
}

// T := U T U^T and V := U V, both smaller.
static void restrict_to(Arena *arena, uint32_t rank, uint32_t m, uint32_t n, const double *U,
                        double *T, double *V) {
  double *part = arena_array(arena, double, (size_t)m *rank + 1);
  double *moved = arena_array(arena, double, (size_t)rank *n + 1);
  for (uint32_t j = 0; j < rank; j++)
    for (uint32_t i = 0; i < m; i++)
      part[(size_t)i * rank + j] = dense_dot((int)m, T + (size_t)i * m, U + (size_t)j * m);
  matrix_multiply(rank, m, rank, U, part, T);
  matrix_multiply(rank, m, n, U, V, moved);
  memcpy(V, moved, (size_t)rank * n * sizeof *V);
}

// A := s + T^-1
static void invert_and_shift(Arena *arena, uint32_t m, double shift, double *T, double *A) {
  int *pivot = arena_array(arena, int, m + 1);
  double *column = arena_array(arena, double, m + 1);
  dense_lu((int)m, T, pivot);
  for (uint32_t j = 0; j < m; j++) {
    memset(column, 0, m * sizeof *column);
    column[j] = 1;
    dense_lu_solve((int)m, T, pivot, column);
    for (uint32_t i = 0; i < m; i++) A[(size_t)i * m + j] = column[i] + (i == j ? shift : 0);
  }
}

Status finite_dynamics(Arena *arena, const Reduced *r, FiniteDynamics *out,
                       uint32_t *undetermined) {
  uint32_t n = r->p + r->f, m = n;
  *out = (FiniteDynamics){.A = arena_array(arena, double, (size_t)n *n + 1),
                          .V = arena_array(arena, double, (size_t)n * r->p + 1)};
  Mark mark = arena_mark(arena);
  Pencil x = {.arena = arena, .r = r, .n = n};
  x.scale = arena_array(arena, double, r->p + 1);
  x.E = arena_array(arena, double, (size_t)n *n + 1);
  x.A = arena_array(arena, double, (size_t)n *n + 1);
  choose_scales(&x);
  fill(&x);
  double *T = arena_array(arena, double, (size_t)n *n + 1);
  double *V = arena_array(arena, double, (size_t)n *n + 1);
  double *U = arena_array(arena, double, (size_t)n *n + 1);
  double shift = 0;
  Status status = shifted_inverse(&x, T, &shift, undetermined);
  double largest = status == QDOT_OK ? sum_of(T, (size_t)n * n) / fmax(n, 1) : 0;
  for (uint32_t i = 0; i < n; i++) V[(size_t)i * n + i] = 1;
  for (int level = 0; level < MOST_LEVELS && status == QDOT_OK && m > 0; level++) {
    uint32_t rank = range_of(arena, m, T, largest, U);
    if (rank == m) break;
    restrict_to(arena, rank, m, n, U, T, V);
    m = rank;
  }
  if (status == QDOT_OK) {
    out->size = m, out->rate = x.rate;
    invert_and_shift(arena, m, shift, T, out->A);
    for (uint32_t k = 0; k < m; k++)
      for (uint32_t i = 0; i < r->p; i++)
        out->V[(size_t)k * r->p + i] = x.scale[i] * V[(size_t)k * n + i];
  }
  arena_release(arena, mark);
  return status;
}
