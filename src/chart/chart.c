// Panels and curves, as those who make charts begin them.
#include "chart/chart.h"

#include <math.h>

ChartPanel chart_panel(const char *x_label, const char *x_unit, const char *y_label,
                       const char *y_unit) {
  return (ChartPanel){.x_label = x_label ? x_label : "",
                      .x_unit = x_unit ? x_unit : "",
                      .y_label = y_label ? y_label : "",
                      .y_unit = y_unit ? y_unit : "",
                      .range = extent_none(),
                      .height = 1};
}

ChartCurve chart_curve(Arena *arena, uint32_t n, CurveKind kind, const char *label,
                       uint32_t colour) {
  return (ChartCurve){.kind = kind,
                      .label = label,
                      .points.at = arena_array(arena, Point, n + 1),
                      .colour = colour};
}

void chart_add_point(ChartPanel *panel, ChartCurve *curve, double x, double y) {
  if (!isfinite(x) || !isfinite(y)) return;
  curve->points.at[curve->points.n] = (Point){x, y};
  extent_include(&panel->range, curve->points.at[curve->points.n++]);
}

void chart_edges(const double *middles, uint32_t n, uint32_t i, double edges[2]) {
  double before = i > 0 ? middles[i] - middles[i - 1] : n > 1 ? middles[1] - middles[0] : 1;
  double after = i + 1 < n ? middles[i + 1] - middles[i] : before;
  edges[0] = middles[i] - 0.5 * before, edges[1] = middles[i] + 0.5 * after;
}
