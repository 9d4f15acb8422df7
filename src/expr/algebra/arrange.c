// Arrangements of polynomials.
#include "expr/algebra/arrange.h"

#include "expr/algebra/cost.h"
#include "expr/algebra/factor.h"
#include "expr/algebra/identities.h"
#include "expr/build.h"
#include "expr/walk.h"

void cheapest_offer(Context *cx, Cheapest *cheapest, Expr e) {
  if (e == cheapest->best) return;
  double cost = expr_cost(cx, e);
  if (cheapest->best && cost >= cheapest->cost) return;
  *cheapest = (Cheapest){e, cost};
}

// ---- Groups

// Splits a monomial: factors for which the question is answered yes, and the rest.
static void split_monomial(Context *cx, Expr monomial, FactorQuestion *question, Expr *yes,
                           Expr *no) {
  Pair single;
  Factors f = monomial_factors(cx, monomial, &single);
  bool any = false, all = true;
  for (uint32_t i = 0; i < f.n; i++) {
    bool answer = question(cx, f.at[i].expr);
    any = any || answer, all = all && answer;
  }
  *yes = any ? monomial : cx->exprs->one;
  *no = all && f.n ? cx->exprs->one : monomial;
  if (!any || all) return;
  Pair *parts = arena_array(&cx->scratch, Pair, f.n);
  uint32_t n = 0;
  for (uint32_t i = 0; i < f.n; i++) {
    if (question(cx, f.at[i].expr)) parts[n++] = f.at[i];
  }
  *yes = expr_monomial(cx, NUMBER_ONE, parts, n);
  n = 0;
  for (uint32_t i = 0; i < f.n; i++) {
    if (!question(cx, f.at[i].expr)) parts[n++] = f.at[i];
  }
  *no = expr_monomial(cx, NUMBER_ONE, parts, n);
}

Groups group_terms(Context *cx, Poly p, FactorQuestion *question) {
  uint32_t *group_of = arena_array(&cx->scratch, uint32_t, p.n);
  Term *rest = arena_array(&cx->scratch, Term, p.n);
  VEC(Group) groups = {0};
  ExprMemo *known = memo_take(cx);
  for (uint32_t i = 0; i < p.n; i++) {
    Expr key;
    rest[i] = p.at[i];
    split_monomial(cx, p.at[i].monomial, question, &key, &rest[i].monomial);
    uint32_t index = memo_get(known, key);
    if (!index) {
      vec_push(&cx->scratch, &groups, ((Group){key, {NULL, 0}}));
      memo_set(cx, known, key, index = groups.n);
    }
    group_of[i] = index - 1;
    groups.at[index - 1].poly.n++;
  }
  memo_give(cx, known);
  for (uint32_t k = 0; k < groups.n; k++) {
    Term *terms = arena_array(&cx->scratch, Term, groups.at[k].poly.n);
    uint32_t n = 0;
    for (uint32_t i = 0; i < p.n && n < groups.at[k].poly.n; i++) {
      if (group_of[i] == k) terms[n++] = rest[i];
    }
    groups.at[k].poly.at = terms;
  }
  return (Groups){groups.at, groups.n};
}

// ---- Bundles: L^2*m_2 + L^2*m_3 + L^2*m_4 + J = L^2*(m_2 + m_3 + m_4) + J

#define LEAST_BUNDLE 3 // two terms stay apart, as in the books
#define MOST_TERMS 300

// What term t is apart from the symbol at place k of its factors; 0 if that is not a single symbol.
static Expr cofactor(Context *cx, Term t, uint32_t k) {
  Pair single;
  Factors f = monomial_factors(cx, t.monomial, &single);
  if (f.n < 2 || k >= f.n || f.at[k].number != NUMBER_ONE) return 0;
  if (op_of(cx, f.at[k].expr) != OP_SYMBOL) return 0;
  Expr rest = expr_div(cx, t.monomial, f.at[k].expr);
  return expr_scale(cx, number_abs(cx, t.coefficient), rest);
}

static uint32_t factor_count(const Context *cx, Term t) {
  Pair single;
  return monomial_factors(cx, t.monomial, &single).n;
}

