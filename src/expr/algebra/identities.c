// Pairs of terms that make one.
#include "expr/algebra/identities.h"

#include "expr/algebra/cost.h"
#include "expr/build.h"

static Expr angle_of(const Context *cx, Expr wave) { return node_of(cx, wave)->args[0]; }

// sin A for cos A and the other way round
static Expr partner_wave(Context *cx, Expr wave) {
  Expr angle = angle_of(cx, wave);
  return op_of(cx, wave) == OP_SIN ? expr_cos(cx, angle) : expr_sin(cx, angle);
}

static Expr times(Context *cx, Expr monomial, Expr base, int power) {
  return expr_monomial(cx, NUMBER_ONE,
                       (Pair[]){{monomial, NUMBER_ONE}, {base, number_int(cx, power)}}, 2);
}

// Adds number * expression, where the expression may carry a number of its own.
static void add_product(Context *cx, Gather *g, Expr e, Number factor) {
  factor = number_mul(cx, factor, expr_coefficient(cx, e));
  gather_add(cx, g, (Term){expr_without_coefficient(cx, e), cx->exprs->one, factor});
}

// A term still there with this monomial, or NULL.
static Term *find(const Context *cx, const Gather *g, Expr monomial) {
  Term *t = gather_find(g, monomial, cx->exprs->one);
  return t && t->coefficient != NUMBER_ZERO ? t : NULL;
}

static bool is_opposite(Context *cx, Number a, Number b) {
  return number_add(cx, a, b) == NUMBER_ZERO;
}

// ---- Pythagoras

// c f^2 r with a partner: c r co^2 gives c r, -c r gives -c r co^2.
static bool shorten_square(Context *cx, Gather *g, uint32_t i, Expr wave) {
  Number c = g->terms.at[i].coefficient;
  Expr rest = times(cx, g->terms.at[i].monomial, wave, -2);
  Expr other = times(cx, rest, partner_wave(cx, wave), 2);
  Term *partner = find(cx, g, other);
  if (partner && partner->coefficient == c) {
    partner->coefficient = g->terms.at[i].coefficient = NUMBER_ZERO;
    add_product(cx, g, rest, c);
    return true;
  }
  partner = find(cx, g, rest);
  if (!partner || !is_opposite(cx, partner->coefficient, c)) return false;
  partner->coefficient = g->terms.at[i].coefficient = NUMBER_ZERO;
  add_product(cx, g, other, number_neg(cx, c));
  return true;
}

// ---- Addition theorems

// c r f(A) g(B) with a partner +-c r f~(A) g~(B), where ~ exchanges sine and cosine.
static bool shorten_pair(Context *cx, Gather *g, uint32_t i, Expr a, Expr b) {
  Expr monomial = g->terms.at[i].monomial;
  Expr rest = times(cx, times(cx, monomial, a, -1), b, -1);
  Expr other = times(cx, rest, partner_wave(cx, a), 1);
  Expr wave = partner_wave(cx, b);
  other = times(cx, other, wave, 1);
  Term *partner = find(cx, g, other);
  if (!partner || other == monomial) return false;
  Number c = g->terms.at[i].coefficient, d = partner->coefficient;
  bool opposite = is_opposite(cx, c, d);
  if (!opposite && c != d) return false;
  bool sine_a = op_of(cx, a) == OP_SIN, sine_b = op_of(cx, b) == OP_SIN;
  Expr sum = expr_add(cx, angle_of(cx, a), angle_of(cx, b));
  Expr difference = expr_sub(cx, angle_of(cx, a), angle_of(cx, b)), result;
  Number factor = c;
  if (sine_a == sine_b) {
    if (sine_a) factor = d; // the cosines' sign counts
    result = expr_cos(cx, opposite ? sum : difference);
  } else {
    if (!sine_a) factor = d; // that of sin A cos B counts
    result = expr_sin(cx, opposite ? difference : sum);
  }
  partner->coefficient = g->terms.at[i].coefficient = NUMBER_ZERO;
  add_product(cx, g, expr_mul(cx, rest, result), factor);
  return true;
}

// ---- The drive

static bool is_wave_power(const Context *cx, Pair p) {
  int64_t power;
  return op_is_wave(op_of(cx, p.expr)) && number_to_int(cx, p.number, &power) && power > 0;
}

static bool is_squared(const Context *cx, Pair p) {
  int64_t power;
  return op_is_wave(op_of(cx, p.expr)) && number_to_int(cx, p.number, &power) && power > 1;
}

// Tries every wave, or pair of waves, of term i.
static bool shorten_term(Context *cx, Gather *g, uint32_t i, bool squares) {
  Pair single;
  Factors f = monomial_factors(cx, g->terms.at[i].monomial, &single);
  for (uint32_t a = 0; a < f.n; a++) {
    if (squares) {
      if (is_squared(cx, f.at[a]) && shorten_square(cx, g, i, f.at[a].expr)) return true;
      continue;
    }
    if (!is_wave_power(cx, f.at[a])) continue;
    for (uint32_t b = a + 1; b < f.n; b++) {
      if (is_wave_power(cx, f.at[b]) && shorten_pair(cx, g, i, f.at[a].expr, f.at[b].expr))
        return true;
    }
  }
  return false;
}

static bool shorten_all(Context *cx, Gather *g, bool squares) {
  bool changed = false;
  for (uint32_t i = 0; i < g->terms.n; i++) {
    if (g->terms.at[i].coefficient == NUMBER_ZERO) continue;
    changed = shorten_term(cx, g, i, squares) || changed;
    if (i % 256 == 255) context_poll(cx);
  }
  return changed;
}

