// Where symbols stand in a drawing.
#include "scene/label_room.h"

#include <math.h>

#include "scene/shapes.h"

#define GAP 2.0 // pixels between symbols, and to the edge

enum { ROUND = 16, DIRECTIONS = 16, DISTANCES = 6 };

// ---- What is drawn

void room_add_lines(LabelRoom *room, const Place2 *points, size_t n) {
  for (size_t i = 0; i + 1 < n; i++) {
    LabelLine line = {points[i], points[i + 1]};
    if (isfinite(line.from.x + line.from.y + line.to.x + line.to.y))
      vec_push(room->arena, &room->lines, line);
  }
}

static void add_circle(LabelRoom *room, Place2 centre, double radius) {
  Place2 around[ROUND + 1];
  for (int i = 0; i <= ROUND; i++) {
    double a = 2 * M_PI * i / ROUND;
    around[i] = (Place2){centre.x + radius * cos(a), centre.y + radius * sin(a)};
  }
  room_add_lines(room, around, ROUND + 1);
}

static double value_or(const double *pose, uint32_t signal, double otherwise) {
  return signal == NO_SIGNAL ? otherwise : pose[signal];
}

static void add_box(LabelRoom *room, const View *view, const SceneShape *box, const double *pose) {
  double a = 0.5 * value_or(pose, box->size_a, 44 / view->scale);
  double b = 0.5 * value_or(pose, box->size_b, 28 / view->scale);
  double angle = value_or(pose, box->angle, 0);
  Place2 corners[5];
  for (int i = 0; i < 5; i++) {
    double x = (i == 0 || i > 2 ? -1 : 1) * a, y = (i % 4 < 2 ? -1 : 1) * b;
    double at[3] = {pose[box->points] + x * cos(angle) - y * sin(angle),
                    pose[box->points + 1] + x * sin(angle) + y * cos(angle), 0};
    corners[i] = view_pixel(view, at);
  }
  room_add_lines(room, corners, 5);
}

// Coils and cylinders are as wide as they are drawn.
static void add_wide(LabelRoom *room, Place2 from, Place2 to, double half) {
  double dx = to.x - from.x, dy = to.y - from.y, length = hypot(dx, dy);
  double nx = length > 0 ? -half * dy / length : 0, ny = length > 0 ? half * dx / length : half;
  for (int side = -1; side <= 1; side += 2)
    room_add_lines(
        room,
        (Place2[]){{from.x + side * nx, from.y + side * ny}, {to.x + side * nx, to.y + side * ny}},
        2);
}

static void add_track(LabelRoom *room, const View *view, const SceneShape *track,
                      const double *pose) {
  double at[3];
  Place2 points[5];
  for (int i = 0; i < 4; i++) {
    (i < 2 ? track_end : face_foot)(track, pose, i == 1 || i == 2, at);
    points[i] = view_pixel(view, at);
    if (track->track != TRACK_FACE && i == 1) break;
  }
  points[4] = points[0];
  if (track->is_beneath) rail_beneath(points[0], points[1], points);
  room_add_lines(room, points, track->track == TRACK_FACE ? 5 : 2);
}

static void add_shape(LabelRoom *room, const View *view, const SceneShape *shape,
                      const double *pose) {
  Place2 first = view_pixel(view, pose + shape->points);
  switch (shape->shape) {
  case DRAW_BOX: add_box(room, view, shape, pose); return;
  case DRAW_TRACK: add_track(room, view, shape, pose); return;
  case DRAW_DISC:
  case DRAW_POST:
    add_circle(room, first, view->scale * fabs(value_or(pose, shape->radius, 6 / view->scale)));
    return;
  case DRAW_TURN: add_circle(room, first, 17); return;
  case DRAW_GROUND:
    if (shape->point_count == 1) add_circle(room, first, 8);
    break;
  case DRAW_TRAIL:
  case DRAW_LABEL: return;
  default: break;
  }
  if (shape->shape == DRAW_SPRING || shape->shape == DRAW_DAMPER)
    add_wide(room, first, view_pixel(view, pose + shape->points + 3), shape->beside ? 21 : 9);
  Place2 before = first;
  for (uint32_t k = 1; k < shape->point_count; k++) {
    Place2 at = view_pixel(view, pose + shape->points + 3 * k);
    room_add_lines(room, (Place2[]){before, at}, 2);
    before = at;
  }
  if (shape->shape == DRAW_POLYGON) room_add_lines(room, (Place2[]){before, first}, 2);
}

