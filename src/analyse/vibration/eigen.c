// Deflation of zeros, then what is left.
#include "analyse/vibration/eigen.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"
#include "solve/algebra/eigenvalues.h"
#include "solve/algebra/svd.h"

#define NULL_CUT 1e-12 // singular values below this share of the largest are zeros
#define MOST_LEVELS 8

// ---- Any matrix

// One deflation: A N = 0, T = [N P], T^T A T = [0 X; 0 P^T A P].
typedef struct Level {
  int n, null;
  double *N, *P, *X; // null x n, rest x n (rows), null x rest
} Level;

// The null space of A, and the rest of the space. False when there is none.
static bool find_null(Arena *arena, int n, const double *A, double largest, Level *level) {
  if (n == 0) return false;
  Svd *svd = svd_new(arena, n, n);
  if (svd_compute(svd, n, A) != QDOT_OK) return false;
  int rank = 0;
  while (rank < n && svd->sigma[rank] > NULL_CUT * n * largest) rank++;
  *level = (Level){.n = n, .null = n - rank};
  level->P = svd->Vt, level->N = svd->Vt + (size_t)rank * n;
  return rank < n;
}

// out (rows x columns) := U A V^T for U (rows x n), V (columns x n)
static void sandwich(Arena *arena, int n, const double *A, int rows, const double *U, int columns,
                     const double *V, double *out) {
  Mark mark = arena_mark(arena);
  double *AV = arena_array(arena, double, n + 1);
  for (int j = 0; j < columns; j++) {
    dense_multiply(n, n, A, V + (size_t)j * n, AV);
    for (int i = 0; i < rows; i++)
      out[(size_t)i * columns + j] = dense_dot(n, U + (size_t)i * n, AV);
  }
  arena_release(arena, mark);
}

// v (level's space) from w (the smaller space): P^T w + N^T (X w) / lambda, complex.
static void lift(const Level *l, double re, double im, const double *wr, const double *wi,
                 double *vr, double *vi) {
  int rest = l->n - l->null;
  memset(vr, 0, (size_t)l->n * sizeof *vr);
  memset(vi, 0, (size_t)l->n * sizeof *vi);
  dense_add_transposed(rest, l->n, 1, l->P, wr, vr);
  dense_add_transposed(rest, l->n, 1, l->P, wi, vi);
  double size = re * re + im * im;
  for (int k = 0; k < l->null; k++) {
    double a = dense_dot(rest, l->X + (size_t)k * rest, wr);
    double b = dense_dot(rest, l->X + (size_t)k * rest, wi);
    dense_add(l->n, (a * re + b * im) / size, l->N + (size_t)k * l->n, vr);
    dense_add(l->n, (b * re - a * im) / size, l->N + (size_t)k * l->n, vi);
  }
}

// Eigenvectors of the rest, lifted level by level to the whole space.
static void lift_all(Arena *arena, const Level *levels, int depth, const double *packed, int m,
                     Eigen *out) {
  int n = out->n;
  double *a[2] = {arena_array(arena, double, n + 1), arena_array(arena, double, n + 1)};
  double *b[2] = {arena_array(arena, double, n + 1), arena_array(arena, double, n + 1)};
  for (int k = 0; k < m; k++) {
    int at = out->null + k;
    double re = out->re[at], im = out->im[at];
    int first = im < 0 ? k - 1 : k;
    memset(a[1], 0, (size_t)n * sizeof **a);
    memcpy(a[0], packed + (size_t)first * m, (size_t)m * sizeof **a);
    if (im != 0) memcpy(a[1], packed + (size_t)(first + 1) * m, (size_t)m * sizeof **a);
    if (im < 0)
      for (int i = 0; i < m; i++) a[1][i] = -a[1][i];
    for (int l = depth - 1; l >= 0; l--) {
      lift(&levels[l], re, im, a[0], a[1], b[0], b[1]);
      memcpy(a[0], b[0], (size_t)n * sizeof **a);
      memcpy(a[1], b[1], (size_t)n * sizeof **a);
    }
    memcpy(out->vec_re + (size_t)at * n, a[0], (size_t)n * sizeof **a);
    memcpy(out->vec_im + (size_t)at * n, a[1], (size_t)n * sizeof **a);
  }
}

static double largest_entry(int n, const double *A) {
  double most = 0;
  for (int i = 0; i < n * n; i++) most = fmax(most, fabs(A[i]));
  return most;
}

