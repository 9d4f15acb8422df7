// Linear conditions for unknown coefficients, solved at random states; solutions as expressions.
#ifndef QDOT_DERIVE_ROADS_COEFFICIENTS_H
#define QDOT_DERIVE_ROADS_COEFFICIENTS_H

#include "derive/roads/trial.h"

typedef struct Solution {
  double *A;
  bool *is_free;
  uint32_t *pivot_row;
  bool is_good; // false where states had no values
} Solution;

// What is to be solved: `rows_at` scatters the trial and writes rows x count numbers; false where
// the state has no values.
typedef struct Coefficients {
  Context *cx;
  const Model *model;
  Trial trial;
  uint32_t count, rows;
  uint32_t full_rows; // of these, so many are not zero for any reason of structure
  bool (*rows_at)(void *problem, double *A);
  void *problem;
  Solution first;
  Solution *doubled; // by parameter, that one doubled; NULL until asked for
} Coefficients;

void coefficients_solve(Coefficients *c);
static inline bool coefficients_is_free(const Coefficients *c, uint32_t k) {
  return c->first.is_good && c->first.is_free[k];
}
// The solution of a free unknown: products of parameters with rational factors, 0 for the number 0.
// NULL where an entry is no such product. In the scratch arena.
Expr *coefficients_vector(Coefficients *c, uint32_t free);

#endif
