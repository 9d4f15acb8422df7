// The self-check passes right derivations and finds wrong ones.
#include "derive/selfcheck.h"

#include "expr/build.h"
#include "support/mechanisms.h"

static Selfcheck checked(Context *cx, const System *s) {
  Selfcheck result;
  assert_int_equal(system_selfcheck(cx, s, 8, 1, &result), QDOT_OK);
  assert_int_equal(result.states, 8);
  return result;
}

TEST(passes_random_mechanisms) {
  Random random = random_start("passes_random_mechanisms");
  for (int i = 0; i < test_rounds(100); i++) {
    System s;
    Selfcheck result;
    derive_system(cx, mechanism_random(cx, &random), DERIVE_MATRICES, &s);
    assert_int_equal(system_selfcheck(cx, &s, 4, random_bits(&random), &result), QDOT_OK);
    assert_true(result.is_good);
  }
}

// Each entry of M, h and G in turn is made a little wrong.
TEST(finds_every_wrong_entry) {
  System s;
  derive_system(cx, mechanism_pendulum(cx, 3), DERIVE_MATRICES, &s);
  assert_true(checked(cx, &s).is_good);
  Expr *places[15];
  int n = 0;
  for (int i = 0; i < 9; i++) places[n++] = &s.M[i];
  for (int i = 0; i < 3; i++) places[n++] = &s.h[i], places[n++] = &s.G[i];
  for (int i = 0; i < n; i++) {
    Expr right = *places[i];
    *places[i] = expr_add(cx, right, expr_ratio(cx, 1, 1000));
    assert_false(checked(cx, &s).is_good);
    *places[i] = right;
  }
}

// An input is held while the energy changes.
TEST(checks_an_input_in_the_potential) {
  System s;
  Model *model = mechanism_pendulum(cx, 1);
  Symbol name = symbol_from_text(cx, "u");
  Input input = {.name = name, .symbol = expr_symbol(cx, SYMBOL_INPUT, name)};
  input.value = expr_int(cx, 0);
  vec_push(&cx->keep, &model->inputs, input);
  Energy pull = {.kind = ENERGY_POTENTIAL,
                 .value = expr_mul(cx, input.symbol, model->coordinates.at[0].q)};
  vec_push(&cx->keep, &model->energies, pull);
  derive_system(cx, model, DERIVE_MATRICES, &s);
  assert_true(checked(cx, &s).is_good);
  s.G[0] = expr_sub(cx, s.G[0], input.symbol);
  assert_false(checked(cx, &s).is_good); // though the model's own value is 0
}

RUN_TESTS(cmocka_unit_test(passes_random_mechanisms), cmocka_unit_test(finds_every_wrong_entry),
          cmocka_unit_test(checks_an_input_in_the_potential))