// The cofactor that most terms share, if enough do.
static Expr common_cofactor(Context *cx, const Term *terms, uint32_t n) {
  ExprMemo *counts = memo_take(cx);
  Expr best = 0;
  uint32_t most = LEAST_BUNDLE - 1;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < factor_count(cx, terms[i]); k++) {
      Expr key = cofactor(cx, terms[i], k);
      if (!key) continue;
      uint32_t count = memo_get(counts, key) + 1;
      memo_set(cx, counts, key, count);
      if (count > most) best = key, most = count;
    }
  }
  memo_give(cx, counts);
  return best;
}

// Takes the terms with this cofactor out of the list and returns their bracket times it.
static Expr take_bundle(Context *cx, Term *terms, uint32_t *n, Expr key) {
  Pair *inside = arena_array(&cx->scratch, Pair, *n);
  uint32_t kept = 0, taken = 0;
  for (uint32_t i = 0; i < *n; i++) {
    Term t = terms[i];
    uint32_t k = 0, count = factor_count(cx, t);
    while (k < count && cofactor(cx, t, k) != key) k++;
    if (k == count) {
      terms[kept++] = t;
      continue;
    }
    Pair single;
    Expr symbol = monomial_factors(cx, t.monomial, &single).at[k].expr;
    Number sign = number_sign(cx, t.coefficient) < 0 ? NUMBER_MINUS_ONE : NUMBER_ONE;
    inside[taken++] = (Pair){symbol, sign};
  }
  *n = kept;
  return expr_mul(cx, key, expr_linear(cx, NUMBER_ZERO, inside, taken));
}

static Expr bundled_sum(Context *cx, Poly p) {
  if (p.n <= LEAST_BUNDLE || p.n > MOST_TERMS) return poly_to_expr(cx, p);
  Term *terms = arena_array(&cx->scratch, Term, p.n);
  for (uint32_t i = 0; i < p.n; i++) terms[i] = p.at[i];
  uint32_t n = p.n;
  Expr sum = cx->exprs->zero;
  for (Expr key; n >= LEAST_BUNDLE && (key = common_cofactor(cx, terms, n));)
    sum = expr_add(cx, sum, take_bundle(cx, terms, &n, key));
  return expr_add(cx, sum, poly_to_expr(cx, (Poly){terms, n}));
}

// ---- Forms of one polynomial

static Expr expr_from_factors(Context *cx, Gather *g, const Factored *f) {
  Pair *factors = arena_array(&cx->scratch, Pair, f->n + 1);
  factors[0] = (Pair){f->content.monomial, NUMBER_ONE};
  for (uint32_t i = 0; i < f->n; i++) {
    Poly short_one = poly_shorten(cx, g, f->factor[i].poly);
    factors[i + 1] =
        (Pair){bundled_sum(cx, short_one), number_int(cx, (int64_t)f->factor[i].power)};
  }
  return expr_monomial(cx, f->content.number, factors, f->n + 1);
}

static bool is_trigonometric(const Context *cx, Expr base) {
  Op op = op_of(cx, base);
  return op_is_wave(op) || op == OP_TAN;
}

static bool is_state(const Context *cx, Expr base) {
  bool coordinate = op_of(cx, base) == OP_SYMBOL && symbol_kind(cx, base) == SYMBOL_COORDINATE;
  return coordinate || is_trigonometric(cx, base);
}

// Terms with the same sines and cosines, or coordinates too, in one bracket.
static Expr grouped(Context *cx, Gather *g, Poly p, FactorQuestion *question) {
  Content content = poly_content(cx, p);
  Groups groups = group_terms(cx, poly_divide_content(cx, g, p, content), question);
  if (groups.n == 1 || groups.n == p.n) return 0;
  Expr *terms = arena_array(&cx->scratch, Expr, groups.n);
  for (uint32_t i = 0; i < groups.n; i++) {
    Factored f = poly_factor(cx, g, groups.at[i].poly);
    terms[i] = expr_mul(cx, expr_from_factors(cx, g, &f), groups.at[i].key);
  }
  Expr sum = expr_sum(cx, terms, groups.n);
  return expr_monomial(cx, content.number,
                       (Pair[]){{content.monomial, NUMBER_ONE}, {sum, NUMBER_ONE}}, 2);
}

// ---- Springs: 1 - l_0/l = (l - l_0)/l

#define MOST_SPRING_TERMS 64

// The root or named length of which 1/length is a factor of the term; 0 for none.
static Expr length_below(Context *cx, Term t) {
  Pair single;
  Factors f = monomial_factors(cx, t.monomial, &single);
  for (uint32_t k = 0; k < f.n; k++) {
    Pair p = f.at[k];
    if (op_of(cx, p.expr) == OP_DEFINITION && p.number == NUMBER_MINUS_ONE) return p.expr;
    if (!number_is_integer(cx, p.number) && number_sign(cx, p.number) < 0)
      return expr_power(cx, p.expr, number_neg(cx, p.number));
  }
  return 0;
}

