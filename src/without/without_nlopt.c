// Without NLopt nothing is searched for.
#include "ask/nonlinear.h"

bool nonlinear_exists(void) { return false; }

bool nonlinear_descend(const Nonlinear *problem, double *x) {
  (void)problem, (void)x;
  return false;
}
