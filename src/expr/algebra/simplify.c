// From expanded sums to a form for the eye.
#include "expr/algebra/simplify.h"

#include "expr/algebra/arrange.h"
#include "expr/algebra/cost.h"
#include "expr/algebra/expand.h"
#include "expr/algebra/identities.h"
#include "expr/build.h"
#include "expr/define.h"

typedef struct Reader {
  Context *cx;
  SimplifyLevel level;
  Expansion *plain, *fourier;
  Gather gather;
  uint64_t work; // term operations left for all expressions
} Reader;

// Term operations for one expression, and for all of one call.
static uint64_t work_for_one(SimplifyLevel level) {
  return level == SIMPLIFY_FULL ? 1000000 : 50000;
}
static uint64_t work_for_all(SimplifyLevel level) {
  return level == SIMPLIFY_FULL ? 20000000 : 1000000;
}

// By these the terms of an equation are collected.
#define RATE_KINDS                                                                                 \
  (KIND_BIT(SYMBOL_VELOCITY) | KIND_BIT(SYMBOL_ACCELERATION) | KIND_BIT(SYMBOL_POSE_VELOCITY) |    \
   KIND_BIT(SYMBOL_POSE_ACCELERATION) | KIND_BIT(SYMBOL_MULTIPLIER))

// ---- Candidates of one coefficient

#define MOST_SQUARES 8
#define MOST_TERMS_FOR_SQUARES 200

// The sines and cosines that occur squared.
static uint32_t squared_waves(Context *cx, Poly p, Expr *waves) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < p.n; i++) {
    Pair single;
    Factors f = monomial_factors(cx, p.at[i].monomial, &single);
    for (uint32_t k = 0; k < f.n; k++) {
      bool squared = op_is_wave(op_of(cx, f.at[k].expr)) && f.at[k].number == NUMBER_TWO;
      for (uint32_t m = 0; m < n && squared; m++) squared = waves[m] != f.at[k].expr;
      if (squared && n < MOST_SQUARES) waves[n++] = f.at[k].expr;
    }
  }
  return n;
}

static void offer_plain(Reader *r, Cheapest *cheapest, Poly p) {
  Context *cx = r->cx;
  cheapest_offer_poly(cx, &r->gather, cheapest, poly_shorten(cx, &r->gather, p));
  // Each square by its partner's, for the patient.
  if (r->level != SIMPLIFY_FULL || p.n < 2 || p.n > MOST_TERMS_FOR_SQUARES) return;
  Expr waves[MOST_SQUARES];
  uint32_t n = squared_waves(cx, p, waves);
  for (uint32_t i = 0; i < n; i++) {
    Poly replaced = poly_replace_squares(cx, &r->gather, p, waves[i]);
    if (replaced.n > 2 * p.n) continue;
    cheapest_offer_poly(cx, &r->gather, cheapest, poly_shorten(cx, &r->gather, replaced));
  }
}

static void offer_fourier(Reader *r, Cheapest *cheapest, Poly p) {
  bool waves = false;
  for (uint32_t i = 0; i < p.n; i++) waves = waves || p.at[i].wave != r->cx->exprs->one;
  if (p.n > 1 && waves)
    cheapest_offer_poly(r->cx, &r->gather, cheapest, poly_to_products(r->cx, &r->gather, p));
  cheapest_offer_poly(r->cx, &r->gather, cheapest, poly_plain(r->cx, &r->gather, p));
}

// ---- One expression

static bool is_rate(const Context *cx, Expr base) {
  if (expr_is_definition(cx, base)) return definition_order(cx, base) > 0;
  return op_of(cx, base) == OP_SYMBOL && expr_has_kind(cx, base, RATE_KINDS);
}

// Do velocities occur elsewhere than as factors?
static bool is_entangled(const Context *cx, Poly p) {
  Pair single;
  for (uint32_t i = 0; i < p.n; i++) {
    Factors f = monomial_factors(cx, p.at[i].monomial, &single);
    for (uint32_t k = 0; k < f.n; k++) {
      Op op = op_of(cx, f.at[k].expr);
      bool atom = op == OP_SYMBOL || op == OP_DEFINITION;
      if (!atom && expr_has_kind(cx, f.at[k].expr, RATE_KINDS)) return true;
    }
    if (expr_has_kind(cx, p.at[i].wave, RATE_KINDS)) return true;
  }
  return false;
}

// Each group by its best form, all added up.
static Expr sum_of_groups(Reader *r, Groups plain, Groups fourier) {
  Context *cx = r->cx;
  Groups lead = fourier.n ? fourier : plain;
  Expr *terms = arena_array(&cx->scratch, Expr, lead.n);
  for (uint32_t i = 0; i < lead.n; i++) {
    Cheapest cheapest = {0};
    for (uint32_t k = 0; k < plain.n; k++) {
      if (plain.at[k].key == lead.at[i].key) offer_plain(r, &cheapest, plain.at[k].poly);
    }
    if (fourier.n) offer_fourier(r, &cheapest, fourier.at[i].poly);
    terms[i] = expr_mul(cx, cheapest.best, lead.at[i].key);
  }
  return expr_sum(cx, terms, lead.n);
}

