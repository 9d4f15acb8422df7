// A chart drawn as SVG by ourselves, where gnuplot is not installed, with the same layout and pens.
// Sources: chart_svg.c, chart_svg_axes.c, chart_svg_curves.c, chart_svg_map.c, chart_svg_text.c
#ifndef QDOT_CHART_CHART_SVG_H
#define QDOT_CHART_CHART_SVG_H

#include "chart/chart_look.h"

// A whole picture.
void chart_svg(const Chart *chart, char decimal_sign, Text *out);

// ---- Its parts

typedef struct Drawing {
  const Chart *chart;
  const ChartPanel *panel;
  const PanelBox *box;
  char decimal_sign;
  uint32_t number; // of the panel
  Text *out;
} Drawing;

// Pixels of a place in the units of the data; far outside they stay numbers that a reader takes.
double svg_x(const Drawing *d, double x);
double svg_y(const Drawing *d, double y);
// Of a place in the units of the axes.
double svg_axis_x(const Drawing *d, double x);
double svg_axis_y(const Drawing *d, double y);

// stroke="#0072b2" stroke-width="2" and dashes.
void svg_pen(Text *out, Colour colour, double width, const char *dashes);
void svg_segment(Drawing *d, double x1, double y1, double x2, double y2, Colour colour,
                 double width, const char *dashes);
void svg_dot(Drawing *d, double x, double y, double radius, Colour colour, bool is_filled);
// Markup at the middle of its letters' height; upright: read from below.
void svg_label(Drawing *d, double x, double y, const char *anchor, double size, bool upright,
               const char *markup);
// Plain text of markup, for titles.
void svg_escaped(Text *out, const char *text);
// "%g" with a true minus and the decimal sign.
const char *svg_number(const Drawing *d, double value);

void svg_axes(Drawing *d);
void svg_events(Drawing *d); // behind the curves
void svg_curves(Drawing *d);
void svg_marks(Drawing *d);
void svg_map(Drawing *d);
void svg_colours(Drawing *d); // what its colours mean, beside the axes
void svg_legend(Drawing *d);

#endif
