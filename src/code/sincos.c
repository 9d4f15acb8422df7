// Sine and cosine: reduction by multiples of pi/2, then one polynomial each on |r| <= pi/4.
//
// Four arguments are worked on at once. Every operation is a plain IEEE one on each lane and
// nothing is contracted, so the lanes give the same bits in AVX2 registers, in SSE2 pairs, or one
// by one.
#include "code/sincos.h"

#include <stdbool.h>
#include <string.h>

#include "expr/value/elementary.h"

enum { LANES = 4 };
typedef double Lanes __attribute__((vector_size(8 * LANES)));
typedef int64_t Bits __attribute__((vector_size(8 * LANES)));

// Beyond this the multiple of pi/2 has too many bits for exact products below.
static const double reduction_limit = 1e6;
// Closer than this to a multiple of pi/2, the three parts of pi/2 do not reach.
static const double too_close = 0x1p-24;

// pi/2 in three parts; the first two have 33 bits, so that n times them is exact for n < 2^20.
#define HALF_PI_1 0x1.921fb544p+0
#define HALF_PI_2 0x1.0b4611a6p-34
#define HALF_PI_3 0x1.3198a2e037073p-69
#define TWO_OVER_PI 0x1.45f306dc9c883p-1
// Adding it rounds to an integer and leaves that in the low bits.
#define ROUNDER 0x1.8p52

// Minimax on |r| <= pi/4: sin r = r + r^3 S(r^2) to 2^-58, cos r = 1 - r^2/2 + r^4 C(r^2) to 2^-64.
#define S0 -0x1.5555555555549p-3
#define S1 0x1.111111110f87ap-7
#define S2 -0x1.a01a019c11996p-13
#define S3 0x1.71de3577b69c0p-19
#define S4 -0x1.ae5e663a8ea59p-26
#define S5 0x1.5d9300fb26d44p-33
#define C0 0x1.555555555554cp-5
#define C1 -0x1.6c16c16c1517ep-10
#define C2 0x1.a01a019cb1bd7p-16
#define C3 -0x1.27e4f809f0685p-22
#define C4 0x1.1ee9ebe9048f5p-29
#define C5 -0x1.8fae9c60e5a7bp-37

// Sines and cosines of four arguments; lanes that need more bits of pi are set in *left.
static inline __attribute__((always_inline)) void four(const Lanes *x, Lanes *sines, Lanes *cosines,
                                                       Bits *left) {
  Lanes a = *x;

  // a = n pi/2 + r + tail, |r| <= pi/4
  Lanes rounded = a * TWO_OVER_PI + ROUNDER;
  Bits quadrant = (Bits)rounded;
  Lanes n = rounded - ROUNDER;
  Lanes t = a - n * HALF_PI_1; // exact
  Lanes w = n * HALF_PI_2;     // exact
  Lanes d = t - w;
  Lanes e = d - t;
  Lanes lost = ((t - (d - e)) - (w + e)) - n * HALF_PI_3;
  Lanes r = d + lost;
  Lanes tail = (d - r) + lost;

  Bits size = (Bits)a & INT64_MAX;
  Lanes magnitude = (Lanes)size;
  Lanes remainder = (Lanes)((Bits)r & INT64_MAX);
  *left = ~(magnitude < reduction_limit) | ((n != 0) & (remainder < too_close));

  Lanes z = r * r, z2 = z * z, z4 = z2 * z2, half = 0.5 * z;
  Lanes s = ((S0 + S1 * z) + z2 * (S2 + S3 * z)) + z4 * (S4 + S5 * z);
  Lanes c = ((C0 + C1 * z) + z2 * (C2 + C3 * z)) + z4 * (C4 + C5 * z);
  Lanes one_less = 1 - half;
  Lanes sine = r + ((r * z) * s + tail * one_less);
  Lanes cosine = one_less + (((1 - one_less) - half) + (z2 * c - r * tail));

  // quadrants 1 and 3 swap, 2 and 3 negate the sine, 1 and 2 the cosine
  Bits swap = -(quadrant & 1);
  Bits sine_sign = (quadrant & 2) << 62, cosine_sign = ((quadrant + 1) & 2) << 62;
  Bits both = ((Bits)sine ^ (Bits)cosine) & swap;
  *sines = (Lanes)(((Bits)sine ^ both) ^ sine_sign);
  *cosines = (Lanes)(((Bits)cosine ^ both) ^ cosine_sign);
}

static __attribute__((noinline)) void finish_by_bits(const double *x, uint32_t n, double *sines,
                                                     double *cosines, const Bits *left) {
  for (uint32_t i = 0; i < n; i++)
    if ((*left)[i]) elementary_sincos(x[i], &sines[i], &cosines[i]);
}

static inline __attribute__((always_inline)) bool any(const Bits *left) {
  return __builtin_expect(((*left)[0] | (*left)[1] | (*left)[2] | (*left)[3]) != 0, 0);
}

// Fewer than four arguments: the lanes left over work on zeros.
static inline __attribute__((always_inline)) void few(const double *x, uint32_t n, double *sines,
                                                      double *cosines) {
  Lanes a = {x[0], n > 1 ? x[1] : 0, n > 2 ? x[2] : 0, 0}, s, c;
  Bits left;
  four(&a, &s, &c, &left);
  sines[0] = s[0], cosines[0] = c[0];
  if (n > 1) sines[1] = s[1], cosines[1] = c[1];
  if (n > 2) sines[2] = s[2], cosines[2] = c[2];
  if (any(&left)) finish_by_bits(x, n, sines, cosines, &left);
}

static inline __attribute__((always_inline)) void many(const double *x, uint32_t n, double *sines,
                                                       double *cosines) {
  uint32_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    Lanes a, s, c;
    Bits left;
    memcpy(&a, x + i, sizeof a);
    four(&a, &s, &c, &left);
    memcpy(sines + i, &s, sizeof s);
    memcpy(cosines + i, &c, sizeof c);
    if (any(&left)) finish_by_bits(x + i, LANES, sines + i, cosines + i, &left);
  }
  if (i < n) few(x + i, n - i, sines + i, cosines + i);
}

#if defined(__x86_64__)
static __attribute__((target("avx2"))) void many_avx2(const double *x, uint32_t n, double *sines,
                                                      double *cosines) {
  many(x, n, sines, cosines);
}
#endif

void sincos_many(const double *x, uint32_t n, double *sines, double *cosines) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    many_avx2(x, n, sines, cosines);
    return;
  }
#endif
  many(x, n, sines, cosines);
}

void sincos_one(double x, double *sine, double *cosine) { sincos_many(&x, 1, sine, cosine); }
