// Runs a method on a problem from one time to another.
#include "support/integrate.h"

#include <math.h>
#include <string.h>

static void probe(Stepper *s, int probes, void (*reference)(double, double *, double *),
                  Ending *ending) {
  double y[260], q[128], qd[128];
  for (int i = 1; i <= probes; i++) {
    double t = s->t_old + (s->t - s->t_old) * i / (probes + 1);
    assert_int_equal(stepper_dense(s, t, y), QDOT_OK);
    reference(t, q, qd);
    for (int j = 0; j < s->n; j++) {
      ending->worst_dense = fmax(ending->worst_dense, fabs(y[j] - q[j]));
      ending->worst_dense = fmax(ending->worst_dense, fabs(y[s->n + j] - qd[j]));
    }
  }
}

Ending integrate_watch(Context *cx, const Problem *problem, const MethodOptions *options,
                       const double *q, const double *qd, double t_end, int probes,
                       void (*reference)(double t, double *q, double *qd)) {
  Mark mark = arena_mark(&cx->scratch);
  Ending ending = {0};
  Stepper *s;
  ending.status = stepper_open(&cx->scratch, problem, options, &s);
  if (ending.status == QDOT_OK) ending.status = stepper_start(s, 0, q, qd, NULL);
  while (ending.status == QDOT_OK && s->t < t_end) {
    ending.status = stepper_step(s, t_end);
    if (ending.status == QDOT_OK && probes > 0) probe(s, probes, reference, &ending);
  }
  ending.t = s->t;
  memcpy(ending.q, s->y, (size_t)s->n * sizeof(double));
  memcpy(ending.qd, s->y + s->n, (size_t)s->n * sizeof(double));
  memcpy(ending.w, s->y + 2 * s->n, (size_t)problem->quadratures * sizeof(double));
  ending.steps = s->steps;
  ending.rejected = s->rejected;
  ending.evaluations = s->dynamics.evaluations;
  stepper_close(s);
  arena_release(&cx->scratch, mark);
  return ending;
}

Ending integrate(Context *cx, const Problem *problem, const MethodOptions *options, const double *q,
                 const double *qd, double t_end) {
  return integrate_watch(cx, problem, options, q, qd, t_end, 0, NULL);
}

MethodOptions with_tolerance(MethodId method, double tolerance) {
  MethodOptions options = method_defaults();
  options.method = method;
  options.rtol = options.atol = tolerance;
  return options;
}

MethodOptions with_step(MethodId method, double step) {
  MethodOptions options = method_defaults();
  options.method = method;
  options.step = step;
  return options;
}
