// Terms, monomials and their sums.
#include "expr/algebra/polynomial.h"

#include <string.h>

#include "base/hash.h"
#include "expr/build.h"

// ---- Collecting terms

static uint32_t slot_of(const Gather *g, Expr monomial, Expr wave) {
  uint32_t mask = g->slot_count - 1, i = hash_word(monomial, wave) & mask;
  for (; g->slots[i]; i = (i + 1) & mask) {
    const Term *t = &g->terms.at[g->slots[i] - 1];
    if (t->monomial == monomial && t->wave == wave) break;
  }
  return i;
}

static void enlarge(Context *cx, Gather *g) {
  g->slot_count = g->slot_count ? 2 * g->slot_count : 64;
  g->slots = arena_array(&cx->scratch, uint32_t, g->slot_count);
  for (uint32_t i = 0; i < g->terms.n; i++)
    g->slots[slot_of(g, g->terms.at[i].monomial, g->terms.at[i].wave)] = i + 1;
}

void gather_add(Context *cx, Gather *g, Term term) {
  if (2 * g->terms.n >= g->slot_count) enlarge(cx, g);
  uint32_t i = slot_of(g, term.monomial, term.wave);
  if (g->slots[i]) {
    Term *t = &g->terms.at[g->slots[i] - 1];
    t->coefficient = number_add(cx, t->coefficient, term.coefficient);
  } else {
    vec_push(&cx->scratch, &g->terms, term);
    g->slots[i] = g->terms.n;
  }
}

Term *gather_find(const Gather *g, Expr monomial, Expr wave) {
  uint32_t i = g->slot_count ? g->slots[slot_of(g, monomial, wave)] : 0;
  return i ? &g->terms.at[i - 1] : NULL;
}

Poly gather_take(Context *cx, Gather *g) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < g->terms.n; i++) n += g->terms.at[i].coefficient != NUMBER_ZERO;
  Term *terms = arena_array(&cx->scratch, Term, n);
  n = 0;
  for (uint32_t i = 0; i < g->terms.n; i++) {
    if (g->terms.at[i].coefficient != NUMBER_ZERO) terms[n++] = g->terms.at[i];
  }
  // Long tables are cleared whole, short ones slot by slot.
  if (8 * g->terms.n > g->slot_count) {
    memset(g->slots, 0, g->slot_count * sizeof *g->slots);
  } else {
    for (uint32_t i = g->terms.n; i-- > 0;)
      g->slots[slot_of(g, g->terms.at[i].monomial, g->terms.at[i].wave)] = 0;
  }
  g->terms.n = 0;
  return (Poly){terms, n};
}

// ---- Monomials

Factors monomial_factors(const Context *cx, Expr monomial, Pair *single) {
  const Node *node = node_of(cx, monomial);
  if (node->op == OP_PRODUCT) return (Factors){pairs_of(node), node->count};
  if (node->op == OP_NUMBER) return (Factors){single, 0};
  *single = (Pair){monomial, NUMBER_ONE};
  return (Factors){single, 1};
}

#define MOST_MERGED 64

// A root that was multiplied with its like: its whole powers must leave the monomial.
static bool is_loose(Context *cx, Pair p) {
  Op op = op_of(cx, p.expr);
  if (op == OP_SYMBOL || op == OP_PI) return false;
  return number_compare(cx, p.number, NUMBER_ONE) >= 0;
}

static bool multiply_roots(Context *cx, Expr a, Expr b, Expr *monomial, Number *coefficient) {
  Expr product = expr_mul(cx, a, b);
  *coefficient = expr_coefficient(cx, product);
  *monomial = expr_without_coefficient(cx, product);
  Pair single, inner;
  Factors f = monomial_factors(cx, *monomial, &single);
  for (uint32_t i = 0; i < f.n; i++) {
    // Only what both sides share can have become loose.
    Factors fa = monomial_factors(cx, a, &inner);
    for (uint32_t k = 0; k < fa.n; k++) {
      if (fa.at[k].expr != f.at[i].expr || number_is_integer(cx, fa.at[k].number)) continue;
      if (is_loose(cx, f.at[i])) return false;
    }
  }
  return op_of(cx, *monomial) != OP_SUM;
}

bool monomial_mul(Context *cx, Expr a, Expr b, Expr *monomial, Number *coefficient) {
  *coefficient = NUMBER_ONE;
  *monomial = a;
  if (b == cx->exprs->one) return true;
  *monomial = b;
  if (a == cx->exprs->one) return true;
  Pair single_a, single_b, merged[MOST_MERGED];
  Factors x = monomial_factors(cx, a, &single_a), y = monomial_factors(cx, b, &single_b);
  if (x.n + y.n > MOST_MERGED) return multiply_roots(cx, a, b, monomial, coefficient);
  uint32_t n = 0, i = 0, j = 0;
  while (i < x.n || j < y.n) {
    if (j == y.n || (i < x.n && x.at[i].expr < y.at[j].expr)) {
      merged[n++] = x.at[i++];
    } else if (i == x.n || y.at[j].expr < x.at[i].expr) {
      merged[n++] = y.at[j++];
    } else {
      Number p = x.at[i].number, q = y.at[j].number;
      if (!number_is_integer(cx, p) || !number_is_integer(cx, q))
        return multiply_roots(cx, a, b, monomial, coefficient);
      merged[n] = (Pair){x.at[i].expr, number_add(cx, p, q)};
      n += merged[n].number != NUMBER_ZERO;
      i++, j++;
    }
  }
  if (n == 0)
    *monomial = cx->exprs->one;
  else if (n == 1 && merged[0].number == NUMBER_ONE)
    *monomial = merged[0].expr;
  else
    *monomial = node_intern(cx, OP_PRODUCT, NUMBER_ONE, n, (const uint32_t *)merged, 2 * n);
  return true;
}

