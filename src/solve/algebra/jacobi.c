// Eigenvalues of symmetric matrices by Jacobi's rotations, in a fixed order: the same bits on every
// machine, and small eigenvalues of graded matrices to as many digits as large ones.
#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"
#include "solve/algebra/eigenvalues.h"

enum { MOST_ROUNDS = 60 };

// The rotation that makes A_pq zero, for both sides of A and for the rows of V.
static void rotate(int n, double *A, double *V, int p, int q) {
  double *P = A + (size_t)p * n, *Q = A + (size_t)q * n, *v = V + (size_t)p * n,
         *w = V + (size_t)q * n;
  double theta = (Q[q] - P[p]) / (2 * P[q]);
  double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
  double c = 1 / sqrt(t * t + 1), s = t * c;
  double pp = P[p] - t * P[q], qq = Q[q] + t * P[q];
  for (int k = 0; k < n; k++) {
    double a = P[k], b = Q[k], x = v[k], y = w[k];
    P[k] = c * a - s * b, Q[k] = s * a + c * b;
    v[k] = c * x - s * y, w[k] = s * x + c * y;
  }
  for (int k = 0; k < n; k++) A[(size_t)k * n + p] = P[k], A[(size_t)k * n + q] = Q[k];
  P[p] = pp, Q[q] = qq, P[q] = Q[p] = 0;
}

static bool is_small(double entry, double p, double q, double nothing) {
  double size = fabs(entry);
  return size <= nothing || size <= 0.25 * DBL_EPSILON * fmin(fabs(p), fabs(q));
}

Status jacobi_eigen(Arena *arena, int n, const double *A, double *values, double *vectors) {
  Mark mark = arena_mark(arena);
  double *B = arena_array(arena, double, (size_t)n *n + 1);
  double *V = arena_array(arena, double, (size_t)n *n + 1);
  memset(V, 0, (size_t)n * n * sizeof *V);
  for (int i = 0; i < n; i++) {
    V[(size_t)i * n + i] = 1;
    // as LAPACK does, the lower triangle counts
    for (int j = 0; j <= i; j++) B[(size_t)i * n + j] = B[(size_t)j * n + i] = A[(size_t)i * n + j];
  }
  double nothing = dense_norm(n * n, B) * 1e-30;
  bool turns = true;
  for (int round = 0; turns && round < MOST_ROUNDS; round++) {
    turns = false;
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++) {
        const double *row = B + (size_t)p * n;
        if (is_small(row[q], row[p], B[(size_t)q * n + q], nothing)) continue;
        rotate(n, B, V, p, q);
        turns = true;
      }
  }
  int *order = arena_array(arena, int, n + 1);
  for (int i = 0; i < n; i++) {
    int at = i;
    double value = B[(size_t)i * n + i];
    for (; at > 0 && values[at - 1] > value; at--)
      values[at] = values[at - 1], order[at] = order[at - 1];
    values[at] = value, order[at] = i;
  }
  for (int i = 0; i < n; i++)
    memcpy(vectors + (size_t)i * n, V + (size_t)order[i] * n, (size_t)n * sizeof *V);
  arena_release(arena, mark);
  return turns ? QDOT_NO_CONVERGENCE : QDOT_OK;
}
