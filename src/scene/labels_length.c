// Lengths in a drawing. A distance has the name of a parameter or coordinate if it is that whatever
// values all parameters have, in positions that the constraints allow. That two values are equal
// once is no reason.
#include <math.h>

#include "expr/value/eval.h"
#include "scene/labels.h"

#define EQUAL 1e-6 // of a length: so near are two that are one
enum { STATES = 4 };

typedef struct Lengths {
  const Scene *scene;
  const Model *model;
  double *states[STATES]; // values by symbol
} Lengths;

bool measure_is(const Measure *measure, int kg, int m, int s) {
  return measure->is_known && dimension_is_equal(measure->dimension, dimension_base(kg, m, s));
}

// The distance in a state; of a disc its radius.
static double length_in(const Lengths *l, const ScenePiece *way, const double *state) {
  Context *cx = l->scene->cx;
  if (way->to == NO_SIGNAL)
    return fabs(expr_eval(cx, l->scene->signals.at[way->from].value, state));
  double square = 0;
  for (uint32_t i = 0; i < 3; i++) {
    double d = expr_eval(cx, l->scene->signals.at[way->to + i].value, state) -
               expr_eval(cx, l->scene->signals.at[way->from + i].value, state);
    square += d * d;
  }
  return sqrt(square);
}

// Is it the symbol in all states?
static bool is_symbol(const Lengths *l, const ScenePiece *way, Expr symbol) {
  for (int s = 0; s < STATES; s++) {
    double wanted = l->states[s][symbol_variable(l->scene->cx, symbol)];
    if (!(fabs(length_in(l, way, l->states[s]) - wanted) <= EQUAL * wanted)) return false;
  }
  return true;
}

// ---- Their names

static const char *name_of_way(const Lengths *l, const ScenePiece *way) {
  const Model *model = l->model;
  Context *cx = l->scene->cx;
  for (uint32_t i = 0; i < model->coordinates.n; i++) {
    const Coordinate *c = &model->coordinates.at[i];
    if (measure_is(&c->measure, 0, 1, 0) && is_symbol(l, way, c->q))
      return symbol_text(cx, c->name);
  }
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    const Parameter *p = &model->parameters.at[i];
    if (measure_is(&p->measure, 0, 1, 0) && is_symbol(l, way, p->symbol))
      return symbol_text(cx, p->name);
  }
  return NULL;
}

static void add_radius(const Lengths *l, const SceneShape *disc, SceneLabels *out) {
  bool is_round = disc->shape == DRAW_DISC || disc->shape == DRAW_POST;
  if (!is_round || disc->is_hidden || disc->radius == NO_SIGNAL) return;
  const char *name = name_of_way(l, &(ScenePiece){disc->radius, NO_SIGNAL, 0, 0});
  if (!name || labels_have(out, name)) return;
  SceneLabel label = scene_label(l->scene, LABEL_RADIUS, name);
  label.from = label.to = disc->points, label.value = disc->radius;
  vec_push(l->scene->arena, out, label);
}

static void add_length(const Lengths *l, const ScenePiece *way, bool is_dimension,
                       SceneLabels *out) {
  const char *name = name_of_way(l, way);
  if (!name || labels_have(out, name)) return;
  SceneLabel label = scene_label(l->scene, LABEL_LENGTH, name);
  label.from = way->from, label.to = way->to, label.is_dimension = is_dimension;
  vec_push(l->scene->arena, out, label);
}

static bool is_support(const SceneShape *shape) {
  return shape->shape == DRAW_GROUND && shape->point_count == 1 && !shape->is_hidden;
}

void add_length_labels(const Scene *scene, const Poses *poses, const ScenePieces *pieces,
                       uint32_t first_coordinate, SceneLabels *out) {
  Lengths l = {scene, scene->result->model, {0}};
  for (int s = 0; s < STATES; s++)
    if (!(l.states[s] = state_nearby(scene, poses, first_coordinate, s))) return;
  for (uint32_t i = 0; i < pieces->n; i++) add_length(&l, &pieces->at[i], false, out);
  for (uint32_t i = 0; i < scene->shapes.n; i++)
    for (uint32_t k = 0; k < i; k++) {
      const SceneShape *a = &scene->shapes.at[k], *b = &scene->shapes.at[i];
      ScenePiece way = {a->points, b->points, k, 0};
      if (is_support(a) && is_support(b)) add_length(&l, &way, true, out);
    }
  for (uint32_t i = 0; i < scene->shapes.n; i++) add_radius(&l, &scene->shapes.at[i], out);
}
