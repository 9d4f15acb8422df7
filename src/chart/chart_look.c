// How charts look, whoever draws them: pens of curves, words at axes, sizes of points.
#include "chart/chart_look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "print/gnuplot_text.h"

// ---- Pens

// Places beyond the palette are those of curves in order.
static bool is_in_order(const ChartPanel *panel) {
  bool alone = panel->curves.n == 0 || panel->curves.at[panel->curves.n - 1].run == 0;
  bool bars = panel->curves.n > 0 && panel->curves.at[0].kind == CURVE_AREA;
  bool is_beyond = false;
  for (uint32_t i = 0; i < panel->curves.n; i++)
    is_beyond = is_beyond || (panel->curves.at[i].colour >= CURVE_COLOURS && !panel->has_roles);
  return alone && !bars && is_beyond;
}

Colour chart_curve_colour(const ChartPanel *panel, uint32_t colour) {
  if (is_in_order(panel)) return colour_in_order(colour, panel->curves.n);
  return place_colour(colour);
}

static bool is_second_of_colour(const ChartPanel *panel, uint32_t i) {
  for (uint32_t k = 0; k < i; k++)
    if (panel->curves.at[k].colour == panel->curves.at[i].colour) return true;
  return false;
}

static bool shares_colours(const ChartPanel *panel) {
  for (uint32_t i = 1; i < panel->curves.n; i++)
    if (is_second_of_colour(panel, i)) return true;
  return false;
}

// Of a few curves each third is dashed, and the later ones, which lie above, are thinner; the
// second that has a colour is dashed.
CurvePen chart_pen(const ChartPanel *panel, uint32_t i) {
  static const char *const of_runs[] = {"solid", "(10,5)", "(3,4)", "(12,4,3,4)"};
  const ChartCurve *curve = &panel->curves.at[i];
  bool few = panel->curves.n <= CURVE_COLOURS;
  bool alone = panel->curves.at[panel->curves.n - 1].run == 0;
  double width = !few ? 1.2 : i == 0 ? 2 : i == 1 ? 1.8 : 1.6;
  bool has_twins = shares_colours(panel);
  bool is_dashed = few && !has_twins ? i % 3 == 2 : is_second_of_colour(panel, i);
  const char *dashes = alone && is_dashed ? "(12,4)" : of_runs[curve->run % 4];
  if (curve->kind != CURVE_LINE) width = 1.2;
  if (curve->is_dense) width = 0.4;
  if (curve->kind != CURVE_LINE && curve->kind != CURVE_JOINED) dashes = "solid";
  return (CurvePen){width, dashes, chart_curve_colour(panel, curve->colour)};
}

CurveKind chart_kind(const ChartCurve *curve) {
  return curve->kind == CURVE_LINE && curve->points.n == 1 ? CURVE_POINTS : curve->kind;
}

// Small where there are many.
double chart_point_size(uint32_t n) { return n > 3000 ? 0.12 : n > 300 ? 0.22 : 0.4; }

// ---- Words at axes

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

const char *chart_axis_label(Arena *arena, const char *label, const char *unit,
                             const AxisScale *axis) {
  Text text = text_new(arena);
  int exponent = axis->exponent;
  text_add(&text, label);
  if (axis->base) {
    text_addf(&text, " %s %.12g%s%s", axis->base < 0 ? "+" : "−", fabs(axis->base),
              *unit ? " " : "", unit);
  }
  if (*label && (*unit || exponent)) text_add_char(&text, ' ');
  if (*unit || exponent) add_unit(&text, unit, exponent);
  return text.at;
}

// About how long a label and its unit are, in pixels.
static double label_length(Arena *arena, const char *label, const char *unit) {
  const char *letters = markup_letters(arena, label);
  return 7.4 * (double)(utf8_width(letters, strlen(letters)) + utf8_width(unit, strlen(unit)) + 3);
}

const char *chart_ordinate_label(Arena *arena, const ChartPanel *panel, const PanelBox *box) {
  bool fits = label_length(arena, panel->y_label, panel->y_unit) < box->bottom - box->top + 24;
  const char *label = fits || panel->curves.n < 2 || box->y.base ? panel->y_label : "";
  return chart_axis_label(arena, label, panel->y_unit, &box->y);
}

// ---- Logarithms and maps

double chart_powers_step(const PanelBox *box) {
  const double room = 26; // pixels for each of them
  double decades = log10(box->y.high) - log10(box->y.low);
  return ceil(decades / fmax(floor((box->bottom - box->top) / room), 2));
}

bool chart_x_is_by_powers(const ChartPanel *panel, const PanelBox *box) {
  return panel->is_log_x && (box->x.high > 2e5 || box->x.low < 2e-4);
}

bool chart_map_has_levels(const ChartMap *map) {
  enum { LEAST_CELLS = 10 };
  return map->columns >= LEAST_CELLS && map->rows >= LEAST_CELLS;
}
