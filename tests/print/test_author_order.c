// Formulas stand as the author of the model writes them.
#include <string.h>

#include "derive/system.h"
#include "expr/build.h"
#include "lang/read.h"
#include "print/typeset.h"
#include "support/check.h"

static Model *read_text(Context *cx, const char *text) {
  Model *model;
  assert_int_equal(model_read(cx, "model", text, strlen(text), NULL, &model), QDOT_OK);
  return model;
}

static const char *printed(Context *cx, Expr e) {
  Text out = text_new(&cx->keep);
  typeset(cx, e, &ascii_face, NULL, &out);
  return out.at;
}

static void shuffle(Random *random, const char **list, int n) {
  for (int i = n - 1; i > 0; i--) {
    int k = random_below(random, i + 1);
    const char *other = list[i];
    list[i] = list[k], list[k] = other;
  }
}

// Any order of any letters comes back, and with it that of every part of the product.
TEST(factors_keep_the_order_of_the_model) {
  Random random = random_start("factors_keep_the_order_of_the_model");
  for (int round = 0; round < test_rounds(60); round++) {
    const char *letters[] = {"m", "g", "L", "a", "k", "M", "z", "b"};
    enum { COUNT = sizeof letters / sizeof *letters };
    Text text = text_new(&cx->keep), product = text_new(&cx->keep);
    shuffle(&random, letters, COUNT);
    text_addf(&text, "param ");
    for (int i = 0; i < COUNT; i++) text_addf(&text, "%s%s = 1 [1]", i ? ", " : "", letters[i]);
    shuffle(&random, letters, COUNT);
    for (int i = 0; i < COUNT; i++)
      text_addf(&product, "%s%s%s", i ? "*" : "", letters[i], i == 3 ? "^2" : "");
    text_addf(&text,
              "\nparam J = 1 [kg*m^2]\ncoord q = 0\nkinetic = 1/2*J*q'^2\n"
              "force q = 1 [N*m]*%s*sin(q)\n",
              product.at);
    Model *model = read_text(cx, text.at);
    assert_string_equal(printed(cx, model->forces.at[0].value),
                        text_format(&cx->keep, "%s*sin(q)", product.at));
  }
}

TEST(what_no_line_orders_stands_as_in_books) {
  Model *model = read_text(
      cx, "param L = 1 [m], c = 1 [N*s/m], g = 1 [m/s^2], m = 1 [kg], M = 1 [kg], k = 1 [N/m]\n"
          "coord x = 0 [m], theta = 0\n"
          "let y = -L*cos(theta)\n"
          "kinetic = 1/2*(M + m)*x'^2 + 1/2*m*(y'^2 + 2*x'*y')\n"
          "potential = m*g*y + 1/2*k*x^2\n"
          "force x = -c*x' + k*theta*cos(theta)*x\n");
  System s;
  assert_int_equal(derive_system(cx, model, DERIVE_MATRICES, &s), QDOT_OK);
  assert_string_equal(printed(cx, s.M[0]), "M + m");
  assert_string_equal(printed(cx, s.M[1]), "m*L*sin(theta)");
  assert_string_equal(printed(cx, s.G[1]), "m*g*L*sin(theta)");
  assert_string_equal(printed(cx, s.Q[0]), "k*theta*x*cos(theta) - c*x'");
}

// sqrt(x^2) stays in the algebra and is |x| for readers.
TEST(roots_of_squares_are_absolute_values) {
  Model *model = read_text(cx, "param m = 1 [kg], a = 1 [m], k = 1 [N/m]\ncoord x = 0 [m]\n"
                               "kinetic = 1/2*m*x'^2\n"
                               "potential = 1/2*k*(sqrt((x + a)^2) - a)^2\n");
  Text out = text_new(&cx->keep);
  typeset(cx, model->energies.at[1].value, &terminal_face, NULL, &out);
  assert_string_equal(out.at, "k (|x + a| − a)²/2");
}

// What was written with decimals is not cleared to whole numbers.
TEST(decimals_stay_decimals) {
  Model *model = read_text(cx, "coord x = 0 [m]\nkinetic = 1/2*(1 [kg])*x'^2\n"
                               "potential = 1/2*(40 [N/m])*(x - 0.3 [m])^2\n"
                               "dissipation = 1/2*(0.4 [N*s/m])*(x' - 0.7 [m/s])^2\n");
  assert_string_equal(printed(cx, model->energies.at[1].value), "20*(x - 0.3)^2");
  assert_string_equal(printed(cx, model->energies.at[2].value), "(x' - 0.7)^2/5");
}

