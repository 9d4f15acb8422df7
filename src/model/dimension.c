// Arithmetic and printing of dimensions.
#include "model/dimension.h"

#include <math.h>
#include <stdlib.h>

// Exponents beyond this are nobody's physics; the limit keeps every product within 64 bits.
#define LARGEST 1000000

static int64_t common_divisor(int64_t a, int64_t b) {
  a = llabs(a), b = llabs(b);
  while (b) {
    int64_t rest = a % b;
    a = b, b = rest;
  }
  return a;
}

Ratio ratio_from(int64_t over, int64_t under) {
  if (under == 0) return (Ratio){0, 0};
  int64_t divisor = common_divisor(over, under);
  if (under < 0) divisor = -divisor;
  over /= divisor, under /= divisor;
  if (llabs(over) > LARGEST || under > LARGEST) return (Ratio){0, 0};
  return (Ratio){(int32_t)over, (int32_t)under};
}

Ratio ratio_add(Ratio a, Ratio b) {
  return ratio_from((int64_t)a.over * b.under + (int64_t)b.over * a.under,
                    (int64_t)a.under * b.under);
}

Ratio ratio_mul(Ratio a, Ratio b) {
  return ratio_from((int64_t)a.over * b.over, (int64_t)a.under * b.under);
}

bool ratio_from_double(double value, Ratio *out) {
  if (!(fabs(value) < 1000)) return false;
  for (int under = 1; under <= 1000; under++) {
    double over = nearbyint(value * under);
    if (over / under != value) continue;
    *out = ratio_from((int64_t)over, under);
    return true;
  }
  return false;
}

Dimension dimension_pure(void) { return (Dimension){.denominator = 1}; }

Dimension dimension_base(int kg, int m, int s) { return (Dimension){{kg, m, s}, 1}; }

// Lowest terms; out of range becomes the mark.
static Dimension normal(const int64_t exponent[BASE_UNITS], int64_t denominator) {
  int64_t divisor = denominator;
  for (int i = 0; i < BASE_UNITS; i++) divisor = common_divisor(divisor, exponent[i]);
  if (divisor == 0) return (Dimension){.denominator = 0};
  Dimension result = {.denominator = 1};
  if (denominator / divisor > LARGEST) return (Dimension){.denominator = 0};
  result.denominator = (int32_t)(denominator / divisor);
  for (int i = 0; i < BASE_UNITS; i++) {
    int64_t reduced = exponent[i] / divisor;
    if (llabs(reduced) > LARGEST) return (Dimension){.denominator = 0};
    result.exponent[i] = (int32_t)reduced;
  }
  return result;
}

static Dimension combine(Dimension a, Dimension b, int sign) {
  int64_t exponent[BASE_UNITS];
  for (int i = 0; i < BASE_UNITS; i++)
    exponent[i] =
        (int64_t)a.exponent[i] * b.denominator + (int64_t)sign * b.exponent[i] * a.denominator;
  return normal(exponent, (int64_t)a.denominator * b.denominator);
}

Dimension dimension_mul(Dimension a, Dimension b) { return combine(a, b, 1); }

Dimension dimension_div(Dimension a, Dimension b) { return combine(a, b, -1); }

Dimension dimension_pow(Dimension a, Ratio exponent) {
  int64_t scaled[BASE_UNITS];
  for (int i = 0; i < BASE_UNITS; i++) scaled[i] = (int64_t)a.exponent[i] * exponent.over;
  return normal(scaled, (int64_t)a.denominator * exponent.under);
}

bool dimension_is_equal(Dimension a, Dimension b) {
  bool equal = a.denominator == b.denominator;
  for (int i = 0; i < BASE_UNITS; i++) equal = equal && a.exponent[i] == b.exponent[i];
  return equal;
}

bool dimension_is_pure(Dimension a) { return dimension_is_equal(a, dimension_pure()); }

bool dimension_is_valid(Dimension a) { return a.denominator > 0; }

static void print_exponent(Ratio r, Text *out) {
  if (r.over == 1 && r.under == 1) return;
  if (r.under != 1)
    text_addf(out, "^(%d/%d)", r.over, r.under);
  else if (r.over == 2 || r.over == 3)
    text_add(out, r.over == 2 ? "²" : "³");
  else
    text_addf(out, "^%d", r.over);
}

void dimension_print(Dimension dimension, Text *out) {
  static const char *const names[BASE_UNITS] = {"kg", "m", "s", "A", "K"};
  if (!dimension_is_valid(dimension)) {
    text_add(out, "?");
    return;
  }
  size_t start = out->n;
  for (int i = 0; i < BASE_UNITS; i++) {
    if (dimension.exponent[i] <= 0) continue;
    if (out->n > start) text_add_char(out, ' ');
    text_add(out, names[i]);
    print_exponent(ratio_from(dimension.exponent[i], dimension.denominator), out);
  }
  if (out->n == start) text_add_char(out, '1');
  for (int i = 0; i < BASE_UNITS; i++) {
    if (dimension.exponent[i] >= 0) continue;
    text_addf(out, "/%s", names[i]);
    print_exponent(ratio_from(-dimension.exponent[i], dimension.denominator), out);
  }
}
