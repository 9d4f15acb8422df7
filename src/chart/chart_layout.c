// Where the parts of a chart stand, in pixels from its upper left corner.
#include "chart/chart_layout.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "print/gnuplot_text.h"

#define LEFT 80 // numbers and a label
#define RIGHT 16
#define BELOW 48 // numbers and a label
#define GAP 14   // between panels that share their abscissa
#define LEGEND_ROW 20
#define LETTER 7.8
#define SAMPLE 30 // a piece of line
#define LEGEND_MOST 21

double nice_step(double range, double parts) {
  double rough = range / parts, power = pow(10, floor(log10(rough)));
  double part = rough / power;
  return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

// ---- Legends

typedef struct LegendFlow {
  Arena *arena;
  PanelBox *box;
  double x, y, begin, end;
} LegendFlow;

static void add_entry(LegendFlow *flow, LegendKind kind, uint32_t curve, const char *text) {
  const char *plain = markup_letters(flow->arena, text);
  size_t letters = utf8_width(plain, strlen(plain));
  double width = SAMPLE + LETTER * (double)letters + 18;
  if (flow->x > flow->begin && flow->x + width - 18 > flow->end)
    flow->x = flow->begin, flow->y += LEGEND_ROW;
  LegendEntry entry = {kind, curve, text, flow->x, flow->y};
  vec_push(flow->arena, &flow->box->legend, entry);
  flow->x += width;
}

// Of many curves only some are named; their colours stand in order.
static uint32_t legend_stride(const ChartPanel *panel) {
  return panel->curves.n <= LEGEND_MOST ? 1 : (panel->curves.n + 4) / 5;
}

// Does the panel above name the same curves in the same colours?
static bool is_named_above(const Chart *chart, uint32_t number) {
  const ChartPanel *panel = &chart->panels.at[number], *above = panel - 1;
  if (number == 0 || chart->columns > 1 || panel->curves.n != above->curves.n) return false;
  for (uint32_t i = 0; i < panel->curves.n; i++) {
    const ChartCurve *a = &panel->curves.at[i], *b = &above->curves.at[i];
    if (a->colour != b->colour || !a->label || !b->label || strcmp(a->label, b->label) != 0)
      return false;
  }
  return true;
}

// Fills box->legend; returns the height that it takes.
static double lay_out_legend(const Chart *chart, uint32_t number, double y, Arena *arena,
                             PanelBox *box) {
  const ChartPanel *panel = &chart->panels.at[number];
  LegendFlow flow = {arena, box, box->left, y + 0.5 * LEGEND_ROW, box->left, box->right};
  bool is_silent = is_named_above(chart, number);
  for (uint32_t i = 0; !is_silent && i < panel->curves.n; i += legend_stride(panel))
    if (panel->curves.at[i].label) add_entry(&flow, LEGEND_CURVE, i, panel->curves.at[i].label);
  if (number == 0 && panel->is_over_time) {
    if (chart->bands.n) add_entry(&flow, LEGEND_BAND, 0, chart->band_label);
    if (chart->impacts.n) add_entry(&flow, LEGEND_IMPACT, 0, chart->impact_label);
  }
  if (panel->lines.n && panel->lines.at[0].text)
    add_entry(&flow, LEGEND_LINES, 0, panel->lines.at[0].text);
  if (number == 0 && panel->marks.n && panel->marks.at[0].kind != MARK_PEAK) {
    add_entry(&flow, LEGEND_START, 0, chart->start_label);
    add_entry(&flow, LEGEND_END, 0, chart->end_label);
  }
  return box->legend.n ? flow.y + 0.5 * LEGEND_ROW - y : 0;
}

// ---- Axes

static void widen(double *low, double *high, double part) {
  if (!(*low <= *high)) *low = 0, *high = 1;
  double middle = 0.5 * (*low + *high), half = 0.5 * (*high - *low);
  // A constant stands in the middle of a range that fits its size.
  if (half <= 1e-9 * fabs(middle)) half = middle == 0 ? 1 : 0.1 * fabs(middle);
  *low = middle - (1 + part) * half, *high = middle + (1 + part) * half;
}

// What lies beyond is cut off, so that the width of a range is a number.
static double within_bounds(double x) { return fmin(fmax(x, -1e300), 1e300); }

static Extent shown_range(const ChartPanel *panel) {
  Extent e = {within_bounds(panel->range.low_x), within_bounds(panel->range.high_x),
              within_bounds(panel->range.low_y), within_bounds(panel->range.high_y)};
  if (!panel->is_log_x && (!panel->is_over_time || !(e.low_x < e.high_x))) {
    double zero = e.low_x;
    widen(&e.low_x, &e.high_x, 0.05);
    if (panel->starts_at_zero) e.low_x = zero;
  }
  if (panel->is_log) {
    bool empty = !(e.low_y <= e.high_y);
    e.low_y = empty ? 1e-3 : pow(10, floor(log10(e.low_y) - 0.1));
    e.high_y = empty ? 1 : pow(10, ceil(log10(e.high_y) + 0.1));
  } else if (panel->has_pi_ticks) {
    e.low_y = -M_PI * 1.05, e.high_y = M_PI * 1.05;
  } else if (panel->y_ticks) {
    e.low_y = -0.3, e.high_y = 1.3;
  } else if (panel->starts_at_zero) {
    e.low_y = 0;
  } else {
    widen(&e.low_y, &e.high_y, 0.08);
  }
  return e;
}

// The shorter axis shows more, so that a metre is as long on both.
static void equal_scales(Extent *e, double width, double height) {
  double scale = fmax((e->high_x - e->low_x) / width, (e->high_y - e->low_y) / height);
  double x = 0.5 * (e->low_x + e->high_x), y = 0.5 * (e->low_y + e->high_y);
  e->low_x = x - 0.5 * scale * width, e->high_x = x + 0.5 * scale * width;
  e->low_y = y - 0.5 * scale * height, e->high_y = y + 0.5 * scale * height;
}

// Numbers of many digits are shown in units of a power of a thousand.
static int axis_exponent(double low, double high) {
  double size = fmax(fabs(low), fabs(high));
  if (size >= 0.1 && size < 2e4) return 0;
  return 3 * (int)floor(log10(size) / 3);
}

static AxisScale axis_scale(double low, double high, int exponent, double parts) {
  double unit = pow(10, exponent);
  return (AxisScale){low / unit, high / unit, exponent, nice_step((high - low) / unit, parts)};
}

static void scale_axes(const ChartPanel *panel, const Extent *e, PanelBox *box) {
  int x = axis_exponent(e->low_x, e->high_x), y = axis_exponent(e->low_y, e->high_y);
  if (panel->has_equal_scales) x = y = x > y ? x : y;
  if (panel->is_log || panel->has_pi_ticks || panel->y_ticks) y = 0;
  if (panel->is_log_x) x = 0;
  double width = box->right - box->left, height = box->bottom - box->top;
  box->x = axis_scale(e->low_x, e->high_x, x, fmax(2, width / 62));
  box->y = axis_scale(e->low_y, e->high_y, y, fmax(2, height / 42));
  double span = box->y.high - box->y.low;
  if (panel->has_degrees && span > 40) box->y.step = span > 1000 ? 360 : span > 100 ? 90 : 45;
  if (panel->has_equal_scales) box->x.step = box->y.step = fmax(box->x.step, box->y.step);
}

static double axes_height(const Chart *chart, const ChartPanel *panel, double width,
                          const Extent *range) {
  if (panel->has_equal_scales) {
    double natural = width * (range->high_y - range->low_y) / (range->high_x - range->low_x);
    return fmin(fmax(natural, 150), fmax(0.9 * width, 200));
  }
  if (chart->columns > 1) return 0.85 * width;
  double usual = chart->panels.n == 1 ? 250 : chart->panels.n == 2 ? 180 : 150;
  return usual * (panel->height > 0 ? panel->height : 1);
}

// ---- Panels

static bool shares_abscissa(const Chart *chart, uint32_t i) {
  return chart->columns <= 1 && i + 1 < chart->panels.n && chart->panels.at[i].is_over_time &&
         chart->panels.at[i + 1].is_over_time;
}

// The box of one panel whose cell begins at (x, y); returns where it ends.
static double lay_out_panel(const Chart *chart, uint32_t number, double x, double y, double width,
                            Arena *arena, PanelBox *box) {
  const ChartPanel *panel = &chart->panels.at[number];
  box->left = x + LEFT, box->right = x + width - RIGHT;
  box->top = y + 8 + lay_out_legend(chart, number, y, arena, box);
  Extent range = shown_range(panel);
  double axes_width = box->right - box->left;
  double height = axes_height(chart, panel, axes_width, &range);
  box->bottom = box->top + height;
  if (panel->has_equal_scales) equal_scales(&range, axes_width, height);
  scale_axes(panel, &range, box);
  box->has_x_numbers = !shares_abscissa(chart, number);
  box->x_label = box->bottom + 38;
  box->y_label = x + 16;
  return box->bottom + (box->has_x_numbers ? BELOW : GAP);
}

ChartLayout chart_layout(const Chart *chart, Arena *arena) {
  uint32_t n = chart->panels.n, columns = chart->columns > 1 ? chart->columns : 1;
  ChartLayout layout = {.boxes = arena_array(arena, PanelBox, n)};
  double cell = (double)CHART_WIDTH / columns, y = 4, lowest = y;
  for (uint32_t i = 0; i < n; i++) {
    if (i % columns == 0) y = lowest;
    double end = lay_out_panel(chart, i, cell * (i % columns), y, cell, arena, &layout.boxes[i]);
    lowest = fmax(lowest, end);
  }
  // Neighbours in a row stand level even where only one has a legend.
  for (uint32_t i = 1; i < n && columns > 1; i++) {
    PanelBox *box = &layout.boxes[i], *first = &layout.boxes[i - i % columns];
    double shift = first->top - box->top;
    box->top += shift, box->bottom += shift, box->x_label += shift;
    lowest = fmax(lowest, box->bottom + BELOW);
  }
  layout.height = ceil(lowest);
  return layout;
}
