// The least value of a smooth function within bounds, under smooth conditions. The only user of
// NLopt.
#ifndef QDOT_ASK_NONLINEAR_H
#define QDOT_ASK_NONLINEAR_H

#include <stdbool.h>
#include <stdint.h>

// All is scaled by who asks: unknowns lie between 0 and 1, values are of the order of 1.
typedef struct Nonlinear {
  uint32_t n, equal, below; // unknowns; conditions c = 0, then conditions c <= 0
  void *user;
  // The value at x, its gradient (n), the conditions and their slopes (conditions x n). False: end
  // the search.
  bool (*evaluate)(void *user, const double *x, double *value, double *gradient, double *conditions,
                   double *slopes);
  uint32_t most; // evaluations
  double near;   // changes of x that count
} Nonlinear;

// Was NLopt there when this was built?
bool nonlinear_exists(void);
// From x, which becomes what it was led to; false where memory was short. The caller keeps what was
// best on the way.
bool nonlinear_descend(const Nonlinear *problem, double *x);

#endif
