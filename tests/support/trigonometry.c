// Random trigonometric functions and their other faces.
#include "support/trigonometry.h"

static Expr random_angle(Samples *s) {
  Context *cx = s->cx;
  int p = random_below(s->random, 7) - 3, q = random_below(s->random, 7) - 3;
  Expr sum = expr_add(cx, expr_mul(cx, expr_int(cx, p), s->symbol[2]),
                      expr_mul(cx, expr_int(cx, q), s->symbol[3]));
  if (random_below(s->random, 4) == 0) sum = expr_scale(cx, NUMBER_HALF, sum);
  if (random_below(s->random, 6) == 0)
    sum = expr_add(cx, sum,
                   expr_mul(cx, expr_ratio(cx, random_below(s->random, 24), 12), expr_pi(cx)));
  return sum;
}

static Expr random_atom(Samples *s, bool quotients) {
  Context *cx = s->cx;
  switch (random_below(s->random, quotients ? 9 : 8)) {
  case 0: return expr_ratio(cx, random_below(s->random, 9) - 4, 1 + random_below(s->random, 3));
  case 1:
  case 2: return s->symbol[random_below(s->random, SAMPLE_SYMBOLS)];
  case 8: return expr_function1(cx, OP_TAN, random_angle(s));
  default: return expr_function1(cx, random_below(s->random, 2) ? OP_SIN : OP_COS, random_angle(s));
  }
}

Expr random_trigonometric(Samples *s, int depth, bool quotients) {
  Context *cx = s->cx;
  if (depth == 0) return random_atom(s, quotients);
  Expr a = random_trigonometric(s, depth - 1, quotients);
  int kind = random_below(s->random, quotients ? 9 : 8);
  if (kind == 7) return expr_power(cx, a, number_int(cx, 2 + random_below(s->random, 2)));
  Expr b = random_trigonometric(s, depth - 1 - random_below(s->random, depth), quotients);
  if (kind == 8) return expr_is_zero(cx, b) ? a : expr_div(cx, a, b);
  return kind < 4 ? expr_add(cx, a, b) : expr_mul(cx, a, b);
}

// ---- Rewriting

// sin(A) as sin(A - B) cos(B) + cos(A - B) sin(B)
static Expr by_addition(Samples *s, bool sine, Expr angle) {
  Context *cx = s->cx;
  Expr b = random_angle(s), a = expr_sub(cx, angle, b);
  Expr sa = expr_sin(cx, a), ca = expr_cos(cx, a), sb = expr_sin(cx, b), cb = expr_cos(cx, b);
  if (sine) return expr_add(cx, expr_mul(cx, sa, cb), expr_mul(cx, ca, sb));
  return expr_sub(cx, expr_mul(cx, ca, cb), expr_mul(cx, sa, sb));
}

static Expr by_halves(Samples *s, bool sine, Expr angle) {
  Context *cx = s->cx;
  Expr half = expr_scale(cx, NUMBER_HALF, angle), sh = expr_sin(cx, half), ch = expr_cos(cx, half);
  if (sine) return expr_scale(cx, NUMBER_TWO, expr_mul(cx, sh, ch));
  if (random_below(s->random, 2)) return expr_sub(cx, expr_square(cx, ch), expr_square(cx, sh));
  return expr_sub(cx, expr_int(cx, 1), expr_scale(cx, NUMBER_TWO, expr_square(cx, sh)));
}

// a (b + c) as a b + a c
static Expr by_distribution(Samples *s, Expr e) {
  Context *cx = s->cx;
  const Node *node = node_of(cx, e);
  for (uint32_t i = 0; i < node->count; i++) {
    Pair p = pairs_of(node)[i];
    const Node *sum = node_of(cx, p.expr);
    if (sum->op != OP_SUM || number_sign(cx, p.number) < 0) continue;
    Expr rest = expr_div(cx, e, p.expr), result = expr_mul(cx, rest, expr_number(cx, sum->number));
    for (uint32_t k = 0; k < sum->count; k++)
      result = expr_add(
          cx, result,
          expr_mul(cx, rest, expr_scale(cx, pairs_of(sum)[k].number, pairs_of(sum)[k].expr)));
    return result;
  }
  return e;
}

// a + b as (a d + b d) / d
static Expr by_denominator(Samples *s, Expr e) {
  Context *cx = s->cx;
  const Node *node = node_of(cx, e);
  Expr d = expr_add(cx, s->symbol[0], expr_cos(cx, random_angle(s)));
  Expr top = expr_mul(cx, expr_number(cx, node->number), d);
  for (uint32_t i = 0; i < node->count; i++)
    top = expr_add(
        cx, top, expr_mul(cx, d, expr_scale(cx, pairs_of(node)[i].number, pairs_of(node)[i].expr)));
  return expr_div(cx, top, d);
}

static Expr other_face(Samples *s, Expr e) {
  Context *cx = s->cx;
  int die = random_below(s->random, 4);
  switch (op_of(cx, e)) {
  case OP_SIN:
  case OP_COS: {
    bool sine = op_of(cx, e) == OP_SIN;
    Expr angle = node_of(cx, e)->args[0];
    return die == 0 ? by_addition(s, sine, angle) : die == 1 ? by_halves(s, sine, angle) : e;
  }
  case OP_TAN: {
    Expr angle = node_of(cx, e)->args[0];
    return expr_div(cx, by_addition(s, true, angle), expr_cos(cx, angle));
  }
  case OP_PRODUCT: return die < 2 ? by_distribution(s, e) : e;
  case OP_SUM: return die == 0 ? by_denominator(s, e) : e;
  default: return e;
  }
}

Expr rewrite_randomly(Samples *s, Expr e) {
  Context *cx = s->cx;
  Op op = op_of(cx, e);
  if (op == OP_SUM || op == OP_PRODUCT) {
    uint32_t n = expr_child_count(cx, e);
    Expr *children = arena_array(&cx->scratch, Expr, n);
    for (uint32_t i = 0; i < n; i++) children[i] = rewrite_randomly(s, expr_child(cx, e, i));
    e = expr_rebuild(cx, e, children);
  }
  return other_face(s, e);
}
