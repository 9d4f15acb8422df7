// Names of curves over time at their ends, where the eye arrives, instead of a legend.
#ifndef QDOT_CHART_CHART_ENDS_H
#define QDOT_CHART_CHART_ENDS_H

#include "chart/chart_axis.h"

// What the names need on the right of the axes; 0 where the panel has a legend: curves that end
// early, many curves, long names.
double chart_ends_width(const Chart *chart, const ChartPanel *panel, Arena *arena);

// The name of a curve beside its end, both heights in pixels.
typedef struct EndLabel {
  uint32_t curve;
  double end, y;
} EndLabel;

// Of every curve, as near to its end as they do not touch; the axes go from top to bottom.
EndLabel *chart_ends(const ChartPanel *panel, const AxisScale *y, double top, double bottom,
                     Arena *arena);

#endif
