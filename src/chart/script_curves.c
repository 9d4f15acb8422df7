// Curves and maps of a panel.
#include <math.h>

#include "chart/script.h"
#include "print/gnuplot_text.h"

void script_colour(Script *s, Colour c) {
  text_addf(s->out, "rgb \"#%02x%02x%02x\"", c.red, c.green, c.blue);
}

void script_end_in_colour(Script *s, const char *word, Colour c) {
  text_addf(s->out, " %s ", word);
  script_colour(s, c);
  text_add(s->out, "\n");
}

void script_place(Script *s, double x, double y) {
  text_addf(s->out, "screen %.5f, screen %.5f", x / CHART_WIDTH, 1 - y / s->height);
}

void script_pen(Script *s, const ChartPanel *panel, uint32_t i) {
  CurvePen pen = chart_pen(panel, i);
  text_addf(s->out, " linewidth %g dashtype %s linecolor ", pen.width, pen.dashes);
  script_colour(s, pen.colour);
}

// ---- Curves

static void add_column(Script *s, int column, const AxisScale *axis) {
  if (axis->base)
    text_addf(s->out, "(($%d-(%.17g))/1e%d)", column, axis->base, axis->exponent);
  else if (axis->exponent)
    text_addf(s->out, "($%d/1e%d)", column, axis->exponent);
  else
    text_addf(s->out, "%d", column);
}

static void add_using(Script *s, const PanelBox *box, uint32_t block) {
  text_addf(s->out, "  data index %u using ", block);
  add_column(s, 1, &box->x);
  text_add(s->out, ":");
  add_column(s, 2, &box->y);
}

static void add_curve(Script *s, const ChartPanel *panel, const PanelBox *box, uint32_t i,
                      uint32_t block) {
  const ChartCurve *curve = &panel->curves.at[i];
  double size = chart_point_size(curve->points.n);
  CurveKind kind = chart_kind(curve);
  add_using(s, box, block);
  switch (kind) {
  case CURVE_LINE: text_add(s->out, " with lines"); break;
  case CURVE_POINTS:
    text_addf(s->out, " with points pointtype 7 pointsize %g", curve->points.n == 1 ? 0.6 : size);
    break;
  case CURVE_JOINED: text_addf(s->out, " with linespoints pointtype 7 pointsize %g", size); break;
  case CURVE_IMPULSES: text_add(s->out, " with impulses"); break;
  case CURVE_AREA: text_add(s->out, " with filledcurves closed fillstyle solid 0.5 border"); break;
  }
  script_pen(s, panel, i);
  // What a pointer over the curve shows.
  text_add(s->out, " title ");
  add_quoted(s->out, markup_letters(s->out->arena, curve->label ? curve->label : panel->y_label));
  if (kind != CURVE_IMPULSES) return;
  text_add(s->out, ", \\\n");
  add_using(s, box, block);
  text_addf(s->out, " with points pointtype 7 pointsize %g linecolor ", size);
  script_colour(s, chart_curve_colour(panel, curve->colour));
  text_add(s->out, " notitle");
}

// ---- Maps

// Colours from dark to light, also in shades of grey.
static const char palette[] = "set palette defined (0 \"#440154\", 1 \"#3b528b\", 2 \"#21918c\", "
                              "3 \"#5ec962\", 4 \"#fde725\")\n";

static void add_colours(Script *s, const PanelBox *box) {
  text_add(s->out, palette);
  text_addf(s->out, "set cbrange [%.10g:%.10g]\nset cbtics %.10g\nset format cb \"%%g\"\n",
            box->z.low, box->z.high, box->z.step);
  text_addf(s->out, "set colorbox user origin screen %.5f, screen %.5f size screen %.5f, %.5f\n",
            (box->right + 14) / CHART_WIDTH, 1 - box->bottom / s->height, 14.0 / CHART_WIDTH,
            (box->bottom - box->top) / s->height);
}

// Lines of equal values at the numbers of the colours.
static void add_contours(Script *s, const PanelBox *box, uint32_t block) {
  text_addf(s->out,
            "set contour base\nunset surface\nset cntrparam levels incremental %.10g, "
            "%.10g, %.10g\nset table $levels\nsplot data index %u using ",
            box->z.step * ceil(box->z.low / box->z.step), box->z.step, box->z.high, block);
  add_column(s, 1, &box->x);
  text_add(s->out, ":");
  add_column(s, 2, &box->y);
  text_add(s->out, ":");
  add_column(s, 7, &box->z);
  text_add(s->out, "\nunset table\nunset contour\nset surface\n");
}

static void add_map(Script *s, const ChartPanel *panel, const PanelBox *box, uint32_t block) {
  bool has_levels = chart_map_has_levels(panel->map);
  add_colours(s, box);
  if (has_levels) add_contours(s, box, block);
  text_addf(s->out, "plot \\\n  data index %u using ", block);
  for (int column = 1; column <= 7; column++) {
    bool is_x = column == 1 || column == 3 || column == 4;
    add_column(s, column, column == 7 ? &box->z : is_x ? &box->x : &box->y);
    if (column < 7) text_add(s->out, ":");
  }
  text_add(s->out, " with boxxyerror fillstyle solid 1 noborder fillcolor palette notitle");
  if (has_levels) {
    text_add(s->out, ", \\\n  $levels using 1:2 with lines linewidth 0.7 linecolor ");
    script_colour(s, paper_colour.light);
    text_add(s->out, " notitle");
  }
  text_add(s->out, "\nunset colorbox\n");
}

uint32_t script_blocks(const ChartPanel *panel) { return panel->map ? 1 : panel->curves.n; }

void script_plot(Script *s, const ChartPanel *panel, const PanelBox *box, uint32_t block) {
  if (panel->map) {
    add_map(s, panel, box, block);
    return;
  }
  text_add(s->out, "plot \\\n");
  bool any = false;
  for (uint32_t i = 0; i < panel->curves.n; i++, block++) {
    if (panel->curves.at[i].points.n == 0) continue;
    if (any) text_add(s->out, ", \\\n");
    add_curve(s, panel, box, i, block);
    any = true;
  }
  text_add(s->out, any ? "\n" : "  NaN\n");
}
