// Products and powers: flattened, equal bases merged, brackets made primitive, sorted by id.
#include <assert.h>
#include <stdlib.h>

#include "expr/build.h"
#include "expr/canonical.h"

typedef struct Gathered {
  VEC(Pair) factors;
  Number coefficient;
  bool undefined;
} Gathered;

static void gather_factor(Context *cx, Gathered *g, Expr base, Number exponent);

static bool in_unit_interval(Context *cx, Number a) {
  return number_sign(cx, a) > 0 && number_compare(cx, a, NUMBER_ONE) < 0;
}

// A number to a fractional power: primes, each with an exponent between 0 and 1.
static void gather_root(Context *cx, Gathered *g, Number value, Number exponent) {
  int sign = number_sign(cx, value);
  if (sign < 0 || (sign == 0 && number_sign(cx, exponent) < 0)) {
    g->undefined = true;
    return;
  }
  if (sign == 0) {
    g->coefficient = number_mul(cx, g->coefficient, NUMBER_ZERO);
    return;
  }
  PrimePower primes[32];
  int n = number_factor(cx, value, primes, 32);
  for (int i = 0; i < n; i++) {
    Number power = number_mul(cx, exponent, number_int(cx, primes[i].exponent));
    Number whole = number_floor(cx, power), rest = number_sub(cx, power, whole);
    int64_t count;
    Number scale =
        number_to_int(cx, whole, &count) ? number_power(cx, primes[i].base, count) : NUMBER_NONE;
    g->coefficient = number_mul(cx, g->coefficient, scale);
    if (rest != NUMBER_NONE && rest != NUMBER_ZERO)
      vec_push(&cx->scratch, &g->factors, ((Pair){expr_number(cx, primes[i].base), rest}));
  }
}

static void gather_number(Context *cx, Gathered *g, Number value, Number exponent) {
  int64_t power;
  if (value == NUMBER_ONE) return;
  if (number_to_int(cx, exponent, &power))
    g->coefficient = number_mul(cx, g->coefficient, number_power(cx, value, power));
  else if (number_is_integer(cx, exponent))
    g->undefined = true; // an exponent beyond 64 bits
  else
    gather_root(cx, g, value, exponent);
}

static void gather_product(Context *cx, Gathered *g, Expr base, Number exponent) {
  const Node *node = node_of(cx, base);
  if (number_is_integer(cx, exponent)) {
    gather_number(cx, g, node->number, exponent);
    for (uint32_t i = 0; i < node->count; i++) {
      Pair p = pairs_of(node)[i];
      p.number = number_mul(cx, p.number, exponent);
      if (p.number == NUMBER_NONE)
        g->undefined = true;
      else
        vec_push(&cx->scratch, &g->factors, p);
    }
    return;
  }
  // The positive part of the coefficient can leave a root, its sign cannot.
  Number size = number_abs(cx, node->number);
  if (size != NUMBER_ONE) {
    gather_number(cx, g, size, exponent);
    base = expr_scale(cx, number_div(cx, NUMBER_ONE, size), base);
  }
  vec_push(&cx->scratch, &g->factors, ((Pair){base, exponent}));
}

static Number content_of(Context *cx, const Node *sum) {
  Number content = number_abs(cx, sum->number);
  for (uint32_t i = 0; i < sum->count && content != NUMBER_NONE; i++)
    content = number_content(cx, content, pairs_of(sum)[i].number);
  return content;
}

static void gather_sum(Context *cx, Gathered *g, Expr base, Number exponent) {
  const Node *node = node_of(cx, base);
  Number content = content_of(cx, node);
  if (number_is_integer(cx, exponent) && expr_leading_sign(cx, base) < 0)
    content = number_neg(cx, content);
  if (content != NUMBER_ONE) {
    gather_number(cx, g, content, exponent);
    base = expr_scale(cx, number_div(cx, NUMBER_ONE, content), base);
  }
  vec_push(&cx->scratch, &g->factors, ((Pair){base, exponent}));
}

static void gather_factor(Context *cx, Gathered *g, Expr base, Number exponent) {
  if (exponent == NUMBER_NONE) {
    g->undefined = true;
    return;
  }
  switch (op_of(cx, base)) {
  case OP_UNDEFINED: g->undefined = true; break;
  case OP_NUMBER: gather_number(cx, g, node_of(cx, base)->number, exponent); break;
  case OP_PRODUCT: gather_product(cx, g, base, exponent); break;
  case OP_SUM: gather_sum(cx, g, base, exponent); break;
  default: vec_push(&cx->scratch, &g->factors, ((Pair){base, exponent}));
  }
}

static int by_id(const void *a, const void *b) {
  const Pair *x = a, *y = b;
  return (x->expr > y->expr) - (x->expr < y->expr);
}

// After merging, may a factor be broken up further?
static bool is_loose(Context *cx, Pair p) {
  const Node *node = node_of(cx, p.expr);
  if (node->op == OP_NUMBER) return !in_unit_interval(cx, p.number);
  if (!number_is_integer(cx, p.number)) return false;
  return node->op == OP_PRODUCT || (node->op == OP_SUM && expr_leading_sign(cx, p.expr) < 0);
}

