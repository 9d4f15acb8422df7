// Roots in closed form.
#include "analyse/equilibrium/closed_root.h"

#include <math.h>

#include "expr/algebra/expand.h"
#include "expr/algebra/simplify.h"
#include "expr/diff.h"
#include "expr/plane.h"
#include "expr/subst.h"
#include "expr/value/eval.h"
#include "expr/walk.h"

#define LONGEST 80 // nodes of a root that a person would still read

typedef struct Root {
  Context *cx;
  Expr e, x;
  double number;
  const double *values; // by variable; those of unknowns may be anything
} Root;

static Expr tidy(Context *cx, Expr e) { return expr_simplify(cx, e, SIMPLIFY_NORMAL); }

static Expr at(Context *cx, Expr e, Expr x, Expr value) {
  return expr_subst(cx, e, &(Substitution){x, value}, 1);
}

static bool is_short(Context *cx, Expr e) {
  Mark mark = arena_mark(&cx->scratch);
  uint32_t n = expr_walk(cx, &e, 1, visit_all, NULL).n;
  arena_release(&cx->scratch, mark);
  return n <= LONGEST;
}

// The candidate if it has the right value and is short, else 0.
static Expr check(const Root *r, Expr candidate, double number) {
  if (!expr_is_defined(r->cx, candidate) || !is_short(r->cx, candidate)) return 0;
  double value = expr_eval(r->cx, candidate, r->values);
  bool good = fabs(value - number) <= 1e-7 * fmax(1e-3, fabs(number));
  return good ? candidate : 0;
}

// sqrt(e), without a root where e is the square of a product. The sign is the caller's.
static Expr square_root(Context *cx, Expr e) {
  if (op_of(cx, e) != OP_PRODUCT) return expr_sqrt(cx, e);
  const Node *node = node_of(cx, e);
  const Pair *pairs = pairs_of(node);
  Expr root = expr_sqrt(cx, expr_number(cx, node->number));
  for (uint32_t i = 0; i < node->count; i++)
    root = expr_mul(cx, root,
                    expr_power(cx, pairs[i].expr, number_mul(cx, pairs[i].number, NUMBER_HALF)));
  return root;
}

// a x^2 + b x + c = 0 for a value x; all free of x.
static Expr quadratic(const Root *r, Expr a, Expr b, Expr c, double number) {
  Context *cx = r->cx;
  Expr four_ac = expr_mul3(cx, expr_int(cx, 4), a, c);
  Expr discriminant = tidy(cx, expr_sub(cx, expr_square(cx, b), four_ac));
  Expr root = square_root(cx, discriminant), twice = expr_mul(cx, expr_int(cx, 2), a);
  for (int sign = -1; sign <= 1; sign += 2) {
    Expr top = sign < 0 ? expr_sub(cx, root, b) : expr_sub(cx, expr_neg(cx, root), b);
    Expr found = check(r, tidy(cx, expr_div(cx, top, twice)), number);
    if (found) return found;
  }
  return 0;
}

// The root y of a polynomial of degree 1 or 2 in the symbol y.
static Expr polynomial(const Root *r, Expr e, Expr y, double number) {
  Context *cx = r->cx;
  Expr zero = expr_int(cx, 0), first = tidy(cx, expr_diff(cx, e, y));
  Expr c = tidy(cx, at(cx, e, y, zero));
  if (!expr_depends(cx, first, y)) {
    if (expr_is_zero(cx, first)) return 0;
    return check(r, tidy(cx, expr_neg(cx, expr_div(cx, c, first))), number);
  }
  Expr second = tidy(cx, expr_diff(cx, first, y));
  if (expr_depends(cx, second, y) || expr_is_zero(cx, second)) return 0;
  Expr a = expr_mul(cx, expr_ratio(cx, 1, 2), second);
  return quadratic(r, a, at(cx, first, y, zero), c, number);
}

// base + 2 pi k with the value of the root, or 0.
static Expr shifted(const Root *r, Expr base) {
  double value = expr_eval(r->cx, base, r->values);
  double turns = round((r->number - value) / (2 * M_PI));
  if (!(fabs(turns) < 1e6)) return 0;
  Expr shift = expr_scale(r->cx, number_int(r->cx, 2 * (int64_t)turns), expr_pi(r->cx));
  return check(r, expr_add(r->cx, base, shift), r->number);
}

// An equation in sin x alone, or in cos x alone.
static Expr inverse_wave(const Root *r, Op wave) {
  Context *cx = r->cx;
  Expr stand_in = expr_symbol(cx, SYMBOL_PARAMETER, symbol_from_text(cx, "sine of a root"));
  Expr function = expr_function1(cx, wave, r->x);
  Mark mark = arena_mark(&cx->scratch);
  ExprList list = expr_walk(cx, &r->e, 1, visit_all, NULL);
  bool inside = false;
  for (uint32_t i = 0; i < list.n; i++) inside = inside || list.at[i] == function;
  arena_release(&cx->scratch, mark);
  if (!inside) return 0;
  Expr e = at(cx, r->e, function, stand_in);
  if (expr_depends(cx, e, r->x)) return 0;
  double number = wave == OP_SIN ? sin(r->number) : cos(r->number);
  Expr value = polynomial(r, e, stand_in, number);
  if (!value) return 0;
  Expr angle = expr_function1(cx, wave == OP_SIN ? OP_ASIN : OP_ACOS, value);
  Expr found = shifted(r, angle);
  if (found) return found;
  Expr other = wave == OP_SIN ? expr_sub(cx, expr_pi(cx), angle) : expr_neg(cx, angle);
  return shifted(r, other);
}

// a sin x + b cos x = 0: x = -atan(b/a) + pi k.
static Expr balanced_waves(const Root *r) {
  Context *cx = r->cx;
  Expr zero = expr_int(cx, 0), right = expr_scale(cx, NUMBER_HALF, expr_pi(cx));
  Expr b = at(cx, r->e, r->x, zero), a = at(cx, r->e, r->x, right);
  Expr sine = expr_sin(cx, r->x);
  Expr cosine = expr_cos(cx, r->x);
  Expr model = plane_dot(cx, (Expr[]){a, b}, (Expr[]){sine, cosine});
  if (expr_is_zero(cx, tidy(cx, a))) return 0;
  if (expr_zero_test(cx, expr_sub(cx, r->e, model), 20000) != ZERO_YES) return 0;
  Expr base = expr_neg(cx, expr_function1(cx, OP_ATAN, tidy(cx, expr_div(cx, b, a))));
  Expr found = shifted(r, base);
  return found ? found : shifted(r, expr_add(cx, base, expr_pi(cx)));
}

bool root_is_short(Context *cx, Expr root, double number, const double *values) {
  Root r = {.cx = cx, .values = values};
  return check(&r, root, number) != 0;
}

Expr root_of_polynomial(Context *cx, Expr e, Expr x, double number, const double *values) {
  Root r = {cx, e, x, number, values};
  return polynomial(&r, e, x, number);
}

Expr root_of(Context *cx, Expr e, Expr x, double number, const double *values) {
  Root r = {cx, e, x, number, values};
  Expr found = polynomial(&r, e, x, number);
  if (!found) found = inverse_wave(&r, OP_SIN);
  if (!found) found = inverse_wave(&r, OP_COS);
  if (!found) found = balanced_waves(&r);
  return found;
}
