// Labels on a canvas, as an engineer dimensions a sketch.
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "scene/labels.h"
#include "scene/shapes.h"

enum { ARC_PIECES = 32, MOST_PLACED = 64 };

typedef struct LabelPen {
  Canvas *canvas;
  const View *view;
  const double *pose;
  double arc;   // radius of the next one in this drawing
  double aside; // of the next dimension from what it measures
  struct {
    Place2 at;
    double half; // of its width
  } placed[MOST_PLACED];
  size_t n;
} LabelPen;

static const Colour dimension_ink = {90, 90, 90};

static void thin_line(const LabelPen *p, Place2 from, Place2 to, double opacity) {
  canvas_lines(p->canvas, (Place2[]){from, to}, 2, false, (Pen){dimension_ink, opacity, 1});
}

static double width_of_symbol(const SceneLabel *label) {
  return 9 * (double)utf8_width(label->text, strlen(label->text)) +
         6.5 * (double)utf8_width(label->subscript, strlen(label->subscript));
}

static bool is_free(const LabelPen *p, Place2 at, double half) {
  for (size_t i = 0; i < p->n; i++)
    if (fabs(p->placed[i].at.x - at.x) < p->placed[i].half + half &&
        fabs(p->placed[i].at.y - at.y) < 17)
      return false;
  return true;
}

static double between(double low, double x, double high) { return fmax(low, fmin(x, high)); }

// Where it is wanted, or as near as it is seen whole and no other symbol covers it.
static void put_symbol(LabelPen *p, Place2 at, const SceneLabel *label) {
  static const double ways[][2] = {{0, 0},  {0, -1}, {1, 0},  {0, 1},   {-1, 0},
                                   {1, -1}, {1, 1},  {-1, 1}, {-1, -1}, {0, -2}};
  double half = 0.5 * width_of_symbol(label);
  at.x = between(half + 3, at.x, p->view->width - half - 3);
  at.y = between(10, at.y, p->view->height - 10);
  Place2 place = at;
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    Place2 other = {at.x + (half + 14) * ways[i][0], at.y + 18 * ways[i][1]};
    if (!is_free(p, other, half)) continue;
    place = other;
    break;
  }
  if (p->n < MOST_PLACED) p->placed[p->n].at = place, p->placed[p->n++].half = half;
  canvas_symbol(p->canvas, (Place2){place.x, place.y + 5}, 16, label->colour, label->text,
                label->subscript);
}

static void put_letter(const LabelPen *p, Place2 at, const char *letter) {
  canvas_symbol(p->canvas, (Place2){at.x, at.y + 5}, 16, dimension_ink, letter, "");
}

