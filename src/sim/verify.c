// A second run at a tenth of the tolerance.
#include "sim/verify.h"

#include <math.h>

#include "base/text.h"
#include "engine/run/monitor.h"

enum { LEVELS = 160, LEAST_LEVEL = -120 }; // powers of two of a difference

typedef struct Comparison {
  FirstRun first;
  const System *system;
  uint32_t n; // coordinates, in columns 1 .. n, and states, behind the velocities
  double *largest, *difference;
  double *since; // n x LEVELS: when the difference first reached that power of two
} Comparison;

static uint32_t column_of(const Comparison *c, uint32_t i) {
  return 1 + i + (i < c->system->n ? 0 : c->system->n);
}

static void note_difference(Comparison *c, uint32_t i, double t, double difference) {
  if (!(difference > c->difference[i])) return;
  c->difference[i] = difference;
  int level = ilogb(difference) - LEAST_LEVEL;
  double *since = c->since + (size_t)i * LEVELS;
  for (int k = level < LEVELS ? level : LEVELS - 1; k >= 0 && since[k] == INFINITY; k--)
    since[k] = t;
}

static Status compare_row(void *user, const double *values, uint32_t count) {
  Comparison *c = user;
  (void)count;
  // the first run may have rows at events between those of the grid
  const double *other = c->first.next(c->first.user);
  while (other && other[0] < values[0]) other = c->first.next(c->first.user);
  if (!other) return QDOT_OK;
  for (uint32_t i = 0; i < c->n; i++) {
    uint32_t at = column_of(c, i);
    c->largest[i] = fmax(c->largest[i], fabs(values[at]));
    note_difference(c, i, values[0], fabs(values[at] - other[at]));
  }
  return QDOT_OK;
}

// Where the energy balance is good and the motions part all the same, neighbours part: no tolerance
// helps for long.
static Remark advice(const SimOptions *o, double t_apart, const SimSummary *summary) {
  bool good_steps = !(summary->energy_drift > monitor_limit(&o->method));
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

static Dimension dimension_of(const Comparison *c, uint32_t i) {
  const Model *model = c->system->model;
  uint32_t n = c->system->n;
  return i < n ? model->coordinates.at[i].measure.dimension
               : model->states.at[i - n].measure.dimension;
}

// How large a coordinate or state grows. What stays at rounding is measured by others of its kind,
// an angle by a radian.
static double size_of(const Comparison *c, uint32_t i) {
  Dimension own = dimension_of(c, i);
  double kin = i < c->system->n && dimension_is_equal(own, dimension_pure()) ? 1 : 0;
  for (uint32_t k = 0; k < c->n; k++)
    if (dimension_is_equal(dimension_of(c, k), own)) kin = fmax(kin, c->largest[k]);
  return fmax(c->largest[i], 1e-6 * kin);
}

// When a coordinate or state first differed by that much, to a factor of two below; infinite where
// never.
static double time_of(const Comparison *c, uint32_t i, double difference) {
  if (!(c->difference[i] > difference)) return INFINITY;
  int level = ilogb(difference) - LEAST_LEVEL;
  level = level < 0 ? 0 : level >= LEVELS ? LEVELS - 1 : level;
  return c->since[(size_t)i * LEVELS + (size_t)level];
}

static Comparison comparison_new(Context *cx, const System *system, FirstRun first) {
  uint32_t n = system->n + system->states;
  Comparison c = {.first = first, .system = system, .n = n};
  c.largest = arena_array(&cx->keep, double, n);
  c.difference = arena_array(&cx->keep, double, n);
  c.since = arena_array(&cx->keep, double, (size_t)n *LEVELS);
  for (size_t i = 0; i < (size_t)n * LEVELS; i++) c.since[i] = INFINITY;
  return c;
}

Status sim_verify(Context *cx, System *system, const SimOptions *options, FirstRun first,
                  SimSummary *summary) {
  Comparison c = comparison_new(cx, system, first);
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
  double worst = 0, t_apart = INFINITY;
  for (uint32_t i = 0; i < c.n; i++) {
    double size = size_of(&c, i);
    if (size == 0) continue;
    worst = fmax(worst, c.difference[i] / size);
    t_apart = fmin(t_apart, time_of(&c, i, VERIFY_APART * size));
  }
  summary->verified = worst;
  summary->holds_until = isfinite(t_apart) ? t_apart : NAN;
  judge(options, t_apart, summary);
  return QDOT_OK;
}

bool verify_is_cheap(const System *s, const SimSummary *first) {
  const double most = 60000; // evaluations of a small system, a tenth of a second and less
  double size = s->n + s->states + s->row_count + s->contact_count;
  double each = 1 + size * size / 100 + 5 * s->model->presses.n;
  double times = first->fixed_step ? 10 : 1.5;
  return times * each * (double)first->evaluations + 20.0 * first->events.n <= most;
}
