// Physical dimensions: products of powers of kg, m, s, A and K with rational exponents.
#ifndef QDOT_MODEL_DIMENSION_H
#define QDOT_MODEL_DIMENSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum { BASE_KG, BASE_M, BASE_S, BASE_A, BASE_K, BASE_UNITS };

// Exponents are exponent[i] / denominator in lowest terms; all zero is a pure number.
typedef struct Dimension {
  int32_t exponent[BASE_UNITS];
  int32_t denominator; // > 0; 0 marks one that grew out of range
} Dimension;

// A fraction in lowest terms with a positive denominator; 0/0 marks one out of range.
typedef struct Ratio {
  int32_t over, under;
} Ratio;

Ratio ratio_from(int64_t over, int64_t under);
Ratio ratio_add(Ratio a, Ratio b);
Ratio ratio_mul(Ratio a, Ratio b);
// The fraction with a denominator up to 1000 that is this double; false when there is none.
bool ratio_from_double(double value, Ratio *out);

Dimension dimension_pure(void);
Dimension dimension_base(int kg, int m, int s);
Dimension dimension_mul(Dimension a, Dimension b);
Dimension dimension_div(Dimension a, Dimension b);
Dimension dimension_pow(Dimension a, Ratio exponent);
bool dimension_is_equal(Dimension a, Dimension b);
bool dimension_is_pure(Dimension a);
bool dimension_is_valid(Dimension a);

// "kg m²/s²", "1/s", "kg^(1/2)"; a pure number prints as "1".
void dimension_print(Dimension dimension, Text *out);

#endif
