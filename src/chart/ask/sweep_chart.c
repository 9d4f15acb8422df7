// The picture of a sweep.
#include "chart/ask/sweep_chart.h"

#include <math.h>

#include "ask/draw.h"
#include "print/ask/sweep_text.h"
#include "print/gnuplot_text.h"

enum { MOST_PANELS = 6, MOST_SIDE = 4, MOST_JOINED = 120, MOST_POINTS = 5000 };

typedef struct SweepPicture {
  Context *cx;
  Arena *arena;
  const SweepCloud *cloud;
  const Sweep *sweep;
} SweepPicture;

static double cell(const SweepPicture *p, uint64_t number, uint32_t column) {
  return p->cloud->cells[number * (p->sweep->axes + p->sweep->measures) + column];
}

// ---- Words

static const char *label_of(const SweepPicture *p, uint32_t column) {
  const Sweep *s = p->sweep;
  if (column >= s->axes)
    return markup_from_name(p->cx, p->arena, sweep_measure_name(s, column - s->axes));
  const char *name = sweep_axis_name(s, column);
  return s->request->axes.at[column].varied.is_start ? markup_from_text(p->arena, name)
                                                     : markup_from_name(p->cx, p->arena, name);
}

static const char *unit_of(const SweepPicture *p, uint32_t column) {
  const Sweep *s = p->sweep;
  return column < s->axes ? sweep_axis_unit(s, column) : sweep_measure_unit(s, column - s->axes);
}

static ChartPanel panel_of(const SweepPicture *p, uint32_t x, uint32_t y) {
  const char *x_label = label_of(p, x), *x_unit = unit_of(p, x);
  const char *y_label = label_of(p, y), *y_unit = unit_of(p, y);
  return chart_panel(x_label, x_unit, y_label, y_unit);
}

// ---- Values

// Where a column's values lie; false where there are none to be drawn.
static bool find_range(const SweepPicture *p, uint32_t column, double *low, double *high) {
  *low = INFINITY, *high = -INFINITY;
  for (uint64_t i = 0; i < p->cloud->cases; i++) {
    double value = cell(p, i, column);
    if (!isfinite(value)) continue;
    *low = fmin(*low, value), *high = fmax(*high, value);
  }
  return *low <= *high;
}

// The columns of measures that have a value, at most so many.
static uint32_t find_measures(const SweepPicture *p, uint32_t *out) {
  const Sweep *s = p->sweep;
  uint32_t count = 0;
  double low, high;
  for (uint32_t k = 0; k < s->measures && count < MOST_PANELS; k++)
    if (find_range(p, s->axes + k, &low, &high)) out[count++] = s->axes + k;
  return count;
}

// The axes of a grid that have more than one value; *count of them.
static void find_axes(const Sweep *s, uint32_t found[2], uint32_t *count) {
  *count = 0;
  for (uint32_t i = 0; i < s->axes; i++) {
    if (s->request->axes.at[i].steps < 2) continue;
    if (*count < 2) found[*count] = i;
    ++*count;
  }
}

// The places 0 .. n-1 of a grid's axis by their values; lists may stand in any order. Neighbours
// are `stride` cases apart.
static uint32_t *sorted_places(const SweepPicture *p, uint32_t column, uint64_t stride,
                               uint32_t n) {
  uint32_t *order = arena_array(p->arena, uint32_t, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = i;
    double value = cell(p, i * stride, column);
    for (; at > 0 && cell(p, order[at - 1] * stride, column) > value; at--)
      order[at] = order[at - 1];
    order[at] = i;
  }
  return order;
}

// ---- Kinds

// What failed between two cases leaves a gap.
static void add_curve(const SweepPicture *p, uint32_t axis, uint32_t measure, Chart *chart) {
  uint32_t n = (uint32_t)p->cloud->cases;
  const uint32_t *order = sorted_places(p, axis, 1, n);
  ChartPanel panel = panel_of(p, axis, measure);
  ChartCurve curve =
      chart_curve(p->arena, n, n <= MOST_JOINED ? CURVE_JOINED : CURVE_LINE, NULL, 0);
  for (uint32_t i = 0; i < n; i++) {
    Point point = {cell(p, order[i], axis), cell(p, order[i], measure)};
    if (!isfinite(point.y)) point.y = NAN;
    extent_include(&panel.range, point);
    curve.points.at[curve.points.n++] = point;
  }
  vec_push(p->arena, &panel.curves, curve);
  vec_push(p->arena, &chart->panels, panel);
}

