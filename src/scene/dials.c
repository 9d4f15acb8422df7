// Nothing but coordinates: pointers and marks on scales.
#include "scene/dials.h"

#include <math.h>

#include "chart/chart_layout.h"
#include "expr/build.h"
#include "scene/labels.h"

#define MOST_DIALS 12

typedef struct Dials {
  Scene *scene;
  Context *cx;
  const Model *model;
  uint32_t group; // of the next coordinate
} Dials;

static bool is_angle(const Measure *measure) {
  return measure->is_known && dimension_is_pure(measure->dimension);
}

typedef struct Range {
  double low, high;
} Range;

static void find_ranges(Dials *d, Range *ranges) {
  const Result *r = d->scene->result;
  uint32_t n = d->model->coordinates.n;
  for (uint32_t i = 0; i < n; i++) ranges[i] = (Range){INFINITY, -INFINITY};
  r->rows.rewind(r->rows.user);
  for (const double *row; (row = r->rows.next(r->rows.user));)
    for (uint32_t i = 0; i < n; i++) {
      int column = result_column(r, symbol_text(d->cx, d->model->coordinates.at[i].name));
      if (column < 0 || !isfinite(row[column])) continue;
      ranges[i].low = fmin(ranges[i].low, row[column]);
      ranges[i].high = fmax(ranges[i].high, row[column]);
    }
}

static Expr constant(Dials *d, double value) {
  return expr_number(d->cx, number_from_double(d->cx, value));
}

static uint32_t point_at(Dials *d, double x, double y) {
  Expr at_x = constant(d, x);
  return scene_point(d->scene, at_x, constant(d, y), 0);
}

static void label_dial(Dials *d, const char *name, double factor, double x, double y) {
  SceneLabel symbol = scene_label(d->scene, LABEL_ANGLE, name);
  Text text = text_new(d->scene->arena);
  if (factor != 1) text_addf(&text, "%g ", factor);
  text_add(&text, symbol.text);
  SceneShape label = shape_at(DRAW_LABEL, point_at(d, x, y), 1);
  label.text = text.at;
  label.subscript = symbol.subscript;
  scene_add(d->scene, label);
}

static void add_line(Dials *d, double x_1, double y_1, double x_2, double y_2) {
  uint32_t from = point_at(d, x_1, y_1);
  point_at(d, x_2, y_2);
  SceneShape line = shape_at(DRAW_LINE, from, 2);
  line.has_colour = true, line.colour = mark_colour.light;
  scene_add(d->scene, line);
}

// A pointer on a round face, from a mark on the right at 0 against the clock: nothing is known of
// what the coordinate turns.
static void add_dial(Dials *d, const Coordinate *c, Range range, double x, double y,
                     double radius) {
  Context *cx = d->cx;
  // Small vibrations are magnified, and say so.
  double swing = fmax(fabs(range.low), fabs(range.high));
  double factor = swing > 0 && swing < 0.12 ? nice_step(0.5 / swing, 1) : 1;
  Expr angle = expr_mul(cx, constant(d, factor), c->q);
  Expr centre_x = constant(d, x), centre_y = constant(d, y), reach = constant(d, 0.8 * radius);
  Expr tip_x = expr_add(cx, centre_x, expr_mul(cx, reach, expr_cos(cx, angle)));
  Expr tip_y = expr_add(cx, centre_y, expr_mul(cx, reach, expr_sin(cx, angle)));
  uint32_t first = scene_point(d->scene, centre_x, centre_y, 0);
  scene_point(d->scene, tip_x, tip_y, 0);
  SceneShape face = shape_at(DRAW_DISC, first, 1), pointer = shape_at(DRAW_LINE, first, 2);
  face.radius = scene_signal(d->scene, constant(d, radius));
  face.has_colour = true, face.colour = grid_colour.light;
  pointer.group = d->group++;
  scene_add(d->scene, face);
  SceneShape zero =
      shape_at(DRAW_DISC, scene_point(d->scene, constant(d, x + 0.9 * radius), centre_y, 0), 1);
  zero.radius = scene_signal(d->scene, constant(d, 0.05 * radius));
  zero.has_colour = true, zero.colour = mark_colour.light;
  pointer.is_pointer = true;
  scene_add(d->scene, zero);
  scene_add(d->scene, pointer);
  scene_add_hinge(d->scene, first);
  // one alone is named by its arc
  if (factor != 1 || d->model->coordinates.n > 1)
    label_dial(d, symbol_text(cx, c->name), factor, x - 0.2 * radius, y - 1.35 * radius);
}

// A mark on a scale, with a stroke at 0: nothing is known of what the coordinate moves.
static void add_slider(Dials *d, const Coordinate *c, Range range, double y, double size) {
  double left = fmin(range.low, 0) - 0.5 * size, right = fmax(range.high, 0) + 0.5 * size;
  bool has_zero = left > range.low - 2 * size && right < range.high + 2 * size;
  if (!has_zero) left = range.low - 0.5 * size, right = range.high + 0.5 * size;
  add_line(d, left, y, right, y);
  if (has_zero) add_line(d, 0, y - 0.2 * size, 0, y + 0.2 * size);
  SceneShape mark = shape_at(DRAW_DISC, scene_point(d->scene, c->q, constant(d, y), 0), 1);
  mark.radius = scene_signal(d->scene, constant(d, 0.25 * size));
  mark.group = d->group++;
  scene_add(d->scene, mark);
  label_dial(d, symbol_text(d->cx, c->name), 1, left - 0.5 * size, y);
}

static void show_coordinates(Dials *d) {
  uint32_t n = d->model->coordinates.n < MOST_DIALS ? d->model->coordinates.n : MOST_DIALS;
  Range *ranges = arena_array(d->scene->arena, Range, d->model->coordinates.n);
  find_ranges(d, ranges);
  double widest = 0, middle = 0;
  bool only_lengths = true;
  for (uint32_t i = 0; i < n; i++) {
    if (is_angle(&d->model->coordinates.at[i].measure) || !(ranges[i].low <= ranges[i].high))
      continue;
    const Measure *measure = &d->model->coordinates.at[i].measure;
    only_lengths &= dimension_is_equal(measure->dimension, dimension_base(0, 1, 0));
    widest = fmax(widest, ranges[i].high - ranges[i].low);
    middle = 0.5 * (ranges[i].high + ranges[i].low);
  }
  bool only_angles = widest == 0;
  double size = only_angles ? 1 : 0.3 * widest, y = 0;
  if (only_angles || !only_lengths) d->scene->unit = "";
  uint32_t column = 0;
  for (uint32_t i = 0; i < n; i++) {
    const Coordinate *c = &d->model->coordinates.at[i];
    if (!(ranges[i].low <= ranges[i].high)) continue;
    if (is_angle(&c->measure)) {
      add_dial(d, c, ranges[i], middle + 2.6 * size * column, y, size);
      if (++column == 4) column = 0, y -= 2.8 * size;
      continue;
    }
    if (column) column = 0, y -= 2.8 * size;
    add_slider(d, c, ranges[i], y, size);
    y -= 1.8 * size;
  }
}

void scene_show_coordinates(Scene *scene) {
  Dials dials = {scene, scene->cx, scene->result->model, 0};
  show_coordinates(&dials);
}
