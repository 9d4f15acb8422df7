// The parts of mechanisms as an engineer sketches them, in pixels.
#include "scene/shapes.h"

#include <math.h>

#define PRESSURE (M_PI / 9) // between the flank of a tooth and its radius
#define SLOPE 0.36397       // of a rack's flanks: tan(PRESSURE)
#define LEAST_PITCH 5       // pixels; smaller teeth are not drawn

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
  double pitch = body / turns, thin = fmin(pitch / 6, 1); // so that paper shows between the turns
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < turns; i++) {
      double begin = lead + i * pitch;
      Place2 low = in_frame(&f, begin + 0.25 * pitch, -half);
      Place2 high = in_frame(&f, begin + 0.75 * pitch, half);
      if (pass == 0) {
        Place2 from_axis = in_frame(&f, begin, 0), to_axis = in_frame(&f, begin + pitch, 0);
        line(b, from_axis, low, back, 1.6 * thin);
        line(b, high, to_axis, back, 1.6 * thin);
      } else {
        line(b, low, high, front, 2.2 * thin);
      }
    }
}

void draw_yokes(const Brush *b, Place2 ends[2], int side) {
  const double aside = 12;
  Frame f = frame_between(ends[0], ends[1]);
  if (side == 0 || !(f.length > 0)) return;
  Place2 moved[] = {in_frame(&f, 0, side * aside), in_frame(&f, f.length, side * aside)};
  for (int i = 0; i < 2; i++) line(b, ends[i], moved[i], darker(b->colour, 0.1), 2);
  ends[0] = moved[0], ends[1] = moved[1];
}

bool force_ends(Place2 at, double x, double y, Place2 out[2]) {
  const double length = 52, gap = 4;
  double size = hypot(x, y);
  if (!(size > 0) || !isfinite(size)) return false;
  out[0] = (Place2){at.x - (length + gap) * x / size, at.y + (length + gap) * y / size};
  out[1] = (Place2){at.x - gap * x / size, at.y + gap * y / size};
  return true;
}

void draw_stem(const Brush *b, Place2 from, Place2 to) {
  line(b, from, to, darker(b->colour, 0.1), 2);
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
  // no picture has room for more strokes
  const int most = 5000;
  double spacing = 9, depth = 8;
  for (int i = 0; i < most && (i + 0.5) * spacing < f.length; i++) {
    double at = (i + 0.5) * spacing;
    line(b, in_frame(&f, at, 0), in_frame(&f, at - depth, depth), lighter(b->colour, 0.35), 1.1);
  }
  line(b, from, to, b->colour, 2);
}

// side: 1 within, -1 around.
static void hatch_around(const Brush *b, Place2 centre, double radius, int side) {
  const double spacing = 9, depth = fmin(8, 0.6 * radius), inwards = 0.7 * side;
  int n = (int)fmax(floor(2 * M_PI * radius / spacing), 6);
  for (int i = 0; i < n; i++) {
    double a = 2 * M_PI * i / n, other = radius - inwards * depth,
           turned = a - 0.7 * depth / radius;
    Place2 rim = {centre.x + radius * cos(a), centre.y - radius * sin(a)};
    Place2 end = {centre.x + other * cos(turned), centre.y - other * sin(turned)};
    line(b, rim, end, lighter(b->colour, 0.35), 1.1);
  }
  canvas_circle(b->canvas, centre, radius, pen_of(b, b->colour, 2));
}

void rail_beneath(Place2 from, Place2 to, Place2 out[2]) {
  const double beneath = 15, beyond = 30, stands = 1e-6;
  double dx = to.x - from.x, dy = to.y - from.y, length = hypot(dx, dy);
  double ux = length > 0 ? dx / length : 1, uy = length > 0 ? dy / length : 0;
  bool turns_back = ux < -stands; // its right is above
  if (turns_back) ux = -ux, uy = -uy;
  const Place2 *first = turns_back ? &to : &from, *last = turns_back ? &from : &to;
  Place2 ends[] = {{first->x - beyond * ux - beneath * uy, first->y - beyond * uy + beneath * ux},
                   {last->x + beyond * ux - beneath * uy, last->y + beyond * uy + beneath * ux}};
  out[0] = ends[0], out[1] = ends[1];
}

