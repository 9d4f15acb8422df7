// What a drawing covers, and what it leaves free. The page has the same in labels.js.
#include "scene/label_room.h"

#include <math.h>

#include "scene/shapes.h"

#define GAP 2.0     // pixels between symbols, and to the edge
#define BOTTOM 24.0 // pixels: of scale and clock

enum { ROUND = 32 };

// ---- What is drawn

void room_add_lines(LabelRoom *room, const Place2 *points, size_t n, double half) {
  for (size_t i = 0; i + 1 < n; i++) {
    LabelLine line = {points[i], points[i + 1], half};
    if (isfinite(line.from.x + line.from.y + line.to.x + line.to.y))
      vec_push(room->arena, &room->lines, line);
  }
}

static void add_area(LabelRoom *room, const Place2 *corners, uint32_t n, uint32_t owner) {
  LabelArea area = {room->corners.n, n, owner};
  for (uint32_t i = 0; i < n; i++) vec_push(room->arena, &room->corners, corners[i]);
  vec_push(room->arena, &room->areas, area);
}

// owner: of what is filled; NO_SIGNAL of a line.
static void add_circle(LabelRoom *room, Place2 centre, double radius, double half, uint32_t owner) {
  Place2 around[ROUND + 1];
  for (int i = 0; i <= ROUND; i++) {
    double a = 2 * M_PI * i / ROUND;
    around[i] = (Place2){centre.x + radius * cos(a), centre.y + radius * sin(a)};
  }
  room_add_lines(room, around, ROUND + 1, half);
  if (owner != NO_SIGNAL) add_area(room, around, ROUND, owner);
}

// A place so far along the way between two others, and to its right.
static Place2 aside(Place2 from, Place2 to, double along, double across) {
  double dx = to.x - from.x, dy = to.y - from.y, length = hypot(dx, dy);
  double ux = length > 0 ? dx / length : 1, uy = length > 0 ? dy / length : 0;
  return (Place2){from.x + along * ux - across * uy, from.y + along * uy + across * ux};
}

// Hatched on its right.
static void add_ground(LabelRoom *room, Place2 from, Place2 to) {
  double length = hypot(to.x - from.x, to.y - from.y);
  Place2 middle[] = {aside(from, to, 0, 4), aside(from, to, length, 4)};
  room_add_lines(room, middle, 2, 5);
}

static void add_support(LabelRoom *room, Place2 at, double angle) {
  Place2 below = {at.x + 20 * sin(angle), at.y + 20 * cos(angle)};
  room_add_lines(room, (Place2[]){at, below}, 2, 5);
  Place2 ends[] = {aside(below, at, 0, -17), aside(below, at, 0, 17)};
  room_add_lines(room, ends, 2, 6);
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
  room_add_lines(room, corners, 5, 1);
  add_area(room, corners, 4, box->points);
}

static void add_wheel(LabelRoom *room, const View *view, const SceneShape *disc,
                      const double *pose) {
  Place2 centre = view_pixel(view, pose + disc->points);
  double usual = fmin(fmax(1.5 * view->rod, 3), 10);
  double radius = view->scale * fabs(value_or(pose, disc->radius, usual / view->scale));
  double teeth = disc->teeth > 1 ? 2.5 * radius / disc->teeth : 0; // down to their roots
  bool is_wheel = disc->shape == DRAW_DISC;
  add_circle(room, centre, radius, 1.5 + teeth, is_wheel ? disc->points : NO_SIGNAL);
  if (disc->is_ring) add_circle(room, centre, radius * (1 + 6.0 / disc->teeth) + 3, 2, NO_SIGNAL);
  if (!is_wheel) add_circle(room, centre, radius + (disc->is_ring ? 6 : 0), 8, NO_SIGNAL);
  if (!is_wheel || disc->angle == NO_SIGNAL) return;
  double mark = pose[disc->angle];
  Place2 rim = {centre.x + radius * cos(mark), centre.y - radius * sin(mark)};
  room_add_lines(room, (Place2[]){centre, rim}, 2, 1.5);
}

