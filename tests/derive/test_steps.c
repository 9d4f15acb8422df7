// ShownSteps: put together, they give the equations of motion that the derivation found another
// way.
#include "derive/steps.h"

#include <math.h>

#include "derive/balances.h"
#include "derive/formulate.h"
#include "expr/build.h"
#include "expr/value/eval.h"
#include "lang/read.h"
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

// Blocks in a row that touch each other and the floor: whatever other contacts do, the force of a
// contact that is shown makes the equation of some coordinate true.
TEST(forces_of_contacts_count_the_other_contacts) {
  Random random = random_start("forces_of_contacts_count_the_other_contacts");
  for (int round = 0; round < test_rounds(12); round++) {
    int blocks = 2 + random_below(&random, 3);
    Text text = text_new(&cx->keep);
    text_add(&text, "param g = 9.81 [m/s^2], mu = 0.3\n");
    for (int i = 1; i <= blocks; i++)
      text_addf(&text,
                "param m_%d = %d [kg]\ncoord x_%d = %d [m], y_%d = 0 [m]\n"
                "kinetic = 1/2*m_%d*(x_%d'^2 + y_%d'^2)\npotential = m_%d*g*y_%d\n"
                "contact floor_%d: y_%d >= 0, friction mu, along x_%d\n",
                i, i, i, 2 * i, i, i, i, i, i, i, i, i, i);
    for (int i = 1; i < blocks; i++)
      text_addf(&text, "contact side_%d: x_%d - x_%d >= 1 [m]\n", i, i + 1, i);
    Model *model;
    System s;
    assert_int_equal(model_read(cx, "row", text.at, text.n, NULL, &model), QDOT_OK);
    assert_int_equal(derive_system(cx, model, DERIVE_MATRICES, &s), QDOT_OK);
    Mark mark = arena_mark(&cx->scratch);
    ShownSteps steps;
    steps_of(cx, &s, DETAIL_TEXTBOOK, SIMPLIFY_NORMAL, &steps);
    Samples samples = {.cx = cx, .random = &random};
    for (uint32_t k = 0; k < s.contact_count; k++) {
      double *values = random_values(&samples, 0.3, 1.4);
      const ShownStep *force = steps_find(&steps, SHOWN_CONTACT_FORCE, k);
      assert_non_null(force);
      values[symbol_variable(cx, s.contacts[k].multiplier)] = expr_eval(cx, force->value, values);
      double least = INFINITY;
      for (uint32_t i = 0; i < s.n; i++) {
        if (expr_is_zero(cx, s.contacts[k].phi_q[i])) continue;
        double rest = value_of(cx, &steps, SHOWN_T_TERM, i, values) +
                      value_of(cx, &steps, SHOWN_V_SLOPE, i, values) +
                      value_of(cx, &steps, SHOWN_CONTACTS, i, values) -
                      value_of(cx, &steps, SHOWN_FORCE, i, values);
        least = fmin(least, fabs(rest));
      }
      CHECK_NEAR(least, 0, 1e-9);
    }
    arena_release(&cx->scratch, mark);
  }
}

// Balances leave contacts out, what presses and what rubs alike; the equations have both.
TEST(balances_leave_contacts_out) {
  static const char text[] =
      "param mu = 0.3, f = 2 [mm]\ngravity (0, -9.81 [m/s^2])\n"
      "body ball: disc 0.1 [m], mass 2 [kg], at = (0, 0.1 [m])\n"
      "contact floor: ball (0, 0), line (0, 0), axis 0, radius 0.1 [m], friction mu, rolling f\n";
  Model *model;
  System s;
  assert_int_equal(model_read(cx, "ball", text, sizeof text - 1, NULL, &model), QDOT_OK);
  assert_int_equal(model_formulate(cx, model, FORMULATION_NEWTON_EULER, &model), QDOT_OK);
  assert_int_equal(derive_system(cx, model, DERIVE_MATRICES, &s), QDOT_OK);
  Mark mark = arena_mark(&cx->scratch);
  ShownSteps steps;
  steps_of(cx, &s, DETAIL_TEXTBOOK, SIMPLIFY_NORMAL, &steps);
  assert_true(model->balances->n > 0);
  for (uint32_t i = 0; i < model->balances->n; i++) {
    const ShownStep *load = steps_find(&steps, SHOWN_BALANCE_LOAD, i);
    assert_false(expr_has_kind(cx, load->value, KIND_BIT(SYMBOL_MULTIPLIER)));
  }
  bool presses = false, rubs = false;
  for (uint32_t i = 0; i < s.n; i++) {
    presses |= steps_find(&steps, SHOWN_CONTACTS, i) != NULL;
    rubs |= steps_find(&steps, SHOWN_FORCE, i) != NULL;
  }
  assert_true(presses && rubs);
  arena_release(&cx->scratch, mark);
}

RUN_TESTS(cmocka_unit_test(balances_leave_contacts_out),
          cmocka_unit_test(terms_add_up_to_the_equations),
          cmocka_unit_test(forces_of_contacts_count_the_other_contacts),
          cmocka_unit_test(detail_decides_what_is_listed))
