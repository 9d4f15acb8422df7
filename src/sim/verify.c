// A second run at a tenth of the tolerance.
#include "sim/verify.h"

#include <math.h>

typedef struct Comparison {
  FirstRun first;
  uint32_t n; // coordinates, in columns 1 .. n
  double *largest, *difference;
} Comparison;

static Status compare_row(void *user, const double *values, uint32_t count) {
  Comparison *c = user;
  (void)count;
  const double *other = c->first.next(c->first.user);
  if (!other) return QDOT_OK;
  for (uint32_t i = 0; i < c->n; i++) {
    c->largest[i] = fmax(c->largest[i], fabs(values[1 + i]));
    c->difference[i] = fmax(c->difference[i], fabs(values[1 + i] - other[1 + i]));
  }
  return QDOT_OK;
}

Status sim_verify(Context *cx, System *system, const SimOptions *options, FirstRun first,
                  double *difference) {
  Comparison c = {.first = first, .n = system->n};
  c.largest = arena_array(&cx->keep, double, c.n);
  c.difference = arena_array(&cx->keep, double, c.n);
  SimOptions sharper = *options;
  sharper.method.rtol = fmax(options->method.rtol / 10, 1e-15);
  sharper.method.atol = options->method.atol / 10;
  sharper.method.step = options->method.step / 10;
  sharper.checkpoint = NULL;
  sharper.resume = false;
  sharper.progress = NULL;
  RowSink sink = {.user = &c, .row = compare_row};
  SimSummary summary;
  Status status = sim_run(cx, system, &sharper, &sink, &summary);
  *difference = 0;
  for (uint32_t i = 0; i < c.n; i++)
    if (c.largest[i] > 0) *difference = fmax(*difference, c.difference[i] / c.largest[i]);
  return status;
}