// Coils and cylinders are as wide as they are drawn, beside the way between their ends or on it.
static void add_coil(LabelRoom *room, const View *view, const SceneShape *shape,
                     const double *pose) {
  Place2 from = view_pixel(view, pose + shape->points);
  Place2 to = view_pixel(view, pose + shape->points + 3);
  double half = 0.5 * view->scale * fabs(value_or(pose, shape->width, 18 / view->scale));
  double length = hypot(to.x - from.x, to.y - from.y);
  Place2 moved[] = {from, aside(from, to, 0, 12 * shape->beside),
                    aside(from, to, length, 12 * shape->beside), to};
  room_add_lines(room, moved, 4, 1.5);
  room_add_lines(room, moved + 1, 2, half + 1);
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
  if (track->track == TRACK_FACE) {
    room_add_lines(room, points, 5, 1.5);
    add_area(room, points, 4, track->points);
  } else if (track->track == TRACK_MOVING) {
    room_add_lines(room, points, 2, 0.5 * view->rod);
  } else if (track->track == TRACK_TOOTHED) {
    room_add_lines(room, points, 2, 12);
  } else {
    add_ground(room, points[0], points[1]);
  }
}

static void add_belt(LabelRoom *room, const View *view, const SceneShape *belt,
                     const double *pose) {
  Place2 ends[2];
  double radii[2];
  for (uint32_t i = 0; i < 2; i++) {
    ends[i] = view_pixel(view, pose + belt->points + 3 * i);
    radii[i] = view->scale * fabs(pose[i ? belt->size_b : belt->size_a]);
    add_circle(room, ends[i], radii[i], 2, NO_SIGNAL);
  }
  double length = hypot(ends[1].x - ends[0].x, ends[1].y - ends[0].y);
  for (int side = -1; side <= 1; side += 2)
    room_add_lines(room,
                   (Place2[]){aside(ends[0], ends[1], 0, side * radii[0]),
                              aside(ends[0], ends[1], length, side * radii[1])},
                   2, 3);
}

// Beside the slide that is driven.
static void add_push(LabelRoom *room, const View *view, const SceneShape *push,
                     const double *pose) {
  Place2 at = view_pixel(view, pose + push->points),
         way = view_pixel(view, pose + push->points + 3);
  room_add_lines(room, (Place2[]){aside(at, way, -17, -20), aside(at, way, 17, -20)}, 2, 5);
}

// A text of the model's own stands to the right of its point, above it.
static void add_text(LabelRoom *room, Place2 at, const char *text) {
  uint32_t letters = 0;
  for (; *text; text++) letters += (*text & 0xC0) != 0x80;
  Place2 from = {at.x + 8, at.y - 13};
  room_add_lines(room, (Place2[]){from, {from.x + 9 * letters, from.y}}, 2, 8);
}

static void add_points(LabelRoom *room, const View *view, const SceneShape *shape,
                       const double *pose, double half) {
  Place2 first = view_pixel(view, pose + shape->points), before = first;
  uint32_t corners = room->corners.n;
  for (uint32_t k = 0; k < shape->point_count; k++) {
    Place2 at = view_pixel(view, pose + shape->points + 3 * k);
    if (k > 0) room_add_lines(room, (Place2[]){before, at}, 2, half);
    if (shape->shape == DRAW_POLYGON) vec_push(room->arena, &room->corners, at);
    before = at;
  }
  if (shape->shape != DRAW_POLYGON) return;
  room_add_lines(room, (Place2[]){before, first}, 2, half);
  LabelArea area = {corners, shape->point_count, shape->points};
  vec_push(room->arena, &room->areas, area);
}

static void add_shape(LabelRoom *room, const View *view, const SceneShape *shape,
                      const double *pose) {
  Place2 first = view_pixel(view, pose + shape->points);
  switch (shape->shape) {
  case DRAW_BOX: add_box(room, view, shape, pose); break;
  case DRAW_TRACK: add_track(room, view, shape, pose); break;
  case DRAW_DISC:
  case DRAW_POST: add_wheel(room, view, shape, pose); break;
  case DRAW_SPRING:
  case DRAW_DAMPER: add_coil(room, view, shape, pose); break;
  case DRAW_TURN: add_circle(room, first, 17, 3, NO_SIGNAL); break;
  case DRAW_PUSH: add_push(room, view, shape, pose); break;
  case DRAW_FORCE: {
    Place2 ends[2];
    if (force_ends(first, pose[shape->size_a], pose[shape->size_b], ends))
      room_add_lines(room, ends, 2, 5);
    break;
  }
  case DRAW_SPIRAL: add_circle(room, first, 10, 5, NO_SIGNAL); break;
  case DRAW_BELT: add_belt(room, view, shape, pose); break;
  case DRAW_GROUND:
    if (shape->point_count == 1)
      add_support(room, first, value_or(pose, shape->angle, shape->hangs ? M_PI : 0));
    else
      add_ground(room, first, view_pixel(view, pose + shape->points + 3));
    break;
  case DRAW_LINE: {
    double wide = view->scale * fabs(value_or(pose, shape->width, view->rod / view->scale));
    add_points(room, view, shape, pose, 0.5 * wide);
    break;
  }
  case DRAW_POLYGON: add_points(room, view, shape, pose, 1); break;
  case DRAW_ARROW: add_points(room, view, shape, pose, 4); break;
  case DRAW_LABEL: add_text(room, first, shape->text ? shape->text : ""); break;
  case DRAW_TRAIL: break;
  }
}

