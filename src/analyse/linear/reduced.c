// Projection of the linearized equations onto the independent coordinates.
#include "analyse/linear/reduced.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/dense.h"

void matrix_multiply(uint32_t rows, uint32_t inner, uint32_t columns, const double *A,
                     const double *B, double *out) {
  memset(out, 0, (size_t)rows * columns * sizeof *out);
  for (uint32_t i = 0; i < rows; i++)
    for (uint32_t k = 0; k < inner; k++) {
      double a = A[(size_t)i * inner + k];
      if (a == 0) continue;
      for (uint32_t j = 0; j < columns; j++)
        out[(size_t)i * columns + j] += a * B[(size_t)k * columns + j];
    }
}

// out (columns x width) := A^T B for A (rows x columns), B (rows x width)
static void multiply_transposed(uint32_t rows, uint32_t columns, uint32_t width, const double *A,
                                const double *B, double *out) {
  memset(out, 0, (size_t)columns * width * sizeof *out);
  for (uint32_t k = 0; k < rows; k++)
    for (uint32_t i = 0; i < columns; i++) {
      double a = A[(size_t)k * columns + i];
      if (a == 0) continue;
      for (uint32_t j = 0; j < width; j++)
        out[(size_t)i * width + j] += a * B[(size_t)k * width + j];
    }
}

// X (k x columns) := -S^-1 X for the k x k matrix S, which is destroyed.
static void solve_negative(Arena *arena, uint32_t k, uint32_t columns, double *S, double *X) {
  Mark mark = arena_mark(arena);
  int *pivot = arena_array(arena, int, k + 1);
  double *b = arena_array(arena, double, k + 1);
  dense_lu((int)k, S, pivot);
  for (uint32_t j = 0; j < columns; j++) {
    for (uint32_t i = 0; i < k; i++) b[i] = -X[(size_t)i * columns + j];
    dense_lu_solve((int)k, S, pivot, b);
    for (uint32_t i = 0; i < k; i++) X[(size_t)i * columns + j] = b[i];
  }
  arena_release(arena, mark);
}

// R: the unit matrix in the rows of z, -Phi_y^-1 Phi_z in those of y.
static void make_positions(Arena *arena, const RowNumbers *rows, const Independent *c,
                           Reduced *out) {
  uint32_t n = c->n, p = c->p, r = n - p;
  Mark mark = arena_mark(arena);
  double *S = arena_array(arena, double, (size_t)r *r + 1);
  double *X = arena_array(arena, double, (size_t)r *p + 1);
  for (uint32_t k = 0; k < r; k++) {
    const double *row = rows->Phi_q + (size_t)c->rows[k] * n;
    for (uint32_t j = 0; j < r; j++) S[(size_t)k * r + j] = row[c->y[j]];
    for (uint32_t j = 0; j < p; j++) X[(size_t)k * p + j] = row[c->z[j]];
  }
  solve_negative(arena, r, p, S, X);
  for (uint32_t j = 0; j < p; j++) out->R[(size_t)c->z[j] * p + j] = 1;
  for (uint32_t k = 0; k < r; k++)
    memcpy(out->R + (size_t)c->y[k] * p, X + (size_t)k * p, p * sizeof *X);
  arena_release(arena, mark);
}

