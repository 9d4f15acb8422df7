// A chart as a gnuplot script and its data file.
//
// The script stands for itself: `gnuplot NAME.gp` draws NAME.svg again, and
// `gnuplot -e 'kind = "pdf"' NAME.gp` (or "png") the same picture for paper. Margins, labels and
// legend have fixed places, so that panels stand level and no legend covers a curve.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "chart/chart.h"
#include "chart/chart_layout.h"
#include "chart/palette.h"
#include "print/gnuplot_text.h"

typedef struct Script {
  const Chart *chart;
  Text *out;
  double height;
} Script;

static void add_colour(Script *s, Colour c) {
  text_addf(s->out, "rgb \"#%02x%02x%02x\"", c.red, c.green, c.blue);
}

static void end_in_colour(Script *s, const char *word, Colour c) {
  text_addf(s->out, " %s ", word);
  add_colour(s, c);
  text_add(s->out, "\n");
}

static Colour curve_colour(const ChartPanel *panel, uint32_t colour) {
  bool alone = panel->curves.n == 0 || panel->curves.at[panel->curves.n - 1].run == 0;
  if (alone && panel->curves.n > CURVE_COLOURS) return colour_in_order(colour, panel->curves.n);
  return curve_colours[colour % CURVE_COLOURS].light;
}

// Of a few curves each third is dashed, and the later ones, which lie above, are thinner.
static void add_pen(Script *s, const ChartPanel *panel, uint32_t i) {
  bool few = panel->curves.n <= CURVE_COLOURS;
  double width = !few ? 1.2 : i == 0 ? 2 : i == 1 ? 1.8 : 1.6;
  static const char *const of_runs[] = {"solid", "(10,5)", "(3,4)", "(12,4,3,4)"};
  uint32_t run = panel->curves.at[i].run;
  bool alone = panel->curves.at[panel->curves.n - 1].run == 0;
  text_addf(s->out, " linewidth %g dashtype %s linecolor ", width,
            alone && few && i % 3 == 2 ? "(12,4)" : of_runs[run % 4]);
  add_colour(s, curve_colour(panel, panel->curves.at[i].colour));
}

// Pixels as parts of the picture.
static void add_place(Script *s, double x, double y) {
  text_addf(s->out, "screen %.5f, screen %.5f", x / CHART_WIDTH, 1 - y / s->height);
}

// ---- The picture as a whole

static void add_terminal(Script *s) {
  unsigned height = (unsigned)s->height;
  text_addf(s->out,
            "if (!exists(\"kind\")) kind = \"svg\"\n"
            "if (!exists(\"picture\")) picture = \"%s.\" . kind\n",
            s->chart->name);
  text_addf(s->out,
            "if (kind eq \"pdf\") set terminal pdfcairo enhanced size %.2fcm,%.2fcm "
            "font \"sans-serif,11\" fontscale 0.8 linewidth 1.6 rounded\n",
            CHART_WIDTH / 35.0, height / 35.0);
  text_addf(s->out,
            "if (kind eq \"png\") set terminal pngcairo enhanced size %d,%u "
            "font \"sans-serif,21\" linewidth 2 rounded background \"#ffffff\"\n",
            2 * CHART_WIDTH, 2 * height);
  text_addf(s->out,
            "if (kind eq \"svg\") set terminal svg enhanced size %d,%u "
            "font \"sans-serif,14\" rounded background \"#ffffff\"\n"
            "set output picture\n",
            CHART_WIDTH, height);
}

static void add_style(Script *s, char decimal_sign) {
  text_add(s->out, "reset\nset encoding utf8\nset minussign\nset key off\n");
  if (decimal_sign == ',') text_add(s->out, "set decimalsign \",\"\n");
  text_add(s->out, "set border 3 linewidth 1");
  end_in_colour(s, "linecolor", ink_colour.light);
  text_add(s->out, "set tics nomirror out scale 0.5");
  end_in_colour(s, "textcolor", ink_colour.light);
  text_add(s->out, "set xtics offset 0,0.3\nset ytics offset 0.4,0\n"
                   "set grid back linetype 1 dashtype solid linewidth 0.7");
  end_in_colour(s, "linecolor", grid_colour.light);
}

// ---- Axes

static void add_margins(Script *s, const PanelBox *box) {
  text_addf(s->out,
            "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
            "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
            box->left / CHART_WIDTH, box->right / CHART_WIDTH, 1 - box->top / s->height,
            1 - box->bottom / s->height);
}