LabelRoom label_room(Arena *arena, const Scene *scene, const View *view, const double *pose) {
  LabelRoom room = {.arena = arena, .width = view->width, .height = view->height};
  for (uint32_t i = 0; i < scene->shapes.n; i++)
    if (!scene->shapes.at[i].is_hidden) add_shape(&room, view, &scene->shapes.at[i], pose);
  return room;
}

// ---- Where there is room

// Does the part of the line from 0 to 1 reach into the box?
static bool crosses(const LabelLine *line, const LabelBox *box) {
  double low = 0, high = 1;
  double from[] = {line->from.x - box->centre.x, line->from.y - box->centre.y};
  double way[] = {line->to.x - line->from.x, line->to.y - line->from.y};
  double half[] = {box->half_width, box->half_height};
  for (int i = 0; i < 2; i++) {
    if (way[i] == 0) {
      if (fabs(from[i]) >= half[i]) return false;
      continue;
    }
    double a = (-half[i] - from[i]) / way[i], b = (half[i] - from[i]) / way[i];
    low = fmax(low, fmin(a, b)), high = fmin(high, fmax(a, b));
  }
  return low < high;
}

uint32_t room_lines_across(const LabelRoom *room, const LabelBox *box) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < room->lines.n; i++) n += crosses(&room->lines.at[i], box);
  return n;
}

bool room_is_free(const LabelRoom *room, const LabelBox *box) {
  double x = box->centre.x, y = box->centre.y, w = box->half_width + GAP, h = box->half_height;
  if (x < w || x > room->width - w || y < h + GAP || y > room->height - h - GAP) return false;
  for (uint32_t i = 0; i < room->boxes.n; i++) {
    const LabelBox *other = &room->boxes.at[i];
    if (fabs(other->centre.x - x) < other->half_width + w &&
        fabs(other->centre.y - y) < other->half_height + h)
      return false;
  }
  return true;
}

typedef struct LabelChoice {
  LabelBox box;
  double cost;
} LabelChoice;

static void look_around(const LabelRoom *room, const LabelBox *wanted, double cost,
                        LabelChoice *best) {
  static const double distances[DISTANCES] = {0, 8, 14, 20, 28, 38};
  const double a_line = 18; // pixels of way that one is worth
  for (int i = 0; i < DISTANCES; i++)
    for (int k = 0; k < (i ? DIRECTIONS : 1); k++) {
      double angle = 2 * M_PI * (k + 4) / DIRECTIONS; // upwards first
      LabelBox other = *wanted;
      other.centre.x += distances[i] * cos(angle);
      other.centre.y -= distances[i] * sin(angle);
      if (cost + distances[i] >= best->cost || !room_is_free(room, &other)) continue;
      double whole = cost + distances[i] + a_line * room_lines_across(room, &other);
      if (whole < best->cost - 1e-9) *best = (LabelChoice){other, whole};
    }
}

bool room_place(LabelRoom *room, LabelBox *places, size_t n) {
  const double another = 3; // pixels of way that a later wish is worth
  LabelChoice best = {places[0], INFINITY};
  for (size_t i = 0; i < n; i++) look_around(room, &places[i], another * (double)i, &best);
  if (!(best.cost < INFINITY)) return false;
  places[0] = best.box;
  vec_push(room->arena, &room->boxes, best.box);
  return true;
}
