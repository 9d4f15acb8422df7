// Fast digits against the C library's, on random and on awkward doubles.
#include "base/words/digits.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

// How many digits the shortest decimal has that the C library reads back as the same double.
static int fewest_digits(double value) {
  char text[64];
  for (int count = 1; count < 17; count++) {
    snprintf(text, sizeof text, "%.*e", count - 1, value);
    if (strtod(text, NULL) == value) return count;
  }
  return 17;
}

static int digits_in(const char *text) {
  int count = 0, zeros = 0;
  for (const char *c = text; *c && *c != 'e'; c++) {
    if (*c < '0' || *c > '9' || (*c == '0' && count == 0)) continue;
    count++;
    zeros = *c == '0' ? zeros + 1 : 0;
  }
  return count - zeros;
}

static void check_both_ways(double value) {
  char fast[DIGITS_ROOM + 1], slow[64];
  size_t n = digits_write(value, fast);
  fast[n] = 0;
  snprintf(slow, sizeof slow, "%.17g", value);
  assert_int_equal(strchr(fast, 'e') == NULL, strchr(slow, 'e') == NULL);
  assert_true(strtod(fast, NULL) == value && signbit(strtod(fast, NULL)) == signbit(value));
  int fewest = isfinite(value) && value != 0 ? fewest_digits(value) : 0;
  if (fewest) assert_int_equal(digits_in(fast), fewest);
  // of the decimals of that length it is the nearest: as printf rounds
  int length = fewest > 15 ? fewest : 15;
  char nearest[64];
  snprintf(nearest, sizeof nearest, "%.*e", length - 1, value);
  if (isfinite(value) && fabs(value) >= DBL_MIN)
    assert_true(strtold(fast, NULL) == strtold(nearest, NULL));
  const char *texts[] = {fast, slow}, *end;
  for (int i = 0; i < 2; i++) {
    double back = digits_read(texts[i], &end);
    assert_true(back == value || (isnan(back) && isnan(value)));
    assert_true(*end == 0 && signbit(back) == signbit(value));
  }
}

static void random_doubles(void **state) {
  (void)state;
  Random random = random_start("random_doubles");
  for (int i = 0; i < test_rounds(200000); i++) {
    uint64_t bits = random_bits(&random);
    double any;
    memcpy(&any, &bits, sizeof any);
    if (!isnan(any)) check_both_ways(any);
    double usual = random_real(&random, -1, 1) * pow(10, random_below(&random, 60) - 20);
    check_both_ways(usual);
    check_both_ways(random_below(&random, 2000000) - 1000000);
    check_both_ways((random_below(&random, 2000000) - 1000000) * 0.001);
  }
}

// Doubles beside the middle of two decimals of 15 or 16 digits.
static void middles_of_decimals(void **state) {
  (void)state;
  Random random = random_start("middles_of_decimals");
  for (int i = 0; i < test_rounds(30000); i++) {
    char text[64];
    uint64_t digits = random_bits(&random) % UINT64_C(1000000000000000);
    snprintf(text, sizeof text, "%d.%015llu%se%d", 1 + random_below(&random, 9),
             (unsigned long long)digits, i % 2 ? "5" : "", random_below(&random, 40) - 12);
    check_both_ways(strtod(text, NULL));
  }
}

static void awkward_doubles(void **state) {
  (void)state;
  static const double list[] = {0,
                                -0.0,
                                1,
                                10,
                                0.1,
                                1e16,
                                1e17,
                                1e-4,
                                9.9e-5,
                                1e22,
                                1e23,
                                1e27,
                                1e28,
                                1e-10,
                                5e-324,
                                1.7e308,
                                0.3,
                                1 / 3.,
                                2 / 3.,
                                1e15,
                                123456.,
                                1e100,
                                9007199254740993.,
                                1e-5,
                                0.5,
                                0.00012,
                                99999.,
                                1e21,
                                1e40,
                                2.5e-11,
                                INFINITY};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    for (int k = 0; k < 3; k++) {
      double near = k == 0 ? list[i] : nextafter(list[i], k == 1 ? INFINITY : -INFINITY);
      check_both_ways(near);
      check_both_ways(-near);
    }
  }
  char out[DIGITS_ROOM];
  size_t n = digits_write(NAN, out);
  assert_memory_equal(out, "nan", n);
}

