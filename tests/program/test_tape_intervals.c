// Bounds over intervals hold the values inside, and are values where the interval is a point.
#include <math.h>

#include "expr/value/eval.h"
#include "expr/value/tape_build.h"
#include "support/expressions.h"

static void run(Context *cx, const Tape *tape, const double *values, Expr symbol, Interval along,
                Interval *out) {
  Mark mark = arena_mark(&cx->scratch);
  double *room = arena_array(&cx->scratch, double, tape_intervals_room(tape));
  tape_intervals(tape, values, symbol_variable(cx, symbol), along, room, out);
  arena_release(&cx->scratch, mark);
}

TEST(bounds_hold_values) {
  Random random = random_start("interval bounds");
  Samples samples = samples_open(cx, &random);
  int finite = 0, rounds = test_rounds(2000);
  for (int k = 0; k < rounds; k++) {
    Mark mark = arena_mark(&cx->scratch);
    Expr e = random_expr(&samples, 4, k % 2), x = samples.symbol[2];
    const Tape *tape = tape_new(cx, &cx->keep, &e, 1);
    double *values = random_values(&samples, -2, 2);
    Interval along = {random_real(&random, -3, 3), 0}, bounds, at;
    along.high = along.low + pow(10, random_real(&random, -3, 1));
    run(cx, tape, values, x, along, &bounds);
    assert_true(bounds.low <= bounds.high);
    finite += isfinite(bounds.low) && isfinite(bounds.high);
    for (int i = 0; i <= 20; i++) {
      double t = along.low + (along.high - along.low) * i / 20, room;
      values[symbol_variable(cx, x)] = t;
      double value = expr_eval(cx, e, values);
      if (!isfinite(value) || !is_well_conditioned(&samples, e, values)) continue;
      room = 1e-9 * (1 + fabs(value));
      assert_true(value >= bounds.low - room && value <= bounds.high + room);
      run(cx, tape, values, x, (Interval){t, t}, &at);
      assert_true(value >= at.low - room && value <= at.high + room);
    }
    arena_release(&cx->scratch, mark);
  }
  assert_true(finite > rounds / 2);
}

// A narrow bell, a wave and a pole.
TEST(known_bounds) {
  Expr t = expr_symbol(cx, SYMBOL_TIME, symbol_from_text(cx, "t"));
  Expr late = expr_scale(cx, number_int(cx, 10000), expr_sub(cx, t, expr_int(cx, 5)));
  Expr roots[] = {expr_function1(cx, OP_EXP, expr_neg(cx, expr_square(cx, late))), expr_sin(cx, t),
                  expr_div(cx, expr_int(cx, 1), t), expr_square(cx, t)};
  const Tape *tape = tape_new(cx, &cx->keep, roots, 4);
  double values[64] = {0};
  Interval out[4];
  run(cx, tape, values, t, (Interval){0, 10}, out);
  assert_true(out[0].low < 1e-300 && out[0].high == 1);
  assert_true(out[1].low == -1 && out[1].high == 1);
  assert_true(isinf(out[2].low) && isinf(out[2].high));
  assert_true(out[3].low == 0 && out[3].high == 100);
  run(cx, tape, values, t, (Interval){-1, 2}, out);
  CHECK_NEAR(out[1].low, sin(-1), 1e-15);
  assert_true(out[1].high == 1 && out[3].low == 0 && out[3].high == 4);
}

RUN_TESTS(cmocka_unit_test(bounds_hold_values), cmocka_unit_test(known_bounds))
