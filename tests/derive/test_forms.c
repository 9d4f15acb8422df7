// Linear form, Christoffel's matrix and conserved quantities.
#include "derive/system.h"
#include "expr/algebra/expand.h"
#include "expr/build.h"
#include "expr/define.h"
#include "expr/diff.h"
#include "expr/value/eval.h"
#include "support/mechanisms.h"

static System derived(Context *cx, const Model *model) {
  System s;
  assert_int_equal(derive_system(cx, model, DERIVE_MATRICES, &s), QDOT_OK);
  return s;
}

static bool is_zero(Context *cx, Expr e) { return expr_zero_test(cx, e, 1000000) == ZERO_YES; }

// C q' = h, and M' - 2 C is skew-symmetric: both exactly.
TEST(christoffel_matrix_gives_h) {
  System s = derived(cx, mechanism_pendulum(cx, 3));
  Expr C[9], sum[3];
  system_christoffel(cx, &s, C);
  for (uint32_t i = 0; i < 3; i++) {
    for (uint32_t j = 0; j < 3; j++) {
      sum[j] = expr_mul(cx, C[3 * i + j], s.qd[j]);
      Expr rate = expr_time_derivative(cx, s.M[3 * i + j]);
      Expr both = expr_add(cx, C[3 * i + j], C[3 * j + i]);
      assert_true(is_zero(cx, expr_sub(cx, rate, both)));
    }
    assert_true(is_zero(cx, expr_sub(cx, expr_sum(cx, sum, 3), s.h[i])));
  }
}

// Two masses, three springs, a damper and gravity.
TEST(linear_systems_are_recognised) {
  Model *model = model_new(cx);
  Expr m = mechanism_parameter(model, "m"), k = mechanism_parameter(model, "k");
  Expr c = mechanism_parameter(model, "c"), g = mechanism_parameter(model, "g");
  Expr x = mechanism_coordinate(model, "x"), y = mechanism_coordinate(model, "y");
  Expr stretch = mechanism_let(model, "s", expr_sub(cx, y, x)), half = expr_ratio(cx, 1, 2);
  Expr v = expr_time_derivative(cx, x), w = expr_time_derivative(cx, y);
  mechanism_energy(model, ENERGY_KINETIC,
                   expr_mul3(cx, half, m, expr_add(cx, expr_square(cx, v), expr_square(cx, w))));
  mechanism_energy(model, ENERGY_POTENTIAL, expr_mul3(cx, half, k, expr_square(cx, stretch)));
  mechanism_energy(model, ENERGY_POTENTIAL, expr_mul3(cx, half, k, expr_square(cx, x)));
  mechanism_energy(model, ENERGY_POTENTIAL, expr_mul3(cx, m, g, y));
  mechanism_energy(model, ENERGY_DISSIPATION,
                   expr_mul3(cx, half, c, expr_square(cx, expr_time_derivative(cx, stretch))));
  System s = derived(cx, model);
  LinearForm form;
  assert_true(system_linear_form(cx, &s, &form));
  Expr zero = expr_int(cx, 0), minus_k = expr_neg(cx, k), minus_c = expr_neg(cx, c);
  Expr K[4] = {expr_scale(cx, NUMBER_TWO, k), minus_k, minus_k, k};
  Expr C[4] = {c, minus_c, minus_c, c}, rest[2] = {zero, expr_mul(cx, m, g)};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(form.K[i], K[i]);
    assert_int_equal(form.C[i], C[i]);
  }
  for (int i = 0; i < 2; i++) assert_int_equal(form.rest[i], rest[i]);
  System pendulum = derived(cx, mechanism_pendulum(cx, 1));
  assert_false(system_linear_form(cx, &pendulum, &form));
}

// A body on a plane in polar coordinates, stated by Cartesian points: phi is cyclic only after
// sin^2 + cos^2 = 1.
TEST(momenta_of_cyclic_coordinates_are_found) {
  Model *model = model_new(cx);
  Expr m = mechanism_parameter(model, "m"), k = mechanism_parameter(model, "k");
  Expr r = mechanism_coordinate(model, "r"), phi = mechanism_coordinate(model, "phi");
  Expr x = mechanism_let(model, "x", expr_mul(cx, r, expr_cos(cx, phi)));
  Expr y = mechanism_let(model, "y", expr_mul(cx, r, expr_sin(cx, phi)));
  Expr v2 = expr_add(cx, expr_square(cx, expr_time_derivative(cx, x)),
                     expr_square(cx, expr_time_derivative(cx, y)));
  mechanism_energy(model, ENERGY_KINETIC, expr_mul3(cx, expr_ratio(cx, 1, 2), m, v2));
  mechanism_energy(model, ENERGY_POTENTIAL, expr_div(cx, k, r));
  System s = derived(cx, model);
  Conserved *list;
  assert_int_equal(system_conserved(cx, &s, &list), 2);
  assert_int_equal(list[0].kind, CONSERVED_ENERGY);
  assert_int_equal(list[1].kind, CONSERVED_MOMENTUM);
  assert_int_equal(list[1].coordinate, 1);
  Expr expected = expr_mul3(cx, m, expr_square(cx, r), expr_time_derivative(cx, phi));
  assert_true(is_zero(cx, expr_sub(cx, list[1].value, expected)));
  // a force takes them away
  vec_push(&cx->keep, &model->forces, ((Force){.coordinate = 1, .value = k}));
  System forced = derived(cx, model);
  assert_int_equal(system_conserved(cx, &forced, &list), 0);
}

// A bead on a rod that turns steadily keeps Jacobi's integral, not T + V.
TEST(jacobi_integral_is_told_apart) {
  Model *model = model_new(cx);
  Expr m = mechanism_parameter(model, "m"), w = mechanism_parameter(model, "w");
  Expr r = mechanism_coordinate(model, "r");
  Expr v2 = expr_add(cx, expr_square(cx, expr_time_derivative(cx, r)),
                     expr_square(cx, expr_mul(cx, r, w)));
  mechanism_energy(model, ENERGY_KINETIC, expr_mul3(cx, expr_ratio(cx, 1, 2), m, v2));
  System s = derived(cx, model);
  Conserved *list;
  assert_int_equal(system_conserved(cx, &s, &list), 1);
  assert_int_equal(list[0].kind, CONSERVED_JACOBI);
}

RUN_TESTS(cmocka_unit_test(christoffel_matrix_gives_h),
          cmocka_unit_test(linear_systems_are_recognised),
          cmocka_unit_test(momenta_of_cyclic_coordinates_are_found),
          cmocka_unit_test(jacobi_integral_is_told_apart))
