// Gauss and Jordan, columns in their order, rows exchanged.
#include "derive/roads/nullspace.h"

#include <math.h>

static void scale_row(double *row, uint32_t n) {
  double most = 0;
  for (uint32_t j = 0; j < n; j++) most = fmax(most, fabs(row[j]));
  for (uint32_t j = 0; most > 0 && j < n; j++) row[j] /= most;
}

static uint32_t largest_below(const double *A, uint32_t rows, uint32_t columns, uint32_t from,
                              uint32_t column) {
  uint32_t best = from;
  for (uint32_t i = from + 1; i < rows; i++)
    if (fabs(A[i * columns + column]) > fabs(A[best * columns + column])) best = i;
  return best;
}

static void swap_rows(double *A, uint32_t columns, uint32_t i, uint32_t k) {
  for (uint32_t j = 0; i != k && j < columns; j++) {
    double kept = A[i * columns + j];
    A[i * columns + j] = A[k * columns + j], A[k * columns + j] = kept;
  }
}

static void clear_column(double *A, uint32_t rows, uint32_t columns, uint32_t pivot,
                         uint32_t column) {
  double *from = A + (uint64_t)pivot * columns, scale = 1 / from[column];
  for (uint32_t j = column; j < columns; j++) from[j] *= scale;
  for (uint32_t i = 0; i < rows; i++) {
    double *to = A + (uint64_t)i * columns, factor = to[column];
    if (i == pivot || factor == 0) continue;
    for (uint32_t j = column; j < columns; j++) to[j] -= factor * from[j];
  }
}

uint32_t nullspace_reduce(double *A, uint32_t rows, uint32_t columns, bool *is_free,
                          uint32_t *pivot_row) {
  for (uint32_t i = 0; i < rows; i++) scale_row(A + (uint64_t)i * columns, columns);
  uint32_t rank = 0;
  for (uint32_t column = 0; column < columns; column++) {
    uint32_t row = rank < rows ? largest_below(A, rows, columns, rank, column) : rank;
    is_free[column] = row >= rows || fabs(A[row * columns + column]) < NULLSPACE_ZERO;
    if (is_free[column]) {
      for (uint32_t i = rank; i < rows; i++) A[i * columns + column] = 0;
      continue;
    }
    swap_rows(A, columns, row, rank);
    clear_column(A, rows, columns, rank, column);
    pivot_row[column] = rank++;
  }
  return columns - rank;
}

void nullspace_vector(const double *A, uint32_t columns, const bool *is_free,
                      const uint32_t *pivot_row, uint32_t free, double *out) {
  for (uint32_t j = 0; j < columns; j++)
    out[j] = is_free[j] ? j == free : -A[pivot_row[j] * columns + free];
}
