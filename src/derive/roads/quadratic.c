// The ansatz, its rates at random states, and what makes them zero.
#include "derive/roads/quadratic.h"

#include <math.h>

#include "derive/roads/coefficients.h"
#include "derive/vanishes.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/subst.h"
#include "expr/value/tape_build.h"

enum {
  MOST_COORDINATES = 3,
  MOST_UNKNOWNS = 420,
  MOST_OF_V = 6,
  PLAIN_DEGREE = 2,
  WAVE_DEGREE = 3
};

// f(q) q_j' q_k', or f(q) where j is NONE.
typedef struct Member {
  Expr f;
  uint32_t j, k;
} Member;
enum { NONE = UINT32_MAX };

typedef struct Ansatz {
  Context *cx;
  System *s;
  uint32_t n;
  VEC(Member) members;
  const Tape *tape; // the rate of each, accelerations as symbols; then M by rows; then the forces
  double *value, *room;
  Coefficients all;
} Ansatz;

// ---- Functions of the coordinates

static bool is_angle(const System *s, uint32_t i) {
  const Measure *measure = &s->model->coordinates.at[i].measure;
  return measure->is_known && dimension_is_pure(measure->dimension);
}

// Monomials of all coordinates up to a degree, by ascending degree.
static void add_monomials(Context *cx, const System *s, uint32_t from, Expr product, int degree,
                          ExprList *out) {
  if (from == s->n) {
    if (degree == 0) vec_push(&cx->scratch, out, product);
    return;
  }
  for (int power = 0; power <= degree; power++)
    add_monomials(cx, s, from + 1,
                  expr_mul(cx, product, expr_power(cx, s->q[from], number_int(cx, power))),
                  degree - power, out);
}

static void add_new(Context *cx, ExprList *list, Expr e) {
  for (uint32_t i = 0; i < list->n; i++)
    if (list->at[i] == e) return;
  vec_push(&cx->scratch, list, e);
}

// 1, and sine and cosine of each angle.
static ExprList waves_of(Context *cx, const System *s) {
  ExprList list = {0};
  vec_push(&cx->scratch, &list, expr_int(cx, 1));
  for (uint32_t i = 0; i < s->n; i++) {
    if (!is_angle(s, i)) continue;
    vec_push(&cx->scratch, &list, expr_sin(cx, s->q[i]));
    vec_push(&cx->scratch, &list, expr_cos(cx, s->q[i]));
  }
  return list;
}

// The factors of a term that contain coordinates.
static Expr moving_factors(Context *cx, Expr term) {
  Expr one = expr_without_coefficient(cx, term), product = expr_int(cx, 1);
  bool is_product = op_of(cx, one) == OP_PRODUCT;
  uint32_t n = is_product ? node_of(cx, one)->count : 1;
  for (uint32_t i = 0; i < n; i++) {
    Pair factor = is_product ? pairs_of(node_of(cx, one))[i] : (Pair){one, NUMBER_ONE};
    if (expr_has_kind(cx, factor.expr, KIND_BIT(SYMBOL_COORDINATE)))
      product = expr_mul(cx, product, expr_power(cx, factor.expr, factor.number));
  }
  return product;
}

// 1, and what the terms of V are made of.
static ExprList parts_of_potential(Context *cx, const System *s) {
  ExprList list = {0};
  vec_push(&cx->scratch, &list, expr_int(cx, 1));
  Expr V = expr_open(cx, s->V);
  bool is_sum = op_of(cx, V) == OP_SUM;
  uint32_t n = is_sum ? node_of(cx, V)->count : 1;
  for (uint32_t i = 0; i < n && list.n < MOST_OF_V; i++) {
    Expr term = is_sum ? pairs_of(node_of(cx, V))[i].expr : V;
    add_new(cx, &list, moving_factors(cx, term));
  }
  return list;
}

static void list_members(Ansatz *a) {
  Context *cx = a->cx;
  ExprList waves = waves_of(cx, a->s), parts = parts_of_potential(cx, a->s), plain = {0};
  ExprList slopes = {0}, functions = {0};
  int degree = waves.n > 1 ? WAVE_DEGREE : PLAIN_DEGREE;
  for (int d = 0; d <= degree; d++) add_monomials(cx, a->s, 0, expr_int(cx, 1), d, &plain);
  for (uint32_t w = 0; w < waves.n; w++)
    for (uint32_t i = 0; i < plain.n; i++) {
      Expr f = expr_mul(cx, plain.at[i], waves.at[w]);
      add_new(cx, &slopes, f);
      for (uint32_t v = 0; v < parts.n; v++) add_new(cx, &functions, expr_mul(cx, f, parts.at[v]));
    }
  for (uint32_t i = 0; i < functions.n; i++)
    if (!expr_is_one(cx, functions.at[i]))
      vec_push(&cx->scratch, &a->members, ((Member){functions.at[i], NONE, NONE}));
  for (uint32_t i = 0; i < slopes.n; i++)
    for (uint32_t j = 0; j < a->n; j++)
      for (uint32_t k = j; k < a->n; k++)
        vec_push(&cx->scratch, &a->members, ((Member){slopes.at[i], j, k}));
}

