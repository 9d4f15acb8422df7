// Where labels stand: their arcs and arrows first, then their symbols where these leave room.
#include <math.h>

#include "scene/labels.h"

#define SHORTEST_RADIUS 16.0
#define SHORTEST_ARROW 24.0 // of a coordinate, whatever its value
#define DIMENSION_STEP 24.0

enum { ARC_PIECES = 32, DIMENSION_TRIES = 8 };

typedef struct Layout {
  Canvas *canvas;
  const Scene *scene;
  const View *view;
  const double *pose;
  LabelRoom room;
  double arc; // radius of the next one
  LabelLayout out;
} Layout;

static Place2 along(Place2 a, Place2 b, double part) {
  return (Place2){a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
}

static Place2 moved(Place2 at, Place2 way, double by) {
  return (Place2){at.x + by * way.x, at.y + by * way.y};
}

// How far the middle of a symbol is from what it stands beside in a direction.
static double clear_of(const LabelBox *symbol, double nx, double ny, double gap) {
  return gap + fabs(nx) * symbol->half_width + fabs(ny) * symbol->half_height;
}

// Beside a part of the way: upwards, or to the right of what stands; on the other side for a
// negative gap.
static Place2 beside(Place2 a, Place2 b, double part, const LabelBox *symbol, double gap) {
  double dx = b.x - a.x, dy = b.y - a.y, length = hypot(dx, dy);
  Place2 at = along(a, b, part);
  if (!(length > 0)) return at;
  double nx = dy / length, ny = -dx / length;
  if (ny > 0.1 || (fabs(ny) <= 0.1 && nx < 0)) nx = -nx, ny = -ny;
  double off = clear_of(symbol, nx, ny, fabs(gap)) * (gap < 0 ? -1 : 1);
  return (Place2){at.x + off * nx, at.y + off * ny};
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

// ---- What a label draws beside its symbol

static void lay_angle(Layout *l, PlacedLabel *p) {
  const SceneLabel *label = p->label;
  p->from = view_pixel(l->view, l->pose + label->from);
  p->to = view_pixel(l->view, l->pose + label->to);
  p->zero = label->zero;
  if (label->base_from != NO_SIGNAL) {
    const double *a = l->pose + label->base_from, *b = l->pose + label->base_to;
    p->zero += atan2(b[1] - a[1], b[0] - a[0]);
  }
  p->sweep = label->sign * fmod(l->pose[label->value], 2 * M_PI);
  p->radius = fmin(l->arc, 0.75 * hypot(p->to.x - p->from.x, p->to.y - p->from.y));
  l->arc = l->arc > 50 ? 34 : l->arc + 9;
  double forwards = label->sign * p->sweep;
  p->arrow = label->sign * fmax(forwards, fmin(SHORTEST_ARROW / p->radius, M_PI / 2));
  Place2 arc[ARC_PIECES + 1];
  double begin = forwards < 0 ? p->zero + p->sweep : p->zero, end = p->zero + p->arrow;
  for (int i = 0; i <= ARC_PIECES; i++) arc[i] = on_arc(p, begin + (end - begin) * i / ARC_PIECES);
  room_add_lines(&l->room, arc, ARC_PIECES + 1);
  double middle = p->zero + 0.5 * p->arrow, nx = cos(middle), ny = -sin(middle);
  double text = p->radius + clear_of(&p->symbol, nx, ny, 3);
  p->symbol.centre = (Place2){p->from.x + text * nx, p->from.y + text * ny};
}

// Below what it measures, where the line crosses least.
static void lay_dimension(Layout *l, PlacedLabel *p) {
  Place2 down = down_from(p->feet[0], p->feet[1]);
  uint32_t least = UINT32_MAX;
  for (int i = 0; i < DIMENSION_TRIES; i++) {
    double aside = 40 + DIMENSION_STEP * i;
    Place2 a = moved(p->feet[0], down, aside), b = moved(p->feet[1], down, aside);
    LabelBox line = {along(a, b, 0.5), 0.5 * fabs(b.x - a.x) + 4, 0.5 * fabs(b.y - a.y) + 4};
    uint32_t crossed = room_lines_across(&l->room, &line);
    if (crossed >= least || (least < UINT32_MAX && !room_is_free(&l->room, &line))) continue;
    least = crossed, p->from = a, p->to = b;
  }
  room_add_lines(&l->room, (Place2[]){p->from, p->to}, 2);
}

static void lay_length(Layout *l, PlacedLabel *p) {
  const SceneLabel *label = p->label;
  p->from = p->feet[0] = view_pixel(l->view, l->pose + label->from);
  p->to = p->feet[1] = view_pixel(l->view, l->pose + label->to);
  if (label->is_dimension) lay_dimension(l, p);
  p->gap = label->is_dimension ? 3 : label->kind == LABEL_SPRING ? -12 : 6;
  p->symbol.centre = beside(p->from, p->to, 0.5, &p->symbol, p->gap);
}

static void lay_mass(Layout *l, PlacedLabel *p) {
  p->from = view_pixel(l->view, l->pose + p->label->from);
  p->to = view_pixel(l->view, l->pose + p->label->to);
  Place2 at = along(p->from, p->to, 0.5);
  bool is_point = p->label->from == p->label->to;
  p->symbol.centre =
      is_point ? (Place2){at.x + 20, at.y - 14} : beside(p->from, p->to, 0.5, &p->symbol, -5);
}

// From the centre to the rim, in the direction that crosses least.
static void lay_radius(Layout *l, PlacedLabel *p) {
  static const double directions[] = {0.6, 2.5, 1.1, 2.0, -0.6, -2.5};
  double length = l->view->scale * fabs(l->pose[p->label->value]);
  uint32_t least = UINT32_MAX;
  p->from = view_pixel(l->view, l->pose + p->label->from);
  p->gap = 3;
  for (size_t i = 0; i < sizeof directions / sizeof *directions; i++) {
    double x = cos(directions[i]), y = -sin(directions[i]);
    LabelBox half = {moved(p->from, (Place2){x, y}, 0.6 * length), 0.25 * length * fabs(x) + 3,
                     0.25 * length * fabs(y) + 3};
    uint32_t crossed = room_lines_across(&l->room, &half);
    if (crossed < least) least = crossed, p->to = moved(p->from, (Place2){x, y}, length);
  }
  p->is_shown = length >= SHORTEST_RADIUS;
  if (p->is_shown) room_add_lines(&l->room, (Place2[]){p->from, p->to}, 2);
  p->symbol.centre = beside(p->from, p->to, 0.5, &p->symbol, p->gap);
}

// Pixels from the middle of the part at a point to its upper (axis 0) or left (1) end.
static double reach_of_part(const Layout *l, uint32_t point, int axis) {
  for (uint32_t i = 0; i < l->scene->shapes.n; i++) {
    const SceneShape *s = &l->scene->shapes.at[i];
    if (s->points != point || s->is_hidden || (s->shape != DRAW_BOX && s->shape != DRAW_DISC))
      continue;
    double turn = s->angle == NO_SIGNAL ? 0 : l->pose[s->angle] + (axis ? M_PI / 2 : 0);
    if (s->shape == DRAW_BOX && s->size_a != NO_SIGNAL)
      return 0.5 * l->view->scale *
             (fabs(l->pose[s->size_a] * sin(turn)) + fabs(l->pose[s->size_b] * cos(turn)));
    if (s->shape == DRAW_DISC && s->radius != NO_SIGNAL)
      return l->view->scale * fabs(l->pose[s->radius]);
  }
  return 14;
}

// Beside the part that it places: from where the coordinate is 0 to the part, or, of a coordinate
// that is small or negative, a short way in its positive direction.
static void lay_position(Layout *l, PlacedLabel *p) {
  const SceneLabel *label = p->label;
  const double *at = l->pose + label->from;
  double zero[3] = {at[0], at[1], at[2]};
  zero[label->axis] -= l->pose[label->value];
  double off = reach_of_part(l, label->from, label->axis) + 12;
  Place2 side = label->axis ? (Place2){-1, 0} : (Place2){0, -1};
  Place2 way = label->axis ? (Place2){0, -1} : (Place2){1, 0};
  p->from = p->feet[0] = moved(view_pixel(l->view, zero), side, off);
  p->feet[1] = moved(view_pixel(l->view, at), side, off);
  p->to = moved(p->from, way, fmax(l->view->scale * l->pose[label->value], SHORTEST_ARROW));
  room_add_lines(&l->room, (Place2[]){p->feet[1], p->from, p->to}, 3);
  p->symbol.centre = beside(p->from, p->to, 0.5, &p->symbol, 3);
}

// In the corner where it covers least.
static Place2 free_corner(Layout *l, double half_width, double half_height, const int *order) {
  LabelBox best = {{0, 0}, half_width, half_height};
  uint32_t least = UINT32_MAX;
  for (int i = 0; i < 4; i++) {
    bool right = order[i] & 1, below = order[i] & 2;
    LabelBox box = best;
    box.centre.x = right ? l->view->width - half_width - 6.0 : half_width + 6;
    box.centre.y = below ? l->view->height - half_height - 30.0 : half_height + 6;
    uint32_t crossed = room_lines_across(&l->room, &box);
    if (crossed >= least || !room_is_free(&l->room, &box)) continue;
    least = crossed, best.centre = box.centre;
  }
  if (least == UINT32_MAX) return (Place2){half_width + 6, half_height + 6};
  vec_push(l->room.arena, &l->room.boxes, best);
  return best.centre;
}

static void lay_gravity(Layout *l, PlacedLabel *p) {
  static const int order[] = {1, 0, 3, 2};
  const double *way = p->label->way;
  Place2 at = free_corner(l, 26, 26, order);
  bool stands = way[0] == 0;
  Place2 middle = {at.x - (stands ? 10 : 0), at.y - (stands ? 0 : 8)};
  p->from = (Place2){middle.x - 18 * way[0], middle.y + 18 * way[1]};
  p->to = (Place2){middle.x + 18 * way[0], middle.y - 18 * way[1]};
  p->symbol.centre = (Place2){middle.x + (stands ? 16 : 0), middle.y + (stands ? 0 : 15)};
}

// ---- All of them

static void lay_figure(Layout *l, PlacedLabel *p) {
  switch (p->label->kind) {
  case LABEL_ANGLE: lay_angle(l, p); break;
  case LABEL_LENGTH:
  case LABEL_SPRING: lay_length(l, p); break;
  case LABEL_MASS: lay_mass(l, p); break;
  case LABEL_POSITION: lay_position(l, p); break;
  case LABEL_RADIUS: lay_radius(l, p); break;
  case LABEL_GRAVITY: lay_gravity(l, p); break;
  }
}

static void lay_all(Layout *l, bool corners) {
  for (uint32_t i = 0; i < l->out.labels.n; i++) {
    PlacedLabel *p = &l->out.labels.at[i];
    if ((p->label->kind == LABEL_GRAVITY) == corners) lay_figure(l, p);
  }
}

// Of a length also along its way and on the other side.
static bool place_symbol(Layout *l, PlacedLabel *p) {
  static const double parts[] = {0.5, 0.35, 0.65, 0.2, 0.8};
  LabelBox places[10] = {p->symbol};
  size_t n = 1;
  bool is_length = p->label->kind == LABEL_LENGTH || p->label->kind == LABEL_SPRING ||
                   p->label->kind == LABEL_RADIUS;
  for (size_t i = 1; i < 10 && is_length; i++, n++) {
    places[i] = p->symbol;
    places[i].centre = beside(p->from, p->to, parts[i / 2], &p->symbol, i % 2 ? -p->gap : p->gap);
  }
  bool is_placed = room_place(&l->room, places, n);
  p->symbol = places[0];
  return is_placed;
}

LabelLayout labels_layout(Canvas *canvas, Arena *arena, const Scene *scene, const View *view,
                          const SceneLabels *labels, const double *pose) {
  static const int order[] = {2, 3, 0, 1};
  Layout l = {.canvas = canvas, .scene = scene, .view = view, .pose = pose, .arc = 34};
  l.room = label_room(arena, scene, view, pose);
  for (uint32_t i = 0; i < labels->n; i++) {
    const SceneLabel *label = &labels->at[i];
    double wide = canvas_symbol_width(canvas, SYMBOL_SIZE, label->text, label->subscript);
    PlacedLabel p = {.label = label, .is_shown = true};
    p.symbol.half_width = 0.5 * wide, p.symbol.half_height = SYMBOL_HALF;
    vec_push(arena, &l.out.labels, p);
  }
  lay_all(&l, false);
  Place2 middle = free_corner(&l, 28, 28, order);
  l.out.axes = (Place2){middle.x - 20, middle.y + 20};
  lay_all(&l, true);
  for (uint32_t i = 0; i < l.out.labels.n; i++) {
    PlacedLabel *p = &l.out.labels.at[i];
    if (p->label->kind == LABEL_GRAVITY) continue; // has its corner
    p->is_shown = p->is_shown && place_symbol(&l, p);
  }
  return l.out;
}
