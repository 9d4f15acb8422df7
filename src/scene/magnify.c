// Motions that are too small to be seen, drawn larger about their mean.
//
//   mean pose -> how far shapes move and turn from it -> a round factor -> poses
#include "scene/magnify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/tracks.h"
#include "scene/view.h"

#define SMALLEST_POWER 1e6 // from here on factors are written with a power of ten

// ---- What moves

// The second point of an arrow says how large something is, not where.
static bool is_arrow(const SceneShape *shape) { return shape->shape == DRAW_ARROW; }

// The angle of some shapes is a direction that a motor works in.
static bool does_turn(const SceneShape *shape) {
  return shape->angle != NO_SIGNAL && shape->shape != DRAW_TURN && shape->shape != DRAW_PUSH;
}

static uint32_t points_of(const SceneShape *shape) {
  return is_arrow(shape) || shape->shape == DRAW_TRACK ? 1 : shape->point_count;
}

static double length_of(const double *v) { return hypot(hypot(v[0], v[1]), v[2]); }

// The mean of every signal where it is finite.
static double *mean_pose(const Scene *scene, const Poses *poses, Arena *into) {
  double *mean = arena_array(into, double, poses->width + 1);
  for (uint32_t k = 0; k < poses->width; k++) {
    uint32_t n = 0;
    // about the first value, so that small differences keep their digits
    double first = 0, sum = 0;
    for (uint32_t i = 0; i < poses->count; i++) {
      double value = pose_at(poses, i)[k];
      if (!isfinite(value)) continue;
      if (n++ == 0) first = value;
      sum += value - first;
    }
    mean[k] = n ? first + sum / n : NAN;
  }
  context_poll(scene->cx);
  return mean;
}

// ---- How far

typedef struct Motion {
  double side;  // of the drawing
  double shift; // the longest way of a point, or of the rim of what turns
  double turn;  // the largest angle, or change of a piece of a line in parts of its length
} Motion;

static double reach_of(const SceneShape *shape, const double *pose, double side) {
  if (shape->radius != NO_SIGNAL) return fabs(pose[shape->radius]);
  if (shape->size_a != NO_SIGNAL && shape->size_b != NO_SIGNAL)
    return 0.5 * hypot(pose[shape->size_a], pose[shape->size_b]);
  return side * (shape->shape == DRAW_BOX ? MAGNIFY_BOX : MAGNIFY_DOT);
}

static void take(double *most, double value) {
  if (isfinite(value)) *most = fmax(*most, value);
}

static void look_at_shape(const SceneShape *shape, const double *mean, const double *pose,
                          Motion *motion) {
  double before[3] = {0}, base[3] = {0};
  for (uint32_t k = 0; k < points_of(shape); k++) {
    const double *at = pose + shape->points + 3 * k, *rest = mean + shape->points + 3 * k;
    double way[3], piece[3], change[3];
    for (int i = 0; i < 3; i++) {
      way[i] = at[i] - rest[i];
      piece[i] = rest[i] - base[i], change[i] = way[i] - before[i];
      before[i] = way[i], base[i] = rest[i];
    }
    take(&motion->shift, length_of(way));
    if (k > 0 && length_of(piece) > MAGNIFY_PIECE * motion->side)
      take(&motion->turn, length_of(change) / length_of(piece));
  }
  if (!does_turn(shape)) return;
  double angle = fabs(pose[shape->angle] - mean[shape->angle]);
  take(&motion->turn, angle);
  take(&motion->shift, angle * reach_of(shape, pose, motion->side));
}

static Motion motion_of(const Scene *scene, const Poses *poses, const double *mean) {
  Motion motion = {.side = view_size(scene, mean)};
  for (uint32_t i = 0; i < poses->count; i++)
    for (uint32_t k = 0; k < scene->shapes.n; k++) {
      const SceneShape *shape = &scene->shapes.at[k];
      if (!shape->is_hidden) look_at_shape(shape, mean, pose_at(poses, i), &motion);
      if (motion.shift >= MAGNIFY_VISIBLE * motion.side) return motion;
    }
  return motion;
}

// ---- The factor

static double round_down(double factor) {
  double power = pow(10, floor(log10(factor))), part = factor / power;
  return power * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
}