static void add_map(const SweepPicture *p, const uint32_t axes[2], uint32_t measure, Chart *chart) {
  const SweepAxis *of = p->sweep->request->axes.at;
  uint32_t columns = (uint32_t)of[axes[0]].steps, rows = (uint32_t)of[axes[1]].steps;
  const uint32_t *across = sorted_places(p, axes[0], rows, columns);
  const uint32_t *up = sorted_places(p, axes[1], 1, rows);
  double *x = arena_array(p->arena, double, columns), *y = arena_array(p->arena, double, rows);
  double *z = arena_array(p->arena, double, (size_t)columns *rows);
  ChartMap *map = arena_new(p->arena, ChartMap);
  *map = (ChartMap){columns, rows, x, y, z, label_of(p, measure), unit_of(p, measure), 0, 0};
  for (uint32_t k = 0; k < rows; k++) y[k] = cell(p, up[k], axes[1]);
  for (uint32_t i = 0; i < columns; i++) {
    x[i] = cell(p, (uint64_t)across[i] * rows, axes[0]);
    for (uint32_t k = 0; k < rows; k++)
      z[(size_t)i * rows + k] = cell(p, (uint64_t)across[i] * rows + up[k], measure);
  }
  find_range(p, measure, &map->low, &map->high);
  // one colour stands in the middle
  double half = 0.5 * (map->high - map->low), middle = 0.5 * (map->high + map->low);
  if (half <= 1e-9 * fabs(middle)) half = middle == 0 ? 1 : 0.1 * fabs(middle);
  map->low = middle - half, map->high = middle + half;
  ChartPanel panel = panel_of(p, axes[0], axes[1]);
  panel.map = map;
  vec_push(p->arena, &chart->panels, panel);
}

// Of more points than an eye tells apart one of each group is shown, chosen at random so that no
// pattern of the cases shows.
static uint64_t shown_case(const SweepPicture *p, uint64_t i, uint64_t points) {
  uint64_t cases = p->cloud->cases, from = i * (cases / points), size = cases / points;
  return points == cases ? i : from + (uint64_t)(draw_random(1, i, 0) * (double)size);
}

static void add_points(const SweepPicture *p, uint32_t axis, uint32_t measure, Chart *chart) {
  ChartPanel panel = panel_of(p, axis, measure);
  uint64_t points = p->cloud->cases < MOST_POINTS ? p->cloud->cases : MOST_POINTS;
  ChartCurve curve = chart_curve(p->arena, (uint32_t)points + 2, CURVE_POINTS, NULL, 0);
  uint64_t least = 0, most = 0; // extremes are shown in any case
  for (uint64_t i = 1; i < p->cloud->cases; i++) {
    double value = cell(p, i, measure);
    if (value < cell(p, least, measure) || isnan(cell(p, least, measure))) least = i;
    if (value > cell(p, most, measure) || isnan(cell(p, most, measure))) most = i;
  }
  for (uint64_t i = 0; i < points; i++) {
    uint64_t number = shown_case(p, i, points);
    chart_add_point(&panel, &curve, cell(p, number, axis), cell(p, number, measure));
  }
  for (int k = 0; points < p->cloud->cases && k < 2; k++)
    chart_add_point(&panel, &curve, cell(p, k ? most : least, axis),
                    cell(p, k ? most : least, measure));
  vec_push(p->arena, &panel.curves, curve);
  vec_push(p->arena, &chart->panels, panel);
}

Chart sweep_chart(Context *cx, const SweepCloud *cloud) {
  const Sweep *s = cloud->sweep;
  SweepPicture p = {.cx = cx, .arena = &cx->scratch, .cloud = cloud, .sweep = s};
  Chart chart = {.name = "sweep", .description = "The measures over what is varied.", .columns = 1};
  uint32_t axes[2] = {0, 0}, count, measures[MOST_PANELS];
  uint32_t shown = find_measures(&p, measures);
  find_axes(s, axes, &count);
  bool is_grid = s->request->runs == 0 && s->request->axes.at[0].kind != AXIS_CASES;
  if (is_grid && count == 1) {
    for (uint32_t k = 0; k < shown; k++) add_curve(&p, axes[0], measures[k], &chart);
  } else if (is_grid && count == 2) {
    for (uint32_t k = 0; k < shown; k++) add_map(&p, axes, measures[k], &chart);
  } else {
    // Every measure over everything that varies.
    uint32_t across = s->axes < MOST_SIDE ? s->axes : MOST_SIDE;
    if (across > 1) chart.columns = 2;
    if (cloud->cases > MOST_POINTS)
      chart.description =
          text_format(p.arena, "The measures over what is varied: %d of %llu cases.", MOST_POINTS,
                      (unsigned long long)cloud->cases);
    for (uint32_t k = 0; k < shown && k < MOST_SIDE; k++)
      for (uint32_t i = 0; i < across; i++) add_points(&p, i, measures[k], &chart);
  }
  return chart;
}
