// Singular values by rotations, in a fixed order: the same bits on every machine.
#include "solve/algebra/svd.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"
#include "solve/algebra/lapack.h"

// Above this size the library's reduction wins by so much that it is taken, and its bits are those
// of its kernel for the processor.
enum { LARGE = 96, MOST_ROUNDS = 60 };

Svd *svd_new(Arena *arena, int rows, int n) {
  Svd *svd = arena_new(arena, Svd);
  int k = rows < n ? rows : n, longer = rows < n ? n : rows;
  *svd = (Svd){.rows = rows, .n = n, .k = k};
  svd->A = arena_array(arena, double, (size_t)rows *n);
  svd->U = arena_array(arena, double, (size_t)rows *k);
  svd->sigma = arena_array(arena, double, k);
  svd->Vt = arena_array(arena, double, (size_t)k *n);
  svd->turned = arena_array(arena, double, (size_t)k *longer);
  svd->rotation = arena_array(arena, double, (size_t)k *k);
  svd->sizes = arena_array(arena, double, k);
  svd->order = arena_array(arena, int, k);
  if (k <= LARGE || !lapack_has_room()) return svd;
  svd->work_size = lapack_svd_size(rows, n);
  svd->work = arena_array(arena, double, svd->work_size);
  svd->iwork = arena_array(arena, int, 8 * (size_t)k);
  return svd;
}

// The k shorter vectors of B, rows or columns, divided by their largest entry as a power of two.
static double take(Svd *svd, int rows, const double *B) {
  int n = svd->n, k = svd->k;
  double most = 0, *G = svd->turned;
  for (int i = 0; i < rows * n; i++) most = fmax(most, fabs(B[i]));
  int exponent = 0;
  frexp(most, &exponent);
  double scale = most > 0 ? ldexp(1, exponent > 1000    ? 1000
                                     : exponent < -1000 ? -1000
                                                        : exponent)
                          : 1;
  if (rows < n)
    for (int i = 0; i < rows * n; i++) G[i] = B[i] / scale;
  else
    for (int i = 0; i < k; i++)
      for (int r = 0; r < rows; r++) G[(size_t)i * rows + r] = B[(size_t)r * n + i] / scale;
  memset(svd->rotation, 0, (size_t)k * (size_t)k * sizeof(double));
  for (int i = 0; i < k; i++) svd->rotation[(size_t)i * k + i] = 1;
  return scale;
}

static void rotate(int n, double c, double s, double *a, double *b) {
  for (int i = 0; i < n; i++) {
    double x = a[i], y = b[i];
    a[i] = c * x - s * y;
    b[i] = s * x + c * y;
  }
}

