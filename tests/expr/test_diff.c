// Derivatives: against finite differences, forward against reverse, through definitions.
#include "expr/diff.h"

#include <math.h>

#include "expr/canonical.h"
#include "expr/define.h"
#include "expr/subst.h"
#include "expr/value/eval.h"
#include "support/expressions.h"

#define DEPTH 5

static bool is_tame(double x) { return isfinite(x) && fabs(x) < 1e6; }

// Richardson's extrapolation of central differences; NaN where they do not settle.
static double finite_difference(Context *cx, Expr e, double *values, uint32_t variable) {
  double at = values[variable], coarse = 0, fine = 0;
  for (int i = 0; i < 2; i++) {
    double h = i ? 1e-4 : 2e-4;
    values[variable] = at + h;
    double above = expr_eval(cx, e, values);
    values[variable] = at - h;
    double below = expr_eval(cx, e, values);
    *(i ? &fine : &coarse) = (above - below) / (2 * h);
  }
  values[variable] = at;
  if (fabs(fine - coarse) > 1e-4 * (1 + fabs(fine))) return NAN;
  return fine + (fine - coarse) / 3;
}

TEST(agrees_with_finite_differences) {
  Random random = random_start("agrees_with_finite_differences");
  Samples s = samples_open(cx, &random);
  int compared = 0;
  for (int i = 0; i < test_rounds(100000); i++) {
    Mark mark = arena_mark(&cx->scratch);
    Expr e = random_expr(&s, DEPTH, true), x = s.symbol[random_below(&random, SAMPLE_SYMBOLS)];
    Expr d = expr_diff(cx, e, x);
    assert_true(expr_is_canonical(cx, d));
    double *values = random_values(&s, 0.2, 1.8);
    double exact = expr_eval(cx, d, values);
    double numeric = finite_difference(cx, e, values, symbol_variable(cx, x));
    if (is_tame(exact) && is_tame(numeric) && is_well_conditioned(&s, e, values)) {
      CHECK_NEAR(exact, numeric, 2e-4);
      compared++;
    }
    arena_release(&cx->scratch, mark);
  }
  assert_true(compared > test_rounds(100000) / 2);
}

TEST(reverse_agrees_with_forward) {
  Random random = random_start("reverse_agrees_with_forward");
  Samples s = samples_open(cx, &random);
  Symbol name = symbol_from_text(cx, "w");
  for (int i = 0; i < test_rounds(100000); i++) {
    Mark mark = arena_mark(&cx->scratch);
    // a definition used twice, so that adjoints pile up at it
    Expr w = expr_define(cx, name, random_expr(&s, 3, true));
    Expr e = expr_add(cx, expr_mul(cx, w, random_expr(&s, 3, true)),
                      expr_sin(cx, expr_add(cx, w, random_expr(&s, 2, true))));
    Expr gradient[SAMPLE_SYMBOLS];
    expr_gradient(cx, e, s.symbol, SAMPLE_SYMBOLS, gradient);
    double *values = random_values(&s, 0.2, 1.8);
    for (int k = 0; k < SAMPLE_SYMBOLS; k++) {
      double reverse = expr_eval(cx, gradient[k], values);
      double forward = expr_eval(cx, expr_diff(cx, e, s.symbol[k]), values);
      if (is_tame(forward) && is_well_conditioned(&s, e, values))
        CHECK_NEAR(reverse, forward, 1e-8);
    }
    arena_release(&cx->scratch, mark);
  }
}

TEST(time_derivative_is_the_directional_one) {
  Random random = random_start("time_derivative_is_the_directional_one");
  Samples s = samples_open(cx, &random);
  Expr acceleration[2] = {expr_symbol(cx, SYMBOL_ACCELERATION, symbol_name(cx, s.symbol[2])),
                          expr_symbol(cx, SYMBOL_ACCELERATION, symbol_name(cx, s.symbol[3]))};
  Rate rates[] = {{s.symbol[2], s.symbol[4]},
                  {s.symbol[3], s.symbol[5]},
                  {s.symbol[4], acceleration[0]},
                  {s.symbol[5], acceleration[1]}};
  for (int i = 0; i < test_rounds(50000); i++) {
    Mark mark = arena_mark(&cx->scratch);
    Expr w = expr_define(cx, symbol_from_text(cx, "w"), random_expr(&s, 3, true));
    Expr e = expr_mul(cx, expr_add(cx, w, random_expr(&s, 3, true)), w), along;
    expr_diff_along(cx, &e, 1, rates, 4, &along);
    Expr rate = expr_time_derivative(cx, e);
    double *values = random_values(&s, 0.2, 1.8);
    double expected = expr_eval(cx, along, values);
    if (is_tame(expected) && is_well_conditioned(&s, e, values))
      CHECK_NEAR(expr_eval(cx, rate, values), expected, 1e-9);
    double value = expr_eval(cx, e, values);
    if (is_tame(value)) CHECK_NEAR(expr_eval(cx, expr_open(cx, e), values), value, 1e-9);
    arena_release(&cx->scratch, mark);
  }
}

// x_k = x_(k-1) + sin(x): 20000 definitions deep, and still linear in time and nodes.
TEST(long_chains_of_definitions_do_not_grow) {
  Expr q = expr_symbol(cx, SYMBOL_COORDINATE, symbol_from_text(cx, "q")), x = q;
  int links = test_rounds(20000);
  for (int k = 0; k < links; k++) {
    Symbol name = symbol_from_text(cx, text_format(&cx->keep, "x[%d]", k));
    x = expr_define(cx, name, expr_add(cx, expr_mul(cx, x, x), expr_sin(cx, q)));
  }
  Expr gradient;
  expr_gradient(cx, x, &q, 1, &gradient);
  expr_diff(cx, x, q);
  expr_time_derivative(cx, expr_time_derivative(cx, x));
  assert_true(expr_count(cx) < (uint32_t)links * 60);
}

RUN_TESTS(cmocka_unit_test(agrees_with_finite_differences),
          cmocka_unit_test(reverse_agrees_with_forward),
          cmocka_unit_test(time_derivative_is_the_directional_one),
          cmocka_unit_test(long_chains_of_definitions_do_not_grow))
