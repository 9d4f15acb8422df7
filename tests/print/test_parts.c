// Shared parts: text stays linear in the graph, and means the same.
#include "print/abbreviations.h"

#include <string.h>

#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "support/check.h"
#include "support/expressions.h"

static Expr coordinate(Context *cx, const char *name) {
  return expr_symbol(cx, SYMBOL_COORDINATE, symbol_from_text(cx, name));
}

// All parts and roots as text; the caller closes the parts.
static Text write_all(Context *cx, const Expr *roots, size_t n, unsigned wish, Parts *parts) {
  parts_open(cx, roots, n, wish, parts);
  Text out = text_new(&cx->scratch);
  for (uint32_t i = 0; i < parts->list.n; i++) {
    text_addf(&out, "%s = ", parts->names[i]);
    parts_print_body(parts, i, &out);
    text_add(&out, "; ");
  }
  for (size_t i = 0; i < n; i++) {
    parts_print(parts, roots[i], &out);
    text_add(&out, "; ");
  }
  return out;
}

static void check_writes(Context *cx, Expr e, unsigned wish, const char *expected) {
  Mark mark = arena_mark(&cx->scratch);
  Parts parts;
  assert_string_equal(write_all(cx, &e, 1, wish, &parts).at, expected);
  parts_close(&parts);
  arena_release(&cx->scratch, mark);
}

TEST(small_text_is_written_out) {
  Expr x = coordinate(cx, "x"), y = coordinate(cx, "y");
  Expr s = expr_sin(cx, expr_add(cx, x, expr_square(cx, y)));
  Expr e = expr_mul(cx, expr_function1(cx, OP_EXP, s), expr_add(cx, s, x));
  check_writes(cx, e, PARTS_WHERE_SWELLING, "(x + sin(x + y^2))*exp(sin(x + y^2)); ");
  check_writes(cx, e, PARTS_ALWAYS, "s_1 = sin(x + y^2); (x + s_1)*exp(s_1); ");
}

TEST(definitions_keep_their_names) {
  Expr q = coordinate(cx, "q");
  Expr a = expr_define(cx, symbol_from_text(cx, "a"), expr_sin(cx, q));
  symbol_from_text(cx, "s_7"); // the user's own: the parts take another prefix
  Expr e = expr_add(cx, expr_square(cx, a), expr_time_derivative(cx, a));
  check_writes(cx, e, PARTS_ALWAYS, "a = sin(q); u_1 = cos(q)*q'; a^2 + u_1; ");
  check_writes(cx, e, PARTS_WHERE_SWELLING, "a = sin(q); u_1 = cos(q)*q'; a^2 + u_1; ");
  check_writes(cx, e, PARTS_WITH_PRIMES, "a = sin(q); a^2 + a'; ");
  check_writes(cx, expr_time_derivative(cx, a), PARTS_WITH_PRIMES, "a = sin(q); a'; ");
}

// A shared product keeps its name behind a coefficient.
TEST(multiples_of_parts_use_the_name) {
  Expr x = coordinate(cx, "x"), y = coordinate(cx, "y"), z = coordinate(cx, "z");
  Expr p = expr_mul3(cx, x, expr_sin(cx, y), expr_cos(cx, y));
  Expr e =
      expr_add(cx, expr_scale(cx, number_ratio(cx, -3, 7), p), expr_mul(cx, z, expr_sin(cx, p)));
  check_writes(cx, e, PARTS_ALWAYS, "s_1 = x*sin(y)*cos(y); z*sin(s_1) - 3*s_1/7; ");
}

// x -> x + x^2 thirty times: a tree of 2^30 leaves, a graph of 60 nodes.
TEST(exponential_sharing_stays_linear) {
  Expr e = coordinate(cx, "x");
  for (int i = 0; i < 3000; i++)
    e = expr_sin(cx, expr_add(cx, e, expr_square(cx, expr_cos(cx, e))));
  Mark mark = arena_mark(&cx->scratch);
  Parts parts;
  Text out = write_all(cx, &e, 1, PARTS_WHERE_SWELLING, &parts);
  assert_true(parts.list.n >= 2000);
  assert_true(out.n < 300000);
  parts_close(&parts);
  arena_release(&cx->scratch, mark);
}

