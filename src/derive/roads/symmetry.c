// The linear equations of the coefficients, their solutions, and these written by parameters.
#include "derive/roads/symmetry.h"

#include <math.h>

#include "derive/roads/coefficients.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/value/tape_build.h"

enum { MOST_UNKNOWNS = 400 };

// One unknown coefficient: of 1, t or a coordinate, in tau or in the xi of one coordinate.
typedef struct Coefficient {
  uint32_t in;     // a coordinate, or IN_TAU
  uint32_t source; // a coordinate, SOURCE_ONE or SOURCE_TIME
  uint32_t part;   // SYMMETRY_...
} Coefficient;
enum { IN_TAU = UINT32_MAX, SOURCE_ONE = UINT32_MAX, SOURCE_TIME = UINT32_MAX - 1 };

// What the coefficients are multiplied by, at a random state.
typedef struct State {
  const double *E, *E_q, *E_v, *E_a, *E_t, *force, *rows, *rows_t;
  double *q, *v, *a, t;
} State;

typedef struct Finding {
  Context *cx;
  System *s;
  uint32_t n, count, row_count;
  Coefficient *unknown;
  const Tape *tape;
  double *room;  // of the tape
  double *value; // E, E_q, E_q', E_q'', E_t, force, rows by coordinate, rows by time
  State state;
  Coefficients all;
} Finding;

// ---- The unknowns, simple ones first: each solution keeps its last one

static void add_unknown(Finding *f, uint32_t in, uint32_t source, uint32_t part) {
  f->unknown[f->count++] = (Coefficient){in, source, part};
}

static void list_unknowns(Finding *f) {
  uint32_t n = f->n;
  f->unknown = arena_array(&f->cx->scratch, Coefficient, (size_t)(n + 2) * (n + 1));
  add_unknown(f, IN_TAU, SOURCE_ONE, SYMMETRY_TIME);
  for (uint32_t i = 0; i < n; i++) add_unknown(f, i, SOURCE_ONE, SYMMETRY_SHIFT);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++)
      if (i != j) add_unknown(f, i, j, SYMMETRY_MIX);
  for (uint32_t i = 0; i < n; i++) add_unknown(f, i, SOURCE_TIME, SYMMETRY_BOOST);
  for (uint32_t i = 0; i < n; i++) add_unknown(f, i, i, SYMMETRY_SCALE);
  add_unknown(f, IN_TAU, SOURCE_TIME, SYMMETRY_SCALE);
  for (uint32_t i = 0; i < n; i++) add_unknown(f, IN_TAU, i, SYMMETRY_BEND);
}

// ---- What they are multiplied by, at a state

static void prepare(Finding *f) {
  Context *cx = f->cx;
  System *s = f->s;
  uint32_t n = f->n;
  ExprList all = {0};
  Expr *E = arena_array(&cx->scratch, Expr, n), *out = arena_array(&cx->scratch, Expr, n * n);
  derive_inertia(cx, s);
  for (uint32_t i = 0; i < n; i++) E[i] = expr_add(cx, s->inertia[i], s->G[i]);
  for (uint32_t i = 0; i < n; i++) vec_push(&cx->scratch, &all, E[i]);
  const Expr *by[] = {s->q, s->qd, s->qdd};
  for (int k = 0; k < 3; k++) {
    expr_jacobian(cx, E, n, by[k], n, out);
    for (uint32_t i = 0; i < n * n; i++) vec_push(&cx->scratch, &all, out[i]);
  }
  expr_diff_many(cx, E, n, s->t, out);
  for (uint32_t i = 0; i < n; i++) vec_push(&cx->scratch, &all, out[i]);
  for (uint32_t i = 0; i < n; i++) vec_push(&cx->scratch, &all, expr_sub(cx, s->Q[i], s->D[i]));
  const Row *const lists[] = {s->rows, s->contacts};
  const uint32_t counts[] = {s->row_count, s->contact_count};
  for (int k = 0; k < 2; k++)
    for (uint32_t r = 0; r < counts[k]; r++)
      for (uint32_t i = 0; i < n; i++) vec_push(&cx->scratch, &all, lists[k][r].phi_q[i]);
  for (int k = 0; k < 2; k++)
    for (uint32_t r = 0; r < counts[k]; r++) vec_push(&cx->scratch, &all, lists[k][r].phi_t);
  f->row_count = s->row_count + s->contact_count;
  f->tape = tape_new(cx, &cx->keep, all.at, all.n);
  f->room = arena_array(&cx->scratch, double, tape_values_room(f->tape));
  f->value = arena_array(&cx->scratch, double, all.n + 1);
}

static bool look_at_state(Finding *f, State *st) {
  Context *cx = f->cx;
  uint32_t n = f->n, m = f->row_count;
  trial_scatter(&f->all.trial);
  tape_values(f->tape, f->all.trial.values, f->room, f->value);
  const double *at = f->value;
  st->E = at, st->E_q = at + n, st->E_v = st->E_q + n * n, st->E_a = st->E_v + n * n;
  st->E_t = st->E_a + n * n, st->force = st->E_t + n, st->rows = st->force + n;
  st->rows_t = st->rows + (size_t)m * n;
  for (uint32_t i = 0; i < n; i++) {
    st->q[i] = f->all.trial.values[symbol_variable(cx, f->s->q[i])];
    st->v[i] = f->all.trial.values[symbol_variable(cx, f->s->qd[i])];
    st->a[i] = f->all.trial.values[symbol_variable(cx, f->s->qdd[i])];
  }
  st->t = f->all.trial.values[symbol_variable(cx, f->s->t)];
  for (const double *x = at; x < st->rows_t + m; x++)
    if (!isfinite(*x)) return false;
  return true;
}

