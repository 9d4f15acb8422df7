// The distance of the formulations' motions over time.
#include "chart/compare_chart.h"

#include <math.h>

#define COLUMNS 700
#define SMALLEST 1e-17 // below all rounding errors: no distance has no place on the scale

Chart compare_chart(const Comparison *c) {
  Arena *arena = &c->cx->scratch;
  Chart chart = {.name = "compare",
                 .description = "Difference between the motions of the formulations over time.",
                 .columns = 1};
  ChartPanel panel = {.x_label = "t",
                      .x_unit = "s",
                      .y_label = "difference",
                      .y_unit = "m, rad",
                      .range = extent_none(),
                      .is_log = true,
                      .height = 1};
  for (int f = 0; f < FORMULATIONS; f++) {
    const FormulationRun *run = &c->runs[f];
    if (run->distance_count == 0) continue;
    Thinner thinner = thinner_new(arena, COLUMNS);
    for (uint32_t k = 0; k < run->distance_count; k++)
      thinner_add(&thinner, c->t[k], run->distance[k] > SMALLEST ? run->distance[k] : NAN);
    ChartCurve curve = {
        .label = run->name, .points = thinner_finish(&thinner, arena), .colour = panel.curves.n};
    for (uint32_t k = 0; k < curve.points.n; k++)
      if (isfinite(curve.points.at[k].y)) extent_include(&panel.range, curve.points.at[k]);
    vec_push(arena, &panel.curves, curve);
  }
  vec_push(arena, &chart.panels, panel);
  return chart;
}
