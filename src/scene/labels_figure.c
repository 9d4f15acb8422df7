// What labels draw beside their symbols, and the places for these. The page has the same in
// labels.js.
#include <math.h>

#include "scene/labels.h"

#define SHORTEST_RADIUS 16.0
#define SHORTEST_ARROW 24.0 // of a coordinate, whatever its value
#define DIMENSION_STEP 24.0
#define SMALLEST_ARC 34.0
#define ARC_STEP 9.0

enum {
  ARC_PIECES = 32,
  DIMENSION_ASIDES = 8,
  RADIUS_ASIDES = 6,
  DIRECTIONS = 16,
  LEADERS = 3 * DIRECTIONS
};

static Place2 along(Place2 a, Place2 b, double part) {
  return (Place2){a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
}

static Place2 moved(Place2 at, Place2 way, double by) {
  return (Place2){at.x + by * way.x, at.y + by * way.y};
}

// How far the middle of a symbol is from what it stands beside in a direction.
static double clear_of(const LabelBox *symbol, Place2 way, double gap) {
  return gap + fabs(way.x) * symbol->half_width + fabs(way.y) * symbol->half_height;
}

// Beside a part of the way: upwards, or to the right of what stands; on the other side for a
// negative gap.
static Place2 beside(Place2 a, Place2 b, double part, const LabelBox *symbol, double gap) {
  double dx = b.x - a.x, dy = b.y - a.y, length = hypot(dx, dy);
  Place2 at = along(a, b, part);
  if (!(length > 0)) return at;
  Place2 n = {dy / length, -dx / length};
  if (n.y > 0.1 || (fabs(n.y) <= 0.1 && n.x < 0)) n = (Place2){-n.x, -n.y};
  return moved(at, n, clear_of(symbol, n, fabs(gap)) * (gap < 0 ? -1 : 1));
}

// Square to the way: downwards, or to the left of what stands.
static Place2 down_from(Place2 a, Place2 b) {
  double dx = b.x - a.x, dy = b.y - a.y, length = hypot(dx, dy);
  if (!(length > 0)) return (Place2){0, 1};
  Place2 square = {-dy / length, dx / length};
  bool is_other = square.y < -0.1 || (fabs(square.y) <= 0.1 && square.x > 0);
  return is_other ? (Place2){-square.x, -square.y} : square;
}

Place2 on_arc(const PlacedLabel *p, double angle) {
  return (Place2){p->from.x + p->radius * cos(angle), p->from.y - p->radius * sin(angle)};
}

// ---- Figures

static void angle_figure(const View *view, const double *pose, PlacedLabel *p) {
  const SceneLabel *label = p->label;
  p->from = view_pixel(view, pose + label->from);
  p->to = view_pixel(view, pose + label->to);
  p->zero = label->zero;
  if (label->base_from != NO_SIGNAL) {
    const double *a = pose + label->base_from, *b = pose + label->base_to;
    p->zero += atan2(b[1] - a[1], b[0] - a[0]);
  }
  p->sweep = label->sign * fmod(pose[label->value], 2 * M_PI);
  double arm = hypot(p->to.x - p->from.x, p->to.y - p->from.y);
  p->radius = fmin(SMALLEST_ARC + ARC_STEP * label->aside, 0.75 * arm);
  double least = fmin(SHORTEST_ARROW / p->radius, M_PI / 2);
  p->arrow = label->sign * fmax(label->sign * p->sweep, least);
  p->anchor = on_arc(p, p->zero + 0.5 * p->arrow);
}

static void length_figure(const View *view, const double *pose, PlacedLabel *p) {
  const SceneLabel *label = p->label;
  p->from = p->feet[0] = view_pixel(view, pose + label->from);
  p->to = p->feet[1] = view_pixel(view, pose + label->to);
  p->gap = label->is_dimension ? 3 : label->kind == LABEL_SPRING ? -13 : 6;
  if (label->is_dimension) {
    Place2 down = down_from(p->feet[0], p->feet[1]);
    double off = 40 + DIMENSION_STEP * label->aside;
    p->from = moved(p->feet[0], down, off), p->to = moved(p->feet[1], down, off);
  }
  p->anchor = along(p->from, p->to, 0.5);
}

static void radius_figure(const View *view, const double *pose, PlacedLabel *p) {
  static const double directions[RADIUS_ASIDES] = {0.6, 2.5, 1.1, 2.0, -0.6, -2.5};
  double length = view->scale * fabs(pose[p->label->value]), a = directions[p->label->aside];
  p->from = view_pixel(view, pose + p->label->from);
  p->to = moved(p->from, (Place2){cos(a), -sin(a)}, length);
  p->gap = 3;
  p->is_shown = length >= SHORTEST_RADIUS;
  p->anchor = along(p->from, p->to, 0.5);
}

// Pixels from the middle of the part at a point to its right (axis 1) or upper (0) end.
static double reach_of_part(const Scene *scene, const View *view, const double *pose,
                            uint32_t point, int axis) {
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *s = &scene->shapes.at[i];
    if (s->points != point || s->is_hidden || (s->shape != DRAW_BOX && s->shape != DRAW_DISC))
      continue;
    double turn = s->angle == NO_SIGNAL ? 0 : pose[s->angle];
    if (axis) turn += M_PI / 2;
    if (s->shape == DRAW_BOX && s->size_a != NO_SIGNAL)
      return 0.5 * view->scale *
             (fabs(pose[s->size_a] * sin(turn)) + fabs(pose[s->size_b] * cos(turn)));
    if (s->shape == DRAW_BOX) return axis ? 22 : 14;
    if (s->radius != NO_SIGNAL) return view->scale * fabs(pose[s->radius]);
  }
  return 10;
}

