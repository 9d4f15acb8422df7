// Charts: panels of curves with axes, as plain records, before any program draws them.
// Sources: chart_script.c
#ifndef QDOT_CHART_CHART_H
#define QDOT_CHART_CHART_H

#include "base/context.h"
#include "chart/thinning.h"

// Where a curve over time leaps, as velocities do at an impact.
typedef struct ChartJump {
  double x, from, to;
} ChartJump;
typedef VEC(ChartJump) ChartJumps;

// Texts are in gnuplot's enhanced markup (see gnuplot_text.h).
typedef struct ChartCurve {
  const char *label; // NULL: not in the legend
  Points points;
  uint32_t colour; // place in the palette
  ChartJumps jumps;
  uint32_t run; // 0, or the number of the other result that it is of
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

typedef struct ChartPanel {
  const char *x_label, *y_label;
  const char *x_unit, *y_unit; // "" for pure numbers
  VEC(ChartCurve) curves;
  VEC(ChartMark) marks;
  VEC(ChartLine) lines;
  Extent range;          // of both axes
  bool has_equal_scales; // a metre is as long on both axes
  bool is_over_time;     // events are shown
  bool is_log;           // the ordinate
  bool is_log_x;         // the abscissa
  bool starts_at_zero;   // the ordinate
  bool has_pi_ticks;     // an angle from -pi to pi
  bool has_degrees;      // ticks at quarters of a turn
  const char *y_ticks;   // "'free' 0, 'contact' 1" instead of numbers, or NULL
  double height;         // beside the other panels; 1 is usual
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

// The gnuplot script that draws the chart from its data file, both for chart->name.
void chart_script(const Chart *chart, char decimal_sign, Text *out);
// Its data: one block of two columns a curve.
void chart_data(const Chart *chart, Text *out);

#endif
