// The rank of Phi_q by Gram and Schmidt, the largest of a few random states; of those that meet the
// constraints where it can be less there, as in Bennett's linkage.
#include "analyse/mobility/freedom.h"

#include <math.h>

#include "analyse/mobility/doctor.h"
#include "base/random.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "model/values.h"
#include "solve/algebra/dense.h"
#include "solve/algebra/kkt.h"

enum { MOST_ENTRIES = 40000, MOST_BODIES = 20, STATES = 3, CLOSED_STATES = 2, ROUNDS = 40 };

// Of the units of rows and coordinates: what closes, and what is no slope where it does. How far
// apart in these units states are looked at.
static const double CLOSES = 1e-10, GONE = 1e-7, APART = 0.02;

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

// The constraints with their slopes, in units of the coordinates.
typedef struct Slopes {
  Context *cx;
  const Model *model;
  uint32_t n, m;
  const Expr *phi, *slopes; // m, m x n
  double *values, *unit;    // by symbol_variable; of coordinates
  double *rows;             // m x n
} Slopes;

static bool open_slopes(Slopes *s, const Model *model) {
  Context *cx = model->cx;
  Arena *scratch = &cx->scratch;
  uint32_t n = model->coordinates.n, m = model->constraints.n;
  Expr *q = arena_array(scratch, Expr, n), *qd = arena_array(scratch, Expr, n);
  Expr *phi = arena_array(scratch, Expr, m), *slopes = arena_array(scratch, Expr, (size_t)m * n);
  for (uint32_t i = 0; i < n; i++) {
    q[i] = model->coordinates.at[i].q;
    qd[i] = expr_time_derivative(cx, q[i]);
  }
  for (uint32_t r = 0; r < m; r++) {
    const Constraint *c = &model->constraints.at[r];
    phi[r] = c->phi;
    expr_gradient(cx, c->phi, c->is_nonholonomic ? qd : q, n, slopes + (size_t)r * n);
  }
  *s = (Slopes){cx, model, n, m, phi, slopes, NULL, NULL, NULL};
  s->rows = arena_array(scratch, double, (size_t)m *n);
  s->unit = arena_array(scratch, double, n);
  if (model_values(cx, model, scratch, &s->values) != QDOT_OK) return false;
  for (uint32_t i = 0; i < n; i++) s->unit[i] = unit_of(cx, model, i, s->values);
  return true;
}

static bool evaluate_slopes(Slopes *s) {
  expr_eval_many(s->cx, s->slopes, (size_t)s->m * s->n, s->values, s->rows);
  for (uint32_t k = 0; k < s->m * s->n; k++) s->rows[k] *= s->unit[k % s->n];
  return isfinite(dense_norm((int)(s->m * s->n), s->rows));
}

static uint32_t rank_of(const Slopes *s, double share) {
  return (uint32_t)dense_rank((int)s->m, (int)s->n, s->rows, share, NULL);
}

// ---- Where the constraints are met

static double *value_of(const Slopes *s, uint32_t i) {
  return &s->values[symbol_variable(s->cx, s->model->coordinates.at[i].q)];
}

static void take_guesses(Slopes *s) {
  for (uint32_t i = 0; i < s->n; i++) {
    const Initial *start = &s->model->coordinates.at[i].position;
    bool is_said = start->kind != INITIAL_NONE && start->value;
    *value_of(s, i) = is_said ? expr_eval(s->cx, start->value, s->values) : 0;
  }
}

// Gauss and Newton's least changes. False where that does not close.
static bool close_rows(Slopes *s, Kkt *kkt, const double *mass, double *off, double *change) {
  for (int round = 0; round < ROUNDS; round++) {
    expr_eval_many(s->cx, s->phi, s->m, s->values, off);
    if (!evaluate_slopes(s) || kkt_factor(kkt, mass, s->rows, (int)s->m) != QDOT_OK) return false;
    double most = 0, moved = 0;
    for (uint32_t r = 0; r < s->m; r++) {
      most = fmax(most, kkt->scale[r] > 0 ? fabs(off[r]) / kkt->scale[r] : 0);
      off[r] = -off[r];
    }
    if (!isfinite(most)) return false;
    kkt_correction(kkt, off, change);
    for (uint32_t i = 0; i < s->n; i++) moved = fmax(moved, fabs(change[i]));
    // far away half a unit a round, so that it does not jump to where rows vanish
    double part = moved > 0.5 ? 0.5 / moved : 1;
    for (uint32_t i = 0; i < s->n; i++) *value_of(s, i) += part * change[i] * s->unit[i];
    if (most < CLOSES && moved < CLOSES) return true;
  }
  return false;
}

// The rank beside a state that meets the constraints, in directions that they allow; `most` where
// none is found.
static uint32_t closed_rank(Slopes *s, uint32_t most) {
  Arena *scratch = &s->cx->scratch;
  Kkt kkt;
  kkt_open(&kkt, scratch, (int)s->n, (int)s->m, false);
  double *mass = arena_array(scratch, double, (size_t)s->n * s->n);
  double *off = arena_array(scratch, double, s->m), *change = arena_array(scratch, double, s->n);
  for (uint32_t i = 0; i < s->n; i++) mass[i * s->n + i] = 1;
  for (uint32_t r = 0; r < s->m; r++)
    if (s->model->constraints.at[r].is_nonholonomic) return most;
  uint32_t best = 0;
  uint64_t random = 5;
  take_guesses(s);
  if (!close_rows(s, &kkt, mass, off, change)) return most;
  for (int state = 0; state < CLOSED_STATES; state++) {
    for (uint32_t i = 0; i < s->n; i++)
      *value_of(s, i) += APART * s->unit[i] * random_signed(&random);
    if (!close_rows(s, &kkt, mass, off, change) || !evaluate_slopes(s)) return most;
    uint32_t rank = rank_of(s, GONE);
    if (rank > best) best = rank;
  }
  return best < most ? best : most;
}

// Independent constraints; all of them where nothing else can be told.
static uint32_t independent_rows(const Model *model) {
  Context *cx = model->cx;
  uint32_t n = model->coordinates.n, m = model->constraints.n, most = 0;
  if (m == 0 || n == 0 || (size_t)m * n > MOST_ENTRIES) return m < n ? m : n;
  Mark mark = arena_mark(&cx->scratch);
  Slopes s;
  uint64_t random = 1;
  if (open_slopes(&s, model)) {
    for (int state = 0; state < STATES; state++) {
      randomize(cx, model, s.unit, &random, s.values);
      uint32_t rank = evaluate_slopes(&s) ? rank_of(&s, 1e-9) : 0;
      if (rank > most) most = rank;
    }
    if (most > 0 && (most == n || most < m)) most = closed_rank(&s, most);
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
