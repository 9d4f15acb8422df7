// Angles, lengths and positions in a drawing.
#include "scene/labels.h"

#include <math.h>

#include "expr/build.h"
#include "expr/subst.h"
#include "model/values.h"
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
    if (places[angle->coordinate] >= 0)
      label.colour = curve_colours[places[angle->coordinate]].light;
    label.value = first_coordinate + angle->coordinate;
    vec_push(scene->arena, out, label);
  }
}

// ---- Lengths

static double length_in(const double *pose, uint32_t from, uint32_t to) {
  const double *a = pose + from, *b = pose + to;
  return hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]);
}

// Is the distance in every pose what `value` says? value: a signal, or NO_SIGNAL for a number.
static bool is_length(const Poses *poses, uint32_t from, uint32_t to, uint32_t signal,
                      double number) {
  uint32_t stride = poses->count / LOOKS + 1;
  for (uint32_t i = 0; i < poses->count; i += stride) {
    const double *pose = pose_at(poses, i);
    double length = length_in(pose, from, to), wanted = signal == NO_SIGNAL ? number : pose[signal];
    if (!(fabs(length - wanted) <= EQUAL * fabs(wanted)) || !(wanted > 0)) return false;
  }
  return true;
}

static bool way_depends(const Scene *scene, uint32_t from, uint32_t to, Expr symbol) {
  Context *cx = scene->cx;
  for (uint32_t i = 0; i < 3; i++) {
    Expr begin = expr_open(cx, scene->signals.at[from + i].value);
    Expr end = expr_open(cx, scene->signals.at[to + i].value);
    if (expr_depends(cx, expr_sub(cx, end, begin), symbol)) return true;
  }
  return false;
}

static bool is_of(const Measure *measure, int kg, int m, int s) {
  return measure->is_known && dimension_is_equal(measure->dimension, dimension_base(kg, m, s));
}

// The parameter that the distance is: the only one of this value, or the only one of those that the
// points are made of. -1: none, or nobody can tell.
static int parameter_of(const Scene *scene, const Poses *poses, const double *values, uint32_t from,
                        uint32_t to) {
  const Model *model = scene->result->model;
  int found = -1, made = -1, count = 0, made_count = 0;
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    const Parameter *p = &model->parameters.at[i];
    double value = values[symbol_variable(scene->cx, p->symbol)];
    if (!is_of(&p->measure, 0, 1, 0) || !is_length(poses, from, to, NO_SIGNAL, value)) continue;
    found = (int)i, count++;
    if (way_depends(scene, from, to, p->symbol)) made = (int)i, made_count++;
  }
  return made_count == 1 ? made : count == 1 ? found : -1;
}

static bool is_named(const SceneLabels *labels, const char *name) {
  for (uint32_t i = 0; i < labels->n; i++)
    if (labels->at[i].name == name) return true;
  return false;
}

static void add_length(const Scene *scene, const Poses *poses, const double *values, uint32_t first,
                       const ScenePiece *way, bool is_dimension, SceneLabels *out) {
  uint32_t from = way->from, to = way->to;
  const Model *model = scene->result->model;
  const char *name = NULL;
  for (uint32_t i = 0; i < model->coordinates.n && !name; i++)
    if (is_of(&model->coordinates.at[i].measure, 0, 1, 0) &&
        is_length(poses, from, to, first + i, 0))
      name = coordinate_name(scene, i);
  int parameter = name ? -1 : parameter_of(scene, poses, values, from, to);
  if (parameter >= 0) name = symbol_text(scene->cx, model->parameters.at[parameter].name);
  if (!name || is_named(out, name)) return;
  SceneLabel label = scene_label(scene, LABEL_LENGTH, name);
  label.from = from, label.to = to, label.is_dimension = is_dimension;
  vec_push(scene->arena, out, label);
}

static bool is_support(const SceneShape *shape) {
  return shape->shape == DRAW_GROUND && shape->point_count == 1 && !shape->is_hidden;
}

static void add_lengths(const Scene *scene, const Poses *poses, const double *values,
                        const ScenePieces *pieces, uint32_t first, SceneLabels *out) {
  for (uint32_t i = 0; i < pieces->n; i++)
    add_length(scene, poses, values, first, &pieces->at[i], false, out);
  for (uint32_t i = 0; i < scene->shapes.n; i++)
    for (uint32_t k = 0; k < i; k++) {
      const SceneShape *a = &scene->shapes.at[k], *b = &scene->shapes.at[i];
      ScenePiece way = {a->points, b->points, k, 0};
      if (is_support(a) && is_support(b)) add_length(scene, poses, values, first, &way, true, out);
    }
}

// ---- Positions

// A point's x or y less the coordinate, if that is steady while the coordinate moves.
static bool is_position(const Poses *poses, uint32_t signal, uint32_t coordinate) {
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
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *shape = &scene->shapes.at[i];
    bool is_part = shape->shape == DRAW_BOX || shape->shape == DRAW_DISC;
    for (int axis = 0; axis < 2 && is_part && !shape->is_hidden; axis++) {
      if (!is_position(poses, shape->points + (uint32_t)axis, signal)) continue;
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
    bool is_length_of = is_of(&model->coordinates.at[i].measure, 0, 1, 0);
    uint32_t before = out->n;
    if (is_length_of && !is_named(out, coordinate_name(scene, i)))
      add_position(scene, poses, i, first + i, out);
    count += out->n - before;
  }
}

// ---- All of them

// Does the drawing name its coordinates already?
static bool has_names(const Scene *scene) {
  for (uint32_t i = 0; i < scene->shapes.n; i++)
    if (scene->is_guessed && scene->shapes.at[i].shape == DRAW_LABEL) return true;
  return false;
}

SceneLabels scene_labels(const Scene *scene, const Poses *poses, uint32_t first_coordinate) {
  SceneLabels labels = {0};
  double *values;
  if (scene->is_spatial || poses->count == 0 || has_names(scene)) return labels;
  if (model_values(scene->cx, scene->result->model, scene->arena, &values) != QDOT_OK)
    return labels;
  ScenePieces pieces = scene_pieces(scene);
  if (pieces.n > MOST_PIECES) return labels;
  SceneAngles angles = scene_angles(scene, poses, &pieces, first_coordinate);
  add_angles(scene, &pieces, &angles, first_coordinate, &labels);
  if (!*scene->unit) return labels; // its lengths mean nothing
  add_lengths(scene, poses, values, &pieces, first_coordinate, &labels);
  add_positions(scene, poses, first_coordinate, &labels);
  add_energy_labels(scene, poses, &pieces, first_coordinate, &labels);
  return labels;
}

uint32_t labels_best_pose(const SceneLabels *labels, const Poses *poses) {
  const double enough = 0.4;
  uint32_t best = 0;
  double most = -1;
  for (uint32_t i = 0; i < poses->count && most < enough; i++) {
    double least = INFINITY;
    for (uint32_t k = 0; k < labels->n; k++) {
      const SceneLabel *label = &labels->at[k];
      if (label->kind != LABEL_ANGLE) continue;
      least = fmin(least, fabs(remainder(pose_at(poses, i)[label->value], 2 * M_PI)));
    }
    if (least > most) most = least, best = i;
  }
  return best;
}
