// Elimination and products with expressions for entries.
#include "analyse/equilibrium/expr_matrix.h"

#include <math.h>
#include <string.h>

#include "expr/algebra/expand.h"
#include "expr/algebra/simplify.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/subst.h"
#include "expr/value/eval.h"
#include "expr/walk.h"

#define LARGE 400     // nodes of one entry beyond which nothing is multiplied out any more
#define SMALLEST 1e-7 // a pivot's least size relative to its row

uint32_t exact_size(Context *cx, Expr e) {
  Mark mark = arena_mark(&cx->scratch);
  uint32_t n = expr_walk(cx, &e, 1, visit_all, NULL).n;
  arena_release(&cx->scratch, mark);
  return n;
}

double exact_terms_size(Context *cx, Expr e, const double *values) {
  e = expr_open(cx, e);
  Op op = op_of(cx, e);
  if (op != OP_SUM && op != OP_PRODUCT) return fabs(expr_eval(cx, e, values));
  double size = fabs(number_to_double(cx, node_of(cx, e)->number));
  for (uint32_t i = 0; i < node_of(cx, e)->count; i++) {
    Pair pair = pairs_of(node_of(cx, e))[i];
    double number = number_to_double(cx, pair.number);
    if (op == OP_SUM)
      size += fabs(number) * exact_terms_size(cx, pair.expr, values);
    else
      size *= pow(number > 0 ? exact_terms_size(cx, pair.expr, values)
                             : fabs(expr_eval(cx, pair.expr, values)),
                  number);
  }
  return size;
}

Expr exact_tidy(Exact *x, Expr e) {
  if (expr_child_count(x->cx, e) == 0 && !expr_is_definition(x->cx, e)) return e;
  if (!x->is_large && exact_size(x->cx, e) > LARGE) {
    Expr shorter = expr_expand(x->cx, e, 20000);
    x->is_large = exact_size(x->cx, shorter) > LARGE;
    if (!x->is_large) e = shorter;
  }
  return x->is_large ? expr_hold(x->cx, e) : expr_simplify(x->cx, e, SIMPLIFY_NORMAL);
}

// ---- Elimination

typedef struct Solve {
  Exact *x;
  uint32_t k, columns;
  Expr *S, *X;
  double *numbers;
  bool *row_used, *column_used;
} Solve;

static uint32_t complexity(const Context *cx, Expr e) {
  if (expr_is_number(cx, e)) return 0;
  Op op = op_of(cx, e);
  return op == OP_SYMBOL ? 1 : op == OP_PRODUCT ? 2 : 3;
}

static uint32_t entries_in_row(const Solve *s, uint32_t i) {
  uint32_t count = 0;
  for (uint32_t j = 0; j < s->k; j++)
    count += !s->column_used[j] && !expr_is_zero(s->x->cx, s->S[i * s->k + j]);
  return count;
}

static uint32_t entries_in_column(const Solve *s, uint32_t j) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->k; i++)
    count += !s->row_used[i] && !expr_is_zero(s->x->cx, s->S[i * s->k + j]);
  return count;
}

static double largest_in_row(const Solve *s, uint32_t i) {
  double most = 0;
  for (uint32_t j = 0; j < s->k; j++)
    if (!s->column_used[j]) most = fmax(most, fabs(s->numbers[i * s->k + j]));
  return most;
}

// The entry that causes the least work: few others in its row and column, then the simplest.
static void choose_pivot(const Solve *s, uint32_t *row, uint32_t *column) {
  uint64_t best = UINT64_MAX;
  for (uint32_t i = 0; i < s->k; i++) {
    if (s->row_used[i]) continue;
    double most = largest_in_row(s, i);
    uint64_t in_row = entries_in_row(s, i);
    for (uint32_t j = 0; j < s->k; j++) {
      Expr e = s->S[i * s->k + j];
      if (s->column_used[j] || expr_is_zero(s->x->cx, e)) continue;
      if (!(fabs(s->numbers[i * s->k + j]) > SMALLEST * most)) continue;
      uint64_t work = (in_row - 1) * (entries_in_column(s, j) - 1) * 4 + complexity(s->x->cx, e);
      if (work < best) best = work, *row = i, *column = j;
    }
  }
}

