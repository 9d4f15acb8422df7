// States in which relations of a drawing are tried.
#include <math.h>

#include "base/random.h"
#include "expr/diff.h"
#include "expr/subst.h"
#include "expr/value/eval.h"
#include "model/values.h"
#include "scene/labels.h"
#include "solve/algebra/dense.h"

#define CLOSED 1e-10     // of the slopes: so far may a constraint be open
#define FEWER_ROWS 1e-12 // of a pivot: what constraints say twice

enum { ROUNDS = 30, MOST_CONSTRAINTS = 60 };

double *state_random(const Scene *scene, const Poses *poses, uint32_t first_coordinate,
                     int number) {
  Context *cx = scene->cx;
  const Model *model = scene->result->model;
  uint64_t random = (uint64_t)(7 + number);
  double *values;
  if (model_values(cx, model, scene->arena, &values) != QDOT_OK) return NULL;
  for (uint32_t i = 0; i < model->coordinates.n; i++) {
    const Coordinate *c = &model->coordinates.at[i];
    double start = pose_at(poses, 0)[first_coordinate + i];
    values[symbol_variable(cx, c->q)] = start + 0.5 * random_signed(&random);
    values[symbol_variable(cx, c->qd)] = random_signed(&random);
  }
  return values;
}

// ---- Where constraints allow it

typedef struct Closing {
  Context *cx;
  const Model *model;
  int rows, columns;
  Expr *phi, *slopes; // slopes: rows x columns, 0 where there is none
  double *values, *J, *G, *error;
} Closing;

static void find_slopes(Closing *c) {
  for (uint32_t i = 0; i < c->model->constraints.n; i++) {
    const Constraint *constraint = &c->model->constraints.at[i];
    if (constraint->is_nonholonomic) continue;
    Expr phi = expr_open(c->cx, constraint->phi);
    for (int k = 0; k < c->columns; k++) {
      Expr q = c->model->coordinates.at[k].q;
      Expr slope = expr_depends(c->cx, phi, q) ? expr_diff(c->cx, phi, q) : 0;
      c->slopes[c->rows * c->columns + k] = slope;
    }
    c->phi[c->rows++] = phi;
  }
}

// The least change of all coordinates that closes the constraints to first order; false where they
// contradict each other.
static bool close_once(Closing *c, bool *is_closed) {
  int n = c->columns;
  double open = 0;
  for (int i = 0; i < c->rows; i++) {
    c->error[i] = expr_eval(c->cx, c->phi[i], c->values);
    for (int k = 0; k < n; k++) {
      Expr slope = c->slopes[i * n + k];
      c->J[i * n + k] = slope ? expr_eval(c->cx, slope, c->values) : 0;
    }
    double size = dense_norm(n, c->J + i * n);
    open = fmax(open, fabs(c->error[i]) / (size > 0 ? size : 1));
  }
  *is_closed = open <= CLOSED;
  if (*is_closed) return true;
  dense_gram(c->rows, n, c->J, c->G);
  for (int i = 0; i < c->rows; i++) c->G[i * c->rows + i] *= 1 + FEWER_ROWS;
  if (!isfinite(open) || dense_cholesky(c->rows, c->G, 0) >= 0) return false;
  dense_lower(c->rows, c->G, c->error);
  dense_lower_transposed(c->rows, c->G, c->error);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < c->rows; i++)
      c->values[symbol_variable(c->cx, c->model->coordinates.at[k].q)] -=
          c->J[i * n + k] * c->error[i];
  return true;
}

static void close_constraints(const Scene *scene, double *values) {
  Arena *scratch = &scene->cx->scratch;
  const Model *model = scene->result->model;
  uint32_t rows = model->constraints.n, n = model->coordinates.n;
  if (rows == 0 || rows > MOST_CONSTRAINTS) return;
  Mark mark = arena_mark(scratch);
  Closing c = {.cx = scene->cx, .model = model, .columns = (int)n, .values = values};
  c.phi = arena_array(scratch, Expr, rows);
  c.slopes = arena_array(scratch, Expr, (size_t)rows * n);
  c.J = arena_array(scratch, double, (size_t)rows *n);
  c.G = arena_array(scratch, double, (size_t)rows *rows);
  c.error = arena_array(scratch, double, rows);
  find_slopes(&c);
  bool is_closed = false;
  for (int i = 0; i < ROUNDS && !is_closed; i++)
    if (!close_once(&c, &is_closed)) break;
  arena_release(scratch, mark);
}

double *state_nearby(const Scene *scene, const Poses *poses, uint32_t first_coordinate,
                     int number) {
  Context *cx = scene->cx;
  const Model *model = scene->result->model;
  uint64_t random = (uint64_t)(11 + number);
  const double *pose = pose_at(poses, (uint32_t)number * (poses->count - 1) / 4);
  double *values;
  if (model_values(cx, model, scene->arena, &values) != QDOT_OK) return NULL;
  for (uint32_t i = 0; i < model->coordinates.n; i++) {
    const Coordinate *c = &model->coordinates.at[i];
    double part = 0.02 * random_signed(&random), turn = 0.02 * random_signed(&random);
    values[symbol_variable(cx, c->q)] =
        pose[first_coordinate + i] * (1 + part) + (measure_is(&c->measure, 0, 0, 0) ? turn : 0);
  }
  for (uint32_t i = 0; i < model->parameters.n; i++)
    values[symbol_variable(cx, model->parameters.at[i].symbol)] *=
        1 + 0.03 * random_signed(&random);
  close_constraints(scene, values);
  return values;
}
