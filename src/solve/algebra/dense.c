// Dense linear algebra: plain loops for the small systems that mechanisms are, LAPACK above.
#include "solve/algebra/dense.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/lapack.h"

// From this size on the library's blocked routines are taken where there is room for them: they win
// by much over the loops here, but their bits depend on the processor.
enum { LARGE = 160 };

static bool is_large(int n) { return n >= LARGE && lapack_has_room(); }

double dense_dot(int n, const double *a, const double *b) {
  double even = 0, odd = 0;
  int i = 0;
  for (; i + 1 < n; i += 2) {
    even += a[i] * b[i];
    odd += a[i + 1] * b[i + 1];
  }
  if (i < n) even += a[i] * b[i];
  return even + odd;
}

double dense_norm(int n, const double *a) { return sqrt(dense_dot(n, a, a)); }

// Four at a time, each by itself: the same bits for any width.
typedef double Quad __attribute__((vector_size(32), aligned(8)));

void dense_add(int n, double s, const double *x, double *y) {
  int i = 0;
  for (; i + 3 < n; i += 4) *(Quad *)(y + i) += s * *(const Quad *)(x + i);
  for (; i < n; i++) y[i] += s * x[i];
}

void dense_multiply(int rows, int n, const double *A, const double *x, double *y) {
  for (int i = 0; i < rows; i++) y[i] = dense_dot(n, A + (size_t)i * n, x);
}

void dense_add_transposed(int rows, int n, double s, const double *A, const double *x, double *y) {
  for (int i = 0; i < rows; i++) dense_add(n, s * x[i], A + (size_t)i * n, y);
}

// Row by row: everything above row i is final, so a bad pivot leaves a factor of the first i rows.
static int cholesky_loops(int n, double *A, double relative) {
  for (int i = 0; i < n; i++) {
    double *row = A + (size_t)i * n;
    for (int j = 0; j < i; j++) {
      const double *above = A + (size_t)j * n;
      row[j] = (row[j] - dense_dot(j, row, above)) / above[j];
    }
    double pivot = row[i] - dense_dot(i, row, row);
    if (!(pivot > relative * row[i]) || !(pivot > 0)) return i;
    row[i] = sqrt(pivot);
  }
  return -1;
}

// LAPACK does not compare pivots with their diagonal: the factor's own entries tell afterwards.
static int cholesky_blocked(int n, double *A, double relative) {
  int bad = lapack_cholesky(n, A);
  if (bad >= 0) return bad;
  for (int i = 0; i < n; i++) {
    const double *row = A + (size_t)i * n;
    double diagonal = dense_dot(i + 1, row, row);
    if (!(row[i] * row[i] > relative * diagonal)) return i;
  }
  return -1;
}

int dense_cholesky(int n, double *A, double relative) {
  return is_large(n) ? cholesky_blocked(n, A, relative) : cholesky_loops(n, A, relative);
}

void dense_lower(int n, const double *L, double *b) {
  for (int i = 0; i < n; i++) {
    const double *row = L + (size_t)i * n;
    b[i] = (b[i] - dense_dot(i, row, b)) / row[i];
  }
}

void dense_lower_transposed(int n, const double *L, double *b) {
  for (int i = n - 1; i >= 0; i--) {
    const double *row = L + (size_t)i * n;
    b[i] /= row[i];
    dense_add(i, -b[i], row, b);
  }
}

// dense_lower for four rows side by side, n below LARGE: their divisions need not wait for each
// other. The sums are those of dense_dot.
static void lower_four(int n, const double *L, double *B) {
  Quad b[LARGE];
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 4; k++) b[i][k] = B[(size_t)k * n + i];
  for (int i = 0; i < n; i++) {
    const double *row = L + (size_t)i * n;
    Quad even = {0}, odd = {0};
    int j = 0;
    for (; j + 1 < i; j += 2) {
      even += row[j] * b[j];
      odd += row[j + 1] * b[j + 1];
    }
    if (j < i) even += row[j] * b[j];
    b[i] = (b[i] - (even + odd)) / row[i];
  }
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 4; k++) B[(size_t)k * n + i] = b[i][k];
}

void dense_lower_rows(int n, const double *L, int rows, double *B) {
  if (is_large(n)) {
    lapack_lower_rows(n, L, rows, B);
    return;
  }
  int i = 0;
  for (; n < LARGE && i + 3 < rows; i += 4) lower_four(n, L, B + (size_t)i * n);
  for (; i < rows; i++) dense_lower(n, L, B + (size_t)i * n);
}

void dense_lower_transposed_rows(int n, const double *L, int rows, double *B) {
  if (is_large(n)) {
    lapack_lower_transposed_rows(n, L, rows, B);
    return;
  }
  for (int i = 0; i < rows; i++) dense_lower_transposed(n, L, B + (size_t)i * n);
}

void dense_gram(int rows, int n, const double *B, double *G) {
  if (is_large(rows)) {
    lapack_gram(rows, n, B, G);
    return;
  }
  for (int i = 0; i < rows; i++)
    for (int j = 0; j <= i; j++)
      G[(size_t)i * rows + j] = dense_dot(n, B + (size_t)i * n, B + (size_t)j * n);
}

static void swap_rows(int n, double *a, double *b) {
  for (int i = 0; i < n; i++) {
    double kept = a[i];
    a[i] = b[i];
    b[i] = kept;
  }
}

