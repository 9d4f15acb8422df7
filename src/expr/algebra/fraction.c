// Expanded sums and quotients of them.
#include "expr/algebra/fraction.h"

#include <assert.h>

#include "expr/build.h"

bool fraction_spend(FractionWork *w, uint64_t work) {
  if (w->budget < work) w->exhausted = true;
  if (!w->exhausted) w->budget -= work;
  return !w->exhausted;
}

// ---- Polynomials

Poly fraction_term(FractionWork *w, Expr monomial, Expr wave, Number coefficient) {
  Term *t = arena_new(&w->cx->scratch, Term);
  *t = (Term){monomial, wave, coefficient};
  return (Poly){t, coefficient != NUMBER_ZERO};
}

Poly fraction_constant(FractionWork *w, Number value) {
  return fraction_term(w, w->cx->exprs->one, w->cx->exprs->one, value);
}

Gather *fraction_begin_sum(FractionWork *w) {
  if (w->depth == FRACTION_DEEPEST - 1) w->exhausted = true;
  return &w->gathers[w->depth < FRACTION_DEEPEST - 1 ? w->depth++ : FRACTION_DEEPEST - 1];
}

Poly fraction_end_sum(FractionWork *w, Gather *g) {
  if (g != &w->gathers[FRACTION_DEEPEST - 1]) w->depth--;
  Poly p = gather_take(w->cx, g);
  for (uint32_t i = 0; i < p.n; i++) {
    if (p.at[i].coefficient == NUMBER_NONE) w->exhausted = true;
  }
  if (w->exhausted) return (Poly){0};
  return p;
}

void fraction_add(FractionWork *w, Gather *g, Poly p, Number factor) {
  if (!fraction_spend(w, p.n)) return;
  for (uint32_t i = 0; i < p.n; i++) {
    Term t = p.at[i];
    t.coefficient = number_mul(w->cx, t.coefficient, factor);
    gather_add(w->cx, g, t);
  }
}

static Poly poly_times(FractionWork *w, Poly a, Poly b);

// A monomial in which whole powers of roots turned up: they are multiplied out.
static Poly break_up(FractionWork *w, Expr monomial, Number coefficient) {
  Context *cx = w->cx;
  Expr one = cx->exprs->one, rest = one;
  Pair single;
  Factors f = monomial_factors(cx, monomial, &single);
  Poly whole = fraction_constant(w, coefficient);
  for (uint32_t i = 0; i < f.n; i++) {
    Pair p = f.at[i];
    Op op = op_of(cx, p.expr);
    Number floor = number_floor(cx, p.number);
    int64_t power;
    bool apart = op == OP_SUM || op == OP_PRODUCT || op_is_wave(op);
    if (apart && number_to_int(cx, floor, &power) && power > 0) {
      Poly base = poly_from_flat(cx, &w->wave_gather, p.expr, true);
      for (; power > 0 && !w->exhausted; power--) whole = poly_times(w, whole, base);
      p.number = number_sub(cx, p.number, floor);
    }
    rest = expr_mul(cx, rest, expr_power(cx, p.expr, p.number));
  }
  return rest == one ? whole : poly_times(w, whole, fraction_term(w, rest, one, NUMBER_ONE));
}

// Adds coefficient * a * b * wave to the sum.
static void add_monomials(FractionWork *w, Gather *g, Expr a, Expr b, Expr wave,
                          Number coefficient) {
  Context *cx = w->cx;
  Expr monomial, one = cx->exprs->one;
  Number scale;
  bool whole = monomial_mul(cx, a, b, &monomial, &scale);
  coefficient = number_mul(cx, coefficient, scale);
  if (whole || w->mode == EXPAND_PLAIN) {
    gather_add(cx, g, (Term){monomial, wave, coefficient});
    return;
  }
  Poly apart = break_up(w, monomial, coefficient);
  if (wave != one) apart = poly_times(w, apart, fraction_term(w, one, wave, NUMBER_ONE));
  fraction_add(w, g, apart, NUMBER_ONE);
}