void draw_post(const Brush *b, Place2 centre, double radius) {
  bool is_ring = radius < 0;
  radius = fabs(radius);
  if (!is_ring) canvas_disc(b->canvas, centre, radius, lighter(b->colour, 0.92), b->faint);
  hatch_around(b, centre, radius, is_ring ? -1 : 1);
}

void draw_rack(const Brush *b, Place2 from, Place2 to, double pitch, double first) {
  Frame f = frame_between(from, to);
  const double body = 6;
  bool meshes = pitch >= LEAST_PITCH;
  double height = meshes ? pitch / M_PI : 4.5, depth = meshes ? 1.25 * height : 0;
  if (!meshes) pitch = 8, first = 0.5 * pitch;
  double root = 0.25 * pitch + depth * SLOPE, tip = 0.25 * pitch - height * SLOPE;
  Place2 bar[] = {in_frame(&f, 0, depth), in_frame(&f, f.length, depth),
                  in_frame(&f, f.length, depth + body), in_frame(&f, 0, depth + body)};
  canvas_area(b->canvas, bar, 4, lighter(b->colour, 0.6), b->faint);
  canvas_lines(b->canvas, bar, 4, true, pen_of(b, b->colour, 1.6));
  for (double at = first - pitch * floor(first / pitch); at + root <= f.length; at += pitch) {
    if (at < root) continue;
    Place2 tooth[] = {in_frame(&f, at - root, depth), in_frame(&f, at - tip, -height),
                      in_frame(&f, at + tip, -height), in_frame(&f, at + root, depth)};
    canvas_area(b->canvas, tooth, 4, lighter(b->colour, 0.6), b->faint);
    canvas_lines(b->canvas, tooth, 4, false, pen_of(b, b->colour, 1.2));
  }
}

// ---- Teeth with flanks of involutes, at a pressure angle of 20 degrees

enum { MOST_TEETH = MOST_TEETH_POINTS / (2 * FLANK_POINTS), FLANK = FLANK_POINTS };

static double involute(double angle) { return tan(angle) - angle; }

bool teeth_are_visible(const Teeth *teeth) {
  return teeth->n >= 3 && teeth->n <= MOST_TEETH &&
         2 * M_PI * teeth->radius / teeth->n >= LEAST_PITCH;
}

// Half of the angle under which a tooth is seen at a radius.
static double half_tooth(const Teeth *t, double radius) {
  double base = t->radius * cos(PRESSURE), angle = acos(base / fmax(radius, base));
  return M_PI / (2 * t->n) + involute(PRESSURE) - involute(angle);
}

size_t teeth_outline(const Teeth *t, Place2 centre, double below, double above, Place2 *out) {
  double module = 2 * t->radius / t->n;
  size_t n = 0;
  for (uint32_t k = 0; k < t->n; k++)
    for (int i = 0; i < 2 * FLANK; i++) {
      int step = i < FLANK ? i : 2 * FLANK - 1 - i;
      double radius = t->radius + module * (-below + (below + above) * step / (FLANK - 1));
      double half = fmax(half_tooth(t, radius), 0);
      double a = t->phase + 2 * M_PI * k / t->n + (i < FLANK ? -half : half);
      out[n++] = (Place2){centre.x + radius * cos(a), centre.y - radius * sin(a)};
    }
  return n;
}

void draw_gear(const Brush *b, Place2 centre, const Teeth *t, double mark) {
  Place2 points[MOST_TEETH_POINTS];
  size_t n = teeth_outline(t, centre, 1.25, 1, points);
  canvas_area(b->canvas, points, n, lighter(b->colour, 0.5), b->faint);
  canvas_lines(b->canvas, points, n, true, pen_of(b, darker(b->colour, 0.1), 1.4));
  if (isnan(mark)) return;
  double root = t->radius - 2.5 * t->radius / t->n;
  Place2 rim = {centre.x + root * cos(mark), centre.y - root * sin(mark)};
  line(b, centre, rim, darker(b->colour, 0.1), 1.8);
}

