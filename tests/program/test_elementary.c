// The functions of the language against MPFR, in units in the last place.
#include "program/elementary.h"

#include <math.h>
#include <mpfr.h>
#include <string.h>

#include "program/sincos.h"
#include "support/check.h"

enum { BITS = 300 };

static double ulps(double got, const mpfr_t exact) {
  double nearest = mpfr_get_d(exact, MPFR_RNDN);
  if (isnan(nearest)) return isnan(got) ? 0 : INFINITY;
  // beyond the largest number, and at it, rounding decides
  bool huge = fabs(nearest) > 0x1.fffffffffffffp1022 && fabs(got) > 0x1.fffffffffffffp1022;
  if (huge && signbit(nearest) == signbit(got) && !(isfinite(nearest) && isfinite(got))) return 0.5;
  if (!isfinite(nearest) || !isfinite(got)) return nearest == got ? 0 : INFINITY;
  int exponent = -1021;
  if (fabs(nearest) >= 0x1p-1022) frexp(nearest, &exponent);
  mpfr_t off;
  mpfr_init2(off, BITS);
  mpfr_sub_d(off, exact, got, MPFR_RNDN);
  mpfr_abs(off, off, MPFR_RNDN);
  mpfr_mul_2si(off, off, 53 - exponent, MPFR_RNDN);
  double result = mpfr_get_d(off, MPFR_RNDN);
  mpfr_clear(off);
  return result;
}

static double random_double(Random *random) {
  for (;;) {
    uint64_t bits = random_bits(random);
    double x;
    memcpy(&x, &bits, sizeof x);
    if (isfinite(x)) return x;
  }
}

// Near the ends as often as within; any bits where there are no ends.
static double random_argument(Random *random, double low, double high) {
  if (low == high) return random_double(random);
  double u = random_real(random, 0, 1);
  switch (random_below(random, 4)) {
  case 0: return low + (high - low) * u * u * u * u;
  case 1: return high - (high - low) * u * u * u * u;
  default: return low + (high - low) * u;
  }
}

typedef struct OfOne {
  const char *name;
  double (*own)(double);
  int (*exact)(mpfr_t, const mpfr_t, mpfr_rnd_t);
  double (*library)(double);
  double low, high; // equal: any bits
} OfOne;

