// Expressions for the terminal and for LaTeX.
#include "print/typeset.h"

#include <string.h>

#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "print/gnuplot_text.h"
#include "support/check.h"
#include "support/expressions.h"

static Expr symbol(Context *cx, SymbolKind kind, const char *name) {
  return expr_symbol(cx, kind, symbol_from_text(cx, name));
}

static Expr parameter(Context *cx, const char *name) { return symbol(cx, SYMBOL_PARAMETER, name); }

static void check_faces(Context *cx, Expr e, const char *terminal, const char *latex) {
  Text text = text_new(&cx->keep);
  typeset(cx, e, &terminal_face, NULL, &text);
  assert_string_equal(text.at, terminal);
  Text tex = text_new(&cx->keep);
  typeset(cx, e, &latex_face, NULL, &tex);
  assert_string_equal(tex.at, latex);
}

TEST(mass_matrix_entry) {
  Expr L1 = parameter(cx, "L_1"), L2 = parameter(cx, "L_2"), m2 = parameter(cx, "m_2");
  Expr m1 = parameter(cx, "m_1");
  Expr q1 = symbol(cx, SYMBOL_COORDINATE, "theta_1"), q2 = symbol(cx, SYMBOL_COORDINATE, "theta_2");
  Expr cosine = expr_cos(cx, expr_sub(cx, q1, q2));
  check_faces(cx, expr_product(cx, (Expr[]){L1, L2, m2, cosine}, 4), "L₁ L₂ m₂ cos(θ₁ − θ₂)",
              "L_{1} \\, L_{2} \\, m_{2} \\cos(\\theta_{1} - \\theta_{2})");
  check_faces(cx, expr_mul(cx, expr_square(cx, L1), expr_add(cx, m1, m2)), "L₁² (m₁ + m₂)",
              "L_{1}^{2} \\, (m_{1} + m_{2})");
}

TEST(velocities_and_bare_arguments) {
  Expr m = parameter(cx, "m"), q = symbol(cx, SYMBOL_COORDINATE, "theta");
  Expr qd = symbol(cx, SYMBOL_VELOCITY, "theta"), sine = expr_sin(cx, q);
  check_faces(cx, expr_mul(cx, m, sine), "m sin θ", "m \\sin \\theta");
  check_faces(cx, expr_mul3(cx, m, sine, expr_square(cx, qd)), "m sin(θ) θ'²",
              "m \\sin(\\theta) \\, \\dot{\\theta}^{2}");
  check_faces(cx, expr_square(cx, sine), "sin² θ", "\\sin^{2} \\theta");
  check_faces(cx, expr_neg(cx, expr_mul(cx, m, qd)), "−m θ'", "-m \\, \\dot{\\theta}");
}

TEST(fractions_and_roots) {
  Expr k = parameter(cx, "k"), m = parameter(cx, "m"), v = symbol(cx, SYMBOL_VELOCITY, "x");
  check_faces(cx, expr_sqrt(cx, expr_div(cx, k, m)), "√(k/m)", "\\sqrt{\\frac{k}{m}}");
  check_faces(cx, expr_mul3(cx, expr_ratio(cx, 1, 2), m, expr_square(cx, v)), "m x'²/2",
              "\\frac{1}{2} \\, m \\, \\dot{x}^{2}");
  check_faces(cx, expr_div(cx, expr_add(cx, k, m), expr_mul(cx, k, m)), "(k + m)/(k m)",
              "\\frac{k + m}{k \\, m}");
  check_faces(cx, expr_number(cx, number_from_decimal(cx, "9.81", 4)), "9.81", "9.81");
  check_faces(cx, expr_ratio(cx, -1, 3), "−1/3", "-\\frac{1}{3}");
}

TEST(names_with_subscripts_indices_and_components) {
  check_faces(cx, parameter(cx, "x_A"), "x_A", "x_{A}");
  check_faces(cx, parameter(cx, "omega_max"), "ω_max", "\\omega_{\\mathrm{max}}");
  check_faces(cx, parameter(cx, "theta[12]"), "θ₁₂", "\\theta_{12}");
  check_faces(cx, parameter(cx, "a[1,2]"), "a[1,2]", "a_{1,2}");
  check_faces(cx, parameter(cx, "lambda_A_x"), "λ_A_x", "\\lambda_{A,x}");
  check_faces(cx, parameter(cx, "mass"), "mass", "\\mathit{mass}");
  check_faces(cx, parameter(cx, "lambda_B[1]"), "λ_B[1]", "\\lambda_{B,1}");
  Expr body = expr_mul(cx, parameter(cx, "L"), expr_sin(cx, symbol(cx, SYMBOL_COORDINATE, "q")));
  Expr r = expr_define(cx, symbol_from_text(cx, "r_1.x"), body);
  check_faces(cx, expr_time_derivative(cx, r), "r₁.x'", "\\dot{r}_{1,x}");
}

