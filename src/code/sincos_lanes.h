// Sine and cosine of LANES arguments at once: the part of sincos.c that is written for vectors of
// each size. Who includes it names what it defines: the types Lanes and Bits, the functions all_of
// and finish_by_bits.
#include <string.h>

#include "expr/value/elementary.h"

typedef double Lanes __attribute__((vector_size(8 * LANES)));
typedef int64_t Bits __attribute__((vector_size(8 * LANES)));

// The lanes in `left` need more bits of pi.
static __attribute__((noinline)) void finish_by_bits(const double *x, double *sines,
                                                     double *cosines, const Bits *left) {
  for (uint32_t i = 0; i < LANES; i++)
    if ((*left)[i]) elementary_sincos(x[i], &sines[i], &cosines[i]);
}

static inline __attribute__((always_inline)) void all_of(const double *x, double *sines,
                                                         double *cosines) {
  Lanes a;
  memcpy(&a, x, sizeof a);

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

  // sizes are compared as integers, as some compilers take wide vectors apart to compare doubles:
  // all ones where size >= limit, or where n != 0 and remainder < too_close
  Bits size = (Bits)a & INT64_MAX, turns = (Bits)n & INT64_MAX, remainder = (Bits)r & INT64_MAX;
  Bits left = ~((size - LIMIT_BITS) >> 63) | (-turns >> 63 & (remainder - CLOSE_BITS) >> 63);

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
  sine = (Lanes)(((Bits)sine ^ both) ^ sine_sign);
  cosine = (Lanes)(((Bits)cosine ^ both) ^ cosine_sign);
  int64_t any = 0;
  for (uint32_t i = 0; i < LANES; i++) any |= left[i];
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
#undef all_of
#undef finish_by_bits
