// Shapes of a scene on a canvas.
#include "scene/scene_draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/chart_layout.h"
#include "scene/magnify.h"
#include "scene/shapes.h"
#include "scene/stems.h"
#include "scene/teeth.h"

typedef struct Drawing {
  Canvas *canvas;
  const Scene *scene;
  View view;
  const Poses *poses;
  const double *pose;
  uint32_t number;
  double faint;
} Drawing;

static Colour group_colour(uint32_t group) { return place_colour(group % PART_COLOURS); }

static Colour shape_colour(const SceneShape *shape) {
  if (shape->has_colour) return shape->colour;
  if (shape->shape == DRAW_TRACK && shape->track == TRACK_FACE) return group_colour(shape->group);
  switch (shape->shape) {
  case DRAW_TRACK:
  case DRAW_POST:
  case DRAW_BELT:
  case DRAW_GROUND:
  case DRAW_LABEL: return (Colour){70, 70, 70};
  case DRAW_SPIRAL:
  case DRAW_SPRING:
  case DRAW_DAMPER: return (Colour){90, 96, 104};
  case DRAW_TURN:
  case DRAW_PUSH:
  case DRAW_FORCE:
  case DRAW_ARROW: return place_colour(FORCE_PLACE);
  default: return group_colour(shape->group);
  }
}

static double value_or(const Drawing *d, uint32_t signal, double otherwise) {
  return signal == NO_SIGNAL ? otherwise : d->pose[signal];
}

static Place2 pixel(const Drawing *d, const SceneShape *shape, uint32_t i) {
  return view_pixel(&d->view, d->pose + shape->points + 3 * i);
}

static bool is_visible(const Drawing *d, const SceneShape *shape) {
  if (shape->is_hidden) return false;
  for (uint32_t i = 0; i < 3 * shape->point_count; i++)
    if (!isfinite(d->pose[shape->points + i])) return false;
  return true;
}

// ---- One shape each

// Each piece between two joints has its own colour.
static void draw_pieces(const SceneShape *shape, const Place2 *points, const Brush *brush) {
  for (uint32_t i = 0; i + 1 < shape->point_count; i++) {
    Brush piece = *brush;
    if (!shape->has_colour) piece.colour = group_colour(shape->group + i);
    draw_rod(&piece, points + i, 2);
  }
}

static void draw_polyline(const Drawing *d, const SceneShape *shape, const Brush *brush) {
  Mark mark = arena_mark(&d->scene->cx->scratch);
  Place2 *points = arena_array(&d->scene->cx->scratch, Place2, shape->point_count);
  for (uint32_t i = 0; i < shape->point_count; i++) points[i] = pixel(d, shape, i);
  if (shape->shape == DRAW_LINE && shape->has_joints)
    draw_pieces(shape, points, brush);
  else if (shape->shape == DRAW_LINE)
    draw_rod(brush, points, shape->point_count);
  else
    draw_plate(brush, points, shape->point_count);
  arena_release(&d->scene->cx->scratch, mark);
}

