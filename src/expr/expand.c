// Expansion of a graph, node by node.
#include "expr/expand.h"

#include <assert.h>
#include <string.h>

#include "expr/build.h"
#include "expr/cost.h"
#include "expr/define.h"
#include "expr/subst.h"
#include "expr/trig.h"

#define DEEPEST 8 // roots whose powers free other roots

typedef struct KnownBase {
  Expr base;
  Poly poly;
} KnownBase;

struct Expansion {
  Context *cx;
  ExpansionMode mode;
  uint64_t budget;
  bool exhausted;
  ExprMemo *index; // node -> form + 1
  ExprMemo *faces; // canonical argument -> the shorter form that came in
  VEC(Form) forms;
  VEC(KnownBase) bases; // of denominators
  WaveTable waves;
  Gather wave_gather;      // products of waves
  Gather gathers[DEEPEST]; // sums under construction, one inside the other
  int depth;               // how many are in use
};

Expansion *expansion_open(Context *cx, ExpansionMode mode, uint64_t budget) {
  Expansion *x = arena_new(&cx->scratch, Expansion);
  *x = (Expansion){
      .cx = cx, .mode = mode, .budget = budget, .index = memo_take(cx), .faces = memo_take(cx)};
  return x;
}

void expansion_close(Expansion *x) {
  memo_give(x->cx, x->faces);
  memo_give(x->cx, x->index);
}

static Rewrite face_rule(Context *cx, Expr e, void *argument) {
  (void)cx;
  const Expansion *x = argument;
  Expr face = memo_get(x->faces, e);
  return face ? (Rewrite){REWRITE_TO, face} : (Rewrite){REWRITE_INSIDE, 0};
}

Expr expansion_restore(Expansion *x, Expr e) {
  Expr result;
  expr_rewrite(x->cx, &e, 1, face_rule, x, &result);
  return result;
}

void expansion_refill(Expansion *x, uint64_t budget) {
  x->budget = budget;
  x->exhausted = false;
}

uint64_t expansion_left(const Expansion *x) { return x->budget; }

Form expansion_form(const Expansion *x, Expr e) {
  uint32_t i = memo_get(x->index, e);
  assert(i);
  return x->forms.at[i - 1];
}

static bool spend(Expansion *x, uint64_t work) {
  if (x->budget < work) x->exhausted = true;
  if (!x->exhausted) x->budget -= work;
  return !x->exhausted;
}

// ---- Polynomials

static Poly one_term(Expansion *x, Expr monomial, Expr wave, Number coefficient) {
  Term *t = arena_new(&x->cx->scratch, Term);
  *t = (Term){monomial, wave, coefficient};
  return (Poly){t, coefficient != NUMBER_ZERO};
}

static Poly constant_poly(Expansion *x, Number value) {
  return one_term(x, x->cx->exprs->one, x->cx->exprs->one, value);
}

// A sum is begun, terms are added, the sum is ended.
static Gather *begin_sum(Expansion *x) {
  if (x->depth == DEEPEST - 1) x->exhausted = true;
  return &x->gathers[x->depth < DEEPEST - 1 ? x->depth++ : DEEPEST - 1];
}

static Poly end_sum(Expansion *x, Gather *g) {
  if (g != &x->gathers[DEEPEST - 1]) x->depth--;
  Poly p = gather_take(x->cx, g);
  for (uint32_t i = 0; i < p.n; i++) {
    if (p.at[i].coefficient == NUMBER_NONE) x->exhausted = true;
  }
  return x->exhausted ? (Poly){0} : p;
}

static void add_poly(Expansion *x, Gather *g, Poly p, Number factor) {
  if (!spend(x, p.n)) return;
  for (uint32_t i = 0; i < p.n; i++) {
    Term t = p.at[i];
    t.coefficient = number_mul(x->cx, t.coefficient, factor);
    gather_add(x->cx, g, t);
  }
}

static Poly poly_times(Expansion *x, Poly a, Poly b);

