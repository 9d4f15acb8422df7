// One multiplication by an exact power of ten in 64 bits of mantissa decides nearly every case;
// where the digits beyond could matter, the C library decides.
#include "base/words/digits.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_POWER 27 // 10^27 is exact in 64 bits: 5^27 < 2^63

#if LDBL_MANT_DIG >= 64
static const bool has_extended = true;
#else
static const bool has_extended = false;
#endif

static const long double powers[LARGEST_POWER + 1] = {
    1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,
    1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L,
    1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};

static long double scale(long double value, int exponent) {
  return exponent < 0 ? value / powers[-exponent] : value * powers[exponent];
}

// Does an integer of 17 digits read back as the value of the bits, which is `scaled` in its units?
// 1: yes, 0: no, -1: 64 bits cannot tell. Below a power of two doubles are denser.
static int reads_back(uint64_t digits, long double scaled, uint64_t bits, int exponent) {
  static const double DOUBT = 0x1p-6; // of the last digit
  if ((bits & 0xfffffffffffffu) == 0) return -1;
  double half = (double)scale(ldexpl(1, (int)(bits >> 52) - 1023 - 53), 16 - exponent);
  double off = (double)fabsl((long double)digits - scaled);
  return fabs(off - half) < DOUBT ? -1 : off < half;
}

// The fewest of 15, 16 and 17 leading digits of a positive value that read back, as an integer of
// 17 and the exponent of the first one; false when 64 bits cannot tell. A decimal of 15 digits or
// fewer that reads back is the value rounded to 15 of them.
static bool leading_digits(double value, uint64_t *digits, int *exponent) {
  if (!has_extended || !(value > 1e-10 && value < 1e40)) return false;
  // floor(log10) from the binary exponent is right or one too small.
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  int e = (((int)(bits >> 52) - 1023) * 78913) >> 18;
  if (16 - e > LARGEST_POWER || e - 16 > LARGEST_POWER) return false;
  long double scaled = scale(value, 16 - e);
  if (scaled >= 1e17L) {
    e++;
    if (e - 16 > LARGEST_POWER) return false;
    scaled = scale(value, 16 - e);
  }
  uint64_t whole = (uint64_t)scaled;
  double rest = (double)(scaled - (long double)whole);
  // The product is off by at most 2^-8.
  if (fabs(rest - 0.5) < 0x1p-7 || rest < 0x1p-7 || rest > 1 - 0x1p-7) {
    if (rest != 0 || scale((long double)whole, e - 16) != (long double)value) return false;
    // what seems to lie half way between shorter decimals may lie a little beside that
    if (whole % 10 == 5 || whole % 100 == 50) return false;
  }
  uint64_t tried[3] = {(whole + 50) / 100 * 100, (whole + 5) / 10 * 10, whole + (rest > 0.5)};
  int good = 0;
  for (int i = 0; i < 2 && !good; i++) {
    good = reads_back(tried[i], scaled, bits, e);
    if (good < 0) return false;
    if (good) tried[2] = tried[i];
  }
  whole = tried[2];
  if (whole == 100000000000000000u) whole /= 10, e++;
  if (whole < 10000000000000000u) return false;
  *digits = whole, *exponent = e;
  return true;
}

// The same by the C library.
static void find_digits(double value, char digits[17], int *exponent) {
  char text[40];
  for (int count = value < DBL_MIN ? 1 : 15; count <= 17; count++) {
    snprintf(text, sizeof text, "%.*e", count - 1, value);
    if (strtod(text, NULL) == value) break;
  }
  *exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
  int n = 0;
  for (const char *c = text; *c != 'e'; c++)
    if (*c >= '0' && *c <= '9') digits[n++] = *c;
  memset(digits + n, '0', (size_t)(17 - n));
}

// Two digits at a time, from two halves that are independent of each other.
static void spell_digits(uint64_t whole, char digits[17]) {
  uint32_t high = (uint32_t)(whole / 100000000), low = (uint32_t)(whole % 100000000);
  for (int i = 15; i >= 9; i -= 2) {
    uint32_t pair = low % 100;
    low /= 100;
    digits[i] = (char)('0' + pair / 10);
    digits[i + 1] = (char)('0' + pair % 10);
  }
  for (int i = 7; i >= 1; i -= 2) {
    uint32_t pair = high % 100;
    high /= 100;
    digits[i] = (char)('0' + pair / 10);
    digits[i + 1] = (char)('0' + pair % 10);
  }
  digits[0] = (char)('0' + high);
}

static size_t write_exponent(int exponent, char *out) {
  size_t n = 0;
  out[n++] = 'e';
  out[n++] = exponent < 0 ? '-' : '+';
  unsigned size = (unsigned)abs(exponent);
  if (size >= 100) out[n++] = (char)('0' + size / 100);
  out[n++] = (char)('0' + size / 10 % 10);
  out[n++] = (char)('0' + size % 10);
  return n;
}

