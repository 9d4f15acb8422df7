// Newton's iteration with a factor that is kept while it converges.
#include "solve/algebra/newton.h"

#include <math.h>

static Status refresh(Newton *newton, const double *x) {
  newton->factors++;
  Status status = newton->factor(newton->user, x);
  newton->factored = status == QDOT_OK;
  return status;
}

// Changes this small that no longer shrink are rounding.
static bool is_rounding(double size, double before) { return size < 1e-9 && size > 0.5 * before; }

Status newton_solve(Newton *newton, double *x) {
  double before = INFINITY;
  bool fresh = false;
  for (int round = 0; round < newton->most_rounds; round++) {
    Status status = newton->residual(newton->user, x, newton->r);
    if (status == QDOT_OK && !newton->factored) {
      status = refresh(newton, x);
      fresh = true;
    }
    if (status != QDOT_OK) return status;
    newton->solve(newton->user, newton->r);
    double size = newton->size(newton->user, newton->r, x);
    newton->rounds++;
    if (!isfinite(size)) return QDOT_NO_CONVERGENCE;
    if (is_rounding(size, before)) return QDOT_OK;
    // slow: the factor is from too far away; growing with a fresh one: no hope
    if (size > 0.3 * before) {
      if (fresh && size > 10 * before) return QDOT_NO_CONVERGENCE;
      newton->factored = fresh = false;
    }
    for (int i = 0; i < newton->n; i++) x[i] -= newton->r[i];
    if (size <= newton->tolerance || newton->linear) return QDOT_OK;
    before = size;
  }
  return QDOT_NO_CONVERGENCE;
}
