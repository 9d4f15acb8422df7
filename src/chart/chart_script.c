// A chart as a gnuplot script and its data file.
//
// The script stands for itself: `gnuplot NAME.gp` draws NAME.svg again, and
// `gnuplot -e 'kind = "pdf"' NAME.gp` (or "png") the same picture for paper. Margins, labels and
// legend have fixed places, so that panels stand level and no legend covers a curve.
#include <math.h>

#include "chart/script.h"
#include "print/gnuplot_text.h"

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
  script_end_in_colour(s, "linecolor", ink_colour.light);
  text_add(s->out, "set tics nomirror out scale 0.5");
  script_end_in_colour(s, "textcolor", ink_colour.light);
  text_add(s->out, "set xtics offset 0,0.3\nset ytics offset 0.4,0\n"
                   "set grid back linetype 1 dashtype solid linewidth 0.7");
  script_end_in_colour(s, "linecolor", grid_colour.light);
}

// ---- Axes

static void add_margins(Script *s, const PanelBox *box) {
  text_addf(s->out,
            "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
            "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
            box->left / CHART_WIDTH, box->right / CHART_WIDTH, 1 - box->top / s->height,
            1 - box->bottom / s->height);
}

static void add_axis_label(Script *s, const char *text, double x, double y, bool upright) {
  if (!*text) return;
  text_add(s->out, "set label ");
  add_quoted(s->out, text);
  text_add(s->out, " at ");
  script_place(s, x, y);
  text_addf(s->out, " center%s", upright ? " rotate by 90" : "");
  script_end_in_colour(s, "textcolor", ink_colour.light);
}

static void add_words(Script *s, const ChartPanel *panel) {
  for (uint32_t i = 0; i < panel->y_ticks.n; i++) {
    text_add(s->out, i ? ", " : "set ytics (");
    add_quoted(s->out, panel->y_ticks.at[i].text);
    text_addf(s->out, " %.10g", panel->y_ticks.at[i].at);
  }
  text_add(s->out, ")\n");
}

// Powers of ten, at whole multiples of a power where there would be too many.
static void add_powers(Script *s, const PanelBox *box) {
  double step = chart_powers_step(box);
  if (step <= 1) {
    text_add(s->out, "set ytics autofreq\nset mytics default\n");
    return;
  }
  text_addf(s->out, "set ytics 1e%.0f, 1e%.0f, %.10g\nunset mytics\n",
            step * ceil(log10(box->y.low) / step - 1e-9), step, box->y.high);
}

static void add_numbers(Script *s, const ChartPanel *panel, const PanelBox *box) {
  bool by_powers = chart_x_is_by_powers(panel, box);
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
  bool in_radians = fabs(panel->turn - 2 * M_PI) < 1e-9;
  if (panel->turn > 0 && !in_radians)
    text_addf(s->out, "set ytics %.10g\n", panel->turn / 4);
  else if (panel->turn > 0)
    text_add(s->out, "set ytics (\"−π\" -pi, \"−π/2\" -pi/2, \"0\" 0, \"π/2\" pi/2, \"π\" pi)\n");
  else if (panel->y_ticks.n)
    add_words(s, panel);
  else if (panel->is_log)
    add_powers(s, box);
  else
    text_addf(s->out, "set ytics %.10g\n", box->y.step);
}

static void add_axes(Script *s, const ChartPanel *panel, const PanelBox *box) {
  text_addf(s->out, "unset logscale\nset xrange [%.10g:%.10g]\nset yrange [%.10g:%.10g]\n",
            box->x.low, box->x.high, box->y.low, box->y.high);
  add_numbers(s, panel, box);
  Arena *arena = s->out->arena;
  double middle = 0.5 * (box->top + box->bottom);
  if (box->has_x_numbers)
    add_axis_label(s, chart_axis_label(arena, panel->x_label, panel->x_unit, &box->x),
                   0.5 * (box->left + box->right), box->x_label, false);
  add_axis_label(s, chart_ordinate_label(arena, panel, box), box->y_label, middle, true);
  if (panel->map)
    add_axis_label(s, chart_axis_label(arena, panel->map->label, panel->map->unit, &box->z),
                   box->z_label, middle, true);
}

// ---- Legend

static void add_sample(Script *s, const ChartPanel *panel, const LegendEntry *entry) {
  bool is_dots = entry->kind == LEGEND_CURVE && panel->curves.at[entry->curve].kind == CURVE_POINTS;
  switch (is_dots ? LEGEND_DOTS : entry->kind) {
  case LEGEND_CURVE:
  case LEGEND_IMPACT:
  case LEGEND_LINES:
    text_add(s->out, "set arrow from ");
    script_place(s, entry->x, entry->y);
    text_add(s->out, " to ");
    script_place(s, entry->x + 24, entry->y);
    text_add(s->out, " nohead");
    if (entry->kind == LEGEND_CURVE)
      script_pen(s, panel, entry->curve);
    else
      text_add(s->out, " linewidth 0.9 dashtype (3,3) linecolor "),
          script_colour(s, mark_colour.light);
    break;
  case LEGEND_BAND:
    text_add(s->out, "set object rectangle from ");
    script_place(s, entry->x, entry->y + 6);
    text_add(s->out, " to ");
    script_place(s, entry->x + 24, entry->y - 6);
    text_add(s->out, " fillstyle solid noborder fillcolor ");
    script_colour(s, band_colour.light);
    break;
  case LEGEND_DOTS:
    text_add(s->out, "set label \"\" at ");
    script_place(s, entry->x + 18, entry->y);
    text_add(s->out, " point pointtype 7 pointsize 0.5 linecolor ");
    script_colour(s, chart_curve_colour(panel, panel->curves.at[entry->curve].colour));
    break;
  case LEGEND_START:
  case LEGEND_END:
    text_add(s->out, "set label \"\" at ");
    script_place(s, entry->x + 18, entry->y);
    text_addf(s->out, " point pointtype %d pointsize 0.8 linewidth 1.6 linecolor ",
              entry->kind == LEGEND_START ? 6 : 7);
    script_colour(s, ink_colour.light);
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
    script_place(s, entry->x + 30, entry->y);
    text_add(s->out, " left");
    script_end_in_colour(s, "textcolor", ink_colour.light);
  }
}

// From the end of the curve to its name.
static void add_ends(Script *s, const ChartPanel *panel, const PanelBox *box) {
  for (uint32_t i = 0; i < box->end_count; i++) {
    const EndLabel *end = &box->ends[i];
    text_add(s->out, "set arrow from ");
    script_place(s, box->right + 1, end->end);
    text_add(s->out, " to ");
    script_place(s, box->right + 13, end->y);
    text_add(s->out, " nohead");
    script_pen(s, panel, end->curve);
    text_add(s->out, "\nset label ");
    add_quoted(s->out, panel->curves.at[end->curve].label);
    text_add(s->out, " at ");
    script_place(s, box->right + 17, end->y);
    text_add(s->out, " left");
    script_end_in_colour(s, "textcolor", ink_colour.light);
  }
}

static void add_panel(Script *s, const ChartPanel *panel, const PanelBox *box, uint32_t block) {
  text_add(s->out, "unset object\nunset arrow\nunset label\n");
  add_margins(s, box);
  add_axes(s, panel, box);
  script_marks(s, panel, box);
  add_legend(s, panel, box);
  add_ends(s, panel, box);
  script_plot(s, panel, box, block);
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
    block += script_blocks(&chart->panels.at[i]);
  }
  if (chart->panels.n > 1) text_add(out, "unset multiplot\n");
  text_add(out, "set output\n");
}