// Makes two vectors orthogonal; false where they are, or one of them is only rounding: no longer
// than nothing, squared.
static bool turn(Svd *svd, int length, double nothing, int i, int j) {
  double *a = svd->turned + (size_t)i * length, *b = svd->turned + (size_t)j * length;
  double aa = dense_dot(length, a, a), bb = dense_dot(length, b, b), ab = dense_dot(length, a, b);
  if (aa <= nothing || bb <= nothing) return false;
  if (!(fabs(ab) > DBL_EPSILON * sqrt(length) * sqrt(aa) * sqrt(bb))) return false;
  double zeta = (bb - aa) / (2 * ab);
  double t = (zeta < 0 ? -1 : 1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
  double c = 1 / sqrt(1 + t * t), s = c * t;
  rotate(length, c, s, a, b);
  rotate(svd->k, c, s, svd->rotation + (size_t)i * svd->k, svd->rotation + (size_t)j * svd->k);
  return true;
}

// Largest first; equal ones stay in their order.
static void sort(Svd *svd) {
  for (int i = 0; i < svd->k; i++) {
    int at = i;
    for (; at > 0 && svd->sigma[svd->order[at - 1]] < svd->sigma[i]; at--)
      svd->order[at] = svd->order[at - 1];
    svd->order[at] = i;
  }
}

// A unit vector in the place of one that has vanished, orthogonal to those before it.
static void complete(int length, double *vectors, int i) {
  double *v = vectors + (size_t)i * length;
  for (int unit = 0; unit < length; unit++) {
    memset(v, 0, (size_t)length * sizeof *v);
    v[unit] = 1;
    for (int pass = 0; pass < 2; pass++)
      for (int k = 0; k < i; k++) {
        const double *other = vectors + (size_t)k * length;
        dense_add(length, -dense_dot(length, v, other), other, v);
      }
    double size = dense_norm(length, v);
    if (size < 0.5 / sqrt(length)) continue;
    for (int k = 0; k < length; k++) v[k] /= size;
    return;
  }
}

// U, sigma and Vt from what was turned: vector i is sigma_i times its direction.
static void lay_out(Svd *svd, int rows, double scale, double nothing) {
  int n = svd->n, k = svd->k, length = rows < n ? n : rows;
  double *unit = rows < n ? svd->Vt : svd->A, *sizes = svd->sizes;
  memcpy(sizes, svd->sigma, (size_t)k * sizeof *sizes);
  for (int i = 0; i < k; i++) {
    int from = svd->order[i];
    const double *g = svd->turned + (size_t)from * length;
    double size = sizes[from], *v = unit + (size_t)i * length;
    svd->sigma[i] = size * scale;
    bool is_vector = size * size > nothing;
    for (int r = 0; r < length && is_vector; r++) v[r] = g[r] / size;
    if (!is_vector) complete(length, unit, i);
  }
  for (int i = 0; i < k; i++) {
    const double *w = svd->rotation + (size_t)svd->order[i] * k;
    for (int r = 0; r < k; r++) {
      if (rows < n)
        svd->U[(size_t)r * k + i] = w[r];
      else
        svd->Vt[(size_t)i * n + r] = w[r];
    }
    for (int r = 0; rows >= n && r < rows; r++)
      svd->U[(size_t)r * k + i] = unit[(size_t)i * length + r];
  }
}

static bool all_finite(size_t n, const double *x) {
  for (size_t i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

Status svd_compute(Svd *svd, int rows, const double *B) {
  int n = svd->n;
  svd->k = rows < n ? rows : n;
  if (svd->k == 0) return QDOT_OK;
  if (!all_finite((size_t)rows * n, B)) return QDOT_NO_CONVERGENCE;
  if (svd->k > LARGE && svd->work) {
    memcpy(svd->A, B, (size_t)rows * (size_t)n * sizeof *B);
    return lapack_svd(rows, n, svd->A, svd->U, svd->sigma, svd->Vt, svd->work, svd->work_size,
                      svd->iwork);
  }
  int length = rows < n ? n : rows;
  double scale = take(svd, rows, B);
  double whole = dense_norm(svd->k * length, svd->turned) * DBL_EPSILON, nothing = whole * whole;
  bool turns = true;
  for (int round = 0; turns && round < MOST_ROUNDS; round++) {
    turns = false;
    for (int i = 0; i < svd->k; i++)
      for (int j = i + 1; j < svd->k; j++) turns |= turn(svd, length, nothing, i, j);
  }
  for (int i = 0; i < svd->k; i++)
    svd->sigma[i] = dense_norm(length, svd->turned + (size_t)i * length);
  sort(svd);
  lay_out(svd, rows, scale, nothing);
  return QDOT_OK;
}

Status svd_least_norm(Arena *arena, int rows, int n, const double *A, const double *b, double cut,
                      double *x, int *rank) {
  Mark mark = arena_mark(arena);
  Svd *svd = svd_new(arena, rows, n);
  Status status = svd_compute(svd, rows, A);
  memset(x, 0, (size_t)n * sizeof *x);
  int used = 0;
  for (; status == QDOT_OK && used < svd->k; used++) {
    if (!(svd->sigma[used] > cut * svd->sigma[0])) break;
    double along = 0;
    for (int i = 0; i < rows; i++) along += svd->U[(size_t)i * svd->k + used] * b[i];
    dense_add(n, along / svd->sigma[used], svd->Vt + (size_t)used * n, x);
  }
  if (rank) *rank = used;
  arena_release(arena, mark);
  return status;
}
