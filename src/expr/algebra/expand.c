// Expansion of a graph, node by node.
#include "expr/algebra/expand.h"

#include <assert.h>
#include <math.h>

#include "expr/algebra/cost.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/subst.h"

struct Expansion {
  FractionWork work;
  ExprMemo *index; // node -> form + 1
  VEC(Fraction) forms;
  const NamedRoots *roots; // definitions that are left are atoms then
  ExprMemo *faces;         // canonical argument -> the shorter form that came in
};

Expansion *expansion_open(Context *cx, ExpansionMode mode, uint64_t budget) {
  Expansion *x = arena_new(&cx->scratch, Expansion);
  x->work = (FractionWork){.cx = cx, .mode = mode, .budget = budget};
  x->index = memo_take(cx);
  x->faces = memo_take(cx);
  return x;
}

void expansion_close(Expansion *x) {
  memo_give(x->work.cx, x->faces);
  memo_give(x->work.cx, x->index);
}

void expansion_keep(Expansion *x, const NamedRoots *roots) { x->roots = roots; }

static Rewrite face_rule(Context *cx, Expr e, void *argument) {
  (void)cx;
  const Expansion *x = argument;
  Expr face = memo_get(x->faces, e);
  return face ? (Rewrite){REWRITE_TO, face} : (Rewrite){REWRITE_INSIDE, 0};
}

Expr expansion_restore(Expansion *x, Expr e) {
  Expr result;
  expr_rewrite(x->work.cx, &e, 1, face_rule, x, &result);
  return result;
}

void expansion_refill(Expansion *x, uint64_t budget) {
  x->work.budget = budget;
  x->work.exhausted = false;
}

uint64_t expansion_left(const Expansion *x) { return x->work.budget; }

Fraction expansion_fraction(const Expansion *x, Expr e) {
  uint32_t i = memo_get(x->index, e);
  assert(i);
  return x->forms.at[i - 1];
}

// ---- Nodes

static Fraction form_of(const Expansion *x, Expr e) { return expansion_fraction(x, e); }

static Fraction atom_form(Expansion *x, Expr e) {
  return fraction_whole(fraction_term(&x->work, e, x->work.cx->exprs->one, NUMBER_ONE));
}

static Fraction flat_form(Expansion *x, Expr e) {
  return fraction_whole(
      poly_from_flat(x->work.cx, &x->work.wave_gather, e, x->work.mode == EXPAND_FOURIER));
}

static Fraction form_of_sum(Expansion *x, const Node *node) {
  Fraction out = {0};
  for (uint32_t i = 0; i < node->count; i++) {
    Fraction f = form_of(x, pairs_of(node)[i].expr);
    if (f.denominator_count || f.undefined) out = fraction_join(&x->work, &out, &f, false);
  }
  if (out.undefined) return out;
  Gather *g = fraction_begin_sum(&x->work);
  Fraction constant = fraction_whole(fraction_constant(&x->work, node->number));
  fraction_add(&x->work, g, fraction_numerator_over(&x->work, &constant, &out), NUMBER_ONE);
  for (uint32_t i = 0; i < node->count; i++) {
    Fraction f = form_of(x, pairs_of(node)[i].expr);
    fraction_add(&x->work, g, fraction_numerator_over(&x->work, &f, &out),
                 pairs_of(node)[i].number);
  }
  out.numerator = fraction_end_sum(&x->work, g);
  return out.numerator.n ? out : fraction_whole(out.numerator);
}