static int largest_below(int n, const double *A, int column) {
  int best = column;
  for (int i = column + 1; i < n; i++)
    if (fabs(A[(size_t)i * n + column]) > fabs(A[(size_t)best * n + column])) best = i;
  return best;
}

static void lu_loops(int n, double *A, int *pivot) {
  for (int k = 0; k < n; k++) {
    double *top = A + (size_t)k * n;
    pivot[k] = largest_below(n, A, k);
    if (pivot[k] != k) swap_rows(n, top, A + (size_t)pivot[k] * n);
    if (top[k] == 0) continue;
    for (int i = k + 1; i < n; i++) {
      double *row = A + (size_t)i * n;
      row[k] /= top[k];
      if (row[k] != 0) dense_add(n - k - 1, -row[k], top + k + 1, row + k + 1);
    }
  }
}

double dense_lu(int n, double *A, int *pivot) {
  if (is_large(n))
    lapack_lu(n, A, pivot);
  else
    lu_loops(n, A, pivot);
  double smallest = INFINITY, largest = 0;
  for (int i = 0; i < n; i++) {
    double size = fabs(A[(size_t)i * n + i]);
    if (!(size >= smallest)) smallest = size;
    if (!(size <= largest)) largest = size;
  }
  return largest > 0 && isfinite(largest) && smallest > 0 ? smallest / largest : (n == 0);
}

// The last pivot is the last row, which LAPACK, who counts from 1, calls n.
static bool is_lapack_lu(int n, const int *pivot) { return n >= LARGE && pivot[n - 1] == n; }

void dense_lu_solve(int n, const double *LU, const int *pivot, double *b) {
  if (is_lapack_lu(n, pivot)) {
    lapack_lu_solve(n, LU, pivot, 1, b);
    return;
  }
  for (int k = 0; k < n; k++)
    if (pivot[k] != k) {
      double kept = b[k];
      b[k] = b[pivot[k]];
      b[pivot[k]] = kept;
    }
  for (int i = 1; i < n; i++) b[i] -= dense_dot(i, LU + (size_t)i * n, b);
  for (int i = n - 1; i >= 0; i--) {
    const double *row = LU + (size_t)i * n;
    b[i] = (b[i] - dense_dot(n - i - 1, row + i + 1, b + i + 1)) / row[i];
  }
}

void dense_lu_solve_rows(int n, const double *LU, const int *pivot, int rows, double *B) {
  if (is_lapack_lu(n, pivot)) {
    lapack_lu_solve(n, LU, pivot, rows, B);
    return;
  }
  for (int i = 0; i < rows; i++) dense_lu_solve(n, LU, pivot, B + (size_t)i * n);
}

int dense_rank(int rows, int n, double *A, double relative, bool *counts) {
  int rank = 0;
  for (int r = 0; r < rows; r++) {
    double *row = A + (size_t)r * n, size = dense_norm(n, row);
    for (int i = 0; size > 0 && i < n; i++) row[i] /= size;
    // Twice is enough: the second pass takes away what rounding left.
    for (int pass = 0; pass < 2; pass++)
      for (int k = 0; k < rank; k++) {
        const double *other = A + (size_t)k * n;
        dense_add(n, -dense_dot(n, row, other), other, row);
      }
    double left = dense_norm(n, row);
    bool is_new = left > relative;
    if (counts) counts[r] = is_new;
    if (!is_new) continue;
    for (int i = 0; i < n; i++) A[(size_t)rank * n + i] = row[i] / left;
    rank++;
  }
  return rank;
}

double dense_least_diagonal(int n, const double *A) {
  double least = INFINITY;
  for (int i = 0; i < n; i++) {
    double entry = A[(size_t)i * (size_t)n + (size_t)i];
    if (entry > 0) least = fmin(least, entry);
  }
  return least;
}

// Takes the first `rank` columns of U and the vectors found before out of v, and gives it length 1.
static void make_orthogonal(int rows, int stride, int rank, const double *U, int found,
                            const double *N, double *v) {
  for (int k = 0; k < rank; k++) {
    double along = 0;
    for (int i = 0; i < rows; i++) along += U[(size_t)i * stride + k] * v[i];
    for (int i = 0; i < rows; i++) v[i] -= along * U[(size_t)i * stride + k];
  }
  for (int l = 0; l < found; l++) {
    const double *other = N + (size_t)l * rows;
    dense_add(rows, -dense_dot(rows, other, v), other, v);
  }
  double size = dense_norm(rows, v);
  for (int i = 0; i < rows; i++) v[i] /= size;
}

void dense_complement(int rows, int stride, int rank, const double *U, int count, double *N) {
  for (int j = 0; j < count; j++) {
    double *v = N + (size_t)j * rows, most = -1;
    int best = 0;
    for (int i = 0; i < rows; i++) {
      const double *u = U + (size_t)i * stride;
      double left = 1 - dense_dot(rank, u, u);
      for (int l = 0; l < j; l++) left -= N[(size_t)l * rows + i] * N[(size_t)l * rows + i];
      if (left > most) most = left, best = i;
    }
    for (int i = 0; i < rows; i++) v[i] = i == best;
    for (int twice = 0; twice < 2; twice++) make_orthogonal(rows, stride, rank, U, j, N, v);
  }
}
