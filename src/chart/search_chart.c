// Measurements beside the motion that fits them, and what two aims cost each other.
#include "chart/search_chart.h"

#include <math.h>

#include "print/gnuplot_text.h"
#include "print/measure_text.h"

static void add_point(ChartPanel *panel, ChartCurve *curve, double x, double y) {
  if (!isfinite(x) || !isfinite(y)) return;
  curve->points.at[curve->points.n] = (Point){x, y};
  extent_include(&panel->range, curve->points.at[curve->points.n++]);
}

static ChartCurve curve_new(Arena *arena, uint32_t n, const char *label, uint32_t colour) {
  return (ChartCurve){
      .label = label, .points.at = arena_array(arena, Point, n + 1), .colour = colour};
}

Chart fit_chart(const Fit *f, uint32_t number) {
  Context *cx = f->cx;
  Arena *arena = &cx->scratch;
  const FitCurve *c = &f->curves.at[number];
  const FitFile *file = &f->request->files.at[c->file];
  const FitSignal *signal = &f->request->signals.at[c->signal];
  const char *unit = quantity_unit(arena, quantity_of_measure(&signal->measure));
  const char *label = markup_from_name(cx, arena, signal->label);
  Chart chart = {.name = number ? text_format(&cx->keep, "fit-%u", number + 1) : "fit",
                 .description =
                     "The measured values, the motion that fits them, and the residuals.",
                 .columns = 1};
  ChartPanel above = {.x_label = "t",
                      .x_unit = "s",
                      .y_label = label,
                      .y_unit = unit,
                      .range = extent_none(),
                      .height = 1.6};
  ChartPanel below = {.x_label = "t",
                      .x_unit = "s",
                      .y_label = "residual",
                      .y_unit = unit,
                      .range = extent_none(),
                      .height = 1};
  ChartCurve motion = curve_new(arena, file->rows, "motion", 0);
  ChartCurve data = curve_new(arena, file->rows, "data", 1);
  ChartCurve rest = curve_new(arena, file->rows, NULL, 1);
  for (uint32_t i = 0; i < file->rows; i++) {
    add_point(&above, &data, file->times[i], c->measured[i]);
    add_point(&above, &motion, file->times[i], c->computed[i]);
    add_point(&below, &rest, file->times[i], c->measured[i] - c->computed[i]);
  }
  vec_push(arena, &above.curves, data);
  vec_push(arena, &above.curves, motion);
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
  if (n < 2 || f->tradeoff.n < 2) return chart;
  const char *const *units = measure_units(cx, f->model);
  const Measurement *m = f->model->requests.measurements.at;
  ChartPanel panel = {.x_label = markup_from_name(cx, arena, symbol_text(cx, m[best[1]].name)),
                      .x_unit = units[best[1]],
                      .y_label = markup_from_name(cx, arena, symbol_text(cx, m[best[0]].name)),
                      .y_unit = units[best[0]],
                      .range = extent_none(),
                      .height = 1};
  ChartCurve curve = curve_new(arena, f->tradeoff.n, NULL, 0);
  for (uint32_t i = 0; i < f->tradeoff.n; i++)
    add_point(&panel, &curve, f->tradeoff.at[i].measures[best[1]],
              f->tradeoff.at[i].measures[best[0]]);
  vec_push(arena, &panel.curves, curve);
  vec_push(arena, &chart.panels, panel);
  return chart;
}
