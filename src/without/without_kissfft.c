// Fourier's transform without kissfft: decimation in time by the factors 2, 3 and 5.
#include <math.h>

#include "analyse/vibration/fourier.h"

typedef struct Bin {
  double re, im;
} Bin;

static Bin product(Bin a, Bin b) {
  return (Bin){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static int smallest_factor(int n) { return n % 2 == 0 ? 2 : n % 3 == 0 ? 3 : 5; }

static bool has_small_factors(int n) {
  static const int factors[] = {2, 3, 5};
  for (int i = 0; i < 3; i++)
    while (n % factors[i] == 0) n /= factors[i];
  return n == 1;
}

int fourier_size(int n) {
  int half = (n + 1) / 2;
  while (!has_small_factors(half)) half++;
  return 2 * half;
}

typedef struct Transform {
  const float *samples;
  const Bin *root; // [size] e^(-2 pi i k / size)
  int size;
} Transform;

// Of every `stride`-th sample from `first`, n of them.
static void transform(const Transform *t, int first, int stride, int n, Bin *out) {
  if (n == 1) {
    out[0] = (Bin){(double)t->samples[first], 0};
    return;
  }
  enum { MOST_FACTOR = 5 };
  int factor = smallest_factor(n), part = n / factor;
  for (int r = 0; r < factor; r++)
    transform(t, first + r * stride, stride * factor, part, out + (size_t)r * part);
  for (int k = 0; k < part; k++) {
    Bin terms[MOST_FACTOR];
    for (int r = 0; r < factor; r++) terms[r] = out[r * part + k];
    for (int s = 0; s < factor; s++) {
      Bin sum = terms[0];
      for (int r = 1; r < factor; r++) {
        int64_t turn = (int64_t)r * (k + (int64_t)s * part) * stride;
        Bin term = product(terms[r], t->root[turn % t->size]);
        sum.re += term.re, sum.im += term.im;
      }
      out[s * part + k] = sum;
    }
  }
}

void fourier_amplitudes(Arena *scratch, const float *samples, int size, double scale,
                        float *amplitude) {
  Bin *root = arena_array(scratch, Bin, size), *bins = arena_array(scratch, Bin, size);
  for (int k = 0; k < size; k++)
    root[k] = (Bin){cos(2 * M_PI * k / size), -sin(2 * M_PI * k / size)};
  Transform t = {samples, root, size};
  transform(&t, 0, 1, size, bins);
  for (int k = 0; k <= size / 2; k++) amplitude[k] = (float)(scale * hypot(bins[k].re, bins[k].im));
}
