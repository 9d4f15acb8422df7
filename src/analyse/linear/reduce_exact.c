// The exact projection: R, W and Y at the point, then products.
#include "analyse/linear/reduce_exact.h"

#include <math.h>
#include <string.h>

#include "analyse/equilibrium/expr_matrix.h"
#include "base/rounding.h"
#include "expr/algebra/cost.h"
#include "expr/algebra/expand.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/subst.h"
#include "expr/value/eval.h"

// Nodes of all entries before the projection.
#define LARGE_NODES 4000  // beyond, entries are shared parts: nobody waits for simpler ones
#define MOST_NODES 200000 // beyond, there are numbers only

#define DIFFERENT 1e-6 // of the largest entry: more than rounding leaves

typedef struct Projection {
  Exact x;
  Context *cx;
  Balance *b;
  const StateSlopes *e;
  const RowNumbers *rows;
  Linearized *out;
  Substitution *at; // the point
  uint32_t at_count;
  uint32_t n, p, f;
  Expr *Phi_q, *rate_q; // kept rows: (n - f) x n; nonholonomic ones: (p - f) x n
  Expr *R, *W, *Y, *H;
  double *values;  // of all symbols in the entries, by variable
  Expr *M, *C, *K; // n x n at the point, without what the constraints add
} Projection;

static Expr *room(Projection *j, size_t count) {
  Expr *e = arena_array(&j->cx->scratch, Expr, count + 1);
  for (size_t i = 0; i < count; i++) e[i] = expr_int(j->cx, 0);
  return e;
}

// Values at the point; definitions are opened.
static Expr *at_point(Projection *j, const Expr *e, size_t count) {
  Expr *out = room(j, count);
  expr_subst_many(j->cx, e, count, j->at, j->at_count, out);
  expr_open_many(j->cx, out, count, out);
  return out;
}

static void tidy_all(Projection *j, Expr *e, size_t count) {
  for (size_t i = 0; i < count; i++) e[i] = exact_tidy(&j->x, e[i]);
}

// ---- The rows

static void take_rows(Projection *j) {
  uint32_t n = j->n, kept = n - j->f, holonomic = n - j->p;
  Expr *all = room(j, (size_t)kept * n);
  Expr *rates = room(j, (size_t)(kept - holonomic) * n);
  for (uint32_t k = 0; k < kept; k++) {
    uint32_t row = j->out->rows_kept[k];
    memcpy(all + (size_t)k * n, j->b->rows[row]->phi_q, n * sizeof *all);
    if (k >= holonomic)
      memcpy(rates + (size_t)(k - holonomic) * n, j->e->rate_q + (size_t)row * n, n * sizeof *all);
  }
  j->Phi_q = at_point(j, all, (size_t)kept * n);
  j->rate_q = at_point(j, rates, (size_t)(kept - holonomic) * n);
  tidy_all(j, j->Phi_q, (size_t)kept * n);
  tidy_all(j, j->rate_q, (size_t)(kept - holonomic) * n);
}

static double number_at(const Projection *j, uint32_t kept, uint32_t column) {
  return j->rows->Phi_q[(size_t)j->out->choice.rows[kept] * j->n + column];
}

// R = [-Phi_y^-1 Phi_z; 1]
static void make_positions(Projection *j) {
  const Independent *c = &j->out->choice;
  uint32_t n = j->n, p = j->p, r = n - p;
  Expr *S = room(j, (size_t)r * r), *X = room(j, (size_t)r * p);
  double *numbers = arena_array(&j->cx->scratch, double, (size_t)r *r + 1);
  for (uint32_t k = 0; k < r; k++) {
    for (uint32_t i = 0; i < r; i++) {
      S[k * r + i] = j->Phi_q[k * n + c->y[i]];
      numbers[k * r + i] = number_at(j, k, c->y[i]);
    }
    for (uint32_t i = 0; i < p; i++) X[k * p + i] = expr_neg(j->cx, j->Phi_q[k * n + c->z[i]]);
  }
  expr_matrix_solve(&j->x, r, p, S, numbers, X);
  j->R = room(j, (size_t)n * p);
  for (uint32_t i = 0; i < p; i++) j->R[c->z[i] * p + i] = expr_int(j->cx, 1);
  for (uint32_t k = 0; k < r; k++) memcpy(j->R + c->y[k] * p, X + k * p, p * sizeof *X);
}