// Is the node its own monomial: every factor an atom that stands for itself?
static bool is_monomial(const Expansion *x, const Node *node) {
  const Context *cx = x->work.cx;
  for (uint32_t i = 0; i < node->count; i++) {
    Pair p = pairs_of(node)[i];
    Fraction f = form_of(x, p.expr);
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
  Context *cx = x->work.cx;
  Fraction f = form_of(x, e);
  Expr canonical = fraction_to_expr(cx, &f);
  if (canonical == e || f.numerator.n < 2) return canonical;
  double cost = expr_cost(cx, e);
  fraction_spend(&x->work, (uint64_t)fmin(cost, 0x1p60)); // of shared parts, counted each time
  bool shorter = cost < expr_cost(cx, canonical);
  if (x->work.mode == EXPAND_PLAIN) return shorter ? e : canonical;
  if (shorter && !memo_get(x->faces, canonical)) memo_set(cx, x->faces, canonical, e);
  return canonical;
}

// A bracket to a power that is not a positive integer is an atom when sums are not to be joined.
static Fraction bracket_form(Expansion *x, Expr base, Number exponent) {
  Context *cx = x->work.cx;
  Expr power = expr_power(cx, face_of(x, base), exponent);
  if (!expr_is_defined(cx, power)) return fraction_undefined();
  Expr rest = expr_without_coefficient(cx, power);
  return fraction_whole(fraction_term(&x->work, rest, cx->exprs->one, expr_coefficient(cx, power)));
}

// base^exponent for a fraction: the whole part multiplied out, the rest an atom.
static Fraction form_of_root(Expansion *x, Expr e, Number exponent) {
  Context *cx = x->work.cx;
  Fraction base = form_of(x, e);
  Number floor = number_floor(cx, exponent), rest = number_sub(cx, exponent, floor);
  int64_t power;
  Expr root = expr_power(cx, face_of(x, e), rest);
  if (!expr_is_defined(cx, root) || !number_to_int(cx, floor, &power)) return fraction_undefined();
  Term t = {expr_without_coefficient(cx, root), cx->exprs->one, expr_coefficient(cx, root)};
  Fraction whole = fraction_power(&x->work, base, power);
  return fraction_times(&x->work, whole,
                        fraction_whole(fraction_term(&x->work, t.monomial, t.wave, t.coefficient)));
}

static Fraction form_of_product(Expansion *x, Expr e) {
  Context *cx = x->work.cx;
  const Node *node = node_of(cx, e);
  if (is_monomial(x, node)) {
    Expr rest = expr_without_coefficient(cx, e);
    return fraction_whole(fraction_term(&x->work, rest, cx->exprs->one, node->number));
  }
  Fraction out = fraction_whole(fraction_constant(&x->work, node->number));
  for (uint32_t i = 0; i < node->count && !x->work.exhausted; i++) {
    Pair p = pairs_of(node)[i];
    Fraction f = form_of(x, p.expr);
    int64_t power;
    bool whole = number_to_int(cx, p.number, &power);
    Expr named = !whole && x->roots ? named_root_power(x->roots, p.expr, p.number) : 0;
    if (named)
      f = flat_form(x, named);
    else if (x->work.mode == EXPAND_PLAIN && f.numerator.n > 1 && (!whole || power < 0))
      f = bracket_form(x, p.expr, p.number);
    else if (!whole)
      f = form_of_root(x, p.expr, p.number);
    else if (power != 1)
      f = fraction_power(&x->work, f, power);
    out = i == 0 && node->number == NUMBER_ONE ? f : fraction_times(&x->work, out, f);
    if (out.undefined) return out;
  }
  return out;
}

// A function of canonical arguments is an atom, unless it folds.
static Fraction form_of_function(Expansion *x, Expr e) {
  Context *cx = x->work.cx;
  const Node *node = node_of(cx, e);
  Expr args[3];
  for (uint32_t i = 0; i < node->count; i++) {
    Fraction f = form_of(x, node->args[i]);
    if (f.undefined) return f;
    args[i] = face_of(x, node->args[i]);
  }
  if (x->work.mode == EXPAND_FOURIER) {
    Gather *g = &x->work.wave_gather;
    if (op_is_wave((Op)node->op))
      return fraction_whole(wave_of_angle(cx, g, (Op)node->op, args[0]));
    if (node->op == OP_TAN) {
      Fraction sine = fraction_whole(wave_of_angle(cx, g, OP_SIN, args[0]));
      Fraction cosine = fraction_whole(wave_of_angle(cx, g, OP_COS, args[0]));
      return fraction_times(&x->work, sine, fraction_inverse(&x->work, cosine));
    }
  }
  Expr value = expr_rebuild(cx, e, args);
  return expr_is_defined(cx, value) ? flat_form(x, value) : fraction_undefined();
}

static Fraction form_of_node(Expansion *x, Expr e) {
  const Node *node = node_of(x->work.cx, e);
  switch (node->op) {
  case OP_UNDEFINED: return fraction_undefined();
  case OP_NUMBER: return fraction_whole(fraction_constant(&x->work, node->number));
  case OP_PI:
  case OP_SYMBOL: return atom_form(x, e);
  case OP_DEFINITION:
    return x->roots ? atom_form(x, e) : form_of(x, definition_body(x->work.cx, e));
  case OP_SUM: return form_of_sum(x, node);
  case OP_PRODUCT: return form_of_product(x, e);
  default: return form_of_function(x, e);
  }
}

// ---- Runs

static Visit visit_unknown(const Context *cx, Expr e, void *argument) {
  const Expansion *x = argument;
  if (memo_get(x->index, e)) return VISIT_SKIP;
  return x->roots && expr_is_definition(cx, e) ? VISIT_LIST : VISIT_ENTER;
}

bool expansion_run(Expansion *x, const Expr *roots, size_t n) {
  ExprList list = expr_walk(x->work.cx, roots, n, visit_unknown, x);
  for (uint32_t i = 0; i < list.n; i++) {
    Fraction form = form_of_node(x, list.at[i]);
    if (x->work.exhausted) return false;
    vec_push(&x->work.cx->scratch, &x->forms, form);
    memo_set(x->work.cx, x->index, list.at[i], x->forms.n);
  }
  return true;
}

static Expr expand_in(Context *cx, Expr e, ExpansionMode mode, uint64_t most) {
  Mark mark = arena_mark(&cx->scratch);
  Expansion *x = expansion_open(cx, mode, most);
  Expr result = e;
  if (expansion_run(x, &e, 1)) {
    Fraction form = expansion_fraction(x, e);
    result = fraction_to_expr(cx, &form);
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
    Fraction form = expansion_fraction(x, e);
    answer = form.numerator.n == 0 && !form.undefined ? ZERO_YES : ZERO_NO;
  }
  expansion_close(x);
  arena_release(&cx->scratch, mark);
  return answer;
}