static void check_markup(Context *cx, const char *name, const char *expected) {
  assert_string_equal(markup_from_name(cx, &cx->keep, name), expected);
}

// What belongs to a body or a joint carries its owner as subscript; vectors keep their stem.
TEST(owners_are_subscripts) {
  symbol_from_text(cx, "crank.theta"), symbol_from_text(cx, "link[2].theta");
  symbol_from_text(cx, "A.T");
  Expr theta = symbol(cx, SYMBOL_VELOCITY, "crank.theta");
  check_faces(cx, theta, "θ_crank'", "\\dot{\\theta}_{\\mathrm{crank}}");
  check_faces(cx, parameter(cx, "link[2].x"), "x_link[2]", "x_{\\mathrm{link},2}");
  check_faces(cx, parameter(cx, "A.F_x"), "F_A,x", "F_{A,x}");
  check_faces(cx, parameter(cx, "A.T"), "T_A", "T_{A}");
  check_faces(cx, parameter(cx, "v.x"), "v.x", "v_{x}");
  check_faces(cx, parameter(cx, "lambda_crank.rigid"), "λ_crank.rigid",
              "\\lambda_{\\mathrm{crank},\\mathrm{rigid}}");
  check_faces(cx, parameter(cx, "q1"), "q₁", "q_{1}");
  Text mathml = text_new(&cx->keep);
  typeset(cx, theta, &mathml_face, NULL, &mathml);
  assert_non_null(strstr(mathml.at, "θ</mi>"));
  assert_non_null(strstr(mathml.at, "<mrow><mi>crank</mi></mrow></msub>"));
  check_markup(cx, "A.F_x", "{/:Italic F}_{A,x}");
  check_markup(cx, "crank.theta''", "{/:Italic θ\u0308}_{crank}");
  check_markup(cx, "speed'", "{/:Italic speed}′");
  check_markup(cx, "lambda_A_x", "{/:Italic λ}_{A,x}");
  Text ascii = text_new(&cx->keep);
  typeset(cx, theta, &ascii_face, NULL, &ascii);
  assert_string_equal(ascii.at, "crank.theta'");
}

TEST(ascii_is_what_the_parser_reads) {
  Random random = random_start("ascii_is_what_the_parser_reads");
  Samples samples = samples_open(cx, &random);
  for (int i = 0; i < test_rounds(5000); i++) {
    Mark mark = arena_mark(&cx->scratch);
    Expr e = random_expr(&samples, 5, false);
    Text text = text_new(&cx->scratch);
    typeset(cx, e, &ascii_face, NULL, &text);
    assert_string_equal(text.at, expr_text(cx, &cx->scratch, e));
    arena_release(&cx->scratch, mark);
  }
}

// Among other factors a sum has its brackets, also behind a fraction that stands in front:
// -(k/m) (x + y); alone in a numerator or denominator it needs none.
TEST(sums_among_factors_have_brackets) {
  Random random = random_start(__func__);
  static const char *const names[] = {"a", "b", "k", "m"};
  Expr x = symbol(cx, SYMBOL_COORDINATE, "x"), y = symbol(cx, SYMBOL_COORDINATE, "y");
  for (int round = 0; round < test_rounds(400); round++) {
    Expr e = expr_pow(cx, expr_add(cx, x, y), expr_int(cx, random_below(&random, 3) == 0 ? -1 : 1));
    if (random_below(&random, 3) == 0) e = expr_mul(cx, e, expr_sin(cx, x));
    for (int i = 0; i < 4; i++)
      if (random_below(&random, 2))
        e = expr_mul(
            cx, e,
            expr_pow(cx, parameter(cx, names[i]), expr_int(cx, random_below(&random, 5) - 2)));
    bool is_more = op_of(cx, e) == OP_PRODUCT;
    Text text = text_new(&cx->keep);
    typeset(cx, e, &latex_face, NULL, &text);
    const char *sum = strstr(text.at, "x + y");
    assert_non_null(sum);
    bool is_whole = sum == text.at ? !is_more : sum[-1] == '{' && sum[strlen("x + y")] == '}';
    if (!is_whole && !(sum > text.at && sum[-1] == '(')) fail_msg("no brackets: %s", text.at);
  }
}

