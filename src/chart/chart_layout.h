// Where the parts of a chart stand, in pixels from its upper left corner.
#ifndef QDOT_CHART_CHART_LAYOUT_H
#define QDOT_CHART_CHART_LAYOUT_H

#include "chart/chart.h"

typedef enum LegendKind {
  LEGEND_CURVE,
  LEGEND_BAND,
  LEGEND_IMPACT,
  LEGEND_LINES,
  LEGEND_START,
  LEGEND_END
} LegendKind;

typedef struct LegendEntry {
  LegendKind kind;
  uint32_t curve;
  const char *text;
  double x, y; // of the left end of its sample
} LegendEntry;

// One axis: what it shows, in units of 10^exponent.
typedef struct AxisScale {
  double low, high;
  int exponent;
  double step; // from number to number; 0 leaves it to gnuplot
} AxisScale;

typedef struct PanelBox {
  double left, right, top, bottom; // of the axes
  double x_label, y_label;         // where the labels stand: height of one, distance of the other
  bool has_x_numbers;              // the lowest of those that share their abscissa
  AxisScale x, y;
  VEC(LegendEntry) legend; // above the axes, where no curve is
} PanelBox;

typedef struct ChartLayout {
  double height;
  PanelBox *boxes; // one a panel
} ChartLayout;

ChartLayout chart_layout(const Chart *chart, Arena *arena);

// A step of 1, 2 or 5 times a power of ten that divides the range into about `parts`.
double nice_step(double range, double parts);

#endif
