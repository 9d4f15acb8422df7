// Histograms of the measures under tolerances.
#include "chart/ask/tolerance_chart.h"

#include <math.h>

#include "print/gnuplot_text.h"
#include "print/measure_text.h"

enum { MOST_BINS = 60, MOST_PANELS = 6 };

// As many bins as the root of the number of values.
static uint32_t bin_count(uint32_t values) {
  uint32_t bins = (uint32_t)ceil(sqrt(values));
  return bins < 5 ? 5 : bins > MOST_BINS ? MOST_BINS : bins;
}

// Upright sides and flat tops, in percent of the runs.
static void add_histogram(Arena *arena, ChartPanel *panel, const Distribution *d) {
  uint32_t bins = bin_count(d->count), at = 0;
  double width = (d->most - d->least) / bins;
  ChartCurve curve = chart_curve(arena, 2 * bins + 2, CURVE_AREA, NULL, 0);
  chart_add_point(panel, &curve, d->least, 0);
  for (uint32_t i = 0; i < bins; i++) {
    double from = d->least + i * width, to = i + 1 == bins ? d->most : from + width;
    uint32_t first = at;
    while (at < d->count && (i + 1 == bins || d->sorted[at] < to)) at++;
    double share = 100.0 * (at - first) / d->count;
    chart_add_point(panel, &curve, from, share);
    chart_add_point(panel, &curve, to, share);
  }
  chart_add_point(panel, &curve, d->most, 0);
  panel->range.high_y *= 1.06; // the highest stands free
  vec_push(arena, &panel->curves, curve);
}

Chart tolerance_chart(const Tolerance *t) {
  Context *cx = t->cx;
  Arena *arena = &cx->scratch;
  Chart chart = {.name = "tolerance",
                 .description = "Histograms of the measures under tolerances of parameters.",
                 .columns = 1};
  const char *const *units = measure_units(cx, t->model);
  for (uint32_t k = 0; k < t->distributions.n && chart.panels.n < MOST_PANELS; k++) {
    const Distribution *d = &t->distributions.at[k];
    if (d->count < 2 || !(d->most > d->least)) continue;
    const char *name = symbol_text(cx, t->model->requests.measurements.at[d->measure].name);
    ChartPanel panel =
        chart_panel(markup_from_name(cx, arena, name), units[d->measure], "runs", "%");
    panel.starts_at_zero = true;
    add_histogram(arena, &panel, d);
    extent_include(&panel.range, (Point){d->nominal, 0});
    ChartLine nominal = {d->nominal, "nominal"};
    vec_push(arena, &panel.lines, nominal);
    vec_push(arena, &chart.panels, panel);
  }
  return chart;
}