// W and Y: the nonholonomic rows as N z' + S R z = 0, solved for the dependent z'.
static void make_velocities(Projection *j) {
  uint32_t n = j->n, p = j->p, f = j->f, v = p - f, r = n - p;
  j->W = room(j, (size_t)p * f), j->Y = room(j, (size_t)p * p);
  for (uint32_t i = 0; i < f; i++) j->W[i * f + i] = expr_int(j->cx, 1);
  if (v == 0) return;
  Expr *N = room(j, (size_t)v * p), *SR = room(j, (size_t)v * p);
  expr_matrix_multiply(&j->x, v, n, p, j->Phi_q + (size_t)r * n, j->R, N);
  expr_matrix_multiply(&j->x, v, n, p, j->rate_q, j->R, SR);
  tidy_all(j, N, (size_t)v * p);
  Expr *S = room(j, (size_t)v * v), *X = room(j, (size_t)v * (f + p));
  double *numbers = arena_array(&j->cx->scratch, double, (size_t)v *v + 1);
  const double *R = j->out->number.R;
  for (uint32_t k = 0; k < v; k++) {
    for (uint32_t i = 0; i < v; i++) {
      S[k * v + i] = N[k * p + f + i];
      for (uint32_t q = 0; q < n; q++)
        numbers[k * v + i] += number_at(j, r + k, q) * R[(size_t)q * p + f + i];
    }
    for (uint32_t i = 0; i < f; i++) X[k * (f + p) + i] = expr_neg(j->cx, N[k * p + i]);
    for (uint32_t i = 0; i < p; i++) X[k * (f + p) + f + i] = expr_neg(j->cx, SR[k * p + i]);
  }
  expr_matrix_solve(&j->x, v, f + p, S, numbers, X);
  for (uint32_t k = 0; k < v; k++) {
    memcpy(j->W + (f + k) * f, X + k * (f + p), f * sizeof *X);
    memcpy(j->Y + (f + k) * p, X + k * (f + p) + f, p * sizeof *X);
  }
}

// ---- Multipliers: Phi_d^T lambda = -(h + D + G - Q)_d for the coordinates d that depend

static void make_multipliers(Projection *j) {
  const Independent *c = &j->out->choice;
  uint32_t n = j->n, r = n - j->f, holonomic = n - j->p;
  j->out->lambda = arena_array(j->cx->results, Expr, j->b->m + 1);
  for (uint32_t k = 0; k < j->b->m; k++) j->out->lambda[k] = expr_int(j->cx, 0);
  if (r == 0) return;
  Expr *force = at_point(j, j->b->applied, n);
  Expr *S = room(j, (size_t)r * r), *X = room(j, r);
  double *numbers = arena_array(&j->cx->scratch, double, (size_t)r *r);
  for (uint32_t i = 0; i < r; i++) {
    uint32_t d = i < holonomic ? c->y[i] : c->z[j->f + i - holonomic];
    X[i] = exact_tidy(&j->x, expr_neg(j->cx, force[d]));
    for (uint32_t k = 0; k < r; k++) {
      S[i * r + k] = j->Phi_q[k * n + d];
      numbers[i * r + k] = number_at(j, k, d);
    }
  }
  expr_matrix_solve(&j->x, r, 1, S, numbers, X);
  for (uint32_t k = 0; k < r; k++) j->out->lambda[j->out->rows_kept[k]] = X[k];
}

// (Phi_q^T lambda)_q at the point, with the multipliers there.
static Expr *constraint_stiffness(Projection *j) {
  size_t count = (size_t)j->n * j->n;
  Expr *K = at_point(j, j->b->reaction_q, count);
  Substitution *list = arena_array(&j->cx->scratch, Substitution, j->b->m + 1);
  for (uint32_t k = 0; k < j->b->m; k++)
    list[k] = (Substitution){j->b->rows[k]->multiplier, j->out->lambda[k]};
  expr_subst_many(j->cx, K, count, list, j->b->m, K);
  tidy_all(j, K, count);
  return K;
}

// ---- Products

static Expr *product(Projection *j, uint32_t rows, uint32_t inner, uint32_t columns, const Expr *A,
                     const Expr *B) {
  Expr *out = room(j, (size_t)rows * columns);
  expr_matrix_multiply(&j->x, rows, inner, columns, A, B, out);
  return out;
}