// p = Q*(l_0 - l)/l + rest: every term with 1/l has l_0 and a partner with neither.
typedef struct Spring {
  Expr length, rest_length;
  Poly stiffness, rest; // Q and rest
} Spring;

static bool split_spring(Context *cx, Gather *g, Poly p, Expr length, Expr symbol, Spring *out) {
  Expr one = cx->exprs->one, factor = expr_div(cx, length, symbol);
  VEC(Term) stiffness = {0};
  for (uint32_t i = 0; i < p.n; i++) {
    bool below = length_below(cx, p.at[i]) == length;
    Term t = {below ? expr_mul(cx, p.at[i].monomial, factor) : one, one, p.at[i].coefficient};
    if (below) vec_push(&cx->scratch, &stiffness, t);
    if (!below) gather_add(cx, g, p.at[i]);
  }
  uint32_t before = g->terms.n;
  for (uint32_t i = 0; i < stiffness.n; i++) gather_add(cx, g, stiffness.at[i]);
  // Partners cancel: the rest must have become smaller by one term each.
  bool partners = g->terms.n == before;
  *out = (Spring){length, symbol, {stiffness.at, stiffness.n}, gather_take(cx, g)};
  return partners && out->rest.n + 2 * stiffness.n == p.n;
}

static bool find_spring(Context *cx, Gather *g, Poly p, Spring *out) {
  ExprMemo *tried = memo_take(cx);
  bool found = false;
  for (uint32_t i = 0; i < p.n && !found; i++) {
    Expr length = length_below(cx, p.at[i]);
    if (!length || memo_get(tried, length)) continue;
    memo_set(cx, tried, length, 1);
    Pair single;
    Factors f = monomial_factors(cx, p.at[i].monomial, &single);
    for (uint32_t k = 0; k < f.n && !found; k++) {
      bool symbol = op_of(cx, f.at[k].expr) == OP_SYMBOL && f.at[k].number == NUMBER_ONE;
      found = symbol && split_spring(cx, g, p, length, f.at[k].expr, out);
    }
  }
  memo_give(cx, tried);
  return found;
}

static void offer_arrangements(Context *cx, Gather *g, Cheapest *cheapest, Poly p);

static void offer_springs(Context *cx, Gather *g, Cheapest *cheapest, Poly p) {
  Expr springs = cx->exprs->zero;
  Spring s;
  while (p.n <= MOST_SPRING_TERMS && find_spring(cx, g, p, &s)) {
    Cheapest stiffness = {0};
    offer_arrangements(cx, g, &stiffness, s.stiffness);
    Expr stretch = expr_div(cx, expr_sub(cx, s.rest_length, s.length), s.length);
    springs = expr_add(cx, springs, expr_mul(cx, stiffness.best, stretch));
    p = s.rest;
  }
  if (expr_is_zero(cx, springs)) return;
  Cheapest rest = {0};
  if (p.n) offer_arrangements(cx, g, &rest, p);
  cheapest_offer(cx, cheapest, p.n ? expr_add(cx, rest.best, springs) : springs);
}

static void offer_arrangements(Context *cx, Gather *g, Cheapest *cheapest, Poly p) {
  if (p.n < 2) {
    cheapest_offer(cx, cheapest, poly_to_expr(cx, p));
    return;
  }
  Factored f = poly_factor(cx, g, p);
  cheapest_offer(cx, cheapest, expr_from_factors(cx, g, &f));
  f = poly_unfactored(cx, g, p);
  cheapest_offer(cx, cheapest, expr_from_factors(cx, g, &f));
  cheapest_offer(cx, cheapest, poly_to_expr(cx, p));
  Expr by_waves = grouped(cx, g, p, is_trigonometric), by_state = grouped(cx, g, p, is_state);
  if (by_waves) cheapest_offer(cx, cheapest, by_waves);
  if (by_state) cheapest_offer(cx, cheapest, by_state);
}

void cheapest_offer_poly(Context *cx, Gather *g, Cheapest *cheapest, Poly p) {
  offer_arrangements(cx, g, cheapest, p);
  if (p.n > 1) offer_springs(cx, g, cheapest, p);
}