static void draw_box(const Drawing *d, const SceneShape *shape, const Brush *brush) {
  double a = 0.5 * d->view.scale * value_or(d, shape->size_a, 44 / d->view.scale);
  double b = 0.5 * d->view.scale * value_or(d, shape->size_b, 28 / d->view.scale);
  double angle = value_or(d, shape->angle, 0);
  Place2 centre = pixel(d, shape, 0), corners[4];
  static const int sides[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  for (int i = 0; i < 4; i++) {
    double x = sides[i][0] * a, y = sides[i][1] * b;
    corners[i] = (Place2){centre.x + x * cos(angle) - y * sin(angle),
                          centre.y - x * sin(angle) - y * cos(angle)};
  }
  draw_plate(brush, corners, 4);
}

static Teeth teeth_of(const Drawing *d, const SceneShape *shape, double radius) {
  uint32_t number = (uint32_t)(shape - d->scene->shapes.at);
  return (Teeth){shape->teeth, radius, shape->teeth ? teeth_phase(d->scene, d->pose, number) : 0};
}

static void draw_disc_shape(const Drawing *d, const SceneShape *shape, const Brush *brush) {
  double usual = fmin(fmax(1.5 * d->view.rod, 3), 10);
  double radius = d->view.scale * fabs(value_or(d, shape->radius, usual / d->view.scale));
  double mark = value_or(d, shape->angle, NAN);
  Teeth teeth = teeth_of(d, shape, radius);
  if (!teeth_are_visible(&teeth))
    draw_wheel(brush, pixel(d, shape, 0), radius, mark);
  else if (shape->is_ring)
    draw_ring_gear(brush, pixel(d, shape, 0), &teeth, false);
  else
    draw_gear(brush, pixel(d, shape, 0), &teeth, mark);
}

// What stands fast: a wheel, or a ring where the radius is negative.
static void draw_post_shape(const Drawing *d, const SceneShape *shape, const Brush *brush) {
  double radius = d->view.scale * value_or(d, shape->radius, 0);
  Teeth teeth = teeth_of(d, shape, fabs(radius));
  if (!teeth_are_visible(&teeth))
    draw_post(brush, pixel(d, shape, 0), radius);
  else if (shape->is_ring)
    draw_ring_gear(brush, pixel(d, shape, 0), &teeth, true);
  else
    draw_gear(brush, pixel(d, shape, 0), &teeth, NAN);
}

// As many coils as fit into the longest it gets, the same in every frame.
static double coils_of(const Drawing *d, const SceneShape *shape, double width) {
  double longest = 0;
  uint32_t stride = d->poses->count / 100 + 1;
  for (uint32_t i = 0; i < d->poses->count; i += stride) {
    const double *p = pose_at(d->poses, i) + shape->points;
    Place2 a = view_pixel(&d->view, p), b = view_pixel(&d->view, p + 3);
    double length = hypot(b.x - a.x, b.y - a.y);
    if (isfinite(length)) longest = fmax(longest, length);
  }
  return fmin(fmax(floor(longest / fmax(0.9 * width, 10)), longest < 2 * width ? 3 : 5), 24);
}

static void draw_trail_shape(const Drawing *d, const SceneShape *shape, const Brush *brush) {
  Mark mark = arena_mark(&d->scene->cx->scratch);
  Place2 *points = arena_array(&d->scene->cx->scratch, Place2, d->number + 1);
  uint32_t n = 0;
  for (uint32_t i = 0; i <= d->number; i++) {
    const double *p = pose_at(d->poses, i) + shape->points;
    bool breaks = !isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]);
    if (!breaks) points[n++] = view_pixel(&d->view, p);
    if (breaks || i == d->number) {
      if (n > 1) draw_trail(brush, points, n);
      n = 0;
    }
  }
  arena_release(&d->scene->cx->scratch, mark);
}

// The part of a line that the picture shows, with its hatching where it would be without the cut.
static bool cut_to_picture(const Drawing *d, Place2 *from, Place2 *to) {
  const double beyond = 20, spacing = 9;
  double dx = to->x - from->x, dy = to->y - from->y, length = hypot(dx, dy), low = 0, high = 1;
  double starts[] = {from->x, from->y}, ways[] = {dx, dy};
  double sizes[] = {d->view.width, d->view.height};
  for (int i = 0; i < 2; i++) {
    double a = (-beyond - starts[i]) / ways[i], b = (sizes[i] + beyond - starts[i]) / ways[i];
    if (ways[i] == 0) continue;
    low = fmax(low, fmin(a, b)), high = fmin(high, fmax(a, b));
  }
  if (!(low < high)) return false;
  low = floor(low * length / spacing) * spacing / length;
  *to = (Place2){from->x + high * dx, from->y + high * dy};
  *from = (Place2){from->x + low * dx, from->y + low * dy};
  return true;
}

static void draw_track(const Drawing *d, const SceneShape *shape, const Brush *brush) {
  double ends[2][3];
  for (int i = 0; i < 2; i++) track_end(shape, d->pose, i, ends[i]);
  Place2 from = view_pixel(&d->view, ends[0]), to = view_pixel(&d->view, ends[1]);
  if (!isfinite(from.x + from.y + to.x + to.y)) return;
  if (shape->track == TRACK_TOOTHED) {
    draw_rack(brush, from, to, d->view.scale * shape->pitch, -d->view.scale * shape->low);
  } else if (shape->track == TRACK_MOVING) {
    draw_rod(brush, (Place2[]){from, to}, 2);
  } else if (shape->track == TRACK_FACE) {
    for (int i = 0; i < 2; i++) face_foot(shape, d->pose, i, ends[i]);
    Place2 feet[] = {view_pixel(&d->view, ends[1]), view_pixel(&d->view, ends[0])};
    draw_plate(brush, (Place2[]){from, to, feet[0], feet[1]}, 4);
  } else if (shape->is_beneath) {
    Place2 rail[2];
    rail_beneath(from, to, rail);
    draw_ground(brush, rail[0], rail[1]);
  } else if (cut_to_picture(d, &from, &to)) {
    draw_ground(brush, from, to);
  }
}

