// Products of waves.
#include "expr/algebra/trig.h"

#include "base/hash.h"
#include "expr/build.h"

// ---- Exact values at multiples of pi/12

// sin(k pi / 12) in square roots
static Expr sine_of_twelfths(Context *cx, int64_t k) {
  k = (k % 24 + 24) % 24;
  bool negative = k >= 12;
  k %= 12;
  if (k > 6) k = 12 - k;
  Expr angle = expr_scale(cx, number_ratio(cx, k, 12), expr_pi(cx)), value = expr_sin(cx, angle);
  if (k == 1 || k == 5) {
    Expr two = expr_sqrt(cx, expr_int(cx, 2)), six = expr_sqrt(cx, expr_int(cx, 6));
    Expr sum = k == 1 ? expr_sub(cx, six, two) : expr_add(cx, six, two);
    value = expr_mul(cx, expr_ratio(cx, 1, 4), sum);
  }
  return negative ? expr_neg(cx, value) : value;
}

// angle = rest + twelfths * pi/12; false when the angle has no such part.
static bool split_twelfths(Context *cx, Expr angle, Expr *rest, int64_t *twelfths) {
  const Node *node = node_of(cx, angle);
  Number turns = NUMBER_NONE;
  Expr pi = expr_pi(cx);
  if (node->op == OP_SUM) {
    for (uint32_t i = 0; i < node->count; i++) {
      if (pairs_of(node)[i].expr == pi) turns = pairs_of(node)[i].number;
    }
  } else if (expr_without_coefficient(cx, angle) == pi) {
    turns = expr_coefficient(cx, angle);
  }
  if (turns == NUMBER_NONE) return false;
  if (!number_to_int(cx, number_mul(cx, turns, number_int(cx, 12)), twelfths)) return false;
  *rest = expr_sub(cx, angle, expr_scale(cx, turns, pi));
  return true;
}

Poly wave_of_angle(Context *cx, Gather *g, Op op, Expr angle) {
  Expr rest;
  int64_t k;
  if (!split_twelfths(cx, angle, &rest, &k))
    return poly_from_flat(cx, g, expr_function1(cx, op, angle), true);
  k %= 24;
  if (op == OP_COS) k += 6; // the cosine leads the sine by a quarter turn
  // sin(rest + k pi/12) = sin(rest) cos(k pi/12) + cos(rest) sin(k pi/12)
  Expr constant[2] = {sine_of_twelfths(cx, k + 6), sine_of_twelfths(cx, k)};
  Expr wave[2] = {expr_sin(cx, rest), expr_cos(cx, rest)};
  Expr one = cx->exprs->one;
  Poly parts[2][2];
  for (int i = 0; i < 2; i++) {
    parts[i][0] = poly_from_flat(cx, g, constant[i], false);
    parts[i][1] = poly_from_flat(cx, g, wave[i], true);
  }
  for (int i = 0; i < 2; i++) {
    for (uint32_t a = 0; a < parts[i][0].n; a++) {
      for (uint32_t b = 0; b < parts[i][1].n; b++) {
        Term c = parts[i][0].at[a], w = parts[i][1].at[b];
        Expr monomial = expr_mul(cx, c.monomial, w.monomial);
        Number n = number_mul(cx, c.coefficient, w.coefficient);
        n = number_mul(cx, n, expr_coefficient(cx, monomial));
        monomial = expr_without_coefficient(cx, monomial);
        gather_add(cx, g, (Term){monomial, w.wave ? w.wave : one, n});
      }
    }
  }
  return gather_take(cx, g);
}

// ---- Products to sums

typedef struct WaveProduct {
  Expr a, b;
  Poly sum;
} WaveProduct;

static WaveProduct *slot_of(const WaveTable *table, Expr a, Expr b) {
  uint32_t mask = table->slot_count - 1, i = hash_word(a, b) & mask;
  while (table->slots[i].a && (table->slots[i].a != a || table->slots[i].b != b))
    i = (i + 1) & mask;
  return &table->slots[i];
}

static void enlarge(Context *cx, WaveTable *table) {
  WaveTable old = *table;
  table->slot_count = old.slot_count ? 2 * old.slot_count : 64;
  table->slots = arena_array(&cx->scratch, WaveProduct, table->slot_count);
  for (uint32_t i = 0; i < old.slot_count; i++) {
    if (old.slots[i].a) *slot_of(table, old.slots[i].a, old.slots[i].b) = old.slots[i];
  }
}

static void add_scaled(Context *cx, Gather *g, Poly p, Number factor) {
  for (uint32_t i = 0; i < p.n; i++) {
    Term t = p.at[i];
    t.coefficient = number_mul(cx, t.coefficient, factor);
    gather_add(cx, g, t);
  }
}

static Poly product_to_sum(Context *cx, Gather *g, Expr a, Expr b) {
  bool sine_a = op_of(cx, a) == OP_SIN, sine_b = op_of(cx, b) == OP_SIN;
  Expr angle_a = node_of(cx, a)->args[0], angle_b = node_of(cx, b)->args[0];
  if (!sine_a && sine_b) {
    Expr angle = angle_a;
    angle_a = angle_b, angle_b = angle;
  }
  // sin A sin B, cos A cos B: cosines; sin A cos B: sines
  Op op = sine_a == sine_b ? OP_COS : OP_SIN;
  Number minus_half = number_neg(cx, NUMBER_HALF);
  Poly difference = wave_of_angle(cx, g, op, expr_sub(cx, angle_a, angle_b));
  Poly sum = wave_of_angle(cx, g, op, expr_add(cx, angle_a, angle_b));
  add_scaled(cx, g, difference, NUMBER_HALF);
  add_scaled(cx, g, sum, sine_a && sine_b ? minus_half : NUMBER_HALF);
  return gather_take(cx, g);
}

Poly wave_product(Context *cx, WaveTable *table, Gather *g, Expr a, Expr b) {
  if (a > b) {
    Expr c = a;
    a = b, b = c;
  }
  if (2 * table->n >= table->slot_count) enlarge(cx, table);
  WaveProduct *slot = slot_of(table, a, b);
  if (!slot->a) {
    *slot = (WaveProduct){a, b, product_to_sum(cx, g, a, b)};
    table->n++;
  }
  return slot->sum;
}
