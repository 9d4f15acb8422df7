// Where the parts of a chart stand, in pixels from its upper left corner.
#ifndef QDOT_CHART_CHART_LAYOUT_H
#define QDOT_CHART_CHART_LAYOUT_H

#include "chart/chart_ends.h"

typedef enum LegendKind {
  LEGEND_CURVE,
  LEGEND_DOTS,
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

typedef struct PanelBox {
  double left, right, top, bottom; // of the axes
  double x_label, y_label;         // where the labels stand: height of one, distance of the other
  double z_label;                  // of a map: distance of its colours' label
  bool has_x_numbers;              // the lowest of those that share their abscissa
  AxisScale x, y;
  AxisScale z;             // of a map's colours
  VEC(LegendEntry) legend; // above the axes, where no curve is
  EndLabel *ends;          // names at the ends of curves, instead of their legend
  uint32_t end_count;
} PanelBox;

typedef struct ChartLayout {
  double height;
  PanelBox *boxes; // one a panel
} ChartLayout;

ChartLayout chart_layout(const Chart *chart, Arena *arena);

#endif
