// The rank of Phi_q by Gram and Schmidt, the largest of a few random states.
#include "analyse/mobility/freedom.h"

#include <math.h>

#include "analyse/mobility/doctor.h"
#include "base/random.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "model/values.h"
#include "solve/algebra/dense.h"

enum { MOST_ENTRIES = 40000, MOST_BODIES = 20, STATES = 3 };

// How large coordinate i is: a radian, the mechanism, or the largest parameter of its kind.
static double unit_of(Context *cx, const Model *model, uint32_t i, const double *values) {
  const Measure *measure = &model->coordinates.at[i].measure;
  const Mechanism *m = model->origin ? &model->origin->mechanism : &model->mechanism;
  double size = 1;
  if (measure->is_known && !dimension_is_pure(measure->dimension))
    size = m->bodies.n ? sqrt(expr_eval(cx, mechanism_size2(cx, m), values))
                       : model_parameter_size(cx, model, values, measure);
  return size > 0 ? size : 1;
}

static void randomize(Context *cx, const Model *model, const double *unit, uint64_t *random,
                      double *values) {
  for (uint32_t i = 0; i < model->coordinates.n; i++) {
    Expr q = model->coordinates.at[i].q;
    values[symbol_variable(cx, q)] = unit[i] * (0.7 + random_signed(random));
    values[symbol_variable(cx, expr_time_derivative(cx, q))] = unit[i] * random_signed(random);
  }
}

// Independent constraints; all of them where nothing else can be told.
static uint32_t independent_rows(const Model *model) {
  Context *cx = model->cx;
  uint32_t n = model->coordinates.n, m = model->constraints.n, most = 0;
  if (m == 0 || n == 0 || (size_t)m * n > MOST_ENTRIES) return m < n ? m : n;
  Mark mark = arena_mark(&cx->scratch);
  Expr *q = arena_array(&cx->scratch, Expr, n), *qd = arena_array(&cx->scratch, Expr, n);
  Expr *slopes = arena_array(&cx->scratch, Expr, (size_t)m * n);
  for (uint32_t i = 0; i < n; i++) {
    q[i] = model->coordinates.at[i].q;
    qd[i] = expr_time_derivative(cx, q[i]);
  }
  for (uint32_t r = 0; r < m; r++) {
    const Constraint *c = &model->constraints.at[r];
    expr_gradient(cx, c->phi, c->is_nonholonomic ? qd : q, n, slopes + (size_t)r * n);
  }
  double *values, *rows = arena_array(&cx->scratch, double, (size_t)m *n);
  double *unit = arena_array(&cx->scratch, double, n);
  uint64_t random = 1;
  if (model_values(cx, model, &cx->scratch, &values) == QDOT_OK)
    for (int state = 0; state < STATES; state++) {
      for (uint32_t i = 0; state == 0 && i < n; i++) unit[i] = unit_of(cx, model, i, values);
      randomize(cx, model, unit, &random, values);
      expr_eval_many(cx, slopes, (size_t)m * n, values, rows);
      for (uint32_t k = 0; k < m * n; k++) rows[k] *= unit[k % n];
      if (!isfinite(dense_norm((int)(m * n), rows))) continue;
      uint32_t rank = (uint32_t)dense_rank((int)m, (int)n, rows, 1e-9, NULL);
      if (rank > most) most = rank;
    }
  arena_release(&cx->scratch, mark);
  return most > 0 ? most : m < n ? m : n;
}

uint32_t model_freedom(const Model *model) {
  uint32_t freedom = model->coordinates.n - independent_rows(model);
  const Model *origin = model->origin;
  // constraints of the model's own are nothing that joints show
  bool is_small = origin && origin->mechanism.bodies.n > 0 &&
                  origin->mechanism.bodies.n <= MOST_BODIES && origin->coordinates.n == 0 &&
                  origin->constraints.n == 0;
  if (!is_small || model->constraints.n == 0) return freedom;
  Doctor d;
  if (doctor_examine(model->cx, model, &d) != QDOT_OK || !d.is_measured || d.gaping) return freedom;
  int left = d.mobility - (int)d.drives;
  return left > (int)freedom ? (uint32_t)left : freedom;
}
