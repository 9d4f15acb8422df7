// The data of a chart.
#include <math.h>

#include "chart/chart.h"

// More where only the last ones differ.
static int digits_of(const ChartPanel *panel) {
  const Extent *e = &panel->range;
  bool near_x = e->high_x - e->low_x < 1e-4 * fmax(fabs(e->low_x), fabs(e->high_x));
  bool near_y = e->high_y - e->low_y < 1e-4 * fmax(fabs(e->low_y), fabs(e->high_y));
  return near_x || near_y ? 15 : 9;
}

// A block that has no points still takes its place.
static void add_block(const ChartCurve *curve, int digits, Text *out) {
  text_addf(out, "# %s\n", curve->label ? curve->label : "");
  bool broken = false;
  for (uint32_t i = 0; i < curve->points.n; i++) {
    Point p = curve->points.at[i];
    if (isnan(p.y)) {
      if (!broken) text_add(out, "\n");
      broken = true;
      continue;
    }
    text_addf(out, "%.*g %.*g\n", digits, p.x, digits, p.y);
    broken = false;
  }
  if (curve->points.n == 0) text_add(out, "NaN NaN\n");
  text_add(out, broken ? "\n" : "\n\n");
}

// Its scans are parted by blank lines: x, y, the edges in x, those in y, the value.
static void add_map_block(const ChartMap *map, Text *out) {
  text_addf(out, "# %s\n", map->label);
  for (uint32_t i = 0; i < map->columns; i++) {
    double x[2], y[2];
    chart_edges(map->x, map->columns, i, x);
    if (i) text_add_char(out, '\n');
    for (uint32_t k = 0; k < map->rows; k++) {
      double z = map->z[(size_t)i * map->rows + k];
      chart_edges(map->y, map->rows, k, y);
      text_addf(out, "%.12g %.12g %.12g %.12g %.12g %.12g ", map->x[i], map->y[k], x[0], x[1], y[0],
                y[1]);
      if (isfinite(z))
        text_addf(out, "%.12g\n", z);
      else
        text_add(out, "NaN\n");
    }
  }
  text_add(out, "\n\n");
}

void chart_data(const Chart *chart, Text *out) {
  for (uint32_t i = 0; i < chart->panels.n; i++) {
    const ChartPanel *panel = &chart->panels.at[i];
    if (panel->map) add_map_block(panel->map, out);
    for (uint32_t k = 0; !panel->map && k < panel->curves.n; k++)
      add_block(&panel->curves.at[k], digits_of(panel), out);
  }
}
