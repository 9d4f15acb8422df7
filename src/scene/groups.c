// Which shapes are one part, by the motion: they share a colour, which their coordinate has, too.
#include "scene/groups.h"

#include <math.h>
#include <stdlib.h>

#define TOGETHER 1e-6 // of the distances: by so much those of one part may vary
#define TOUCHING 1e-9 // likewise: so near are points that are one
#define LOOKS 30      // poses that are compared

enum { MOST_COMPARED = 400 }; // shapes; of more nobody sees which are one

// ---- What a shape is made of

static bool has_colour_of_part(const SceneShape *shape) {
  switch (shape->shape) {
  case DRAW_LINE:
  case DRAW_POLYGON:
  case DRAW_DISC:
  case DRAW_BOX: return !shape->is_hidden;
  case DRAW_TRACK: return shape->track == TRACK_FACE || shape->track == TRACK_MOVING;
  default: return false;
  }
}

static bool signal_depends(const Scene *scene, uint32_t signal, Expr q) {
  return signal != NO_SIGNAL && expr_depends(scene->cx, scene->signals.at[signal].value, q);
}

bool shape_depends(const Scene *scene, const SceneShape *shape, Expr q) {
  if (signal_depends(scene, shape->angle, q)) return true;
  for (uint32_t i = 0; i < 3 * shape->point_count; i++)
    if (signal_depends(scene, shape->points + i, q)) return true;
  return false;
}

// Are both moved by the same coordinates?
static bool are_moved_alike(const Scene *scene, const SceneShape *a, const SceneShape *b) {
  const Model *model = scene->result->model;
  for (uint32_t i = 0; i < model->coordinates.n; i++) {
    Expr q = model->coordinates.at[i].q;
    if (shape_depends(scene, a, q) != shape_depends(scene, b, q)) return false;
  }
  return true;
}

// ---- Shapes that are one part

static double distance(const double *a, const double *b) {
  return hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]);
}

// Does the distance of two points vary by no more than a part of `size`, and is it that small?
static bool keep_distance(const Poses *poses, uint32_t a, uint32_t b, double size, bool is_none) {
  double low = INFINITY, high = -INFINITY;
  for (uint32_t i = 0; i < poses->count; i += poses->count / LOOKS + 1) {
    double now = distance(pose_at(poses, i) + a, pose_at(poses, i) + b);
    low = fmin(low, now), high = fmax(high, now);
  }
  return is_none ? high <= TOUCHING * size : high - low <= TOGETHER * size;
}

static double size_of(const SceneShape *shape, const Poses *poses) {
  double size = 0;
  const double *at = pose_at(poses, 0) + shape->points;
  for (uint32_t i = 1; i < shape->point_count; i++) size = fmax(size, distance(at, at + 3 * i));
  return size;
}

// The number of a point of `a` that is one of `b`, or -1.
static int shared_point(const SceneShape *a, const SceneShape *b, const Poses *poses, double size) {
  for (uint32_t i = 0; i < a->point_count; i++)
    for (uint32_t k = 0; k < b->point_count; k++)
      if (keep_distance(poses, a->points + 3 * i, b->points + 3 * k, size, true)) return (int)i;
  return -1;
}

static bool are_rigid(const SceneShape *a, const SceneShape *b, const Poses *poses, double size) {
  for (uint32_t i = 0; i < a->point_count; i++)
    for (uint32_t k = 0; k < b->point_count; k++)
      if (!keep_distance(poses, a->points + 3 * i, b->points + 3 * k, size, false)) return false;
  return true;
}

// The group of `earlier` that `shape` belongs to, too, or NO_SIGNAL: they touch, are moved by the
// same coordinates and keep their distances. A disc on a joint belongs to the piece that ends
// there.
static uint32_t group_with(const Scene *scene, const Poses *poses, const SceneShape *earlier,
                           const SceneShape *shape) {
  bool is_box = earlier->shape == DRAW_BOX || shape->shape == DRAW_BOX;
  if (is_box) return NO_SIGNAL;
  double size = fmax(size_of(earlier, poses), size_of(shape, poses));
  int at = size > 0 ? shared_point(earlier, shape, poses, size) : -1;
  if (at < 0) return NO_SIGNAL;
  if (earlier->has_joints)
    return shape->shape == DRAW_DISC && at > 0 ? earlier->group + (uint32_t)at - 1 : NO_SIGNAL;
  if (shape->has_joints || !are_rigid(earlier, shape, poses, size)) return NO_SIGNAL;
  return are_moved_alike(scene, earlier, shape) ? earlier->group : NO_SIGNAL;
}

static uint32_t find_group(const Scene *scene, const Poses *poses, uint32_t number,
                           const uint32_t *before) {
  const SceneShape *shape = &scene->shapes.at[number];
  for (uint32_t i = 0; i < number; i++) {
    const SceneShape *earlier = &scene->shapes.at[i];
    if (earlier->body || !has_colour_of_part(earlier)) continue;
    if (earlier->has_colour != shape->has_colour) continue;
    if (scene->is_guessed && before[i] == before[number]) return earlier->group;
    uint32_t group = group_with(scene, poses, earlier, shape);
    if (group != NO_SIGNAL) return group;
  }
  return NO_SIGNAL;
}

// What has no colour of a part of its own has that of the part at its first point.
static void follow_part(Scene *scene, SceneShape *shape) {
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *part = &scene->shapes.at[i];
    if (!has_colour_of_part(part) || !shape->point_count) continue;
    for (uint32_t k = 0; k < part->point_count; k++) {
      const Signal *a = &scene->signals.at[shape->points],
                   *b = &scene->signals.at[part->points + 3 * k];
      if (a[0].value != b[0].value || a[1].value != b[1].value || a[2].value != b[2].value)
        continue;
      shape->group = part->group + (part->has_joints && k ? k - 1 : 0);
      return;
    }
  }
}

void scene_settle_groups(Scene *scene, const Poses *poses) {
  uint32_t n = scene->shapes.n, next = 0;
  if (n > MOST_COMPARED) return;
  uint32_t *before = arena_array(scene->arena, uint32_t, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    const SceneShape *shape = &scene->shapes.at[i];
    before[i] = shape->group;
    if (shape->body && shape->body > next) next = shape->body; // bodies have their own numbers
  }
  for (uint32_t i = 0; i < n; i++) {
    SceneShape *shape = &scene->shapes.at[i];
    if (shape->body || !has_colour_of_part(shape)) continue;
    uint32_t group = find_group(scene, poses, i, before);
    shape->group = group == NO_SIGNAL ? next : group;
    if (group == NO_SIGNAL) next += shape->has_joints ? shape->point_count - 1 : 1;
  }
  for (uint32_t i = 0; i < n; i++) {
    SceneShape *shape = &scene->shapes.at[i];
    if (!shape->body && shape->shape == DRAW_TRAIL) shape->group = next, follow_part(scene, shape);
  }
}
