// Sine and cosine against long double libm, in units in the last place.
#include "program/sincos.h"

#include <math.h>
#include <string.h>

#include "support/check.h"

static double ulps(double got, long double exact) {
  int exponent;
  frexpl(exact, &exponent);
  return (double)fabsl((got - exact) / ldexpl(1, exponent - 53));
}

static double worst_in(Random *random, double low, double high, int n) {
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double x[7], s[7], c[7];
    for (int k = 0; k < 7; k++) x[k] = random_real(random, low, high);
    sincos_many(x, 7, s, c);
    for (int k = 0; k < 7; k++) {
      worst = fmax(worst, ulps(s[k], sinl(x[k])));
      worst = fmax(worst, ulps(c[k], cosl(x[k])));
    }
  }
  return worst;
}

static void stays_within_one_ulp(void **state) {
  (void)state;
  Random random = random_start("sincos");
  static const double limits[] = {0.01, 1, 4, 100, 1e4, 1e6};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    double worst = worst_in(&random, -limits[i], limits[i], test_rounds(40000));
    print_message("|x| < %g: %.3f ulp\n", limits[i], worst);
    assert_true(worst <= 1);
  }
}

static void near_multiples_of_half_pi(void **state) {
  (void)state;
  Random random = random_start("near");
  for (int i = 0; i < test_rounds(200000); i++) {
    double n = random_below(&random, 600000), s, c;
    double x = (double)(n * 1.57079632679489661923132169163975144L);
    for (int k = -2; k <= 2; k++) {
      double y = x + k * 0x1p-20 * random_real(&random, 0, 1) * (i & 1);
      sincos_one(y, &s, &c);
      assert_true(ulps(c, cosl(y)) <= 1.01);
      assert_true(ulps(s, sinl(y)) <= 1.01);
    }
  }
}

// Of any size; near a multiple of pi/4, where quadrants and ways of reduction meet; any bits.
static double any_argument(Random *random) {
  double scale = pow(10, random_real(random, -9, 9));
  uint64_t bits = random_bits(random);
  double x, turns = floor(random_real(random, -9, 9));
  switch (random_below(random, 4)) {
  case 0: memcpy(&x, &bits, sizeof x); return x;
  case 1: return turns * 0.78539816339744831 * (1 + random_real(random, -4, 4) * 0x1p-52);
  case 2: return random_real(random, -0.79, 0.79);
  default: return random_real(random, -scale, scale);
  }
}

static void every_lane_gives_the_same_bits(void **state) {
  (void)state;
  Random random = random_start("lanes");
  double x[11], s[11], c[11];
  for (int round = 0; round < test_rounds(20000); round++) {
    for (int k = 0; k < 11; k++) x[k] = any_argument(&random);
    if (round % 100 == 0) x[round / 100 % 11] = -0.0;
    sincos_many(x, 11, s, c);
    for (int k = 0; k < 11; k++) {
      double sine, cosine;
      sincos_one(x[k], &sine, &cosine);
      assert_memory_equal(&sine, &s[k], sizeof sine);
      assert_memory_equal(&cosine, &c[k], sizeof cosine);
    }
    for (uint32_t n = 1; n < 11; n++) {
      double sines[11], cosines[11];
      sincos_many(x, n, sines, cosines);
      assert_memory_equal(sines, s, n * sizeof *s);
      assert_memory_equal(cosines, c, n * sizeof *c);
    }
  }
}

static void special_values(void **state) {
  (void)state;
  const double x[] = {0, 1e300, -1e9, INFINITY, NAN, 0x1p-1074, 1e6};
  double s[7], c[7];
  sincos_many(x, 7, s, c);
  assert_true(s[0] == 0 && c[0] == 1);
  assert_true(ulps(s[1], sinl(1e300)) <= 1 && ulps(c[1], cosl(1e300)) <= 1);
  assert_true(ulps(s[2], sinl(-1e9)) <= 1 && ulps(c[2], cosl(-1e9)) <= 1);
  assert_true(isnan(s[3]) && isnan(c[3]) && isnan(s[4]) && isnan(c[4]));
  assert_true(s[5] == 0x1p-1074 && c[5] == 1);
  assert_true(ulps(s[6], sinl(1e6)) <= 1);
}

RUN_TESTS(cmocka_unit_test(stays_within_one_ulp), cmocka_unit_test(near_multiples_of_half_pi),
          cmocka_unit_test(every_lane_gives_the_same_bits), cmocka_unit_test(special_values))