// "µ" for units that take one: mm/s, kN; NULL where a power of ten must say it.
static const char *prefix_of(const char *unit, int exponent) {
  static const char *const units[] = {"m", "s", "N", "J", "W", "Pa", "Hz", "rad"};
  static const char *const prefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G"};
  size_t length = strcspn(unit, " /²³");
  if (exponent < -12 || exponent > 9 || exponent % 3) return NULL;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strlen(units[i]) == length && strncmp(units[i], unit, length) == 0)
      return unit[length] == "²"[0] ? NULL : prefixes[exponent / 3 + 4];
  return NULL;
}

// [mm], [10^-3 kg], [rad]
static void add_unit(Text *out, const char *unit, int exponent) {
  const char *prefix = prefix_of(unit, exponent);
  if (prefix)
    text_addf(out, "[%s%s]", prefix, unit);
  else if (exponent)
    text_addf(out, "[10^{%s%d}%s%s]", exponent < 0 ? "−" : "", abs(exponent), *unit ? " " : "",
              unit);
  else
    text_addf(out, "[%s]", unit);
}

static void add_axis_label(Script *s, const char *label, const char *unit, int exponent, double x,
                           double y, bool upright) {
  Text text = text_new(s->out->arena);
  text_add(&text, label);
  if (*label && (*unit || exponent)) text_add_char(&text, ' ');
  if (*unit || exponent) add_unit(&text, unit, exponent);
  if (text.n == 0) return;
  text_add(s->out, "set label ");
  add_quoted(s->out, text.at);
  text_add(s->out, " at ");
  add_place(s, x, y);
  text_addf(s->out, " center%s", upright ? " rotate by 90" : "");
  end_in_colour(s, "textcolor", ink_colour.light);
}

static void add_numbers(Script *s, const ChartPanel *panel, const PanelBox *box) {
  bool by_powers = panel->is_log_x && (box->x.high > 2e5 || box->x.low < 2e-4);
  text_addf(s->out, "set format x \"%s\"\n",
            !box->has_x_numbers ? ""
            : by_powers         ? "10^{%L}"
                                : "%g");
  if (panel->is_log_x)
    text_add(s->out, "set logscale x\nset xtics autofreq\n");
  else
    text_addf(s->out, "set xtics %.10g\n", box->x.step);
  text_add(s->out,
           panel->is_log ? "set logscale y\nset format y \"10^{%L}\"\n" : "set format y \"%g\"\n");
  if (panel->has_pi_ticks)
    text_add(s->out, "set ytics (\"−π\" -pi, \"−π/2\" -pi/2, \"0\" 0, \"π/2\" pi/2, \"π\" pi)\n");
  else if (panel->y_ticks)
    text_addf(s->out, "set ytics (%s)\n", panel->y_ticks);
  else if (panel->is_log)
    text_add(s->out, "set ytics autofreq\n");
  else
    text_addf(s->out, "set ytics %.10g\n", box->y.step);
}

// About how long a label and its unit are, in pixels.
static double label_length(const Script *s, const char *label, const char *unit) {
  const char *letters = markup_letters(s->out->arena, label);
  return 7.4 * (double)(utf8_width(letters, strlen(letters)) + utf8_width(unit, strlen(unit)) + 3);
}

static void add_axes(Script *s, const ChartPanel *panel, const PanelBox *box) {
  text_addf(s->out, "unset logscale\nset xrange [%.10g:%.10g]\nset yrange [%.10g:%.10g]\n",
            box->x.low, box->x.high, box->y.low, box->y.high);
  add_numbers(s, panel, box);
  if (box->has_x_numbers)
    add_axis_label(s, panel->x_label, panel->x_unit, box->x.exponent,
                   0.5 * (box->left + box->right), box->x_label, false);
  // Names that are longer than the axis stand in the legend alone.
  bool fits = label_length(s, panel->y_label, panel->y_unit) < box->bottom - box->top + 24;
  const char *label = fits || panel->curves.n < 2 ? panel->y_label : "";
  add_axis_label(s, label, panel->y_unit, box->y.exponent, box->y_label,
                 0.5 * (box->top + box->bottom), true);
}

// ---- Legend

