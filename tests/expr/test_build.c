// Canonical form: the same value written in another way is the same node.
#include "expr/build.h"

#include <math.h>
#include <string.h>

#include "expr/algebra/expand.h"
#include "expr/algebra/simplify.h"
#include "expr/canonical.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/print.h"
#include "expr/value/eval.h"
#include "expr/walk.h"
#include "support/expressions.h"

static void shuffle(Random *random, Expr *items, int n) {
  for (int i = n - 1; i > 0; i--) {
    int j = random_below(random, i + 1);
    Expr kept = items[i];
    items[i] = items[j], items[j] = kept;
  }
}

// Sums and products of the same parts, in any order and grouping.
TEST(order_and_grouping_do_not_matter) {
  Random random = random_start("order_and_grouping_do_not_matter");
  Samples s = samples_open(cx, &random);
  for (int round = 0; round < test_rounds(100000); round++) {
    Expr part[5];
    int n = 2 + random_below(&random, 4);
    bool sums = random_below(&random, 2);
    for (int i = 0; i < n; i++) part[i] = random_expr(&s, 3, random_below(&random, 2));
    Expr expected = sums ? expr_sum(cx, part, (size_t)n) : expr_product(cx, part, (size_t)n);
    if (!expr_is_canonical(cx, expected)) print_error("%s\n", expr_text(cx, &cx->keep, expected));
    assert_true(expr_is_canonical(cx, expected));
    shuffle(&random, part, n);
    // join random neighbours until one is left
    for (int left = n; left > 1; left--) {
      int at = random_below(&random, left - 1);
      part[at] = sums ? expr_add(cx, part[at], part[at + 1]) : expr_mul(cx, part[at], part[at + 1]);
      memmove(part + at + 1, part + at + 2, (size_t)(left - at - 2) * sizeof *part);
    }
    if (part[0] != expected)
      print_error("%s\n%s\n", expr_text(cx, &cx->keep, part[0]),
                  expr_text(cx, &cx->keep, expected));
    assert_int_equal(part[0], expected);
  }
}

TEST(every_node_is_canonical) {
  Random random = random_start("every_node_is_canonical");
  Samples s = samples_open(cx, &random);
  for (int round = 0; round < test_rounds(20000); round++) random_expr(&s, 6, round % 2);
  for (Expr e = 1; e < expr_count(cx); e++) assert_true(expr_is_canonical(cx, e));
}

// Rebuilding every node from its children gives the node itself.
TEST(rebuilding_changes_nothing) {
  Random random = random_start("rebuilding_changes_nothing");
  Samples s = samples_open(cx, &random);
  for (int round = 0; round < test_rounds(20000); round++) {
    Mark mark = arena_mark(&cx->scratch);
    Expr e = random_expr(&s, 5, round % 2);
    ExprList list = expr_walk(cx, &e, 1, visit_all, NULL);
    for (uint32_t i = 0; i < list.n; i++) {
      Expr children[64];
      uint32_t n = expr_child_count(cx, list.at[i]);
      if (n > 64) continue;
      for (uint32_t k = 0; k < n; k++) children[k] = expr_child(cx, list.at[i], k);
      Expr again = expr_rebuild(cx, list.at[i], children);
      if (again != list.at[i])
        print_error("%s\n%s\n", expr_text(cx, &cx->keep, list.at[i]),
                    expr_text(cx, &cx->keep, again));
      assert_int_equal(again, list.at[i]);
    }
    arena_release(&cx->scratch, mark);
  }
}

static void check_fact(Context *cx, Expr e, const char *text) {
  assert_string_equal(expr_text(cx, &cx->keep, e), text);
}

