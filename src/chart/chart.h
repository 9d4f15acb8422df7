// Charts: panels of curves with axes, as plain records, before any program draws them.
// Sources: chart.c, chart_data.c, chart_script.c
#ifndef QDOT_CHART_CHART_H
#define QDOT_CHART_CHART_H

#include "base/context.h"
#include "chart/thinning.h"

// Where a curve leaps, as velocities do at an impact.
typedef struct ChartJump {
  Point from, to;
} ChartJump;
typedef VEC(ChartJump) ChartJumps;

typedef enum CurveKind {
  CURVE_LINE,
  CURVE_POINTS,   // what was measured or drawn by chance
  CURVE_JOINED,   // computed points and the line between them
  CURVE_IMPULSES, // upright lines from zero, with a point at the end
  CURVE_AREA      // the inside of a closed outline: bars, histograms
} CurveKind;

// Texts are in gnuplot's enhanced markup (see gnuplot_text.h).
typedef struct ChartCurve {
  CurveKind kind;
  const char *label; // NULL: it has none
  Points points;
  uint32_t colour; // place in the palette
  ChartJumps jumps;
  bool is_dense; // a path that covers its panel: its pen is thin
  uint32_t run;  // 0, or the number of the other result that it is of
} ChartCurve;

typedef enum ChartMarkKind { MARK_START, MARK_END, MARK_PEAK } ChartMarkKind;

typedef struct ChartMark {
  Point at;
  ChartMarkKind kind;
  uint32_t colour;
  const char *text; // or NULL
} ChartMark;

// A vertical line across the panel; the first one's text stands in the legend for all.
typedef struct ChartLine {
  double x;
  const char *text; // or NULL
} ChartLine;

// A word that stands in the place of a number.
typedef struct ChartTick {
  double at;
  const char *text;
} ChartTick;

// Cells in colours of their values, instead of curves.
typedef struct ChartMap {
  uint32_t columns, rows;
  const double *x, *y; // the middles of the cells, ascending
  const double *z;     // of column i and row k at i * rows + k; NAN where there is no value
  const char *label, *unit;
  double low, high; // of the values
} ChartMap;

typedef struct ChartPanel {
  const char *x_label, *y_label;
  const char *x_unit, *y_unit; // "" for pure numbers
  VEC(ChartCurve) curves;
  VEC(ChartMark) marks;
  VEC(ChartLine) lines;
  Extent range;           // of both axes
  bool has_equal_scales;  // a metre is as long on both axes
  bool is_over_time;      // events are shown
  bool is_log;            // the ordinate
  bool is_log_x;          // the abscissa
  bool starts_at_zero;    // the ordinate
  double turn;            // an angle from minus half a turn to half a turn; 0: none
  bool has_degrees;       // ticks at quarters of a turn
  VEC(ChartTick) y_ticks; // instead of numbers
  const ChartMap *map;    // or NULL
  bool has_roles;         // its curves have places of roles, of which there are few
  double height;          // beside the other panels; 1 is usual
} ChartPanel;

// While a contact is closed.
typedef struct ChartBand {
  double from, to;
} ChartBand;

typedef struct Chart {
  const char *name;        // of its files, without ending
  const char *description; // plain words, for those who cannot see it
  uint32_t columns;        // panels side by side
  VEC(ChartPanel) panels;
  VEC(ChartBand) bands;
  VEC(double) impacts;
  const char *band_label, *impact_label, *start_label, *end_label;
} Chart;

#define CHART_WIDTH 560 // pixels; letters of 14 pixels stay readable on a phone

// Where cell i of n begins and ends: half-way to its neighbours.
void chart_edges(const double *middles, uint32_t n, uint32_t i, double edges[2]);

// A panel without curves; words that are NULL are empty.
ChartPanel chart_panel(const char *x_label, const char *x_unit, const char *y_label,
                       const char *y_unit);
// A curve with room for n points, and one more of them; the panel's range grows with it.
ChartCurve chart_curve(Arena *arena, uint32_t n, CurveKind kind, const char *label,
                       uint32_t colour);
void chart_add_point(ChartPanel *panel, ChartCurve *curve, double x, double y);

// The gnuplot script that draws the chart from its data file, both for chart->name.
void chart_script(const Chart *chart, char decimal_sign, Text *out);
// Its data: one block of two columns a curve, of seven a map.
void chart_data(const Chart *chart, Text *out);

#endif
