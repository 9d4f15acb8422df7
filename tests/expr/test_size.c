// Sizes are never below values, keep their measure where terms cancel, and bound rounding errors.
#include <float.h>
#include <math.h>

#include "expr/build.h"
#include "expr/value/bound.h"
#include "expr/value/eval.h"
#include "expr/value/size.h"
#include "support/expressions.h"

// A change of every symbol by a relative 1e-9 changes the value by a few 1e-9 of its size.
TEST(sizes_measure_changes) {
  Random random = random_start("sizes");
  Samples samples = samples_open(cx, &random);
  int rounds = test_rounds(2000), compared = 0;
  for (int k = 0; k < rounds; k++) {
    Mark mark = arena_mark(&cx->scratch);
    Expr e = random_expr(&samples, 4, k % 2);
    SizeTape *tape = size_tape_new(cx, &cx->keep, &e, 1);
    double *values = random_values(&samples, -2, 2), size;
    double value = expr_eval(cx, e, values);
    size_tape_run(tape, values, NULL, &size);
    if (isfinite(value) && is_well_conditioned(&samples, e, values)) {
      assert_true(size >= fabs(value) * (1 - 1e-12));
      for (uint32_t i = 0; i < cx->exprs->symbols.n; i++)
        values[i] *= 1 + 1e-9 * random_real(&random, -1, 1);
      double change = fabs(expr_eval(cx, e, values) - value);
      assert_true(change <= 1e-7 * size);
      compared++;
    }
    arena_release(&cx->scratch, mark);
  }
  assert_true(compared > rounds / 4);
}

// x - L cos(theta) where x and the cosine vanish is as large as L.
TEST(sizes_stay_where_values_vanish) {
  Expr x = expr_symbol(cx, SYMBOL_COORDINATE, symbol_from_text(cx, "x"));
  Expr theta = expr_symbol(cx, SYMBOL_COORDINATE, symbol_from_text(cx, "theta"));
  Expr L = expr_symbol(cx, SYMBOL_PARAMETER, symbol_from_text(cx, "L"));
  Expr e = expr_sub(cx, x, expr_mul(cx, L, expr_cos(cx, theta)));
  double values[3], floors[3] = {0}, size;
  values[symbol_variable(cx, x)] = 0;
  values[symbol_variable(cx, theta)] = M_PI / 2;
  values[symbol_variable(cx, L)] = 3;
  SizeTape *tape = size_tape_new(cx, &cx->keep, &e, 1);
  size_tape_run(tape, values, NULL, &size);
  CHECK_NEAR(size, 3 * M_PI / 2, 1e-12);
  floors[symbol_variable(cx, x)] = 5;
  size_tape_run(tape, values, floors, &size);
  CHECK_NEAR(size, 5 + 3 * M_PI / 2, 1e-12);
}

// Error bounds rest on it: no function of one argument is steeper than its slope says.
TEST(no_function_is_steeper_than_its_slope) {
  Random random = random_start("no_function_is_steeper_than_its_slope");
  for (int round = 0; round < test_rounds(20000); round++) {
    Op op = (Op)(OP_SIN + random_below(&random, OP_LOG - OP_SIN + 1));
    double a = random_real(&random, -0.99, 0.99), h = 1e-6, b = a + h;
    if (op == OP_LOG) a = fabs(a) + 1e-3, b = a + h;
    double value = op_value(op, &a), change = fabs(op_value(op, &b) - value);
    double slope = fmax(op_slope(op, a, value), op_slope(op, b, op_value(op, &b)));
    assert_true(change <= slope * h * (1 + 1e-3) + 4 * DBL_EPSILON);
  }
}

RUN_TESTS(cmocka_unit_test(sizes_measure_changes), cmocka_unit_test(sizes_stay_where_values_vanish),
          cmocka_unit_test(no_function_is_steeper_than_its_slope))
