// L U of a matrix that is full between the first entry of each row and its diagonal, and of the
// same shape above it: what is left of a sparse one whose unknowns stand near those they are tied
// to.
#ifndef QDOT_SOLVE_ALGEBRA_SKYLINE_H
#define QDOT_SOLVE_ALGEBRA_SKYLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

typedef struct Skyline {
  int n;
  int *start;            // by row: the first column with an entry, and of the column the first row
  size_t *at;            // where these stand
  double *lower, *upper; // rows below and columns above the diagonal,
  double *diagonal;      // and what is on it; behind factoring, 1 by that
  int room;              // in the arena: rows,
  size_t entries;        // and what they hold
} Skyline;

// n rows that start there (start[i] <= i), all zero but the first `kept`, which are as before; room
// is taken from the arena where what there is does not do.
void skyline_shape(Skyline *skyline, Arena *arena, int n, const int *start, int kept);
// Entry (i, j), inside of the shape.
static inline void skyline_add(Skyline *s, int i, int j, double value) {
  if (i == j)
    s->diagonal[i] += value;
  else if (j < i)
    s->lower[s->at[i] + (size_t)(j - s->start[i])] += value;
  else
    s->upper[s->at[j] + (size_t)(i - s->start[j])] += value;
}
// In place, without exchanges of rows; false when a pivot is within `relative` of its diagonal.
// The first `kept` rows are factors already.
bool skyline_factor(Skyline *skyline, double relative, int kept);
void skyline_solve(const Skyline *skyline, double *b);

#endif