TEST(facts) {
  Random random = {1};
  Samples s = samples_open(cx, &random);
  Expr a = s.symbol[0], m = s.symbol[1], x = s.symbol[2], th = s.symbol[3], v = s.symbol[4];
  Expr pi = expr_pi(cx), two = expr_int(cx, 2);
  check_fact(cx, expr_div(cx, expr_int(cx, 1), expr_int(cx, 0)), "undefined");
  check_fact(cx, expr_mul(cx, expr_int(cx, 0), expr_div(cx, a, expr_int(cx, 0))), "undefined");
  check_fact(cx, expr_sqrt(cx, expr_square(cx, x)), "sqrt(x^2)");
  check_fact(cx, expr_square(cx, expr_sqrt(cx, x)), "x");
  check_fact(cx, expr_sqrt(cx, expr_int(cx, 72)), "6*sqrt(2)");
  check_fact(cx, expr_sqrt(cx, expr_ratio(cx, 1, 2)), "sqrt(2)/2");
  check_fact(cx, expr_sqrt(cx, expr_int(cx, -1)), "undefined");
  check_fact(cx, expr_power(cx, expr_int(cx, 2), number_int(cx, 1000000)), "undefined");
  check_fact(cx, expr_sin(cx, expr_mul(cx, expr_ratio(cx, 7, 6), pi)), "-1/2");
  check_fact(cx, expr_cos(cx, expr_mul(cx, expr_ratio(cx, 3, 4), pi)), "-sqrt(2)/2");
  check_fact(cx, expr_sin(cx, expr_add(cx, x, expr_mul(cx, expr_ratio(cx, 1, 2), pi))), "cos(x)");
  check_fact(cx, expr_cos(cx, expr_sub(cx, x, expr_mul(cx, expr_ratio(cx, 1, 2), pi))), "sin(x)");
  check_fact(cx, expr_sin(cx, expr_sub(cx, th, x)), "-sin(x - theta_2)");
  check_fact(cx, expr_cos(cx, expr_sub(cx, th, x)), "cos(x - theta_2)");
  check_fact(cx, expr_product(cx, (Expr[]){expr_ratio(cx, 1, 2), m, expr_square(cx, v)}, 3),
             "m_1*x'^2/2");
  check_fact(cx, expr_mul(cx, expr_add(cx, x, expr_ratio(cx, 3, 10)), a), "a*(x + 0.3)");
  check_fact(cx, expr_div(cx, a, expr_mul(cx, two, x)), "a/(2*x)");
  check_fact(cx, expr_neg(cx, expr_sub(cx, a, m)), "m_1 - a");
  check_fact(cx, expr_pow(cx, x, expr_neg(cx, a)), "x^(-a)");
  check_fact(cx, expr_mul(cx, expr_ratio(cx, 981, 100), m), "9.81*m_1");
  Expr held = expr_hold(cx, expr_add(cx, x, th));
  check_fact(cx, expr_sub(cx, a, held), "a - (theta_2 + x)");
  check_fact(cx, expr_sub(cx, expr_neg(cx, held), a), "-a - (theta_2 + x)");
  check_fact(cx, expr_if(cx, expr_int(cx, 1), a, expr_undefined(cx)), "a");
  check_fact(cx, expr_function1(cx, OP_NOT, expr_function2(cx, OP_EQ, a, x)), "a != x");
  check_fact(cx, expr_function1(cx, OP_ABS, expr_scale(cx, number_int(cx, -3), x)), "3*abs(x)");
}

TEST(numbers_print_and_read_back) {
  Random random = random_start("numbers_print_and_read_back");
  expr_store(cx);
  for (int i = 0; i < test_rounds(100000); i++) {
    int64_t n = (int64_t)(random_bits(&random) >> (random_below(&random, 62) + 1));
    int64_t d = 1 + (int64_t)(random_bits(&random) >> (random_below(&random, 62) + 1));
    Number a = number_ratio(cx, n, d);
    double value = number_to_double(cx, a);
    long double exact = (long double)n / (long double)d;
    assert_true(fabsl((long double)value - exact) <= 1.111e-16L * exact); // half an ulp
    Mark mark = arena_mark(&cx->scratch);
    Text text = text_new(&cx->scratch);
    number_print(cx, a, &text);
    char *slash = strchr(text.at, '/');
    size_t first = slash ? (size_t)(slash - text.at) : text.n;
    Number back = number_from_decimal(cx, text.at, first);
    if (slash) back = number_div(cx, back, number_from_decimal(cx, slash + 1, text.n - first - 1));
    assert_int_equal(back, a);
    assert_int_equal(number_sub(cx, number_add(cx, a, number_int(cx, n)), a), number_int(cx, n));
    arena_release(&cx->scratch, mark);
  }
}

