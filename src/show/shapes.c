// The parts of mechanisms as an engineer sketches them, in pixels.
#include "show/shapes.h"

#include <math.h>

static Colour mixed(Colour a, Colour b, double part) {
  return (Colour){(uint8_t)lround(a.red + part * (b.red - a.red)),
                  (uint8_t)lround(a.green + part * (b.green - a.green)),
                  (uint8_t)lround(a.blue + part * (b.blue - a.blue))};
}

static Colour lighter(Colour c, double part) { return mixed(c, (Colour){255, 255, 255}, part); }
static Colour darker(Colour c, double part) { return mixed(c, (Colour){0, 0, 0}, part); }

static Pen pen_of(const Brush *b, Colour colour, double width) {
  return (Pen){colour, b->faint, width};
}

// Along and across the way from one point to another.
typedef struct Frame {
  Place2 origin;
  double ux, uy, length;
} Frame;

static Frame frame_between(Place2 from, Place2 to) {
  double dx = to.x - from.x, dy = to.y - from.y, length = hypot(dx, dy);
  Frame frame = {from, 1, 0, length};
  if (length > 0) frame.ux = dx / length, frame.uy = dy / length;
  return frame;
}

// across: to the right of the way, as the reader sees it.
static Place2 in_frame(const Frame *f, double along, double across) {
  return (Place2){f->origin.x + along * f->ux - across * f->uy,
                  f->origin.y + along * f->uy + across * f->ux};
}

static void line(const Brush *b, Place2 from, Place2 to, Colour colour, double width) {
  Place2 both[] = {from, to};
  canvas_lines(b->canvas, both, 2, false, pen_of(b, colour, width));
}

void draw_rod(const Brush *b, const Place2 *points, size_t n) {
  if (b->size > 3.5) {
    canvas_lines(b->canvas, points, n, false, pen_of(b, darker(b->colour, 0.15), b->size));
    canvas_lines(b->canvas, points, n, false, pen_of(b, lighter(b->colour, 0.35), b->size - 2.4));
  } else {
    canvas_lines(b->canvas, points, n, false, pen_of(b, b->colour, b->size));
  }
}

void draw_plate(const Brush *b, const Place2 *points, size_t n) {
  canvas_area(b->canvas, points, n, lighter(b->colour, 0.6), b->faint);
  canvas_lines(b->canvas, points, n, true, pen_of(b, darker(b->colour, 0.1), 1.8));
}

void draw_wheel(const Brush *b, Place2 centre, double radius, double mark) {
  canvas_disc(b->canvas, centre, radius, lighter(b->colour, 0.5), b->faint);
  canvas_circle(b->canvas, centre, radius, pen_of(b, darker(b->colour, 0.1), 1.8));
  if (isnan(mark)) return;
  Place2 rim = {centre.x + radius * cos(mark), centre.y - radius * sin(mark)};
  line(b, centre, rim, darker(b->colour, 0.1), 1.8);
}

// A coil seen from the side: the turns in front are darker than those behind.
void draw_spring(const Brush *b, Place2 from, Place2 to, double width, double coils) {
  Frame f = frame_between(from, to);
  double lead = fmin(0.18 * f.length, 12), body = f.length - 2 * lead, half = 0.5 * width;
  Colour front = darker(b->colour, 0.1), back = lighter(b->colour, 0.45);
  line(b, from, in_frame(&f, lead, 0), front, 2);
  line(b, in_frame(&f, f.length - lead, 0), to, front, 2);
  int turns = (int)coils;
  double pitch = body / turns;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < turns; i++) {
      double begin = lead + i * pitch;
      Place2 low = in_frame(&f, begin + 0.25 * pitch, -half);
      Place2 high = in_frame(&f, begin + 0.75 * pitch, half);
      if (pass == 0) {
        Place2 from_axis = in_frame(&f, begin, 0), to_axis = in_frame(&f, begin + pitch, 0);
        line(b, from_axis, low, back, 1.6);
        line(b, high, to_axis, back, 1.6);
      } else {
        line(b, low, high, front, 2.2);
      }
    }
}

void draw_damper(const Brush *b, Place2 from, Place2 to, double width) {
  Frame f = frame_between(from, to);
  double half = 0.5 * width, begin = 0.3 * f.length, end = 0.72 * f.length;
  double piston = begin + 0.55 * (end - begin);
  Colour ink = darker(b->colour, 0.1);
  line(b, from, in_frame(&f, begin, 0), ink, 2);
  Place2 cylinder[] = {in_frame(&f, end, -half), in_frame(&f, begin, -half),
                       in_frame(&f, begin, half), in_frame(&f, end, half)};
  canvas_area(b->canvas, cylinder, 4, lighter(b->colour, 0.75), b->faint);
  canvas_lines(b->canvas, cylinder, 4, false, pen_of(b, ink, 2));
  line(b, in_frame(&f, piston, -0.8 * half), in_frame(&f, piston, 0.8 * half), ink, 3);
  line(b, in_frame(&f, piston, 0), to, ink, 2);
}

void draw_ground(const Brush *b, Place2 from, Place2 to) {
  Frame f = frame_between(from, to);
  double spacing = 9, depth = 8;
  for (double at = 0.5 * spacing; at < f.length; at += spacing)
    line(b, in_frame(&f, at, 0), in_frame(&f, at - depth, depth), lighter(b->colour, 0.35), 1.1);
  line(b, from, to, b->colour, 2);
}

void draw_support(const Brush *b, Place2 at, double angle) {
  double side = 15;
  // Down, as the support sees it, turned by the angle.
  double dx = sin(angle), dy = cos(angle);
  Place2 foot = {at.x + side * dx, at.y + side * dy};
  Place2 left = {foot.x - 0.75 * side * dy, foot.y + 0.75 * side * dx};
  Place2 right = {foot.x + 0.75 * side * dy, foot.y - 0.75 * side * dx};
  Place2 triangle[] = {at, left, right};
  canvas_area(b->canvas, triangle, 3, lighter(b->colour, 0.85), b->faint);
  canvas_lines(b->canvas, triangle, 3, true, pen_of(b, b->colour, 1.6));
  Place2 from = {left.x - 5 * dy, left.y + 5 * dx}, to = {right.x + 5 * dy, right.y - 5 * dx};
  draw_ground(b, from, to);
}

void draw_hinge(const Brush *b, Place2 at) {
  double radius = fmin(fmax(0.62 * b->size, 1.5), 4.2);
  canvas_disc(b->canvas, at, radius, (Colour){255, 255, 255}, b->faint);
  canvas_circle(b->canvas, at, radius, pen_of(b, b->colour, fmin(1.6, 0.5 * radius)));
}

void draw_arrow(const Brush *b, Place2 from, Place2 to) {
  Frame f = frame_between(from, to);
  if (f.length < 1) return;
  double head = fmin(11, 0.6 * f.length);
  line(b, from, in_frame(&f, f.length - 0.8 * head, 0), b->colour, 2.2);
  Place2 tip[] = {to, in_frame(&f, f.length - head, -0.4 * head),
                  in_frame(&f, f.length - head, 0.4 * head)};
  canvas_area(b->canvas, tip, 3, b->colour, b->faint);
}

void draw_trail(const Brush *b, const Place2 *points, size_t n) {
  canvas_lines(b->canvas, points, n, false, pen_of(b, lighter(b->colour, 0.45), 1.3));
}
