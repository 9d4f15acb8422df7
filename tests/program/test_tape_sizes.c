// Sizes are never below values and keep their measure where terms cancel.
#include <math.h>

#include "expr/build.h"
#include "expr/value/eval.h"
#include "expr/value/tape_build.h"
#include "support/expressions.h"

// A change of every symbol by a relative 1e-9 changes the value by a few 1e-9 of its size.
TEST(sizes_measure_changes) {
  Random random = random_start("sizes");
  Samples samples = samples_open(cx, &random);
  int rounds = test_rounds(2000), compared = 0;
  for (int k = 0; k < rounds; k++) {
    Mark mark = arena_mark(&cx->scratch);
    Expr e = random_expr(&samples, 4, k % 2);
    const Tape *tape = tape_new(cx, &cx->keep, &e, 1);
    double *room = arena_array(&cx->scratch, double, tape_sizes_room(tape));
    double *values = random_values(&samples, -2, 2), size;
    double value = expr_eval(cx, e, values);
    tape_sizes(tape, values, NULL, room, &size);
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
  const Tape *tape = tape_new(cx, &cx->keep, &e, 1);
  double *room = arena_array(&cx->keep, double, tape_sizes_room(tape));
  tape_sizes(tape, values, NULL, room, &size);
  CHECK_NEAR(size, 3 * M_PI / 2, 1e-12);
  floors[symbol_variable(cx, x)] = 5;
  tape_sizes(tape, values, floors, room, &size);
  CHECK_NEAR(size, 5 + 3 * M_PI / 2, 1e-12);
}

RUN_TESTS(cmocka_unit_test(sizes_measure_changes), cmocka_unit_test(sizes_stay_where_values_vanish))