TEST(large_numbers_stay_exact) {
  Random random = random_start("large_numbers_stay_exact");
  expr_store(cx);
  for (int i = 0; i < test_rounds(5000); i++) {
    Number a = number_ratio(cx, (int64_t)(random_bits(&random) >> 2), 1 + random_below(&random, 9));
    Number b = number_ratio(cx, (int64_t)(random_bits(&random) >> 2), 7);
    Number ab = number_mul(cx, number_mul(cx, a, b), a);
    assert_int_equal(number_div(cx, number_div(cx, ab, a), a), b);
    assert_int_equal(number_sub(cx, number_add(cx, ab, b), ab), b);
    assert_int_equal(number_compare(cx, ab, number_add(cx, ab, NUMBER_ONE)), -1);
  }
  assert_int_equal(number_from_decimal(cx, "1e401", 5), NUMBER_NONE);
  assert_int_equal(number_power(cx, number_int(cx, 3), 1 << 20), NUMBER_NONE);
}

// What does not fit into 4096 bits has no value; a wrong one never comes out.
TEST(numbers_too_large_are_undefined) {
  Random random = {1};
  Samples s = samples_open(cx, &random);
  Expr x = s.symbol[2], y = s.symbol[3], xy = expr_mul(cx, x, y);
  Number huge = number_power(cx, number_int(cx, 10), 1200);
  assert_int_not_equal(huge, NUMBER_NONE);
  assert_int_equal(number_mul(cx, huge, huge), NUMBER_NONE);
  Expr power = expr_power(cx, xy, huge), sum = expr_add(cx, x, expr_scale(cx, huge, y));
  assert_true(expr_is_defined(cx, power) && expr_is_defined(cx, sum));
  assert_int_equal(expr_mul(cx, power, expr_power(cx, xy, number_neg(cx, huge))), expr_int(cx, 1));
  assert_int_equal(expr_scale(cx, number_div(cx, NUMBER_ONE, huge), expr_scale(cx, huge, sum)),
                   expr_undefined(cx));
  check_fact(cx, expr_power(cx, power, huge), "undefined");
  check_fact(cx, expr_mul(cx, power, expr_power(cx, x, NUMBER_NONE)), "undefined");
  check_fact(cx, expr_scale(cx, huge, expr_add(cx, xy, expr_scale(cx, huge, x))), "undefined");
  check_fact(cx, expr_power(cx, expr_int(cx, 2), huge), "undefined");
  // the smallest integer has no negative of its size
  Number least = number_int(cx, INT64_MIN),
         digits = number_from_decimal(cx, "9223372036854775808", 19);
  assert_int_equal(least, number_neg(cx, digits));
  assert_int_equal(number_add(cx, least, NUMBER_ONE), number_int(cx, -INT64_MAX));
  assert_int_equal(number_ratio(cx, 1, INT64_MIN), number_div(cx, NUMBER_ONE, least));
  assert_int_equal(number_ratio(cx, INT64_MIN, INT64_MIN), NUMBER_ONE);
  assert_int_equal(number_ratio(cx, INT64_MIN, 2), number_int(cx, INT64_MIN / 2));
}

