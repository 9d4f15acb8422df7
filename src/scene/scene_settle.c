// What the motion tells about a scene: rods, springs, joints and supports.
#include <math.h>

#include "scene/groups.h"
#include "scene/poses.h"
#include "scene/teeth.h"
#include "scene/tracks.h"

#define RIGID 1e-5   // of its length: by so much a rod may change
#define TURNING 1e-4 // radians: from here on two pieces of a line have a joint
#define LOOKS 200    // poses that are looked at

static uint32_t stride_of(const Poses *poses) { return poses->count / LOOKS + 1; }

static double distance(const double *a, const double *b) {
  double x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
  return sqrt(x * x + y * y + z * z);
}

// ---- Guessed links

// A link that keeps its length is a rod; one that may be a spring and never gets short is one.
static void settle_guess(SceneShape *shape, const Poses *poses) {
  double shortest = INFINITY, longest = 0;
  for (uint32_t i = 0; i < poses->count; i += stride_of(poses)) {
    const double *from = pose_at(poses, i) + shape->points;
    double length = distance(from, from + 3);
    if (!isfinite(length)) continue;
    shortest = fmin(shortest, length), longest = fmax(longest, length);
  }
  bool is_rod = longest > 0 && longest - shortest <= RIGID * longest;
  bool is_spring = shape->shape == DRAW_SPRING && shortest > 0.1 * longest;
  shape->shape = is_rod ? DRAW_LINE : DRAW_SPRING;
  shape->is_hidden = !is_rod && !is_spring;
}

// Of several links that end in one point only the first that holds stays.
static void settle_guesses(Scene *scene, const Poses *poses) {
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    SceneShape *shape = &scene->shapes.at[i];
    if (!shape->is_guess) continue;
    settle_guess(shape, poses);
    for (uint32_t k = 0; k < i && !shape->is_hidden; k++) {
      const SceneShape *other = &scene->shapes.at[k];
      if (other->was_guess && !other->is_hidden && other->group == shape->group)
        shape->is_hidden = true;
    }
    shape->is_guess = false, shape->was_guess = true;
    if (!shape->is_hidden) scene_add_hinge(scene, shape->points);
  }
}

// ---- Joints inside of lines

// The angle between the pieces of a line that meet in a point.
static double bend(const double *p) {
  double a[3], b[3], dot = 0, size = distance(p - 3, p) * distance(p, p + 3);
  for (int i = 0; i < 3; i++) a[i] = p[i] - p[i - 3], b[i] = p[i + 3] - p[i], dot += a[i] * b[i];
  double cosine = dot / size;
  return acos(cosine > 1 ? 1 : cosine < -1 ? -1 : cosine);
}

static bool does_bend(const Poses *poses, uint32_t point) {
  double low = INFINITY, high = -INFINITY;
  for (uint32_t i = 0; i < poses->count; i += stride_of(poses)) {
    double angle = bend(pose_at(poses, i) + point);
    if (!isfinite(angle)) continue;
    low = fmin(low, angle), high = fmax(high, angle);
  }
  return high - low > TURNING;
}

static void settle_joints(Scene *scene, const Poses *poses) {
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    SceneShape *line = &scene->shapes.at[i];
    if (line->shape != DRAW_LINE || line->is_hidden) continue;
    for (uint32_t k = 1; k + 1 < line->point_count; k++) {
      if (!does_bend(poses, line->points + 3 * k)) continue;
      line->has_joints = true;
      scene_add_hinge(scene, line->points + 3 * k);
    }
  }
}

// ---- Hinges between parts

#define MEETING 1e-6 // of the scene's size: so near are points that are one

static bool has_hinges(const SceneShape *shape) {
  return !shape->is_hidden &&
         (shape->shape == DRAW_LINE || shape->shape == DRAW_GROUND || shape->shape == DRAW_DISC ||
          shape->shape == DRAW_BOX || shape->shape == DRAW_SPRING || shape->shape == DRAW_DAMPER);
}

static bool do_meet(const Poses *poses, uint32_t a, uint32_t b, double near) {
  uint32_t stride = poses->count / 7 + 1;
  for (uint32_t i = 0; i < poses->count; i += stride)
    if (!(distance(pose_at(poses, i) + a, pose_at(poses, i) + b) <= near)) return false;
  return true;
}

static bool meets_another(const Scene *scene, const Poses *poses, uint32_t shape, uint32_t point,
                          double near) {
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *other = &scene->shapes.at[i];
    bool is_line = other->shape == DRAW_GROUND && other->point_count == 2;
    bool is_one_body = other->body && other->body == scene->shapes.at[shape].body;
    if (i == shape || !has_hinges(other) || is_line || is_one_body) continue;
    for (uint32_t k = 0; k < other->point_count; k++)
      if (do_meet(poses, point, other->points + 3 * k, near)) return true;
  }
  return false;
}

static double size_of(const Scene *scene, const Poses *poses) {
  double size = 0;
  const double *pose = pose_at(poses, 0);
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *shape = &scene->shapes.at[i];
    for (uint32_t k = 0; k < shape->point_count; k++) {
      double far = distance(pose + scene->shapes.at[0].points, pose + shape->points + 3 * k);
      if (isfinite(far)) size = fmax(size, far);
    }
  }
  return size;
}