static void add_to(Projection *j, Expr *sum, const Expr *part, size_t count) {
  for (size_t i = 0; i < count; i++) sum[i] = expr_add(j->cx, sum[i], part[i]);
}

// H^T A for A (n x width), in short forms, kept.
static Expr *project(Projection *j, const Expr *A, uint32_t width) {
  size_t count = (size_t)j->f * width;
  Expr *out = arena_array(j->cx->results, Expr, count + 1);
  expr_matrix_multiply_transposed(&j->x, j->n, j->f, width, j->H, A, out);
  tidy_all(j, out, count);
  return out;
}

// M^ = H^T M H, C^ = H^T (M R Y W + C H), K^ = H^T (M R Y Y + C R Y + K R), B^ = H^T B.
static void make_matrices(Projection *j) {
  uint32_t n = j->n, p = j->p, f = j->f;
  Expr *M = j->M, *C = j->C, *K = j->K, *Kc = constraint_stiffness(j);
  Expr *B = at_point(j, j->e->B, (size_t)n * j->b->inputs);
  tidy_all(j, M, (size_t)n * n);
  tidy_all(j, C, (size_t)n * n);
  tidy_all(j, K, (size_t)n * n);
  Expr *damping = product(j, n, n, f, C, j->H), *stiffness = product(j, n, n, p, K, j->R);
  if (f < p) {
    Expr *RY = product(j, n, p, p, j->R, j->Y), *MRY = product(j, n, n, p, M, RY);
    add_to(j, damping, product(j, n, p, f, MRY, j->W), (size_t)n * f);
    add_to(j, stiffness, product(j, n, p, p, MRY, j->Y), (size_t)n * p);
    add_to(j, stiffness, product(j, n, n, p, C, RY), (size_t)n * p);
  }
  Expr *constraint = product(j, n, n, p, Kc, j->R);
  add_to(j, stiffness, constraint, (size_t)n * p);
  j->out->M = project(j, product(j, n, n, f, M, j->H), f);
  j->out->C = project(j, damping, f);
  j->out->K = project(j, stiffness, p);
  j->out->K_constraint = project(j, constraint, p);
  j->out->B = project(j, B, j->b->inputs);
  Expr *Q = room(j, n), *force = at_point(j, j->b->applied, n);
  for (uint32_t i = 0; i < n && !j->out->is_balanced; i++) Q[i] = expr_neg(j->cx, force[i]);
  j->out->Q = project(j, Q, 1);
}

// Where a matrix is symmetric, both halves show the shorter form.
static void make_symmetric(Projection *j, Expr *A) {
  uint32_t f = j->f;
  if (j->p != f || j->x.is_large) return;
  for (uint32_t i = 0; i < f; i++)
    for (uint32_t k = 0; k < i; k++) {
      Expr *low = &A[i * f + k], *high = &A[k * f + i];
      if (*low == *high) continue;
      if (expr_zero_test(j->cx, expr_sub(j->cx, *low, *high), 20000) != ZERO_YES) continue;
      bool lower = expr_cost(j->cx, *low) < expr_cost(j->cx, *high);
      *(lower ? high : low) = lower ? *low : *high;
    }
}

// M, C and K at the point; false where they are so large that nobody would read what follows.
static bool take_matrices(Projection *j) {
  size_t count = (size_t)j->n * j->n;
  j->M = at_point(j, j->b->system->M, count);
  j->C = at_point(j, j->e->C, count);
  j->K = at_point(j, j->b->applied_q, count);
  const Expr *all[3] = {j->M, j->C, j->K};
  size_t nodes = 0;
  for (int k = 0; k < 3; k++)
    for (size_t i = 0; i < count && nodes <= MOST_NODES; i++)
      if (!expr_is_zero(j->cx, all[k][i])) nodes += exact_size(j->cx, all[k][i]);
  j->x.is_large = nodes > LARGE_NODES;
  return nodes <= MOST_NODES;
}

// ---- The proof of the pudding