// A monomial in which whole powers of roots turned up: they are multiplied out.
static Poly break_up(Expansion *x, Expr monomial, Number coefficient) {
  Context *cx = x->cx;
  Expr one = cx->exprs->one, rest = one;
  Pair single;
  Factors f = monomial_factors(cx, monomial, &single);
  Poly whole = constant_poly(x, coefficient);
  for (uint32_t i = 0; i < f.n; i++) {
    Pair p = f.at[i];
    Op op = op_of(cx, p.expr);
    Number floor = number_floor(cx, p.number);
    int64_t power;
    bool apart = op == OP_SUM || op == OP_PRODUCT || op_is_wave(op);
    if (apart && number_to_int(cx, floor, &power) && power > 0) {
      Poly base = poly_from_flat(cx, &x->wave_gather, p.expr, true);
      for (; power > 0 && !x->exhausted; power--) whole = poly_times(x, whole, base);
      p.number = number_sub(cx, p.number, floor);
    }
    rest = expr_mul(cx, rest, expr_power(cx, p.expr, p.number));
  }
  return rest == one ? whole : poly_times(x, whole, one_term(x, rest, one, NUMBER_ONE));
}

// Adds coefficient * a * b * wave to the sum.
static void add_monomials(Expansion *x, Gather *g, Expr a, Expr b, Expr wave, Number coefficient) {
  Context *cx = x->cx;
  Expr monomial, one = cx->exprs->one;
  Number scale;
  bool whole = monomial_mul(cx, a, b, &monomial, &scale);
  coefficient = number_mul(cx, coefficient, scale);
  if (whole || x->mode == EXPAND_PLAIN) {
    gather_add(cx, g, (Term){monomial, wave, coefficient});
    return;
  }
  Poly apart = break_up(x, monomial, coefficient);
  if (wave != one) apart = poly_times(x, apart, one_term(x, one, wave, NUMBER_ONE));
  add_poly(x, g, apart, NUMBER_ONE);
}

static void add_terms(Expansion *x, Gather *g, Term a, Term b) {
  Context *cx = x->cx;
  Expr one = cx->exprs->one;
  Number coefficient = number_mul(cx, a.coefficient, b.coefficient);
  if (a.wave == one || b.wave == one) {
    Expr wave = a.wave == one ? b.wave : a.wave;
    add_monomials(x, g, a.monomial, b.monomial, wave, coefficient);
    return;
  }
  Poly sum = wave_product(cx, &x->waves, &x->wave_gather, a.wave, b.wave);
  for (uint32_t i = 0; i < sum.n; i++) {
    Term t = sum.at[i];
    Number n = number_mul(cx, coefficient, t.coefficient);
    if (t.monomial == one) {
      add_monomials(x, g, a.monomial, b.monomial, t.wave, n);
    } else {
      // exact roots, or what an inverse function gave back
      Poly left = one_term(x, a.monomial, one, n), right = one_term(x, b.monomial, one, NUMBER_ONE);
      Poly value = one_term(x, t.monomial, t.wave, NUMBER_ONE);
      add_poly(x, g, poly_times(x, poly_times(x, left, right), value), NUMBER_ONE);
    }
  }
}

static Poly poly_times(Expansion *x, Poly a, Poly b) {
  if (!spend(x, (uint64_t)a.n * b.n + 1)) return (Poly){0};
  Gather *g = begin_sum(x);
  for (uint32_t i = 0; i < a.n; i++) {
    for (uint32_t k = 0; k < b.n && !x->exhausted; k++) add_terms(x, g, a.at[i], b.at[k]);
    if (i % 256 == 255) context_poll(x->cx);
  }
  return end_sum(x, g);
}

// ---- Quotients

static Form whole_form(Poly p) { return (Form){.numerator = p}; }

static Form undefined_form(void) { return (Form){.undefined = true}; }

static Poly poly_of_base(const Expansion *x, Expr base) {
  for (uint32_t i = 0; i < x->bases.n; i++) {
    if (x->bases.at[i].base == base) return x->bases.at[i].poly;
  }
  assert(!"not a base");
  return (Poly){0};
}

static void remember_base(Expansion *x, Expr base, Poly poly) {
  for (uint32_t i = 0; i < x->bases.n; i++) {
    if (x->bases.at[i].base == base) return;
  }
  vec_push(&x->cx->scratch, &x->bases, ((KnownBase){base, poly}));
}