Status eigen_general(Arena *arena, int n, const double *A, Eigen *out) {
  *out = (Eigen){.n = n};
  out->re = arena_array(arena, double, n + 1), out->im = arena_array(arena, double, n + 1);
  out->vec_re = arena_array(arena, double, (size_t)n *n + 1);
  out->vec_im = arena_array(arena, double, (size_t)n *n + 1);
  Mark mark = arena_mark(arena);
  double *B = arena_array(arena, double, (size_t)n *n + 1), *d = arena_array(arena, double, n + 1);
  memcpy(B, A, (size_t)n * n * sizeof *B);
  balance_norms(n, B, d);
  double largest = largest_entry(n, B);
  Level levels[MOST_LEVELS];
  int depth = 0, m = n;
  while (m > 0 && depth < MOST_LEVELS && find_null(arena, m, B, largest, &levels[depth])) {
    Level *l = &levels[depth++];
    int rest = m - l->null;
    double *smaller = arena_array(arena, double, (size_t)rest *rest + 1);
    l->X = arena_array(arena, double, (size_t)l->null *rest + 1);
    sandwich(arena, m, B, l->null, l->N, rest, l->P, l->X);
    sandwich(arena, m, B, rest, l->P, rest, l->P, smaller);
    out->zeros += l->null;
    if (depth == 1) out->null = l->null;
    B = smaller, m = rest;
  }
  out->count = out->null + m;
  double *packed = arena_array(arena, double, (size_t)m *m + 1);
  Status status = eigen_any(arena, m, B, out->re + out->null, out->im + out->null, packed);
  if (status == QDOT_OK) {
    for (int k = 0; k < out->null; k++)
      memcpy(out->vec_re + (size_t)k * n, levels[0].N + (size_t)k * n, (size_t)n * sizeof *B);
    lift_all(arena, levels, depth, packed, m, out);
    // vectors of the balanced matrix are D^-1 times those wanted
    for (int k = 0; k < out->count; k++)
      for (int i = 0; i < n; i++)
        out->vec_re[(size_t)k * n + i] *= d[i], out->vec_im[(size_t)k * n + i] *= d[i];
  }
  arena_release(arena, mark);
  return status;
}

// ---- Symmetric pencils

// Are all eigenvalues of the symmetric S above `least`? By Sylvester's law of inertia, if S - least
// I has a Cholesky factor; `least` must be far above rounding of S.
static bool is_definite(Arena *arena, int n, const double *S, double least) {
  Mark mark = arena_mark(arena);
  double *L = arena_array(arena, double, (size_t)n *n + 1);
  memcpy(L, S, (size_t)n * n * sizeof *L);
  for (int i = 0; i < n; i++) L[(size_t)i * n + i] -= least;
  bool definite = dense_cholesky(n, L, 0) < 0;
  arena_release(arena, mark);
  return definite;
}

// Null directions of a symmetric K, with its diagonal scaled to 1.
static int nullity(Arena *arena, int n, const double *K) {
  Mark mark = arena_mark(arena);
  double *S = arena_array(arena, double, (size_t)n *n + 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double scale = sqrt(fabs(K[(size_t)i * n + i]) * fabs(K[(size_t)j * n + j]));
      S[(size_t)i * n + j] = scale > 0 ? K[(size_t)i * n + j] / scale : K[(size_t)i * n + j];
    }
  double largest = fmax(largest_entry(n, S), 1e-300);
  Level level = {0};
  if (!is_definite(arena, n, S, 2 * NULL_CUT * n * largest))
    find_null(arena, n, S, largest, &level);
  arena_release(arena, mark);
  return level.null;
}

// The smallest eigenvalues are 0, as many as there are null directions.
static void clear_zeros(int n, int null, double *mu) {
  for (int i = 0; i < n; i++) null -= mu[i] == 0;
  for (int k = 0; k < null; k++) {
    int least = -1;
    for (int i = 0; i < n; i++)
      if (mu[i] != 0 && (least < 0 || fabs(mu[i]) < fabs(mu[least]))) least = i;
    if (least >= 0) mu[least] = 0;
  }
}

Status eigen_symmetric_pencil(Arena *arena, int n, const double *K, const double *M, double *mu,
                              double *x) {
  Mark mark = arena_mark(arena);
  size_t size = (size_t)n * n;
  double *L = arena_array(arena, double, size + 1), *S = arena_array(arena, double, size + 1);
  memcpy(L, M, size * sizeof *L);
  memcpy(S, K, size * sizeof *S);
  Status status = dense_cholesky(n, L, 1e-14) < 0 ? QDOT_OK : QDOT_SINGULAR_MASS;
  if (status == QDOT_OK) {
    // S = L^-1 K L^-T: forward substitution on the rows of K, then on those of the transpose
    dense_lower_rows(n, L, n, S);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++) {
        double swap = S[(size_t)i * n + j];
        S[(size_t)i * n + j] = S[(size_t)j * n + i], S[(size_t)j * n + i] = swap;
      }
    dense_lower_rows(n, L, n, S);
    status = eigen_symmetric(arena, n, S, mu, x);
    dense_lower_transposed_rows(n, L, n, x);
    clear_zeros(n, nullity(arena, n, K), mu);
  }
  arena_release(arena, mark);
  return status;
}
