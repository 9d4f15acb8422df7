// Elementary functions. Each is a value in two parts, high and low, the second small beside the
// first, until one last addition rounds it; so errors stay near half a unit in the last place.
#include "program/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "program/elementary.def"

// ---- Two parts

typedef struct Parts {
  double high, low;
} Parts;

// a + b exactly, for |a| >= |b| or a = 0.
static inline Parts sum_ordered(double a, double b) {
  double s = a + b;
  return (Parts){s, b - (s - a)};
}

// a + b exactly.
static inline Parts sum_exact(double a, double b) {
  double s = a + b, c = s - a;
  return (Parts){s, (a - (s - c)) + (b - c)};
}

// a b exactly, by halves of 26 bits (Dekker); no overflow below 2^996.
static inline Parts product_exact(double a, double b) {
  const double splitter = 134217729;
  double p = a * b, ta = splitter * a, tb = splitter * b;
  double ah = ta - (ta - a), al = a - ah, bh = tb - (tb - b), bl = b - bh;
  return (Parts){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

static inline uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double from_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

// The leading 26 bits.
static inline double leading(double x) { return from_bits(bits_of(x) & ~(uint64_t)0x7ffffff); }

// (a + a_low)/(b + b_low) for quotients that are neither huge nor tiny.
static inline Parts quotient(Parts a, Parts b) {
  double inverse = 1 / b.high, q = a.high * inverse;
  double qh = leading(q), ql = q - qh, bh = leading(b.high), bl = b.high - bh;
  double rest = (((a.high - qh * bh) - qh * bl) - ql * bh) - ql * bl;
  return (Parts){q, (rest + (a.low - q * b.low)) * inverse};
}

// 2^n for -1022 <= n <= 1023.
static inline double power_of_two(int n) { return from_bits((uint64_t)(n + 1023) << 52); }

// y 2^n, rounded once where it leaves the normal numbers.
static inline double scaled(double y, int n) {
  if (n >= -1021 && n <= 1022) return y * power_of_two(n);
  if (n > 1022)
    return n > 2100 ? y * INFINITY
                    : y * power_of_two(1000) * power_of_two(n - 1000 > 1000 ? 1000 : n - 1000);
  return n < -2200 ? y * 0
                   : y * power_of_two(-1000) * power_of_two(n + 1000 < -1000 ? -1000 : n + 1000);
}

static inline double with_sign(double magnitude, double sign) { return copysign(magnitude, sign); }

// c[0] + c[1] u + ... by two chains at once.
static inline __attribute__((always_inline)) double series(const double *c, int n, double u) {
  double u2 = u * u, even = c[(n - 1) / 2 * 2], odd = c[(n - 2) / 2 * 2 + 1];
#pragma GCC unroll 8
  for (int k = (n - 1) / 2 * 2 - 2; k >= 0; k -= 2) even = c[k] + u2 * even;
#pragma GCC unroll 8
  for (int k = (n - 2) / 2 * 2 - 1; k >= 1; k -= 2) odd = c[k] + u2 * odd;
  return even + u * odd;
}

// ---- Exponentials

// e^(x + low) = (high + low) 2^*scale for |x| < 1e5.
static inline Parts exponential(double x, double low, int *scale) {
  const double rounder = 0x1.8p52;
  double shifted = x * STEPS_PER_LOG + rounder, k = shifted - rounder;
  int64_t steps = (int64_t)(int32_t)bits_of(shifted);
  double r = (x - k * STEP_HIGH) - k * STEP_LOW + low;
  double r2 = r * r;
  double p = r + r2 * ((0.5 + r * 0x1.5555555555555p-3) +
                       r2 * (0x1.5555555555555p-5 + r * 0x1.1111111111111p-7));
  const double *power = powers[steps & 127];
  *scale = (int)(steps >> 7);
  return (Parts){power[0], power[0] * (power[1] + p)};
}

double elementary_exp(double x) {
  if (!(fabs(x) < 746)) return x != x ? x : x > 0 ? INFINITY : 0;
  int scale;
  Parts e = exponential(x, 0, &scale);
  return scaled(e.high + e.low, scale);
}

// e^x and e^-x in the scale of e^x, both times 1/2.
static inline Parts half_sum(double x, bool difference, int *scale) {
  int back;
  Parts up = exponential(x, 0, scale), down = exponential(-x, 0, &back);
  double factor = power_of_two(back - *scale < -1000 ? -1000 : back - *scale);
  if (difference) factor = -factor;
  Parts s = sum_exact(up.high, down.high * factor);
  *scale -= 1;
  return (Parts){s.high, s.low + (up.low + down.low * factor)};
}

double elementary_cosh(double x) {
  double a = fabs(x);
  if (!(a < 711)) return a != a ? a : INFINITY;
  int scale;
  Parts c = half_sum(a, false, &scale);
  return scaled(c.high + c.low, scale);
}

double elementary_sinh(double x) {
  double a = fabs(x);
  if (a < 0.35) return with_sign(a + a * (a * a) * series(sinh_small, 7, a * a), x);
  if (!(a < 711)) return x != x ? x : with_sign(INFINITY, x);
  int scale;
  Parts s = half_sum(a, true, &scale);
  return with_sign(scaled(s.high + s.low, scale), x);
}

// 1 - 2/(e^2x + 1)
double elementary_tanh(double x) {
  double a = fabs(x);
  if (a < 0.35) return with_sign(a + a * (a * a) * series(tanh_small, 10, a * a), x);
  if (!(a < 20)) return x != x ? x : with_sign(1, x);
  int scale;
  Parts e = exponential(2 * a, 0, &scale);
  double factor = power_of_two(scale);
  Parts below = sum_exact(e.high * factor, 1);
  below = sum_ordered(below.high, below.low + e.low * factor);
  Parts q = quotient((Parts){2, 0}, below), s = sum_exact(1, -q.high);
  return with_sign(s.high + (s.low - q.low), x);
}

// ---- Logarithms

// log(x) = high + low for a positive, finite x, to about 2^-66 of it.
static inline Parts logarithm(double x, bool sharp) {
  const uint64_t offset = 0x3fe6000000000000;
  uint64_t bits = bits_of(x);
  int below = 0;
  if (bits < (uint64_t)1 << 52) bits = bits_of(x * 0x1p54), below = 54;
  uint64_t shifted = bits - offset;
  double k = (double)(((int64_t)shifted >> 52) - below);
  double z = from_bits(bits - (shifted & (uint64_t)0xfff << 52));
  const double *c = logarithms[shifted >> 45 & 127];
  // r = z/c - 1, exactly in two parts
  double zh = leading(z), zl = z - zh;
  double above = zh * c[0] - 1, small = zl * c[0];
  double r = above + small, r_low = (above - r) + small;
  double base = k * LN2_HIGH + c[1]; // exact
  double low = k * LN2_LOW + c[2], r2 = r * r;
  double rest = (r * r2) * ((0x1.5555555555555p-2 - r * 0.25) +
                            r2 * ((0x1.999999999999ap-3 - r * 0x1.5555555555555p-3) +
                                  r2 * (0x1.2492492492492p-3 - r * 0.125)));
  Parts s = sum_ordered(base, r);
  if (!sharp) return (Parts){s.high, s.low + ((low + r_low) + (rest - 0.5 * r2))};
  double rh = leading(r);
  Parts t = sum_ordered(s.high, -0.5 * (rh * rh));
  low += r_low - r * r_low;
  return (Parts){t.high, t.low + (s.low + ((low - 0.5 * ((r - rh) * (r + rh))) + rest))};
}

double elementary_log(double x) {
  if (!(x > 0) || x == INFINITY) return x == 0 ? -INFINITY : x > 0 ? x : x != x ? x : NAN;
  Parts l = logarithm(x, false);
  return l.high + l.low;
}

static bool is_whole(double y) { return floor(y) == y; }
static bool is_odd(double y) { return is_whole(y) && fabs(y) < 0x1p53 && floor(y / 2) != y / 2; }

// Where a logarithm does not help.
static double special_power(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return x + y;
  double a = fabs(x);
  if (fabs(y) == INFINITY) return a == 1 ? 1 : (a > 1) == (y > 0) ? INFINITY : 0;
  if (a == 0 || a == INFINITY) {
    double size = (a == 0) == (y > 0) ? 0 : INFINITY;
    return is_odd(y) ? with_sign(size, x) : size;
  }
  return NAN; // a negative number to a broken power
}

double elementary_pow(double x, double y) {
  double a = fabs(x);
  bool plain = a > 0 && a < INFINITY && fabs(y) < INFINITY && x != 1 && y != 0;
  if (!plain || (x < 0 && !is_whole(y))) return special_power(x, y);
  double sign = x < 0 && is_odd(y) ? -1 : 1;
  if (a == 1) return sign;
  if (fabs(y) < 0x1p-65) return sign;
  if (fabs(y) > 0x1p65) return (a > 1) == (y > 0) ? sign * INFINITY : sign * 0;
  Parts l = logarithm(a, true);
  double yh = leading(y), lh = leading(l.high), high = yh * lh;
  double low = (y - yh) * lh + y * (l.low + (l.high - lh));
  if (!(fabs(high) < 746)) return high > 0 ? sign * INFINITY : sign * 0;
  int scale;
  Parts e = exponential(high, low, &scale);
  return sign * scaled(e.high + e.low, scale);
}

// ---- Inverse functions of angles

// asin(s) - s for 0 <= s <= 1/2, u = s^2
static inline double asin_rest(double s, double u) { return s * u * series(asin_small, 13, u); }

// sqrt((1 - a)/2) in two parts, for 1/2 <= a <= 1, and its arc sine.
static inline Parts asin_of_root(double a) {
  double z = (1 - a) / 2, s = sqrt(z);
  if (z == 0) return (Parts){0, 0};
  double high = leading(s), low = (z - high * high) / (s + high);
  return (Parts){high, low + asin_rest(s, z)};
}

double elementary_asin(double x) {
  double a = fabs(x);
  if (a < 0.5) return with_sign(a + asin_rest(a, a * a), x);
  if (!(a <= 1)) return NAN;
  Parts s = asin_of_root(a), t = sum_exact(HALF_PI_HIGH, -2 * s.high);
  return with_sign(t.high + (t.low + (HALF_PI_LOW - 2 * s.low)), x);
}

double elementary_acos(double x) {
  double a = fabs(x);
  if (!(a <= 1)) return NAN;
  if (a < 0.5) {
    Parts t = sum_exact(HALF_PI_HIGH, -x);
    return t.high + (t.low + (HALF_PI_LOW - asin_rest(x, x * x)));
  }
  Parts s = asin_of_root(a);
  if (x > 0) return 2 * (s.high + s.low);
  Parts t = sum_exact(HALF_PI_HIGH, -s.high);
  return 2 * (t.high + (t.low + (HALF_PI_LOW - s.low)));
}

// (atan(t) - t)/t^3 by powers of t^2
static const double arctangent_series[] = {
    -0x1.5555555555555p-2, 0x1.999999999999ap-3,  -0x1.2492492492492p-3,
    0x1.c71c71c71c71cp-4,  -0x1.745d1745d1746p-4, 0x1.3b13b13b13b14p-4,
    -0x1.1111111111111p-4, 0x1.e1e1e1e1e1e1ep-5,  -0x1.af286bca1af28p-5};

// atan(y) for 0 <= y <= 1.
static inline Parts arctangent(Parts y) {
  if (y.high < 0.125) {
    double u = y.high * y.high;
    return (Parts){y.high, y.low + y.high * u * series(arctangent_series, 9, u)};
  }
  int k = (int)(64 * y.high + 0.5);
  double at = k * 0x1p-6, t = ((y.high - at) + y.low) / (1 + y.high * at), u = t * t;
  return (Parts){arctangents[k][0],
                 arctangents[k][1] + (t + t * u * series(arctangent_series, 4, u))};
}

// base pi/2 + sign (angle)
static inline double turned(int base, double sign, Parts angle) {
  Parts t = sum_exact(base * HALF_PI_HIGH, sign * angle.high);
  return t.high + (t.low + (base * HALF_PI_LOW + sign * angle.low));
}

double elementary_atan(double x) {
  double a = fabs(x);
  if (a <= 1) {
    if (a < 0x1p-27) return x;
    Parts angle = arctangent((Parts){a, 0});
    return with_sign(angle.high + angle.low, x);
  }
  if (!(a < 0x1p60)) return x != x ? x : with_sign(HALF_PI_HIGH, x);
  if (a > 8) return with_sign(turned(1, -1, arctangent((Parts){1 / a, 0})), x);
  // pi/2 - atan(c) - atan((1 - a c)/(a + c)) with c near 1/a
  int k = (int)(64 / (float)a + 0.5f);
  double c = k * 0x1p-6, ah = leading(a), t = ((1 - ah * c) - (a - ah) * c) / (a + c), u = t * t;
  double low = arctangents[k][1] + (t + t * u * series(arctangent_series, 4, u));
  return with_sign(turned(1, -1, (Parts){arctangents[k][0], low}), x);
}

// On an axis, or at infinity.
static double special_angle(double y, double x) {
  if (x != x || y != y) return x + y;
  double a = fabs(y), b = fabs(x);
  bool left = signbit(x);
  if (a == 0) return left ? with_sign(2 * HALF_PI_HIGH, y) : y;
  if (b == INFINITY && a == INFINITY)
    return with_sign(left ? 0x1.2d97c7f3321d2p+1 : HALF_PI_HIGH / 2, y);
  if (a == INFINITY || b == 0) return with_sign(HALF_PI_HIGH, y);
  return with_sign(left ? 2 * HALF_PI_HIGH : 0, y); // b is infinite
}

double elementary_atan2(double y, double x) {
  double a = fabs(y), b = fabs(x);
  if (!(a > 0 && b > 0 && a < INFINITY && b < INFINITY)) return special_angle(y, x);
  bool steep = a > b, left = x < 0;
  double small = steep ? b : a, large = steep ? a : b;
  // far from the ends of the exponents, so that products are exact
  double factor = large > 0x1p500 ? 0x1p-520 : large < 0x1p-400 ? 0x1p520 : 1;
  Parts angle = {0, 0};
  if (small * factor >= 0x1p-60 * (large * factor))
    angle = arctangent(quotient((Parts){small * factor, 0}, (Parts){large * factor, 0}));
  else if (!steep && !left)
    return y / x;
  else
    angle.high = small * factor / (large * factor);
  if (!steep && !left) return with_sign(angle.high + angle.low, y);
  return with_sign(turned(steep ? 1 : 2, steep == left ? 1 : -1, angle), y);
}

// ---- Angles

// The lower half of a b + *carry, and the upper one as the next carry; in halves of 32 bits, for
// machines without wider products.
static uint64_t times(uint64_t a, uint64_t b, uint64_t *carry) {
  uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
  uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)middle;
  uint64_t high = a1 * b1 + (middle >> 32) + (other >> 32);
  low = other << 32 | (uint32_t)low;
  uint64_t sum = low + *carry;
  *carry = high + (sum < low);
  return sum;
}

// x 2/pi modulo 4 for any x, in whole numbers: 192 bits of 2/pi, from where they count.
static int reduce_by_bits(double x, double *r, double *tail) {
  uint64_t bits = bits_of(x), m = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
  int e = (int)(bits >> 52 & 2047) - 1075; // |x| = m 2^e
  int skip = e - 2 > 0 ? e - 2 : 0, word = skip / 64, shift = skip % 64;
  uint64_t w[3]; // the highest first
  for (int i = 0; i < 3; i++)
    w[i] = two_over_pi[word + i] << shift | (shift ? two_over_pi[word + i + 1] >> (64 - shift) : 0);
  for (int down = 2 - e; e < 2 && down > 0;) {
    int part = down > 32 ? 32 : down;
    w[2] = w[2] >> part | w[1] << (64 - part);
    w[1] = w[1] >> part | w[0] << (64 - part);
    w[0] >>= part;
    down -= part;
  }
  // the product modulo 2^192: two bits of quadrant, then the fraction
  uint64_t carry = 0, f2 = times(w[2], m, &carry), f1 = times(w[1], m, &carry),
           f0 = w[0] * m + carry;
  int quadrant = (int)(f0 >> 62);
  f0 = f0 << 2 | f1 >> 62;
  f1 = f1 << 2 | f2 >> 62;
  f2 <<= 2;
  double sign = 1;
  if (f0 >> 63) { // nearer to the next multiple
    quadrant++;
    sign = -1;
    f2 = ~f2 + 1;
    f1 = ~f1 + (f2 == 0);
    f0 = ~f0 + (f1 == 0 && f2 == 0);
  }
  int zeros = 0;
  for (; zeros < 128 && !(f0 >> 63); zeros++)
    f0 = f0 << 1 | f1 >> 63, f1 = f1 << 1 | f2 >> 63, f2 <<= 1;
  double scale = sign * power_of_two(-zeros);
  double high = (double)(f0 >> 11) * 0x1p-53 * scale;
  double low = (double)((f0 & 2047) << 53 | f1 >> 11) * 0x1p-117 * scale;
  Parts angle = product_exact(high, HALF_PI_HIGH);
  angle = sum_ordered(angle.high, angle.low + (high * HALF_PI_LOW + low * HALF_PI_HIGH));
  bool negative = bits >> 63;
  *r = negative ? -angle.high : angle.high;
  *tail = negative ? -angle.low : angle.low;
  return (negative ? -quadrant : quadrant) & 3;
}

// x = n pi/2 + r + tail with |r| <= pi/4, however near x is to a multiple; n modulo 4.
static inline int reduce(double x, double *r, double *tail) {
  const double rounder = 0x1.8p52;
  if (fabs(x) < 1e6) {
    // pi/2 in three parts; the first two have 33 bits, so that n times them is exact
    double shifted = x * 0x1.45f306dc9c883p-1 + rounder, n = shifted - rounder;
    double t = x - n * 0x1.921fb544p+0, w = n * 0x1.0b4611a6p-34, d = t - w, e = d - t;
    double lost = ((t - (d - e)) - (w + e)) - n * 0x1.3198a2e037073p-69;
    *r = d + lost;
    *tail = (d - *r) + lost;
    if (n == 0 || fabs(*r) >= 0x1p-24) return (int)bits_of(shifted) & 3;
  }
  return reduce_by_bits(x, r, tail);
}

// sin = r + low, cos = high + low
static inline void sine_and_cosine(double r, double tail, Parts *sine, Parts *cosine) {
  static const double s[] = {-0x1.5555555555549p-3, 0x1.111111110f87ap-7,   -0x1.a01a019c11996p-13,
                             0x1.71de3577b69c0p-19, -0x1.ae5e663a8ea59p-26, 0x1.5d9300fb26d44p-33};
  static const double c[] = {0x1.555555555554cp-5,  -0x1.6c16c16c1517ep-10,
                             0x1.a01a019cb1bd7p-16, -0x1.27e4f809f0685p-22,
                             0x1.1ee9ebe9048f5p-29, -0x1.8fae9c60e5a7bp-37};
  double z = r * r, half = 0.5 * z, less = 1 - half;
  double z2 = z * z, z4 = z2 * z2;
  // in the order of program/sincos.c, so that there is one sine
  double sum = ((s[0] + s[1] * z) + z2 * (s[2] + s[3] * z)) + z4 * (s[4] + s[5] * z);
  double other = ((c[0] + c[1] * z) + z2 * (c[2] + c[3] * z)) + z4 * (c[4] + c[5] * z);
  *sine = (Parts){r, (r * z) * sum + tail * less};
  *cosine = (Parts){less, ((1 - less) - half) + (z2 * other - r * tail)};
}

void elementary_sincos(double x, double *sine, double *cosine) {
  if (!(fabs(x) < INFINITY)) {
    *sine = *cosine = NAN;
    return;
  }
  double r, tail;
  int quadrant = reduce(x, &r, &tail);
  Parts s, c;
  sine_and_cosine(r, tail, &s, &c);
  double a = s.high + s.low, b = c.high + c.low;
  *sine = quadrant & 1 ? b : a;
  *cosine = quadrant & 1 ? a : b;
  if (quadrant & 2) *sine = -*sine;
  if ((quadrant + 1) & 2) *cosine = -*cosine;
}

double elementary_sin(double x) {
  double s, c;
  elementary_sincos(x, &s, &c);
  return s;
}

double elementary_cos(double x) {
  double s, c;
  elementary_sincos(x, &s, &c);
  return c;
}

double elementary_tan(double x) {
  if (fabs(x) < 0x1p-27) return x;
  if (!(fabs(x) < INFINITY)) return NAN;
  double r, tail;
  int quadrant = reduce(x, &r, &tail);
  Parts s, c;
  sine_and_cosine(r, tail, &s, &c);
  s = sum_ordered(s.high, s.low);
  c = sum_ordered(c.high, c.low);
  // -cos/sin in every second quadrant, without a branch that nobody can foresee
  uint64_t swap = -(uint64_t)(quadrant & 1), sign = (uint64_t)quadrant << 63;
  uint64_t high = (bits_of(s.high) ^ bits_of(c.high)) & swap;
  uint64_t low = (bits_of(s.low) ^ bits_of(c.low)) & swap;
  Parts above = {from_bits(bits_of(s.high) ^ high ^ sign), from_bits(bits_of(s.low) ^ low ^ sign)};
  Parts below = {from_bits(bits_of(c.high) ^ high), from_bits(bits_of(c.low) ^ low)};
  Parts q = quotient(above, below);
  return q.high + q.low;
}