// %g: fixed from 1e-4 up to 17 digits, else with an exponent; zeros at the end are dropped.
static size_t write_general(const char *digits, int count, int exponent, char *out) {
  size_t n = 0;
  bool fixed = exponent >= -4 && exponent < 17;
  int before = fixed ? exponent + 1 : 1; // digits before the point; <= 0 for 0.00x
  if (before <= 0) {
    memcpy(out, "0.", 2), n = 2;
    for (int i = before; i < 0; i++) out[n++] = '0';
  }
  int whole = before < 0 ? 0 : before < count ? before : count;
  memcpy(out + n, digits, (size_t)whole), n += (size_t)whole;
  for (int i = count; i < before; i++) out[n++] = '0';
  if (whole > 0 && count > whole) out[n++] = '.';
  memcpy(out + n, digits + whole, (size_t)(count - whole)), n += (size_t)(count - whole);
  return fixed ? n : n + write_exponent(exponent, out + n);
}

size_t digits_write(double value, char out[DIGITS_ROOM]) {
  uint64_t whole;
  int exponent;
  if (value == 0) {
    size_t sign = signbit(value) != 0;
    memcpy(out, sign ? "-0" : "0", 1 + sign);
    return 1 + sign;
  }
  if (!isfinite(value)) return (size_t)snprintf(out, DIGITS_ROOM, "%g", value);
  char digits[17];
  if (leading_digits(fabs(value), &whole, &exponent))
    spell_digits(whole, digits);
  else
    find_digits(fabs(value), digits, &exponent);
  int count = 17;
  while (count > 1 && digits[count - 1] == '0') count--;
  size_t sign = value < 0;
  out[0] = '-';
  return sign + write_general(digits, count, exponent, out + sign);
}

// Up to 19 digits and an exponent that 64 bits can hold; false for all else.
static bool read_simple(const char *at, const char **end, double *value) {
  bool negative = *at == '-';
  if (*at == '-' || *at == '+') at++;
  uint64_t whole = 0;
  int count = 0, exponent = 0;
  const char *first = at;
  for (; *at >= '0' && *at <= '9'; at++, count += count || at[-1] != '0')
    whole = 10 * whole + (uint64_t)(*at - '0');
  bool any = at > first;
  if (*at == '.') {
    for (at++; *at >= '0' && *at <= '9'; at++, exponent--, count += count || at[-1] != '0') {
      whole = 10 * whole + (uint64_t)(*at - '0');
      any = true;
    }
  }
  if (!any || count > 18 || *at == 'x' || *at == 'X') return false;
  if (*at == 'e' || *at == 'E') {
    const char *mark = at++;
    bool down = *at == '-';
    if (*at == '-' || *at == '+') at++;
    int written = 0;
    const char *begin = at;
    for (; *at >= '0' && *at <= '9' && written < 1000; at++) written = 10 * written + *at - '0';
    if (at == begin) at = mark; // no exponent after all
    exponent += down ? -written : written;
  }
  if (*at >= '0' && *at <= '9') return false;
  if (exponent < -LARGEST_POWER || exponent > LARGEST_POWER) return false;
  long double scaled = scale((long double)whole, exponent);
  double rounded = (double)scaled;
  // 11 bits lie beyond a double's; the last one may be wrong.
  long double below = nextafter(rounded, -INFINITY), above = nextafter(rounded, INFINITY);
  long double edge = scaled * 0x1p-63L;
  long double low = ((long double)rounded + below) / 2, high = ((long double)rounded + above) / 2;
  if (whole && (scaled - edge <= low || scaled + edge >= high)) return false;
  *value = negative ? -rounded : rounded;
  *end = at;
  return true;
}

double digits_read(const char *text, const char **end) {
  double value;
  if (has_extended && read_simple(text, end, &value)) return value;
  char *stop;
  value = strtod(text, &stop);
  *end = stop;
  return value;
}

double digits_rounded(double value, int digits) {
  enum { MOST = 15 }; // decimals of so many digits survive as doubles
  char text[40];
  if (!isfinite(value) || value == 0 || digits < 1 || digits >= MOST) return value;
  snprintf(text, sizeof text, "%.*e", MOST - 1, fabs(value));
  uint64_t whole = 0, unit = 1;
  for (const char *c = text; *c != 'e'; c++)
    if (*c >= '0' && *c <= '9') whole = 10 * whole + (uint64_t)(*c - '0');
  int exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10) - (MOST - 1);
  for (int i = digits; i < MOST; i++) unit *= 10;
  uint64_t kept = whole / unit, rest = whole % unit;
  bool up = 2 * rest > unit || (2 * rest == unit && kept % 2 == 1);
  snprintf(text, sizeof text, "%llue%d", (unsigned long long)((kept + up) * unit), exponent);
  return copysign(strtod(text, NULL), value);
}

double digits_bound(double value, int digits, int side, double slack) {
  double nearest = digits_rounded(value, digits);
  if (!isfinite(value) || side * (value - nearest) <= slack) return nearest;
  char text[40];
  snprintf(text, sizeof text, "%.14e", fabs(value));
  double unit = pow(10, (double)strtol(strchr(text, 'e') + 1, NULL, 10) - digits + 1);
  return digits_rounded(nearest + side * unit, digits);
}
