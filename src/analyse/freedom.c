// The rank of Phi_q by Gram and Schmidt, the largest of a few random states.
#include "analyse/freedom.h"

#include <math.h>

#include "analyse/doctor.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/eval.h"
#include "model/values.h"
#include "solve/dense.h"

enum { MOST_ENTRIES = 40000, MOST_BODIES = 20, STATES = 3 };

static double next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-52 - 1;
}

static uint32_t rank_of(double *rows, uint32_t m, uint32_t n) {
  uint32_t rank = 0;
  for (uint32_t r = 0; r < m; r++) {
    double *row = rows + (size_t)r * n, size = dense_norm((int)n, row);
    if (!isfinite(size)) return 0;
    for (uint32_t i = 0; size > 0 && i < n; i++) row[i] /= size;
    for (int twice = 0; twice < 2; twice++)
      for (uint32_t k = 0; k < rank; k++) {
        const double *other = rows + (size_t)k * n;
        dense_add((int)n, -dense_dot((int)n, row, other), other, row);
      }
    double left = dense_norm((int)n, row);
    if (!(left > 1e-9)) continue;
    for (uint32_t i = 0; i < n; i++) rows[(size_t)rank * n + i] = row[i] / left;
    rank++;
  }
  return rank;
}

static void randomize(Context *cx, const Model *model, uint64_t *random, double *values) {
  for (uint32_t i = 0; i < model->coordinates.n; i++) {
    Expr q = model->coordinates.at[i].q;
    values[symbol_variable(cx, q)] = 0.7 + next_random(random);
    values[symbol_variable(cx, expr_time_derivative(cx, q))] = next_random(random);
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
  uint64_t random = 1;
  if (model_values(cx, model, &cx->scratch, &values) == QDOT_OK)
    for (int state = 0; state < STATES; state++) {
      randomize(cx, model, &random, values);
      expr_eval_many(cx, slopes, (size_t)m * n, values, rows);
      uint32_t rank = rank_of(rows, m, n);
      if (rank > most) most = rank;
    }
  arena_release(&cx->scratch, mark);
  return most > 0 ? most : m < n ? m : n;
}

uint32_t model_freedom(const Model *model) {
  uint32_t freedom = model->coordinates.n - independent_rows(model);
  const Model *origin = model->origin;
  bool is_small = origin && origin->mechanism.bodies.n > 0 &&
                  origin->mechanism.bodies.n <= MOST_BODIES && origin->coordinates.n == 0;
  if (!is_small || model->constraints.n == 0) return freedom;
  Doctor d;
  if (doctor_examine(model->cx, model, &d) != QDOT_OK || !d.is_measured || d.gaping) return freedom;
  int left = d.mobility - (int)d.drives;
  return left > (int)freedom ? (uint32_t)left : freedom;
}
