// Measurements beside the motion that fits them, and what two aims cost each other.
#include "chart/ask/search_chart.h"

#include <math.h>

#include "print/gnuplot_text.h"
#include "print/measure_text.h"
#include "print/units.h"

// In the unit of the data.
static UnitScale unit_of_signal(Context *cx, Arena *arena, const FitSignal *signal) {
  UnitScale scale = unit_scale(cx, arena, &signal->measure, quantity_of_measure(&signal->measure));
  Text pretty = text_new(arena);
  unit_add_pretty(&pretty, scale.unit);
  return (UnitScale){pretty.at, scale.factor};
}

Chart fit_chart(const Fit *f, uint32_t number) {
  Context *cx = f->cx;
  Arena *arena = &cx->scratch;
  const FitCurve *c = &f->curves.at[number];
  const FitFile *file = &f->request->files.at[c->file];
  const FitSignal *signal = &f->request->signals.at[c->signal];
  UnitScale unit = unit_of_signal(cx, arena, signal);
  const char *label = markup_from_name(cx, arena, signal->label);
  Chart chart = {.name = number ? text_format(&cx->keep, "fit-%u", number + 1) : "fit",
                 .description =
                     "The measured values, the motion that fits them, and the residuals.",
                 .columns = 1};
  ChartPanel above = chart_panel("t", "s", label, unit.unit);
  ChartPanel below = chart_panel("t", "s", "residual", unit.unit);
  above.height = 1.6;
  ChartCurve motion = chart_curve(arena, f->trace.n, CURVE_LINE, "motion", 0);
  ChartCurve data = chart_curve(arena, file->rows, CURVE_POINTS, "data", 1);
  ChartCurve rest = chart_curve(arena, file->rows, CURVE_IMPULSES, NULL, 1);
  for (uint32_t i = 0; i < f->trace.n && f->trace.times[i] <= file->times[file->rows - 1]; i++)
    chart_add_point(&above, &motion, f->trace.times[i],
                    f->trace.values[(size_t)i * f->curves.n + number] / unit.factor);
  for (uint32_t i = 0; i < file->rows; i++) {
    double t = file->times[i], measured = c->measured[i];
    chart_add_point(&above, &data, t, measured / unit.factor);
    chart_add_point(&below, &rest, t, (measured - c->computed[i]) / unit.factor);
  }
  extent_include(&below.range, (Point){file->times[0], 0}); // impulses begin at zero
  below.range.low_x = above.range.low_x, below.range.high_x = above.range.high_x;
  vec_push(arena, &above.curves, motion);
  vec_push(arena, &above.curves, data);
  vec_push(arena, &below.curves, rest);
  vec_push(arena, &chart.panels, above);
  vec_push(arena, &chart.panels, below);
  return chart;
}

Chart find_chart(const Find *f) {
  Context *cx = f->cx;
  Arena *arena = &cx->scratch;
  Chart chart = {.name = "find", .description = "What two aims cost each other.", .columns = 1};
  uint32_t best[2], n = 0;
  for (uint32_t i = 0; i < f->request->aims.n && n < 2; i++)
    if (f->request->aims.at[i].kind == AIM_LEAST || f->request->aims.at[i].kind == AIM_MOST)
      best[n++] = f->request->aims.at[i].measure;
  if (n < 2 || f->tradeoff.n == 0) return chart;
  const char *const *units = measure_units(cx, f->model);
  const Measurement *m = f->model->requests.measurements.at;
  ChartPanel panel =
      chart_panel(markup_from_name(cx, arena, symbol_text(cx, m[best[1]].name)), units[best[1]],
                  markup_from_name(cx, arena, symbol_text(cx, m[best[0]].name)), units[best[0]]);
  ChartCurve curve = chart_curve(arena, f->tradeoff.n, CURVE_JOINED, NULL, 0);
  for (uint32_t i = 0; i < f->tradeoff.n; i++)
    chart_add_point(&panel, &curve, f->tradeoff.at[i].measures[best[1]],
                    f->tradeoff.at[i].measures[best[0]]);
  vec_push(arena, &panel.curves, curve);
  vec_push(arena, &chart.panels, panel);
  return chart;
}