static void add_terms(FractionWork *w, Gather *g, Term a, Term b) {
  Context *cx = w->cx;
  Expr one = cx->exprs->one;
  Number coefficient = number_mul(cx, a.coefficient, b.coefficient);
  if (a.wave == one || b.wave == one) {
    Expr wave = a.wave == one ? b.wave : a.wave;
    add_monomials(w, g, a.monomial, b.monomial, wave, coefficient);
    return;
  }
  Poly sum = wave_product(cx, &w->waves, &w->wave_gather, a.wave, b.wave);
  for (uint32_t i = 0; i < sum.n; i++) {
    Term t = sum.at[i];
    Number n = number_mul(cx, coefficient, t.coefficient);
    if (t.monomial == one) {
      add_monomials(w, g, a.monomial, b.monomial, t.wave, n);
    } else {
      // exact roots, or what an inverse function gave back
      Poly left = fraction_term(w, a.monomial, one, n),
           right = fraction_term(w, b.monomial, one, NUMBER_ONE);
      Poly value = fraction_term(w, t.monomial, t.wave, NUMBER_ONE);
      fraction_add(w, g, poly_times(w, poly_times(w, left, right), value), NUMBER_ONE);
    }
  }
}

// Long monomials count more.
static uint64_t size_of(const FractionWork *w, Poly p) {
  Pair single;
  return p.n ? p.n * (1 + (uint64_t)monomial_factors(w->cx, p.at->monomial, &single).n / 8) : 1;
}

static Poly poly_times(FractionWork *w, Poly a, Poly b) {
  if (!fraction_spend(w, size_of(w, a) * size_of(w, b))) return (Poly){0};
  Gather *g = fraction_begin_sum(w);
  for (uint32_t i = 0; i < a.n; i++) {
    for (uint32_t k = 0; k < b.n && !w->exhausted; k++) add_terms(w, g, a.at[i], b.at[k]);
    if (i % 256 == 255) context_poll(w->cx);
  }
  return fraction_end_sum(w, g);
}

// ---- Quotients

Fraction fraction_whole(Poly p) { return (Fraction){.numerator = p}; }

Fraction fraction_undefined(void) { return (Fraction){.undefined = true}; }

static Poly poly_of_base(const FractionWork *w, Expr base) {
  for (uint32_t i = 0; i < w->bases.n; i++) {
    if (w->bases.at[i].base == base) return w->bases.at[i].poly;
  }
  assert(!"not a base");
  return (Poly){0};
}

static void remember_base(FractionWork *w, Expr base, Poly poly) {
  for (uint32_t i = 0; i < w->bases.n; i++) {
    if (w->bases.at[i].base == base) return;
  }
  vec_push(&w->cx->scratch, &w->bases, ((KnownBase){base, poly}));
}

static uint32_t power_of(const Fraction *f, Expr base) {
  for (uint32_t i = 0; i < f->denominator_count; i++) {
    if (f->denominator[i].base == base) return f->denominator[i].power;
  }
  return 0;
}

Fraction fraction_join(FractionWork *w, const Fraction *a, const Fraction *b, bool add) {
  Fraction out = {.undefined = a->undefined || b->undefined};
  if (a->denominator_count + b->denominator_count == 0) return out;
  BasePower *list =
      arena_array(&w->cx->scratch, BasePower, a->denominator_count + b->denominator_count);
  uint32_t n = 0, i = 0, k = 0;
  while (i < a->denominator_count || k < b->denominator_count) {
    BasePower p = i < a->denominator_count ? a->denominator[i] : (BasePower){UINT32_MAX, 0};
    BasePower q = k < b->denominator_count ? b->denominator[k] : (BasePower){UINT32_MAX, 0};
    if (p.base == q.base) {
      p.power = add ? p.power + q.power : p.power > q.power ? p.power : q.power;
      list[n++] = p, i++, k++;
    } else if (p.base < q.base) {
      list[n++] = p, i++;
    } else {
      list[n++] = q, k++;
    }
  }
  out.denominator = list;
  out.denominator_count = n;
  return out;
}

Poly fraction_numerator_over(FractionWork *w, const Fraction *f, const Fraction *common) {
  Poly p = f->numerator;
  for (uint32_t i = 0; i < common->denominator_count; i++) {
    BasePower b = common->denominator[i];
    for (uint32_t k = power_of(f, b.base); k < b.power && !w->exhausted; k++)
      p = poly_times(w, p, poly_of_base(w, b.base));
  }
  return p;
}

Fraction fraction_times(FractionWork *w, Fraction a, Fraction b) {
  Fraction out = fraction_join(w, &a, &b, true);
  out.numerator = poly_times(w, a.numerator, b.numerator);
  return out.numerator.n || out.undefined ? out : fraction_whole(out.numerator);
}

static Fraction inverse_of_poly(FractionWork *w, Poly p);