static void mass_figure(const Scene *scene, const View *view, const double *pose, PlacedLabel *p) {
  p->from = view_pixel(view, pose + p->label->from);
  p->to = view_pixel(view, pose + p->label->to);
  p->anchor = along(p->from, p->to, 0.5);
  p->gap = -5;
  for (int i = 0; i < 2; i++) p->reach[i] = reach_of_part(scene, view, pose, p->label->from, 1 - i);
}

// Beside the part that it places: from where the coordinate is 0 to the part, or, of a coordinate
// that is small or negative, a short way in its positive direction.
static void position_figure(const Scene *scene, const View *view, const double *pose,
                            PlacedLabel *p) {
  const SceneLabel *label = p->label;
  const double *at = pose + label->from;
  double zero[3] = {at[0], at[1], at[2]};
  zero[label->axis] -= pose[label->value];
  double off = reach_of_part(scene, view, pose, label->from, label->axis) + 12;
  Place2 side = label->axis ? (Place2){-1, 0} : (Place2){0, -1};
  Place2 way = label->axis ? (Place2){0, -1} : (Place2){1, 0};
  p->from = p->feet[0] = moved(view_pixel(view, zero), side, off);
  p->feet[1] = moved(view_pixel(view, at), side, off);
  p->to = moved(p->from, way, fmax(view->scale * pose[label->value], SHORTEST_ARROW));
  p->gap = 3;
  p->anchor = along(p->from, p->to, 0.5);
}

void label_figure(const Scene *scene, const View *view, const double *pose, const SceneLabel *label,
                  PlacedLabel *p) {
  p->label = label, p->is_shown = true, p->has_leader = false;
  switch (label->kind) {
  case LABEL_ANGLE: angle_figure(view, pose, p); break;
  case LABEL_LENGTH:
  case LABEL_SPRING: length_figure(view, pose, p); break;
  case LABEL_MASS: mass_figure(scene, view, pose, p); break;
  case LABEL_POSITION: position_figure(scene, view, pose, p); break;
  case LABEL_RADIUS: radius_figure(view, pose, p); break;
  case LABEL_GRAVITY: break;
  case LABEL_AXES: p->is_shown = !view->follows; break;
  }
}

void label_figure_lines(const PlacedLabel *p, LabelRoom *room) {
  if (!p->is_shown) return;
  if (p->label->kind == LABEL_ANGLE) {
    Place2 arc[ARC_PIECES + 1];
    bool is_back = p->label->sign * p->sweep < 0;
    double begin = is_back ? p->zero + p->sweep : p->zero, end = p->zero + p->arrow;
    for (int i = 0; i <= ARC_PIECES; i++)
      arc[i] = on_arc(p, begin + (end - begin) * i / ARC_PIECES);
    room_add_lines(room, arc, ARC_PIECES + 1, 1);
  } else if (p->label->kind == LABEL_POSITION) {
    room_add_lines(room, (Place2[]){p->feet[1], p->from, p->to}, 3, 2);
  } else if (p->label->kind == LABEL_RADIUS || p->label->is_dimension) {
    room_add_lines(room, (Place2[]){p->from, p->to}, 2, 2);
  } else if (p->label->kind == LABEL_MASS && p->label->from != p->label->to) {
    room_add_lines(room, (Place2[]){p->anchor, p->anchor}, 2, 3);
  }
}

uint32_t label_asides(const SceneLabel *label) {
  return label->kind == LABEL_RADIUS ? RADIUS_ASIDES : label->is_dimension ? DIMENSION_ASIDES : 1;
}

// ---- Places

enum { OF_WAY = 20, OF_ANGLE = 12, OF_POINT = 17, OF_MIDDLE = 4, CORNERS = 4 };

static bool is_in_corner(const SceneLabel *label) {
  return label->kind == LABEL_GRAVITY || label->kind == LABEL_AXES;
}

static uint32_t near_slots(const SceneLabel *label) {
  switch (label->kind) {
  case LABEL_ANGLE: return OF_ANGLE;
  case LABEL_MASS: return label->from == label->to ? OF_POINT : OF_MIDDLE;
  case LABEL_GRAVITY:
  case LABEL_AXES: return CORNERS;
  default: return OF_WAY;
  }
}

