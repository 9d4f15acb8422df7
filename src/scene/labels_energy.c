// Masses, springs and gravity in a drawing: where a parameter's share of an energy is that of a
// point that moves, of a spring that is stretched, of a height.
#include <math.h>
#include <stdlib.h>

#include "expr/build.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "scene/labels.h"

enum { STATES = 4 };
#define NEAR 1e-7 // of the largest share: so near are two that are one

typedef struct Energies {
  const Scene *scene;
  const Model *model;
  Expr T, V;
  double *values[STATES]; // random states, by symbol
} Energies;

static double eval(const Energies *e, Expr expr, int state) {
  return expr_eval(e->scene->cx, expr, e->values[state]);
}

// The energy is linear in what counts here: its change for one unit more of the parameter.
static double share(const Energies *e, Expr energy, Expr parameter, int state) {
  uint32_t at = symbol_variable(e->scene->cx, parameter);
  double *value = &e->values[state][at], kept = *value, before = eval(e, energy, state);
  *value = kept + 1;
  double after = eval(e, energy, state);
  *value = kept;
  return after - before;
}

static bool open_energies(const Scene *scene, const Poses *poses, uint32_t first, Energies *e) {
  Context *cx = scene->cx;
  const Model *model = scene->result->model;
  *e = (Energies){scene,
                  model,
                  model_energy(model, ENERGY_KINETIC),
                  model_energy(model, ENERGY_POTENTIAL),
                  {0}};
  if (!e->T) return false;
  // the rates of what is drawn have symbols of their own: make them before the arrays
  for (uint32_t i = 0; i < scene->signals.n; i++)
    expr_time_derivative(cx, scene->signals.at[i].value);
  for (int s = 0; s < STATES; s++)
    if (!(e->values[s] = state_random(scene, poses, first, s))) return false;
  return true;
}

// ---- Masses

// Half the square of the speed of the middle between two points.
static double half_square(const Energies *e, uint32_t from, uint32_t to, int state) {
  double sum = 0;
  for (uint32_t i = 0; i < 3; i++) {
    Expr a = expr_time_derivative(e->scene->cx, e->scene->signals.at[from + i].value);
    Expr b = expr_time_derivative(e->scene->cx, e->scene->signals.at[to + i].value);
    double v = 0.5 * (eval(e, a, state) + eval(e, b, state));
    sum += 0.5 * v * v;
  }
  return sum;
}

// What a mass has of the kinetic energy.
typedef struct Shares {
  double at[STATES], largest;
} Shares;

static bool carries(const Energies *e, const Shares *wanted, uint32_t from, uint32_t to) {
  for (int s = 0; s < STATES; s++) {
    double off = fabs(wanted->at[s] - half_square(e, from, to, s));
    if (!(off <= NEAR * wanted->largest)) return false;
  }
  return true;
}

static bool find_shares(const Energies *e, Expr mass, Shares *out) {
  out->largest = 0;
  for (int s = 0; s < STATES; s++) {
    out->at[s] = share(e, e->T, mass, s);
    if (!isfinite(out->at[s])) return false;
    out->largest = fmax(out->largest, fabs(out->at[s]));
  }
  return out->largest > 0;
}

static bool find_carrier(const Energies *e, const ScenePieces *pieces, Expr mass, SceneLabel *out) {
  const Scene *scene = e->scene;
  Shares shares;
  if (!find_shares(e, mass, &shares)) return false;
  for (uint32_t i = 0; i < scene->shapes.n; i++) {
    const SceneShape *shape = &scene->shapes.at[i];
    bool is_part =
        shape->shape == DRAW_BOX || shape->shape == DRAW_DISC || shape->shape == DRAW_TRAIL;
    if (!is_part || shape->is_hidden || !carries(e, &shares, shape->points, shape->points))
      continue;
    out->from = out->to = shape->points;
    return true;
  }
  for (uint32_t i = 0; i < pieces->n; i++) {
    uint32_t ends[][2] = {{pieces->at[i].from, pieces->at[i].to},
                          {pieces->at[i].to, pieces->at[i].to},
                          {pieces->at[i].from, pieces->at[i].from}};
    for (int k = 0; k < 3; k++) {
      if (!carries(e, &shares, ends[k][0], ends[k][1])) continue;
      out->from = ends[k][0], out->to = ends[k][1];
      return true;
    }
  }
  return false;
}

// ---- Gravity

