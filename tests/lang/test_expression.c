// Single expressions in the names of a model.
#include <string.h>

#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "lang/read.h"
#include "support/check.h"

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

RUN_TESTS(cmocka_unit_test(names_are_those_of_the_model),
          cmocka_unit_test(without_a_model_names_are_parameters))
