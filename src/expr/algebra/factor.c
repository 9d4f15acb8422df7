// Polynomials to FLINT and back.
#include "expr/algebra/factor.h"

#include <string.h>

#include "expr/build.h"
#include "expr/flint.h"

static Factored single_factor(Context *cx, Content content, Poly rest) {
  Factored out = {.content = content};
  if (rest.n == 1 && rest.at->monomial == cx->exprs->one) {
    out.content.number = number_mul(cx, content.number, rest.at->coefficient);
    return out;
  }
  PolyFactor *f = arena_new(&cx->scratch, PolyFactor);
  *f = (PolyFactor){rest, 1};
  out.factor = f;
  out.n = 1;
  return out;
}

Factored poly_unfactored(Context *cx, Gather *g, Poly p) {
  Content content = poly_content(cx, p);
  return single_factor(cx, content, poly_divide_content(cx, g, p, content));
}

// ---- Is it certainly irreducible?

static bool contains(const Context *cx, Expr monomial, Expr base, Number *exponent) {
  Pair single;
  Factors f = monomial_factors(cx, monomial, &single);
  for (uint32_t i = 0; i < f.n; i++) {
    if (f.at[i].expr == base) {
      *exponent = f.at[i].number;
      return true;
    }
  }
  return false;
}

// p = a x + b with a one term: irreducible when no factor of a divides b and p has no content.
static bool is_linear_in(const Context *cx, Poly p, uint32_t term, Expr x) {
  Number exponent;
  for (uint32_t i = 0; i < p.n; i++) {
    bool found = contains(cx, p.at[i].monomial, x, &exponent);
    if (found != (i == term) || (found && exponent != NUMBER_ONE)) return false;
  }
  Pair single;
  Factors f = monomial_factors(cx, p.at[term].monomial, &single);
  for (uint32_t k = 0; k < f.n; k++) {
    bool common = f.at[k].expr != x;
    for (uint32_t i = 0; i < p.n && common; i++)
      common = i == term || contains(cx, p.at[i].monomial, f.at[k].expr, &exponent);
    if (common) return false;
  }
  return true;
}

static bool is_irreducible(const Context *cx, Poly p) {
  Pair single;
  for (uint32_t i = 0; i < p.n; i++) {
    Factors f = monomial_factors(cx, p.at[i].monomial, &single);
    for (uint32_t k = 0; k < f.n; k++) {
      if (f.at[k].number == NUMBER_ONE && is_linear_in(cx, p, i, f.at[k].expr)) return true;
    }
  }
  return false;
}

// ---- Conversion

typedef struct Variables {
  Expr at[FACTOR_MOST_VARIABLES];
  uint32_t n;
} Variables;

// The variable's number, a new one if there is room; -1 if not.
static int variable_of(Variables *v, Expr base) {
  for (uint32_t i = 0; i < v->n; i++) {
    if (v->at[i] == base) return (int)i;
  }
  if (v->n == FACTOR_MOST_VARIABLES) return -1;
  v->at[v->n] = base;
  return (int)v->n++;
}

// False when the polynomial is beyond the bounds or has roots.
static bool integer_poly_from(Context *cx, Poly p, Variables *v, IntegerPoly *out) {
  if (p.n > FACTOR_MOST_TERMS) return false;
  uint16_t *wide = arena_array(&cx->scratch, uint16_t, (size_t)p.n * FACTOR_MOST_VARIABLES);
  out->coefficients = arena_array(&cx->scratch, int64_t, p.n);
  for (uint32_t i = 0; i < p.n; i++) {
    Pair single;
    Factors f = monomial_factors(cx, p.at[i].monomial, &single);
    int64_t degree = 0, exponent;
    if (!number_to_int(cx, p.at[i].coefficient, &out->coefficients[i])) return false;
    for (uint32_t k = 0; k < f.n; k++) {
      int variable = variable_of(v, f.at[k].expr);
      if (variable < 0 || !number_to_int(cx, f.at[k].number, &exponent) || exponent < 0)
        return false;
      degree += exponent;
      if (degree > FACTOR_HIGHEST_DEGREE) return false;
      wide[i * FACTOR_MOST_VARIABLES + (uint32_t)variable] = (uint16_t)exponent;
    }
  }
  out->terms = p.n;
  out->variables = v->n;
  out->exponents = arena_array(&cx->scratch, uint16_t, (size_t)p.n * v->n);
  for (uint32_t i = 0; i < p.n; i++)
    memcpy(out->exponents + (size_t)i * v->n, wide + (size_t)i * FACTOR_MOST_VARIABLES,
           v->n * sizeof *wide);
  return true;
}

static Poly poly_from_integers(Context *cx, Gather *g, const FactorList *list, uint32_t factor,
                               const Variables *v) {
  Pair pairs[FACTOR_MOST_VARIABLES];
  for (uint32_t i = 0; i < list->factor[factor].terms; i++) {
    size_t term = list->factor[factor].first + i;
    const uint16_t *exponents = list->all.exponents + term * v->n;
    for (uint32_t k = 0; k < v->n; k++) pairs[k] = (Pair){v->at[k], number_int(cx, exponents[k])};
    Expr monomial = expr_monomial(cx, NUMBER_ONE, pairs, v->n);
    Number coefficient = number_int(cx, list->all.coefficients[term]);
    gather_add(cx, g, (Term){monomial, cx->exprs->one, coefficient});
  }
  return gather_take(cx, g);
}

Factored poly_factor(Context *cx, Gather *g, Poly p) {
  Content content = poly_content(cx, p);
  Poly rest = poly_divide_content(cx, g, p, content);
  Factored whole = single_factor(cx, content, rest);
  Variables v = {.n = 0};
  IntegerPoly integers;
  if (rest.n < 2 || is_irreducible(cx, rest) || !integer_poly_from(cx, rest, &v, &integers))
    return whole;
  uint32_t room = 8 * p.n + 64;
  FactorList list = {.all = {.terms = room, .variables = v.n}};
  list.all.coefficients = arena_array(&cx->scratch, int64_t, room);
  list.all.exponents = arena_array(&cx->scratch, uint16_t, (size_t)room * v.n);
  flint_serves(cx);
  if (!integer_poly_factor(&integers, &list)) return whole;
  PolyFactor *factors = arena_array(&cx->scratch, PolyFactor, list.n);
  for (uint32_t i = 0; i < list.n; i++)
    factors[i] = (PolyFactor){poly_from_integers(cx, g, &list, i, &v), list.factor[i].power};
  content.number = number_mul(cx, content.number, number_int(cx, list.constant));
  return (Factored){content, factors, list.n};
}