static uint32_t power_of(const Form *f, Expr base) {
  for (uint32_t i = 0; i < f->denominator_count; i++) {
    if (f->denominator[i].base == base) return f->denominator[i].power;
  }
  return 0;
}

// The denominators of a and b joined: powers added, or the larger of both.
static Form join_denominators(Expansion *x, const Form *a, const Form *b, bool add) {
  Form out = {.undefined = a->undefined || b->undefined};
  if (a->denominator_count + b->denominator_count == 0) return out;
  BasePower *list =
      arena_array(&x->cx->scratch, BasePower, a->denominator_count + b->denominator_count);
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

// The numerator of f over a denominator that contains its own.
static Poly numerator_over(Expansion *x, const Form *f, const Form *common) {
  Poly p = f->numerator;
  for (uint32_t i = 0; i < common->denominator_count; i++) {
    BasePower b = common->denominator[i];
    for (uint32_t k = power_of(f, b.base); k < b.power && !x->exhausted; k++)
      p = poly_times(x, p, poly_of_base(x, b.base));
  }
  return p;
}

static Form form_times(Expansion *x, Form a, Form b) {
  Form out = join_denominators(x, &a, &b, true);
  out.numerator = poly_times(x, a.numerator, b.numerator);
  return out.numerator.n || out.undefined ? out : whole_form(out.numerator);
}

// 1 / p: what is common to all terms stays in the numerator, the rest becomes a base.
static Form inverse_of_poly(Expansion *x, Poly p) {
  Context *cx = x->cx;
  if (p.n == 0) return undefined_form();
  Expr one = cx->exprs->one, base;
  Content content = poly_content(cx, p);
  Poly rest = poly_divide_content(cx, &x->wave_gather, p, content);
  base = poly_to_expr(cx, rest);
  bool negative = expr_leading_sign(cx, base) < 0;
  if (negative) {
    content.number = number_neg(cx, content.number);
    base = expr_neg(cx, base);
    rest = poly_divide_content(cx, &x->wave_gather, p, content);
  }
  Expr inverse = expr_power(cx, content.monomial, NUMBER_MINUS_ONE);
  Form out = whole_form(one_term(x, inverse, one, number_div(cx, NUMBER_ONE, content.number)));
  if (base == one) return out;
  remember_base(x, base, rest);
  BasePower *b = arena_new(&cx->scratch, BasePower);
  *b = (BasePower){base, 1};
  out.denominator = b;
  out.denominator_count = 1;
  return out;
}

static Form form_inverse(Expansion *x, Form f) {
  if (f.undefined) return f;
  Form out = inverse_of_poly(x, f.numerator), one = whole_form(constant_poly(x, NUMBER_ONE));
  // the old denominator, multiplied out
  Form bare = {.denominator = f.denominator, .denominator_count = f.denominator_count};
  Poly top = numerator_over(x, &one, &bare);
  return f.denominator_count ? form_times(x, out, whole_form(top)) : out;
}

static Form form_power(Expansion *x, Form f, int64_t power) {
  if (power < 0) f = form_inverse(x, f);
  uint64_t n = power < 0 ? -(uint64_t)power : (uint64_t)power;
  Form result = whole_form(constant_poly(x, NUMBER_ONE));
  for (; n && !x->exhausted; n /= 2) {
    if (n % 2) result = form_times(x, result, f);
    if (n > 1) f = form_times(x, f, f);
  }
  return result;
}

// ---- Nodes

static Form form_of(const Expansion *x, Expr e) { return expansion_form(x, e); }

static Form atom_form(Expansion *x, Expr e) {
  return whole_form(one_term(x, e, x->cx->exprs->one, NUMBER_ONE));
}

static Form flat_form(Expansion *x, Expr e) {
  return whole_form(poly_from_flat(x->cx, &x->wave_gather, e, x->mode == EXPAND_FOURIER));
}

static Form form_of_sum(Expansion *x, const Node *node) {
  Form out = {0};
  for (uint32_t i = 0; i < node->count; i++) {
    Form f = form_of(x, pairs_of(node)[i].expr);
    if (f.denominator_count || f.undefined) out = join_denominators(x, &out, &f, false);
  }
  if (out.undefined) return out;
  Gather *g = begin_sum(x);
  Form constant = whole_form(constant_poly(x, node->number));
  add_poly(x, g, numerator_over(x, &constant, &out), NUMBER_ONE);
  for (uint32_t i = 0; i < node->count; i++) {
    Form f = form_of(x, pairs_of(node)[i].expr);
    add_poly(x, g, numerator_over(x, &f, &out), pairs_of(node)[i].number);
  }
  out.numerator = end_sum(x, g);
  return out.numerator.n ? out : whole_form(out.numerator);
}

// Is the node its own monomial: every factor an atom that stands for itself?
static bool is_monomial(const Expansion *x, const Node *node) {
  const Context *cx = x->cx;
  for (uint32_t i = 0; i < node->count; i++) {
    Pair p = pairs_of(node)[i];
    Form f = form_of(x, p.expr);
    if (f.denominator_count || f.undefined || f.numerator.n != 1) return false;
    Term t = *f.numerator.at;
    if (t.monomial != p.expr || t.coefficient != NUMBER_ONE) return false;
    Op op = op_of(cx, p.expr);
    bool power = op == OP_SYMBOL || op == OP_PI || number_is_integer(cx, p.number);
    if (!power) return false;
  }
  return true;
}

// e as it shall stand inside an atom: canonical in Fourier mode, else the shorter of its own form
// and the expanded one. What was replaced is remembered for display.
static Expr face_of(Expansion *x, Expr e) {
  Context *cx = x->cx;
  Form f = form_of(x, e);
  Expr canonical = form_to_expr(cx, &f);
  if (canonical == e || f.numerator.n < 2) return canonical;
  bool shorter = expr_cost(cx, e) < expr_cost(cx, canonical);
  if (x->mode == EXPAND_PLAIN) return shorter ? e : canonical;
  if (shorter && !memo_get(x->faces, canonical)) memo_set(cx, x->faces, canonical, e);
  return canonical;
}

// A bracket to a power that is no positive integer is an atom when sums are not to be joined.
static Form bracket_form(Expansion *x, Expr base, Number exponent) {
  Context *cx = x->cx;
  Expr power = expr_power(cx, face_of(x, base), exponent);
  if (!expr_is_defined(cx, power)) return undefined_form();
  Expr rest = expr_without_coefficient(cx, power);
  return whole_form(one_term(x, rest, cx->exprs->one, expr_coefficient(cx, power)));
}

// base^exponent for a fraction: the whole part multiplied out, the rest an atom.
static Form form_of_root(Expansion *x, Expr e, Number exponent) {
  Context *cx = x->cx;
  Form base = form_of(x, e);
  Number floor = number_floor(cx, exponent), rest = number_sub(cx, exponent, floor);
  int64_t power;
  Expr root = expr_power(cx, face_of(x, e), rest);
  if (!expr_is_defined(cx, root) || !number_to_int(cx, floor, &power)) return undefined_form();
  Term t = {expr_without_coefficient(cx, root), cx->exprs->one, expr_coefficient(cx, root)};
  Form whole = form_power(x, base, power);
  return form_times(x, whole, whole_form(one_term(x, t.monomial, t.wave, t.coefficient)));
}

static Form form_of_product(Expansion *x, Expr e) {
  Context *cx = x->cx;
  const Node *node = node_of(cx, e);
  if (is_monomial(x, node)) {
    Expr rest = expr_without_coefficient(cx, e);
    return whole_form(one_term(x, rest, cx->exprs->one, node->number));
  }
  Form out = whole_form(constant_poly(x, node->number));
  for (uint32_t i = 0; i < node->count && !x->exhausted; i++) {
    Pair p = pairs_of(node)[i];
    Form f = form_of(x, p.expr);
    int64_t power;
    bool whole = number_to_int(cx, p.number, &power);
    if (x->mode == EXPAND_PLAIN && f.numerator.n > 1 && (!whole || power < 0))
      f = bracket_form(x, p.expr, p.number);
    else if (!whole)
      f = form_of_root(x, p.expr, p.number);
    else if (power != 1)
      f = form_power(x, f, power);
    out = i == 0 && node->number == NUMBER_ONE ? f : form_times(x, out, f);
    if (out.undefined) return out;
  }
  return out;
}

// A function of canonical arguments is an atom, unless it folds.
static Form form_of_function(Expansion *x, Expr e) {
  Context *cx = x->cx;
  const Node *node = node_of(cx, e);
  Expr args[3];
  for (uint32_t i = 0; i < node->count; i++) {
    Form f = form_of(x, node->args[i]);
    if (f.undefined) return f;
    args[i] = face_of(x, node->args[i]);
  }
  if (x->mode == EXPAND_FOURIER) {
    Gather *g = &x->wave_gather;
    if (op_is_wave((Op)node->op)) return whole_form(wave_of_angle(cx, g, (Op)node->op, args[0]));
    if (node->op == OP_TAN) {
      Form sine = whole_form(wave_of_angle(cx, g, OP_SIN, args[0]));
      Form cosine = whole_form(wave_of_angle(cx, g, OP_COS, args[0]));
      return form_times(x, sine, form_inverse(x, cosine));
    }
  }
  Expr value = expr_function(cx, (Op)node->op, args);
  return expr_is_defined(cx, value) ? flat_form(x, value) : undefined_form();
}

static Form form_of_node(Expansion *x, Expr e) {
  const Node *node = node_of(x->cx, e);
  switch (node->op) {
  case OP_UNDEFINED: return undefined_form();
  case OP_NUMBER: return whole_form(constant_poly(x, node->number));
  case OP_PI:
  case OP_SYMBOL: return atom_form(x, e);
  case OP_DEFINITION: return form_of(x, definition_body(x->cx, e));
  case OP_SUM: return form_of_sum(x, node);
  case OP_PRODUCT: return form_of_product(x, e);
  default: return form_of_function(x, e);
  }
}

// ---- Runs

static Visit visit_unknown(const Context *cx, Expr e, void *argument) {
  (void)cx;
  const Expansion *x = argument;
  return memo_get(x->index, e) ? VISIT_SKIP : VISIT_ENTER;
}

bool expansion_run(Expansion *x, const Expr *roots, size_t n) {
  ExprList list = expr_walk(x->cx, roots, n, visit_unknown, x);
  for (uint32_t i = 0; i < list.n; i++) {
    Form form = form_of_node(x, list.at[i]);
    if (x->exhausted) return false;
    vec_push(&x->cx->scratch, &x->forms, form);
    memo_set(x->cx, x->index, list.at[i], x->forms.n);
  }
  return true;
}

Expr form_to_expr(Context *cx, const Form *form) {
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

static Expr expand_in(Context *cx, Expr e, ExpansionMode mode, uint64_t most) {
  Mark mark = arena_mark(&cx->scratch);
  Expansion *x = expansion_open(cx, mode, most);
  Expr result = e;
  if (expansion_run(x, &e, 1)) {
    Form form = expansion_form(x, e);
    result = form_to_expr(cx, &form);
  }
  expansion_close(x);
  arena_release(&cx->scratch, mark);
  return result;
}

Expr expr_expand(Context *cx, Expr e, uint64_t most) {
  return expand_in(cx, e, EXPAND_PLAIN, most);
}

Expr expr_normal(Context *cx, Expr e) { return expand_in(cx, e, EXPAND_FOURIER, NORMAL_BUDGET); }

ZeroTest expr_zero_test(Context *cx, Expr e, uint64_t budget) {
  Mark mark = arena_mark(&cx->scratch);
  Expansion *x = expansion_open(cx, EXPAND_FOURIER, budget);
  ZeroTest answer = ZERO_TOO_LARGE;
  if (expansion_run(x, &e, 1)) {
    Form form = expansion_form(x, e);
    answer = form.numerator.n == 0 && !form.undefined ? ZERO_YES : ZERO_NO;
  }
  expansion_close(x);
  arena_release(&cx->scratch, mark);
  return answer;
}