// ---- Flat expressions

// A term whose expression has no coefficient.
static Term term_from_product(Context *cx, Expr e, Number coefficient, bool waves) {
  Expr one = cx->exprs->one;
  if (!waves) return (Term){e, one, coefficient};
  if (op_is_wave(op_of(cx, e))) return (Term){one, e, coefficient};
  const Node *node = node_of(cx, e);
  if (node->op != OP_PRODUCT) return (Term){e, one, coefficient};
  for (uint32_t i = 0; i < node->count; i++) {
    Pair p = pairs_of(node)[i];
    if (p.number == NUMBER_ONE && op_is_wave(op_of(cx, p.expr)))
      return (Term){expr_div(cx, e, p.expr), p.expr, coefficient};
  }
  return (Term){e, one, coefficient};
}

Poly poly_from_flat(Context *cx, Gather *g, Expr e, bool waves) {
  const Node *node = node_of(cx, e);
  Expr one = cx->exprs->one;
  if (node->op == OP_NUMBER) {
    if (node->number != NUMBER_ZERO) gather_add(cx, g, (Term){one, one, node->number});
  } else if (node->op == OP_SUM) {
    if (node->number != NUMBER_ZERO) gather_add(cx, g, (Term){one, one, node->number});
    for (uint32_t i = 0; i < node->count; i++) {
      Pair p = pairs_of(node)[i];
      gather_add(cx, g, term_from_product(cx, p.expr, p.number, waves));
    }
  } else {
    Expr rest = expr_without_coefficient(cx, e);
    gather_add(cx, g, term_from_product(cx, rest, expr_coefficient(cx, e), waves));
  }
  return gather_take(cx, g);
}

Expr poly_to_expr(Context *cx, Poly p) {
  Mark mark = arena_mark(&cx->scratch);
  Pair *pairs = arena_array(&cx->scratch, Pair, p.n);
  for (uint32_t i = 0; i < p.n; i++)
    pairs[i] = (Pair){expr_mul(cx, p.at[i].monomial, p.at[i].wave), p.at[i].coefficient};
  Expr e = expr_linear(cx, NUMBER_ZERO, pairs, p.n);
  arena_release(&cx->scratch, mark);
  return e;
}

Poly poly_plain(Context *cx, Gather *g, Poly p) {
  Expr one = cx->exprs->one;
  for (uint32_t i = 0; i < p.n; i++) {
    Expr monomial = expr_mul(cx, p.at[i].monomial, p.at[i].wave);
    gather_add(cx, g, (Term){monomial, one, p.at[i].coefficient});
  }
  return gather_take(cx, g);
}

// ---- Common factors

typedef VEC(Pair) PairList;

static Number exponent_of(Factors f, Expr base) {
  for (uint32_t k = 0; k < f.n; k++) {
    if (f.at[k].expr == base) return f.at[k].number;
  }
  return NUMBER_ZERO;
}

// Each factor with its smallest exponent so far; a factor that is missing has exponent 0.
static void intersect(Context *cx, PairList *common, Factors f) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < common->n; i++) {
    Pair p = common->at[i];
    Number exponent = exponent_of(f, p.expr);
    if (number_compare(cx, exponent, p.number) < 0) p.number = exponent;
    if (p.number != NUMBER_ZERO) common->at[kept++] = p;
  }
  common->n = kept;
  for (uint32_t k = 0; k < f.n; k++) {
    bool known = number_sign(cx, f.at[k].number) > 0;
    for (uint32_t i = 0; i < common->n && !known; i++) known = common->at[i].expr == f.at[k].expr;
    if (!known) vec_push(&cx->scratch, common, f.at[k]);
  }
}

Content poly_content(Context *cx, Poly p) {
  Content content = {NUMBER_ZERO, cx->exprs->one};
  Mark mark = arena_mark(&cx->scratch);
  PairList common = {0};
  Pair single;
  for (uint32_t i = 0; i < p.n; i++) {
    Factors f = monomial_factors(cx, p.at[i].monomial, &single);
    content.number = number_content(cx, content.number, p.at[i].coefficient);
    if (i > 0) {
      intersect(cx, &common, f);
    } else {
      for (uint32_t k = 0; k < f.n; k++) {
        if (op_of(cx, f.at[k].expr) != OP_NUMBER) vec_push(&cx->scratch, &common, f.at[k]);
      }
    }
  }
  content.monomial = expr_monomial(cx, NUMBER_ONE, common.at, common.n);
  arena_release(&cx->scratch, mark);
  return content;
}

Poly poly_divide_content(Context *cx, Gather *g, Poly p, Content content) {
  if (content.number == NUMBER_ONE && content.monomial == cx->exprs->one) return p;
  Expr inverse = expr_power(cx, content.monomial, NUMBER_MINUS_ONE);
  for (uint32_t i = 0; i < p.n; i++) {
    Term t = p.at[i];
    Expr quotient = expr_mul(cx, t.monomial, inverse);
    t.monomial = expr_without_coefficient(cx, quotient);
    t.coefficient = number_mul(cx, expr_coefficient(cx, quotient),
                               number_div(cx, t.coefficient, content.number));
    gather_add(cx, g, t);
  }
  return gather_take(cx, g);
}
