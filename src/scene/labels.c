// Angles and positions in a drawing, and all labels of it.
#include "scene/labels.h"

#include <math.h>

#include "print/names.h"
#include "print/typeset.h"

#define EQUAL 1e-6 // of a length: so near are two that are one
#define LOOKS 40

static const Colour dimension_ink = {90, 90, 90};

enum { MOST_PIECES = 16, MOST_POSITIONS = 3 };

// Its words with commas between them.
static void add_words(Text *out, const char *words, size_t n) {
  const char *word;
  for (size_t length; (length = subscript_word(&words, &n, &word));) {
    if (out->n) text_add_char(out, ',');
    text_add_bytes(out, word, length);
  }
}

SceneLabel scene_label(const Scene *scene, LabelKind kind, const char *name) {
  NameParts parts = name_parts(scene->cx, name);
  Text text = text_new(scene->arena), below = text_new(scene->arena);
  const char *stem = text_format(scene->arena, "%.*s", (int)parts.stem_length, parts.stem);
  typeset_name(scene->cx, stem, 0, &terminal_face, &text);
  add_words(&below, parts.subscript, parts.subscript_length);
  add_words(&below, parts.component, parts.component_length);
  return (SceneLabel){.kind = kind,
                      .name = name,
                      .text = text.at,
                      .subscript = below.at,
                      .colour = dimension_ink,
                      .from = NO_SIGNAL,
                      .to = NO_SIGNAL,
                      .base_from = NO_SIGNAL,
                      .base_to = NO_SIGNAL,
                      .value = NO_SIGNAL};
}

static const char *coordinate_name(const Scene *scene, uint32_t i) {
  return symbol_text(scene->cx, scene->result->model->coordinates.at[i].name);
}

bool labels_have(const SceneLabels *labels, const char *name) {
  for (uint32_t i = 0; i < labels->n; i++)
    if (labels->at[i].name == name) return true;
  return false;
}

static void add_angles(const Scene *scene, const ScenePieces *pieces, const SceneAngles *angles,
                       uint32_t first_coordinate, SceneLabels *out) {
  const int *places = scene_coordinate_places(scene, pieces, angles);
  for (uint32_t i = 0; i < angles->n; i++) {
    const SceneAngle *angle = &angles->at[i];
    SceneLabel label = scene_label(scene, LABEL_ANGLE, coordinate_name(scene, angle->coordinate));
    const ScenePiece *arm = &pieces->at[angle->arm];
    label.from = angle->is_flipped ? arm->to : arm->from;
    label.to = angle->is_flipped ? arm->from : arm->to;
    if (angle->base != NO_SIGNAL) {
      label.base_from = pieces->at[angle->base].from;
      label.base_to = pieces->at[angle->base].to;
    }
    label.sign = angle->sign, label.zero = angle->zero;
    label.aside = i % LABEL_ARCS;
    label.colour = scene_coordinate_colour(scene, pieces, angles, angle->coordinate,
                                           places[angle->coordinate]);
    label.value = first_coordinate + angle->coordinate;
    vec_push(scene->arena, out, label);
  }
}

// ---- Positions

// A point's x or y less the coordinate, if that is steady while the coordinate moves.
static bool is_position(const Scene *scene, const Poses *poses, uint32_t signal, Expr q,
                        uint32_t coordinate) {
  if (!expr_depends(scene->cx, scene->signals.at[signal].value, q)) return false;
  uint32_t stride = poses->count / LOOKS + 1;
  double low = INFINITY, high = -INFINITY, least = INFINITY, most = -INFINITY;
  for (uint32_t i = 0; i < poses->count; i += stride) {
    const double *pose = pose_at(poses, i);
    double off = pose[signal] - pose[coordinate];
    if (!isfinite(off)) return false;
    low = fmin(low, off), high = fmax(high, off);
    least = fmin(least, pose[coordinate]), most = fmax(most, pose[coordinate]);
  }
  return most > least && high - low <= EQUAL * (most - least);
}

static void add_position(const Scene *scene, const Poses *poses, uint32_t coordinate,
                         uint32_t signal, SceneLabels *out) {
  Expr q = scene->result->model->coordinates.at[coordinate].q;
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *shape = &scene->shapes.at[i];
    bool is_part = shape->shape == DRAW_BOX || shape->shape == DRAW_DISC;
    for (int axis = 0; axis < 2 && is_part && !shape->is_hidden; axis++) {
      if (!is_position(scene, poses, shape->points + (uint32_t)axis, q, signal)) continue;
      SceneLabel label = scene_label(scene, LABEL_POSITION, coordinate_name(scene, coordinate));
      label.from = label.to = shape->points, label.axis = axis, label.value = signal;
      vec_push(scene->arena, out, label);
      return;
    }
  }
}

static void add_positions(const Scene *scene, const Poses *poses, uint32_t first,
                          SceneLabels *out) {
  const Model *model = scene->result->model;
  if (model->constraints.n > 0) return; // of coordinates that depend on each other there are many
  uint32_t count = 0;
  for (uint32_t i = 0; i < model->coordinates.n && count < MOST_POSITIONS; i++) {
    bool is_length_of = measure_is(&model->coordinates.at[i].measure, 0, 1, 0);
    uint32_t before = out->n;
    if (is_length_of && !labels_have(out, coordinate_name(scene, i)))
      add_position(scene, poses, i, first + i, out);
    count += out->n - before;
  }
}

// ---- Applied forces

static void add_applied(const Scene *scene, SceneLabels *out) {
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *shape = &scene->shapes.at[i];
    const char *name = shape->shape == DRAW_FORCE ? applied_name(scene, shape) : NULL;
    if (!name || labels_have(out, name)) continue;
    SceneLabel label = scene_label(scene, LABEL_MASS, name);
    label.from = label.to = shape->points;
    vec_push(scene->arena, out, label);
  }
}

