// Equality: never wrong, and seldom at a loss.
#include "expr/algebra/equal.h"

#include <string.h>

#include "expr/algebra/expand.h"
#include "expr/algebra/simplify.h"
#include "expr/define.h"
#include "expr/print.h"
#include "lang/read.h"
#include "support/textbook.h"
#include "support/trigonometry.h"

static const char *text(Context *cx, Expr e) { return expr_text(cx, &cx->keep, e); }

static Expr read(Context *cx, const char *string) {
  Expr e = 0;
  assert_int_equal(expression_read(cx, NULL, "test", string, strlen(string), &e), QDOT_OK);
  return e;
}

typedef struct Case {
  Equality answer;
  const char *a, *b;
} Case;

static const Case cases[] = {
    {EQUAL_YES, "sin(x)^2 + cos(x)^2", "1"},
    {EQUAL_YES, "(a + b)^3/(a + b)", "a^2 + 2*a*b + b^2"},
    {EQUAL_YES, "(x^4 - 1)/(x - 1)", "x^3 + x^2 + x + 1"},
    {EQUAL_NO, "(x^4 - 1)/(x - 1)", "x^3 + x^2 + x + 1.0001"},
    {EQUAL_YES, "tan(x/2)", "(1 - cos(x))/sin(x)"},
    {EQUAL_YES, "tan(x + y)", "(tan(x) + tan(y))/(1 - tan(x)*tan(y))"},
    {EQUAL_NO, "tan(x + y)", "(tan(x) + tan(y))/(1 + tan(x)*tan(y))"},
    {EQUAL_YES, "sin(x + pi/12)", "sin(x)*(sqrt(6) + sqrt(2))/4 + cos(x)*(sqrt(6) - sqrt(2))/4"},
    {EQUAL_YES, "cos(5*x)", "16*cos(x)^5 - 20*cos(x)^3 + 5*cos(x)"},
    {EQUAL_NO, "cos(5*x)", "16*cos(x)^5 - 20*cos(x)^3 + 4*cos(x)"},
    {EQUAL_YES, "sin(w*t)*cos(w*t/3)", "(sin(4*w*t/3) + sin(2*w*t/3))/2"},
    {EQUAL_YES, "sin((a + b)^2)", "sin(a^2 + 2*a*b + b^2)"},
    {EQUAL_YES, "sqrt(x)*sqrt(y)", "sqrt(x*y)"},
    {EQUAL_YES, "1/sqrt(x + 1)", "sqrt(x + 1)/(x + 1)"},
    {EQUAL_YES, "(sqrt(2) + sqrt(3))^2", "5 + 2*sqrt(6)"},
    {EQUAL_NO, "sqrt(x^2)", "x"},
    {EQUAL_YES, "sqrt(x^2)^2", "x^2"},
    {EQUAL_YES, "x^(1/3)*x^(2/3)", "x"},
    {EQUAL_YES, "abs(x)*sign(x)", "x"},
    {EQUAL_YES, "min(x, y) + max(x, y)", "x + y"},
    {EQUAL_YES, "abs(x*y)", "abs(x)*abs(y)"},
    {EQUAL_NO, "abs(x + y)", "abs(x) + abs(y)"},
    {EQUAL_YES, "cosh(x)^2 - sinh(x)^2", "1"},
    {EQUAL_YES, "exp(x + y)", "exp(x)*exp(y)"},
    {EQUAL_NO, "exp(x*y)", "exp(x)*exp(y)"},
    {EQUAL_YES, "tanh(2*x)", "2*tanh(x)/(1 + tanh(x)^2)"},
    {EQUAL_YES, "atan((a + b)*c)", "atan(a*c + b*c)"},
    {EQUAL_NO, "atan(x)", "asin(x)"},
    {EQUAL_UNKNOWN, "log(x*y)", "log(x) + log(y)"},
    {EQUAL_UNKNOWN, "asin(x) + acos(x)", "pi/2"},
    {EQUAL_UNKNOWN, "sign(1 + x^2)", "1"},
    {EQUAL_NO, "pi", "355/113"},
    {EQUAL_YES, "cos(pi/5)", "(1 + sqrt(5))/4"},
    {EQUAL_YES, "cos(pi/10)*sin(x + pi/24)", "(sin(x + 17*pi/120) + sin(x - 7*pi/120))/2"},
    {EQUAL_YES, "4*sin(pi/18)*sin(x)", "2*cos(x - pi/18) - 2*cos(x + pi/18)"},
    {EQUAL_NO, "sqrt(cos(5*pi/8)^2)", "cos(5*pi/8)"},
    {EQUAL_YES, "if(x < y, x, y)", "min(x, y)"},
    {EQUAL_YES, "if(x <= y, y, x)", "max(x, y)"},
    {EQUAL_NO, "if(x <= y, x, y)", "max(x, y)"},
    {EQUAL_YES, "if(x < y and x < z, 1, 2)", "if(x < y, if(x < z, 1, 2), 2)"},
    {EQUAL_YES, "if(x < y or x < z, 1, 2)", "if(x < y, 1, if(x < z, 1, 2))"},
    {EQUAL_YES, "if(x == y and not z < x, 1, 2)", "if(y == x, if(z < x, 2, 1), 2)"},
    {EQUAL_NO, "if(x < y and x < z, 1, 2)", "if(x < y or x < z, 1, 2)"},
    {EQUAL_NO, "if(x == y, x, 0)", "if(not x == y, x, 0)"},
    {EQUAL_YES, "if(x <= y or y <= x, x, y)", "x"},
    // fractions of angles too fine for a finite field
    {EQUAL_YES, "sin(2*x/1000003)", "2*sin(x/1000003)*cos(x/1000003)"},
    {EQUAL_NO, "sin(x/1000003)", "cos(x/1000003)"},
    {EQUAL_YES, "sin(x + 1/1000003)^2", "1 - cos(x + 1/1000003)^2"},
    {EQUAL_NO, "sin(x + 1/1000003)", "sin(x + 2/1000003)"},
    {EQUAL_YES, "sin(x/1009 + y/1013)", "sin(x/1009)*cos(y/1013) + cos(x/1009)*sin(y/1013)"},
    {EQUAL_YES, "atan2(x*(y + 1), z)", "atan2(x + x*y, z)"},
    {EQUAL_UNKNOWN, "atan2(2*y, 2*x)", "atan2(y, x)"},
    {EQUAL_NO, "atan2(y, x)", "atan2(x, y)"},
    {EQUAL_NO, "atan2(y, x)", "atan(y/x)"},
    {EQUAL_UNKNOWN, "x^y*x", "x^(y + 1)"},
    {EQUAL_NO, "x^y", "y^x"},
    {EQUAL_NO, "x^y + 1e-9", "x^y"},
    // zero as far as digits go: neither side of a jump is known
    {EQUAL_UNKNOWN, "atan2(log(x*y) - log(x) - log(y), -1)", "pi"},
    {EQUAL_UNKNOWN, "atan2(log(x*y) - log(x) - log(y), 1)", "0"},
    {EQUAL_UNKNOWN, "abs(log(x*y) - log(x) - log(y))^abs(x/10^9)", "0"},
};