static Expr value_of(const Ansatz *a, const Member *m) {
  return m->j == NONE ? m->f : expr_mul3(a->cx, m->f, a->s->qd[m->j], a->s->qd[m->k]);
}

// ---- Rates at a state

static void prepare(Ansatz *a) {
  Context *cx = a->cx;
  const System *s = a->s;
  ExprList all = {0};
  for (uint32_t i = 0; i < a->members.n; i++)
    vec_push(&cx->scratch, &all, expr_time_derivative(cx, value_of(a, &a->members.at[i])));
  for (uint32_t i = 0; i < a->n * a->n; i++) vec_push(&cx->scratch, &all, s->M[i]);
  for (uint32_t i = 0; i < a->n; i++)
    vec_push(&cx->scratch, &all, expr_neg(cx, expr_add(cx, s->h[i], s->G[i])));
  a->tape = tape_new(cx, &cx->keep, all.at, all.n);
  a->room = arena_array(&cx->scratch, double, tape_values_room(a->tape));
  a->value = arena_array(&cx->scratch, double, all.n);
}

// Cramer's rule for up to three unknowns.
static double determinant(const double *M, uint32_t n) {
  if (n == 1) return M[0];
  if (n == 2) return M[0] * M[3] - M[1] * M[2];
  return M[0] * (M[4] * M[8] - M[5] * M[7]) - M[1] * (M[3] * M[8] - M[5] * M[6]) +
         M[2] * (M[3] * M[7] - M[4] * M[6]);
}

static void accelerate(const Ansatz *a, double *values) {
  const double *M = a->value + a->members.n, *force = M + a->n * a->n;
  double det = determinant(M, a->n), column[MOST_COORDINATES * MOST_COORDINATES];
  for (uint32_t i = 0; i < a->n; i++) {
    for (uint32_t r = 0; r < a->n; r++)
      for (uint32_t c = 0; c < a->n; c++)
        column[r * a->n + c] = c == i ? force[r] : M[r * a->n + c];
    values[symbol_variable(a->cx, a->s->qdd[i])] = determinant(column, a->n) / det;
  }
}

static bool rows_at(void *problem, double *A) {
  Ansatz *a = problem;
  double *values = a->all.trial.values;
  trial_scatter(&a->all.trial);
  tape_values(a->tape, values, a->room, a->value);
  accelerate(a, values);
  tape_values(a->tape, values, a->room, a->value);
  for (uint32_t i = 0; i < a->members.n; i++) {
    A[i] = a->value[i];
    if (!isfinite(A[i])) return false;
  }
  return true;
}

// ---- Solutions

static bool is_simple_enough(Context *cx, System *s) {
  uint32_t kinds = KIND_BIT(SYMBOL_STATE) | KIND_BIT(SYMBOL_INPUT) | KIND_BIT(SYMBOL_TIME);
  return s->n && s->n <= MOST_COORDINATES && s->row_count + s->contact_count + s->states == 0 &&
         !model_acts(s->model) && all_vanish(cx, s->Q, s->n) && all_vanish(cx, s->D, s->n) &&
         !expr_has_kind(cx, s->T, kinds) && !expr_has_kind(cx, s->V, kinds);
}

static Expr sum_of(Ansatz *a, const Expr *x) {
  Expr sum = expr_int(a->cx, 0);
  for (uint32_t i = 0; i < a->members.n; i++)
    sum = expr_add(a->cx, sum, expr_mul(a->cx, x[i], value_of(a, &a->members.at[i])));
  return sum;
}

void quadratic_find(Context *cx, System *s, ExprList *out) {
  if (!is_simple_enough(cx, s)) return;
  derive_matrices(cx, s);
  Ansatz a = {.cx = cx, .s = s, .n = s->n};
  list_members(&a);
  if (a.members.n > MOST_UNKNOWNS) return;
  prepare(&a);
  a.all = (Coefficients){.cx = cx,
                         .model = s->model,
                         .trial = trial_open(cx, s),
                         .count = a.members.n,
                         .rows = 1,
                         .full_rows = 1,
                         .rows_at = rows_at,
                         .problem = &a};
  coefficients_solve(&a.all);
  for (uint32_t k = 0; k < a.members.n; k++) {
    if (!coefficients_is_free(&a.all, k)) continue;
    const Expr *x = coefficients_vector(&a.all, k);
    if (x) vec_push(&cx->scratch, out, sum_of(&a, x));
  }
}
