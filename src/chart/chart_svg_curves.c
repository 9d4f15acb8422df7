// Curves, events and marks of a panel.
#include <math.h>
#include <string.h>

#include "chart/chart_svg.h"
#include "print/gnuplot_text.h"

#define DOT 6.5 // pixels of radius of a point of size 1
#define MARK_LETTERS 12

static void add_title(Drawing *d, const char *markup) {
  text_add(d->out, "<title>");
  svg_escaped(d->out, markup_letters(d->out->arena, markup));
  text_add(d->out, "</title>\n");
}

// From point to point; what is no number parts it.
static void add_path(Drawing *d, const Points *points, const char *end) {
  bool is_down = false;
  text_add(d->out, "<path d=\"");
  for (uint32_t i = 0; i < points->n; i++) {
    Point p = points->at[i];
    if (!isfinite(p.x) || !isfinite(p.y)) {
      is_down = false;
      continue;
    }
    text_addf(d->out, "%c%.2f,%.2f", is_down ? 'L' : 'M', svg_x(d, p.x), svg_y(d, p.y));
    is_down = true;
  }
  text_addf(d->out, "%s\"", end);
}

static void add_line(Drawing *d, const ChartCurve *curve, CurvePen pen) {
  add_path(d, &curve->points, "");
  svg_pen(d->out, pen.colour, pen.width, pen.dashes);
  text_add(d->out, "/>\n");
}

static void add_dots(Drawing *d, const ChartCurve *curve, CurvePen pen, double size) {
  for (uint32_t i = 0; i < curve->points.n; i++) {
    Point p = curve->points.at[i];
    if (isfinite(p.x) && isfinite(p.y))
      svg_dot(d, svg_x(d, p.x), svg_y(d, p.y), DOT * size, pen.colour, true);
  }
}

static void add_impulses(Drawing *d, const ChartCurve *curve, CurvePen pen) {
  double zero = svg_axis_y(d, fmin(fmax(0, d->box->y.low), d->box->y.high));
  for (uint32_t i = 0; i < curve->points.n; i++) {
    Point p = curve->points.at[i];
    if (!isfinite(p.x) || !isfinite(p.y)) continue;
    double x = svg_x(d, p.x);
    svg_segment(d, x, zero, x, svg_y(d, p.y), pen.colour, pen.width, pen.dashes);
  }
}

static void add_area(Drawing *d, const ChartCurve *curve, CurvePen pen) {
  add_path(d, &curve->points, "Z");
  text_addf(d->out,
            " fill=\"#%02x%02x%02x\" fill-opacity=\"0.5\" stroke=\"#%02x%02x%02x\" "
            "stroke-width=\"%g\"/>\n",
            pen.colour.red, pen.colour.green, pen.colour.blue, pen.colour.red, pen.colour.green,
            pen.colour.blue, pen.width);
}

void svg_curves(Drawing *d) {
  for (uint32_t i = 0; i < d->panel->curves.n; i++) {
    const ChartCurve *curve = &d->panel->curves.at[i];
    if (curve->points.n == 0) continue;
    CurvePen pen = chart_pen(d->panel, i);
    CurveKind kind = chart_kind(curve);
    double size = curve->points.n == 1 ? 0.6 : chart_point_size(curve->points.n);
    text_add(d->out, "<g>");
    add_title(d, curve->label ? curve->label : d->panel->y_label);
    if (kind == CURVE_AREA) add_area(d, curve, pen);
    if (kind == CURVE_LINE || kind == CURVE_JOINED) add_line(d, curve, pen);
    if (kind == CURVE_IMPULSES) add_impulses(d, curve, pen);
    if (kind != CURVE_LINE && kind != CURVE_AREA) add_dots(d, curve, pen, size);
    text_add(d->out, "</g>\n");
  }
}

// ---- Events

