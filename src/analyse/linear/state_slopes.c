// Derivatives by velocities and inputs, and all numbers at a state.
#include "analyse/linear/state_slopes.h"

#include <math.h>
#include <string.h>

#include "analyse/equilibrium/expr_matrix.h"
#include "expr/build.h"
#include "expr/diff.h"
#include "expr/value/eval.h"

#define TERM_ROUNDING 1e-14 // of the terms of an entry
#define MOST_EXAMINED 40    // coordinates up to which every entry is examined

void state_slopes_derive(Balance *b, Arena *arena, StateSlopes *out) {
  Context *cx = b->cx;
  const System *s = b->system;
  uint32_t n = b->n;
  out->C = arena_array(arena, Expr, (size_t)n * n + 1);
  out->B = arena_array(arena, Expr, (size_t)n * b->inputs + 1);
  out->rate_q = arena_array(arena, Expr, (size_t)b->m * n + 1);
  expr_jacobian(cx, b->applied, n, s->qd, n, out->C);
  for (uint32_t j = 0; j < b->inputs; j++) {
    Expr input = s->model->inputs.at[j].symbol;
    for (uint32_t i = 0; i < n; i++)
      out->B[i * b->inputs + j] = expr_neg(cx, expr_diff(cx, b->applied[i], input));
  }
  out->is_integrable = arena_array(arena, bool, b->m + 1);
  for (uint32_t k = 0; k < b->m; k++) {
    out->is_integrable[k] = row_is_integrable(cx, s, b->rows[k]);
    Expr *row = out->rate_q + (size_t)k * n;
    if (b->rows[k]->is_nonholonomic)
      expr_gradient(cx, b->rates[k], s->q, n, row);
    else
      for (uint32_t j = 0; j < n; j++) row[j] = expr_int(cx, 0);
  }
}

static double *evaluate(Balance *b, Arena *arena, const Expr *e, size_t count) {
  double *out = arena_array(arena, double, count + 1);
  expr_eval_many(b->cx, e, count, b->values, out);
  return out;
}

// Columns are compared as displacements of equal kinetic energy.
static double *mass_scale(Arena *arena, uint32_t n, const double *M) {
  double *scale = arena_array(arena, double, n + 1);
  double most = 0;
  for (uint32_t i = 0; i < n; i++) most = fmax(most, M[(size_t)i * n + i]);
  for (uint32_t i = 0; i < n; i++) {
    double mass = M[(size_t)i * n + i];
    scale[i] = mass > 1e-12 * most ? 1 / sqrt(mass) : most > 0 ? 1 / sqrt(most) : 1;
  }
  return scale;
}

typedef enum RowKind { STATED_FOR_POSITIONS, INTEGRABLE, NONHOLONOMIC } RowKind;

static RowKind kind_of(const Balance *b, const StateSlopes *e, uint32_t k) {
  if (!b->rows[k]->is_nonholonomic) return STATED_FOR_POSITIONS;
  return e->is_integrable[k] ? INTEGRABLE : NONHOLONOMIC;
}

// Rows of velocities that can be integrated are among the holonomic ones: small motions start on
// them, so that a displacement off them is none of theirs.
static void list_rows(Balance *b, const StateSlopes *e, const Steady *s, Arena *arena,
                      RowNumbers *rows) {
  uint32_t n = b->n;
  *rows = (RowNumbers){.n = n, .row = arena_array(arena, uint32_t, b->m + 1)};
  for (RowKind kind = STATED_FOR_POSITIONS; kind <= NONHOLONOMIC; kind++) {
    for (uint32_t k = 0; k < b->m; k++) {
      if (!s->is_active[k] || kind_of(b, e, k) != kind) continue;
      rows->row[rows->holonomic + rows->nonholonomic] = k;
      *(kind == NONHOLONOMIC ? &rows->nonholonomic : &rows->holonomic) += 1;
      rows->positions += kind == STATED_FOR_POSITIONS;
    }
  }
  uint32_t count = rows->holonomic + rows->nonholonomic;
  rows->Phi_q = arena_array(arena, double, (size_t)count *n + 1);
  for (uint32_t k = 0; k < count; k++)
    memcpy(rows->Phi_q + (size_t)k * n, b->Phi_q + (size_t)rows->row[k] * n, n * sizeof(double));
  rows->rate_q = arena_array(arena, double, (size_t)rows->nonholonomic *n + 1);
  for (uint32_t k = 0; k < rows->nonholonomic; k++)
    expr_eval_many(b->cx, e->rate_q + (size_t)rows->row[rows->holonomic + k] * n, n, b->values,
                   rows->rate_q + (size_t)k * n);
}

// Stiffness that is nothing but the rounding of terms that cancel is none.
static void clear_rounding(Balance *b, double *K) {
  double largest = 0;
  size_t count = (size_t)b->n * b->n;
  for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(K[i]));
  for (size_t i = 0; i < count; i++) {
    bool suspicious = b->n <= MOST_EXAMINED || fabs(K[i]) < 1e-9 * largest;
    if (K[i] == 0 || !suspicious) continue;
    double size = exact_terms_size(b->cx, b->applied_q[i], b->values) +
                  exact_terms_size(b->cx, b->reaction_q[i], b->values);
    if (fabs(K[i]) <= TERM_ROUNDING * size) K[i] = 0;
  }
}

static bool all_finite(const double *x, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

Status state_slopes_evaluate(Balance *b, const StateSlopes *e, const Steady *s, Arena *arena,
                             FullNumbers *full, RowNumbers *rows) {
  size_t n = b->n;
  if (!balance_evaluate(b, s->q, s->qd, s->lambda)) return QDOT_UNDEFINED;
  double *M = evaluate(b, arena, b->system->M, n * n);
  double *C = evaluate(b, arena, e->C, n * n);
  double *B = evaluate(b, arena, e->B, n * b->inputs);
  double *K = arena_array(arena, double, n *n + 1);
  memcpy(K, b->K, n * n * sizeof *K);
  clear_rounding(b, K);
  *full = (FullNumbers){.n = b->n, .inputs = b->inputs, .M = M, .C = C, .K = K, .B = B};
  list_rows(b, e, s, arena, rows);
  rows->scale = mass_scale(arena, b->n, M);
  bool finite = all_finite(M, n * n) && all_finite(C, n * n) && all_finite(B, n * b->inputs) &&
                all_finite(rows->rate_q, rows->nonholonomic * n);
  return finite ? QDOT_OK : QDOT_UNDEFINED;
}