// Raised digits back on the line: x⁴⁰ as x^40; other signs as a person types them.
static const char *typed(Arena *arena, const char *text) {
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  Text out = text_new(arena);
  for (bool was_raised = false; *text;) {
    int digit = -1;
    for (int i = 0; i < 10; i++)
      if (strncmp(text, raised[i], strlen(raised[i])) == 0) digit = i;
    if (digit >= 0 && !was_raised) text_add_char(&out, '^');
    was_raised = digit >= 0;
    if (digit >= 0) {
      text_add_char(&out, (char)('0' + digit)), text += strlen(raised[digit]);
    } else if (strncmp(text, "·", strlen("·")) == 0) {
      text_add_char(&out, '*'), text += strlen("·");
    } else {
      text_add_char(&out, *text++);
    }
  }
  return out.at;
}

// An integer with so many digits, of which the last so many are zeros.
static Number long_integer(Context *cx, Random *random, int digits, int zeros) {
  Number number = number_int(cx, 1 + random_below(random, 9)), ten = number_int(cx, 10);
  for (int i = 1; i < digits; i++) {
    number = number_mul(cx, number, ten);
    if (i + zeros < digits)
      number = number_add(cx, number, number_int(cx, random_below(random, 10)));
  }
  return number;
}

// Exponents and factors longer than a literal may be, 10^40 and its like, in every typeface: the
// plain one is what the parser reads, and the others say the same.
TEST(integers_of_any_length) {
  Random random = random_start(__func__);
  Expr x = symbol(cx, SYMBOL_COORDINATE, "x");
  for (int round = 0; round < test_rounds(300); round++) {
    int digits = 1 + random_below(&random, round % 2 ? 50 : 400);
    Number n = long_integer(cx, &random, digits, random_below(&random, digits + 1));
    Expr number = expr_number(cx, n), e = expr_pow(cx, x, number);
    if (round % 3 == 0) e = expr_mul(cx, number, x);
    if (round % 5 == 0) e = expr_neg(cx, e);
    if (round % 7 == 0) e = expr_div(cx, e, expr_int(cx, 7));
    Text plain = text_new(&cx->keep), raised = text_new(&cx->keep), other = text_new(&cx->keep);
    typeset(cx, e, &ascii_face, NULL, &plain);
    typeset(cx, expr_pow(cx, x, number), &ascii_face, NULL, &other);
    typeset(cx, expr_pow(cx, x, number), &terminal_face, NULL, &raised);
    assert_string_equal(typed(&cx->keep, raised.at), other.at);
    Text tex = text_new(&cx->keep), mathml = text_new(&cx->keep);
    typeset(cx, e, &latex_face, NULL, &tex);
    typeset(cx, e, &mathml_face, NULL, &mathml);
    assert_null(strpbrk(tex.at, "*"));
    assert_null(strstr(mathml.at, "<mn>("));
    markup_from_expr(cx, &cx->keep, e, NULL);
    Text read_back = text_new(&cx->keep);
    number_print(cx, n, &read_back);
    assert_non_null(strstr(other.at, n == NUMBER_ONE ? "x" : read_back.at));
  }
  Expr power = expr_pow(cx, x, expr_number(cx, number_from_decimal(cx, "1e40", 4)));
  check_faces(cx, power, "x^(10⁴⁰)", "x^{10^{40}}");
  check_faces(cx, expr_mul(cx, expr_number(cx, number_from_decimal(cx, "12e50", 5)), x),
              "(12·10⁵⁰) x", "(12 \\cdot 10^{50}) \\, x");
}

RUN_TESTS(cmocka_unit_test(integers_of_any_length),
          cmocka_unit_test(sums_among_factors_have_brackets), cmocka_unit_test(mass_matrix_entry),
          cmocka_unit_test(velocities_and_bare_arguments), cmocka_unit_test(fractions_and_roots),
          cmocka_unit_test(names_with_subscripts_indices_and_components),
          cmocka_unit_test(owners_are_subscripts), cmocka_unit_test(ascii_is_what_the_parser_reads))