TEST(undefined_absorbs) {
  Random random = {1};
  Samples s = samples_open(cx, &random);
  Expr u = expr_undefined(cx), x = s.symbol[2], out[SAMPLE_SYMBOLS];
  assert_int_equal(expr_normal(cx, u), u);
  assert_int_equal(expr_expand(cx, u, 100), u);
  assert_int_equal(expr_simplify(cx, u, SIMPLIFY_FULL), u);
  assert_int_equal(expr_diff(cx, u, x), u);
  expr_gradient(cx, u, s.symbol, SAMPLE_SYMBOLS, out);
  for (int i = 0; i < SAMPLE_SYMBOLS; i++) assert_int_equal(out[i], u);
  Mark mark = arena_mark(&cx->scratch);
  assert_true(isnan(expr_eval(cx, u, random_values(&s, 1, 2))));
  arena_release(&cx->scratch, mark);
  assert_int_equal(expr_function2(cx, OP_AND, u, x), u);
  assert_int_equal(expr_if(cx, u, x, x), u);
}

// A number in a condition is true unless it is 0.
TEST(numbers_are_truth_values) {
  Random random = random_start("numbers_are_truth_values");
  Samples s = samples_open(cx, &random);
  Expr x = s.symbol[2], y = s.symbol[3], zero = expr_int(cx, 0);
  Expr less = expr_function2(cx, OP_LT, x, y);
  Expr both = expr_function2(cx, OP_AND, x, less), either = expr_function2(cx, OP_OR, x, less);
  Expr is_zero = expr_function2(cx, OP_EQ, x, zero);
  assert_int_equal(expr_function1(cx, OP_NOT, x), is_zero);
  assert_int_equal(expr_if(cx, x, y, less), expr_if(cx, is_zero, less, y));
  assert_int_equal(expr_function2(cx, OP_AND, expr_int(cx, 7), less), less);
  for (int i = 0; i < 200; i++) {
    Mark mark = arena_mark(&cx->scratch);
    double *at = random_values(&s, -2, 2), *value = &at[node_of(cx, x)->args[2]];
    *value = i % 3 ? *value : 0;
    bool truth = *value != 0, order = expr_eval(cx, less, at) != 0;
    assert_true(expr_eval(cx, both, at) == (truth && order));
    assert_true(expr_eval(cx, either, at) == (truth || order));
    arena_release(&cx->scratch, mark);
  }
}

// Marks are numbered; after 2^32 walks the numbers begin again.
TEST(walks_survive_their_count) {
  Random random = {1};
  Samples s = samples_open(cx, &random);
  Expr e = expr_sin(cx, expr_add(cx, s.symbol[2], expr_square(cx, s.symbol[3])));
  Mark mark = arena_mark(&cx->scratch);
  ExprList before = expr_walk(cx, &e, 1, visit_all, NULL);
  ExprMemo *memo = memo_take(cx);
  memo_set(cx, memo, e, 5);
  memo->generation = UINT32_MAX;
  memo_set(cx, memo, e, 7);
  memo_give(cx, memo);
  cx->exprs->generation = UINT32_MAX;
  for (int i = 0; i < 3; i++) {
    ExprList list = expr_walk(cx, &e, 1, visit_all, NULL);
    assert_int_equal(list.n, before.n);
    memo = memo_take(cx);
    assert_int_equal(memo_get(memo, e), 0);
    memo_give(cx, memo);
  }
  arena_release(&cx->scratch, mark);
}

RUN_TESTS(cmocka_unit_test(facts), cmocka_unit_test(numbers_print_and_read_back),
          cmocka_unit_test(large_numbers_stay_exact),
          cmocka_unit_test(numbers_too_large_are_undefined), cmocka_unit_test(undefined_absorbs),
          cmocka_unit_test(numbers_are_truth_values), cmocka_unit_test(walks_survive_their_count),
          cmocka_unit_test(order_and_grouping_do_not_matter),
          cmocka_unit_test(every_node_is_canonical), cmocka_unit_test(rebuilding_changes_nothing))
