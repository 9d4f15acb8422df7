// The backbone, points and the two branches of the forced response.
#include "chart/backbone_chart.h"

#include <math.h>

enum { STEPS = 300 };

static void add_backbone(Arena *arena, const Weakly *w, double most, ChartPanel *panel) {
  ChartCurve curve = chart_curve(arena, STEPS + 1, CURVE_LINE, "Lindstedt, Poincaré", 0);
  for (int i = 0; i <= STEPS; i++) {
    double a = most * i / STEPS;
    chart_add_point(panel, &curve, w->w_0 * (1 + w->k * a * a), a);
  }
  vec_push(arena, &panel->curves, curve);
}

static void add_points(Arena *arena, const Weakly *w, double most, ChartPanel *panel) {
  ChartCurve curve = chart_curve(arena, w->count, CURVE_POINTS, "2π/T", 1);
  for (uint32_t i = 0; i < w->count; i++)
    if (w->amplitude[i] <= 1.05 * most)
      chart_add_point(panel, &curve, w->frequency[i], w->amplitude[i]);
  if (curve.points.n) vec_push(arena, &panel->curves, curve);
}

// Up one branch to the peak and down the other.
static void add_response(Arena *arena, const Weakly *w, ChartPanel *panel) {
  ChartCurve curve = chart_curve(arena, 2 * STEPS + 1, CURVE_LINE, "f cos Ωt", 2);
  for (int i = -STEPS; i <= STEPS; i++) {
    double a = w->peak * (1 - fabs((double)i) / STEPS);
    double away = i == 0 ? 0 : weakly_detuning(w, a), W = w->w_0 * (1 + w->k * a * a);
    W += i < 0 ? -away : away;
    if (fabs(W - w->w_0) < 0.4 * w->w_0) chart_add_point(panel, &curve, W, a);
  }
  vec_push(arena, &panel->curves, curve);
}

Chart backbone_chart(Context *cx, const Weakly *w, const char *unit) {
  Arena *arena = &cx->scratch;
  Chart chart = {.name = "backbone", .description = "Amplitude against frequency.", .columns = 1};
  ChartPanel panel = chart_panel("ω", "rad/s", "a", unit);
  double most = w->is_forced ? fmin(w->most, 1.1 * w->peak) : w->most;
  add_backbone(arena, w, most, &panel);
  add_points(arena, w, most, &panel);
  if (w->is_forced) add_response(arena, w, &panel);
  for (uint32_t i = 0; i < w->jumps; i++)
    vec_push(arena, &panel.lines, (ChartLine){.x = w->jump[i]});
  vec_push(arena, &chart.panels, panel);
  return chart;
}
