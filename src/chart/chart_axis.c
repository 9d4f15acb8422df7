// What an axis shows: its range, its unit, and the numbers that stand at it.
#include "chart/chart_axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LETTER 7.8
#define MOST_DIGITS 6 // that gnuplot's %g shows

double axis_place(const AxisScale *axis, double value) {
  return (value - axis->base) / pow(10, axis->exponent);
}

// ---- Numbers

double nice_step(double range, double parts) {
  double rough = range / parts, power = pow(10, floor(log10(rough)));
  double part = rough / power;
  return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

int axis_letters(const AxisScale *axis) {
  size_t most = 1;
  if (axis->step > 0)
    for (double k = ceil(axis->low / axis->step); k * axis->step <= axis->high; k++) {
      char number[32];
      snprintf(number, sizeof number, "%g", k * axis->step);
      if (strlen(number) > most) most = strlen(number);
    }
  return (int)most;
}

// Numbers of many digits are shown in units of a power of a thousand.
static int axis_exponent(double low, double high) {
  double size = fmax(fabs(low), fabs(high));
  if (!isfinite(size) || size == 0 || (size >= 0.1 && size < 2e4)) return 0;
  return 3 * (int)floor(log10(size) / 3);
}

// Where %g would print the same number twice, what is common to all stands apart.
static double axis_base(double low, double high, double pixels, double apart) {
  double size = fmax(fabs(low), fabs(high)), step = nice_step(high - low, fmax(2, pixels / apart));
  if (step >= pow(10, floor(log10(size)) + 1 - MOST_DIGITS)) return 0;
  double coarse = pow(10, ceil(log10(high - low)));
  return floor(low / coarse) * coarse;
}

AxisScale axis_scale_of(double low, double high, int exponent, double base, double pixels,
                        double apart, bool is_abscissa) {
  AxisScale axis = {.exponent = exponent, .base = base};
  axis.low = axis_place(&axis, low), axis.high = axis_place(&axis, high);
  double range = axis.high - axis.low;
  axis.step = nice_step(range, fmax(2, pixels / apart));
  // The next nice step, until numbers do not touch.
  while (is_abscissa && axis.step < range &&
         axis.step / range * pixels < LETTER * axis_letters(&axis) + 10)
    axis.step = nice_step(2.2 * axis.step, 1);
  return axis;
}

AxisScale axis_scale(double low, double high, double pixels, double apart, bool is_abscissa) {
  double base = axis_base(low, high, pixels, apart);
  int exponent = axis_exponent(low - base, high - base);
  return axis_scale_of(low, high, exponent, base, pixels, apart, is_abscissa);
}

// ---- Ranges

static void widen(double *low, double *high, double part) {
  if (!(*low <= *high)) *low = 0, *high = 1;
  double middle = 0.5 * (*low + *high), half = 0.5 * (*high - *low);
  // A constant stands in the middle of a range that fits its size.
  if (half <= 1e-9 * fabs(middle)) half = middle == 0 ? 1 : 0.1 * fabs(middle);
  *low = middle - (1 + part) * half, *high = middle + (1 + part) * half;
}

// What lies beyond is cut off, so that the width of a range is a number.
static double within_bounds(double x) { return fmin(fmax(x, -1e300), 1e300); }

static Extent map_range(const ChartMap *map) {
  double edge_x[2], edge_y[2];
  chart_edges(map->x, map->columns, 0, edge_x);
  chart_edges(map->y, map->rows, 0, edge_y);
  Extent e = {edge_x[0], edge_x[1], edge_y[0], edge_y[1]};
  chart_edges(map->x, map->columns, map->columns - 1, edge_x);
  chart_edges(map->y, map->rows, map->rows - 1, edge_y);
  e.high_x = edge_x[1], e.high_y = edge_y[1];
  return e;
}

// Words stand in the middle of their rows, which are one high.
static void include_ticks(const ChartPanel *panel, Extent *e) {
  for (uint32_t i = 0; i < panel->y_ticks.n; i++) {
    e->low_y = fmin(e->low_y, panel->y_ticks.at[i].at);
    e->high_y = fmax(e->high_y, panel->y_ticks.at[i].at);
  }
  e->low_y -= 0.3, e->high_y += 0.3;
}

Extent axis_range(const ChartPanel *panel) {
  if (panel->map) return map_range(panel->map);
  Extent e = {within_bounds(panel->range.low_x), within_bounds(panel->range.high_x),
              within_bounds(panel->range.low_y), within_bounds(panel->range.high_y)};
  if (!panel->is_log_x && (!panel->is_over_time || !(e.low_x < e.high_x))) {
    double zero = e.low_x;
    widen(&e.low_x, &e.high_x, 0.05);
    if (panel->starts_at_zero) e.low_x = zero;
  }
  if (panel->is_log) {
    bool empty = !(e.low_y <= e.high_y);
    e.low_y = empty ? 1e-3 : pow(10, floor(log10(e.low_y) - 0.1));
    e.high_y = empty ? 1 : pow(10, ceil(log10(e.high_y) + 0.1));
  } else if (panel->turn > 0) {
    e.low_y = -panel->turn / 2 * 1.05, e.high_y = panel->turn / 2 * 1.05;
  } else if (panel->y_ticks.n) {
    include_ticks(panel, &e);
  } else if (panel->starts_at_zero) {
    e.low_y = 0;
  } else {
    widen(&e.low_y, &e.high_y, 0.08);
  }
  return e;
}
