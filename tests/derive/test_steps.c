// ShownSteps: put together, they give the equations of motion that the derivation found another
// way.
#include "derive/steps.h"

#include <math.h>

#include "expr/build.h"
#include "expr/value/eval.h"
#include "support/check.h"
#include "support/expressions.h"
#include "support/mechanisms.h"

static double value_of(Context *cx, const ShownSteps *steps, ShownKind kind, uint32_t index,
                       const double *values) {
  const ShownStep *step = steps_find(steps, kind, index);
  return step ? expr_eval(cx, step->value, values) : 0;
}

static void check_sums(Context *cx, Random *random, const System *s, Detail detail) {
  Mark mark = arena_mark(&cx->scratch);
  ShownSteps steps;
  steps_of(cx, s, detail, SIMPLIFY_NORMAL, &steps);
  Samples samples = {.cx = cx, .random = random};
  for (int round = 0; round < 4; round++) {
    double *values = random_values(&samples, 0.3, 1.4);
    for (uint32_t i = 0; i < s->n; i++) {
      double terms = value_of(cx, &steps, SHOWN_T_TERM, i, values) +
                     value_of(cx, &steps, SHOWN_V_SLOPE, i, values) +
                     value_of(cx, &steps, SHOWN_R_SLOPE, i, values);
      double direct = 0;
      for (uint32_t j = 0; j < s->n; j++)
        direct +=
            expr_eval(cx, s->M[i * s->n + j], values) * values[symbol_variable(cx, s->qdd[j])];
      direct += expr_eval(cx, s->h[i], values) + expr_eval(cx, s->D[i], values) +
                expr_eval(cx, s->G[i], values);
      if (!isfinite(direct)) continue;
      CHECK_NEAR(terms, direct, 1e-9);
    }
  }
  arena_release(&cx->scratch, mark);
}

TEST(terms_add_up_to_the_equations) {
  Random random = random_start("terms_add_up_to_the_equations");
  for (int i = 0; i < test_rounds(20); i++) {
    Model *model = mechanism_random(cx, &random);
    System system;
    assert_int_equal(derive_system(cx, model, DERIVE_MATRICES, &system), QDOT_OK);
    check_sums(cx, &random, &system, i % 2 ? DETAIL_TEXTBOOK : DETAIL_EVERY);
  }
}

TEST(detail_decides_what_is_listed) {
  Model *model = mechanism_pendulum(cx, 3);
  System system;
  assert_int_equal(derive_system(cx, model, DERIVE_MATRICES, &system), QDOT_OK);
  Mark mark = arena_mark(&cx->scratch);
  ShownSteps steps;
  steps_of(cx, &system, DETAIL_RESULT, SIMPLIFY_NORMAL, &steps);
  assert_null(steps_find(&steps, SHOWN_T_TERM, 0));
  assert_non_null(steps_find(&steps, SHOWN_V, 0));
  steps_of(cx, &system, DETAIL_TEXTBOOK, SIMPLIFY_NORMAL, &steps);
  assert_non_null(steps_find(&steps, SHOWN_MOMENTUM, 0));
  assert_null(steps_find(&steps, SHOWN_MOMENTUM, 1));
  assert_non_null(steps_find(&steps, SHOWN_T_TERM, 1));
  steps_of(cx, &system, DETAIL_EVERY, SIMPLIFY_NORMAL, &steps);
  assert_non_null(steps_find(&steps, SHOWN_MOMENTUM_RATE, 2));
  arena_release(&cx->scratch, mark);
}

RUN_TESTS(cmocka_unit_test(terms_add_up_to_the_equations),
          cmocka_unit_test(detail_decides_what_is_listed))