TEST(answers_as_mathematics_does) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Expr a = read(cx, cases[i].a), b = read(cx, cases[i].b);
    Evidence evidence;
    Equality answer = expr_equal(cx, a, b, &evidence);
    if (answer != cases[i].answer) {
      Text why = text_new(&cx->keep);
      evidence_print(&evidence, &why);
      fail_msg("%s and %s: %d, %s", cases[i].a, cases[i].b, answer, why.at);
    }
    assert_int_equal(expr_equal(cx, b, a, NULL), answer);
  }
}

TEST(says_how_it_knows) {
  Evidence evidence;
  Text why = text_new(&cx->keep);
  assert_int_equal(expr_equal(cx, read(cx, "log(x*y)"), read(cx, "log(x) + log(y)"), &evidence),
                   EQUAL_UNKNOWN);
  evidence_print(&evidence, &why);
  assert_non_null(strstr(why.at, "agrees at 16 points to "));
  assert_true(evidence.digits >= 10);
  expr_equal(cx, read(cx, "(a + b)^2"), read(cx, "a^2 + b^2 + 2*a*b"), &evidence);
  assert_int_equal(evidence.kind, EVIDENCE_NORMAL_FORM);
  // too large to multiply out, small enough for a field
  expr_equal(cx, read(cx, "(a + b + c + d + 1)^40*(a - b)"),
             read(cx, "(1 + a + b + c + d)^39*(a^2 - b^2 + (c + d + 1)*(a - b))"), &evidence);
  assert_int_equal(evidence.kind, EVIDENCE_FIELD);
  assert_true(evidence.error > 0 && evidence.error < 1e-40);
}