// W and Y from the nonholonomic rows A R z' + S R z = 0, split into independent and other z'.
static void make_velocities(Arena *arena, const RowNumbers *rows, const Independent *c,
                            Reduced *out) {
  uint32_t n = c->n, p = c->p, f = c->f, v = p - f;
  for (uint32_t j = 0; j < f; j++) out->W[(size_t)j * f + j] = 1;
  if (v == 0) return;
  Mark mark = arena_mark(arena);
  double *A = arena_array(arena, double, (size_t)v *n), *N = arena_array(arena, double, v *p);
  double *S = arena_array(arena, double, (size_t)v *n), *SR = arena_array(arena, double, v *p);
  for (uint32_t k = 0; k < v; k++) {
    uint32_t row = c->rows[n - p + k];
    memcpy(A + (size_t)k * n, rows->Phi_q + (size_t)row * n, n * sizeof *A);
    memcpy(S + (size_t)k * n, rows->rate_q + (size_t)(row - rows->holonomic) * n, n * sizeof *S);
  }
  matrix_multiply(v, n, p, A, out->R, N);
  matrix_multiply(v, n, p, S, out->R, SR);
  double *pivot = arena_array(arena, double, (size_t)v *v);
  double *X = arena_array(arena, double, (size_t)v *(f + p));
  for (uint32_t k = 0; k < v; k++) {
    memcpy(pivot + (size_t)k * v, N + (size_t)k * p + f, v * sizeof *pivot);
    memcpy(X + (size_t)k * (f + p), N + (size_t)k * p, f * sizeof *X);
    memcpy(X + (size_t)k * (f + p) + f, SR + (size_t)k * p, p * sizeof *X);
  }
  solve_negative(arena, v, f + p, pivot, X);
  for (uint32_t k = 0; k < v; k++) {
    memcpy(out->W + (size_t)(f + k) * f, X + (size_t)k * (f + p), f * sizeof *X);
    memcpy(out->Y + (size_t)(f + k) * p, X + (size_t)k * (f + p) + f, p * sizeof *X);
  }
  arena_release(arena, mark);
}

// M^ = H^T M H, C^ = H^T (M R Y W + C H), K^ = H^T (M R Y Y + C R Y + K R), B^ = H^T B.
static void project(Arena *arena, const FullNumbers *full, Reduced *r) {
  uint32_t n = r->n, p = r->p, f = r->f;
  Mark mark = arena_mark(arena);
  double *RY = arena_array(arena, double, (size_t)n *p + 1);
  double *MRY = arena_array(arena, double, (size_t)n *p + 1);
  double *part = arena_array(arena, double, (size_t)n *(p + f) + 1);
  double *sum = arena_array(arena, double, (size_t)n *(p + f) + 1);
  matrix_multiply(n, p, p, r->R, r->Y, RY);
  matrix_multiply(n, n, p, full->M, RY, MRY);
  matrix_multiply(n, n, f, full->M, r->H, part);
  multiply_transposed(n, f, f, r->H, part, r->M);

  matrix_multiply(n, p, f, MRY, r->W, sum);
  matrix_multiply(n, n, f, full->C, r->H, part);
  dense_add((int)(n * f), 1, part, sum);
  multiply_transposed(n, f, f, r->H, sum, r->C);

  matrix_multiply(n, p, p, MRY, r->Y, sum);
  matrix_multiply(n, n, p, full->C, RY, part);
  dense_add((int)(n * p), 1, part, sum);
  matrix_multiply(n, n, p, full->K, r->R, part);
  dense_add((int)(n * p), 1, part, sum);
  multiply_transposed(n, f, p, r->H, sum, r->K);

  multiply_transposed(n, f, r->inputs, r->H, full->B, r->B);
  arena_release(arena, mark);
}

void reduced_make(Arena *arena, const FullNumbers *full, const RowNumbers *rows,
                  const Independent *c, Reduced *out) {
  uint32_t n = c->n, p = c->p, f = c->f;
  *out = (Reduced){.n = n, .p = p, .f = f, .inputs = full->inputs};
  out->R = arena_array(arena, double, (size_t)n *p + 1);
  out->W = arena_array(arena, double, (size_t)p *f + 1);
  out->Y = arena_array(arena, double, (size_t)p *p + 1);
  out->H = arena_array(arena, double, (size_t)n *f + 1);
  out->M = arena_array(arena, double, (size_t)f *f + 1);
  out->C = arena_array(arena, double, (size_t)f *f + 1);
  out->K = arena_array(arena, double, (size_t)f *p + 1);
  out->B = arena_array(arena, double, (size_t)f * full->inputs + 1);
  make_positions(arena, rows, c, out);
  make_velocities(arena, rows, c, out);
  matrix_multiply(n, p, f, out->R, out->W, out->H);
  project(arena, full, out);
}

static const double LEAST_MASS =
    1e-14; // least pivot of a regular scaled mass matrix, of the largest

