// Names of curves over time at their ends.
#include "chart/chart_ends.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "chart/palette.h"
#include "print/gnuplot_text.h"

#define LETTER 7.8
#define APART 17   // pixels between names
#define LEADER 18  // from the axes to the name
#define LONGEST 12 // letters

static const Point *last_point(const ChartCurve *curve) {
  for (uint32_t i = curve->points.n; i > 0; i--)
    if (isfinite(curve->points.at[i - 1].y)) return &curve->points.at[i - 1];
  return NULL;
}

double chart_ends_width(const Chart *chart, const ChartPanel *panel, Arena *arena) {
  size_t letters = 0;
  if (chart->columns > 1 || !panel->is_over_time || panel->y_ticks.n) return 0;
  if (panel->curves.n < 2 || panel->curves.n > CURVE_COLOURS) return 0;
  double near = 0.02 * (panel->range.high_x - panel->range.low_x);
  for (uint32_t i = 0; i < panel->curves.n; i++) {
    const ChartCurve *curve = &panel->curves.at[i];
    const Point *last = last_point(curve);
    if (!curve->label || !last || last->x < panel->range.high_x - near) return 0;
    const char *plain = markup_letters(arena, curve->label);
    size_t own = utf8_width(plain, strlen(plain));
    if (own > letters) letters = own;
  }
  return letters <= LONGEST ? LEADER + LETTER * (double)letters + 6 : 0;
}

static double height_of(const ChartPanel *panel, const AxisScale *y, double value, double top,
                        double bottom) {
  double low = y->low, high = y->high, at = axis_place(y, value);
  if (panel->is_log) low = log10(low), high = log10(high), at = log10(at);
  return bottom - (at - low) / (high - low) * (bottom - top);
}

EndLabel *chart_ends(const ChartPanel *panel, const AxisScale *y, double top, double bottom,
                     Arena *arena) {
  uint32_t n = panel->curves.n;
  EndLabel *ends = arena_array(arena, EndLabel, n);
  // from the highest to the lowest
  for (uint32_t i = 0; i < n; i++) {
    double end = height_of(panel, y, last_point(&panel->curves.at[i])->y, top, bottom);
    uint32_t at = i;
    for (; at > 0 && ends[at - 1].end > end; at--) ends[at] = ends[at - 1];
    ends[at] = (EndLabel){i, end, end};
  }
  // pushed down where they would touch, and back where they leave the panel
  for (uint32_t i = 1; i < n; i++) ends[i].y = fmax(ends[i].y, ends[i - 1].y + APART);
  double most = fmax(bottom, top + APART * (n - 1));
  for (uint32_t i = n; i > 0; i--) {
    ends[i - 1].y = fmin(ends[i - 1].y, most);
    most = ends[i - 1].y - APART;
  }
  return ends;
}
