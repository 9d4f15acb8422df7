// LU of a complex matrix, kept as its real and its imaginary part.
#include "solve/algebra/complex_lu.h"

#include <math.h>
#include <stddef.h>

static void swap(double *a, double *b) {
  double kept = *a;
  *a = *b;
  *b = kept;
}

double complex_lu(int n, double *A, double *B, int *pivot) {
  double smallest = INFINITY, largest = 0;
  for (int k = 0; k < n; k++) {
    int best = k;
    double size = -1;
    for (int i = k; i < n; i++) {
      double own = fabs(A[(size_t)i * n + k]) + fabs(B[(size_t)i * n + k]);
      if (own > size) best = i, size = own;
    }
    pivot[k] = best;
    double *a = A + (size_t)k * n, *b = B + (size_t)k * n;
    for (int j = 0; best != k && j < n; j++) {
      swap(&a[j], &A[(size_t)best * n + j]);
      swap(&b[j], &B[(size_t)best * n + j]);
    }
    smallest = fmin(smallest, size), largest = fmax(largest, size);
    if (!(size > 0)) return 0;
    double norm = a[k] * a[k] + b[k] * b[k], re = a[k] / norm, im = -b[k] / norm;
    for (int i = k + 1; i < n; i++) {
      double *x = A + (size_t)i * n, *y = B + (size_t)i * n;
      if (x[k] == 0 && y[k] == 0) continue;
      double p = x[k] * re - y[k] * im, q = x[k] * im + y[k] * re;
      x[k] = p, y[k] = q;
      for (int j = k + 1; j < n; j++) {
        x[j] -= p * a[j] - q * b[j];
        y[j] -= p * b[j] + q * a[j];
      }
    }
  }
  return n == 0 ? 1 : isfinite(largest) ? smallest / largest : 0;
}

void complex_lu_solve(int n, const double *A, const double *B, const int *pivot, double *x,
                      double *y) {
  for (int k = 0; k < n; k++)
    if (pivot[k] != k) swap(&x[k], &x[pivot[k]]), swap(&y[k], &y[pivot[k]]);
  for (int i = 1; i < n; i++)
    for (int j = 0; j < i; j++) {
      double a = A[(size_t)i * n + j], b = B[(size_t)i * n + j];
      x[i] -= a * x[j] - b * y[j];
      y[i] -= a * y[j] + b * x[j];
    }
  for (int i = n - 1; i >= 0; i--) {
    const double *a = A + (size_t)i * n, *b = B + (size_t)i * n;
    double re = x[i], im = y[i];
    for (int j = i + 1; j < n; j++) {
      re -= a[j] * x[j] - b[j] * y[j];
      im -= a[j] * y[j] + b[j] * x[j];
    }
    double norm = a[i] * a[i] + b[i] * b[i];
    x[i] = (re * a[i] + im * b[i]) / norm;
    y[i] = (im * a[i] - re * b[i]) / norm;
  }
}
