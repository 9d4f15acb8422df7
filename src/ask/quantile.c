// Student's distribution, by the continued fraction of the incomplete beta function.
#include "ask/quantile.h"

#include <math.h>
#include <stdbool.h>

// The part of it beyond t > 0: I_x(freedom/2, 1/2)/2 at x = freedom/(freedom + t^2).
static double upper_tail(double t, double freedom) {
  double a = freedom / 2, b = 0.5, x = freedom / (freedom + t * t);
  bool swaps = x > (a + 1) / (a + b + 2);
  double y = swaps ? 1 - x : x, p = swaps ? b : a, q = swaps ? a : b;
  // Lentz's method
  double c = 1, d = 1 / (1 - (p + q) * y / (p + 1)), f = d;
  for (int m = 1; m < 500; m++) {
    double even = m * (q - m) * y / ((p + 2 * m - 1) * (p + 2 * m));
    double odd = -(p + m) * (p + q + m) * y / ((p + 2 * m) * (p + 2 * m + 1));
    d = 1 / (1 + even * d), c = 1 + even / c, f *= c * d;
    d = 1 / (1 + odd * d), c = 1 + odd / c;
    double factor = c * d;
    f *= factor;
    if (fabs(factor - 1) < 1e-15) break;
  }
  double logarithm = lgamma(a + b) - lgamma(a) - lgamma(b) + p * log(y) + q * log1p(-y);
  double part = exp(logarithm) * f / p;
  return (swaps ? 1 - part : part) / 2;
}

double student_quantile(double p, double freedom) {
  double low = 0, high = 1;
  while (upper_tail(high, freedom) > 1 - p && high < 1e12) high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-14 * high; i++) {
    double middle = (low + high) / 2;
    if (upper_tail(middle, freedom) > 1 - p)
      low = middle;
    else
      high = middle;
  }
  return (low + high) / 2;
}
