// Do the options of a run make sense together?
#include "engine/run_options.h"

#include <math.h>

static const char *const stabilize_names[] = {[STABILIZE_PROJECT] = "projection",
                                              [STABILIZE_BAUMGARTE] = "baumgarte",
                                              [STABILIZE_PARTITIONING] = "partitioning",
                                              [STABILIZE_NONE] = "none"};

const char *sim_stabilize_name(Stabilize stabilize) { return stabilize_names[stabilize]; }

// Of times in s and of tolerances; beyond, their squares and shares have no value.
static const double LEAST_VALUE = 1e-100, MOST_VALUE = 1e100;

static Status check_positive(Context *cx, double value, const char *what) {
  if (value >= LEAST_VALUE && value <= MOST_VALUE) return QDOT_OK;
  if (value > 0 && isfinite(value))
    return diag_error_plain(cx, QDOT_BAD_VALUE, "%s must lie between %g and %g, not be %g", what,
                            LEAST_VALUE, MOST_VALUE, value);
  return diag_error_plain(cx, QDOT_BAD_VALUE, "%s must be greater than 0, not %g", what, value);
}

Status sim_check_options(Context *cx, const SimOptions *o) {
  const MethodOptions *m = &o->method;
  const struct {
    double value;
    const char *what;
  } values[] = {{o->t_end, "the end of the simulation"},
                {o->every, "the time between rows"},
                {m->rtol, "rtol"},
                {m->step, "the step"}};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    Status status = check_positive(cx, values[i].value, values[i].what);
    if (status != QDOT_OK) return status;
  }
  if (m->rtol < 1e-15)
    return diag_error_plain(cx, QDOT_BAD_VALUE,
                            "rtol = %g is finer than double precision allows; the minimum is 1e-15",
                            m->rtol);
  if (m->rtol >= 1)
    return diag_error_plain(cx, QDOT_BAD_VALUE, "rtol = %g is not a tolerance; it must be below 1",
                            m->rtol);
  if (!(m->atol >= 0 && isfinite(m->atol)))
    return diag_error_plain(cx, QDOT_BAD_VALUE, "atol must be 0 or greater, not %g", m->atol);
  if (m->rho > 1)
    return diag_error_plain(cx, QDOT_BAD_VALUE, "rho must lie between 0 and 1, not %g", m->rho);
  if (m->order != 2 && m->order != 4 && m->order != 6 && m->order != 8)
    return diag_error_plain(cx, QDOT_BAD_VALUE, "order must be 2, 4, 6 or 8, not %g", m->order);
  if (o->t_end / o->every > 1e9)
    return diag_error_plain(cx, QDOT_TOO_LARGE, "%.3g rows are too many; the limit is 1e9",
                            o->t_end / o->every);
  return QDOT_OK;
}