static void add_sample(Script *s, const ChartPanel *panel, const LegendEntry *entry) {
  switch (entry->kind) {
  case LEGEND_CURVE:
  case LEGEND_IMPACT:
  case LEGEND_LINES:
    text_add(s->out, "set arrow from ");
    add_place(s, entry->x, entry->y);
    text_add(s->out, " to ");
    add_place(s, entry->x + 24, entry->y);
    text_add(s->out, " nohead");
    if (entry->kind == LEGEND_CURVE)
      add_pen(s, panel, entry->curve);
    else
      text_add(s->out, " linewidth 0.9 dashtype (3,3) linecolor "),
          add_colour(s, mark_colour.light);
    break;
  case LEGEND_BAND:
    text_add(s->out, "set object rectangle from ");
    add_place(s, entry->x, entry->y + 6);
    text_add(s->out, " to ");
    add_place(s, entry->x + 24, entry->y - 6);
    text_add(s->out, " fillstyle solid noborder fillcolor ");
    add_colour(s, band_colour.light);
    break;
  case LEGEND_START:
  case LEGEND_END:
    text_add(s->out, "set label \"\" at ");
    add_place(s, entry->x + 18, entry->y);
    text_addf(s->out, " point pointtype %d pointsize 0.8 linewidth 1.6 linecolor ",
              entry->kind == LEGEND_START ? 6 : 7);
    add_colour(s, ink_colour.light);
  }
  text_add(s->out, "\n");
}

static void add_legend(Script *s, const ChartPanel *panel, const PanelBox *box) {
  for (uint32_t i = 0; i < box->legend.n; i++) {
    const LegendEntry *entry = &box->legend.at[i];
    add_sample(s, panel, entry);
    text_add(s->out, "set label ");
    add_quoted(s->out, entry->text);
    text_add(s->out, " at ");
    add_place(s, entry->x + 30, entry->y);
    text_add(s->out, " left");
    end_in_colour(s, "textcolor", ink_colour.light);
  }
}

// ---- Events and marks

static void add_bands(Script *s, const PanelBox *box) {
  double unit = pow(10, box->x.exponent), least = 0.002 * (box->x.high - box->x.low);
  double end = -INFINITY;
  for (uint32_t i = 0; i < s->chart->bands.n; i++) {
    double from = fmax(s->chart->bands.at[i].from / unit, box->x.low);
    double to = fmin(s->chart->bands.at[i].to / unit, box->x.high);
    if (to - from < least && from < end + least) continue; // too narrow and too near to be seen
    text_addf(s->out,
              "set object rectangle from %.10g, graph 0 to %.10g, graph 1 behind fillstyle solid "
              "noborder",
              from, to);
    end_in_colour(s, "fillcolor", band_colour.light);
    end = to;
  }
}

// Lines across the panel; where they are many, short ones at its upper edge.
static void add_impacts(Script *s, const PanelBox *box) {
  double unit = pow(10, box->x.exponent), least = 0.003 * (box->x.high - box->x.low);
  double last = -INFINITY;
  bool many = s->chart->impacts.n > 25;
  for (uint32_t i = 0; i < s->chart->impacts.n; i++) {
    double t = s->chart->impacts.at[i] / unit;
    if (t < last + least) continue;
    text_addf(s->out,
              "set arrow from %.10g, graph %s to %.10g, graph 1 nohead back linewidth 0.9 "
              "dashtype %s",
              t, many ? "0.93" : "0", t, many ? "solid" : "(3,3)");
    end_in_colour(s, "linecolor", mark_colour.light);
    last = t;
  }
}

// Upright and dashed, in the colour of the curve that leaps.
static void add_jumps(Script *s, const ChartPanel *panel, const PanelBox *box) {
  double unit_x = pow(10, box->x.exponent), unit_y = pow(10, box->y.exponent);
  double least = 0.004 * (box->y.high - box->y.low) * unit_y;
  for (uint32_t i = 0; i < panel->curves.n; i++)
    for (uint32_t k = 0; k < panel->curves.at[i].jumps.n; k++) {
      const ChartJump *jump = &panel->curves.at[i].jumps.at[k];
      if (fabs(jump->to - jump->from) < least) continue;
      text_addf(s->out,
                "set arrow from %.10g, %.10g to %.10g, %.10g nohead linewidth 1.2 dashtype (4,7)",
                jump->x / unit_x, jump->from / unit_y, jump->x / unit_x, jump->to / unit_y);
      end_in_colour(s, "linecolor", curve_colour(panel, panel->curves.at[i].colour));
    }
}

static void add_lines(Script *s, const ChartPanel *panel, const PanelBox *box) {
  double unit = pow(10, box->x.exponent);
  for (uint32_t i = 0; i < panel->lines.n; i++) {
    const ChartLine *line = &panel->lines.at[i];
    text_addf(s->out, "set arrow from %.10g, graph 0 to %.10g, graph 1 nohead back dashtype (4,4)",
              line->x / unit, line->x / unit);
    end_in_colour(s, "linecolor", mark_colour.light);
  }
}