// Beside the slide, so that neither covers the other.
static void draw_push(const Drawing *d, const SceneShape *shape, const Brush *brush) {
  Place2 at = pixel(d, shape, 0), way = pixel(d, shape, 1);
  double sign = value_or(d, shape->angle, 1) < 0 ? -1 : 1,
         length = hypot(way.x - at.x, way.y - at.y);
  if (!(length > 0)) return;
  double ux = (way.x - at.x) / length, uy = (way.y - at.y) / length, side = 20, half = 17;
  Place2 middle = {at.x + side * uy, at.y - side * ux};
  draw_arrow(brush, (Place2){middle.x - sign * half * ux, middle.y - sign * half * uy},
             (Place2){middle.x + sign * half * ux, middle.y + sign * half * uy});
}

// The thin ends inside of other parts; what is left lies between them.
static void draw_stems(const Drawing *d, const SceneShape *shape, const Brush *brush,
                       Place2 ends[2]) {
  double part[2];
  Place2 from = ends[0], to = ends[1];
  stems_of(d->scene, d->pose, shape, part);
  for (int end = 0; end < 2; end++) {
    if (part[end] == 0) continue;
    double at = end ? 1 - part[end] : part[end];
    Place2 edge = {from.x + at * (to.x - from.x), from.y + at * (to.y - from.y)};
    draw_stem(brush, ends[end], edge);
    ends[end] = edge;
  }
}

// None where the force is zero at that moment.
static void draw_applied(const Drawing *d, const SceneShape *shape, const Brush *brush) {
  Place2 ends[2];
  const double *p = d->pose;
  if (force_ends(pixel(d, shape, 0), p[shape->size_a], p[shape->size_b], ends))
    draw_arrow(brush, ends[0], ends[1]);
}

static void draw_shape(const Drawing *d, const SceneShape *shape) {
  Brush brush = {d->canvas, shape_colour(shape), d->view.rod, d->faint};
  double width = d->view.scale * fabs(value_or(d, shape->width, 18 / d->view.scale));
  switch (shape->shape) {
  case DRAW_LINE:
    if (shape->width != NO_SIGNAL) brush.size = width;
    draw_polyline(d, shape, &brush);
    break;
  case DRAW_POLYGON: draw_polyline(d, shape, &brush); break;
  case DRAW_DISC: draw_disc_shape(d, shape, &brush); break;
  case DRAW_BOX: draw_box(d, shape, &brush); break;
  case DRAW_SPRING:
  case DRAW_DAMPER: {
    Place2 ends[] = {pixel(d, shape, 0), pixel(d, shape, 1)};
    draw_stems(d, shape, &brush, ends);
    draw_yokes(&brush, ends, shape->beside);
    if (shape->shape == DRAW_SPRING)
      draw_spring(&brush, ends[0], ends[1], width, coils_of(d, shape, width));
    else
      draw_damper(&brush, ends[0], ends[1], width);
    break;
  }
  case DRAW_GROUND:
    if (shape->point_count == 2)
      draw_ground(&brush, pixel(d, shape, 0), pixel(d, shape, 1));
    else
      draw_support(&brush, pixel(d, shape, 0), value_or(d, shape->angle, shape->hangs ? M_PI : 0));
    break;
  case DRAW_TRAIL: draw_trail_shape(d, shape, &brush); break;
  case DRAW_ARROW: draw_arrow(&brush, pixel(d, shape, 0), pixel(d, shape, 1)); break;
  case DRAW_LABEL: {
    Place2 at = pixel(d, shape, 0);
    at.x += 8, at.y -= 8;
    if (shape->subscript)
      canvas_symbol(d->canvas, at, 16, brush.colour, shape->text, shape->subscript);
    else
      canvas_text(d->canvas, at, ANCHOR_LEFT, 15, brush.colour, shape->text ? shape->text : "");
    break;
  }
  case DRAW_TRACK: draw_track(d, shape, &brush); break;
  case DRAW_POST: draw_post_shape(d, shape, &brush); break;
  case DRAW_BELT:
    draw_belt(&brush, pixel(d, shape, 0), pixel(d, shape, 1),
              d->view.scale * value_or(d, shape->size_a, 0),
              d->view.scale * value_or(d, shape->size_b, 0));
    break;
  case DRAW_TURN: draw_turn(&brush, pixel(d, shape, 0), value_or(d, shape->angle, 1)); break;
  case DRAW_PUSH: draw_push(d, shape, &brush); break;
  case DRAW_FORCE: draw_applied(d, shape, &brush); break;
  case DRAW_SPIRAL: draw_spiral(&brush, pixel(d, shape, 0)); break;
  }
}