static Place2 along(Place2 a, Place2 b, double part) {
  return (Place2){a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
}

// Beside the middle of the way, on its left.
static Place2 beside(Place2 a, Place2 b, double off) {
  double dx = b.x - a.x, dy = b.y - a.y, length = hypot(dx, dy);
  Place2 middle = along(a, b, 0.5);
  if (!(length > 0)) return middle;
  // upwards or to the right where there is a choice
  double nx = dy / length, ny = -dx / length;
  if (ny > 0.1 || (fabs(ny) <= 0.1 && nx < 0)) nx = -nx, ny = -ny;
  return (Place2){middle.x + off * nx, middle.y + off * ny};
}

static void draw_angle(LabelPen *p, const SceneLabel *label) {
  Place2 from = view_pixel(p->view, p->pose + label->from),
         to = view_pixel(p->view, p->pose + label->to);
  double zero = label->zero;
  if (label->base_from != NO_SIGNAL) {
    const double *a = p->pose + label->base_from, *b = p->pose + label->base_to;
    zero += atan2(b[1] - a[1], b[0] - a[0]);
  }
  double sweep = label->sign * fmod(p->pose[label->value], 2 * M_PI);
  double reach = hypot(to.x - from.x, to.y - from.y), radius = fmin(p->arc, 0.75 * reach);
  Place2 arc[ARC_PIECES + 1];
  for (int i = 0; i <= ARC_PIECES; i++) {
    double a = zero + sweep * i / ARC_PIECES;
    arc[i] = (Place2){from.x + radius * cos(a), from.y - radius * sin(a)};
  }
  double beyond = radius + 14;
  thin_line(p, from, (Place2){from.x + beyond * cos(zero), from.y - beyond * sin(zero)}, 0.6);
  canvas_lines(p->canvas, arc, ARC_PIECES + 1, false, (Pen){label->colour, 1, 1.4});
  if (fabs(sweep) * radius > 12)
    draw_arrow(&(Brush){p->canvas, label->colour, 1, 1},
               along(arc[ARC_PIECES - 5], arc[ARC_PIECES], 0), arc[ARC_PIECES]);
  double middle = zero + 0.5 * sweep, text = radius + 15;
  put_symbol(p, (Place2){from.x + text * cos(middle), from.y - text * sin(middle)}, label);
  p->arc = p->arc > 50 ? 34 : p->arc + 9;
}

// Square to the way: downwards, or to the left of what stands.
static Place2 down_from(Place2 a, Place2 b) {
  double dx = b.x - a.x, dy = b.y - a.y, length = hypot(dx, dy);
  if (!(length > 0)) return (Place2){0, 1};
  Place2 square = {-dy / length, dx / length};
  bool is_other = square.y < -0.1 || (fabs(square.y) <= 0.1 && square.x > 0);
  return is_other ? (Place2){-square.x, -square.y} : square;
}

static Place2 moved(Place2 at, Place2 way, double by) {
  return (Place2){at.x + by * way.x, at.y + by * way.y};
}

static void draw_length(LabelPen *p, const SceneLabel *label) {
  Place2 a = view_pixel(p->view, p->pose + label->from),
         b = view_pixel(p->view, p->pose + label->to);
  if (label->is_dimension) {
    Place2 down = down_from(a, b);
    thin_line(p, a, moved(a, down, p->aside + 5), 0.5);
    thin_line(p, b, moved(b, down, p->aside + 5), 0.5);
    a = moved(a, down, p->aside), b = moved(b, down, p->aside);
    Brush brush = {p->canvas, dimension_ink, 1, 1};
    draw_arrow(&brush, along(a, b, 0.5), a);
    draw_arrow(&brush, along(a, b, 0.5), b);
    p->aside += 24;
  }
  double off = label->is_dimension ? 12 : label->kind == LABEL_SPRING ? -22 : 18;
  put_symbol(p, beside(a, b, off), label);
}

static void draw_mass(LabelPen *p, const SceneLabel *label) {
  Place2 a = view_pixel(p->view, p->pose + label->from),
         b = view_pixel(p->view, p->pose + label->to);
  Place2 at = along(a, b, 0.5);
  if (label->from != label->to)
    canvas_disc(p->canvas, at, 2.6, ink_colour.light, 1), at = beside(a, b, -16);
  else
    at = (Place2){at.x + 20, at.y - 14};
  put_symbol(p, at, label);
}

static void draw_position(LabelPen *p, const SceneLabel *label) {
  double zero[3] = {p->pose[label->from], p->pose[label->from + 1], p->pose[label->from + 2]};
  zero[label->axis] -= p->pose[label->value];
  Place2 from = view_pixel(p->view, zero), to = view_pixel(p->view, p->pose + label->from);
  double shift = label->axis ? 0 : 26, side = label->axis ? -26 : 0;
  from.x += side, from.y -= shift, to.x += side, to.y -= shift;
  thin_line(p, (Place2){from.x - (label->axis ? 6 : 0), from.y - (label->axis ? 0 : 6)},
            (Place2){from.x + (label->axis ? 6 : 0), from.y + (label->axis ? 0 : 6)}, 1);
  draw_arrow(&(Brush){p->canvas, dimension_ink, 1, 1}, from, to);
  put_symbol(p, beside(from, to, 11), label);
}

static void draw_gravity(LabelPen *p, const SceneLabel *label) {
  Place2 from = {p->view->width - 34.0 - 18 * label->way[0], 30.0 + 18 * label->way[1]};
  Place2 to = {from.x + 36 * label->way[0], from.y - 36 * label->way[1]};
  if (label->way[1] > 0) from.y += 18, to.y += 18;
  if (label->way[1] < 0) from.y += 18, to.y += 18;
  draw_arrow(&(Brush){p->canvas, dimension_ink, 1, 1}, from, to);
  put_symbol(p,
             (Place2){0.5 * (from.x + to.x) + (label->way[0] == 0 ? 14 : 0),
                      0.5 * (from.y + to.y) + (label->way[0] == 0 ? 0 : 14)},
             label);
}

static void draw_axes_of_plane(const LabelPen *p) {
  Place2 origin = {22, p->view->height - 40.0}, x = {56, origin.y}, y = {22, origin.y - 34};
  Brush brush = {p->canvas, dimension_ink, 1, 1};
  draw_arrow(&brush, origin, x);
  draw_arrow(&brush, origin, y);
  put_letter(p, (Place2){x.x + 8, x.y - 2}, "x");
  put_letter(p, (Place2){y.x + 10, y.y}, "y");
}

void labels_draw(Canvas *canvas, const View *view, const SceneLabels *labels, const double *pose) {
  LabelPen pen = {.canvas = canvas, .view = view, .pose = pose, .arc = 34, .aside = 40};
  for (uint32_t i = 0; i < labels->n; i++) {
    const SceneLabel *label = &labels->at[i];
    switch (label->kind) {
    case LABEL_ANGLE: draw_angle(&pen, label); break;
    case LABEL_LENGTH: draw_length(&pen, label); break;
    case LABEL_MASS: draw_mass(&pen, label); break;
    case LABEL_SPRING: draw_length(&pen, label); break;
    case LABEL_POSITION: draw_position(&pen, label); break;
    case LABEL_GRAVITY: draw_gravity(&pen, label); break;
    }
  }
  if (labels->n && !view->follows) draw_axes_of_plane(&pen);
}