// Sorts and merges equal bases; true when some factor must be gathered again.
static bool merge(Context *cx, Gathered *g) {
  Pair *f = g->factors.at;
  for (uint32_t i = 1; i < g->factors.n; i++) {
    if (f[i - 1].expr > f[i].expr) {
      qsort(f, g->factors.n, sizeof *f, by_id);
      break;
    }
  }
  uint32_t kept = 0;
  bool again = false;
  for (uint32_t i = 0; i < g->factors.n;) {
    Pair p = f[i++];
    for (; i < g->factors.n && f[i].expr == p.expr; i++)
      p.number = number_add(cx, p.number, f[i].number);
    if (p.number == NUMBER_NONE) g->undefined = true;
    if (p.number == NUMBER_NONE || p.number == NUMBER_ZERO) continue;
    again = again || is_loose(cx, p);
    f[kept++] = p;
  }
  g->factors.n = kept;
  return again && !g->undefined;
}

static void settle(Context *cx, Gathered *g) {
  while (merge(cx, g)) {
    Gathered next = {.coefficient = g->coefficient};
    for (uint32_t i = 0; i < g->factors.n; i++)
      gather_factor(cx, &next, g->factors.at[i].expr, g->factors.at[i].number);
    *g = next;
  }
}

static Expr make_product(Context *cx, Gathered *g) {
  settle(cx, g);
  if (g->undefined || g->coefficient == NUMBER_NONE) return expr_undefined(cx);
  if (g->coefficient == NUMBER_ZERO) return cx->exprs->zero;
  if (g->factors.n == 0) return expr_number(cx, g->coefficient);
  Pair first = g->factors.at[0];
  if (g->factors.n == 1 && first.number == NUMBER_ONE &&
      (g->coefficient == NUMBER_ONE || op_of(cx, first.expr) == OP_SUM))
    return expr_scale(cx, g->coefficient, first.expr);
  return node_intern(cx, OP_PRODUCT, g->coefficient, g->factors.n, (const uint32_t *)g->factors.at,
                     2 * g->factors.n);
}

Expr expr_monomial(Context *cx, Number coefficient, const Pair *factors, size_t n) {
  expr_store(cx);
  Mark mark = arena_mark(&cx->scratch);
  Gathered g = {.coefficient = coefficient};
  for (size_t i = 0; i < n; i++) gather_factor(cx, &g, factors[i].expr, factors[i].number);
  Expr e = make_product(cx, &g);
  arena_release(&cx->scratch, mark);
  ASSERT_CANONICAL(cx, e);
  return e;
}

Expr expr_product(Context *cx, const Expr *factors, size_t n) {
  expr_store(cx);
  Mark mark = arena_mark(&cx->scratch);
  Gathered g = {.coefficient = NUMBER_ONE};
  for (size_t i = 0; i < n; i++) gather_factor(cx, &g, factors[i], NUMBER_ONE);
  Expr e = make_product(cx, &g);
  arena_release(&cx->scratch, mark);
  ASSERT_CANONICAL(cx, e);
  return e;
}

Expr expr_mul(Context *cx, Expr a, Expr b) {
  if (expr_is_one(cx, a)) return b;
  if (expr_is_one(cx, b)) return a;
  if (expr_is_number(cx, a)) return expr_scale(cx, node_of(cx, a)->number, b);
  if (expr_is_number(cx, b)) return expr_scale(cx, node_of(cx, b)->number, a);
  return expr_product(cx, (Expr[]){a, b}, 2);
}

Expr expr_mul3(Context *cx, Expr a, Expr b, Expr c) {
  return expr_product(cx, (Expr[]){a, b, c}, 3);
}

Expr expr_div(Context *cx, Expr a, Expr b) {
  return expr_monomial(cx, NUMBER_ONE, (Pair[]){{a, NUMBER_ONE}, {b, NUMBER_MINUS_ONE}}, 2);
}

Expr expr_power(Context *cx, Expr base, Number exponent) {
  return expr_monomial(cx, NUMBER_ONE, (Pair[]){{base, exponent}}, 1);
}

Expr expr_square(Context *cx, Expr a) { return expr_power(cx, a, NUMBER_TWO); }

Expr expr_half_square(Context *cx, Expr factor, Expr a) {
  Expr half = expr_ratio(cx, 1, 2);
  return expr_mul3(cx, half, factor, expr_square(cx, a));
}

Expr expr_sqrt(Context *cx, Expr a) { return expr_power(cx, a, NUMBER_HALF); }

Expr expr_without_coefficient(Context *cx, Expr e) {
  const Node *node = node_of(cx, e);
  if (node->op == OP_NUMBER) return expr_int(cx, 1);
  if (node->op != OP_PRODUCT || node->number == NUMBER_ONE) return e;
  Pair first = pairs_of(node)[0];
  if (node->count == 1 && first.number == NUMBER_ONE) return first.expr;
  return node_intern(cx, OP_PRODUCT, NUMBER_ONE, node->count, node->args, 2 * node->count);
}