#define ONE(name, low, high)                                                                       \
  { #name, elementary_##name, mpfr_##name, name, low, high }
static const OfOne of_one[] = {
    ONE(exp, -745, 709),  ONE(exp, -1, 1),     ONE(exp, 0, 0),       ONE(log, 0.4, 3),
    ONE(log, 0.99, 1.01), ONE(log, 0, 0),      ONE(sinh, -1, 1),     ONE(sinh, -710, 710),
    ONE(sinh, 0, 0),      ONE(cosh, -3, 3),    ONE(cosh, -710, 710), ONE(cosh, 0, 0),
    ONE(tanh, -1, 1),     ONE(tanh, -21, 21),  ONE(tanh, 0, 0),      ONE(asin, -1, 1),
    ONE(asin, 0, 0),      ONE(acos, -1, 1),    ONE(acos, 0, 0),      ONE(atan, -1, 1),
    ONE(atan, -20, 20),   ONE(atan, 0, 0),     ONE(tan, -1, 1),      ONE(tan, -100, 100),
    ONE(tan, -1e6, 1e6),  ONE(tan, -1e9, 1e9), ONE(tan, 0, 0),       ONE(sin, -1e9, 1e9),
    ONE(sin, 0, 0),       ONE(cos, -1e9, 1e9), ONE(cos, 0, 0)};
#undef ONE

TEST(of_one_argument) {
  Random random = random_start(__func__);
  mpfr_t x, exact;
  mpfr_init2(x, BITS), mpfr_init2(exact, BITS);
  for (size_t i = 0; i < sizeof of_one / sizeof *of_one; i++) {
    const OfOne *f = &of_one[i];
    double worst = 0, at = 0;
    for (int k = 0; k < test_rounds(4000); k++) {
      double a = random_argument(&random, f->low, f->high);
      mpfr_set_d(x, a, MPFR_RNDN);
      f->exact(exact, x, MPFR_RNDN);
      double off = ulps(f->own(a), exact);
      if (off > worst) worst = off, at = a;
    }
    print_message("%s on %g .. %g: %.3f ulp at %a\n", f->name, f->low, f->high, worst, at);
    assert_true(worst <= 1);
  }
  mpfr_clear(x), mpfr_clear(exact);
}

// Arguments that come as near to a multiple of pi/2 as doubles do.
TEST(near_multiples_of_half_pi) {
  static const double hard[] = {0x1.6ac5b262ca1ffp849,
                                0x1.921fb54442d18p0,
                                0x1.921fb54442d18p1,
                                0x1.2d97c7f3321d2p2,
                                0x1.f9cbe6ee4d9c5p29,
                                0x1.5fdbbe9bba775p3,
                                0x1.4c9622d7c3f2cp1023,
                                0x1.c463abeccb2bbp2,
                                11,
                                22,
                                355};
  mpfr_t x, exact;
  mpfr_init2(x, BITS), mpfr_init2(exact, BITS);
  for (int k = 0; k < 20000; k++) {
    double a = k < 11 ? hard[k] : k * M_PI_2, s, c;
    mpfr_set_d(x, a, MPFR_RNDN);
    mpfr_tan(exact, x, MPFR_RNDN);
    assert_true(ulps(elementary_tan(a), exact) <= 1);
    elementary_sincos(a, &s, &c);
    mpfr_sin(exact, x, MPFR_RNDN);
    assert_true(ulps(s, exact) <= 1);
    mpfr_cos(exact, x, MPFR_RNDN);
    assert_true(ulps(c, exact) <= 1);
    double s_four, c_four;
    sincos_one(a, &s_four, &c_four);
    assert_true(s == s_four && c == c_four);
  }
  mpfr_clear(x), mpfr_clear(exact);
}

TEST(one_sine_everywhere) {
  Random random = random_start(__func__);
  for (int k = 0; k < test_rounds(200000); k++) {
    double scale = pow(10, random_real(&random, -9, 9)), s, c, s_four, c_four;
    double x = random_real(&random, -scale, scale);
    elementary_sincos(x, &s, &c);
    sincos_one(x, &s_four, &c_four);
    assert_true(s == s_four && c == c_four);
  }
}

TEST(of_two_arguments) {
  Random random = random_start(__func__);
  mpfr_t x, y, exact;
  mpfr_init2(x, BITS), mpfr_init2(y, BITS), mpfr_init2(exact, BITS);
  double worst[2] = {0, 0};
  for (int k = 0; k < test_rounds(40000); k++) {
    double a, b;
    switch (k % 4) {
    case 0: a = random_real(&random, 0, 10), b = random_real(&random, -10, 10); break;
    case 1: a = 1 + random_real(&random, -1e-3, 1e-3), b = random_real(&random, -1e5, 1e5); break;
    case 2: a = exp(random_real(&random, -300, 300)), b = random_real(&random, -3, 3); break;
    default: a = random_double(&random), b = random_double(&random);
    }
    mpfr_set_d(x, a, MPFR_RNDN), mpfr_set_d(y, b, MPFR_RNDN);
    mpfr_pow(exact, x, y, MPFR_RNDN);
    double off = ulps(elementary_pow(a, b), exact);
    if (off > 1) print_message("pow(%a, %a)\n", a, b);
    worst[0] = fmax(worst[0], off);
    if (k % 4 == 0) a = random_real(&random, -1, 1), b = random_real(&random, -1, 1);
    mpfr_set_d(x, a, MPFR_RNDN), mpfr_set_d(y, b, MPFR_RNDN);
    mpfr_atan2(exact, x, y, MPFR_RNDN);
    worst[1] = fmax(worst[1], ulps(elementary_atan2(a, b), exact));
  }
  print_message("pow %.3f ulp, atan2 %.3f ulp\n", worst[0], worst[1]);
  assert_true(worst[0] <= 1 && worst[1] <= 1);
  mpfr_clear(x), mpfr_clear(y), mpfr_clear(exact);
}

static bool is_same(double a, double b) {
  return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

// Zeros, infinities, what is no number: as the C library has them.
TEST(special_values) {
  static const double special[] = {
      0,  -0.0, 1,    -1,        INFINITY,   -INFINITY, NAN,    2,      -2,     3,
      -3, 0.5,  -0.5, 0x1p-1074, -0x1p-1074, 1e300,     -1e300, 0x1p60, -0x1p60};
  enum { COUNT = sizeof special / sizeof *special };
  for (size_t i = 0; i < sizeof of_one / sizeof *of_one; i++)
    for (int k = 0; k < COUNT; k++) {
      double own = of_one[i].own(special[k]), library = of_one[i].library(special[k]);
      bool is_sine = of_one[i].own == elementary_sin; // of -0, which is 0
      if (isfinite(library) && library != 0)
        CHECK_NEAR(own / library, 1, 1e-15);
      else if (!is_same(own, library) && !(is_sine && own == library))
        fail_msg("%s(%g) = %g, not %g", of_one[i].name, special[k], own, library);
    }
  for (int i = 0; i < COUNT; i++)
    for (int k = 0; k < COUNT; k++) {
      double x = special[i], y = special[k];
      double own[2] = {elementary_pow(x, y), elementary_atan2(x, y)};
      double library[2] = {pow(x, y), atan2(x, y)};
      for (int f = 0; f < 2; f++) {
        bool close = isfinite(library[f]) && library[f] != 0 &&
                     fabs(own[f] - library[f]) <= 1e-15 * fabs(library[f]);
        if (!close && !is_same(own[f], library[f]))
          fail_msg("%s(%g, %g) = %g, not %g", f ? "atan2" : "pow", x, y, own[f], library[f]);
      }
    }
}

RUN_TESTS(cmocka_unit_test(of_one_argument), cmocka_unit_test(near_multiples_of_half_pi),
          cmocka_unit_test(one_sine_everywhere), cmocka_unit_test(of_two_arguments),
          cmocka_unit_test(special_values))
