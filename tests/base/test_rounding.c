// What rounding leaves where zero is meant.
#include "base/degrees.h"
#include "base/rounding.h"

#include "support/check.h"

TEST(noise_is_zero_on_its_scale_only) {
  assert_true(without_noise(-1.5e-39, 1) == 0 && !signbit(without_noise(-1.5e-39, 1)));
  assert_false(signbit(without_noise(-0.0, 0)));
  assert_true(without_noise(-1.5e-39, 0) == -1.5e-39);
  assert_true(without_noise(2e-13, 1) == 2e-13);
  assert_true(without_noise(1e-9, 1e3) == 1e-9);
  assert_true(isnan(without_noise(NAN, 1)));
  (void)cx;
}

TEST(degrees_have_no_negative_zero) {
  assert_true(whole_degrees(1, -1e-4) == 0 && !signbit(whole_degrees(1, -1e-4)));
  assert_true(whole_degrees(-1, -1e-9) == 180);
  assert_true(whole_degrees(-1, 1e-9) == 180);
  assert_true(whole_degrees(0, -2) == -90);
  (void)cx;
}

RUN_TESTS(cmocka_unit_test(noise_is_zero_on_its_scale_only),
          cmocka_unit_test(degrees_have_no_negative_zero))
