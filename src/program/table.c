// What a table of numbers has at a place.
#include "program/table.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static double polynomial(uint32_t degree, const double *c, double d) {
  double value = c[degree];
  for (uint32_t k = degree; k-- > 0;) value = c[k] + d * value;
  return value;
}

// Values at the knots, and at the turning points of cubic pieces.
void table_find_range(TableData *t) {
  const double *c = t->pieces + t->degree + 1;
  t->low = INFINITY, t->high = -INFINITY;
  for (uint32_t i = 1; i < t->n; i++, c += t->degree + 1) {
    double width = t->x[i] - t->x[i - 1], at[4] = {0, width, 0, 0};
    int count = 2;
    double a = t->degree == 3 ? 3 * c[3] : 0, b = t->degree == 3 ? 2 * c[2] : 0;
    double root = b * b - 4 * a * c[1];
    if (a != 0 && root >= 0) {
      at[count++] = (-b + sqrt(root)) / (2 * a);
      at[count++] = (-b - sqrt(root)) / (2 * a);
    } else if (a == 0 && b != 0) {
      at[count++] = -c[1] / b;
    }
    for (int k = 0; k < count; k++) {
      double value = polynomial(t->degree, c, fmin(fmax(at[k], 0), width));
      t->low = fmin(t->low, value), t->high = fmax(t->high, value);
    }
  }
}

// How many knots are at or before x, which lies between the first and the last: where even spacing
// would put it, else by halving.
static uint32_t knots_before(const TableData *t, double x) {
  double guess = (x - t->x[0]) * t->per_spacing;
  uint32_t last = t->n - 2, i = guess > 0 ? guess < last ? (uint32_t)guess : last : 0;
  if (t->x[i] <= x && x < t->x[i + 1]) return i + 1;
  uint32_t low = t->x[i] <= x ? i : 0, high = t->x[i] <= x ? t->n - 1 : i;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (t->x[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  return low + 1;
}

double table_piece_number(const TableData *t, double x) {
  double turns = 0;
  if (t->period > 0) {
    if (!isfinite(x)) return 1;
    turns = floor((x - t->x[0]) / t->period);
    x -= turns * t->period;
    // rounding may leave it beside the period
    if (!(x > t->x[0])) x = t->x[0];
    if (x >= t->x[t->n - 1]) return (turns + 1) * (t->n - 1) + 1;
  } else {
    if (!(x >= t->x[0])) return 0;
    if (x >= t->x[t->n - 1]) return t->n;
  }
  return turns * (t->n - 1) + knots_before(t, x);
}

TablePiece table_piece(const TableData *t, double number) {
  double turns = t->period > 0 ? floor((number - 1) / (t->n - 1)) : 0, shift = turns * t->period;
  double within = number - turns * (t->n - 1);
  // so many turns that they cannot be counted
  if (t->period > 0 && !(within >= 1 && within < t->n)) within = 1;
  // of a number that a table does not have, as programs of others may make, the outermost piece
  if (t->period == 0) within = within >= t->n ? t->n : within >= 0 ? within : 0;
  uint32_t i = (uint32_t)within, first = i > 0 ? i - 1 : 0;
  assert(i <= t->n);
  TablePiece piece = {.origin = t->x[first] + shift, .has_lower = i > 0, .has_upper = i < t->n};
  memcpy(piece.c, t->pieces + (size_t)i * (t->degree + 1), (t->degree + 1) * sizeof *piece.c);
  if (piece.has_lower) piece.lower = t->x[i - 1] + shift;
  if (piece.has_upper) piece.upper = t->x[i] + shift;
  return piece;
}

double table_value(const TableData *t, TableAspect aspect, double x) {
  double number = table_piece_number(t, x);
  if (aspect == TABLE_PIECE) return number;
  if (isnan(x) || (isinf(x) && t->period > 0)) return NAN;
  TablePiece p = table_piece(t, number);
  double d = isinf(x) ? 0 : x - p.origin;
  const double *c = p.c;
  switch (aspect) {
  case TABLE_VALUE: return polynomial(t->degree, c, d);
  case TABLE_SLOPE: return t->degree == 1 ? c[1] : c[1] + d * (2 * c[2] + d * (3 * c[3]));
  case TABLE_BEND: return t->degree == 1 ? 0 : 2 * c[2] + d * (6 * c[3]);
  case TABLE_THIRD: return t->degree == 1 ? 0 : 6 * c[3];
  case TABLE_SINCE: return p.has_lower ? x - p.lower : 1;
  case TABLE_UNTIL: return p.has_upper ? x - p.upper : -1;
  default: assert(!"an aspect"); return NAN;
  }
}

double table_at_knot(const TableData *t, uint32_t i) {
  return t->pieces[((size_t)i + 1) * (t->degree + 1)];
}