// The values of exact entries beside the numbers that were found without them: two routes to the
// same matrix, so an entry that differs is wrong on one of them and none is shown.
static Status check_entries(Projection *j, const char *name, const Expr *entries,
                            const double *numbers, uint32_t rows, uint32_t columns,
                            double nothing) {
  Context *cx = j->cx;
  size_t count = (size_t)rows * columns;
  double *values = arena_array(&cx->scratch, double, count + 1), largest = 0;
  expr_eval_many(cx, entries, count, j->values, values);
  for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(numbers[i]));
  for (size_t i = 0; i < count; i++) {
    double size = fmax(largest, fabs(values[i])), difference = fabs(values[i] - numbers[i]);
    if (difference <= DIFFERENT * size || difference <= nothing) continue;
    size = exact_terms_size(cx, entries[i], j->values);
    if (difference <= DIFFERENT * size) continue;
    Status status = diag_error_plain(
        cx, QDOT_INCONSISTENT,
        "%s[%zu][%zu] of the linearization is %.6g in exact form, but %.6g as a number", name,
        i / columns + 1, i % columns + 1, values[i], numbers[i]);
    diag_note(cx, "the equations are not smooth at this point: a length, a root or a condition is "
                  "just at its edge; linearize next to it ('linearize at q = ...')");
    return status;
  }
  return QDOT_OK;
}

// How large a projected entry would be if nothing cancelled.
static double projected_size(const Projection *j, const double *A) {
  uint32_t n = j->n, f = j->f;
  const double *H = j->out->number.H;
  double most = 0, *reach = arena_array(&j->cx->scratch, double, n + 1);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < f; k++) reach[i] = fmax(reach[i], fabs(H[(size_t)i * f + k]));
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n; k++)
      most = fmax(most, reach[i] * fabs(A[(size_t)i * n + k]) * reach[k]);
  return most;
}

static Status check_all(Projection *j) {
  Context *cx = j->cx;
  Linearized *l = j->out;
  // parameters and inputs as in the balance, and the point's own names
  j->values = arena_array(&cx->scratch, double, cx->exprs->symbols.n + 1);
  const Model *model = j->b->system->model;
  for (uint32_t i = 0; i < model->parameters.n; i++) {
    uint32_t at = symbol_variable(cx, model->parameters.at[i].symbol);
    j->values[at] = j->b->values[at];
  }
  for (uint32_t i = 0; i < l->form.names.n; i++)
    j->values[symbol_variable(cx, l->form.names.at[i].symbol)] = l->form.names.at[i].value;
  // what the number's own route may leave: the rounding of its sums, and a rate of 1e-12 1/s
  double M = projected_size(j, l->full.M), C = projected_size(j, l->full.C);
  double K = projected_size(j, l->full.K), slow = 1e-12;
  double no_K = ROUNDING * K + slow * slow * M, no_C = ROUNDING * (C + sqrt(M * K)) + slow * M;
  Status status = check_entries(j, "M", l->M, l->number.M, l->f, l->f, ROUNDING * M);
  if (status == QDOT_OK) status = check_entries(j, "C", l->C, l->number.C, l->f, l->f, no_C);
  if (status == QDOT_OK) status = check_entries(j, "K", l->K, l->number.K, l->f, l->p, no_K);
  if (status == QDOT_OK) status = check_entries(j, "B", l->B, l->number.B, l->f, l->inputs, 0);
  return status;
}

Status reduce_exactly(Balance *b, const StateSlopes *e, const RowNumbers *rows, Linearized *out) {
  Context *cx = b->cx;
  Mark mark = arena_mark(&cx->scratch);
  Projection j = {.x = {.cx = cx}, .cx = cx, .b = b, .e = e, .rows = rows, .out = out};
  j.n = out->n, j.p = out->p, j.f = out->f;
  j.at_count = closed_form_substitutions(b, &out->form, &j.at);
  out->is_too_large = !take_matrices(&j);
  if (out->is_too_large) {
    arena_release(&cx->scratch, mark);
    return QDOT_OK;
  }
  take_rows(&j);
  make_positions(&j);
  make_velocities(&j);
  j.H = j.p == j.f ? j.R : product(&j, j.n, j.p, j.f, j.R, j.W);
  make_multipliers(&j);
  make_matrices(&j);
  make_symmetric(&j, out->M);
  make_symmetric(&j, out->C);
  make_symmetric(&j, out->K);
  make_symmetric(&j, out->K_constraint);
  out->R = arena_array(cx->results, Expr, (size_t)j.n * j.p + 1);
  memcpy(out->R, j.R, (size_t)j.n * j.p * sizeof *j.R);
  out->is_large = j.x.is_large;
  Status status = check_all(&j);
  arena_release(&cx->scratch, mark);
  return status;
}
