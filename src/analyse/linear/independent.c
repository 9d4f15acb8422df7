// Elimination with complete pivoting: the pivots' columns become dependent.
#include "analyse/linear/independent.h"

#include <math.h>
#include <string.h>

#define VANISHED 1e-9 // relative size below which an entry counts as 0

typedef struct Pivots {
  uint32_t rank;
  uint32_t *row, *column; // rank each, in order
  double worst, next;
} Pivots;

// Every row divided by its largest entry, every column multiplied by its scale.
static double *scaled_copy(Arena *arena, uint32_t rows, uint32_t n, const double *A,
                           const double *scale) {
  double *B = arena_array(arena, double, (size_t)rows *n + 1);
  for (uint32_t i = 0; i < rows; i++) {
    double most = 0;
    for (uint32_t j = 0; j < n; j++) {
      B[(size_t)i * n + j] = A[(size_t)i * n + j] * scale[j];
      most = fmax(most, fabs(B[(size_t)i * n + j]));
    }
    for (uint32_t j = 0; j < n && most > 0; j++) B[(size_t)i * n + j] /= most;
  }
  return B;
}

// The largest entry left; among equal ones the last column, so that what the model names first
// stays independent.
static double find_pivot(uint32_t rows, uint32_t n, const double *B, const bool *row_used,
                         const bool *kept, uint32_t *row, uint32_t *column) {
  double best = 0;
  for (uint32_t j = 0; j < n; j++) {
    if (kept[j]) continue;
    for (uint32_t i = 0; i < rows; i++) {
      double size = fabs(B[(size_t)i * n + j]);
      if (row_used[i] || !(size > best * (1 - 1e-9)) || size == 0) continue;
      best = fmax(best, size), *row = i, *column = j;
    }
  }
  return best;
}

static void eliminate(uint32_t rows, uint32_t n, double *B, const bool *row_used, uint32_t row,
                      uint32_t column) {
  const double *pivot_row = B + (size_t)row * n;
  for (uint32_t i = 0; i < rows; i++) {
    double *target = B + (size_t)i * n;
    if (row_used[i] || target[column] == 0) continue;
    double factor = target[column] / pivot_row[column];
    for (uint32_t j = 0; j < n; j++) target[j] -= factor * pivot_row[j];
    target[column] = 0;
  }
}

// Pivots among the rows before `until`, as long as there are any.
static void take_pivots(uint32_t rows, uint32_t until, uint32_t n, double *B, bool *row_used,
                        bool *column_used, Pivots *p) {
  while (p->rank < rows && p->rank < n) {
    uint32_t row = 0, column = 0;
    double size = find_pivot(until, n, B, row_used, column_used, &row, &column);
    if (!(size > VANISHED)) {
      p->next = fmax(p->next, size);
      break;
    }
    p->worst = fmin(p->worst, size);
    row_used[row] = true, column_used[column] = true;
    eliminate(rows, n, B, row_used, row, column);
    p->row[p->rank] = row, p->column[p->rank++] = column;
  }
}

// kept: columns that must not become dependent. The first rows are exhausted before others.
static Pivots find_pivots(Arena *arena, uint32_t first, uint32_t rows, uint32_t n, double *B,
                          const bool *kept) {
  Pivots p = {.row = arena_array(arena, uint32_t, rows + 1),
              .column = arena_array(arena, uint32_t, rows + 1),
              .worst = 1};
  bool *row_used = arena_array(arena, bool, rows + 1);
  bool *column_used = arena_array(arena, bool, n + 1);
  memcpy(column_used, kept, n * sizeof *kept);
  take_pivots(rows, first, n, B, row_used, column_used, &p);
  if (first < rows) take_pivots(rows, rows, n, B, row_used, column_used, &p);
  return p;
}

// How far the columns before `kept` were respected: the rank without any request.
static uint32_t rank_of(Arena *arena, uint32_t rows, uint32_t n, const double *A,
                        const double *scale) {
  Mark mark = arena_mark(arena);
  bool *none = arena_array(arena, bool, n + 1);
  uint32_t rank =
      find_pivots(arena, rows, rows, n, scaled_copy(arena, rows, n, A, scale), none).rank;
  arena_release(arena, mark);
  return rank;
}

