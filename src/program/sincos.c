// Sine and cosine: reduction by multiples of pi/2, then one polynomial each on |r| <= pi/4.
//
// One, four or eight arguments are worked on at once. Every operation is a plain IEEE one on each
// lane and nothing is contracted, so the lanes give the same bits in AVX-512 and AVX2 registers, in
// SSE2 pairs, or one by one.
#include "program/sincos.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "program/elementary.h"
#include "program/sincos_numbers.h"

// A little less than pi/4.
#define SURELY_UNTURNED 0.78

// Fewer arguments are worked on one by one.
enum { FEWEST_IN_LANES = 3 };

#define LANES 1
#define Lanes One
#define Bits OneBits
#define Sizes OneSizes
#define all_of one
#define unturned unturned_one
#define finish_by_bits finish_one
#include "program/sincos_lanes.h"
#define LANES 4
#define Lanes Four
#define Bits FourBits
#define Sizes FourSizes
#define all_of four
#define unturned unturned_four
#define finish_by_bits finish_four
#include "program/sincos_lanes.h"
#define LANES 8
#define Lanes Eight
#define Bits EightBits
#define Sizes EightSizes
#define all_of eight
#define unturned unturned_eight
#define finish_by_bits finish_eight
#include "program/sincos_lanes.h"

// Fewer than four arguments: the lanes left over work on zeros.
static inline __attribute__((always_inline)) void few(const double *x, uint32_t n, double *sines,
                                                      double *cosines) {
  Four a = {x[0], n > 1 ? x[1] : 0, n > 2 ? x[2] : 0, 0}, s, c;
  four((const double *)&a, (double *)&s, (double *)&c);
  for (uint32_t i = 0; i < n; i++) sines[i] = s[i], cosines[i] = c[i];
}

static inline __attribute__((always_inline)) void many(const double *x, uint32_t n, double *sines,
                                                       double *cosines) {
  uint32_t i = 0;
  for (; i + 4 <= n; i += 4) four(x + i, sines + i, cosines + i);
  if (i < n) few(x + i, n - i, sines + i, cosines + i);
}

#if defined(__x86_64__) && !defined(QDOT_ALONE)
static __attribute__((target("avx2"))) void many_avx2(const double *x, uint32_t n, double *sines,
                                                      double *cosines) {
  many(x, n, sines, cosines);
}

static __attribute__((target("avx512f,avx512dq,avx512vl"))) void
many_avx512(const double *x, uint32_t n, double *sines, double *cosines) {
  uint32_t i = 0;
  for (; i + 8 <= n; i += 8) eight(x + i, sines + i, cosines + i);
  many(x + i, n - i, sines + i, cosines + i);
}
#endif

// Below pi/4 the multiple of pi/2 is none and its reduction adds zeros: it need not be waited for.
void sincos_one(double x, double *sine, double *cosine) {
  if (fabs(x) < SURELY_UNTURNED) {
    double r = x + 0.0, tail = 0; // -0 becomes 0
    unturned_one(&r, &tail, sine, cosine);
  } else {
    one(&x, sine, cosine);
  }
}

void sincos_many(const double *x, uint32_t n, double *sines, double *cosines) {
  if (n < FEWEST_IN_LANES) {
    for (uint32_t i = 0; i < n; i++) sincos_one(x[i], &sines[i], &cosines[i]);
    return;
  }
#if defined(__x86_64__) && !defined(QDOT_ALONE)
  if (n >= 8 && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    many_avx512(x, n, sines, cosines);
    return;
  }
  if (__builtin_cpu_supports("avx2")) {
    many_avx2(x, n, sines, cosines);
    return;
  }
#endif
  many(x, n, sines, cosines);
}
