// Curves through points, as tables.
#ifndef QDOT_EXPR_SPLINE_H
#define QDOT_EXPR_SPLINE_H

#include "expr/table_store.h"

typedef struct Spline {
  bool is_cubic;    // twice differentiable; without it straight lines between the points
  bool is_periodic; // the last point is the first one again
} Spline;

// A table through n >= 2 points with ascending x. Cubic pieces are those of the spline whose first
// two pieces, and whose last two, are one polynomial (not-a-knot); of a periodic one, value, slope
// and bend are the same at both ends.
TableId table_through(Context *cx, uint32_t n, const double *x, const double *y, Spline kind);
// Straight lines, level outside.
TableId table_linear(Context *cx, uint32_t n, const double *x, const double *y);

#endif