LabelRoom label_room(Arena *arena, const Scene *scene, const View *view, const double *pose) {
  LabelRoom room = {.arena = arena, .width = view->width, .height = view->height};
  for (uint32_t i = 0; i < scene->shapes.n; i++)
    if (!scene->shapes.at[i].is_hidden) add_shape(&room, view, &scene->shapes.at[i], pose);
  for (uint32_t i = 0; i < scene->hinges.n; i++) {
    Place2 at = view_pixel(view, pose + scene->hinges.at[i]);
    room_add_lines(&room, (Place2[]){at, at}, 2, 5);
  }
  return room;
}

// ---- Where there is room

// Does the part of the line from 0 to 1 reach into the box?
static bool crosses(const LabelLine *line, const LabelBox *box) {
  double low = 0, high = 1;
  double from[] = {line->from.x - box->centre.x, line->from.y - box->centre.y};
  double way[] = {line->to.x - line->from.x, line->to.y - line->from.y};
  double half[] = {box->half_width + line->half, box->half_height + line->half};
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

bool room_is_apart(const LabelRoom *room, const LabelBox *box) {
  double x = box->centre.x, y = box->centre.y, w = box->half_width + GAP, h = box->half_height;
  if (!(x >= w && x <= room->width - w && y >= h + GAP && y <= room->height - h - BOTTOM))
    return false;
  for (uint32_t i = 0; i < room->boxes.n; i++) {
    const LabelBox *other = &room->boxes.at[i];
    if (fabs(other->centre.x - x) < other->half_width + w &&
        fabs(other->centre.y - y) < other->half_height + h)
      return false;
  }
  return true;
}

bool room_is_free(const LabelRoom *room, const LabelBox *box) {
  if (!room_is_apart(room, box)) return false;
  for (uint32_t i = 0; i < room->lines.n; i++)
    if (crosses(&room->lines.at[i], box)) return false;
  return true;
}

// By the number of edges that a ray to the right crosses.
static bool is_within(const Place2 *corners, uint32_t n, Place2 at) {
  bool is_inside = false;
  for (uint32_t i = 0, k = n - 1; i < n; k = i++) {
    Place2 a = corners[i], b = corners[k];
    if ((a.y > at.y) != (b.y > at.y) && at.x < a.x + (b.x - a.x) * (at.y - a.y) / (b.y - a.y))
      is_inside = !is_inside;
  }
  return is_inside;
}

uint32_t room_areas_at(const LabelRoom *room, Place2 at, uint32_t owner) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < room->areas.n; i++) {
    const LabelArea *area = &room->areas.at[i];
    n += area->owner != owner && is_within(room->corners.at + area->first, area->count, at);
  }
  return n;
}

static double side_of(Place2 a, Place2 b, Place2 p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

uint32_t room_crossings(const LabelRoom *room, Place2 from, Place2 to) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < room->lines.n; i++) {
    const LabelLine *l = &room->lines.at[i];
    n += side_of(from, to, l->from) * side_of(from, to, l->to) < 0 &&
         side_of(l->from, l->to, from) * side_of(l->from, l->to, to) < 0;
  }
  return n;
}

uint32_t room_boxes_across(const LabelRoom *room, Place2 from, Place2 to) {
  LabelLine line = {from, to, 0};
  uint32_t n = 0;
  for (uint32_t i = 0; i < room->boxes.n; i++) n += crosses(&line, &room->boxes.at[i]);
  return n;
}
