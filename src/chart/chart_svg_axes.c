// The frame of a panel: grid, numbers, names of axes, legend.
#include <math.h>
#include <string.h>

#include "chart/chart_svg.h"

#define TICK 4     // pixels, outward
#define LETTERS 14 // pixels high
#define GRID_WIDTH 0.7
#define SAMPLE 24 // of a curve in the legend

// ---- Ticks

static void add_tick_x(Drawing *d, double x, const char *markup) {
  const PanelBox *box = d->box;
  svg_segment(d, x, box->top, x, box->bottom, grid_colour.light, GRID_WIDTH, NULL);
  svg_segment(d, x, box->bottom, x, box->bottom + TICK, ink_colour.light, 1, NULL);
  if (box->has_x_numbers)
    svg_label(d, x, box->bottom + TICK + 0.5 * LETTERS + 3, "middle", LETTERS, false, markup);
}

static void add_tick_y(Drawing *d, double y, const char *markup) {
  const PanelBox *box = d->box;
  svg_segment(d, box->left, y, box->right, y, grid_colour.light, GRID_WIDTH, NULL);
  svg_segment(d, box->left - TICK, y, box->left, y, ink_colour.light, 1, NULL);
  svg_label(d, box->left - TICK - 4, y, "end", LETTERS, false, markup);
}

// A number near zero beside its step is zero.
static double clean(double value, double step) { return fabs(value) < 1e-9 * step ? 0 : value; }

#define MOST_TICKS 200

static void add_ticks(Drawing *d, const AxisScale *axis, double step, bool is_abscissa) {
  double first = ceil(axis->low / step - 1e-9);
  for (int i = 0; i < MOST_TICKS && (first + i) * step <= axis->high + 1e-9 * step; i++) {
    double value = clean((first + i) * step, step);
    if (is_abscissa)
      add_tick_x(d, svg_axis_x(d, value), svg_number(d, value));
    else
      add_tick_y(d, svg_axis_y(d, value), svg_number(d, value));
  }
}

static const char *power_of_ten(const Drawing *d, double exponent) {
  return text_format(d->out->arena, "10^{%s}", svg_number(d, exponent));
}

// Powers of ten; within less than two of them also twice and five times those.
static void add_logarithmic(Drawing *d, const AxisScale *axis, double step, bool by_powers,
                            bool is_abscissa) {
  static const double parts[] = {1, 2, 5};
  bool is_short = log10(axis->high / axis->low) < 2;
  double first = step * floor(log10(axis->low) / step);
  for (int i = 0; i < MOST_TICKS; i++)
    for (int k = 0; k < (is_short ? 3 : 1); k++) {
      double exponent = first + i * step, value = parts[k] * pow(10, exponent);
      if (value < axis->low * (1 - 1e-9)) continue;
      if (value > axis->high * (1 + 1e-9)) return;
      const char *word = by_powers && k == 0 ? power_of_ten(d, exponent) : svg_number(d, value);
      if (is_abscissa)
        add_tick_x(d, svg_axis_x(d, value), word);
      else
        add_tick_y(d, svg_axis_y(d, value), word);
    }
}

static void add_turns(Drawing *d) {
  static const char *const words[] = {"−π", "−π/2", "0", "π/2", "π"};
  bool in_radians = fabs(d->panel->turn - 2 * M_PI) < 1e-9;
  for (int i = -2; i <= 2; i++) {
    double value = i * d->panel->turn / 4;
    add_tick_y(d, svg_axis_y(d, value), in_radians ? words[i + 2] : svg_number(d, value));
  }
}

static void add_ordinate(Drawing *d) {
  const ChartPanel *panel = d->panel;
  if (panel->turn > 0)
    add_turns(d);
  else if (panel->y_ticks.n)
    for (uint32_t i = 0; i < panel->y_ticks.n; i++)
      add_tick_y(d, svg_axis_y(d, panel->y_ticks.at[i].at), panel->y_ticks.at[i].text);
  else if (panel->is_log)
    add_logarithmic(d, &d->box->y, fmax(chart_powers_step(d->box), 1), true, false);
  else
    add_ticks(d, &d->box->y, d->box->y.step, false);
}

static void add_abscissa(Drawing *d) {
  bool by_powers = chart_x_is_by_powers(d->panel, d->box);
  if (d->panel->is_log_x)
    add_logarithmic(d, &d->box->x, 1, by_powers, true);
  else
    add_ticks(d, &d->box->x, d->box->x.step, true);
}

// ---- Names

static void add_names(Drawing *d) {
  Arena *arena = d->out->arena;
  const PanelBox *box = d->box;
  double middle = 0.5 * (box->top + box->bottom);
  if (box->has_x_numbers)
    svg_label(d, 0.5 * (box->left + box->right), box->x_label, "middle", LETTERS, false,
              chart_axis_label(arena, d->panel->x_label, d->panel->x_unit, &box->x));
  svg_label(d, box->y_label, middle, "middle", LETTERS, true,
            chart_ordinate_label(arena, d->panel, box));
  const ChartMap *map = d->panel->map;
  if (map)
    svg_label(d, box->z_label, middle, "middle", LETTERS, true,
              chart_axis_label(arena, map->label, map->unit, &box->z));
}

void svg_axes(Drawing *d) {
  const PanelBox *box = d->box;
  add_abscissa(d);
  add_ordinate(d);
  text_addf(d->out, "<path d=\"M%.2f,%.2fV%.2fH%.2f\"", box->left, box->top, box->bottom,
            box->right);
  svg_pen(d->out, ink_colour.light, 1, NULL);
  text_add(d->out, "/>\n");
  add_names(d);
}

// ---- Legend

static void add_sample(Drawing *d, const LegendEntry *entry) {
  double x = entry->x, y = entry->y;
  CurvePen pen = {0};
  switch (entry->kind) {
  case LEGEND_CURVE:
  case LEGEND_DOTS:
    pen = chart_pen(d->panel, entry->curve);
    if (d->panel->curves.at[entry->curve].kind == CURVE_POINTS)
      svg_dot(d, x + 18, y, 3, pen.colour, true);
    else
      svg_segment(d, x, y, x + SAMPLE, y, pen.colour, pen.width, pen.dashes);
    break;
  case LEGEND_IMPACT:
  case LEGEND_LINES: svg_segment(d, x, y, x + SAMPLE, y, mark_colour.light, 0.9, "(3,3)"); break;
  case LEGEND_BAND:
    text_addf(
        d->out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%d\" height=\"12\" fill=\"#%02x%02x%02x\"/>\n",
        x, y - 6, SAMPLE, band_colour.light.red, band_colour.light.green, band_colour.light.blue);
    break;
  case LEGEND_START:
  case LEGEND_END: svg_dot(d, x + 18, y, 4, ink_colour.light, entry->kind == LEGEND_END);
  }
}

void svg_legend(Drawing *d) {
  const PanelBox *box = d->box;
  for (uint32_t i = 0; i < box->legend.n; i++) {
    const LegendEntry *entry = &box->legend.at[i];
    add_sample(d, entry);
    svg_label(d, entry->x + 30, entry->y, "start", LETTERS, false, entry->text);
  }
  for (uint32_t i = 0; i < box->end_count; i++) {
    const EndLabel *end = &box->ends[i];
    CurvePen pen = chart_pen(d->panel, end->curve);
    svg_segment(d, box->right + 1, end->end, box->right + 13, end->y, pen.colour, pen.width,
                pen.dashes);
    svg_label(d, box->right + 17, end->y, "start", LETTERS, false,
              d->panel->curves.at[end->curve].label);
  }
}
