// Charts of several results in one.
#include "chart/overlay.h"

#include <math.h>
#include <string.h>

static bool is_same(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

// The panel of the same quantities.
static ChartPanel *panel_like(Chart *chart, const ChartPanel *other) {
  for (uint32_t i = 0; i < chart->panels.n; i++) {
    ChartPanel *panel = &chart->panels.at[i];
    if (is_same(panel->y_unit, other->y_unit) && is_same(panel->y_label, other->y_label) &&
        is_same(panel->x_label, other->x_label) && (panel->turn > 0) == (other->turn > 0))
      return panel;
  }
  return NULL;
}

// The curve of the same name of the chart's own result, or NULL.
static const ChartCurve *curve_like(const ChartPanel *panel, const char *label) {
  for (uint32_t i = 0; i < panel->curves.n; i++)
    if (!panel->curves.at[i].run && is_same(panel->curves.at[i].label, label))
      return &panel->curves.at[i];
  return NULL;
}

static const char *label_of(Arena *arena, const char *label, const char *name) {
  return label ? text_format(arena, "%s (%s)", label, name) : name;
}

static void widen(Extent *range, const Extent *other) {
  range->low_x = fmin(range->low_x, other->low_x),
  range->high_x = fmax(range->high_x, other->high_x);
  range->low_y = fmin(range->low_y, other->low_y),
  range->high_y = fmax(range->high_y, other->high_y);
}

void overlay_add(Chart *chart, const Chart *other, uint32_t number, const char *name,
                 Arena *arena) {
  for (uint32_t i = 0; i < other->panels.n; i++) {
    const ChartPanel *from = &other->panels.at[i];
    ChartPanel *panel = panel_like(chart, from);
    if (!panel) continue;
    for (uint32_t k = 0; k < from->curves.n; k++) {
      ChartCurve curve = from->curves.at[k];
      const ChartCurve *like = curve_like(panel, curve.label);
      if (like) curve.colour = like->colour;
      // one curve a result: each has a colour of its own
      if (from->curves.n == 1) curve.colour = number;
      curve.label = label_of(arena, curve.label, name);
      curve.run = number;
      vec_push(arena, &panel->curves, curve);
    }
    widen(&panel->range, &from->range);
  }
}

void overlay_name(Chart *chart, const char *name, Arena *arena) {
  for (uint32_t i = 0; i < chart->panels.n; i++) {
    ChartPanel *panel = &chart->panels.at[i];
    bool alone = panel->curves.n == 0 || panel->curves.at[panel->curves.n - 1].run == 0;
    for (uint32_t k = 0; !alone && k < panel->curves.n; k++)
      if (panel->curves.at[k].run == 0)
        panel->curves.at[k].label = label_of(arena, panel->curves.at[k].label, name);
  }
}
