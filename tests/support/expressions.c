// Random expressions.
#include "support/expressions.h"

#include <math.h>

#include "expr/value/eval.h"
#include "expr/walk.h"

Samples samples_open(Context *cx, Random *random) {
  Samples s = {cx, random, {0}};
  s.symbol[0] = expr_symbol(cx, SYMBOL_PARAMETER, symbol_from_text(cx, "a"));
  s.symbol[1] = expr_symbol(cx, SYMBOL_PARAMETER, symbol_from_text(cx, "m_1"));
  s.symbol[2] = expr_symbol(cx, SYMBOL_COORDINATE, symbol_from_text(cx, "x"));
  s.symbol[3] = expr_symbol(cx, SYMBOL_COORDINATE, symbol_from_text(cx, "theta_2"));
  s.symbol[4] = expr_symbol(cx, SYMBOL_VELOCITY, symbol_from_text(cx, "x"));
  s.symbol[5] = expr_symbol(cx, SYMBOL_VELOCITY, symbol_from_text(cx, "theta_2"));
  return s;
}

static Expr random_leaf(Samples *s) {
  int kind = random_below(s->random, 10);
  if (kind < 7) return s->symbol[random_below(s->random, SAMPLE_SYMBOLS)];
  if (kind < 8) return expr_int(s->cx, random_below(s->random, 7) - 3);
  if (kind < 9)
    return expr_ratio(s->cx, random_below(s->random, 19) - 9, 1 + random_below(s->random, 12));
  return random_below(s->random, 4) ? expr_ratio(s->cx, 981, 100) : expr_pi(s->cx);
}

// Keeps arguments of functions with poles where the functions are tame.
static Expr tamed(Samples *s, Op op, Expr a) {
  Context *cx = s->cx;
  switch (op) {
  case OP_ASIN:
  case OP_ACOS: return expr_scale(cx, NUMBER_HALF, expr_sin(cx, a));
  case OP_TAN:
  case OP_EXP:
  case OP_SINH:
  case OP_COSH: return expr_sin(cx, a);
  case OP_LOG: return expr_add(cx, expr_int(cx, 1), expr_square(cx, a));
  default: return a;
  }
}

static Expr random_smooth_function(Samples *s, int depth) {
  // sine and cosine twice as often as the other functions from sin to log
  int i = random_below(s->random, OP_LOG - OP_SIN + 3);
  Op op = (Op)(OP_SIN + (i < 2 ? i : i - 2));
  return expr_function1(s->cx, op, tamed(s, op, random_expr(s, depth - 1, true)));
}

// Conditions decide between two branches; the language has no other use for them.
static Expr random_condition(Samples *s, int depth) {
  Op op = (Op)(OP_LT + random_below(s->random, depth > 1 ? OP_NOT - OP_LT + 1 : 3));
  bool logical = op == OP_AND || op == OP_OR || op == OP_NOT;
  Expr args[2];
  for (int i = 0; i < op_arity(op); i++)
    args[i] = logical ? random_condition(s, depth - 1) : random_expr(s, depth - 1, false);
  return expr_function(s->cx, op, args);
}

static Expr random_any_function(Samples *s, int depth) {
  Op op = (Op)(OP_SIN + random_below(s->random, OP_LT - OP_SIN));
  Expr args[3];
  for (int i = 0; i < op_arity(op); i++)
    args[i] =
        op == OP_IF && i == 0 ? random_condition(s, depth - 1) : random_expr(s, depth - 1, false);
  return expr_function(s->cx, op, args);
}

static Expr random_power(Samples *s, int depth, bool smooth) {
  Context *cx = s->cx;
  Expr base = random_expr(s, depth - 1, smooth);
  int kind = random_below(s->random, 6);
  if (kind < 3) return expr_power(cx, base, number_int(cx, 2 + random_below(s->random, 3)));
  Expr positive = expr_add(cx, expr_int(cx, 1), expr_square(cx, base));
  if (kind < 5) return expr_power(cx, positive, number_ratio(cx, 1 - 2 * (kind == 4), 2));
  return expr_power(cx, positive, number_ratio(cx, random_below(s->random, 7) - 3, 3));
}

Expr random_expr(Samples *s, int depth, bool smooth) {
  Context *cx = s->cx;
  if (depth <= 0) return random_leaf(s);
  int kind = random_below(s->random, 12);
  if (kind < 2) return random_leaf(s);
  if (kind < 8) {
    Expr a = random_expr(s, depth - 1, smooth), b = random_expr(s, depth - 1, smooth);
    if (kind < 4) return expr_add(cx, a, b);
    if (kind < 5) return expr_sub(cx, a, b);
    if (kind < 7) return expr_mul(cx, a, b);
    return smooth ? expr_div(cx, a, expr_add(cx, expr_int(cx, 2), expr_square(cx, b)))
                  : expr_div(cx, a, b);
  }
  if (kind < 10) return random_power(s, depth, smooth);
  return smooth ? random_smooth_function(s, depth) : random_any_function(s, depth);
}

double *random_values(Samples *s, double low, double high) {
  uint32_t n = s->cx->exprs->symbols.n;
  double *values = arena_array(&s->cx->scratch, double, n);
  for (uint32_t i = 0; i < n; i++) values[i] = random_real(s->random, low, high);
  return values;
}

bool is_well_conditioned(Samples *s, Expr e, const double *values) {
  Mark mark = arena_mark(&s->cx->scratch);
  ExprList list = expr_walk(s->cx, &e, 1, visit_all, NULL);
  double *parts = arena_array(&s->cx->scratch, double, list.n);
  expr_eval_many(s->cx, list.at, list.n, values, parts);
  bool moderate = true;
  for (uint32_t i = 0; i < list.n; i++) moderate = moderate && fabs(parts[i]) < 1e5;
  arena_release(&s->cx->scratch, mark);
  return moderate;
}
