// Labels on a canvas, as an engineer dimensions a sketch.
#include <math.h>

#include "scene/labels.h"
#include "scene/shapes.h"

enum { ARC_PIECES = 32 };

static const Colour dimension_ink = {90, 90, 90};

static void thin_line(Canvas *canvas, Place2 from, Place2 to, double opacity) {
  canvas_lines(canvas, (Place2[]){from, to}, 2, false, (Pen){dimension_ink, opacity, 1});
}

static Place2 middle_of(Place2 a, Place2 b) {
  return (Place2){0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
}

static void put_letter(Canvas *canvas, Place2 at, const char *letter) {
  canvas_symbol(canvas, (Place2){at.x, at.y + SYMBOL_FOOT}, SYMBOL_SIZE, dimension_ink, letter, "");
}

static void draw_angle(Canvas *canvas, const PlacedLabel *p) {
  Place2 arc[ARC_PIECES + 1], back[ARC_PIECES + 1];
  for (int i = 0; i <= ARC_PIECES; i++) {
    arc[i] = on_arc(p, p->zero + p->arrow * i / ARC_PIECES);
    back[i] = on_arc(p, p->zero + p->sweep * i / ARC_PIECES);
  }
  double beyond = p->radius + 14;
  Place2 zero = {p->from.x + beyond * cos(p->zero), p->from.y - beyond * sin(p->zero)};
  thin_line(canvas, p->from, zero, 0.6);
  if (p->sweep * p->arrow < 0)
    canvas_lines(canvas, back, ARC_PIECES + 1, false, (Pen){p->label->colour, 0.6, 1});
  draw_curved_arrow(&(Brush){canvas, p->label->colour, 1, 1}, arc, ARC_PIECES + 1, 1.4);
}

static void draw_length(Canvas *canvas, const PlacedLabel *p) {
  if (!p->label->is_dimension) return;
  Brush brush = {canvas, dimension_ink, 1, 1};
  Place2 ends[] = {p->from, p->to};
  for (int i = 0; i < 2; i++) {
    double dx = ends[i].x - p->feet[i].x, dy = ends[i].y - p->feet[i].y, length = hypot(dx, dy);
    double beyond = length > 0 ? 1 + 5 / length : 1;
    Place2 tip = {p->feet[i].x + beyond * dx, p->feet[i].y + beyond * dy};
    thin_line(canvas, p->feet[i], tip, 0.5);
    draw_arrow(&brush, middle_of(p->from, p->to), ends[i]);
  }
}

static void draw_position(Canvas *canvas, const PlacedLabel *p) {
  double dx = p->label->axis ? 6 : 0, dy = p->label->axis ? 0 : 6;
  thin_line(canvas, (Place2){p->from.x - dx, p->from.y - dy},
            (Place2){p->from.x + dx, p->from.y + dy}, 1);
  thin_line(canvas, p->feet[0], p->feet[1], 0.6);
  draw_arrow(&(Brush){canvas, dimension_ink, 1, 1}, p->from, p->to);
}

static void draw_axes_of_plane(Canvas *canvas, Place2 origin) {
  Place2 x = {origin.x + 34, origin.y}, y = {origin.x, origin.y - 34};
  Brush brush = {canvas, dimension_ink, 1, 1};
  draw_arrow(&brush, origin, x);
  draw_arrow(&brush, origin, y);
  put_letter(canvas, (Place2){x.x + 8, x.y - 2}, "x");
  put_letter(canvas, (Place2){y.x + 10, y.y}, "y");
}

static void draw_figure(Canvas *canvas, const PlacedLabel *p) {
  switch (p->label->kind) {
  case LABEL_ANGLE: draw_angle(canvas, p); break;
  case LABEL_LENGTH: draw_length(canvas, p); break;
  case LABEL_POSITION: draw_position(canvas, p); break;
  case LABEL_RADIUS:
  case LABEL_GRAVITY: draw_arrow(&(Brush){canvas, dimension_ink, 1, 1}, p->from, p->to); break;
  case LABEL_MASS:
    if (p->label->from != p->label->to) canvas_disc(canvas, p->anchor, 2.6, ink_colour.light, 1);
    break;
  case LABEL_SPRING: break;
  case LABEL_AXES: draw_axes_of_plane(canvas, p->from); break;
  }
}

void labels_draw(Canvas *canvas, const Scene *scene, const View *view, const SceneLabels *labels,
                 const double *pose) {
  Arena *scratch = &scene->cx->scratch;
  Mark mark = arena_mark(scratch);
  PlacedLabels placed = labels_layout(canvas, scratch, scene, view, labels, pose);
  for (uint32_t i = 0; i < placed.n; i++)
    if (placed.at[i].is_shown) draw_figure(canvas, &placed.at[i]);
  for (uint32_t i = 0; i < placed.n; i++) {
    const PlacedLabel *p = &placed.at[i];
    if (!p->is_shown) continue;
    if (p->has_leader) thin_line(canvas, p->leader, p->anchor, 0.7);
    bool is_beside = p->label->kind == LABEL_GRAVITY;
    Place2 centre = is_beside ? p->anchor : p->symbol.centre;
    Place2 foot = {centre.x, centre.y + SYMBOL_FOOT};
    canvas_symbol(canvas, foot, SYMBOL_SIZE, p->label->colour, p->label->text, p->label->subscript);
  }
  arena_release(scratch, mark);
}
