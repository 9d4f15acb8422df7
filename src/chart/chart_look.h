// How charts look, whoever draws them: pens of curves, words at axes, sizes of points.
#ifndef QDOT_CHART_CHART_LOOK_H
#define QDOT_CHART_CHART_LOOK_H

#include "chart/chart_layout.h"
#include "chart/palette.h"

typedef struct CurvePen {
  double width;
  const char *dashes; // "(12,4)", or "solid"
  Colour colour;
} CurvePen;
CurvePen chart_pen(const ChartPanel *panel, uint32_t i);
Colour chart_curve_colour(const ChartPanel *panel, uint32_t colour);
// A line of one point is drawn as that point.
CurveKind chart_kind(const ChartCurve *curve);
// Of n points, in units of a point that can be seen alone.
double chart_point_size(uint32_t n);

// What stands at an axis, in markup: "x [mm]"; "x − 67.7 m [µm]" where only the last digits differ.
const char *chart_axis_label(Arena *arena, const char *label, const char *unit,
                             const AxisScale *axis);
// The same at the ordinate of a panel, where names longer than the axis stand in the legend alone.
const char *chart_ordinate_label(Arena *arena, const ChartPanel *panel, const PanelBox *box);

// Powers of ten at a logarithmic ordinate: every so many, 1 where all have room.
double chart_powers_step(const PanelBox *box);
// Are the numbers of a logarithmic abscissa powers of ten?
bool chart_x_is_by_powers(const ChartPanel *panel, const PanelBox *box);

// Between few cells nobody knows where a level lies.
bool chart_map_has_levels(const ChartMap *map);

#endif