// Deep without sharing: names keep the text's nesting bounded.
TEST(deep_expressions_are_cut) {
  Expr e = coordinate(cx, "x"), one = expr_int(cx, 1);
  for (int i = 0; i < 20000; i++) e = expr_sin(cx, expr_add(cx, e, one));
  Mark mark = arena_mark(&cx->scratch);
  Parts parts;
  write_all(cx, &e, 1, PARTS_WHERE_SWELLING, &parts);
  assert_in_range(parts.list.n, 100, 1000);
  parts_close(&parts);
  arena_release(&cx->scratch, mark);
}

// Each part uses only earlier ones.
TEST(parts_are_in_order) {
  Random random = random_start("parts_are_in_order");
  Samples samples = samples_open(cx, &random);
  for (int round = 0; round < test_rounds(300); round++) {
    Mark mark = arena_mark(&cx->scratch);
    Expr roots[3];
    for (int i = 0; i < 3; i++) roots[i] = random_expr(&samples, 6, true);
    Parts parts;
    write_all(cx, roots, 3, PARTS_ALWAYS, &parts);
    for (uint32_t i = 0; i < parts.list.n; i++) {
      Text body = text_new(&cx->scratch);
      parts_print_body(&parts, i, &body);
      for (uint32_t later = i; later < parts.list.n; later++) {
        const char *found = strstr(body.at, parts.names[later]);
        size_t length = strlen(parts.names[later]);
        bool whole = found && (found[length] < '0' || found[length] > '9');
        assert_false(whole);
      }
    }
    parts_close(&parts);
    arena_release(&cx->scratch, mark);
  }
}

// A part that the multiple in an earlier definition could use, but which is listed later.
TEST(definitions_use_earlier_parts_only) {
  Expr p = coordinate(cx, "p"), q = coordinate(cx, "q"), r = coordinate(cx, "r");
  Expr factors[] = {expr_ratio(cx, 1, 2), p, q, expr_sin(cx, r)};
  Expr half = expr_define(cx, symbol_from_text(cx, "a"), expr_product(cx, factors, 4));
  Expr product = expr_product(cx, factors + 1, 3);
  Expr roots[] = {half, expr_function1(cx, OP_EXP, product), expr_cos(cx, product)};
  Mark mark = arena_mark(&cx->scratch);
  Parts parts;
  assert_string_equal(write_all(cx, roots, 3, PARTS_ALWAYS, &parts).at,
                      "a = p*q*sin(r)/2; s_1 = p*q*sin(r); a; exp(s_1); cos(s_1); ");
  parts_close(&parts);
  arena_release(&cx->scratch, mark);
}

// Where the usual beginnings of names are taken, a longer one is found.
TEST(parts_find_a_free_name) {
  static const char *const taken[] = {"s_1", "u_x", "c_", "ss_2", "sss_a"};
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) symbol_from_text(cx, taken[i]);
  Expr x = coordinate(cx, "x"), y = coordinate(cx, "y");
  Expr s = expr_sin(cx, expr_add(cx, x, expr_square(cx, y)));
  Expr e = expr_mul(cx, expr_function1(cx, OP_EXP, s), expr_add(cx, s, x));
  check_writes(cx, e, PARTS_ALWAYS, "ssss_1 = sin(x + y^2); (x + ssss_1)*exp(ssss_1); ");
}

// post.s is printed as s with a subscript; a part must not look like it.
TEST(parts_do_not_look_like_coordinates_of_joints) {
  symbol_from_text(cx, "post.theta"); // a joint or a body
  symbol_from_text(cx, "post.s");
  Expr x = coordinate(cx, "x"), y = coordinate(cx, "y");
  Expr s = expr_sin(cx, expr_add(cx, x, expr_square(cx, y)));
  Expr e = expr_mul(cx, expr_function1(cx, OP_EXP, s), expr_add(cx, s, x));
  check_writes(cx, e, PARTS_ALWAYS, "u_1 = sin(x + y^2); (x + u_1)*exp(u_1); ");
}

RUN_TESTS(cmocka_unit_test(parts_do_not_look_like_coordinates_of_joints),
          cmocka_unit_test(small_text_is_written_out),
          cmocka_unit_test(definitions_keep_their_names),
          cmocka_unit_test(multiples_of_parts_use_the_name),
          cmocka_unit_test(definitions_use_earlier_parts_only),
          cmocka_unit_test(exponential_sharing_stays_linear),
          cmocka_unit_test(deep_expressions_are_cut), cmocka_unit_test(parts_are_in_order),
          cmocka_unit_test(parts_find_a_free_name))
