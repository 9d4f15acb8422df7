// Histograms of the measures under tolerances.
#include "chart/tolerance_chart.h"

#include <math.h>

#include "print/gnuplot_text.h"
#include "print/measure_text.h"

enum { MOST_BINS = 60, MOST_PANELS = 6 };

// As many bins as the root of the number of values.
static uint32_t bin_count(uint32_t values) {
  uint32_t bins = (uint32_t)ceil(sqrt(values));
  return bins < 5 ? 5 : bins > MOST_BINS ? MOST_BINS : bins;
}

static void add_corner(ChartPanel *panel, Points *points, double x, double y) {
  points->at[points->n] = (Point){x, y};
  extent_include(&panel->range, points->at[points->n++]);
}

// Upright sides and flat tops, in percent of the runs.
static void add_histogram(Arena *arena, ChartPanel *panel, const Distribution *d) {
  uint32_t bins = bin_count(d->count), at = 0;
  double width = (d->most - d->least) / bins;
  ChartCurve curve = {.points.at = arena_array(arena, Point, 2 * bins + 2)};
  add_corner(panel, &curve.points, d->least, 0);
  for (uint32_t i = 0; i < bins; i++) {
    double from = d->least + i * width, to = i + 1 == bins ? d->most : from + width;
    uint32_t first = at;
    while (at < d->count && (i + 1 == bins || d->sorted[at] < to)) at++;
    double share = 100.0 * (at - first) / d->count;
    add_corner(panel, &curve.points, from, share);
    add_corner(panel, &curve.points, to, share);
  }
  add_corner(panel, &curve.points, d->most, 0);
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
    ChartPanel panel = {.x_label = markup_from_name(cx, arena, name),
                        .x_unit = units[d->measure],
                        .y_label = "runs",
                        .y_unit = "%",
                        .range = extent_none(),
                        .starts_at_zero = true,
                        .height = 1};
    add_histogram(arena, &panel, d);
    ChartLine nominal = {d->nominal, "nominal"};
    vec_push(arena, &panel.lines, nominal);
    vec_push(arena, &chart.panels, panel);
  }
  return chart;
}
