// Sine and cosine of LANES arguments at once: the part of sincos.c that is written for one double
// and for vectors of each size. Who includes it names what it defines: the types Lanes, Bits and
// Sizes, the functions all_of, unturned and finish_by_bits.
#include <string.h>

#include "program/elementary.h"

#if LANES == 1
typedef double Lanes;
typedef uint64_t Bits;
typedef int64_t Sizes;
typedef union OneLane {
  double value;
  uint64_t bits;
} OneLane;
#define BITS_OF(lanes) ((OneLane){.value = (lanes)}.bits)
#define LANES_OF(pattern) ((OneLane){.bits = (pattern)}.value)
#define LANE(lanes, i) (lanes)
#else
typedef double Lanes __attribute__((vector_size(8 * LANES)));
typedef uint64_t Bits __attribute__((vector_size(8 * LANES)));
typedef int64_t Sizes __attribute__((vector_size(8 * LANES)));
#define BITS_OF(lanes) ((Bits)(lanes))
#define LANES_OF(pattern) ((Lanes)(pattern))
#define LANE(lanes, i) ((lanes)[i])
#endif

// The lanes in `left` need more bits of pi.
static __attribute__((noinline)) void finish_by_bits(const double *x, double *sines,
                                                     double *cosines, const Sizes *left) {
  for (uint32_t i = 0; i < LANES; i++)
    if (LANE(*left, i)) elementary_sincos(x[i], &sines[i], &cosines[i]);
}

// Of r + tail, |r| <= pi/4.
static inline __attribute__((always_inline)) void unturned(const Lanes *rest, const Lanes *its_tail,
                                                           Lanes *sine, Lanes *cosine) {
  Lanes r = *rest, tail = *its_tail;
  Lanes z = r * r, z2 = z * z, z4 = z2 * z2, half = 0.5 * z;
  Lanes s = ((S0 + S1 * z) + z2 * (S2 + S3 * z)) + z4 * (S4 + S5 * z);
  Lanes c = ((C0 + C1 * z) + z2 * (C2 + C3 * z)) + z4 * (C4 + C5 * z);
  Lanes one_less = 1 - half;
  *sine = r + ((r * z) * s + tail * one_less);
  *cosine = one_less + (((1 - one_less) - half) + (z2 * c - r * tail));
}

static inline __attribute__((always_inline)) void all_of(const double *x, double *sines,
                                                         double *cosines) {
  Lanes a;
  memcpy(&a, x, sizeof a);

  // a = n pi/2 + r + tail, |r| <= pi/4
  Lanes rounded = a * TWO_OVER_PI + ROUNDER;
  Bits quadrant = BITS_OF(rounded);
  Lanes n = rounded - ROUNDER;
  Lanes t = a - n * HALF_PI_1; // exact
  Lanes w = n * HALF_PI_2;     // exact
  Lanes d = t - w;
  Lanes e = d - t;
  Lanes lost = ((t - (d - e)) - (w + e)) - n * HALF_PI_3;
  Lanes r = d + lost;
  Lanes tail = (d - r) + lost;

  // sizes are compared as integers, as some compilers take wide vectors apart to compare doubles:
  // all ones where size >= limit, or where n != 0 and remainder < too_close
  Sizes size = (Sizes)(BITS_OF(a) & INT64_MAX), turns = (Sizes)(BITS_OF(n) & INT64_MAX),
        remainder = (Sizes)(BITS_OF(r) & INT64_MAX);
  Sizes left = ~((size - LIMIT_BITS) >> 63) | (-turns >> 63 & (remainder - CLOSE_BITS) >> 63);

  Lanes sine, cosine;
  unturned(&r, &tail, &sine, &cosine);

  // quadrants 1 and 3 swap, 2 and 3 negate the sine, 1 and 2 the cosine
  Bits swap = -(quadrant & 1);
  Bits sine_sign = (quadrant & 2) << 62, cosine_sign = ((quadrant + 1) & 2) << 62;
  Bits both = (BITS_OF(sine) ^ BITS_OF(cosine)) & swap;
  sine = LANES_OF((BITS_OF(sine) ^ both) ^ sine_sign);
  cosine = LANES_OF((BITS_OF(cosine) ^ both) ^ cosine_sign);
  int64_t any = 0;
  for (uint32_t i = 0; i < LANES; i++) any |= LANE(left, i);
  // results may go where the arguments stand
  memcpy(sines, &sine, sizeof sine);
  memcpy(cosines, &cosine, sizeof cosine);
  if (__builtin_expect(any != 0, 0)) {
    double argument[LANES];
    memcpy(argument, &a, sizeof argument);
    finish_by_bits(argument, sines, cosines, &left);
  }
}

#undef LANES
#undef Lanes
#undef Bits
#undef Sizes
#undef BITS_OF
#undef LANES_OF
#undef LANE
#undef all_of
#undef unturned
#undef finish_by_bits