static bool has_changing_contacts(const Result *result) {
  const SimSummary *summary = &result->summary;
  for (uint32_t i = 0; i < summary->events.n; i++) {
    SimEventKind kind = summary->events.at[i].kind;
    if (kind == SIM_IMPACT || kind == SIM_CONTACT || kind == SIM_RELEASE) return true;
  }
  return false;
}

double magnify_factor(const Scene *scene, const Poses *poses) {
  Arena *scratch = &scene->cx->scratch;
  if (poses->count == 0 || scene->shapes.n == 0) return 0;
  Mark mark = arena_mark(scratch);
  Motion motion = motion_of(scene, poses, mean_pose(scene, poses, scratch));
  arena_release(scratch, mark);
  if (motion.shift <= MAGNIFY_REAL * motion.side) return 0;
  if (motion.shift >= MAGNIFY_VISIBLE * motion.side || has_changing_contacts(scene->result))
    return 1;
  double wanted = MAGNIFY_SHIFT * motion.side / motion.shift;
  if (motion.turn > 0) wanted = fmin(wanted, MAGNIFY_TURN / motion.turn);
  return fmax(round_down(wanted), 1);
}

// ---- Poses

// Which signals are places and angles; those that no shape has are values of coordinates.
static bool *find_magnified(const Scene *scene, Arena *arena) {
  bool *is = arena_array(arena, bool, scene->signals.n + 1);
  memset(is, true, scene->signals.n);
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *shape = &scene->shapes.at[i];
    uint32_t sizes[] = {shape->radius, shape->width, shape->size_a, shape->size_b,
                        does_turn(shape) ? NO_SIGNAL : shape->angle};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
      if (sizes[k] != NO_SIGNAL) is[sizes[k]] = false;
  }
  return is;
}

// The way from the first point of an arrow to the second stays what it is.
static void keep_arrows(const Scene *scene, const double *pose, double *magnified) {
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    uint32_t from = scene->shapes.at[i].points;
    for (uint32_t k = from; k < from + 3 && is_arrow(&scene->shapes.at[i]); k++)
      magnified[k + 3] = magnified[k] + pose[k + 3] - pose[k];
  }
}

void magnify_poses(Scene *scene, Poses *poses, double factor) {
  Arena *scratch = &scene->cx->scratch;
  if (poses->count == 0 || factor == 1) return;
  Mark mark = arena_mark(scratch);
  const double *mean = mean_pose(scene, poses, scratch);
  const bool *is_magnified = find_magnified(scene, scratch);
  double *pose = arena_array(scratch, double, poses->width + 1);
  for (uint32_t i = 0; i < poses->count; i++) {
    double *at = poses->values + (size_t)poses->width * i;
    memcpy(pose, at, poses->width * sizeof *pose);
    for (uint32_t k = 0; k < poses->width; k++)
      if (is_magnified[k]) at[k] = mean[k] + factor * (pose[k] - mean[k]);
    keep_arrows(scene, pose, at);
  }
  arena_release(scratch, mark);
  scene_settle_tracks(scene, poses);
}

// ---- Words

static void add_factor(Text *out, double factor, char decimal_sign) {
  static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  int power = factor < SMALLEST_POWER ? 0 : (int)floor(log10(factor) + 1e-9);
  double part = factor / pow(10, power);
  char text[32];
  if (part < 1000)
    snprintf(text, sizeof text, "%.4g", part);
  else
    snprintf(text, sizeof text, "%.0f", part);
  for (char *at = text; *at; at++)
    if (*at == '.') *at = decimal_sign;
  if (power == 0) text_add(out, text);
  if (power == 0) return;
  if (strcmp(text, "1") != 0) text_addf(out, "%s·", text);
  text_add(out, "10");
  if (power > 9) text_add(out, digits[power / 10 % 10]);
  text_add(out, digits[power % 10]);
}

const char *factor_words(Arena *arena, const char *sentence, double factor, char decimal_sign) {
  const char *hole = strstr(sentence, "{0}");
  Text out = text_new(arena);
  text_add_bytes(&out, sentence, hole ? (size_t)(hole - sentence) : strlen(sentence));
  if (hole) add_factor(&out, factor, decimal_sign);
  if (hole) text_add(&out, hole + 3);
  return out.at;
}
