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

static void passes_random_mechanisms(Context *cx) {
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
static void finds_every_wrong_entry(Context *cx) {
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

static void run_all(void **state) {
  (void)state;
  with_context(passes_random_mechanisms);
  with_context(finds_every_wrong_entry);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(run_all)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
