// Slopes of operators against differences of their values, powers against those of the C library.
#include "program/op.h"

#include <float.h>
#include <math.h>

#include "support/check.h"

// Error bounds and sizes rest on it: no function of one argument is steeper than its slope says.
static void no_function_is_steeper_than_its_slope(void **state) {
  (void)state;
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

// Small whole powers are products and square roots are square roots; the rest is pow.
static void powers_are_those_of_the_library(void **state) {
  (void)state;
  Random random = random_start("powers_are_those_of_the_library");
  for (int round = 0; round < test_rounds(20000); round++) {
    double base = pow(10, random_real(&random, -3, 3)),
           exponent = random_below(&random, 141) - 70.0;
    if (round % 3 == 1) exponent = random_real(&random, -70, 70);
    if (round % 3 == 2) exponent = 0.5;
    double negative = fmod(exponent, 2) == 0 ? 1 : -1, expected = pow(base, exponent);
    CHECK_NEAR(power_value(base, exponent) / expected, 1, 80 * DBL_EPSILON);
    if (exponent == floor(exponent))
      CHECK_NEAR(power_value(-base, exponent) / (negative * expected), 1, 80 * DBL_EPSILON);
    else
      assert_true(isnan(power_value(-base, exponent)));
  }
  assert_true(power_value(0, 0) == 1 && power_value(0, 2) == 0 && isinf(power_value(0, -1)));
}

RUN_TESTS(cmocka_unit_test(no_function_is_steeper_than_its_slope),
          cmocka_unit_test(powers_are_those_of_the_library))
