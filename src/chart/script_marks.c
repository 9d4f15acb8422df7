// Events, lines and marks of a panel.
#include <math.h>

#include "chart/script.h"
#include "print/gnuplot_text.h"

// ---- Events and marks

static void add_bands(Script *s, const PanelBox *box) {
  double least = 0.002 * (box->x.high - box->x.low);
  double end = -INFINITY;
  for (uint32_t i = 0; i < s->chart->bands.n; i++) {
    double from = fmax(axis_place(&box->x, s->chart->bands.at[i].from), box->x.low);
    double to = fmin(axis_place(&box->x, s->chart->bands.at[i].to), box->x.high);
    if (to - from < least && from < end + least) continue; // too narrow and too near to be seen
    text_addf(s->out,
              "set object rectangle from %.10g, graph 0 to %.10g, graph 1 behind fillstyle solid "
              "noborder",
              from, to);
    script_end_in_colour(s, "fillcolor", band_colour.light);
    end = to;
  }
}

// Lines across the panel; where they are many, short ones at its upper edge.
static void add_impacts(Script *s, const PanelBox *box) {
  double least = 0.003 * (box->x.high - box->x.low);
  double last = -INFINITY;
  bool many = s->chart->impacts.n > 25;
  for (uint32_t i = 0; i < s->chart->impacts.n; i++) {
    double t = axis_place(&box->x, s->chart->impacts.at[i]);
    if (t < last + least) continue;
    text_addf(s->out,
              "set arrow from %.10g, graph %s to %.10g, graph 1 nohead back linewidth 0.9 "
              "dashtype %s",
              t, many ? "0.93" : "0", t, many ? "solid" : "(3,3)");
    script_end_in_colour(s, "linecolor", mark_colour.light);
    last = t;
  }
}

// Dashed, in the colour of the curve that leaps; over time they stand upright.
static void add_jumps(Script *s, const ChartPanel *panel, const PanelBox *box) {
  const double least = 0.004; // of an axis
  double wide = box->x.high - box->x.low, high = box->y.high - box->y.low;
  for (uint32_t i = 0; i < panel->curves.n; i++)
    for (uint32_t k = 0; k < panel->curves.at[i].jumps.n; k++) {
      const ChartJump *jump = &panel->curves.at[i].jumps.at[k];
      Point from = {axis_place(&box->x, jump->from.x), axis_place(&box->y, jump->from.y)};
      Point to = {axis_place(&box->x, jump->to.x), axis_place(&box->y, jump->to.y)};
      bool is_small = fabs(to.y - from.y) < least * high && fabs(to.x - from.x) < least * wide;
      if (is_small) continue;
      text_addf(s->out,
                "set arrow from %.10g, %.10g to %.10g, %.10g nohead linewidth 1.2 dashtype (4,7)",
                from.x, from.y, to.x, to.y);
      script_end_in_colour(s, "linecolor", chart_curve_colour(panel, panel->curves.at[i].colour));
    }
}

static void add_lines(Script *s, const ChartPanel *panel, const PanelBox *box) {
  for (uint32_t i = 0; i < panel->lines.n; i++) {
    double x = axis_place(&box->x, panel->lines.at[i].x);
    text_addf(s->out, "set arrow from %.10g, graph 0 to %.10g, graph 1 nohead back dashtype (4,4)",
              x, x);
    script_end_in_colour(s, "linecolor", mark_colour.light);
  }
}

static void add_marks(Script *s, const ChartPanel *panel, const PanelBox *box) {
  for (uint32_t i = 0; i < panel->marks.n; i++) {
    const ChartMark *mark = &panel->marks.at[i];
    bool peak = mark->kind == MARK_PEAK;
    double x = axis_place(&box->x, mark->at.x);
    double part = (x - box->x.low) / (box->x.high - box->x.low);
    const char *side = part < 0.08 ? "left" : part > 0.92 ? "right" : "center";
    text_add(s->out, "set label ");
    add_quoted(s->out, mark->text ? mark->text : "");
    text_addf(s->out,
              " at %.10g, %.10g %s offset 0,0.7 front point pointtype %d pointsize %s "
              "linewidth 1.6 linecolor ",
              x, axis_place(&box->y, mark->at.y), side, mark->kind == MARK_START ? 6 : 7,
              peak ? "0.35" : "0.8");
    script_colour(s, chart_curve_colour(panel, mark->colour));
    text_add(s->out, " font \",12\"");
    script_end_in_colour(s, "textcolor", ink_colour.light);
  }
}

// Zero, where lengths are counted from it.
static void add_zero(Script *s, const ChartPanel *panel) {
  bool upright = false;
  for (uint32_t i = 0; i < panel->curves.n; i++)
    upright = upright || panel->curves.at[i].kind == CURVE_IMPULSES;
  text_add(s->out,
           upright ? "set xzeroaxis linetype 1 dashtype solid linewidth 1" : "unset xzeroaxis\n");
  if (upright) script_end_in_colour(s, "linecolor", mark_colour.light);
}

void script_marks(Script *s, const ChartPanel *panel, const PanelBox *box) {
  if (panel->is_over_time) {
    add_bands(s, box);
    add_impacts(s, box);
  }
  add_jumps(s, panel, box);
  add_zero(s, panel);
  add_lines(s, panel, box);
  add_marks(s, panel, box);
}
