// A square linear system that may be singular.
#include "solve/algebra/linear.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"

// Of an equilibrated matrix: pivots below SUSPECT are looked at; singular values below CUT dropped.
static const double SUSPECT = 1e-7, CUT = 1e-8;

void linear_open(Linear *linear, Arena *arena, int n) {
  *linear = (Linear){.n = n};
  linear->A = arena_array(arena, double, (size_t)n *n);
  linear->rows = arena_array(arena, double, n);
  linear->columns = arena_array(arena, double, n);
  linear->room = arena_array(arena, double, (size_t)n *n);
  linear->pivot = arena_array(arena, int, n);
  linear->svd = svd_new(arena, n, n);
}

// Ruiz: rows and columns divided by the roots of their largest entries, a few times over. The
// result does not depend on the units of unknowns and equations.
static Status equilibrate(Linear *linear) {
  int n = linear->n;
  for (int i = 0; i < n; i++) linear->rows[i] = linear->columns[i] = 1;
  for (int sweep = 0; sweep < 6; sweep++)
    for (int side = 0; side < 2; side++)
      for (int i = 0; i < n; i++) {
        double largest = 0;
        size_t first = side ? (size_t)i : (size_t)i * n, stride = side ? (size_t)n : 1;
        for (int j = 0; j < n; j++) {
          double entry = fabs(linear->A[first + j * stride]);
          if (!(entry <= largest)) largest = entry;
        }
        if (!isfinite(largest)) return QDOT_UNDEFINED;
        if (largest == 0) continue;
        double factor = 1 / sqrt(largest);
        (side ? linear->columns : linear->rows)[i] *= factor;
        for (int j = 0; j < n; j++) linear->A[first + j * stride] *= factor;
      }
  return QDOT_OK;
}

Status linear_factor(Linear *linear) {
  int n = linear->n;
  Status status = equilibrate(linear);
  if (status != QDOT_OK) return status;
  memcpy(linear->room, linear->A, (size_t)n * n * sizeof(double));
  linear->rank = n;
  linear->deficient = dense_lu(n, linear->A, linear->pivot) < SUSPECT;
  if (!linear->deficient) return QDOT_OK;
  status = svd_compute(linear->svd, n, linear->room);
  while (linear->rank > 0 && linear->svd->sigma[linear->rank - 1] <= CUT * linear->svd->sigma[0])
    linear->rank--;
  return status;
}

static void least_norm(Linear *linear, double *b) {
  const Svd *svd = linear->svd;
  int n = linear->n;
  double *along = linear->room;
  for (int j = 0; j < linear->rank; j++) {
    along[j] = 0;
    for (int i = 0; i < n; i++) along[j] += svd->U[(size_t)i * n + j] * b[i];
    along[j] /= svd->sigma[j];
  }
  memset(b, 0, (size_t)n * sizeof *b);
  dense_add_transposed(linear->rank, n, 1, svd->Vt, along, b);
}

void linear_solve(Linear *linear, double *b) {
  int n = linear->n;
  for (int i = 0; i < n; i++) b[i] *= linear->rows[i];
  if (linear->deficient)
    least_norm(linear, b);
  else
    dense_lu_solve(n, linear->A, linear->pivot, b);
  for (int i = 0; i < n; i++) b[i] *= linear->columns[i];
}