// ---- All of them, from back to front

enum { FRONT = 7 };

static bool is_of_ground(const SceneShape *track) {
  return track->track == TRACK_FIXED || track->track == TRACK_RAIL;
}

// Grounds lie under trails, these under wheels, then supports and springs, then bodies; hinges and
// texts on top.
static int layer_of(const SceneShape *shape, double radius) {
  const double wheel = 30; // pixels; what is smaller is a bob on a rod
  switch (shape->shape) {
  case DRAW_TRACK: return is_of_ground(shape) ? 0 : shape->track == TRACK_FACE ? 4 : 3;
  case DRAW_POST: return 0;
  case DRAW_GROUND: return shape->point_count == 1 ? 3 : 0;
  case DRAW_TRAIL: return 1;
  case DRAW_BELT:
  case DRAW_SPRING:
  case DRAW_DAMPER: return 3;
  case DRAW_POLYGON:
  case DRAW_BOX: return 4;
  case DRAW_LINE: return 5;
  case DRAW_DISC: return radius > wheel ? 2 : 6;
  default: return FRONT;
  }
}

typedef struct DrawOrder {
  uint32_t shape;
  int layer;
  double depth;
} DrawOrder;

static int from_back(const void *a, const void *b) {
  const DrawOrder *x = a, *y = b;
  if (x->layer != y->layer) return x->layer < y->layer ? -1 : 1;
  if (x->depth != y->depth) return x->depth > y->depth ? -1 : 1;
  return x->shape < y->shape ? -1 : 1;
}

static uint32_t order_shapes(const Drawing *d, DrawOrder *order) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < d->scene->shapes.n; i++) {
    const SceneShape *shape = &d->scene->shapes.at[i];
    if (!is_visible(d, shape)) continue;
    double depth = 0;
    for (uint32_t k = 0; k < shape->point_count; k++)
      depth += view_depth(&d->view, d->pose + shape->points + 3 * k) / shape->point_count;
    double radius = shape->shape == DRAW_DISC ? value_or(d, shape->radius, 0) : 0;
    int layer = layer_of(shape, radius * d->view.scale);
    // In space what is nearer covers what is behind, whatever it is; in the plane a small wheel
    // lies on a large one.
    if (d->view.is_spatial && layer >= 2 && layer < FRONT) layer = 3;
    if (!d->view.is_spatial) depth = radius;
    order[n++] = (DrawOrder){i, layer, depth};
  }
  qsort(order, n, sizeof *order, from_back);
  return n;
}

static void draw_hinges(const Drawing *d) {
  Brush brush = {d->canvas, {50, 50, 50}, d->view.rod, d->faint};
  for (uint32_t i = 0; i < d->scene->hinges.n; i++) {
    const double *p = d->pose + d->scene->hinges.at[i];
    if (isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]))
      draw_hinge(&brush, view_pixel(&d->view, p));
  }
}

// Earlier poses show only what moves.
static bool is_still(const SceneShape *shape) {
  switch (shape->shape) {
  case DRAW_TRACK: return is_of_ground(shape);
  case DRAW_GROUND:
  case DRAW_POST:
  case DRAW_TURN:
  case DRAW_PUSH:
  case DRAW_FORCE:
  case DRAW_SPIRAL:
  case DRAW_TRAIL:
  case DRAW_LABEL: return true;
  default: return false;
  }
}