uint32_t label_slots(const SceneLabel *label) {
  return near_slots(label) + (is_in_corner(label) ? 0 : LEADERS);
}

// Both sides of five parts of the way, near and farther.
static Place2 beside_way(const PlacedLabel *p, uint32_t slot) {
  static const double parts[] = {0.5, 0.35, 0.65, 0.2, 0.8};
  double gap = slot % 2 ? -p->gap : p->gap, more = slot < OF_WAY / 2 ? 0 : 11;
  return beside(p->from, p->to, parts[slot / 2 % 5], &p->symbol, gap + (gap < 0 ? -more : more));
}

// Outside the arc at four places, within it, and farther out.
static Place2 beside_arc(const PlacedLabel *p, uint32_t slot) {
  static const double parts[] = {0.5, 0.3, 0.75, 1}, gaps[] = {3, -3, 14};
  double a = p->zero + parts[slot % 4] * p->arrow, gap = gaps[slot / 4];
  Place2 way = {cos(a), -sin(a)};
  double off = clear_of(&p->symbol, way, fabs(gap));
  return moved(p->from, way, p->radius + (gap < 0 ? -off : off));
}

// In the middle of its part, then in eight directions beside it, near and farther.
static Place2 beside_point(const PlacedLabel *p, uint32_t slot) {
  static const double ways[8][2] = {{1, -1}, {-1, -1}, {1, 1},  {-1, 1},
                                    {1, 0},  {-1, 0},  {0, -1}, {0, 1}};
  if (slot == 0) return p->anchor;
  const double *way = ways[(slot - 1) % 8], both = way[0] != 0 && way[1] != 0 ? 0.72 : 1;
  double gap = slot <= 8 ? 3 : 13;
  return (Place2){p->anchor.x + way[0] * both * (p->reach[0] + p->symbol.half_width + gap),
                  p->anchor.y + way[1] * both * (p->reach[1] + p->symbol.half_height + gap)};
}

// Left and right, above and below: 1 is right, 2 below.
static void take_corner(const View *view, PlacedLabel *p, uint32_t slot) {
  static const uint32_t orders[][CORNERS] = {{1, 0, 3, 2}, {2, 3, 0, 1}};
  bool is_axes = p->label->kind == LABEL_AXES;
  uint32_t corner = orders[is_axes][slot];
  double half = is_axes ? 28 : 26;
  Place2 at = {corner & 1 ? view->width - half - 6 : half + 6,
               corner & 2 ? view->height - half - 30 : half + 6};
  p->symbol = (LabelBox){at, half, half};
  if (is_axes) {
    p->from = (Place2){at.x - 20, at.y + 20};
    return;
  }
  const double *way = p->label->way;
  bool stands = way[0] == 0;
  Place2 middle = {at.x - (stands ? 10 : 0), at.y - (stands ? 0 : 8)};
  p->from = (Place2){middle.x - 18 * way[0], middle.y + 18 * way[1]};
  p->to = (Place2){middle.x + 18 * way[0], middle.y - 18 * way[1]};
  p->anchor = (Place2){middle.x + (stands ? 16 : 0), middle.y + (stands ? 0 : 15)};
}

// Some way off, with a line to what it names.
static void take_leader(PlacedLabel *p, uint32_t slot) {
  static const double distances[] = {30, 48, 70};
  double a = 2 * M_PI * (slot % DIRECTIONS) / DIRECTIONS;
  Place2 way = {cos(a), -sin(a)};
  LabelBox *box = &p->symbol;
  double off = clear_of(box, way, distances[slot / DIRECTIONS]);
  box->centre = moved(p->anchor, way, off);
  // from the rim of the box on the way back
  double wide = way.x != 0 ? box->half_width / fabs(way.x) : INFINITY;
  double high = way.y != 0 ? box->half_height / fabs(way.y) : INFINITY;
  p->has_leader = true;
  p->leader = moved(box->centre, way, -fmin(fmin(wide, high), off));
}

void label_take_slot(const View *view, PlacedLabel *p, uint32_t slot) {
  uint32_t near = near_slots(p->label);
  p->has_leader = false;
  if (slot >= near) {
    take_leader(p, slot - near);
    return;
  }
  switch (p->label->kind) {
  case LABEL_GRAVITY:
  case LABEL_AXES: take_corner(view, p, slot); return;
  case LABEL_ANGLE: p->symbol.centre = beside_arc(p, slot); return;
  case LABEL_MASS:
    p->symbol.centre = p->label->from == p->label->to
                           ? beside_point(p, slot)
                           : beside(p->from, p->to, 0.5, &p->symbol,
                                    (slot % 2 ? -1 : 1) * (p->gap - (slot < 2 ? 0 : 11)));
    return;
  default: p->symbol.centre = beside_way(p, slot);
  }
}

bool label_is_free(const LabelRoom *room, const PlacedLabel *p) {
  return room_is_free(room, &p->symbol) &&
         (!p->has_leader || room_boxes_across(room, p->leader, p->anchor) == 0);
}