Poly poly_shorten(Context *cx, Gather *g, Poly p) {
  for (uint32_t i = 0; i < p.n; i++) gather_add(cx, g, p.at[i]);
  for (bool changed = true; changed;) {
    changed = shorten_all(cx, g, true);
    changed = shorten_all(cx, g, false) || changed;
  }
  return gather_take(cx, g);
}

// ---- Sums to products

static bool has_whole_multiples(const Context *cx, Expr angle) {
  const Node *node = node_of(cx, angle);
  if (node->op == OP_PRODUCT) return number_is_integer(cx, node->number);
  for (uint32_t i = 0; node->op == OP_SUM && i < node->count; i++) {
    if (!number_is_integer(cx, pairs_of(node)[i].number)) return false;
  }
  return node->op != OP_NUMBER || node->number == NUMBER_ZERO;
}

// 2 f((A + B)/2) g((A - B)/2) for a +- b; 0 when the half angles are not whole multiples.
static Expr product_of_waves(Context *cx, Expr a, Expr b, bool minus) {
  Expr zero = cx->exprs->zero, one = cx->exprs->one;
  Expr A = a == one ? zero : angle_of(cx, a), B = b == one ? zero : angle_of(cx, b);
  bool sine = (a == one ? b : a) != one && op_of(cx, a == one ? b : a) == OP_SIN;
  Expr sum = expr_scale(cx, NUMBER_HALF, expr_add(cx, A, B));
  Expr difference = expr_scale(cx, NUMBER_HALF, expr_sub(cx, A, B));
  if (!has_whole_multiples(cx, sum) || !has_whole_multiples(cx, difference)) return 0;
  // sin +- sin = 2 sin cos, 2 cos sin; cos + cos = 2 cos cos; cos - cos = -2 sin sin
  bool first_sine = sine != minus, second_sine = minus;
  if (!sine) first_sine = minus;
  Expr first = expr_function1(cx, first_sine ? OP_SIN : OP_COS, sum);
  Expr second = expr_function1(cx, second_sine ? OP_SIN : OP_COS, difference);
  Expr product = expr_mul(cx, first, second);
  return expr_scale(cx, number_int(cx, !sine && minus ? -2 : 2), product);
}

// The product that term i makes with term k, or 0.
static Expr product_with(Context *cx, const Term *a, const Term *b) {
  Expr one = cx->exprs->one;
  if (a->monomial != b->monomial || (a->wave == one && b->wave == one)) return 0;
  bool sine_a = a->wave != one && op_of(cx, a->wave) == OP_SIN;
  bool sine_b = b->wave != one && op_of(cx, b->wave) == OP_SIN;
  bool minus = is_opposite(cx, a->coefficient, b->coefficient);
  if (sine_a != sine_b || (!minus && a->coefficient != b->coefficient)) return 0;
  return product_of_waves(cx, a->wave, b->wave, minus);
}

bool poly_has_products(Context *cx, Poly p) {
  for (uint32_t i = 0; i < p.n; i++) {
    for (uint32_t k = i + 1; k < p.n; k++) {
      if (product_with(cx, &p.at[i], &p.at[k])) return true;
    }
  }
  return false;
}

Poly poly_to_products(Context *cx, Gather *g, Poly p) {
  bool *used = arena_array(&cx->scratch, bool, p.n);
  VEC(Pair) products = {0}; // expression and number
  for (uint32_t i = 0; i < p.n; i++) {
    if (used[i]) continue;
    uint32_t partner = i;
    Expr best = 0;
    double lowest = 0;
    for (uint32_t k = i + 1; k < p.n; k++) {
      Expr product = used[k] ? 0 : product_with(cx, &p.at[i], &p.at[k]);
      double cost = product ? expr_cost(cx, product) : 0;
      if (product && (!best || cost < lowest)) best = product, partner = k, lowest = cost;
    }
    used[partner] = true;
    Expr wave = best ? best : p.at[i].wave;
    Pair pair = {expr_mul(cx, p.at[i].monomial, wave), p.at[i].coefficient};
    vec_push(&cx->scratch, &products, pair);
  }
  for (uint32_t i = 0; i < products.n; i++)
    add_product(cx, g, products.at[i].expr, products.at[i].number);
  return gather_take(cx, g);
}

// ---- Squares

// One round; false when nothing was left to replace.
static bool replace_squares(Context *cx, Gather *g, Expr wave) {
  bool changed = false;
  for (uint32_t i = 0; i < g->terms.n; i++) {
    Term t = g->terms.at[i];
    Pair single;
    Factors f = monomial_factors(cx, t.monomial, &single);
    bool squared = false;
    for (uint32_t k = 0; k < f.n; k++)
      squared = squared || (f.at[k].expr == wave && is_squared(cx, f.at[k]));
    if (!squared || t.coefficient == NUMBER_ZERO) continue;
    changed = true;
    g->terms.at[i].coefficient = NUMBER_ZERO;
    Expr rest = times(cx, t.monomial, wave, -2);
    add_product(cx, g, rest, t.coefficient);
    add_product(cx, g, times(cx, rest, partner_wave(cx, wave), 2), number_neg(cx, t.coefficient));
  }
  return changed;
}

Poly poly_replace_squares(Context *cx, Gather *g, Poly p, Expr wave) {
  for (uint32_t i = 0; i < p.n; i++) gather_add(cx, g, p.at[i]);
  while (replace_squares(cx, g, wave)) continue;
  return gather_take(cx, g);
}