// Does it keep its place up to now? It may turn about its centre.
static bool keeps_place(const Drawing *d, const SceneShape *shape) {
  uint32_t stride = d->number / 100 + 1;
  for (uint32_t i = 0; i <= d->number; i += stride)
    for (uint32_t k = 0; k < 3 * shape->point_count; k++)
      if (pose_at(d->poses, i)[shape->points + k] != pose_at(d->poses, 0)[shape->points + k])
        return false;
  return shape->point_count > 0;
}

// With earlier poses: what keeps its place lies under them, or a large wheel would cover them.
typedef enum DrawPart { DRAW_ALL, DRAW_UNDER, DRAW_EARLIER, DRAW_OVER } DrawPart;

static bool is_of_part(const Drawing *d, const SceneShape *shape, int layer, DrawPart part) {
  const int wheels = 2;
  if (part == DRAW_ALL) return true;
  bool moves = !is_still(shape) && !keeps_place(d, shape);
  if (part == DRAW_EARLIER) return moves;
  return (layer <= wheels && !moves) == (part == DRAW_UNDER);
}

bool scene_has_ghosts(const Scene *scene, const Poses *poses, uint32_t number) {
  Drawing d = {.scene = scene, .poses = poses, .number = number};
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *shape = &scene->shapes.at[i];
    if (!shape->is_hidden && is_of_part(&d, shape, 0, DRAW_EARLIER)) return true;
  }
  return false;
}

static void draw_mechanism(const Drawing *d, DrawPart part) {
  Mark mark = arena_mark(&d->scene->cx->scratch);
  DrawOrder *order = arena_array(&d->scene->cx->scratch, DrawOrder, d->scene->shapes.n);
  uint32_t n = order_shapes(d, order);
  for (uint32_t i = 0; i < n; i++) {
    const SceneShape *shape = &d->scene->shapes.at[order[i].shape];
    if (is_of_part(d, shape, order[i].layer, part)) draw_shape(d, shape);
  }
  if (d->view.rod > 2.4 && (part == DRAW_ALL || part == DRAW_OVER)) draw_hinges(d);
  arena_release(&d->scene->cx->scratch, mark);
}

// ---- Around the mechanism

static void use_decimal_sign(char *text, const SceneStyle *style) {
  for (; *text; text++)
    if (*text == '.') *text = style->decimal_sign ? style->decimal_sign : '.';
}

// Vertical lines at round places, so that a camera that goes along shows where it is.
static void draw_landmarks(const Drawing *d, const SceneStyle *style) {
  double wide = d->view.width / d->view.scale, step = nice_step(wide, 6);
  double first = ceil((d->view.centre.x - 0.5 * wide) / step) * step;
  for (int i = 0; i < 20 && first + i * step < d->view.centre.x + 0.5 * wide; i++) {
    double x = 0.5 * d->view.width + d->view.scale * (first + i * step - d->view.centre.x);
    Place2 both[] = {{x, 20}, {x, d->view.height - 30.0}};
    canvas_lines(d->canvas, both, 2, false, (Pen){grid_colour.light, 1, 1});
    char text[32];
    double place = fabs(first + i * step) < 1e-9 * step ? 0 : first + i * step;
    // as many digits as tell neighbours apart
    int digits = 2 + (int)fmax(0, floor(log10(fabs(place) / step + 1)));
    snprintf(text, sizeof text, "%.*g", digits < 6 ? 6 : digits < 15 ? digits : 15, place);
    use_decimal_sign(text, style);
    canvas_text(d->canvas, (Place2){x, 14}, ANCHOR_MIDDLE, 11, mark_colour.light, text);
  }
}

static void draw_footer(const Drawing *d, const char *text) {
  Place2 at = {d->view.width - 14.0, d->view.height - 11.0};
  canvas_text(d->canvas, at, ANCHOR_RIGHT, 14, ink_colour.light, text);
}

static void draw_remark(const Drawing *d, const char *text) {
  canvas_text(d->canvas, (Place2){14, 19}, ANCHOR_LEFT, 13, ink_colour.light, text);
}

