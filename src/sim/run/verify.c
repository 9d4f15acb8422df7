// A second run at a tenth of the tolerance.
#include "sim/run/verify.h"

#include <math.h>

#include "base/text.h"
#include "sim/run/monitor.h"

typedef struct Comparison {
  FirstRun first;
  uint32_t n; // coordinates, in columns 1 .. n
  double *largest, *difference;
  double t_apart; // when the two runs first differed by APART of a coordinate's size; else infinite
} Comparison;

static const double APART = 1e-3;

static Status compare_row(void *user, const double *values, uint32_t count) {
  Comparison *c = user;
  (void)count;
  // the first run may have rows at events between those of the grid
  const double *other = c->first.next(c->first.user);
  while (other && other[0] < values[0]) other = c->first.next(c->first.user);
  if (!other) return QDOT_OK;
  for (uint32_t i = 0; i < c->n; i++) {
    c->largest[i] = fmax(c->largest[i], fabs(values[1 + i]));
    c->difference[i] = fmax(c->difference[i], fabs(values[1 + i] - other[1 + i]));
    if (c->difference[i] > APART * c->largest[i]) c->t_apart = fmin(c->t_apart, values[0]);
  }
  return QDOT_OK;
}

// Where the energy balance is good and the motions part all the same, neighbours part: no tolerance
// helps for long.
static Remark advice(const SimOptions *o, double t_apart, const SimSummary *summary) {
  bool good_steps = summary->energy_drift <= monitor_limit(&o->method);
  if (!good_steps || !isfinite(t_apart) || method_get(o->method.method)->fixed_step)
    return monitor_advice(&o->method);
  return (Remark){REMARK_NEIGHBOURS_PART, {t_apart}};
}

static void judge(const SimOptions *o, double t_apart, SimSummary *summary) {
  double limit = monitor_limit(&o->method);
  if (!(summary->verified > limit) || remark_is_made(&summary->distrust)) return;
  bool fixed = method_get(o->method.method)->fixed_step;
  summary->distrust = (Remark){fixed ? REMARK_VERIFY_STEP : REMARK_VERIFY_TOL, {summary->verified}};
  summary->advice = advice(o, t_apart, summary);
}

// How large a coordinate grows; what stays at rounding beside others of its kind is measured by
// them.
static double size_of(const Comparison *c, const Model *model, uint32_t i) {
  double kin = 0;
  for (uint32_t k = 0; k < c->n; k++)
    if (dimension_is_equal(model->coordinates.at[k].measure.dimension,
                           model->coordinates.at[i].measure.dimension))
      kin = fmax(kin, c->largest[k]);
  return fmax(c->largest[i], 1e-6 * kin);
}

Status sim_verify(Context *cx, System *system, const SimOptions *options, FirstRun first,
                  SimSummary *summary) {
  Comparison c = {.first = first, .n = system->n, .t_apart = INFINITY};
  c.largest = arena_array(&cx->keep, double, c.n);
  c.difference = arena_array(&cx->keep, double, c.n);
  SimOptions sharper = *options;
  sharper.method.rtol = fmax(options->method.rtol / 10, 1e-15);
  sharper.method.atol = options->method.atol / 10;
  sharper.method.step = options->method.step / 10;
  sharper.checkpoint = NULL;
  sharper.resume = sharper.event_rows = false;
  sharper.progress = NULL;
  sharper.is_repeated = true;
  RowSink sink = {.user = &c, .row = compare_row};
  SimSummary second;
  Status status = sim_run(cx, system, &sharper, &sink, &second);
  if (status != QDOT_OK || second.stopped) return status;
  double worst = 0;
  for (uint32_t i = 0; i < c.n; i++) {
    double size = size_of(&c, system->model, i);
    if (size > 0) worst = fmax(worst, c.difference[i] / size);
  }
  summary->verified = worst;
  judge(options, c.t_apart, summary);
  return QDOT_OK;
}
