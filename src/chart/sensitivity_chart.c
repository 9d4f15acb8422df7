// Which parameter does how much: a tornado of bars.
#include "chart/sensitivity_chart.h"

#include <math.h>
#include <string.h>

#include "print/ask/sensitivity_text.h"
#include "print/gnuplot_text.h"

enum { MOST_BARS = 12, MOST_PANELS = 6 };

static void add_corner(ChartPanel *panel, ChartCurve *curve, double x, double y) {
  curve->points.at[curve->points.n] = (Point){x, y};
  extent_include(&panel->range, curve->points.at[curve->points.n++]);
}

// From zero to its length and back, half as high as there is room.
static void add_bar(Arena *arena, ChartPanel *panel, double y, double length) {
  ChartCurve curve = {.points.at = arena_array(arena, Point, 5), .colour = length < 0};
  add_corner(panel, &curve, 0, y - 0.3);
  add_corner(panel, &curve, length, y - 0.3);
  add_corner(panel, &curve, length, y + 0.3);
  add_corner(panel, &curve, 0, y + 0.3);
  add_corner(panel, &curve, 0, y - 0.3);
  vec_push(arena, &panel->curves, curve);
}

// Shortest first: it stands at the bottom.
static uint32_t sort_bars(const Sensitivity *s, uint32_t i, uint32_t *order) {
  uint32_t n = 0;
  for (uint32_t j = 0; j < s->count; j++) {
    double length = fabs(sensitivity_relative(s, i, j));
    if (isnan(length)) continue;
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
  Text ticks = text_new(arena);
  for (uint32_t k = first; k < n; k++) {
    const char *name = varied_text(cx, &s->request->by.at[order[k]].varied);
    add_bar(arena, panel, k - first + 1, sensitivity_relative(s, i, order[k]));
    text_addf(&ticks, "%s'%s' %u", k > first ? ", " : "", markup_from_name(cx, arena, name),
              k - first + 1);
  }
  panel->y_ticks = ticks.at;
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
    ChartPanel panel = {.x_label = text_format(&cx->scratch, "change of %s per 1 %%", name),
                        .x_unit = "%",
                        .y_label = "",
                        .y_unit = "",
                        .range = extent_none(),
                        .height = 1};
    add_bars(cx, s, i, &panel);
    if (panel.curves.n > 0) vec_push(&cx->scratch, &chart.panels, panel);
  }
  return chart;
}
