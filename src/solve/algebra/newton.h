// Newton's iteration with a factor that is kept while it converges.
#ifndef QDOT_SOLVE_ALGEBRA_NEWTON_H
#define QDOT_SOLVE_ALGEBRA_NEWTON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/guard.h"

typedef struct Newton {
  void *user;
  int n;
  Status (*residual)(void *user, const double *x, double *r);
  Status (*factor)(void *user, const double *x); // the Jacobian at x; at residual()'s last x
  void (*solve)(void *user, double *b);          // b := J^-1 b with the factor there is
  double (*size)(void *user, const double *dx, const double *x); // relative size of a change
  double tolerance;                                              // on that size
  int most_rounds;
  bool factored; // a factor from before may be used
  bool linear;   // one round is exact
  double *r;     // room, n
  int64_t rounds, factors;
} Newton;

// Changes x until a change is within the tolerance. QDOT_NO_CONVERGENCE leaves the last x.
Status newton_solve(Newton *newton, double *x);

#endif
