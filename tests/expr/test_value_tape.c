// Values along a tape against those of the graph, bit for bit.
#include <math.h>
#include <string.h>

#include "expr/value/eval.h"
#include "expr/value/value_tape.h"
#include "support/expressions.h"

TEST(tapes_give_the_bits_of_the_graph) {
  Random random = random_start("value_tape");
  Samples samples = samples_open(cx, &random);
  for (int k = 0; k < test_rounds(2000); k++) {
    Mark mark = arena_mark(&cx->scratch);
    Expr roots[3];
    for (int i = 0; i < 3; i++) roots[i] = random_expr(&samples, 4, k % 2);
    ValueTape *tape = value_tape_new(cx, &cx->keep, roots, 3);
    for (int again = 0; again < 2; again++) {
      double *values = random_values(&samples, -2, 2), expected[3], found[3];
      expr_eval_many(cx, roots, 3, values, expected);
      value_tape_run(tape, values, found);
      for (int i = 0; i < 3; i++)
        assert_true(memcmp(&found[i], &expected[i], sizeof *found) == 0 ||
                    (isnan(found[i]) && isnan(expected[i])));
    }
    arena_release(&cx->scratch, mark);
  }
}

// A sine and a cosine of the same are found together, in any order and also of each other.
TEST(sines_and_cosines_of_one_argument_keep_their_bits) {
  Random random = random_start("circular");
  Samples samples = samples_open(cx, &random);
  for (int k = 0; k < test_rounds(500); k++) {
    Mark mark = arena_mark(&cx->scratch);
    enum { ROOTS = 8 };
    Expr roots[ROOTS] = {random_expr(&samples, 2, false)};
    for (int i = 1; i < ROOTS; i++) {
      Expr of = roots[random_below(&random, i)];
      roots[i] = expr_function1(cx, random_below(&random, 2) ? OP_SIN : OP_COS, of);
    }
    ValueTape *tape = value_tape_new(cx, &cx->keep, roots, ROOTS);
    double *values = random_values(&samples, -2, 2), expected[ROOTS], found[ROOTS];
    expr_eval_many(cx, roots, ROOTS, values, expected);
    value_tape_run(tape, values, found);
    for (int i = 0; i < ROOTS; i++)
      assert_true(memcmp(&found[i], &expected[i], sizeof *found) == 0 ||
                  (isnan(found[i]) && isnan(expected[i])));
    arena_release(&cx->scratch, mark);
  }
}

RUN_TESTS(cmocka_unit_test(tapes_give_the_bits_of_the_graph),
          cmocka_unit_test(sines_and_cosines_of_one_argument_keep_their_bits))
