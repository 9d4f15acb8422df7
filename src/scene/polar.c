// A point that only its kinetic energy tells of.
#include "scene/polar.h"

#include <math.h>

#include "base/random.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "model/values.h"

#define EQUAL 1e-9
enum { STATES = 4 };

typedef struct Polar {
  const Scene *scene;
  Context *cx;
  const Model *model;
  Expr T, V;
  double *states[STATES]; // values by symbol
} Polar;

static bool is_of(const Measure *measure, int kg, int m) {
  return measure->is_known && dimension_is_equal(measure->dimension, dimension_base(kg, m, 0));
}

static double value(const Polar *p, int state, Expr symbol) {
  return p->states[state][symbol_variable(p->cx, symbol)];
}

static bool open_polar(const Scene *scene, Polar *p) {
  const Model *model = scene->result->model;
  *p = (Polar){scene,
               scene->cx,
               model,
               model_energy(model, ENERGY_KINETIC),
               model_energy(model, ENERGY_POTENTIAL),
               {0}};
  if (!p->T || model->constraints.n > 0 || model->states.n > 0) return false;
  for (int s = 0; s < STATES; s++) {
    uint64_t random = (uint64_t)(17 + s);
    if (model_values(p->cx, model, scene->arena, &p->states[s]) != QDOT_OK) return false;
    for (uint32_t i = 0; i < model->parameters.n; i++)
      p->states[s][symbol_variable(p->cx, model->parameters.at[i].symbol)] *=
          1 + 0.3 * random_signed(&random);
    for (uint32_t i = 0; i < model->coordinates.n; i++) {
      const Coordinate *c = &model->coordinates.at[i];
      p->states[s][symbol_variable(p->cx, c->q)] = 1 + 0.5 * random_signed(&random);
      p->states[s][symbol_variable(p->cx, c->qd)] = random_signed(&random);
    }
  }
  return true;
}

// Is T = m (r'^2 + r^2 phi'^2)/2 everywhere? rate: r', or 0 where r is a parameter.
static bool is_kinetic(const Polar *p, Expr m, Expr r, Expr rate, Expr turn) {
  for (int s = 0; s < STATES; s++) {
    double along = rate ? value(p, s, rate) : 0, across = value(p, s, r) * value(p, s, turn);
    double wanted = 0.5 * value(p, s, m) * (along * along + across * across);
    if (!(fabs(expr_eval(p->cx, p->T, p->states[s]) - wanted) <= EQUAL * fabs(wanted)))
      return false;
  }
  return true;
}

static bool find_mass(const Polar *p, Expr r, Expr rate, Expr turn) {
  for (uint32_t i = 0; i < p->model->parameters.n; i++) {
    const Parameter *m = &p->model->parameters.at[i];
    if (is_of(&m->measure, 1, 0) && is_kinetic(p, m->symbol, r, rate, turn)) return true;
  }
  return false;
}

// The direction of phi = 0 from the x axis, in quarter turns.
static int zero_of(const Polar *p, Expr phi) {
  if (!p->V || !expr_depends(p->cx, p->V, phi)) return 0;
  Expr slope = expr_diff(p->cx, p->V, phi), bend = expr_diff(p->cx, slope, phi);
  double *state = p->states[0], *angle = &state[symbol_variable(p->cx, phi)], kept = *angle;
  *angle = 0;
  double slope_there = expr_eval(p->cx, slope, state), there = expr_eval(p->cx, bend, state);
  *angle = kept;
  if (!(fabs(slope_there) <= EQUAL * fabs(there))) return 0;
  return there > 0 ? -1 : 1;
}

static void place(const Polar *p, Expr r, Expr phi, Expr out[2]) {
  int quarter = zero_of(p, phi);
  Expr c = expr_mul(p->cx, r, expr_cos(p->cx, phi)), s = expr_mul(p->cx, r, expr_sin(p->cx, phi));
  out[0] = quarter == 0 ? c : quarter < 0 ? s : expr_neg(p->cx, s);
  out[1] = quarter == 0 ? s : quarter < 0 ? expr_neg(p->cx, c) : c;
}

bool scene_polar_point(const Scene *scene, Expr out[2]) {
  Polar p;
  uint32_t n = scene->result->model->coordinates.n;
  if (n == 0 || n > 2 || !open_polar(scene, &p)) return false;
  const Coordinate *q = p.model->coordinates.at;
  const Coordinate *angle = is_of(&q[0].measure, 0, 0) ? &q[0] : &q[n - 1];
  const Coordinate *length = n == 2 ? (angle == q ? &q[1] : &q[0]) : NULL;
  if (!is_of(&angle->measure, 0, 0) || (length && !is_of(&length->measure, 0, 1))) return false;
  if (length && find_mass(&p, length->q, length->qd, angle->qd)) {
    place(&p, length->q, angle->q, out);
    return true;
  }
  for (uint32_t i = 0; i < p.model->parameters.n && !length; i++) {
    const Parameter *r = &p.model->parameters.at[i];
    if (!is_of(&r->measure, 0, 1) || !find_mass(&p, r->symbol, 0, angle->qd)) continue;
    place(&p, r->symbol, angle->q, out);
    return true;
  }
  return false;
}