// 1 / monomial. A root below the line goes above it: 1/sqrt(D) = sqrt(D)/D.
static Fraction inverse_of_monomial(FractionWork *w, Expr monomial) {
  Context *cx = w->cx;
  Expr one = cx->exprs->one, top = one;
  Fraction below = fraction_whole(fraction_constant(w, NUMBER_ONE));
  Pair single;
  Factors f = monomial_factors(cx, monomial, &single);
  for (uint32_t i = 0; i < f.n; i++) {
    Op op = op_of(cx, f.at[i].expr);
    Number exponent = number_neg(cx, f.at[i].number);
    bool root = !number_is_integer(cx, exponent) && op != OP_NUMBER && op != OP_SYMBOL;
    if (root && w->mode == EXPAND_FOURIER) {
      exponent = number_add(cx, exponent, NUMBER_ONE);
      Poly base = poly_from_flat(cx, &w->wave_gather, f.at[i].expr, true);
      below = fraction_times(w, below, inverse_of_poly(w, base));
    }
    top = expr_mul(cx, top, expr_power(cx, f.at[i].expr, exponent));
  }
  Poly above = fraction_term(w, expr_without_coefficient(cx, top), one, expr_coefficient(cx, top));
  return fraction_times(w, below, fraction_whole(above));
}

// 1 / p: what is common to all terms stays in the numerator, the rest becomes a base.
static Fraction inverse_of_poly(FractionWork *w, Poly p) {
  Context *cx = w->cx;
  if (p.n == 0) return fraction_undefined();
  if (w->inversions == FRACTION_DEEPEST) w->exhausted = true;
  if (w->exhausted) return fraction_whole(p);
  w->inversions++;
  Expr one = cx->exprs->one, base;
  Content content = poly_content(cx, p);
  if (p.n == 1) content = (Content){p.at->coefficient, p.at->monomial};
  Poly rest = poly_divide_content(cx, &w->wave_gather, p, content);
  base = poly_to_expr(cx, rest);
  if (p.n > 1 && expr_leading_sign(cx, base) < 0) {
    content.number = number_neg(cx, content.number);
    base = expr_neg(cx, base);
    rest = poly_divide_content(cx, &w->wave_gather, p, content);
  }
  Fraction out = inverse_of_monomial(w, content.monomial);
  w->inversions--;
  Number scale = number_div(cx, NUMBER_ONE, content.number);
  out = fraction_times(w, out, fraction_whole(fraction_constant(w, scale)));
  if (base == one) return out;
  remember_base(w, base, rest);
  BasePower *b = arena_new(&cx->scratch, BasePower);
  *b = (BasePower){base, 1};
  Fraction quotient = {.numerator = fraction_constant(w, NUMBER_ONE), .denominator = b};
  quotient.denominator_count = 1;
  return fraction_times(w, out, quotient);
}

Fraction fraction_inverse(FractionWork *w, Fraction f) {
  if (f.undefined) return f;
  Fraction out = inverse_of_poly(w, f.numerator),
           one = fraction_whole(fraction_constant(w, NUMBER_ONE));
  // the old denominator, multiplied out
  Fraction bare = {.denominator = f.denominator, .denominator_count = f.denominator_count};
  Poly top = fraction_numerator_over(w, &one, &bare);
  return f.denominator_count ? fraction_times(w, out, fraction_whole(top)) : out;
}

Fraction fraction_power(FractionWork *w, Fraction f, int64_t power) {
  if (power < 0) f = fraction_inverse(w, f);
  uint64_t n = power < 0 ? -(uint64_t)power : (uint64_t)power;
  Fraction result = fraction_whole(fraction_constant(w, NUMBER_ONE));
  for (; n && !w->exhausted; n /= 2) {
    if (n % 2) result = fraction_times(w, result, f);
    if (n > 1) f = fraction_times(w, f, f);
  }
  return result;
}

Expr fraction_to_expr(Context *cx, const Fraction *form) {
  if (form->undefined) return expr_undefined(cx);
  Mark mark = arena_mark(&cx->scratch);
  Pair *factors = arena_array(&cx->scratch, Pair, form->denominator_count + 1);
  factors[0] = (Pair){poly_to_expr(cx, form->numerator), NUMBER_ONE};
  for (uint32_t i = 0; i < form->denominator_count; i++) {
    BasePower b = form->denominator[i];
    factors[i + 1] = (Pair){b.base, number_int(cx, -(int64_t)b.power)};
  }
  Expr e = expr_monomial(cx, NUMBER_ONE, factors, form->denominator_count + 1);
  arena_release(&cx->scratch, mark);
  return e;
}