// ---- All of them

// Does the drawing name its coordinates already?
static bool has_names(const Scene *scene) {
  for (uint32_t i = 0; i < scene->shapes.n; i++)
    if (scene->is_guessed && scene->shapes.at[i].shape == DRAW_LABEL) return true;
  return false;
}

// Axes and gravity stand in corners, which are theirs before all others are placed.
static SceneLabels with_corners_first(const Scene *scene, const SceneLabels *labels) {
  SceneLabels out = {0};
  if (labels->n == 0) return out;
  SceneLabel axes = {.kind = LABEL_AXES, .name = "", .text = "", .subscript = ""};
  axes.from = axes.to = axes.base_from = axes.base_to = axes.value = NO_SIGNAL;
  axes.colour = dimension_ink;
  vec_push(scene->arena, &out, axes);
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < labels->n; i++)
      if ((labels->at[i].kind == LABEL_GRAVITY) == (pass == 0))
        vec_push(scene->arena, &out, labels->at[i]);
  return out;
}

SceneLabels scene_labels(const Scene *scene, const Poses *poses, uint32_t first_coordinate) {
  SceneLabels labels = {0};
  if (scene->is_spatial || poses->count == 0 || has_names(scene)) return labels;
  ScenePieces pieces = scene_pieces(scene);
  if (pieces.n > MOST_PIECES) return labels;
  SceneAngles angles = scene_angles(scene, poses, &pieces, first_coordinate);
  add_angles(scene, &pieces, &angles, first_coordinate, &labels);
  if (!*scene->unit) return labels; // its lengths mean nothing
  add_length_labels(scene, poses, &pieces, first_coordinate, &labels);
  add_positions(scene, poses, first_coordinate, &labels);
  add_energy_labels(scene, poses, &pieces, first_coordinate, &labels);
  add_applied(scene, &labels);
  return with_corners_first(scene, &labels);
}

// The largest value that a coordinate has in the motion, as far as it is looked at.
static double largest_of(const Poses *poses, uint32_t signal) {
  double largest = 0;
  for (uint32_t i = 0; i < poses->count; i += poses->count / LOOKS + 1)
    largest = fmax(largest, fabs(pose_at(poses, i)[signal]));
  return largest;
}

// How well a pose shows what is labelled: the least angle, or part of the largest value; half of it
// where one is negative.
static double shown_in(const SceneLabels *labels, const Poses *poses, uint32_t number) {
  const double of_positions = 2.5; // one is seen from 0.16 of its largest value on
  double least = M_PI;
  bool is_positive = true;
  for (uint32_t k = 0; k < labels->n; k++) {
    const SceneLabel *label = &labels->at[k];
    double value = label->value == NO_SIGNAL ? NAN : pose_at(poses, number)[label->value];
    if (label->kind == LABEL_ANGLE) {
      value = remainder(value, 2 * M_PI);
      least = fmin(least, fabs(value));
    } else if (label->kind == LABEL_POSITION) {
      least = fmin(least, of_positions * fabs(value) / largest_of(poses, label->value));
    }
    is_positive = is_positive && !(value < 0);
  }
  return is_positive ? least : 0.5 * least;
}

// How far pieces that meet stand from one line: the least angle between two of them.
static double spread_in(const ScenePieces *pieces, const double *pose) {
  double least = M_PI;
  for (uint32_t i = 0; i < pieces->n; i++)
    for (uint32_t k = 0; k < i; k++) {
      const ScenePiece *a = &pieces->at[i], *b = &pieces->at[k];
      const double *ends[] = {pose + a->from, pose + a->to, pose + b->from, pose + b->to};
      double ways[2][2], near = 0;
      for (int w = 0; w < 2; w++)
        for (int x = 0; x < 2; x++) ways[w][x] = ends[2 * w + 1][x] - ends[2 * w][x];
      near = EQUAL * (hypot(ways[0][0], ways[0][1]) + hypot(ways[1][0], ways[1][1]));
      bool do_meet = false;
      for (int e = 0; e < 2; e++)
        for (int f = 2; f < 4; f++)
          do_meet = do_meet || hypot(ends[e][0] - ends[f][0], ends[e][1] - ends[f][1]) <= near;
      double turn = atan2(ways[0][1], ways[0][0]) - atan2(ways[1][1], ways[1][0]);
      if (do_meet) least = fmin(least, fabs(remainder(turn, M_PI)));
    }
  return least;
}

uint32_t labels_best_pose(const Scene *scene, const SceneLabels *labels, const Poses *poses) {
  const double enough = 0.4; // of a radian
  const uint32_t looks = 400;
  ScenePieces pieces = scene_pieces(scene);
  uint32_t best = 0;
  double most = -1;
  for (uint32_t i = 0; i < poses->count && most < enough; i += poses->count / looks + 1) {
    double least = fmin(shown_in(labels, poses, i), spread_in(&pieces, pose_at(poses, i)));
    if (least > most) most = least, best = i;
  }
  return best;
}

View labels_view(const Scene *scene, const Poses *poses, const SceneLabels *labels, uint32_t pose,
                 uint32_t most) {
  enum { MOST_PLACES = 8 };
  double places[MOST_PLACES][3];
  size_t n = 0;
  for (uint32_t i = 0; i < labels->n && n < MOST_PLACES; i++) {
    const SceneLabel *label = &labels->at[i];
    if (label->kind != LABEL_POSITION) continue;
    const double *values = pose_at(poses, pose);
    for (int k = 0; k < 3; k++) places[n][k] = values[label->from + (uint32_t)k];
    places[n++][label->axis] -= values[label->value];
  }
  return view_of_pose(scene, poses, pose, places, n, most);
}