static void add_marks(Script *s, const ChartPanel *panel, const PanelBox *box) {
  for (uint32_t i = 0; i < panel->marks.n; i++) {
    const ChartMark *mark = &panel->marks.at[i];
    bool peak = mark->kind == MARK_PEAK;
    double x = mark->at.x / pow(10, box->x.exponent);
    double part = (x - box->x.low) / (box->x.high - box->x.low);
    const char *side = part < 0.08 ? "left" : part > 0.92 ? "right" : "center";
    text_add(s->out, "set label ");
    add_quoted(s->out, mark->text ? mark->text : "");
    text_addf(s->out,
              " at %.10g, %.10g %s offset 0,0.7 front point pointtype %d pointsize %s "
              "linewidth 1.6 linecolor ",
              x, mark->at.y / pow(10, box->y.exponent), side, mark->kind == MARK_START ? 6 : 7,
              peak ? "0.35" : "0.8");
    add_colour(s, curve_colour(panel, mark->colour));
    text_add(s->out, " font \",12\"");
    end_in_colour(s, "textcolor", ink_colour.light);
  }
}

// ---- Curves

static void add_column(Script *s, int column, int exponent) {
  if (exponent)
    text_addf(s->out, "($%d/1e%d)", column, exponent);
  else
    text_addf(s->out, "%d", column);
}

static void add_curve(Script *s, const ChartPanel *panel, const PanelBox *box, uint32_t i,
                      uint32_t block) {
  text_addf(s->out, "  data index %u using ", block);
  add_column(s, 1, box->x.exponent);
  text_add(s->out, ":");
  add_column(s, 2, box->y.exponent);
  bool is_point = panel->curves.at[i].points.n == 1;
  text_add(s->out, is_point ? " with points pointtype 7 pointsize 0.6" : " with lines");
  add_pen(s, panel, i);
  // What a pointer over the curve shows.
  const char *label = panel->curves.at[i].label;
  text_add(s->out, " title ");
  add_quoted(s->out, markup_letters(s->out->arena, label ? label : panel->y_label));
}

static void add_panel(Script *s, const ChartPanel *panel, const PanelBox *box, uint32_t block) {
  text_add(s->out, "unset object\nunset arrow\nunset label\n");
  add_margins(s, box);
  add_axes(s, panel, box);
  if (panel->is_over_time) {
    add_bands(s, box);
    add_impacts(s, box);
    add_jumps(s, panel, box);
  }
  add_lines(s, panel, box);
  add_marks(s, panel, box);
  add_legend(s, panel, box);
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

void chart_script(const Chart *chart, char decimal_sign, Text *out) {
  ChartLayout layout = chart_layout(chart, out->arena);
  Script s = {chart, out, layout.height};
  text_addf(out, "# %s\n# Drawn from %s.dat by gnuplot.\n", chart->description, chart->name);
  add_terminal(&s);
  add_style(&s, decimal_sign);
  text_addf(out, "data = \"%s.dat\"\n", chart->name);
  if (chart->panels.n > 1) text_add(out, "set multiplot\n");
  uint32_t block = 0;
  for (uint32_t i = 0; i < chart->panels.n; i++) {
    add_panel(&s, &chart->panels.at[i], &layout.boxes[i], block);
    block += chart->panels.at[i].curves.n;
  }
  if (chart->panels.n > 1) text_add(out, "unset multiplot\n");
  text_add(out, "set output\n");
}

// ---- Data

// A block that has no points still takes its place.
static void add_block(const ChartCurve *curve, Text *out) {
  text_addf(out, "# %s\n", curve->label ? curve->label : "");
  bool broken = false;
  for (uint32_t i = 0; i < curve->points.n; i++) {
    Point p = curve->points.at[i];
    if (isnan(p.y)) {
      if (!broken) text_add(out, "\n");
      broken = true;
      continue;
    }
    text_addf(out, "%.9g %.9g\n", p.x, p.y);
    broken = false;
  }
  if (curve->points.n == 0) text_add(out, "NaN NaN\n");
  text_add(out, broken ? "\n" : "\n\n");
}

void chart_data(const Chart *chart, Text *out) {
  for (uint32_t i = 0; i < chart->panels.n; i++)
    for (uint32_t k = 0; k < chart->panels.at[i].curves.n; k++)
      add_block(&chart->panels.at[i].curves.at[k], out);
}