// Where a name of the model is one of ours, ours is another; in every typeface, and nowhere else.
TEST(our_names_step_aside) {
  static const char *const names[] = {"L",      "M",     "T", "V", "R", "Q",   "G",
                                      "D",      "C",     "K", "E", "h", "phi", "gamma",
                                      "lambda", "omega", "e", "f", "v", "z",   "s"};
  Mark mark = arena_mark(&cx->scratch);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    assert_string_equal(own_name(cx, names[i], false), names[i]);
    const char *rate = text_format(&cx->keep, "%s''", names[i]);
    const char *text = text_format(&cx->keep,
                                   "param %s = 1 [kg]\ncoord x = 0 [m]\n"
                                   "kinetic = 1/2*%s*x'^2\n",
                                   names[i], names[i]);
    read_text(cx, text);
    for (int ascii = 0; ascii < 2; ascii++) {
      const char *other = own_name(cx, names[i], ascii);
      assert_string_not_equal(other, names[i]);
      assert_string_equal(own_name(cx, rate, ascii), text_format(&cx->keep, "%s''", other));
      for (const char *c = other; ascii && *c; c++) assert_true(*c > 0);
    }
    for (size_t k = i + 1; k < sizeof names / sizeof *names; k++)
      assert_string_equal(own_name(cx, names[k], false), names[k]);
    Text out = text_new(&cx->keep);
    typeset_name(cx, own_name(cx, names[i], false), 0, &latex_face, &out);
    assert_null(strstr(out.at, "mathrm{u}")); // a letter that LaTeX has
  }
  arena_release(&cx->scratch, mark);
}

// phi_M beside our phi_q: Greek letters of ours step aside for their subscripts too, and not into
// another name of the model.
TEST(our_names_step_aside_for_subscripts) {
  static const struct {
    const char *names[3], *ours, *other;
  } rows[] = {
      {{"phi_M", "phi_S", "y"}, "phi_q", "eta_q"}, {{"phi1", "b", "y"}, "phi'", "eta'"},
      {{"phi[2]", "eta", "y"}, "phi", "chi"},      {{"phi_M", "eta_2", "y"}, "phi", "chi"},
      {{"omega_0", "Omega", "y"}, "omega", "nu"},  {{"gamma_a", "b", "y"}, "gamma", "Gamma"},
      {{"M_1", "T_s", "Q_2"}, "M", "M"},           {{"M_1", "T_s", "Q_2"}, "T", "T"},
      {{"M_1", "Q_c", "y"}, "Q_c", "𝒬_c"},         {{"v", "w", "y"}, "v'", "nu'"},
      {{"phiM", "b", "y"}, "phi", "phi"}};
  Mark mark = arena_mark(&cx->scratch);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *const *n = rows[i].names;
    read_text(cx, text_format(&cx->keep,
                              "param %s = 1 [kg], %s = 1 [kg], %s = 1 [kg]\ncoord x = 0 [m]\n"
                              "kinetic = 1/2*(%s + %s + %s)*x'^2\n",
                              n[0], n[1], n[2], n[0], n[1], n[2]));
    assert_string_equal(own_name(cx, rows[i].ours, false), rows[i].other);
  }
  arena_release(&cx->scratch, mark);
}

static bool has_fraction(const char *text) {
  for (; *text; text++)
    if (*text == '/' && text[1] >= '0' && text[1] <= '9') return true;
  return false;
}

// Of sums of random numbers, each alone and as a matrix: 0.3 and x/2 never stand together.
TEST(numbers_of_one_formula_are_alike) {
  static const int ratios[][2] = {{1, 2},  {3, 10}, {3, 5}, {34, 25}, {1, 3},
                                  {10, 3}, {1, 25}, {5, 1}, {7, 4},   {1, 1}};
  Random random = random_start("numbers_of_one_formula_are_alike");
  Expr x[3];
  for (int i = 0; i < 3; i++)
    x[i] =
        expr_symbol(cx, SYMBOL_PARAMETER, symbol_from_text(cx, (const char *[]){"x", "y", "z"}[i]));
  for (int round = 0; round < 300; round++) {
    Mark mark = arena_mark(&cx->scratch);
    Expr sum[2] = {expr_int(cx, 0), expr_int(cx, 0)};
    Text text = text_new(&cx->scratch);
    for (int i = 0; i < 6; i++) {
      const int *r = ratios[random_below(&random, 10)];
      Expr factor = i < 3 ? x[i] : expr_function1(cx, OP_SIN, sum[0]);
      sum[i % 2] = expr_add(cx, sum[i % 2], expr_mul(cx, expr_ratio(cx, r[0], r[1]), factor));
    }
    Typesetter t = {.cx = cx, .face = &terminal_face, .out = &text};
    t.numbers = number_style(cx, sum, 2, NULL);
    for (int i = 0; i < 2; i++) typeset_expr(&t, sum[i]);
    if (strchr(text.at, '.') && has_fraction(text.at)) fail_msg("%s", text.at);
    arena_release(&cx->scratch, mark);
  }
}

RUN_TESTS(cmocka_unit_test(factors_keep_the_order_of_the_model),
          cmocka_unit_test(what_no_line_orders_stands_as_in_books),
          cmocka_unit_test(decimals_stay_decimals),
          cmocka_unit_test(numbers_of_one_formula_are_alike),
          cmocka_unit_test(our_names_step_aside),
          cmocka_unit_test(our_names_step_aside_for_subscripts),
          cmocka_unit_test(roots_of_squares_are_absolute_values))
