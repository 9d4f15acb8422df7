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
#define COLOURS 36 // the colours of a map, beside its axes
#define BAR_ROW 26
#define NUMBER_X 62 // between numbers
#define NUMBER_Y 42

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
  bool is_silent = is_named_above(chart, number) || chart_ends_width(chart, panel, arena) > 0;
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

// The shorter axis shows more, so that a metre is as long on both.
static void equal_scales(Extent *e, double width, double height) {
  double scale = fmax((e->high_x - e->low_x) / width, (e->high_y - e->low_y) / height);
  double x = 0.5 * (e->low_x + e->high_x), y = 0.5 * (e->low_y + e->high_y);
  e->low_x = x - 0.5 * scale * width, e->high_x = x + 0.5 * scale * width;
  e->low_y = y - 0.5 * scale * height, e->high_y = y + 0.5 * scale * height;
}

// The largest part of a turn, or number of turns, that leaves two numbers at least.
static double degree_step(double span) {
  static const double parts[] = {15, 30, 45, 90, 180};
  double step = 360;
  while (span >= 5 * step) step *= 2;
  for (int i = 4; i >= 0 && span < 2 * step; i--) step = parts[i];
  return step;
}

static void scale_axes(const ChartPanel *panel, const Extent *e, PanelBox *box) {
  double width = box->right - box->left, height = box->bottom - box->top;
  box->x = axis_scale(e->low_x, e->high_x, width, NUMBER_X, true);
  box->y = axis_scale(e->low_y, e->high_y, height, NUMBER_Y, false);
  if (panel->has_equal_scales) {
    int larger = box->x.exponent > box->y.exponent ? box->x.exponent : box->y.exponent;
    box->x = axis_scale_of(e->low_x, e->high_x, larger, box->x.base, width, NUMBER_X, true);
    box->y = axis_scale_of(e->low_y, e->high_y, larger, box->y.base, height, NUMBER_Y, false);
    box->x.step = box->y.step = fmax(box->x.step, box->y.step);
  }
  // Logarithms, multiples of pi and words are what they are.
  if (panel->is_log_x) box->x = (AxisScale){e->low_x, e->high_x, 0, 0, 0};
  if (panel->is_log || panel->turn > 0 || panel->y_ticks.n)
    box->y = (AxisScale){e->low_y, e->high_y, 0, 0, 0};
  double span = box->y.high - box->y.low;
  if (panel->has_degrees && span > 40) box->y.step = degree_step(span);
}

// What words and numbers need on the left of the axes.
static double left_of(const ChartPanel *panel, const PanelBox *box, Arena *arena) {
  int letters = axis_letters(&box->y);
  for (uint32_t i = 0; i < panel->y_ticks.n; i++) {
    const char *plain = markup_letters(arena, panel->y_ticks.at[i].text);
    int own = (int)utf8_width(plain, strlen(plain));
    if (own > letters) letters = own;
  }
  bool is_bare = !*panel->y_label && !*panel->y_unit && !box->y.exponent;
  return (is_bare ? 16 : 34) + LETTER * letters;
}

// What the colours of a map, their numbers and their label need on the right; else what the last
// number of the abscissa needs.
static double right_of(const ChartPanel *panel, const PanelBox *box) {
  if (panel->map) return COLOURS + LETTER * axis_letters(&box->z) + 32;
  if (box->x.step == 0) return RIGHT;
  double free_part = fmod(box->x.high, box->x.step) / (box->x.high - box->x.low);
  if (free_part < 0) free_part += box->x.step / (box->x.high - box->x.low);
  return 0.5 * LETTER * axis_letters(&box->x) - free_part * (box->right - box->left);
}

static double axes_height(const Chart *chart, const ChartPanel *panel, double width,
                          const Extent *range) {
  if (panel->has_equal_scales) {
    double natural = width * (range->high_y - range->low_y) / (range->high_x - range->low_x);
    return fmin(fmax(natural, 150), fmax(0.9 * width, 200));
  }
  if (panel->map) return 0.8 * width;
  if (panel->y_ticks.n > 2) return 16 + BAR_ROW * panel->y_ticks.n;
  if (chart->columns > 1) return 0.85 * width;
  double usual = chart->panels.n == 1 ? 250 : chart->panels.n == 2 ? 180 : 150;
  return usual * (panel->height > 0 ? panel->height : 1);
}

