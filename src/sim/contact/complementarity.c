// Complementarity by an active set that grows where w is negative and shrinks where p would be
// (Lawson and Hanson's method for nonnegative least squares, in terms of A).
#include "sim/contact/complementarity.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "solve/algebra/svd.h"

typedef struct Active {
  Arena *scratch;
  int n;
  double *A, *b, *p, *w, *step, *sub, *right, *x;
  bool *in;
  int *index;
} Active;

// p of the active set: A_ss x = -b_s, least norm; returns the set's size.
static int solve_active(Active *a) {
  int k = 0;
  for (int i = 0; i < a->n; i++)
    if (a->in[i]) a->index[k++] = i;
  for (int i = 0; i < k; i++) {
    a->right[i] = -a->b[a->index[i]];
    for (int j = 0; j < k; j++) a->sub[i * k + j] = a->A[a->index[i] * a->n + a->index[j]];
  }
  if (svd_least_norm(a->scratch, k, k, a->sub, a->right, 1e-12, a->x, NULL) != QDOT_OK)
    memset(a->x, 0, (size_t)k * sizeof *a->x);
  memset(a->step, 0, (size_t)a->n * sizeof *a->step);
  for (int i = 0; i < k; i++) a->step[a->index[i]] = a->x[i];
  return k;
}

static void update_w(Active *a) {
  for (int i = 0; i < a->n; i++) {
    a->w[i] = a->b[i];
    for (int j = 0; j < a->n; j++) a->w[i] += a->A[i * a->n + j] * a->p[j];
  }
}

// Goes from p towards the active set's solution as far as nothing becomes negative; drops what
// becomes zero. True when it arrived.
static bool move_towards(Active *a) {
  double share = 1;
  for (int i = 0; i < a->n; i++)
    if (a->in[i] && a->step[i] <= 0 && a->p[i] > a->step[i])
      share = fmin(share, a->p[i] / (a->p[i] - a->step[i]));
  for (int i = 0; i < a->n; i++)
    if (a->in[i]) a->p[i] += share * (a->step[i] - a->p[i]);
  bool arrived = true;
  for (int i = 0; i < a->n; i++) {
    if (!a->in[i] || a->step[i] > 0) continue;
    arrived = false;
    if (a->p[i] <= 1e-15 * fabs(a->step[i]) || share == 1) {
      a->in[i] = false;
      a->p[i] = 0;
    }
  }
  return arrived;
}

// All that touches without w may share the load: the least-norm p, when none of it is negative.
static void share_load(Active *a, double tolerance) {
  memcpy(a->right, a->p, (size_t)a->n * sizeof *a->p);
  double *kept = a->right + a->n;
  memcpy(kept, a->p, (size_t)a->n * sizeof *a->p);
  for (int i = 0; i < a->n; i++) a->in[i] = a->w[i] <= tolerance;
  solve_active(a);
  for (int i = 0; i < a->n; i++)
    if (a->step[i] < 0) return;
  memcpy(a->p, a->step, (size_t)a->n * sizeof *a->p);
  update_w(a);
  for (int i = 0; i < a->n; i++)
    if (a->w[i] < -10 * tolerance) {
      memcpy(a->p, kept, (size_t)a->n * sizeof *a->p);
      return;
    }
}

static void active_open(Active *a, Arena *scratch, int n) {
  size_t size = (size_t)n;
  *a = (Active){.scratch = scratch, .n = n};
  a->A = arena_array(scratch, double, size *size);
  a->sub = arena_array(scratch, double, size *size);
  double **vectors[] = {&a->b, &a->p, &a->w, &a->step, &a->right, &a->x};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = arena_array(scratch, double, 2 * size);
  a->in = arena_array(scratch, bool, size);
  a->index = arena_array(scratch, int, size);
}

void complementarity_solve(Arena *scratch, int n, const double *A, const double *b, double *p) {
  Mark mark = arena_mark(scratch);
  Active a;
  active_open(&a, scratch, n);
  double largest = 0;
  for (int i = 0; i < n; i++) {
    double scale = A[i * n + i] > 0 ? 1 / sqrt(A[i * n + i]) : 0;
    a.b[i] = scale * b[i];
    a.w[i] = a.b[i];
    largest = fmax(largest, fabs(a.b[i]));
    for (int j = 0; j < n; j++) {
      double other = A[j * n + j] > 0 ? 1 / sqrt(A[j * n + j]) : 0;
      a.A[i * n + j] = scale * other * A[i * n + j];
    }
  }
  double tolerance = 1e-13 * largest;
  for (int round = 0; round < 20 * n + 20; round++) {
    int worst = -1;
    for (int i = 0; i < n; i++)
      if (!a.in[i] && a.A[i * n + i] > 0 && a.w[i] < -tolerance &&
          (worst < 0 || a.w[i] < a.w[worst]))
        worst = i;
    if (worst < 0) break;
    a.in[worst] = true;
    for (int inner = 0; inner < n + 2; inner++) {
      solve_active(&a);
      if (move_towards(&a)) break;
    }
    update_w(&a);
  }
  share_load(&a, 1e-11 * largest);
  for (int i = 0; i < n; i++) p[i] = A[i * n + i] > 0 ? a.p[i] / sqrt(A[i * n + i]) : 0;
  arena_release(scratch, mark);
}