// The velocity whose mass vanishes relative to its neighbours.
static uint32_t lightest(uint32_t f, const double *M) {
  uint32_t least = 0;
  for (uint32_t i = 1; i < f; i++)
    if (fabs(M[(size_t)i * f + i]) < fabs(M[(size_t)least * f + least])) least = i;
  return least;
}

// M^ scaled to a unit diagonal, so that units do not decide whether it is singular.
static double scaled_lu(uint32_t f, const double *M, double *LU, double *scale, int *pivot) {
  for (uint32_t i = 0; i < f; i++) {
    double d = fabs(M[(size_t)i * f + i]);
    scale[i] = d > 0 ? 1 / sqrt(d) : 1;
  }
  for (uint32_t i = 0; i < f; i++)
    for (uint32_t j = 0; j < f; j++)
      LU[(size_t)i * f + j] = M[(size_t)i * f + j] * scale[i] * scale[j];
  return dense_lu((int)f, LU, pivot);
}

// Column j of [-K^ -C^ B^]; false where it is 0.
static bool take_column(const Reduced *r, const double *scale, uint32_t j, double *b) {
  uint32_t p = r->p, f = r->f;
  bool any = false;
  for (uint32_t i = 0; i < f; i++) {
    b[i] = scale[i] * (j < p       ? -r->K[(size_t)i * p + j]
                       : j < p + f ? -r->C[(size_t)i * f + j - p]
                                   : r->B[(size_t)i * r->inputs + j - p - f]);
    any = any || b[i] != 0;
  }
  return any;
}

// The lower halves of A and B: M^^-1 [-K^ -C^ B^], the columns that are not 0 together.
static void solve_columns(Arena *arena, const Reduced *r, const double *LU, const int *pivot,
                          const double *scale, StateSpace *out) {
  uint32_t p = r->p, f = r->f, size = p + f, columns = size + r->inputs, count = 0;
  uint32_t *column = arena_array(arena, uint32_t, columns);
  double *b = arena_array(arena, double, f);
  for (uint32_t j = 0; j < columns; j++)
    if (take_column(r, scale, j, b)) column[count++] = j;
  double *X = arena_array(arena, double, (size_t)count *f + 1);
  for (uint32_t k = 0; k < count; k++) take_column(r, scale, column[k], X + (size_t)k * f);
  dense_lu_solve_rows((int)f, LU, pivot, (int)count, X);
  for (uint32_t k = 0; k < count; k++) {
    bool is_state = column[k] < size;
    double *to = is_state ? out->A + (size_t)p * size + column[k]
                          : out->B + p * r->inputs + column[k] - size;
    for (uint32_t i = 0; i < f; i++)
      to[(size_t)i * (is_state ? size : r->inputs)] = scale[i] * X[(size_t)k * f + i];
  }
}

Status reduced_state_space(Arena *arena, const Reduced *r, StateSpace *out, uint32_t *row) {
  uint32_t p = r->p, f = r->f, size = p + f;
  *out = (StateSpace){.size = size, .inputs = r->inputs};
  out->A = arena_array(arena, double, (size_t)size *size + 1);
  out->B = arena_array(arena, double, (size_t)size * r->inputs + 1);
  for (uint32_t i = 0; i < p; i++) {
    memcpy(out->A + (size_t)i * size, r->Y + (size_t)i * p, p * sizeof(double));
    memcpy(out->A + (size_t)i * size + p, r->W + (size_t)i * f, f * sizeof(double));
  }
  if (f == 0) return QDOT_OK;
  Mark mark = arena_mark(arena);
  double *LU = arena_array(arena, double, (size_t)f *f), *scale = arena_array(arena, double, f);
  int *pivot = arena_array(arena, int, f);
  double quality = scaled_lu(f, r->M, LU, scale, pivot);
  bool is_regular = quality > LEAST_MASS;
  if (is_regular)
    solve_columns(arena, r, LU, pivot, scale, out);
  else
    *row = lightest(f, r->M);
  arena_release(arena, mark);
  return is_regular ? QDOT_OK : QDOT_SINGULAR_MASS;
}