static void draw_clock(const Drawing *d, const SceneStyle *style) {
  double t = d->poses->begin + d->number * d->poses->step;
  double whole = d->poses->step * d->poses->count;
  int digits = whole >= 100 ? 0 : whole >= 10 ? 1 : whole >= 1 ? 2 : whole >= 0.1 ? 3 : 4;
  char text[96];
  // beyond that a time has more digits than anybody reads
  int n = fabs(t) < 1e12 ? snprintf(text, sizeof text, "t = %.*f s", digits, t)
                         : snprintf(text, sizeof text, "t = %.6g s", t);
  bool is_slower = style->speed > 0 && style->speed < 1;
  Mark mark = arena_mark(&d->scene->cx->scratch);
  if (is_slower || style->speed > 1)
    snprintf(text + n, sizeof text - (size_t)n, " (%s)",
             factor_words(&d->scene->cx->scratch, is_slower ? style->slower : style->faster,
                          is_slower ? 1 / style->speed : style->speed, '.'));
  arena_release(&d->scene->cx->scratch, mark);
  use_decimal_sign(text, style);
  draw_footer(d, text);
}

static void draw_scale(const Drawing *d, const SceneStyle *style) {
  if (!*d->scene->unit || d->view.is_spatial) return;
  double length = nice_step(90 / d->view.scale, 1), pixels = length * d->view.scale;
  double y = d->view.height - 16.0;
  Place2 bar[] = {{14, y - 4}, {14, y}, {14 + pixels, y}, {14 + pixels, y - 4}};
  canvas_lines(d->canvas, bar, 4, false, (Pen){ink_colour.light, 1, 1.2});
  bool small = length < 0.1, large = length >= 1000;
  char text[48];
  snprintf(text, sizeof text, "%.4g %s%s",
           small   ? 1000 * length
           : large ? length / 1000
                   : length,
           small   ? "m"
           : large ? "k"
                   : "",
           d->scene->unit);
  use_decimal_sign(text, style);
  canvas_text(d->canvas, (Place2){20 + pixels, y + 4}, ANCHOR_LEFT, 13, ink_colour.light, text);
}

// The three directions of space.
static void draw_axes(const Drawing *d) {
  static const char *const names[] = {"x", "y", "z"};
  View corner = d->view;
  corner.scale = 26, corner.centre = (Place2){0, 0};
  double origin[3] = {0, 0, 0};
  Place2 middle = view_pixel(&corner, origin);
  double shift_x = 34 - middle.x, shift_y = d->view.height - 34.0 - middle.y;
  Brush brush = {d->canvas, {110, 110, 110}, 2, 1};
  for (int i = 0; i < 3; i++) {
    double axis[3] = {i == 0, i == 1, i == 2};
    Place2 tip = view_pixel(&corner, axis);
    Place2 from = {34, d->view.height - 34.0}, to = {tip.x + shift_x, tip.y + shift_y};
    draw_arrow(&brush, from, to);
    canvas_text(d->canvas, (Place2){to.x + 5, to.y + 1}, ANCHOR_LEFT, 11, brush.colour, names[i]);
  }
}

void scene_draw(Canvas *canvas, const Scene *scene, const View *view, const Poses *poses,
                uint32_t number, const SceneStyle *style) {
  const double *pose = pose_at(poses, number);
  Drawing d = {canvas, scene, view_at(view, scene, pose), poses, pose, number, 1};
  canvas_fill_all(canvas, paper_colour.light);
  if (view->follows) draw_landmarks(&d, style);
  bool has_ghosts = style->ghosts > 0 && number > 0;
  if (has_ghosts) draw_mechanism(&d, DRAW_UNDER);
  for (uint32_t i = 0; i < style->ghosts && has_ghosts; i++) {
    Drawing ghost = d;
    ghost.pose = pose_at(poses, (uint32_t)((uint64_t)number * i / style->ghosts));
    ghost.faint = 0.10 + 0.2 * i / style->ghosts;
    draw_mechanism(&ghost, DRAW_EARLIER);
  }
  draw_mechanism(&d, has_ghosts ? DRAW_OVER : DRAW_ALL);
  if (style->labels) labels_draw(canvas, scene, &d.view, style->labels, pose);
  if (style->has_clock) draw_clock(&d, style);
  if (style->caption) draw_footer(&d, style->caption);
  if (style->remark) draw_remark(&d, style->remark);
  if (style->has_scale && !view->follows) draw_scale(&d, style);
  if (view->is_spatial) draw_axes(&d);
}
