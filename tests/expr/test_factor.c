// Factors: their product is what came in, and what was multiplied is found again.
#include "expr/algebra/factor.h"

#include "expr/algebra/equal.h"
#include "expr/algebra/expand.h"
#include "expr/build.h"
#include "expr/print.h"
#include "support/expressions.h"

// A sum of a few monomials in symbols and sines, without content.
static Expr random_sum(Samples *s, int terms) {
  Context *cx = s->cx;
  Expr sum = expr_int(cx, 1 + random_below(s->random, 3));
  for (int i = 0; i < terms; i++) {
    Expr atom = s->symbol[random_below(s->random, 4)];
    if (random_below(s->random, 3) == 0) atom = expr_sin(cx, s->symbol[2]);
    Expr other =
        random_below(s->random, 2) ? s->symbol[random_below(s->random, 4)] : expr_int(cx, 1);
    Number c = number_int(cx, random_below(s->random, 7) - 3);
    sum = expr_add(cx, sum, expr_scale(cx, c, expr_mul(cx, atom, other)));
  }
  return sum;
}

static Poly plain_poly(Context *cx, Gather *g, Expr e) {
  return poly_from_flat(cx, g, expr_expand(cx, e, 100000), false);
}

static Expr product_of(Context *cx, const Factored *f) {
  Expr product = expr_scale(cx, f->content.number, f->content.monomial);
  for (uint32_t i = 0; i < f->n; i++)
    product = expr_mul(
        cx, product,
        expr_power(cx, poly_to_expr(cx, f->factor[i].poly), number_int(cx, f->factor[i].power)));
  return product;
}

TEST(finds_the_factors_again) {
  Random random = random_start("finds_the_factors_again");
  Samples s = samples_open(cx, &random);
  for (int i = 0; i < test_rounds(400); i++) {
    Mark mark = arena_mark(&cx->scratch);
    Gather g = {0};
    Expr a = random_sum(&s, 2), b = random_sum(&s, 3), product = expr_mul(cx, a, b);
    if (!expr_is_number(cx, a) && !expr_is_number(cx, b)) {
      Factored f = poly_factor(cx, &g, plain_poly(cx, &g, product));
      uint32_t count = 0;
      for (uint32_t k = 0; k < f.n; k++) count += f.factor[k].power;
      if (count < 2) fail_msg("no factors of %s", expr_text(cx, &cx->keep, product));
      assert_int_equal(expr_equal(cx, product_of(cx, &f), product, NULL), EQUAL_YES);
    }
    arena_release(&cx->scratch, mark);
  }
}

TEST(pulls_content_and_knows_when_to_stop) {
  Random random = random_start("pulls_content_and_knows_when_to_stop");
  Samples s = samples_open(cx, &random);
  Mark mark = arena_mark(&cx->scratch);
  Gather g = {0};
  Expr x = s.symbol[2], y = s.symbol[3], a = s.symbol[0];
  // 6 a x^2 y + 4 a x y^2 = 2 a x y (3 x + 2 y)
  Expr e = expr_mul3(
      cx, expr_mul3(cx, expr_int(cx, 2), a, x), y,
      expr_add(cx, expr_scale(cx, number_int(cx, 3), x), expr_scale(cx, number_int(cx, 2), y)));
  Factored f = poly_factor(cx, &g, plain_poly(cx, &g, e));
  assert_int_equal(f.n, 1);
  assert_int_equal(f.content.number, NUMBER_TWO);
  assert_int_equal(f.content.monomial, expr_mul3(cx, a, x, y));
  assert_int_equal(product_of(cx, &f), e);
  // degree beyond the bound: one factor
  e = expr_sub(cx, expr_power(cx, x, number_int(cx, 12)), expr_power(cx, y, number_int(cx, 12)));
  f = poly_factor(cx, &g, plain_poly(cx, &g, e));
  assert_int_equal(f.n, 1);
  arena_release(&cx->scratch, mark);
}

RUN_TESTS(cmocka_unit_test(finds_the_factors_again),
          cmocka_unit_test(pulls_content_and_knows_when_to_stop))