// The dependent positions and the rows that make them so.
static bool choose_positions(Arena *arena, const RowNumbers *in, const bool *kept,
                             Independent *out) {
  Pivots p = find_pivots(arena, in->positions, in->holonomic, in->n,
                         scaled_copy(arena, in->holonomic, in->n, in->Phi_q, in->scale), kept);
  out->worst = p.worst, out->next = p.next;
  bool *dependent = arena_array(arena, bool, in->n + 1);
  for (uint32_t k = 0; k < p.rank; k++) {
    out->y[k] = p.column[k], out->rows[k] = p.row[k];
    dependent[p.column[k]] = true;
  }
  for (uint32_t j = 0; j < in->n; j++)
    if (!dependent[j]) out->z[out->p++] = j;
  return p.rank == rank_of(arena, in->holonomic, in->n, in->Phi_q, in->scale);
}

// Rows of A (count x n) as functions of z: A R, with R = -Phi_y^-1 Phi_z below the unit matrix.
static double *by_independent(Arena *arena, const RowNumbers *in, const Independent *c,
                              uint32_t count, const double *A) {
  uint32_t n = in->n, r = n - c->p, p = c->p;
  // eliminate the dependent columns of [Phi; A] by the kept holonomic rows
  double *B = arena_array(arena, double, (size_t)(r + count) * n + 1);
  for (uint32_t k = 0; k < r; k++)
    memcpy(B + (size_t)k * n, in->Phi_q + (size_t)c->rows[k] * n, n * sizeof *B);
  memcpy(B + (size_t)r * n, A, (size_t)count * n * sizeof *B);
  for (uint32_t k = 0; k < r; k++) {
    for (uint32_t i = k + 1; i < r + count; i++) {
      double factor = B[(size_t)i * n + c->y[k]] / B[(size_t)k * n + c->y[k]];
      for (uint32_t j = 0; j < n; j++) B[(size_t)i * n + j] -= factor * B[(size_t)k * n + j];
    }
  }
  double *out = arena_array(arena, double, (size_t)count *p + 1);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < p; j++) out[(size_t)i * p + j] = B[(size_t)(r + i) * n + c->z[j]];
  return out;
}

// The dependent velocities among z; z is reordered so that the independent ones come first.
static bool choose_velocities(Arena *arena, const RowNumbers *in, const bool *kept,
                              Independent *c) {
  uint32_t p = c->p, count = in->nonholonomic;
  double *N = by_independent(arena, in, c, count, in->Phi_q + (size_t)in->holonomic * in->n);
  double *scale = arena_array(arena, double, p + 1);
  bool *kept_z = arena_array(arena, bool, p + 1);
  for (uint32_t j = 0; j < p; j++) scale[j] = in->scale[c->z[j]], kept_z[j] = kept[c->z[j]];
  Pivots v = find_pivots(arena, count, count, p, scaled_copy(arena, count, p, N, scale), kept_z);
  uint32_t rank = rank_of(arena, count, p, N, scale);
  c->f = p - v.rank;
  c->worst = fmin(c->worst, v.worst), c->next = fmax(c->next, v.next);
  bool *dependent = arena_array(arena, bool, p + 1);
  for (uint32_t k = 0; k < v.rank; k++) {
    dependent[v.column[k]] = true;
    c->rows[in->n - p + k] = in->holonomic + v.row[k];
  }
  uint32_t *z = arena_array(arena, uint32_t, p + 1), at = 0;
  for (uint32_t j = 0; j < p; j++)
    if (!dependent[j]) z[at++] = c->z[j];
  for (uint32_t k = 0; k < v.rank; k++) z[at++] = c->z[v.column[k]];
  memcpy(c->z, z, p * sizeof *z);
  return v.rank == rank;
}

Status independent_choose(Arena *arena, const RowNumbers *in, const uint32_t *wished,
                          uint32_t wished_count, Independent *out) {
  uint32_t n = in->n;
  *out = (Independent){.n = n};
  out->z = arena_array(arena, uint32_t, n + 1);
  out->y = arena_array(arena, uint32_t, n + 1);
  out->rows = arena_array(arena, uint32_t, n + 1);
  bool *kept = arena_array(arena, bool, n + 1);
  for (uint32_t k = 0; k < wished_count; k++) kept[wished[k]] = true;
  bool good = choose_positions(arena, in, kept, out);
  out->f = out->p;
  // a request for all p positions says nothing about velocities
  if (wished_count == out->p) memset(kept, 0, n * sizeof *kept);
  if (in->nonholonomic) good = choose_velocities(arena, in, kept, out) && good;
  // as the user ordered them
  if (good && wished_count > 0 && wished_count == out->f)
    memcpy(out->z, wished, wished_count * sizeof *wished);
  return good ? QDOT_OK : QDOT_SINGULAR;
}
