// The pass over the rows: every curve of every chart takes its points.
#include <math.h>

#include "chart/plot_plan.h"

static void take_time(PlannedCurve *curve, double t, double y) {
  if (isfinite(y) && curve->seen == 0) curve->first = (Point){t, y};
  if (isfinite(y)) {
    if (curve->seen++ == 0) curve->low = curve->high = y;
    curve->low = fmin(curve->low, y), curve->high = fmax(curve->high, y);
  }
  if (curve->is_from_start) y -= curve->first.y;
  if (curve->is_wrapped) {
    y = remainder(y, 2 * M_PI);
    // The line breaks where the angle jumps from one edge to the other.
    if (curve->seen > 1 && fabs(y - curve->last.y) > M_PI) thinner_add(&curve->thinner, t, NAN);
  }
  curve->last = (Point){t, y};
  thinner_add(&curve->thinner, t, y);
}

static void take_path(PlannedCurve *curve, double x, double y) {
  path_thinner_add(&curve->path, x, y);
  if (!isfinite(x) || !isfinite(y)) return;
  if (curve->seen++ == 0) curve->first = (Point){x, y};
  curve->last = (Point){x, y};
}

static void take(PlannedCurve *curve, const double *values) {
  double t = values[0];
  switch (curve->kind) {
  case COLLECT_TIME: take_time(curve, t, values[curve->y]); break;
  case COLLECT_PATH: take_path(curve, values[curve->x], values[curve->y]); break;
  case COLLECT_SPECTRUM: samples_add(&curve->samples, t, values[curve->y]); break;
  }
}

void plan_collect(PlotPlan *plan, double *begin, double *end) {
  Context *cx = plan->cx;
  VEC(PlannedCurve *) curves = {0};
  for (uint32_t i = 0; i < plan->charts.n; i++)
    for (uint32_t k = 0; k < plan->charts.at[i].panels.n; k++) {
      PlannedPanel *panel = &plan->charts.at[i].panels.at[k];
      for (uint32_t m = 0; m < panel->curves.n; m++)
        vec_push(plan->arena, &curves, &panel->curves.at[m]);
    }
  double *values = arena_array(plan->arena, double, plan->signals.n);
  Sampler sampler;
  sampler_open(&sampler, cx, plan->recording, plan->signals.at, plan->signals.n);
  const RowSource *rows = &plan->recording->rows;
  rows->rewind(rows->user);
  *begin = INFINITY, *end = -INFINITY;
  uint64_t count = 0;
  for (const double *row; (row = rows->next(rows->user));) {
    if (++count % 65536 == 0) context_poll(cx);
    sampler_read(&sampler, row, values);
    *begin = fmin(*begin, values[0]), *end = fmax(*end, values[0]);
    for (uint32_t i = 0; i < curves.n; i++) take(curves.at[i], values);
  }
  sampler_close(&sampler);
}