static void add_bands(Drawing *d) {
  double least = 0.002 * (d->box->right - d->box->left), end = -INFINITY;
  for (uint32_t i = 0; i < d->chart->bands.n; i++) {
    double from = fmax(svg_x(d, d->chart->bands.at[i].from), d->box->left);
    double to = fmin(svg_x(d, d->chart->bands.at[i].to), d->box->right);
    if (to <= from || (to - from < least && from < end + least)) continue;
    text_addf(d->out,
              "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
              "fill=\"#%02x%02x%02x\"/>\n",
              from, d->box->top, to - from, d->box->bottom - d->box->top, band_colour.light.red,
              band_colour.light.green, band_colour.light.blue);
    end = to;
  }
}

// Lines across the panel; where they are many, short ones at its upper edge.
static void add_impacts(Drawing *d) {
  enum { FEW = 25 };
  double least = 0.003 * (d->box->right - d->box->left), last = -INFINITY;
  bool many = d->chart->impacts.n > FEW;
  double low = many ? d->box->top + 0.07 * (d->box->bottom - d->box->top) : d->box->bottom;
  for (uint32_t i = 0; i < d->chart->impacts.n; i++) {
    double x = svg_x(d, d->chart->impacts.at[i]);
    if (x < last + least) continue;
    svg_segment(d, x, low, x, d->box->top, mark_colour.light, 0.9, many ? NULL : "(3,3)");
    last = x;
  }
}

// Zero, where lengths are counted from it.
static void add_zero(Drawing *d) {
  bool upright = false;
  for (uint32_t i = 0; i < d->panel->curves.n; i++)
    upright = upright || d->panel->curves.at[i].kind == CURVE_IMPULSES;
  if (!upright || d->box->y.low > 0 || d->box->y.high < 0) return;
  double y = svg_axis_y(d, 0);
  svg_segment(d, d->box->left, y, d->box->right, y, mark_colour.light, 1, NULL);
}

void svg_events(Drawing *d) {
  if (d->panel->is_over_time) {
    add_bands(d);
    add_impacts(d);
  }
  add_zero(d);
  for (uint32_t i = 0; i < d->panel->lines.n; i++) {
    double x = svg_x(d, d->panel->lines.at[i].x);
    svg_segment(d, x, d->box->bottom, x, d->box->top, mark_colour.light, 1, "(4,4)");
  }
}

// ---- Marks

// Dashed, in the colour of the curve that leaps.
static void add_jumps(Drawing *d) {
  const double least = 0.004; // of an axis
  double wide = d->box->right - d->box->left, high = d->box->bottom - d->box->top;
  for (uint32_t i = 0; i < d->panel->curves.n; i++)
    for (uint32_t k = 0; k < d->panel->curves.at[i].jumps.n; k++) {
      const ChartJump *jump = &d->panel->curves.at[i].jumps.at[k];
      double x1 = svg_x(d, jump->from.x), y1 = svg_y(d, jump->from.y);
      double x2 = svg_x(d, jump->to.x), y2 = svg_y(d, jump->to.y);
      if (fabs(y2 - y1) < least * high && fabs(x2 - x1) < least * wide) continue;
      svg_segment(d, x1, y1, x2, y2, chart_curve_colour(d->panel, d->panel->curves.at[i].colour),
                  1.2, "(4,7)");
    }
}

void svg_marks(Drawing *d) {
  add_jumps(d);
  for (uint32_t i = 0; i < d->panel->marks.n; i++) {
    const ChartMark *mark = &d->panel->marks.at[i];
    double x = svg_x(d, mark->at.x), y = svg_y(d, mark->at.y);
    double part = (x - d->box->left) / (d->box->right - d->box->left);
    const char *anchor = part < 0.08 ? "start" : part > 0.92 ? "end" : "middle";
    svg_dot(d, x, y, mark->kind == MARK_PEAK ? 2.2 : 4, chart_curve_colour(d->panel, mark->colour),
            mark->kind != MARK_START);
    if (mark->text) svg_label(d, x, y - 11, anchor, MARK_LETTERS, false, mark->text);
  }
}
