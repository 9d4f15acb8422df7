// The normal form: keeps the value, is unique, and decides what is zero.
#include <math.h>

#include "expr/algebra/expand.h"
#include "expr/canonical.h"
#include "expr/define.h"
#include "expr/print.h"
#include "expr/value/bound.h"
#include "support/trigonometry.h"

#define BUDGET 200000

// Compares at a random point within the rounding errors; true when the point was fit for it.
static bool same_value(Samples *s, Expr a, Expr b) {
  double *values = random_values(s, 0.2, 1.8);
  Bounded x = expr_eval_bounded(s->cx, a, values), y = expr_eval_bounded(s->cx, b, values);
  double allowed = x.error + y.error;
  if (!(allowed < 1e-6 * (1 + fabs(x.value)))) return false;
  if (fabs(x.value - y.value) <= allowed) return true;
  fail_msg("%s is %.17g, %s is %.17g", expr_text(s->cx, &s->cx->scratch, a), x.value,
           expr_text(s->cx, &s->cx->scratch, b), y.value);
  return false;
}

TEST(keeps_the_value_of_any_expression) {
  Random random = random_start("keeps_the_value_of_any_expression");
  Samples s = samples_open(cx, &random);
  int compared = 0, rounds = test_rounds(100000);
  for (int i = 0; i < rounds; i++) {
    Mark mark = arena_mark(&cx->scratch);
    Expr e = random_expr(&s, 4, true), normal = expr_normal(cx, e), expanded;
    expanded = expr_expand(cx, e, BUDGET);
    assert_true(expr_is_canonical(cx, normal));
    assert_true(expr_is_canonical(cx, expanded));
    compared += same_value(&s, e, normal) && same_value(&s, e, expanded);
    arena_release(&cx->scratch, mark);
  }
  assert_true(compared > rounds / 2);
}

TEST(is_unique_for_trigonometric_polynomials) {
  Random random = random_start("is_unique_for_trigonometric_polynomials");
  Samples s = samples_open(cx, &random);
  for (int i = 0; i < test_rounds(5000); i++) {
    Mark mark = arena_mark(&cx->scratch);
    Expr e = random_trigonometric(&s, 3, false), other = rewrite_randomly(&s, e);
    Expr normal = expr_normal(cx, e);
    assert_int_equal(expr_normal(cx, normal), normal);
    assert_int_equal(expr_zero_test(cx, expr_sub(cx, e, other), 10 * BUDGET), ZERO_YES);
    arena_release(&cx->scratch, mark);
  }
}

TEST(zero_test_never_lies) {
  Random random = random_start("zero_test_never_lies");
  Samples s = samples_open(cx, &random);
  int yes = 0, large = 0, rounds = test_rounds(3000);
  for (int i = 0; i < rounds; i++) {
    Mark mark = arena_mark(&cx->scratch);
    Expr e = random_trigonometric(&s, 3, true), other = rewrite_randomly(&s, e);
    Expr difference = expr_sub(cx, e, other);
    if (expr_is_defined(cx, difference)) {
      ZeroTest test = expr_zero_test(cx, difference, BUDGET);
      if (test == ZERO_NO) print_message("%s\n", expr_text(cx, &cx->scratch, difference));
      assert_int_not_equal(test, ZERO_NO);
      yes += test == ZERO_YES, large += test == ZERO_TOO_LARGE;
      // a term more, and it is no longer zero
      Expr extra = expr_mul(cx, expr_ratio(cx, 1, 1000003), random_trigonometric(&s, 1, false));
      if (expr_zero_test(cx, extra, BUDGET) == ZERO_NO)
        assert_int_not_equal(expr_zero_test(cx, expr_add(cx, difference, extra), BUDGET), ZERO_YES);
    }
    arena_release(&cx->scratch, mark);
  }
  print_message("zero_test_never_lies: %d proved, %d too large\n", yes, large);
  assert_true(yes > rounds / 2);
}

static Expr symbol(Context *cx, SymbolKind kind, const char *name) {
  return expr_symbol(cx, kind, symbol_from_text(cx, name));
}

TEST(knows_the_famous_identities) {
  Expr x = symbol(cx, SYMBOL_COORDINATE, "x"), y = symbol(cx, SYMBOL_COORDINATE, "y");
  Expr s = expr_sin(cx, x), c = expr_cos(cx, x), one = expr_int(cx, 1);
  Expr tangent = expr_function1(cx, OP_TAN, x);
  Expr quarter = expr_mul(cx, expr_ratio(cx, 1, 4), expr_pi(cx));
  Expr root = expr_sqrt(cx, expr_int(cx, 2));
  Expr length = expr_sqrt(cx, expr_add(cx, expr_square(cx, x), expr_square(cx, y)));
  Expr w = expr_define(cx, symbol_from_text(cx, "w"), expr_add(cx, x, y));
  Expr zeros[] = {
      expr_sub(cx, expr_add(cx, expr_square(cx, s), expr_square(cx, c)), one),
      expr_sub(cx, expr_add(cx, one, expr_square(cx, tangent)),
               expr_power(cx, c, number_int(cx, -2))),
      // sin(x + pi/4) = (sin x + cos x) / sqrt 2
      expr_sub(cx, expr_mul(cx, root, expr_sin(cx, expr_add(cx, x, quarter))), expr_add(cx, s, c)),
      // tan(x/2) = (1 - cos x) / sin x
      expr_sub(cx, expr_function1(cx, OP_TAN, expr_scale(cx, NUMBER_HALF, x)),
               expr_div(cx, expr_sub(cx, one, c), s)),
      // a root is its radicand's
      expr_sub(cx, expr_square(cx, expr_add(cx, length, x)),
               expr_sum(cx,
                        (Expr[]){expr_scale(cx, NUMBER_TWO, expr_square(cx, x)), expr_square(cx, y),
                                 expr_scale(cx, NUMBER_TWO, expr_mul(cx, x, length))},
                        3)),
      expr_sub(cx, expr_square(cx, w),
               expr_sum(cx,
                        (Expr[]){expr_square(cx, x), expr_square(cx, y),
                                 expr_scale(cx, NUMBER_TWO, expr_mul(cx, x, y))},
                        3)),
  };
  for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++) {
    if (expr_zero_test(cx, zeros[i], BUDGET) != ZERO_YES)
      fail_msg("not seen to be zero: %s", expr_text(cx, &cx->scratch, zeros[i]));
  }
  // 1/(sin^2 + cos^2 - 1) has no value
  assert_false(expr_is_defined(cx, expr_normal(cx, expr_power(cx, zeros[0], NUMBER_MINUS_ONE))));
}

TEST(gives_up_instead_of_swelling) {
  Expr sum = symbol(cx, SYMBOL_PARAMETER, "a_0");
  for (int i = 1; i < 40; i++)
    sum = expr_add(cx, sum, symbol(cx, SYMBOL_PARAMETER, text_format(&cx->keep, "a_%d", i)));
  Expr power = expr_power(cx, sum, number_int(cx, 30));
  assert_int_equal(expr_expand(cx, power, BUDGET), power);
  assert_int_equal(expr_zero_test(cx, power, BUDGET), ZERO_TOO_LARGE);
}

RUN_TESTS(cmocka_unit_test(keeps_the_value_of_any_expression),
          cmocka_unit_test(is_unique_for_trigonometric_polynomials),
          cmocka_unit_test(zero_test_never_lies), cmocka_unit_test(knows_the_famous_identities),
          cmocka_unit_test(gives_up_instead_of_swelling))
