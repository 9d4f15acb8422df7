// Equations of motion solved for their accelerations, where that is short.
#include <string.h>

#include "expr/algebra/cost.h"
#include "expr/algebra/determinant.h"
#include "expr/build.h"
#include "expr/order.h"
#include "expr/print.h"
#include "print/listing.h"

static size_t text_length(Context *cx, Expr e) {
  Mark mark = arena_mark(&cx->scratch);
  size_t length = strlen(expr_text(cx, &cx->scratch, e));
  arena_release(&cx->scratch, mark);
  return length;
}

enum { LONGEST_SOLVED = 160 }; // letters

// Q with the forces of contacts, of the only coordinate.
static Expr with_contacts(const System *s) {
  Context *cx = s->cx;
  Expr sum = s->Q[0];
  for (uint32_t i = 0; i < s->contact_count; i++)
    sum = expr_sub(cx, sum, expr_mul(cx, s->contacts[i].phi_q[0], s->contacts[i].multiplier));
  return sum;
}

bool listing_solved(const Listing *listing, Expr *left, Expr *right) {
  const System *s = listing->system;
  Context *cx = s->cx;
  if (s->n != 1 || s->row_count || !s->M || expr_is_zero(cx, s->M[0])) return false;
  Expr terms[] = {s->h[0], s->D[0], s->G[0], with_contacts(s)};
  size_t before = text_length(cx, s->M[0]), after = 0;
  for (int i = 0; i < 4; i++) {
    if (expr_cost_with_definitions(cx, terms[i]) > LONGEST_SOLVED) return false;
    before += text_length(cx, terms[i]);
    terms[i] = expr_div(cx, terms[i], s->M[0]);
  }
  expr_simplify_many(cx, terms, 4, SIMPLIFY_NORMAL, terms);
  for (int i = 0; i < 4; i++) after += text_length(cx, terms[i]);
  *left = expr_add(cx, expr_add(cx, terms[0], terms[1]), terms[2]);
  *right = terms[3];
  return after <= before + 16 && after <= LONGEST_SOLVED;
}

// ---- Several unknowns

enum {
  MOST_UNKNOWNS = 6,
  LARGEST_ENTRIES = 400, // nodes of all that is solved
  LONGEST_ENTRY = 130,   // letters of one solution
  LONGEST_ALL = 360
};

// [M Phi_q^T; Phi_q 0] [q''; lambda] = [Q - h - D - G; gamma]
static uint32_t fill_system(const System *s, Expr *A, Expr *b) {
  Context *cx = s->cx;
  uint32_t n = s->n, size = n + s->row_count, cost = 0;
  for (uint32_t i = 0; i < size; i++)
    for (uint32_t j = 0; j < size; j++)
      A[i * size + j] = i < n && j < n ? s->M[i * n + j]
                        : i < n        ? s->rows[j - n].phi_q[i]
                        : j < n        ? s->rows[i - n].phi_q[j]
                                       : expr_int(cx, 0);
  for (uint32_t i = 0; i < size; i++) {
    Expr terms[] = {i < n ? s->Q[i] : s->rows[i - n].gamma, expr_int(cx, 0)};
    if (i < n) terms[1] = expr_neg(cx, expr_add(cx, expr_add(cx, s->h[i], s->D[i]), s->G[i]));
    b[i] = expr_sum(cx, terms, 2);
    cost += expr_cost_with_definitions(cx, b[i]);
  }
  for (uint32_t i = 0; i < size * size; i++) cost += expr_cost_with_definitions(cx, A[i]);
  return cost;
}

// Cramer's rule: the column of an unknown replaced by the right side.
static Expr with_column(Context *cx, const Expr *A, const Expr *b, uint32_t n, uint32_t column) {
  Expr *replaced = arena_array(&cx->scratch, Expr, n * n);
  for (uint32_t i = 0; i < n * n; i++) replaced[i] = i % n == column ? b[i / n] : A[i];
  return expr_determinant(cx, replaced, n);
}

// Each term of it divided by the factor.
static Expr divided(Context *cx, Expr e, Expr factor) {
  Expr sum = expr_int(cx, 0);
  TermList terms = expr_terms(cx, expr_simplify(cx, e, SIMPLIFY_NORMAL));
  for (uint32_t i = 0; i < terms.n; i++) {
    Expr one = expr_simplify(cx, expr_div(cx, terms.at[i], factor), SIMPLIFY_NORMAL);
    sum = expr_add(cx, sum, one);
  }
  return sum;
}

// An acceleration that is alone in its equation, each term of that divided by its factor; 0 where
// there are others.
static Expr divided_by_terms(const System *s, uint32_t i) {
  Context *cx = s->cx;
  if (i >= s->n || s->row_count) return 0;
  for (uint32_t j = 0; j < s->n; j++)
    if (j != i && !expr_is_zero(cx, s->M[i * s->n + j])) return 0;
  Expr sum = expr_int(cx, 0), factor = s->M[i * s->n + i];
  const Expr parts[] = {s->h[i], s->D[i], s->G[i]};
  for (int k = 0; k < 3; k++) sum = expr_sub(cx, sum, divided(cx, parts[k], factor));
  return expr_add(cx, sum, divided(cx, s->Q[i], factor));
}

bool listing_accelerations(const Listing *listing, ExprList *out) {
  const System *s = listing->system;
  Context *cx = s->cx;
  uint32_t n = s->n + s->row_count;
  *out = (ExprList){0};
  if (n < 2 || n > MOST_UNKNOWNS || s->contact_count || !s->M) return false;
  Expr *A = arena_array(&cx->scratch, Expr, n * n), *b = arena_array(&cx->scratch, Expr, n);
  if (fill_system(s, A, b) > LARGEST_ENTRIES) return false;
  Expr whole = expr_simplify(cx, expr_determinant(cx, A, n), SIMPLIFY_NORMAL);
  if (expr_is_zero(cx, whole)) return false;
  size_t length = 0;
  for (uint32_t i = 0; i < n; i++) {
    Expr value = expr_div(cx, with_column(cx, A, b, n, i), whole);
    value = expr_simplify(cx, value, SIMPLIFY_NORMAL);
    Expr terms = divided_by_terms(s, i);
    if (terms && text_length(cx, terms) <= text_length(cx, value)) value = terms;
    size_t letters = text_length(cx, value);
    length += letters;
    if (!expr_is_defined(cx, value) || letters > LONGEST_ENTRY || length > LONGEST_ALL)
      return false;
    vec_push(&cx->scratch, out, value);
  }
  return true;
}