// ---- Panels

static bool shares_abscissa(const Chart *chart, uint32_t i) {
  return chart->columns <= 1 && i + 1 < chart->panels.n && chart->panels.at[i].is_over_time &&
         chart->panels.at[i + 1].is_over_time;
}

// Where the cells of a chart begin, and what they need beside their axes.
typedef struct Cells {
  double width, left, right;
} Cells;

// The box of one panel whose cell begins at (x, y); returns where it ends.
static double lay_out_panel(const Chart *chart, uint32_t number, double x, double y,
                            const Cells *cells, Arena *arena, PanelBox *box) {
  const ChartPanel *panel = &chart->panels.at[number];
  *box = (PanelBox){.left = x + cells->left, .right = x + cells->width - cells->right};
  box->top = y + 8 + lay_out_legend(chart, number, y, arena, box);
  Extent range = axis_range(panel);
  double axes_width = box->right - box->left;
  double height = axes_height(chart, panel, axes_width, &range);
  box->bottom = box->top + height;
  if (panel->has_equal_scales) equal_scales(&range, axes_width, height);
  scale_axes(panel, &range, box);
  if (panel->map) box->z = axis_scale(panel->map->low, panel->map->high, height, NUMBER_Y, false);
  box->z_label = x + cells->width - 14;
  if (chart_ends_width(chart, panel, arena) > 0) {
    box->ends = chart_ends(panel, &box->y, box->top, box->bottom, arena);
    box->end_count = panel->curves.n;
  }
  box->has_x_numbers = !shares_abscissa(chart, number);
  box->x_label = box->bottom + 38;
  box->y_label = x + 16;
  return box->bottom + (box->has_x_numbers ? BELOW : GAP);
}

static void lay_out_panels(const Chart *chart, const Cells *cells, Arena *arena,
                           ChartLayout *layout) {
  uint32_t n = chart->panels.n, columns = chart->columns > 1 ? chart->columns : 1;
  double y = 4, lowest = y;
  for (uint32_t i = 0; i < n; i++) {
    if (i % columns == 0) y = lowest;
    double end =
        lay_out_panel(chart, i, cells->width * (i % columns), y, cells, arena, &layout->boxes[i]);
    lowest = fmax(lowest, end);
  }
  // Neighbours in a row stand level even where only one has a legend.
  for (uint32_t i = 1; i < n && columns > 1; i++) {
    PanelBox *box = &layout->boxes[i], *first = &layout->boxes[i - i % columns];
    double shift = first->top - box->top;
    box->top += shift, box->bottom += shift, box->x_label += shift;
    lowest = fmax(lowest, box->bottom + BELOW);
  }
  layout->height = ceil(lowest);
}

// A picture of all panels as if they had room enough, and then with what they need.
ChartLayout chart_layout(const Chart *chart, Arena *arena) {
  uint32_t n = chart->panels.n, columns = chart->columns > 1 ? chart->columns : 1;
  ChartLayout layout = {.boxes = arena_array(arena, PanelBox, n)};
  Cells cells = {(double)CHART_WIDTH / columns, LEFT, RIGHT};
  for (uint32_t i = 0; i < n; i++)
    if (chart->panels.at[i].map)
      cells.right = COLOURS + 8 * LETTER;
    else
      cells.right = fmax(cells.right, chart_ends_width(chart, &chart->panels.at[i], arena));
  lay_out_panels(chart, &cells, arena, &layout);
  Cells needed = cells;
  for (uint32_t i = 0; i < n; i++) {
    needed.left = fmax(needed.left, left_of(&chart->panels.at[i], &layout.boxes[i], arena));
    needed.right = fmax(needed.right, right_of(&chart->panels.at[i], &layout.boxes[i]));
  }
  needed.left = fmin(needed.left, 0.5 * needed.width);
  if (needed.left > cells.left || needed.right > cells.right)
    lay_out_panels(chart, &needed, arena, &layout);
  return layout;
}
