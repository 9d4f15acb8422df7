// Blocks, adjugates and elimination.
#include "derive/solve_linear.h"

#include <string.h>

#include "derive/vanishes.h"
#include "expr/algebra/determinant.h"
#include "expr/build.h"
#include "expr/define.h"

enum { ADJUGATE_MOST = 3 };

// The equations of one block: its rows are also its columns.
typedef struct Block {
  Context *cx;
  const uint32_t *member;
  uint32_t n;
  Expr *A, *w; // n x n by rows, n
} Block;

// ---- Elimination, with rows exchanged for a pivot that is not zero

static void swap_rows(Block *b, uint32_t i, uint32_t k) {
  for (uint32_t j = 0; j < b->n; j++) {
    Expr a = b->A[i * b->n + j];
    b->A[i * b->n + j] = b->A[k * b->n + j], b->A[k * b->n + j] = a;
  }
  Expr w = b->w[i];
  b->w[i] = b->w[k], b->w[k] = w;
}

static void subtract_row(Block *b, uint32_t pivot, uint32_t column, uint32_t row) {
  Context *cx = b->cx;
  Expr *from = b->A + (size_t)pivot * b->n, *to = b->A + (size_t)row * b->n;
  if (expr_is_zero(cx, to[column])) return;
  Expr factor = expr_hold(cx, expr_div(cx, to[column], from[column]));
  to[column] = expr_int(cx, 0);
  for (uint32_t j = column + 1; j < b->n; j++)
    to[j] = expr_hold(cx, expr_sub(cx, to[j], expr_mul(cx, factor, from[j])));
  b->w[row] = expr_hold(cx, expr_sub(cx, b->w[row], expr_mul(cx, factor, b->w[pivot])));
}

// Row echelon form; the rank.
static uint32_t eliminate(Block *b) {
  uint32_t rank = 0;
  for (uint32_t column = 0; column < b->n; column++) {
    uint32_t row = rank;
    while (row < b->n && vanishes(b->cx, b->A[row * b->n + column])) row++;
    if (row == b->n) {
      for (uint32_t i = rank; i < b->n; i++) b->A[i * b->n + column] = expr_int(b->cx, 0);
      continue;
    }
    if (row != rank) swap_rows(b, row, rank);
    for (uint32_t i = rank + 1; i < b->n; i++) subtract_row(b, rank, column, i);
    rank++;
  }
  return rank;
}

static void substitute_back(const Block *b, Expr *x, Expr *below) {
  Context *cx = b->cx;
  for (uint32_t i = b->n; i-- > 0;) {
    Expr sum = b->w[i];
    for (uint32_t j = i + 1; j < b->n; j++)
      sum = expr_sub(cx, sum, expr_mul(cx, b->A[i * b->n + j], x[b->member[j]]));
    x[b->member[i]] = expr_hold(cx, expr_div(cx, sum, b->A[i * b->n + i]));
    below[b->member[i]] = expr_int(cx, 1);
  }
}

// ---- Adjugates

static Expr minor_of(const Block *b, uint32_t row, uint32_t column) {
  Expr A[ADJUGATE_MOST * ADJUGATE_MOST];
  uint32_t at = 0;
  for (uint32_t i = 0; i < b->n; i++)
    for (uint32_t j = 0; j < b->n; j++)
      if (i != row && j != column) A[at++] = b->A[i * b->n + j];
  Expr value = expr_determinant(b->cx, A, b->n - 1);
  return (row + column) % 2 ? expr_neg(b->cx, value) : value;
}

// x_i = sum over j of cofactor_ji w_j / det
static bool solve_by_adjugate(const Block *b, Expr *x, Expr *below) {
  Context *cx = b->cx;
  Expr det = expr_determinant(cx, b->A, b->n);
  if (vanishes(cx, det)) return false;
  for (uint32_t i = 0; i < b->n; i++) {
    Expr terms[ADJUGATE_MOST];
    for (uint32_t j = 0; j < b->n; j++) terms[j] = expr_mul(cx, minor_of(b, j, i), b->w[j]);
    x[b->member[i]] = expr_div(cx, expr_sum(cx, terms, b->n), det);
    below[b->member[i]] = det;
  }
  return true;
}

static bool solve_block(Block *b, Expr *x, Expr *below, Expr *relation) {
  if (b->n <= ADJUGATE_MOST && solve_by_adjugate(b, x, below)) return true;
  uint32_t rank = eliminate(b);
  if (rank < b->n) {
    *relation = b->w[rank];
    return false;
  }
  substitute_back(b, x, below);
  return true;
}

// ---- Blocks

// Everything that hangs together with `first`, marked with its number.
static void mark_block(Context *cx, const Expr *A, uint32_t n, uint32_t first, uint32_t number,
                       uint32_t *block) {
  bool grew = true;
  block[first] = number;
  while (grew) {
    grew = false;
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t j = 0; block[i] == number && j < n; j++)
        if (!block[j] && !(expr_is_zero(cx, A[i * n + j]) && expr_is_zero(cx, A[j * n + i])))
          block[j] = number, grew = true;
  }
}

static Block take_block(Context *cx, const Expr *A, const Expr *w, uint32_t n,
                        const uint32_t *block, uint32_t number) {
  uint32_t *member = arena_array(&cx->scratch, uint32_t, n), count = 0;
  for (uint32_t i = 0; i < n; i++)
    if (block[i] == number) member[count++] = i;
  Block b = {.cx = cx, .member = member, .n = count};
  b.A = arena_array(&cx->scratch, Expr, (size_t)count * count);
  b.w = arena_array(&cx->scratch, Expr, count);
  for (uint32_t i = 0; i < count; i++) {
    b.w[i] = w[member[i]];
    for (uint32_t j = 0; j < count; j++) b.A[i * count + j] = A[member[i] * n + member[j]];
  }
  return b;
}

bool solve_linear(Context *cx, const Expr *A, const Expr *w, uint32_t n, Expr *x, Expr *below,
                  Expr *relation) {
  Mark mark = arena_mark(&cx->scratch);
  uint32_t *block = arena_array(&cx->scratch, uint32_t, n + 1), number = 0;
  Expr *plain = arena_array(&cx->scratch, Expr, (size_t)n * n + 1);
  // what is zero under another name must not join blocks
  for (uint32_t i = 0; i < n * n; i++) plain[i] = vanishes(cx, A[i]) ? expr_int(cx, 0) : A[i];
  memset(block, 0, (n + 1) * sizeof *block);
  bool good = true;
  for (uint32_t i = 0; good && i < n; i++) {
    if (block[i]) continue;
    mark_block(cx, plain, n, i, ++number, block);
    Block b = take_block(cx, plain, w, n, block, number);
    good = solve_block(&b, x, below, relation);
  }
  arena_release(&cx->scratch, mark);
  return good;
}