// 1, t or q_l with its first and second rate.
static void source_at(const State *st, uint32_t source, double *x, double *rate, double *second) {
  *rate = *second = 0;
  if (source == SOURCE_ONE) {
    *x = 1;
  } else if (source == SOURCE_TIME) {
    *x = st->t, *rate = 1;
  } else {
    *x = st->q[source], *rate = st->v[source], *second = st->a[source];
  }
}

// Euler's operator on Q_j E_j, for x in xi_j.
static double euler_of_xi(const State *st, uint32_t n, uint32_t i, const Coefficient *c) {
  double x, rate, second;
  source_at(st, c->source, &x, &rate, &second);
  uint32_t at = i * n + c->in;
  double sum = st->E_q[at] * x + st->E_v[at] * rate + st->E_a[at] * second;
  return c->source == i ? sum + st->E[c->in] : sum;
}

// The same for x in tau.
static double euler_of_tau(const State *st, uint32_t n, uint32_t i, const Coefficient *c) {
  double x, rate, second, sum;
  source_at(st, c->source, &x, &rate, &second);
  sum = x * st->E_t[i] + rate * st->E[i];
  for (uint32_t j = 0; j < n; j++) {
    sum -= st->E_v[i * n + j] * st->v[j] * rate;
    sum -= st->E_a[i * n + j] * (2 * st->a[j] * rate + st->v[j] * second);
    if (c->source == i) sum -= st->v[j] * st->E[j];
  }
  return sum;
}

// Rows of the matrix at one state: n of Euler's operator, one of forces, one that keeps time where
// there are contacts, since impacts cost energy, one for each constraint and contact.
static void fill_rows(const Finding *f, const State *st, double *A) {
  uint32_t n = f->n;
  for (uint32_t k = 0; k < f->count; k++) {
    const Coefficient *c = &f->unknown[k];
    bool in_tau = c->in == IN_TAU;
    double x, rate, second, work = 0;
    source_at(st, c->source, &x, &rate, &second);
    for (uint32_t i = 0; i < n; i++) {
      A[i * f->count + k] = in_tau ? euler_of_tau(st, n, i, c) : euler_of_xi(st, n, i, c);
      if (in_tau) work -= st->force[i] * st->v[i] * x;
    }
    A[n * f->count + k] = in_tau ? work : st->force[c->in] * x;
    A[(n + 1) * f->count + k] = in_tau && f->s->contact_count ? x : 0;
    for (uint32_t r = 0; r < f->row_count; r++) {
      double tied = in_tau ? st->rows_t[r] * x : st->rows[r * n + c->in] * x;
      A[(n + 2 + r) * f->count + k] = tied;
    }
  }
}

// ---- Solutions

static bool rows_at(void *problem, double *A) {
  Finding *f = problem;
  if (!look_at_state(f, &f->state)) return false;
  fill_rows(f, &f->state, A);
  return true;
}

static Expr source_symbol(const Finding *f, uint32_t source) {
  if (source == SOURCE_ONE) return expr_int(f->cx, 1);
  return source == SOURCE_TIME ? f->s->t : f->s->q[source];
}

// False where a coefficient cannot be written.
static bool write_symmetry(Finding *f, uint32_t free, Symmetry *out) {
  Context *cx = f->cx;
  const Expr *x = coefficients_vector(&f->all, free);
  if (!x) return false;
  *out = (Symmetry){.tau = expr_int(cx, 0), .xi = arena_array(&cx->keep, Expr, f->n)};
  for (uint32_t i = 0; i < f->n; i++) out->xi[i] = expr_int(cx, 0);
  for (uint32_t k = 0; k < f->count; k++) {
    if (expr_is_zero(cx, x[k])) continue;
    const Coefficient *c = &f->unknown[k];
    Expr term = expr_mul(cx, x[k], source_symbol(f, c->source));
    Expr *sum = c->in == IN_TAU ? &out->tau : &out->xi[c->in];
    *sum = expr_add(cx, *sum, term);
    out->parts |= c->part, out->entries++;
  }
  return true;
}

static bool has_states_in_lagrangian(Context *cx, const System *s) {
  uint32_t kinds = KIND_BIT(SYMBOL_STATE) | KIND_BIT(SYMBOL_STATE_RATE);
  return s->states && (expr_has_kind(cx, s->T, kinds) || expr_has_kind(cx, s->V, kinds));
}

void symmetries_find(Context *cx, System *s, Symmetries *out) {
  *out = (Symmetries){0};
  uint32_t unknowns = (s->n + 2) * (s->n + 1);
  if (s->n == 0 || unknowns > MOST_UNKNOWNS || model_acts(s->model)) return;
  if (has_states_in_lagrangian(cx, s)) return;
  Mark mark = arena_mark(&cx->scratch);
  Finding f = {.cx = cx, .s = s, .n = s->n};
  list_unknowns(&f);
  prepare(&f);
  uint32_t rows = s->n + 2 + f.row_count;
  f.all = (Coefficients){.cx = cx,
                         .model = s->model,
                         .trial = trial_open(cx, s),
                         .count = f.count,
                         .rows = rows,
                         .full_rows = s->n,
                         .rows_at = rows_at,
                         .problem = &f};
  f.state = (State){.q = arena_array(&cx->scratch, double, s->n)};
  f.state.v = arena_array(&cx->scratch, double, s->n);
  f.state.a = arena_array(&cx->scratch, double, s->n);
  coefficients_solve(&f.all);
  out->at = arena_array(&cx->keep, Symmetry, f.count);
  for (uint32_t k = 0; k < f.count; k++) {
    if (!coefficients_is_free(&f.all, k)) continue;
    if (write_symmetry(&f, k, &out->at[out->n]))
      out->n++;
    else
      out->unnamed++;
  }
  arena_release(&cx->scratch, mark);
}