static Expr quotient_form(Reader *r, const Fraction *f) {
  Context *cx = r->cx;
  Groups none = {0};
  Pair *factors = arena_array(&cx->scratch, Pair, f->denominator_count + 1);
  factors[0] = (Pair){sum_of_groups(r, none, group_terms(cx, f->numerator, is_rate)), NUMBER_ONE};
  for (uint32_t i = 0; i < f->denominator_count; i++) {
    Cheapest cheapest = {0};
    BasePower b = f->denominator[i];
    offer_fourier(r, &cheapest, poly_from_flat(cx, &r->gather, b.base, true));
    factors[i + 1] = (Pair){cheapest.best, number_int(cx, -(int64_t)b.power)};
  }
  return expr_monomial(cx, NUMBER_ONE, factors, f->denominator_count + 1);
}

// q_1 - q_2 + pi/3: every coordinate once
static bool is_plain_angle(const Context *cx, Expr angle) {
  const Node *node = node_of(cx, angle);
  for (uint32_t i = 0; node->op == OP_SUM && i < node->count; i++) {
    Pair p = pairs_of(node)[i];
    if (op_of(cx, p.expr) != OP_SYMBOL && p.expr != cx->exprs->pi) return false;
    if (op_of(cx, p.expr) == OP_SYMBOL && p.number != NUMBER_ONE && p.number != NUMBER_MINUS_ONE)
      return false;
  }
  return node->op == OP_SYMBOL || node->op == OP_SUM;
}

// Both expansions of one expression.
typedef struct Expanded {
  bool plain_fits, fourier_fits;
  Fraction plain, fourier;
} Expanded;

// Runs one expansion within what is left of the work.
static bool expand(Reader *r, Expansion *x, Expr e, Fraction *form) {
  uint64_t one = work_for_one(r->level), work = r->work < one ? r->work : one;
  expansion_refill(x, work);
  bool fits = expansion_run(x, &e, 1);
  r->work -= work - expansion_left(x);
  if (fits) *form = expansion_fraction(x, e);
  return fits;
}

// Sums and differences of angles at most, and no pair of waves that makes a product: then the
// sines and cosines that came in can do no better.
static bool is_settled(Context *cx, const Fraction *f) {
  if (f->denominator_count) return false;
  for (uint32_t i = 0; i < f->numerator.n; i++) {
    Term t = f->numerator.at[i];
    Pair single;
    Factors factors = monomial_factors(cx, t.monomial, &single);
    for (uint32_t k = 0; k < factors.n; k++) {
      if (op_of(cx, factors.at[k].expr) != OP_SYMBOL) return false;
    }
    if (t.wave != cx->exprs->one && !is_plain_angle(cx, node_of(cx, t.wave)->args[0])) return false;
  }
  return f->numerator.n < 64 ? !poly_has_products(cx, f->numerator) : true;
}

static Expanded expand_both(Reader *r, Expr e) {
  Expanded x = {0};
  x.fourier_fits = expand(r, r->fourier, e, &x.fourier);
  if (x.fourier_fits && is_settled(r->cx, &x.fourier)) return x;
  x.plain_fits = expand(r, r->plain, e, &x.plain);
  return x;
}

// Collected by velocities.
static void offer_collected(Reader *r, Cheapest *cheapest, const Expanded *x) {
  Context *cx = r->cx;
  Groups none = {0}, plain = {0};
  if (x->plain_fits) plain = group_terms(cx, x->plain.numerator, is_rate);
  bool mixed = x->plain_fits && x->fourier_fits && x->fourier.denominator_count == 0 &&
               !is_entangled(cx, x->plain.numerator) && !is_entangled(cx, x->fourier.numerator);
  bool settled = !x->plain_fits && x->fourier_fits && x->fourier.denominator_count == 0;
  if (mixed || settled) {
    Groups fourier = group_terms(cx, x->fourier.numerator, is_rate);
    cheapest_offer(cx, cheapest, sum_of_groups(r, plain, fourier));
  } else {
    if (x->plain_fits) cheapest_offer(cx, cheapest, sum_of_groups(r, plain, none));
    if (x->fourier_fits) cheapest_offer(cx, cheapest, quotient_form(r, &x->fourier));
  }
}

// Not collected: the whole as one coefficient.
static void offer_whole(Reader *r, Cheapest *cheapest, const Expanded *x) {
  if (x->plain_fits) offer_plain(r, cheapest, x->plain.numerator);
  if (x->fourier_fits && x->fourier.denominator_count == 0)
    offer_fourier(r, cheapest, x->fourier.numerator);
}

// Only symbols, sines and cosines: such terms are better joined than apart.
static bool is_smooth(const Context *cx, Poly p) {
  Pair single;
  for (uint32_t i = 0; i < p.n; i++) {
    Factors f = monomial_factors(cx, p.at[i].monomial, &single);
    for (uint32_t k = 0; k < f.n; k++) {
      Op op = op_of(cx, f.at[k].expr);
      if (op != OP_SYMBOL && !op_is_wave(op)) return false;
    }
  }
  return true;
}