// Its gaps are the teeth of a wheel that would fill it.
void draw_ring_gear(const Brush *b, Place2 centre, const Teeth *t, bool is_fixed) {
  Place2 points[MOST_TEETH_POINTS];
  Teeth gaps = {t->n, t->radius, t->phase + M_PI / t->n};
  double outer = t->radius * (1 + 6.0 / t->n) + 3;
  canvas_disc(b->canvas, centre, outer, lighter(b->colour, is_fixed ? 0.85 : 0.5), b->faint);
  size_t n = teeth_outline(&gaps, centre, 1, 1.25, points);
  canvas_area(b->canvas, points, n, (Colour){255, 255, 255}, b->faint);
  canvas_lines(b->canvas, points, n, true, pen_of(b, darker(b->colour, 0.1), 1.4));
  if (is_fixed)
    hatch_around(b, centre, outer, -1);
  else
    canvas_circle(b->canvas, centre, outer, pen_of(b, darker(b->colour, 0.1), 1.4));
}

// One of the two straight pieces; side: 1 on the left of the way, -1 on the right. Its ends stand
// where the radii are square to it.
static void belt_side(const Brush *b, const Frame *f, double radius_a, double radius_b, int side) {
  double slope = (radius_a - radius_b) / f->length;
  if (fabs(slope) >= 1) return; // one wheel lies within the other
  double up = -side * sqrt(1 - slope * slope);
  line(b, in_frame(f, radius_a * slope, radius_a * up),
       in_frame(f, f->length + radius_b * slope, radius_b * up), b->colour, 2.4);
}

void draw_belt(const Brush *b, Place2 from, Place2 to, double radius_a, double radius_b) {
  Frame f = frame_between(from, to);
  if (!(f.length > 0) || !isfinite(radius_a + radius_b)) return;
  belt_side(b, &f, radius_a, radius_b, 1);
  belt_side(b, &f, radius_a, radius_b, -1);
  canvas_circle(b->canvas, from, fabs(radius_a), pen_of(b, b->colour, 2.4));
  canvas_circle(b->canvas, to, fabs(radius_b), pen_of(b, b->colour, 2.4));
}

void draw_turn(const Brush *b, Place2 at, double sign) {
  enum { PIECES = 24 };
  const double radius = 17, begin = -0.9, sweep = 4.2;
  double way = sign < 0 ? -1 : 1;
  Place2 arc[PIECES + 1];
  for (int i = 0; i <= PIECES; i++) {
    double a = way < 0 ? M_PI - begin - sweep * i / PIECES : begin + sweep * i / PIECES;
    arc[i] = (Place2){at.x + radius * cos(a), at.y - radius * sin(a)};
  }
  draw_curved_arrow(b, arc, PIECES + 1, 2.2);
}

void draw_spiral(const Brush *b, Place2 at) {
  enum { PIECES = 60 };
  Place2 points[PIECES + 1];
  for (int i = 0; i <= PIECES; i++) {
    double part = (double)i / PIECES, a = 2.25 * 2 * M_PI * part, radius = 4 + 10 * part;
    points[i] = (Place2){at.x + radius * cos(a), at.y - radius * sin(a)};
  }
  canvas_lines(b->canvas, points, PIECES + 1, false, pen_of(b, b->colour, 1.8));
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

// The head stands along the chord to the end, so that it does not point outwards.
void draw_curved_arrow(const Brush *b, const Place2 *points, size_t n, double width) {
  double head = 3 + 3.2 * width;
  size_t last = n - 1, neck = last;
  Frame f = frame_between(points[last], points[last]);
  while (neck > 0 && f.length < head) f = frame_between(points[--neck], points[last]);
  if (!(f.length > 0)) return;
  head = fmin(head, f.length);
  canvas_lines(b->canvas, points, neck + 1, false, pen_of(b, b->colour, width));
  Place2 foot = in_frame(&f, f.length - 0.8 * head, 0);
  line(b, points[neck], foot, b->colour, width);
  Place2 tip[] = {points[last], in_frame(&f, f.length - head, -0.42 * head),
                  in_frame(&f, f.length - head, 0.42 * head)};
  canvas_area(b->canvas, tip, 3, b->colour, b->faint);
}

void draw_trail(const Brush *b, const Place2 *points, size_t n) {
  canvas_lines(b->canvas, points, n, false, pen_of(b, lighter(b->colour, 0.45), 1.3));
}
