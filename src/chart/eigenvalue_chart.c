// Eigenvalues in the complex plane.
#include "chart/eigenvalue_chart.h"

#include <math.h>

static void add_curve(Arena *arena, ChartPanel *panel, ChartCurve curve) {
  for (uint32_t i = 0; i < curve.points.n; i++) extent_include(&panel->range, curve.points.at[i]);
  curve.colour = panel->curves.n;
  vec_push(arena, &panel->curves, curve);
}

static Points unit_circle(Arena *arena) {
  enum { SIDES = 180 };
  Points p = {arena_array(arena, Point, SIDES + 1), SIDES + 1};
  for (uint32_t i = 0; i <= SIDES; i++)
    p.at[i] = (Point){cos(2 * M_PI * i / SIDES), sin(2 * M_PI * i / SIDES)};
  return p;
}

static Points all_eigenvalues(Arena *arena, const Modes *modes) {
  uint32_t n = modes->eigenvalue_count;
  Points p = {arena_array(arena, Point, n + 1), n};
  for (uint32_t i = 0; i < n; i++)
    p.at[i] = (Point){modes->eigenvalue[i][0], modes->eigenvalue[i][1]};
  return p;
}

Chart eigenvalue_chart(Context *cx, const Modes *modes) {
  Arena *arena = &cx->scratch;
  bool is_sampled = modes->period > 0;
  Chart chart = {.name = "eigenvalues",
                 .description = is_sampled
                                    ? "Eigenvalues of the map of a period, and the unit circle."
                                    : "Eigenvalues in the complex plane.",
                 .columns = 1};
  ChartPanel panel =
      is_sampled ? chart_panel("Re z", "", "Im z", "") : chart_panel("Re s", "1/s", "Im s", "1/s");
  panel.has_equal_scales = true;
  ChartCurve found = {.kind = CURVE_POINTS, .label = "eigenvalues"};
  found.points = all_eigenvalues(arena, modes);
  add_curve(arena, &panel, found);
  if (is_sampled) {
    ChartCurve circle = {.label = "unit circle", .points = unit_circle(arena)};
    add_curve(arena, &panel, circle);
  } else {
    extent_include(&panel.range, (Point){0, 0});
    vec_push(arena, &panel.lines, (ChartLine){0});
  }
  vec_push(arena, &chart.panels, panel);
  return chart;
}