#define MOST_PARTS 16

// The sum to be split: e itself, or the first bracket of a product, of which *rest is left.
static const Node *sum_to_split(Reader *r, Expr e, Expr *rest) {
  Context *cx = r->cx;
  const Node *node = node_of(cx, e);
  *rest = cx->exprs->one;
  for (uint32_t i = 0; node->op == OP_PRODUCT && i < node->count; i++) {
    Pair p = pairs_of(node)[i];
    if (op_of(cx, p.expr) != OP_SUM || p.number != NUMBER_ONE) continue;
    if (is_smooth(cx, expansion_fraction(r->plain, p.expr).numerator)) continue;
    *rest = expr_div(cx, e, p.expr);
    return node_of(cx, p.expr);
  }
  return node;
}

// e = smooth + others: a sum whose terms with roots and quotients are left apart. False when there
// are none, or nothing else.
static bool split_sum(Reader *r, Expr e, Expr *parts, uint32_t *n) {
  Context *cx = r->cx;
  Expr rest;
  const Node *node = sum_to_split(r, e, &rest);
  if (node->op != OP_SUM || node->count > MOST_PARTS) return false;
  Pair *smooth = arena_array(&cx->scratch, Pair, node->count);
  uint32_t smooth_count = 0;
  *n = 1;
  for (uint32_t i = 0; i < node->count; i++) {
    Pair p = pairs_of(node)[i];
    if (is_smooth(cx, expansion_fraction(r->plain, p.expr).numerator))
      smooth[smooth_count++] = p;
    else
      parts[(*n)++] = expr_mul(cx, rest, expr_scale(cx, p.number, p.expr));
  }
  parts[0] = expr_mul(cx, rest, expr_linear(cx, node->number, smooth, smooth_count));
  return *n > 1 && (*n > 2 || !expr_is_zero(cx, parts[0]));
}

// Joined by a common denominator, or each part for itself.
static void offer_apart(Reader *r, Cheapest *cheapest, Expr e, const Expanded *x) {
  Context *cx = r->cx;
  Expr parts[MOST_PARTS + 1];
  uint32_t n;
  if (!x->plain_fits || !split_sum(r, e, parts, &n)) return;
  for (uint32_t i = 0; i < n; i++) {
    Expanded part = expand_both(r, parts[i]);
    Cheapest best = {0};
    if (part.plain.undefined || part.fourier.undefined) return;
    offer_collected(r, &best, &part);
    if (!best.best) return;
    parts[i] = best.best;
  }
  cheapest_offer(cx, cheapest, expr_sum(cx, parts, n));
}

// The best form of e, whose definitions are opened: collected where that costs no more than the
// limit, else whatever is cheapest; 0 when both expansions would swell.
static Expr best_form(Reader *r, Expr e, double limit) {
  Context *cx = r->cx;
  Expanded x = expand_both(r, e);
  if (x.plain.undefined || x.fourier.undefined) return expr_undefined(cx);
  if (x.fourier_fits && x.fourier.numerator.n == 0) return cx->exprs->zero;
  Cheapest cheapest = {0};
  offer_collected(r, &cheapest, &x);
  offer_apart(r, &cheapest, e, &x);
  if (cheapest.best && cheapest.cost > limit) offer_whole(r, &cheapest, &x);
  return cheapest.best ? expansion_restore(r->fourier, cheapest.best) : 0;
}

static Expr simplify_one(Reader *r, Expr e, Expr opened) {
  double limit = expr_cost_with_definitions(r->cx, e);
  Expr best = best_form(r, opened, limit);
  return best && expr_cost_with_definitions(r->cx, best) <= limit ? best : e;
}

void expr_simplify_many(Context *cx, const Expr *exprs, size_t n, SimplifyLevel level, Expr *out) {
  if (level == SIMPLIFY_NONE) {
    for (size_t i = 0; i < n; i++) out[i] = exprs[i];
    return;
  }
  Mark mark = arena_mark(&cx->scratch);
  Expr *opened = arena_array(&cx->scratch, Expr, n);
  NamedRoots *roots = named_roots_find(cx, exprs, n);
  named_roots_open(roots, exprs, n, opened);
  Reader r = {.cx = cx, .level = level, .work = work_for_all(level)};
  r.plain = expansion_open(cx, EXPAND_PLAIN, 0);
  r.fourier = expansion_open(cx, EXPAND_FOURIER, 0);
  expansion_keep(r.plain, roots);
  expansion_keep(r.fourier, roots);
  ExprMemo *known = memo_take(cx);
  for (size_t i = 0; i < n; i++) {
    Expr e = exprs[i], result = memo_get(known, e);
    if (!result) {
      result = simplify_one(&r, e, opened[i]);
      memo_set(cx, known, e, result);
    }
    out[i] = result;
  }
  memo_give(cx, known);
  expansion_close(r.fourier);
  expansion_close(r.plain);
  named_roots_close(roots);
  arena_release(&cx->scratch, mark);
}

Expr expr_simplify(Context *cx, Expr e, SimplifyLevel level) {
  Expr result;
  expr_simplify_many(cx, &e, 1, level, &result);
  return result;
}
