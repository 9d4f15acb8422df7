// Single expressions: what is printed is read back as the same node.
#include <string.h>

#include "expr/build.h"
#include "expr/define.h"
#include "expr/print.h"
#include "lang/read.h"
#include "support/check.h"
#include "support/expressions.h"

// A model that knows the sample symbols, of open dimensions.
static Model *model_of_samples(Samples *s) {
  Context *cx = s->cx;
  Model *model = model_new(cx);
  for (int i = 0; i < SAMPLE_SYMBOLS; i++) {
    Symbol name = symbol_name(cx, s->symbol[i]);
    if (model_find(model, name)) continue; // the velocity of a coordinate
    if (symbol_kind(cx, s->symbol[i]) == SYMBOL_PARAMETER) {
      model_add_name(model, name, NAME_PARAMETER, model->parameters.n, (Span){0});
      Parameter p = {.name = name, .symbol = s->symbol[i], .value = expr_int(cx, 1)};
      vec_push(&cx->keep, &model->parameters, p);
    } else {
      model_add_name(model, name, NAME_COORDINATE, model->coordinates.n, (Span){0});
      Coordinate c = {.name = name, .q = expr_symbol(cx, SYMBOL_COORDINATE, name)};
      vec_push(&cx->keep, &model->coordinates, c);
    }
  }
  return model;
}

// Computed numbers may have more digits than anybody may write.
static bool has_long_number(const char *text) {
  size_t digits = 0;
  for (; *text && digits <= 40; text++)
    digits = (*text >= '0' && *text <= '9') || *text == '.' ? digits + 1 : 0;
  return digits > 40;
}

TEST(printed_expressions_read_back) {
  Random random = random_start("expressions");
  Samples s = samples_open(cx, &random);
  Model *model = model_of_samples(&s);
  for (int i = 0; i < test_rounds(3000); i++) {
    Mark mark = arena_mark(&cx->scratch);
    Expr e = random_expr(&s, 1 + i % 6, i % 2), back = 0;
    char *text = expr_text(cx, &cx->scratch, e);
    if (expr_is_defined(cx, e) && !has_long_number(text)) {
      Status status = expression_read(cx, model, "text", text, strlen(text), &back);
      if (status != QDOT_OK || back != e) {
        print_error("%s\n", text);
        if (back) print_error("%s\n", expr_text(cx, &cx->scratch, back));
        if (status) print_error("%s\n", cx->diagnostics.list.at[0].message);
      }
      assert_int_equal(status, QDOT_OK);
      assert_int_equal(back, e);
    }
    arena_release(&cx->scratch, mark);
  }
}

static Expr read(Context *cx, Model *model, const char *text) {
  Expr e;
  assert_int_equal(expression_read(cx, model, "text", text, strlen(text), &e), QDOT_OK);
  return e;
}

TEST(names_are_those_of_the_model) {
  static const char text[] = "param m = 1 [kg], k = 2 [N/m]\n"
                             "coord x = 0 [m], q[1] = 0 [m]\n"
                             "let r = (x, 2*q[1])\n"
                             "kinetic = 1/2*m*dot(r', r')\n"
                             "constraint c: x = q[1]\n";
  Model *model;
  assert_int_equal(model_read(cx, "model", text, strlen(text), NULL, &model), QDOT_OK);
  assert_int_equal(read(cx, model, "x"), model->coordinates.at[0].q);
  assert_int_equal(read(cx, model, "q[1]''"), model->coordinates.at[1].qdd);
  assert_int_equal(read(cx, model, "r.y"), model->vectors.at[0].at[1]);
  assert_int_equal(read(cx, model, "r.y'"), expr_time_derivative(cx, model->vectors.at[0].at[1]));
  assert_int_equal(read(cx, model, "lambda_c"), model->constraints.at[0].multiplier);
  Expr e;
  assert_int_equal(expression_read(cx, model, "text", "k + m", 5, &e), QDOT_BAD_UNIT);
  assert_int_equal(expression_read(cx, model, "text", "kk", 2, &e), QDOT_UNKNOWN_NAME);
  assert_int_equal(expression_read(cx, model, "text", "k k", 3, &e), QDOT_SYNTAX);
  assert_int_equal(expression_read(cx, model, "text", "r", 1, &e), QDOT_BAD_VALUE);
  assert_int_equal(expression_read(cx, model, "text", "", 0, &e), QDOT_SYNTAX);
}

TEST(without_a_model_names_are_parameters) {
  Expr x = expr_symbol(cx, SYMBOL_PARAMETER, symbol_from_text(cx, "x"));
  assert_int_equal(read(cx, NULL, "x*x + 2"), expr_add(cx, expr_square(cx, x), expr_int(cx, 2)));
}

RUN_TESTS(cmocka_unit_test(printed_expressions_read_back),
          cmocka_unit_test(names_are_those_of_the_model),
          cmocka_unit_test(without_a_model_names_are_parameters))
