// Runs a method on a problem from one time to another.
#ifndef QDOT_TESTS_INTEGRATE_H
#define QDOT_TESTS_INTEGRATE_H

#include "solve/method.h"
#include "support/check.h"

typedef struct Ending {
  Status status;
  double t, q[128], qd[128], w[4];
  long steps, rejected, evaluations;
  double worst_dense; // largest |dense - reference| seen, see integrate_watch
} Ending;

// From (0, q, qd) to t_end; the ending has what was reached.
Ending integrate(Context *cx, const Problem *problem, const MethodOptions *options, const double *q,
                 const double *qd, double t_end);

// The same, and |dense state - reference(t)| at `probes` places inside every step.
Ending integrate_watch(Context *cx, const Problem *problem, const MethodOptions *options,
                       const double *q, const double *qd, double t_end, int probes,
                       void (*reference)(double t, double *q, double *qd));

MethodOptions with_tolerance(MethodId method, double tolerance);
MethodOptions with_step(MethodId method, double step);

#endif
