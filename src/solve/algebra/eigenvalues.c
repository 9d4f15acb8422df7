// Eigenvalues: by our own loops where these win, and where there is no room for LAPACK's.
#include "solve/algebra/eigenvalues.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"
#include "solve/algebra/lapack.h"

enum { LARGE = 96 };

static double largest_of(int n, const double *A) {
  double most = 0, sum = 0;
  for (int i = 0; i < n * n; i++) most = fmax(most, fabs(A[i])), sum += A[i] * 0;
  return sum == 0 ? most : NAN;
}

Status eigen_symmetric(Arena *arena, int n, const double *A, double *values, double *vectors) {
  if (isnan(largest_of(n, A))) return QDOT_NO_CONVERGENCE;
  if (n > LARGE && lapack_has_room()) return lapack_eigen_symmetric(arena, n, A, values, vectors);
  return jacobi_eigen(arena, n, A, values, vectors);
}

void balance_norms(int n, double *A, double *d) {
  for (int i = 0; i < n; i++) d[i] = 1;
  for (int round = 0, changed = 1; round < 40 && changed; round++) {
    changed = 0;
    for (int i = 0; i < n; i++) {
      double c = 0, r = 0, s = 1;
      for (int j = 0; j < n; j++) {
        if (j == i) continue;
        c += fabs(A[(size_t)j * n + i]), r += fabs(A[(size_t)i * n + j]);
      }
      if (!(c > 0) || !(r > 0)) continue;
      double before = c + r;
      while (c * s * s * 2 < r) s *= 2;
      while (c * s * s > 2 * r) s /= 2;
      if (c * s + r / s > 0.95 * before) continue;
      changed = 1, d[i] *= s;
      for (int j = 0; j < n; j++) A[(size_t)j * n + i] *= s;
      for (int j = 0; j < n; j++) A[(size_t)i * n + j] /= s;
    }
  }
}

// Length 1; the largest component of a complex vector becomes real.
static void normalize(int n, double *re, double *im) {
  double most = 0, at_re = 1, at_im = 0, sum = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fmax(fabs(re[i]), im ? fabs(im[i]) : 0));
  if (!(most > 0)) return;
  double largest = 0;
  for (int i = 0; i < n; i++) {
    double x = re[i] / most, y = im ? im[i] / most : 0, square = x * x + y * y;
    sum += square;
    if (im && square > largest) largest = square, at_re = x, at_im = y;
  }
  double length = sqrt(at_re * at_re + at_im * at_im), scale = most * sqrt(sum);
  double c = at_re / length, s = at_im / length;
  for (int i = 0; i < n; i++) {
    double x = re[i] / scale, y = im ? im[i] / scale : 0;
    re[i] = c * x + s * y;
    if (im) im[i] = c * y - s * x;
  }
}

static Status by_loops(Arena *arena, int n, const double *A, double largest, double *re, double *im,
                       double *vectors) {
  Mark mark = arena_mark(arena);
  int exponent = 0;
  frexp(largest, &exponent);
  double *d = arena_array(arena, double, n + 1);
  Schur s = {.n = n, .re = re, .im = im};
  s.T = arena_array(arena, double, (size_t)n *n + 1);
  if (vectors) s.Zt = arena_array(arena, double, (size_t)n *n + 1);
  for (int i = 0; i < n * n; i++) s.T[i] = ldexp(A[i], -exponent);
  balance_norms(n, s.T, d);
  Status status = schur_compute(&s);
  if (status == QDOT_OK && vectors) {
    schur_vectors(arena, &s, vectors);
    for (int k = 0; k < n; k++)
      for (int i = 0; i < n; i++) vectors[(size_t)k * n + i] *= d[i];
    for (int k = 0; k < n; k++) {
      bool is_pair = im[k] > 0;
      normalize(n, vectors + (size_t)k * n, is_pair ? vectors + (size_t)(k + 1) * n : NULL);
      k += is_pair;
    }
  }
  for (int i = 0; i < n; i++) re[i] = ldexp(re[i], exponent), im[i] = ldexp(im[i], exponent);
  arena_release(arena, mark);
  return status;
}

Status eigen_any(Arena *arena, int n, const double *A, double *re, double *im, double *vectors) {
  double largest = largest_of(n, A);
  if (isnan(largest)) return QDOT_NO_CONVERGENCE;
  if (n > LARGE && lapack_has_room()) return lapack_eigen(arena, n, A, re, im, vectors);
  return by_loops(arena, n, A, largest, re, im, vectors);
}