// At every support, and where the end of a line meets another part for the whole motion.
static void settle_hinges(Scene *scene, const Poses *poses) {
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *pin = &scene->shapes.at[i];
    if (pin->shape == DRAW_GROUND && pin->point_count == 1) scene_add_hinge(scene, pin->points);
  }
  double near = MEETING * size_of(scene, poses);
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *line = &scene->shapes.at[i];
    if (line->shape != DRAW_LINE || line->is_hidden) continue;
    uint32_t ends[] = {line->points, line->points + 3 * (line->point_count - 1)};
    for (int k = 0; k < 2; k++)
      if (meets_another(scene, poses, i, ends[k], near)) scene_add_hinge(scene, ends[k]);
  }
}

// ---- Supports

static bool stands_still(const Poses *poses, uint32_t point) {
  const double *first = pose_at(poses, 0) + point;
  for (uint32_t i = 0; i < poses->count; i += stride_of(poses)) {
    const double *now = pose_at(poses, i) + point;
    for (int k = 0; k < 3; k++)
      if (now[k] != first[k]) return false;
  }
  return true;
}

// Does what is fixed here hang down most of the time?
static bool does_hang(const Poses *poses, uint32_t fixed, uint32_t other) {
  double height = 0;
  for (uint32_t i = 0; i < poses->count; i += stride_of(poses)) {
    const double *pose = pose_at(poses, i);
    double difference = pose[other + 1] - pose[fixed + 1];
    if (isfinite(difference)) height += difference;
  }
  return height < 0;
}

// How far what ends in a support reaches below it at first, as a part of its length: 1 hangs
// straight down. A run that goes another way after a value was changed has the same picture.
static double reach_below(const Poses *poses, uint32_t fixed, uint32_t other) {
  const double *from = pose_at(poses, 0) + fixed, *to = pose_at(poses, 0) + other;
  double length = distance(from, to);
  return length > 0 && isfinite(length) ? (from[1] - to[1]) / length : 0;
}

static bool has_ends(const SceneShape *shape) {
  return !shape->is_hidden && shape->point_count >= 2 &&
         (shape->shape == DRAW_LINE || shape->shape == DRAW_SPRING || shape->shape == DRAW_DAMPER);
}

// A support stands above what it carries where that hangs, so that its hatching crosses none of it.
static void settle_hanging(Scene *scene, const Poses *poses) {
  const double clearly = 0.3;
  double near = MEETING * size_of(scene, poses);
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    SceneShape *support = &scene->shapes.at[i];
    if (support->shape != DRAW_GROUND || support->point_count != 1 || !support->part) continue;
    double below = 0;
    for (uint32_t k = 0; k < scene->shapes.n && support->angle == NO_SIGNAL; k++) {
      const SceneShape *line = &scene->shapes.at[k];
      if (!has_ends(line)) continue;
      uint32_t ends[] = {line->points, line->points + 3 * (line->point_count - 1)};
      for (int end = 0; end < 2; end++)
        if (do_meet(poses, support->points, ends[end], near))
          below += reach_below(poses, ends[end], ends[1 - end]);
    }
    support->hangs = below > clearly;
  }
}

static void support_end(Scene *scene, const Poses *poses, uint32_t end, uint32_t other) {
  if (!stands_still(poses, end) || stands_still(poses, other)) return;
  scene_add_hinge(scene, end);
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *shape = &scene->shapes.at[i];
    if (shape->shape == DRAW_GROUND && shape->point_count == 1 &&
        distance(pose_at(poses, 0) + shape->points, pose_at(poses, 0) + end) == 0)
      return;
  }
  SceneShape support = shape_at(DRAW_GROUND, end, 1);
  support.hangs = does_hang(poses, end, other);
  scene_add(scene, support);
}

// A line that changes its length is a rope, which runs over what holds it.
static bool is_rope(const SceneShape *line, const Poses *poses) {
  double shortest = INFINITY, longest = 0;
  for (uint32_t i = 0; i < poses->count && line->shape == DRAW_LINE; i += stride_of(poses)) {
    const double *p = pose_at(poses, i) + line->points;
    double length = 0;
    for (uint32_t k = 0; k + 1 < line->point_count; k++)
      length += distance(p + 3 * k, p + 3 * k + 3);
    if (!isfinite(length)) continue;
    shortest = fmin(shortest, length), longest = fmax(longest, length);
  }
  return longest - shortest > RIGID * longest;
}

// In the plane, an end of a rod that does not move rests in a support, unless grounds are drawn.
static void settle_supports(Scene *scene, const Poses *poses) {
  uint32_t n = scene->shapes.n;
  for (uint32_t i = 0; i < n; i++)
    if (scene->shapes.at[i].shape == DRAW_GROUND && !scene->is_guessed) return;
  for (uint32_t i = 0; i < n; i++) {
    SceneShape shape = scene->shapes.at[i];
    bool is_link = shape.shape == DRAW_LINE || shape.shape == DRAW_SPRING;
    if (!is_link || shape.is_hidden || shape.is_pointer || is_rope(&shape, poses)) continue;
    uint32_t last = shape.points + 3 * (shape.point_count - 1);
    support_end(scene, poses, shape.points, shape.points + 3);
    support_end(scene, poses, last, last - 3);
  }
}

void scene_settle(Scene *scene, const Poses *poses) {
  if (poses->count == 0) return;
  settle_guesses(scene, poses);
  settle_joints(scene, poses);
  if (!scene->is_guessed) settle_hinges(scene, poses);
  if (!scene->is_spatial) settle_supports(scene, poses), settle_hanging(scene, poses);
  scene_settle_tracks(scene, poses);
  scene_mesh(scene, poses);
  scene_settle_groups(scene, poses);
}
