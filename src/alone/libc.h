// What the engine alone has in place of the C library: stands in front of qdot_engine.c.
#if defined __FAST_MATH__
#error "qdot_engine.c needs IEEE arithmetic: compile it without -ffast-math"
#endif
#if defined __i386__ && !defined __SSE2_MATH__
#error "qdot_engine.c needs doubles of 64 bits: compile it with -msse2 -mfpmath=sse"
#endif
#if defined __clang__
#pragma STDC FP_CONTRACT OFF
#pragma clang diagnostic ignored "-Wunused-function"
#elif defined __GNUC__
#pragma GCC optimize("fp-contract=off")
#endif

#define QDOT_ALONE 1
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __wasm__
#include <setjmp.h>
#else
typedef void *alone_jmp_buf[5];
#define jmp_buf alone_jmp_buf
#define setjmp(buffer) __builtin_setjmp(buffer)
#define longjmp(buffer, value) __builtin_longjmp(buffer, 1)
#endif
#define assert(condition) ((void)sizeof(condition))
#define abort __builtin_trap

/* ---- <math.h>: what is exact, in bits. The rest is Qdot's own (elementary.c). */
#define NAN __builtin_nan("")
#define INFINITY __builtin_inf()
#define M_PI 3.14159265358979323846
#define M_LN2 0.69314718055994530942
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)

static inline uint64_t alone_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
static inline double alone_double(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
static inline int alone_exponent(double x) { return (int)(alone_bits(x) >> 52 & 0x7ff); }

static inline double alone_fabs(double x) {
  return alone_double(alone_bits(x) & ~(UINT64_C(1) << 63));
}
static inline double alone_copysign(double x, double y) {
  return alone_double((alone_bits(x) & ~(UINT64_C(1) << 63)) | (alone_bits(y) & UINT64_C(1) << 63));
}
static inline double alone_fmax(double a, double b) {
  return isnan(a) ? b : isnan(b) || a > b ? a : b;
}
static inline double alone_fmin(double a, double b) {
  return isnan(a) ? b : isnan(b) || a < b ? a : b;
}

/* Towards zero. */
static inline double alone_trunc(double x) {
  int e = alone_exponent(x) - 1023;
  if (e >= 52) return x;
  uint64_t drop = e < 0 ? ~(UINT64_C(1) << 63) : (UINT64_C(1) << (52 - e)) - 1;
  return alone_double(alone_bits(x) & ~drop);
}
static inline double alone_floor(double x) {
  double whole = alone_trunc(x);
  return whole > x ? whole - 1 : alone_copysign(whole, x);
}
static inline double alone_ceil(double x) {
  double whole = alone_trunc(x);
  return alone_copysign(whole < x ? whole + 1 : whole, x);
}
/* Halves away from zero. */
static inline double alone_round(double x) {
  double whole = alone_trunc(x), rest = alone_fabs(x - whole);
  return alone_copysign(rest >= 0.5 ? whole + alone_copysign(1, x) : whole, x);
}
/* Halves to even. */
static inline double alone_nearbyint(double x) {
  const double shift = 4503599627370496.0;
  if (alone_fabs(x) >= shift || isnan(x)) return x;
  volatile double moved = alone_copysign(shift, x) + x;
  return alone_copysign(moved - alone_copysign(shift, x), x);
}
static inline double alone_frexp(double x, int *exponent) {
  int e = alone_exponent(x);
  *exponent = 0;
  if (x == 0 || e == 0x7ff) return x;
  if (e == 0) {
    double part = alone_frexp(x * 18014398509481984.0, exponent);
    *exponent -= 54;
    return part;
  }
  *exponent = e - 1022;
  return alone_double((alone_bits(x) & ~(UINT64_C(0x7ff) << 52)) | UINT64_C(1022) << 52);
}
static inline double alone_ldexp(double x, int n) {
  const double up = alone_double(UINT64_C(0x7fe) << 52);            /* 2^1023 */
  const double down = alone_double(UINT64_C(0x001) << 52) * 0x1p53; /* 2^-969 */
  for (int k = 0; k < 2 && n > 1023; k++) x *= up, n -= 1023;
  for (int k = 0; k < 2 && n < -1022; k++) x *= down, n += 969;
  n = n > 1023 ? 1023 : n < -1022 ? -1022 : n;
  return x * alone_double((uint64_t)(0x3ff + n) << 52);
}
/* x - n y, n towards zero: long division, bit by bit. */
static inline double alone_fmod(double x, double y) {
  double left = alone_fabs(x), by = alone_fabs(y);
  if (isnan(x) || isnan(y) || isinf(x) || by == 0) return NAN;
  if (isinf(by)) return x;
  int ex, ey;
  alone_frexp(left, &ex), alone_frexp(by, &ey);
  for (int k = ex - ey; k >= 0 && left >= by; k--) {
    double part = alone_ldexp(by, k);
    if (left >= part) left -= part;
  }
  return alone_copysign(left, x);
}
/* x - n y, n the nearest whole number, the even one of two. */
static inline double alone_remainder(double x, double y) {
  double by = alone_fabs(y), left = alone_fabs(alone_fmod(x, 2 * by)), half = by / 2;
  if (left > by)
    left -= by, left = left >= half ? left - by : left;
  else
    left = left > half ? left - by : left;
  return alone_copysign(1, x) * left;
}
static inline double alone_nextafter(double x, double to) {
  if (isnan(x) || isnan(to)) return x + to;
  if (x == to) return to;
  if (x == 0) return alone_copysign(alone_double(1), to);
  uint64_t bits = alone_bits(x);
  return alone_double((to > x) == (x > 0) ? bits + 1 : bits - 1);
}
#define fabs alone_fabs
#define copysign alone_copysign
#define fmax alone_fmax
#define fmin alone_fmin
#define trunc alone_trunc
#define floor alone_floor
#define ceil alone_ceil
#define round alone_round
#define nearbyint alone_nearbyint
#define frexp alone_frexp
#define ldexp alone_ldexp
#define fmod alone_fmod
#define remainder alone_remainder
#define nextafter alone_nextafter
double sqrt(double x);

/* ---- <stdio.h>, <stdlib.h>: text and order (format.c, absent.c) */
int alone_vsnprintf(char *out, size_t size, const char *format, va_list arguments);
int alone_snprintf(char *out, size_t size, const char *format, ...);
void alone_qsort(void *list, size_t n, size_t size, int (*compare)(const void *, const void *));
int alone_remove(const char *path);
#define remove alone_remove
#define vsnprintf alone_vsnprintf
#define snprintf alone_snprintf
#define qsort alone_qsort
#define getenv(name) ((char *)0)
