// A map: cells in colours of their values, lines of equal values, and what the colours mean.
#include <math.h>

#include "chart/chart_svg.h"

#define LETTERS 14
#define BAR 14 // pixels wide, and from the axes
#define MOST_LEVELS 100

// Colours from dark to light, also in shades of grey.
static const Colour stations[] = {{0x44, 0x01, 0x54},
                                  {0x3b, 0x52, 0x8b},
                                  {0x21, 0x91, 0x8c},
                                  {0x5e, 0xc9, 0x62},
                                  {0xfd, 0xe7, 0x25}};

static uint8_t between(uint8_t a, uint8_t b, double part) {
  return (uint8_t)lround(a + part * (b - a));
}

static Colour colour_of(double part) {
  double at = 4 * fmin(fmax(part, 0), 1);
  int i = at >= 4 ? 3 : (int)at;
  const Colour *a = &stations[i], *b = &stations[i + 1];
  return (Colour){between(a->red, b->red, at - i), between(a->green, b->green, at - i),
                  between(a->blue, b->blue, at - i)};
}

static void add_cell(Drawing *d, double x, double y, double width, double height, Colour c) {
  text_addf(d->out,
            "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#%02x%02x%02x\"/>\n",
            x, y, width, height, c.red, c.green, c.blue);
}

static double value_at(const ChartMap *map, uint32_t i, uint32_t k) {
  return map->z[(size_t)i * map->rows + k];
}

static double part_of(const AxisScale *z, double value) {
  return (axis_place(z, value) - z->low) / (z->high - z->low);
}

static void add_cells(Drawing *d, const ChartMap *map) {
  const double seam = 0.3; // neighbours overlap by this, so that no paper shines through
  for (uint32_t i = 0; i < map->columns; i++)
    for (uint32_t k = 0; k < map->rows; k++) {
      double z = value_at(map, i, k), x[2], y[2];
      if (!isfinite(z)) continue;
      chart_edges(map->x, map->columns, i, x);
      chart_edges(map->y, map->rows, k, y);
      double left = svg_x(d, x[0]), low = svg_y(d, y[0]);
      double width = svg_x(d, x[1]) - left, height = low - svg_y(d, y[1]);
      add_cell(d, left, low - height - seam, width + seam, height + seam,
               colour_of(part_of(&d->box->z, z)));
    }
}

// ---- Levels

// Where a level crosses from one corner to the next; corners are (i, k), (i+1, k), (i+1, k+1),
// (i, k+1).
typedef struct Corner {
  double x, y, z;
} Corner;

static Point crossing(const Corner *a, const Corner *b, double level) {
  double part = (level - a->z) / (b->z - a->z);
  return (Point){a->x + part * (b->x - a->x), a->y + part * (b->y - a->y)};
}

static void add_level_in(Drawing *d, const Corner *corners, double level) {
  Point at[4];
  int n = 0;
  for (int i = 0; i < 4; i++) {
    const Corner *a = &corners[i], *b = &corners[(i + 1) % 4];
    if ((a->z < level) != (b->z < level)) at[n++] = crossing(a, b, level);
  }
  for (int i = 0; i + 1 < n; i += 2)
    text_addf(d->out, "M%.2f,%.2fL%.2f,%.2f", at[i].x, at[i].y, at[i + 1].x, at[i + 1].y);
}

static void add_level(Drawing *d, const ChartMap *map, double level) {
  text_add(d->out, "<path d=\"");
  for (uint32_t i = 0; i + 1 < map->columns; i++)
    for (uint32_t k = 0; k + 1 < map->rows; k++) {
      Corner corners[4];
      bool is_known = true;
      for (int c = 0; c < 4; c++) {
        uint32_t column = i + (c == 1 || c == 2), row = k + (c >= 2);
        double z = value_at(map, column, row);
        corners[c] =
            (Corner){svg_x(d, map->x[column]), svg_y(d, map->y[row]), axis_place(&d->box->z, z)};
        is_known = is_known && isfinite(z);
      }
      if (is_known) add_level_in(d, corners, level);
    }
  text_add(d->out, "\"");
  svg_pen(d->out, paper_colour.light, 0.7, NULL);
  text_add(d->out, "/>\n");
}

// ---- What colours mean

void svg_colours(Drawing *d) {
  enum { PARTS = 64 };
  const PanelBox *box = d->box;
  double height = box->bottom - box->top, x = box->right + BAR;
  for (int i = 0; i < PARTS; i++)
    add_cell(d, x, box->bottom - height * (i + 1) / PARTS, BAR, height / PARTS + 0.3,
             colour_of((i + 0.5) / PARTS));
  double first = ceil(box->z.low / box->z.step - 1e-9);
  for (int i = 0; i < MOST_LEVELS && (first + i) * box->z.step <= box->z.high; i++) {
    double value = (first + i) * box->z.step;
    double y = box->bottom - height * (value - box->z.low) / (box->z.high - box->z.low);
    svg_segment(d, x + BAR, y, x + BAR + 4, y, ink_colour.light, 1, NULL);
    svg_label(d, x + BAR + 7, y, "start", LETTERS, false, svg_number(d, value));
  }
}

void svg_map(Drawing *d) {
  const ChartMap *map = d->panel->map;
  const AxisScale *z = &d->box->z;
  add_cells(d, map);
  double first = ceil(z->low / z->step);
  for (int i = 0; chart_map_has_levels(map) && i < MOST_LEVELS && (first + i) * z->step < z->high;
       i++)
    add_level(d, map, (first + i) * z->step);
}
