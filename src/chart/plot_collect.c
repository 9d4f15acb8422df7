// The pass over the rows: every curve of every chart takes its points.
#include <math.h>

#include "chart/plot_plan.h"

enum { MOST_JUMPS = 400 };

// Two rows at one time: the curve breaks, and what it leaps over is drawn apart.
static void take_jump(PlannedCurve *curve, double t, double y) {
  ChartJump jump = {curve->last, {t, y}};
  if (curve->seen < 2 || curve->last.x != t || curve->last.y == y || curve->turn > 0) return;
  if (!isfinite(jump.from.y) || !isfinite(y) || curve->jumps.n >= MOST_JUMPS) return;
  vec_push(curve->thinner.arena, &curve->jumps, jump);
  thinner_add(&curve->thinner, t, NAN);
}

static void take_time(PlannedCurve *curve, double t, double y) {
  if (isfinite(y) && curve->seen == 0) curve->first = (Point){t, y};
  if (isfinite(y)) {
    if (curve->seen++ == 0) curve->low = curve->high = y;
    curve->low = fmin(curve->low, y), curve->high = fmax(curve->high, y);
  }
  if (curve->is_from_start) y -= curve->first.y;
  if (curve->turn > 0) {
    y = remainder(y, curve->turn);
    // The line breaks where the angle jumps from one edge to the other.
    if (curve->seen > 1 && fabs(y - curve->last.y) > curve->turn / 2) {
      thinner_add(&curve->thinner, t, NAN);
      curve->wraps++;
    }
  }
  take_jump(curve, t, y);
  curve->last = (Point){t, y};
  thinner_add(&curve->thinner, t, y);
}

static void take_path(PlannedCurve *curve, double t, double x, double y) {
  bool is_finite = isfinite(x) && isfinite(y), is_at_once = curve->seen > 0 && t == curve->last_t;
  bool moves = x != curve->last.x || y != curve->last.y;
  if (is_finite && is_at_once && moves && curve->jumps.n < MOST_JUMPS) {
    ChartJump jump = {curve->last, {x, y}};
    vec_push(curve->path.arena, &curve->jumps, jump);
    path_thinner_add(&curve->path, NAN, NAN);
  }
  path_thinner_add(&curve->path, x, y);
  if (!is_finite) return;
  curve->last_t = t;
  if (curve->seen++ == 0) curve->first = (Point){x, y};
  curve->last = (Point){x, y};
}

static void take(PlannedCurve *curve, const double *values) {
  double t = values[0];
  switch (curve->kind) {
  case COLLECT_TIME: take_time(curve, t, values[curve->y]); break;
  case COLLECT_PATH: take_path(curve, t, values[curve->x], values[curve->y]); break;
  case COLLECT_SPECTRUM: samples_add(&curve->samples, t, values[curve->y]); break;
  }
}

typedef VEC(PlannedCurve *) CurveList;

static CurveList curves_of(PlotPlan *plan, bool spectra) {
  CurveList curves = {0};
  for (uint32_t i = 0; i < plan->charts.n; i++)
    for (uint32_t k = 0; k < plan->charts.at[i].panels.n; k++) {
      PlannedPanel *panel = &plan->charts.at[i].panels.at[k];
      for (uint32_t m = 0; m < panel->curves.n; m++)
        if ((panel->curves.at[m].kind == COLLECT_SPECTRUM) == spectra)
          vec_push(plan->arena, &curves, &panel->curves.at[m]);
    }
  return curves;
}

typedef struct TimeSpan {
  double begin, end;
} TimeSpan;

static TimeSpan collect(PlotPlan *plan, const Sampler *sampler, const RowSource *rows,
                        const CurveList *curves) {
  double *values = arena_array(plan->arena, double, plan->signals.n);
  TimeSpan span = {INFINITY, -INFINITY};
  uint64_t count = 0;
  rows->rewind(rows->user);
  for (const double *row; (row = rows->next(rows->user));) {
    if (++count % 65536 == 0) context_poll(plan->cx);
    sampler_read(sampler, row, values);
    span.begin = fmin(span.begin, values[0]), span.end = fmax(span.end, values[0]);
    for (uint32_t i = 0; i < curves->n; i++) take(curves->at[i], values);
  }
  return span;
}

// Spectra want equal steps of time and take the rows, everything else is drawn as it moves.
Status plan_collect(PlotPlan *plan, double *begin, double *end) {
  const Result *result = plan->result;
  CurveList spectra = curves_of(plan, true), others = curves_of(plan, false);
  Sampler sampler;
  sampler_open(&sampler, plan->cx, result, plan->signals.at, plan->signals.n);
  TimeSpan span = collect(plan, &sampler, &result->motion, &others);
  Status status = rows_status(&result->motion);
  if (status == QDOT_OK && spectra.n > 0) {
    collect(plan, &sampler, &result->rows, &spectra);
    status = rows_status(&result->rows);
  }
  sampler_close(&sampler);
  *begin = span.begin, *end = span.end;
  return status;
}