// Is the mass's share of V g times its height along the way, up to a constant?
static bool falls(const Energies *e, Expr mass, Expr g, const SceneLabel *at, const double way[2]) {
  double first = NAN, off = 0, largest = 0;
  for (int s = 0; s < STATES; s++) {
    double height = 0;
    for (uint32_t i = 0; i < 2; i++)
      height -= 0.5 * way[i] *
                (eval(e, e->scene->signals.at[at->from + i].value, s) +
                 eval(e, e->scene->signals.at[at->to + i].value, s));
    double weight = eval(e, g, s), rest = share(e, e->V, mass, s) - weight * height;
    if (isnan(first)) first = rest;
    off = fmax(off, fabs(rest - first)), largest = fmax(largest, fabs(weight));
  }
  return largest > 0 && off <= NEAR * largest;
}

static bool find_gravity(const Energies *e, Expr mass, const SceneLabel *at, SceneLabels *out) {
  static const double ways[][2] = {{0, -1}, {0, 1}, {1, 0}, {-1, 0}};
  for (uint32_t i = 0; e->V && i < e->model->parameters.n; i++) {
    const Parameter *p = &e->model->parameters.at[i];
    for (int k = 0; k < 4 && measure_is(&p->measure, 0, 1, -2); k++) {
      if (!falls(e, mass, p->symbol, at, ways[k])) continue;
      SceneLabel label = scene_label(e->scene, LABEL_GRAVITY, symbol_text(e->scene->cx, p->name));
      label.way[0] = ways[k][0], label.way[1] = ways[k][1];
      vec_push(e->scene->arena, out, label);
      return true;
    }
  }
  return false;
}

// ---- Springs

// Is the stiffness's share of V half the square of what the shape's length exceeds a constant by?
static bool stretches(const Energies *e, Expr stiffness, const SceneShape *shape) {
  double root[STATES], length[STATES], largest = 0;
  for (int s = 0; s < STATES; s++) {
    double part = share(e, e->V, stiffness, s), sum = 0;
    for (uint32_t i = 0; i < 3; i++) {
      double d = eval(e, e->scene->signals.at[shape->points + 3 + i].value, s) -
                 eval(e, e->scene->signals.at[shape->points + i].value, s);
      sum += d * d;
    }
    if (!(part >= 0)) return false;
    root[s] = sqrt(2 * part), length[s] = sqrt(sum);
    largest = fmax(largest, root[s]);
  }
  // in the first state it is stretched, or pressed
  for (int sign = -1; sign <= 1; sign += 2) {
    double rest = length[0] + sign * root[0], off = 0;
    for (int s = 1; s < STATES; s++) off = fmax(off, fabs(fabs(length[s] - rest) - root[s]));
    if (largest > 0 && off <= NEAR * largest) return true;
  }
  return false;
}

static void add_springs(const Energies *e, SceneLabels *out) {
  for (uint32_t k = 0; e->V && k < e->scene->shapes.n; k++) {
    const SceneShape *shape = &e->scene->shapes.at[k];
    if (shape->shape != DRAW_SPRING || shape->is_hidden) continue;
    for (uint32_t i = 0; i < e->model->parameters.n; i++) {
      const Parameter *p = &e->model->parameters.at[i];
      if (!measure_is(&p->measure, 1, 0, -2) || !stretches(e, p->symbol, shape)) continue;
      SceneLabel label = scene_label(e->scene, LABEL_SPRING, symbol_text(e->scene->cx, p->name));
      label.from = shape->points, label.to = shape->points + 3;
      vec_push(e->scene->arena, out, label);
      break;
    }
  }
}

void add_energy_labels(const Scene *scene, const Poses *poses, const ScenePieces *pieces,
                       uint32_t first_coordinate, SceneLabels *out) {
  Energies e;
  if (!open_energies(scene, poses, first_coordinate, &e)) return;
  bool has_gravity = false;
  for (uint32_t i = 0; i < e.model->parameters.n; i++) {
    const Parameter *p = &e.model->parameters.at[i];
    if (!measure_is(&p->measure, 1, 0, 0)) continue;
    SceneLabel label = scene_label(scene, LABEL_MASS, symbol_text(scene->cx, p->name));
    if (!find_carrier(&e, pieces, p->symbol, &label)) continue;
    vec_push(scene->arena, out, label);
    has_gravity = has_gravity || find_gravity(&e, p->symbol, &label, out);
  }
  add_springs(&e, out);
}
