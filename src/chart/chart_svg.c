// A chart drawn as SVG by ourselves: the picture as a whole.
#include "chart/chart_svg.h"

#include <math.h>

#include "chart/svg.h"

#define FARTHEST 1e5 // pixels

static double within_reach(double pixels) { return fmin(fmax(pixels, -FARTHEST), FARTHEST); }

// The part of an axis at which a value stands.
static double part_of(const AxisScale *axis, double value, bool is_log) {
  double low = axis->low, high = axis->high;
  if (is_log) low = log10(low), high = log10(high), value = value > 0 ? log10(value) : -FARTHEST;
  return (value - low) / (high - low);
}

double svg_axis_x(const Drawing *d, double x) {
  const PanelBox *box = d->box;
  double part = part_of(&box->x, x, d->panel->is_log_x);
  return within_reach(box->left + part * (box->right - box->left));
}

double svg_axis_y(const Drawing *d, double y) {
  const PanelBox *box = d->box;
  double part = part_of(&box->y, y, d->panel->is_log);
  return within_reach(box->bottom - part * (box->bottom - box->top));
}

double svg_x(const Drawing *d, double x) { return svg_axis_x(d, axis_place(&d->box->x, x)); }
double svg_y(const Drawing *d, double y) { return svg_axis_y(d, axis_place(&d->box->y, y)); }

// What is seen within the axes alone, with half a pen's width beyond.
static void add_clip(Drawing *d) {
  const PanelBox *box = d->box;
  text_addf(d->out,
            "<clipPath id=\"%s-inside-%u\"><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
            "height=\"%.2f\"/></clipPath>\n",
            d->chart->name, d->number, box->left - 2, box->top - 2, box->right - box->left + 4,
            box->bottom - box->top + 4);
}

static void open_inside(Drawing *d) {
  text_addf(d->out, "<g clip-path=\"url(#%s-inside-%u)\" stroke-linejoin=\"round\">\n",
            d->chart->name, d->number);
}

static void add_panel(Drawing *d) {
  add_clip(d);
  open_inside(d);
  svg_events(d);
  text_add(d->out, "</g>\n");
  svg_axes(d);
  open_inside(d);
  if (d->panel->map)
    svg_map(d);
  else
    svg_curves(d);
  text_add(d->out, "</g>\n");
  if (d->panel->map) svg_colours(d);
  svg_marks(d);
  svg_legend(d);
}

void chart_svg(const Chart *chart, char decimal_sign, Text *out) {
  ChartLayout layout = chart_layout(chart, out->arena);
  text_addf(out,
            "<svg role=\"img\" xml:space=\"preserve\" width=\"%d\" height=\"%.0f\" "
            "viewBox=\"0 0 %d %.0f\" xmlns=\"http://www.w3.org/2000/svg\" "
            "font-family=\"sans-serif\">\n<title>",
            CHART_WIDTH, layout.height, CHART_WIDTH, layout.height);
  svg_escaped(out, chart->description);
  text_add(out, "</title>\n");
  svg_add_dark_side(out);
  Colour paper = paper_colour.light;
  text_addf(out, "<rect width=\"100%%\" height=\"100%%\" fill=\"#%02x%02x%02x\"/>\n", paper.red,
            paper.green, paper.blue);
  for (uint32_t i = 0; i < chart->panels.n; i++) {
    Drawing d = {chart, &chart->panels.at[i], &layout.boxes[i], decimal_sign, i + 1, out};
    add_panel(&d);
  }
  text_add(out, "</svg>\n");
}
