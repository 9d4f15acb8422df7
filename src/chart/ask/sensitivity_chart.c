// Which parameter does how much: a tornado of bars.
#include "chart/ask/sensitivity_chart.h"

#include <math.h>
#include <string.h>

#include "print/ask/sensitivity_text.h"
#include "print/gnuplot_text.h"

enum { MOST_BARS = 12, MOST_PANELS = 6 };

// From zero to its length and back, a little lower than its row.
static void add_bar(Arena *arena, ChartPanel *panel, double y, double length) {
  ChartCurve curve = chart_curve(arena, 4, CURVE_AREA, NULL, length < 0);
  chart_add_point(panel, &curve, 0, y - 0.3);
  chart_add_point(panel, &curve, length, y - 0.3);
  chart_add_point(panel, &curve, length, y + 0.3);
  chart_add_point(panel, &curve, 0, y + 0.3);
  vec_push(arena, &panel->curves, curve);
}

// Shortest first: it stands at the bottom.
static uint32_t sort_bars(const Sensitivity *s, uint32_t i, uint32_t *order) {
  uint32_t n = 0;
  for (uint32_t j = 0; j < s->count; j++) {
    double length = fabs(sensitivity_relative(s, i, j));
    if (!isfinite(length)) continue;
    uint32_t at = n++;
    for (; at > 0 && fabs(sensitivity_relative(s, i, order[at - 1])) > length; at--)
      order[at] = order[at - 1];
    order[at] = j;
  }
  return n;
}

static void add_bars(Context *cx, const Sensitivity *s, uint32_t i, ChartPanel *panel) {
  Arena *arena = &cx->scratch;
  uint32_t *order = arena_array(arena, uint32_t, s->count + 1);
  uint32_t n = sort_bars(s, i, order), first = n > MOST_BARS ? n - MOST_BARS : 0;
  for (uint32_t k = first; k < n; k++) {
    const Varied *varied = &s->request->by.at[order[k]].varied;
    const char *name = varied_text(cx, varied);
    ChartTick tick = {k - first + 1, varied->is_start ? markup_from_text(arena, name)
                                                      : markup_from_name(cx, arena, name)};
    add_bar(arena, panel, k - first + 1, sensitivity_relative(s, i, order[k]));
    vec_push(arena, &panel->y_ticks, tick);
  }
}

Chart sensitivity_chart(const Sensitivity *s) {
  Context *cx = s->cx;
  Chart chart = {.name = "sensitivity",
                 .description = "By how many percent each measure changes with one percent more of "
                                "each parameter.",
                 .columns = 1};
  for (uint32_t i = 0; i < s->measures && chart.panels.n < MOST_PANELS; i++) {
    if (s->undefined[i] || s->values[i] == 0) continue;
    const Measurement *m = &s->model->requests.measurements.at[s->request->measures.at[i]];
    const char *name = markup_from_name(cx, &cx->scratch, symbol_text(cx, m->name));
    ChartPanel panel = chart_panel(text_format(&cx->scratch, "change of %s with 1 %% more", name),
                                   "%", NULL, NULL);
    add_bars(cx, s, i, &panel);
    ChartLine zero = {0, NULL};
    vec_push(&cx->scratch, &panel.lines, zero);
    if (panel.curves.n > 0) vec_push(&cx->scratch, &chart.panels, panel);
  }
  return chart;
}