// One sentence for every kind of evidence.
TEST(says_it_in_a_sentence) {
  static const struct {
    const char *a, *b, *sentence;
  } rows[] = {
      {"2*x", "x + x", "written out, they are the same or differ by a number"},
      {"x", "x + 1", "written out, they are the same or differ by a number"},
      {"(a + b)^2", "a^2 + b^2 + 2*a*b", "the difference multiplied out is zero"},
      {"(a + b)^2", "a^2 + b^2", "the difference is not zero modulo a prime"},
      {"sqrt(x^2)", "x", "the values differ at a point"},
      {"log(-x^2 - 1)", "acos(x^2 + 2)", "no point was found where both have a value"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Evidence evidence;
    Text why = text_new(&cx->keep);
    expr_equal(cx, read(cx, rows[i].a), read(cx, rows[i].b), &evidence);
    evidence_print(&evidence, &why);
    assert_string_equal(why.at, rows[i].sentence);
  }
}

TEST(never_lies_about_trigonometric_quotients) {
  Random random = random_start("never_lies_about_trigonometric_quotients");
  Samples s = samples_open(cx, &random);
  int rounds = test_rounds(2000), yes = 0;
  for (int i = 0; i < rounds; i++) {
    Mark mark = arena_mark(&cx->scratch);
    Expr e = random_trigonometric(&s, 3, true), other = rewrite_randomly(&s, e);
    if (expr_is_defined(cx, e) && expr_is_defined(cx, other)) {
      Equality answer = expr_equal(cx, e, other, NULL);
      if (answer != EQUAL_YES) print_message("%s\n%s\n", text(cx, e), text(cx, other));
      assert_int_equal(answer, EQUAL_YES);
      yes++;
      Expr extra = random_trigonometric(&s, 1, false);
      if (expr_zero_test(cx, extra, 10000) == ZERO_NO) {
        Expr wrong = expr_add(cx, other, expr_mul(cx, expr_ratio(cx, 1, 1000003), extra));
        assert_int_equal(expr_equal(cx, e, wrong, NULL), EQUAL_NO);
      }
    }
    arena_release(&cx->scratch, mark);
  }
  assert_true(yes > rounds / 2);
}

// The normal form, the reader's form and the opened form are equal to what came in; a changed one
// is never called equal.
TEST(agrees_with_rewriting_of_any_expression) {
  Random random = random_start("agrees_with_rewriting_of_any_expression");
  Samples s = samples_open(cx, &random);
  int rounds = test_rounds(1000), yes = 0;
  for (int i = 0; i < rounds; i++) {
    Mark mark = arena_mark(&cx->scratch);
    Expr e = random_expr(&s, 4, true), normal = expr_normal(cx, e);
    Equality answer = expr_equal(cx, e, normal, NULL);
    if (answer == EQUAL_NO) print_message("%s\n%s\n", text(cx, e), text(cx, normal));
    assert_int_not_equal(answer, EQUAL_NO);
    yes += answer == EQUAL_YES;
    Expr wrong = expr_add(cx, normal, expr_ratio(cx, 1, 1000003));
    assert_int_not_equal(expr_equal(cx, e, wrong, NULL), EQUAL_YES);
    arena_release(&cx->scratch, mark);
  }
  assert_true(yes > rounds * 9 / 10);
}

TEST(sees_through_definitions) {
  Textbook book = textbook_derive(cx, textbook_chain, "N=5");
  for (uint32_t i = 0; i < 5; i++) {
    Expr simple = expr_simplify(cx, book.system.h[i], SIMPLIFY_NORMAL);
    assert_int_equal(expr_equal(cx, book.system.h[i], simple, NULL), EQUAL_YES);
    assert_int_equal(expr_equal(cx, book.system.h[i], expr_neg(cx, simple), NULL), EQUAL_NO);
  }
}

RUN_TESTS(cmocka_unit_test(answers_as_mathematics_does), cmocka_unit_test(says_how_it_knows),
          cmocka_unit_test(says_it_in_a_sentence),
          cmocka_unit_test(never_lies_about_trigonometric_quotients),
          cmocka_unit_test(agrees_with_rewriting_of_any_expression),
          cmocka_unit_test(sees_through_definitions))
