// Numbers that are drawn.
#include "ask/draw.h"

#include <math.h>
#include <stddef.h>

#include "base/random.h"
#include "program/elementary.h"

// ---- The normal distribution

static double polynomial(const double *c, int n, double x) {
  double sum = c[n - 1];
  for (int i = n - 1; i-- > 0;) sum = sum * x + c[i];
  return sum;
}

double draw_normal(double u) {
  static const double a[] = {3.3871328727963666080e0, 1.3314166789178437745e2,
                             1.9715909503065514427e3, 1.3731693765509461125e4,
                             4.5921953931549871457e4, 6.7265770927008700853e4,
                             3.3430575583588128105e4, 2.5090809287301226727e3};
  static const double b[] = {1.0,
                             4.2313330701600911252e1,
                             6.8718700749205790830e2,
                             5.3941960214247511077e3,
                             2.1213794301586595867e4,
                             3.9307895800092710610e4,
                             2.8729085735721942674e4,
                             5.2264952788528545610e3};
  static const double c[] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                             5.76949722146069140550e0,  3.64784832476320460504e0,
                             1.27045825245236838258e0,  2.41780725177450611770e-1,
                             2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static const double d[] = {1.0,
                             2.05319162663775882187e0,
                             1.67638483018380384940e0,
                             6.89767334985100004550e-1,
                             1.48103976427480074590e-1,
                             1.51986665636164571966e-2,
                             5.47593808499534494600e-4,
                             1.05075007164441684324e-9};
  static const double e[] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                             1.78482653991729133580e0,  2.96560571828504891230e-1,
                             2.65321895265761230930e-2, 1.24266094738807843860e-3,
                             2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static const double f[] = {1.0,
                             5.99832206555887937690e-1,
                             1.36929880922735805310e-1,
                             1.48753612908506148525e-2,
                             7.86869131145613259100e-4,
                             1.84631831751005468180e-5,
                             1.42151175831644588870e-7,
                             2.04426310338993978564e-15};
  double q = u - 0.5;
  if (fabs(q) <= 0.425) {
    double r = 0.180625 - q * q;
    return q * polynomial(a, 8, r) / polynomial(b, 8, r);
  }
  double r = sqrt(-elementary_log(q < 0 ? u : 1 - u)), value;
  if (r <= 5)
    value = polynomial(c, 8, r - 1.6) / polynomial(d, 8, r - 1.6);
  else
    value = polynomial(e, 8, r - 5) / polynomial(f, 8, r - 5);
  return q < 0 ? -value : value;
}

// ---- Series

// The middle of one of 2^52 equal parts of (0, 1).
static double fraction(uint64_t bits) { return ((double)(bits >> 12) + 0.5) * 0x1p-52; }

double draw_random(uint64_t seed, uint64_t i, uint32_t dimension) {
  uint64_t state = seed, at = random_mixed(&state) + i;
  state = random_mixed(&at) + 0x9E3779B97F4A7C15u * dimension;
  return fraction(random_mixed(&state));
}

// Joe and Kuo, new-joe-kuo-6: degree, coefficients and first directions from the second dimension
// on.
typedef struct Direction {
  int degree, coefficients;
  uint32_t first[7];
} Direction;

static const Direction directions[SOBOL_DIMENSIONS - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

// The exclusive or of the directions whose bits are set in i's Gray code.
static uint64_t sobol_bits(uint64_t i, uint32_t dimension) {
  enum { BITS = 52 };
  uint64_t m[BITS], bits = 0, gray = i ^ (i >> 1);
  const Direction *d = dimension > 0 ? &directions[dimension - 1] : NULL;
  for (int k = 0; k < BITS && gray >> k; k++) {
    if (!d) {
      m[k] = 1;
    } else if (k < d->degree) {
      m[k] = d->first[k];
    } else {
      m[k] = m[k - d->degree] ^ (m[k - d->degree] << d->degree);
      for (int r = 1; r < d->degree; r++)
        if (d->coefficients >> (d->degree - 1 - r) & 1) m[k] ^= m[k - r] << r;
    }
    if (gray >> k & 1) bits ^= m[k] << (63 - k);
  }
  return bits;
}

double draw_sobol(uint64_t seed, uint64_t i, uint32_t dimension) {
  uint64_t state = seed;
  state = random_mixed(&state) + 0x9E3779B97F4A7C15u * dimension;
  return fraction(sobol_bits(i, dimension) ^ random_mixed(&state));
}