// Anything that looks like a number or half of one is read as strtod reads it.
static void strange_texts(void **state) {
  (void)state;
  static const char *const list[] = {"",
                                     "x",
                                     "-",
                                     "+.",
                                     ".5",
                                     "5.",
                                     "1e",
                                     "1e+",
                                     "1e5x",
                                     "0x10",
                                     "1,2",
                                     "00012",
                                     "-0",
                                     "nan",
                                     "inf",
                                     "1e999",
                                     "1e-999",
                                     " 3",
                                     "1.2.3",
                                     "12345678901234567890123",
                                     "0.00000000000000000000000000000001234567890123456789",
                                     "1e00005",
                                     "9007199254740992.5",
                                     "9007199254740993",
                                     "0.1e1",
                                     "1e-27",
                                     "1e27",
                                     "--1"};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    const char *end;
    char *expected_end;
    double value = digits_read(list[i], &end), expected = strtod(list[i], &expected_end);
    assert_true(value == expected || (isnan(value) && isnan(expected)));
    assert_ptr_equal(end, expected_end);
  }
}

// Decimals of up to 15 digits are rounded as decimals, whatever the binary value says.
static void decimals_are_rounded_as_written(void **state) {
  (void)state;
  Random random = random_start("decimals_are_rounded_as_written");
  for (int i = 0; i < test_rounds(200000); i++) {
    int digits = 1 + random_below(&random, 12), more = 1 + random_below(&random, 14 - digits);
    uint64_t kept = 0, unit = 1;
    for (int k = 0; k < digits; k++)
      kept = 10 * kept + (uint64_t)(k ? random_below(&random, 10) : 1 + random_below(&random, 9));
    for (int k = 0; k < more; k++) unit *= 10;
    // often half way exactly
    uint64_t rest =
        random_below(&random, 2) ? unit / 2 : (uint64_t)random_below(&random, 10) * unit / 10;
    uint64_t expected = kept + (2 * rest > unit || (2 * rest == unit && kept % 2));
    int exponent = random_below(&random, 40) - 20;
    char text[64], found[64], wanted[64];
    snprintf(text, sizeof text, "%llue%d", (unsigned long long)(kept * unit + rest), exponent);
    snprintf(found, sizeof found, "%.*g", digits, digits_rounded(-strtod(text, NULL), digits));
    snprintf(text, sizeof text, "-%llue%d", (unsigned long long)expected, exponent + more);
    snprintf(wanted, sizeof wanted, "%.*g", digits, strtod(text, NULL));
    assert_string_equal(found, wanted);
  }
  assert_true(digits_rounded(4.0875, 4) == 4.088 && digits_rounded(0, 4) == 0);
  assert_true(isnan(digits_rounded(NAN, 4)) && digits_rounded(9.9995, 4) == 10);
}

// A bound holds, is a decimal of so many digits, and lies within one unit of the last of them.
static void bounds_are_rounded_outwards(void **state) {
  (void)state;
  Random random = random_start("bounds_are_rounded_outwards");
  for (int i = 0; i < test_rounds(20000); i++) {
    int digits = 1 + random_below(&random, 6), side = random_below(&random, 2) ? 1 : -1;
    double value = random_real(&random, -1, 1) * pow(10, random_below(&random, 24) - 12);
    double bound = digits_bound(value, digits, side, 0);
    double unit = pow(10, floor(log10(fabs(value))) - digits + 1);
    assert_true(side * (bound - value) >= 0);
    assert_true(side * (bound - value) <= unit * (1 + 1e-9));
    assert_true(digits_rounded(bound, digits) == bound);
  }
  assert_true(digits_bound(-32.21, 1, -1, 0) == -40 && digits_bound(-32.21, 1, 1, 0) == -30);
  assert_true(digits_bound(9.96, 2, -1, 0) == 9.9 && digits_bound(9.96, 2, 1, 0) == 10);
  assert_true(digits_bound(0.3, 1, 1, 0) == 0.3 && digits_bound(0, 4, 1, 0) == 0);
  assert_true(digits_bound(1 + 1e-14, 4, 1, 1e-13) == 1 && isnan(digits_bound(NAN, 4, 1, 0)));
}

static void decimals_come_back_as_they_were_written(void **state) {
  (void)state;
  static const char *const texts[] = {"0.3",    "0.6",    "0.1",       "1e-05",
                                      "1.1",    "100000", "1e+23",     "-0.7",
                                      "5e-324", "12.34",  "299792458", "6.62607015e-34"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    char out[DIGITS_ROOM + 1];
    out[digits_write(strtod(texts[i], NULL), out)] = 0;
    assert_string_equal(out, texts[i]);
  }
}

RUN_TESTS(cmocka_unit_test(decimals_come_back_as_they_were_written),
          cmocka_unit_test(random_doubles), cmocka_unit_test(middles_of_decimals),
          cmocka_unit_test(awkward_doubles), cmocka_unit_test(strange_texts),
          cmocka_unit_test(decimals_are_rounded_as_written),
          cmocka_unit_test(bounds_are_rounded_outwards))
