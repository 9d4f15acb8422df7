// Loads by states, states by loads, and how far loads are from the laws of their rows.
#include <float.h>
#include <math.h>
#include <string.h>

#include "cone/cone.h"
#include "solve/algebra/dense.h"
#include "solve/algebra/svd.h"

// Pivots of a regular matrix; below this ratio the singular values say what is left open.
static const double REGULAR = 1e-8;
// Singular values below this part of the largest are rounding of 0: that direction is open.
static const double SINGULAR = 1e-12;
// So near to all that friction gives, a row slides.
static const double FULL = 1 - 1e-9;

double cone_size(const ConeProblem *c, int i) {
  double own = c->W[(size_t)i * (size_t)c->n + (size_t)i] + c->row[i].soft;
  return own > 0 ? sqrt(own) : 0;
}

double cone_slip_share(const ConeRow *row, ConeState state) {
  if (row->kind != CONE_RUBS) return 0;
  return state == CONE_SLIPS_UP ? -row->mu : state == CONE_SLIPS_DOWN ? row->mu : 0;
}

double cone_slip_fixed(const ConeRow *row, ConeState state) {
  if (row->kind != CONE_LIMITED) return 0;
  return state == CONE_SLIPS_UP ? row->low : state == CONE_SLIPS_DOWN ? row->high : 0;
}

// ---- Loads by states

bool cone_solve_linear(Arena *scratch, const ConeProblem *c, const ConeState *state,
                       const double *y_0, const double *fixed, double *z, int *open) {
  Mark mark = arena_mark(scratch);
  int n = c->n, k = 0, *closed = arena_array(scratch, int, n),
      *place = arena_array(scratch, int, n);
  for (int i = 0; i < n; i++) {
    place[i] = -1;
    if (state[i] == CONE_CLOSED && cone_size(c, i) > 0) place[i] = k, closed[k++] = i;
  }
  size_t size = (size_t)k;
  double *A = arena_array(scratch, double, size *size), *b = arena_array(scratch, double, size);
  double *LU = arena_array(scratch, double, size *size), *x = arena_array(scratch, double, size);
  int *pivot = arena_array(scratch, int, size);
  for (int u = 0; u < k; u++) {
    int i = closed[u];
    const double *W = c->W + (size_t)i * (size_t)n;
    double scale = 1 / cone_size(c, i);
    b[u] = -scale * y_0[i];
    for (int j = 0; j < n; j++) {
      double share = cone_slip_share(&c->row[j], state[j]);
      int of = share != 0 ? place[c->row[j].of] : -1;
      if (place[j] >= 0)
        A[u * k + place[j]] += scale * (W[j] + (i == j ? c->row[i].soft : 0)) / cone_size(c, j);
      if (of >= 0) A[u * k + of] += scale * share * W[j] / cone_size(c, closed[of]);
      if (place[j] < 0 && fixed) b[u] -= scale * fixed[j] * W[j];
    }
  }
  memcpy(LU, A, size * size * sizeof *A);
  memcpy(x, b, size * sizeof *b);
  bool solved = true;
  *open = 0;
  if (k > 0 && dense_lu(k, LU, pivot) > REGULAR) {
    dense_lu_solve(k, LU, pivot, x);
  } else if (k > 0) {
    int rank = k;
    solved = svd_least_norm(scratch, k, k, A, b, SINGULAR, x, &rank) == QDOT_OK;
    *open = k - rank;
  }
  for (int i = 0; i < n; i++)
    z[i] = place[i] >= 0 ? x[place[i]] / cone_size(c, i) : fixed ? fixed[i] : 0;
  for (int i = 0; i < n; i++) {
    double share = cone_slip_share(&c->row[i], state[i]);
    if (share != 0) z[i] += share * z[c->row[i].of];
    solved = solved && isfinite(z[i]);
  }
  arena_release(scratch, mark);
  return solved;
}

bool cone_solve_states(Arena *scratch, const ConeProblem *c, const ConeState *state, double *z,
                       int *open) {
  Mark mark = arena_mark(scratch);
  double *fixed = arena_array(scratch, double, c->n);
  for (int i = 0; i < c->n; i++) fixed[i] = cone_slip_fixed(&c->row[i], state[i]);
  bool solved = cone_solve_linear(scratch, c, state, c->y_0, fixed, z, open);
  arena_release(scratch, mark);
  return solved;
}

// ---- States by loads

// Of a row with z between -most and most, or low and high.
static ConeState state_between(const ConeRow *row, double z, double y, double low, double high) {
  double middle = (low + high) / 2, half = (high - low) / 2;
  if (row->way != 0 || !(half > 0)) return row->way < 0 ? CONE_SLIPS_DOWN : CONE_SLIPS_UP;
  if (fabs(z - middle) < half * FULL || y == 0) return CONE_CLOSED;
  return z < middle || (z == middle && y > 0) ? CONE_SLIPS_UP : CONE_SLIPS_DOWN;
}

void cone_find_states(const ConeProblem *c, const double *z, const double *y, ConeState *state) {
  for (int i = 0; i < c->n; i++) {
    const ConeRow *row = &c->row[i];
    bool moves = cone_size(c, i) > 0;
    switch (row->kind) {
    case CONE_ABSENT: state[i] = CONE_OPEN; break;
    case CONE_HOLDS: state[i] = moves ? CONE_CLOSED : CONE_OPEN; break;
    case CONE_PUSHES: state[i] = z[i] > 0 && moves ? CONE_CLOSED : CONE_OPEN; break;
    case CONE_LIMITED: state[i] = state_between(row, z[i], y[i], row->low, row->high); break;
    case CONE_RUBS: {
      double most = row->mu * fmax(z[row->of], 0);
      state[i] = most > 0 ? state_between(row, z[i], y[i], -most, most) : CONE_OPEN;
    }
    }
  }
}

// ---- How far from the laws

// The nearest of z to which the law lets it go.
static double lawful(const ConeProblem *c, int i, const double *z, double to) {
  const ConeRow *row = &c->row[i];
  double low = -INFINITY, high = INFINITY;
  if (row->kind == CONE_ABSENT) return 0;
  if (row->kind == CONE_PUSHES) low = 0;
  if (row->kind == CONE_RUBS) high = row->mu * fmax(z[row->of], 0), low = -high;
  if (row->kind == CONE_LIMITED) low = row->low, high = row->high;
  if (row->way != 0) return row->way > 0 ? low : high;
  return fmin(fmax(to, low), high);
}

double cone_residual(const ConeProblem *c, const double *z, double *y) {
  double worst = 0, largest = 0;
  for (int i = 0; i < c->n; i++) {
    const double *W = c->W + (size_t)i * (size_t)c->n;
    double size = cone_size(c, i);
    y[i] = c->y_0[i] + dense_dot(c->n, W, z) + c->row[i].soft * z[i];
    if (!(size > 0)) continue;
    double to = z[i] - y[i] / (size * size);
    worst = fmax(worst, size * fabs(z[i] - lawful(c, i, z, to)));
    largest = fmax(largest, fmax(fabs(c->y_0[i]) / size, fabs(z[i]) * size));
  }
  return largest > 0 ? worst / largest : 0;
}
