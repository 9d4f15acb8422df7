// A square linear system that may be singular: equilibrated LU, least norm where that fails.
#ifndef QDOT_SOLVE_ALGEBRA_LINEAR_H
#define QDOT_SOLVE_ALGEBRA_LINEAR_H

#include "solve/algebra/svd.h"

typedef struct Linear {
  int n;
  double *A;              // fill it (row-major), then factor
  double *rows, *columns; // the equilibration
  int *pivot;
  bool deficient; // solved by least norm
  int rank;
  double *room;
  Svd *svd;
} Linear;

void linear_open(Linear *linear, Arena *arena, int n);
// QDOT_UNDEFINED when an entry is not finite.
Status linear_factor(Linear *linear);
void linear_solve(Linear *linear, double *b);

#endif
