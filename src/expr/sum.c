// Sums: flattened, like terms merged, sorted by id.
#include <assert.h>
#include <stdlib.h>

#include "expr/build.h"
#include "expr/canonical.h"

typedef struct Gathered {
  VEC(Pair) terms;
  Number constant;
  bool undefined;
} Gathered;

static void gather_term(Context *cx, Gathered *g, Expr e, Number factor) {
  const Node *node = node_of(cx, e);
  switch (node->op) {
  case OP_UNDEFINED: g->undefined = true; break;
  case OP_NUMBER:
    g->constant = number_add(cx, g->constant, number_mul(cx, factor, node->number));
    break;
  case OP_SUM:
    g->constant = number_add(cx, g->constant, number_mul(cx, factor, node->number));
    for (uint32_t i = 0; i < node->count; i++) {
      Pair p = pairs_of(node)[i];
      p.number = number_mul(cx, factor, p.number);
      vec_push(&cx->scratch, &g->terms, p);
    }
    break;
  case OP_PRODUCT: {
    Pair p = {expr_without_coefficient(cx, e), number_mul(cx, factor, node->number)};
    vec_push(&cx->scratch, &g->terms, p);
    break;
  }
  default: vec_push(&cx->scratch, &g->terms, ((Pair){e, factor}));
  }
}

static int by_id(const void *a, const void *b) {
  const Pair *x = a, *y = b;
  return (x->expr > y->expr) - (x->expr < y->expr);
}

// Sorts unless already in order, merges equal expressions, drops zeros; false on overflow.
static bool merge(Context *cx, Pair *terms, uint32_t *n) {
  for (uint32_t i = 1; i < *n; i++) {
    if (terms[i - 1].expr > terms[i].expr) {
      qsort(terms, *n, sizeof *terms, by_id);
      break;
    }
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < *n;) {
    Pair p = terms[i++];
    for (; i < *n && terms[i].expr == p.expr; i++)
      p.number = number_add(cx, p.number, terms[i].number);
    if (p.number == NUMBER_NONE) return false;
    if (p.number != NUMBER_ZERO) terms[kept++] = p;
  }
  *n = kept;
  return true;
}

static Expr make_sum(Context *cx, Gathered *g) {
  if (g->undefined || !merge(cx, g->terms.at, &g->terms.n) || g->constant == NUMBER_NONE)
    return expr_undefined(cx);
  if (g->terms.n == 0) return expr_number(cx, g->constant);
  if (g->terms.n == 1 && g->constant == NUMBER_ZERO)
    return expr_scale(cx, g->terms.at[0].number, g->terms.at[0].expr);
  return node_intern(cx, OP_SUM, g->constant, g->terms.n, (const uint32_t *)g->terms.at,
                     2 * g->terms.n);
}

Expr expr_linear(Context *cx, Number constant, const Pair *terms, size_t n) {
  expr_store(cx);
  Mark mark = arena_mark(&cx->scratch);
  Gathered g = {.constant = constant};
  for (size_t i = 0; i < n; i++) gather_term(cx, &g, terms[i].expr, terms[i].number);
  Expr e = make_sum(cx, &g);
  arena_release(&cx->scratch, mark);
  ASSERT_CANONICAL(cx, e);
  return e;
}

Expr expr_sum(Context *cx, const Expr *terms, size_t n) {
  expr_store(cx);
  Mark mark = arena_mark(&cx->scratch);
  Gathered g = {.constant = NUMBER_ZERO};
  for (size_t i = 0; i < n; i++) gather_term(cx, &g, terms[i], NUMBER_ONE);
  Expr e = make_sum(cx, &g);
  arena_release(&cx->scratch, mark);
  ASSERT_CANONICAL(cx, e);
  return e;
}

Expr expr_add(Context *cx, Expr a, Expr b) {
  if (expr_is_zero(cx, a)) return b;
  if (expr_is_zero(cx, b)) return a;
  return expr_sum(cx, (Expr[]){a, b}, 2);
}

Expr expr_sub(Context *cx, Expr a, Expr b) {
  return expr_linear(cx, NUMBER_ZERO, (Pair[]){{a, NUMBER_ONE}, {b, NUMBER_MINUS_ONE}}, 2);
}

Expr expr_neg(Context *cx, Expr a) { return expr_scale(cx, NUMBER_MINUS_ONE, a); }

// Every coefficient of a sum times factor.
static Expr scale_sum(Context *cx, Number factor, const Node *node) {
  Mark mark = arena_mark(&cx->scratch);
  Pair *terms = arena_array(&cx->scratch, Pair, node->count);
  bool fits = true;
  for (uint32_t i = 0; i < node->count; i++) {
    terms[i] = pairs_of(node)[i];
    terms[i].number = number_mul(cx, factor, terms[i].number);
    fits = fits && terms[i].number != NUMBER_NONE;
  }
  Number constant = number_mul(cx, factor, node->number);
  Expr e = !fits || constant == NUMBER_NONE ? expr_undefined(cx)
                                            : node_intern(cx, OP_SUM, constant, node->count,
                                                          (const uint32_t *)terms, 2 * node->count);
  arena_release(&cx->scratch, mark);
  return e;
}

Expr expr_scale(Context *cx, Number factor, Expr a) {
  const Node *node = node_of(cx, a);
  if (factor == NUMBER_NONE || node->op == OP_UNDEFINED) return expr_undefined(cx);
  if (factor == NUMBER_ZERO) return cx->exprs->zero;
  if (factor == NUMBER_ONE) return a;
  switch (node->op) {
  case OP_NUMBER: return expr_number(cx, number_mul(cx, factor, node->number));
  case OP_SUM: return scale_sum(cx, factor, node);
  case OP_PRODUCT: return expr_monomial(cx, factor, (Pair[]){{a, NUMBER_ONE}}, 1);
  default: {
    Pair p = {a, NUMBER_ONE};
    return node_intern(cx, OP_PRODUCT, factor, 1, (const uint32_t *)&p, 2);
  }
  }
}