// Row i minus factor times the pivot's row.
static void subtract_row(Solve *s, uint32_t i, uint32_t row, uint32_t column) {
  Context *cx = s->x->cx;
  uint32_t k = s->k;
  Expr factor = exact_tidy(s->x, expr_div(cx, s->S[i * k + column], s->S[row * k + column]));
  double number = s->numbers[i * k + column] / s->numbers[row * k + column];
  for (uint32_t j = 0; j < k; j++) {
    if (s->column_used[j] || expr_is_zero(cx, s->S[row * k + j])) continue;
    Expr e = expr_sub(cx, s->S[i * k + j], expr_mul(cx, factor, s->S[row * k + j]));
    s->S[i * k + j] = j == column ? expr_int(cx, 0) : exact_tidy(s->x, e);
    s->numbers[i * k + j] -= number * s->numbers[row * k + j];
  }
  for (uint32_t j = 0; j < s->columns; j++) {
    Expr from = s->X[row * s->columns + j], *to = &s->X[i * s->columns + j];
    if (!expr_is_zero(cx, from))
      *to = exact_tidy(s->x, expr_sub(cx, *to, expr_mul(cx, factor, from)));
  }
}

// Gauss-Jordan: every pivot clears its column in all other rows.
void expr_matrix_solve(Exact *x, uint32_t k, uint32_t columns, Expr *S, double *numbers, Expr *X) {
  if (k == 0) return;
  Context *cx = x->cx;
  Mark mark = arena_mark(&cx->scratch);
  Solve s = {x, k, columns, S, X, numbers, NULL, NULL};
  s.row_used = arena_array(&cx->scratch, bool, k);
  s.column_used = arena_array(&cx->scratch, bool, k);
  uint32_t *row_of = arena_array(&cx->scratch, uint32_t, k);
  for (uint32_t step = 0; step < k; step++) {
    context_poll(cx);
    uint32_t row = 0, column = 0;
    choose_pivot(&s, &row, &column);
    s.row_used[row] = true;
    row_of[column] = row;
    for (uint32_t i = 0; i < k; i++)
      if (i != row && !expr_is_zero(cx, S[i * k + column])) subtract_row(&s, i, row, column);
    s.column_used[column] = true;
  }
  // row_of[j] holds S_jj x_j = X_j
  Expr *out = arena_array(&cx->scratch, Expr, (size_t)k * columns + 1);
  for (uint32_t j = 0; j < k; j++)
    for (uint32_t c = 0; c < columns; c++)
      out[j * columns + c] =
          exact_tidy(x, expr_div(cx, X[row_of[j] * columns + c], S[row_of[j] * k + j]));
  memcpy(X, out, (size_t)k * columns * sizeof *X);
  arena_release(&cx->scratch, mark);
}

// ---- Products

void expr_matrix_multiply(Exact *x, uint32_t rows, uint32_t inner, uint32_t columns, const Expr *A,
                          const Expr *B, Expr *out) {
  Context *cx = x->cx;
  Mark mark = arena_mark(&cx->scratch);
  Expr *terms = arena_array(&cx->scratch, Expr, inner + 1);
  uint32_t *there = arena_array(&cx->scratch, uint32_t, inner + 1);
  for (uint32_t i = 0; i < rows; i++) {
    context_poll(cx);
    const Expr *row = A + (size_t)i * inner;
    uint32_t entries = 0;
    for (uint32_t k = 0; k < inner; k++)
      if (!expr_is_zero(cx, row[k])) there[entries++] = k;
    for (uint32_t j = 0; j < columns; j++) {
      uint32_t count = 0;
      for (uint32_t e = 0; e < entries; e++) {
        Expr b = B[(size_t)there[e] * columns + j];
        if (!expr_is_zero(cx, b)) terms[count++] = expr_mul(cx, row[there[e]], b);
      }
      out[(size_t)i * columns + j] = expr_sum(cx, terms, count);
    }
  }
  arena_release(&cx->scratch, mark);
}

void expr_matrix_multiply_transposed(Exact *x, uint32_t rows, uint32_t columns, uint32_t width,
                                     const Expr *A, const Expr *B, Expr *out) {
  Context *cx = x->cx;
  Mark mark = arena_mark(&cx->scratch);
  Expr *transposed = arena_array(&cx->scratch, Expr, (size_t)rows * columns + 1);
  for (uint32_t i = 0; i < rows; i++)
    for (uint32_t j = 0; j < columns; j++) transposed[j * rows + i] = A[i * columns + j];
  expr_matrix_multiply(x, columns, rows, width, transposed, B, out);
  arena_release(&cx->scratch, mark);
}
