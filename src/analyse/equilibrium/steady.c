// Newton's iteration for steady motions.
#include "analyse/equilibrium/steady.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "solve/algebra/dense.h"
#include "solve/algebra/svd.h"

#define MOST_ROUNDS 200
#define MOST_HALVINGS 12
#define STRIDE 4      // whole steps that count together
#define NEARLY 1e-3   // relative forces from which on they may
#define CUT 1e-11     // singular values of the scaled Jacobian below this are none
#define BALANCED 1e-9 // relative force that counts as none
#define LEAST_PART                                                                                 \
  1e-3 // of the largest reaction: what a force in a row that it can act on counts by
#define NEAR_ROOT 2e-3 // of the scale: so far from a multiple root rounding may end the search

Steady *steady_new(Arena *arena, const Balance *b) {
  Steady *s = arena_new(arena, Steady);
  s->q = arena_array(arena, double, b->n);
  s->qd = arena_array(arena, double, b->n);
  s->lambda = arena_array(arena, double, b->m);
  s->is_active = arena_array(arena, bool, b->m);
  for (uint32_t k = 0; k < b->system->row_count; k++) s->is_active[k] = true;
  return s;
}

void steady_copy(const Balance *b, const Steady *from, Steady *to) {
  memcpy(to->q, from->q, b->n * sizeof *to->q);
  memcpy(to->qd, from->qd, b->n * sizeof *to->qd);
  memcpy(to->lambda, from->lambda, b->m * sizeof *to->lambda);
  memcpy(to->is_active, from->is_active, b->m * sizeof *to->is_active);
  to->residual = from->residual;
  to->worst = from->worst;
  to->rounds = from->rounds;
}

bool steady_is_balanced(const Steady *s) { return s->residual <= BALANCED; }

// ---- Linear systems of any rank

// Rows and columns divided by the square roots of their largest entries, a few times over. Those
// that are nothing but rounding stay small.
static void equilibrate(uint32_t rows, uint32_t columns, double *A, double *r, double *c) {
  for (uint32_t i = 0; i < rows; i++) r[i] = 1;
  for (uint32_t j = 0; j < columns; j++) c[j] = 1;
  double largest = 0;
  for (size_t i = 0; i < (size_t)rows * columns; i++) largest = fmax(largest, fabs(A[i]));
  for (int round = 0; round < 4; round++) {
    for (int by_row = 1; by_row >= 0; by_row--) {
      uint32_t outer = by_row ? rows : columns, inner = by_row ? columns : rows;
      for (uint32_t i = 0; i < outer; i++) {
        double most = 0;
        for (uint32_t j = 0; j < inner; j++)
          most = fmax(most, fabs(by_row ? A[i * columns + j] : A[j * columns + i]));
        if (!(most > 1e-13 * largest) || !isfinite(most)) continue;
        double s = 1 / sqrt(most);
        *(by_row ? &r[i] : &c[i]) *= s;
        for (uint32_t j = 0; j < inner; j++)
          *(by_row ? &A[i * columns + j] : &A[j * columns + i]) *= s;
      }
    }
  }
}

static bool is_zero(uint32_t n, const double *b) {
  for (uint32_t i = 0; i < n; i++)
    if (b[i] != 0) return false;
  return true;
}

// x of least norm with A x = b as well as possible, after scaling; A and b are destroyed.
static Status solve_any(Arena *arena, uint32_t rows, uint32_t columns, double *A, double *b,
                        double *x) {
  if (is_zero(rows, b)) {
    memset(x, 0, columns * sizeof *x);
    return QDOT_OK;
  }
  Mark mark = arena_mark(arena);
  double *r = arena_array(arena, double, rows), *c = arena_array(arena, double, columns);
  equilibrate(rows, columns, A, r, c);
  for (uint32_t i = 0; i < rows; i++) b[i] *= r[i];
  Status status = svd_least_norm(arena, (int)rows, (int)columns, A, b, CUT, x, NULL);
  for (uint32_t j = 0; j < columns; j++) x[j] *= c[j];
  arena_release(arena, mark);
  return status;
}

// ---- The residual

static double coordinate_scale(const SteadyFreedom *free, uint32_t i) {
  return free && free->scale ? free->scale[i] : 1;
}

static bool is_held(const SteadyFreedom *free, uint32_t i) {
  return free && free->held && free->held[i];
}

// Is the row met by positions at rest, though it is one of velocities?
static bool is_settling(const Balance *b, uint32_t k) { return b->is_settling && b->settles[k]; }

static bool is_position_row(const Balance *b, const Steady *s, uint32_t k) {
  return s->is_active[k] && (!b->rows[k]->is_nonholonomic || is_settling(b, k));
}

// What a position row is, and its slopes.
static double row_value(const Balance *b, uint32_t k) {
  return is_settling(b, k) ? b->rate[k] : b->phi[k];
}

static const double *row_slopes(const Balance *b, uint32_t k) {
  if (!is_settling(b, k)) return b->Phi_q + (size_t)k * b->n;
  const double *at = b->rate_q;
  for (uint32_t i = 0; i < k; i++) at += b->settles[i] ? b->n : 0;
  return at;
}

// What a force and a row are compared with: the terms in it and the change that a motion of one
// scale would make.
static double force_scale(const Balance *b, const SteadyFreedom *free, uint32_t i) {
  double scale = b->size[i];
  for (uint32_t j = 0; j < b->n; j++)
    scale += fabs(b->K[(size_t)i * b->n + j]) * coordinate_scale(free, j);
  return scale;
}

static double row_scale(const Balance *b, const SteadyFreedom *free, uint32_t k) {
  double scale = 0;
  for (uint32_t j = 0; j < b->n; j++)
    scale = fmax(scale, fabs(row_slopes(b, k)[j]) * coordinate_scale(free, j));
  return scale;
}

// Largest relative force and row at the state of the last evaluation.
static void measure(const Balance *b, const SteadyFreedom *free, Steady *s) {
  double largest = 0;
  for (uint32_t i = 0; i < b->n; i++) largest = fmax(largest, force_scale(b, free, i));
  s->residual = 0, s->worst = 0;
  for (uint32_t i = 0; i < b->n; i++) {
    double force = fabs(b->force[i]);
    if (force <= 1e-13 * largest || is_held(free, i)) continue;
    double relative = force / force_scale(b, free, i);
    if (relative > s->residual) s->residual = relative, s->worst = i;
  }
}

static double worst_row(const Balance *b, const SteadyFreedom *free, const Steady *s,
                        uint32_t *row) {
  double worst = 0;
  for (uint32_t k = 0; k < b->m; k++) {
    if (!is_position_row(b, s, k)) continue;
    double relative = fabs(row_value(b, k)) / fmax(row_scale(b, free, k), 1e-300);
    if (relative > worst) worst = relative, *row = k;
  }
  return worst;
}

// ---- Velocities

Status steady_velocities(Balance *b, const SteadyFreedom *free, Steady *s, uint32_t *row) {
  Arena *scratch = &b->cx->scratch;
  Mark mark = arena_mark(scratch);
  uint32_t n = b->n, m = b->m;
  double *A = arena_array(scratch, double, (size_t)m *n), *rhs = arena_array(scratch, double, m);
  double *dv = arena_array(scratch, double, n);
  Status status = balance_evaluate(b, s->q, s->qd, s->lambda) ? QDOT_OK : QDOT_UNDEFINED;
  double most = 0, scale = 0;
  for (int round = 0; round < 2 && status == QDOT_OK && m > 0; round++) {
    for (uint32_t k = 0; k < m; k++) {
      bool counts = s->is_active[k] && !is_settling(b, k);
      rhs[k] = counts ? -b->rate[k] : 0;
      for (uint32_t j = 0; j < n; j++) {
        bool moves = counts && !(free && free->qd_fixed && free->qd_fixed[j]);
        A[(size_t)k * n + j] = moves ? b->Phi_q[(size_t)k * n + j] : 0;
      }
    }
    status = solve_any(scratch, m, n, A, rhs, dv);
    dense_add((int)n, 1, dv, s->qd);
    balance_evaluate(b, s->q, s->qd, s->lambda);
  }
  *row = 0;
  for (uint32_t k = 0; k < m && status == QDOT_OK; k++) {
    if (!s->is_active[k] || is_settling(b, k)) continue;
    double size = 0;
    for (uint32_t j = 0; j < n; j++) size += fabs(b->Phi_q[(size_t)k * n + j] * s->qd[j]);
    scale = fmax(scale, size);
    if (fabs(b->rate[k]) > most) most = fabs(b->rate[k]), *row = k;
  }
  if (status == QDOT_OK && most > 1e-9 * scale + 1e-12 * (scale == 0)) status = QDOT_INCONSISTENT;
  arena_release(scratch, mark);
  return status;
}

// ---- Newton's iteration

typedef struct Search {
  Balance *b;
  const SteadyFreedom *free;
  Steady *s;
  bool forces;       // balance forces too, not only rows
  uint32_t *columns; // unknowns: q, then n + k for lambda_k
  uint32_t unknowns, equations;
  double *J, *F, *dx, *weight;
  double *q, *lambda; // trial
} Search;

static void search_open(Search *x, Balance *b, const SteadyFreedom *free, Steady *s, bool forces) {
  Arena *a = &b->cx->scratch;
  *x = (Search){.b = b, .free = free, .s = s, .forces = forces};
  x->columns = arena_array(a, uint32_t, b->n + b->m);
  for (uint32_t i = 0; i < b->n; i++)
    if (!(free && free->q_fixed && free->q_fixed[i])) x->columns[x->unknowns++] = i;
  for (uint32_t k = 0; k < b->m && forces; k++)
    if (s->is_active[k]) x->columns[x->unknowns++] = b->n + k;
  x->equations = (forces ? b->n : 0) + b->m;
  x->J = arena_array(a, double, (size_t)x->equations * x->unknowns);
  x->F = arena_array(a, double, x->equations);
  x->weight = arena_array(a, double, x->equations);
  x->dx = arena_array(a, double, x->unknowns + 1);
  x->q = arena_array(a, double, b->n);
  x->lambda = arena_array(a, double, b->m);
}

static void fill_residual(Search *x) {
  const Balance *b = x->b;
  uint32_t first = x->forces ? b->n : 0;
  for (uint32_t i = 0; i < first; i++) x->F[i] = is_held(x->free, i) ? 0 : b->force[i];
  for (uint32_t k = 0; k < b->m; k++)
    x->F[first + k] = is_position_row(b, x->s, k) ? row_value(b, k) : 0;
}

// What the reactions could do to coordinate i: where they cancel, or do nothing, what is left of
// them is rounding.
static double reaction_scale(const Search *x, uint32_t i) {
  double largest = 0, slopes = 0;
  for (uint32_t k = 0; k < x->b->m; k++) {
    largest = fmax(largest, fabs(x->s->lambda[k]));
    slopes += fabs(x->b->Phi_q[(size_t)k * x->b->n + i]);
  }
  return largest * slopes;
}

static void fill_weights(Search *x) {
  const Balance *b = x->b;
  uint32_t first = x->forces ? b->n : 0;
  for (uint32_t i = 0; i < first; i++) {
    double scale = fmax(force_scale(b, x->free, i), LEAST_PART * reaction_scale(x, i));
    x->weight[i] = 1 / fmax(scale, 1e-300);
  }
  for (uint32_t k = 0; k < b->m; k++)
    x->weight[first + k] = 1 / fmax(row_scale(b, x->free, k), 1e-300);
}

static double merit(const Search *x) {
  double sum = 0;
  for (uint32_t i = 0; i < x->equations; i++) {
    double f = x->F[i] * x->weight[i];
    sum += f * f;
  }
  return sqrt(sum);
}

static void fill_jacobian(Search *x) {
  const Balance *b = x->b;
  uint32_t n = b->n, first = x->forces ? n : 0;
  for (uint32_t c = 0; c < x->unknowns; c++) {
    uint32_t column = x->columns[c];
    for (uint32_t i = 0; i < first; i++)
      x->J[(size_t)i * x->unknowns + c] = is_held(x->free, i) ? 0
                                          : column < n        ? b->K[(size_t)i * n + column]
                                                       : b->Phi_q[(size_t)(column - n) * n + i];
    for (uint32_t k = 0; k < b->m; k++) {
      bool counts = column < n && is_position_row(b, x->s, k);
      x->J[(size_t)(first + k) * x->unknowns + c] = counts ? row_slopes(b, k)[column] : 0;
    }
  }
}

// The length of the step in units of the coordinates' scales.
static double step_length(const Search *x) {
  double most = 0;
  for (uint32_t c = 0; c < x->unknowns && x->columns[c] < x->b->n; c++)
    most = fmax(most, fabs(x->dx[c]) / coordinate_scale(x->free, x->columns[c]));
  return most;
}

// Evaluates at s + fraction dx; the merit there, or infinity.
static double try_step(Search *x, double fraction) {
  const Balance *b = x->b;
  memcpy(x->q, x->s->q, b->n * sizeof *x->q);
  memcpy(x->lambda, x->s->lambda, b->m * sizeof *x->lambda);
  for (uint32_t c = 0; c < x->unknowns; c++) {
    uint32_t column = x->columns[c];
    if (column < b->n)
      x->q[column] += fraction * x->dx[c];
    else
      x->lambda[column - b->n] += fraction * x->dx[c];
  }
  if (!balance_evaluate(x->b, x->q, x->s->qd, x->lambda)) return INFINITY;
  fill_residual(x);
  return merit(x);
}

static void accept(Search *x) {
  memcpy(x->s->q, x->q, x->b->n * sizeof *x->q);
  memcpy(x->s->lambda, x->lambda, x->b->m * sizeof *x->lambda);
}

// A whole step where it nearly solves the equations (they are linear then), else one of at most
// half a scale, halved until the merit falls. The share of the step that was taken; 0 where none
// helps.
static double line_search(Search *x, double before) {
  double length = step_length(x);
  double whole = try_step(x, 1);
  if (whole <= 1e-3 * before && length < 1e6) return accept(x), 1;
  double first = fmin(1, 0.5 / fmax(length, 1e-300)), fraction = first;
  for (int i = 0; i < MOST_HALVINGS; i++, fraction /= 2) {
    if (try_step(x, fraction) < (1 - 0.1 * fraction) * before) return accept(x), fraction / first;
  }
  return 0;
}

// The step of Newton's iteration from the state of the last evaluation; the merit there.
static Status newton_step(Search *x, double *merit_here) {
  fill_weights(x);
  fill_residual(x);
  fill_jacobian(x);
  *merit_here = merit(x);
  for (uint32_t i = 0; i < x->equations; i++) x->F[i] = -x->F[i];
  return solve_any(&x->b->cx->scratch, x->equations, x->unknowns, x->J, x->F, x->dx);
}

// Along a bent valley every whole step raises the forces across it, and the next one takes them
// away: a few whole steps from the old state count together. False, and the state as it was, where
// they do not help.
static bool stride(Search *x, const Steady *old, double before) {
  Balance *b = x->b;
  Mark mark = arena_mark(&b->cx->scratch);
  Steady *near = steady_new(&b->cx->scratch, b);
  steady_copy(b, x->s, near);
  steady_copy(b, old, x->s);
  bool good = balance_evaluate(b, old->q, old->qd, old->lambda);
  double now = INFINITY;
  for (int i = 0; i < STRIDE && good && !(now < 0.9 * before); i++) {
    good = newton_step(x, &now) == QDOT_OK &&
           isfinite(try_step(x, fmin(1, 0.5 / fmax(step_length(x), 1e-300))));
    if (good) accept(x);
    now = good ? merit(x) : INFINITY;
  }
  good = good && now < 0.9 * before;
  if (!good) steady_copy(b, near, x->s);
  arena_release(&b->cx->scratch, mark);
  return good;
}

static Status newton(Search *x) {
  Steady *s = x->s, *old = steady_new(&x->b->cx->scratch, x->b);
  if (!balance_evaluate(x->b, s->q, s->qd, s->lambda)) return QDOT_UNDEFINED;
  for (s->rounds = 0; s->rounds < MOST_ROUNDS; s->rounds++) {
    context_poll(x->b->cx);
    double before;
    Status status = newton_step(x, &before);
    if (before == 0) break;
    if (status != QDOT_OK) return status;
    bool ends = step_length(x) < 1e-15;
    steady_copy(x->b, s, old);
    double share = line_search(x, before);
    bool moved = share > 0;
    bool near = before < NEARLY && step_length(x) < 0.1;
    if (near && share < 0.2 && !ends && stride(x, old, before)) moved = true;
    balance_evaluate(x->b, s->q, s->qd, s->lambda);
    if (!moved || ends) break;
  }
  measure(x->b, x->free, s);
  return QDOT_OK;
}

Status steady_assemble(Balance *b, const SteadyFreedom *free, Steady *s, uint32_t *row) {
  Mark mark = arena_mark(&b->cx->scratch);
  Search x;
  search_open(&x, b, free, s, false);
  Status status = newton(&x);
  *row = 0;
  if (status == QDOT_OK && worst_row(b, free, s, row) > BALANCED) status = QDOT_INCONSISTENT;
  arena_release(&b->cx->scratch, mark);
  return status;
}

// ---- Multiple roots

// Where the balance has a multiple root Newton's steps end at the square or cube root of rounding
// beside it. 0 or a multiple of pi/12 that near takes its place if it balances by itself.
static double likely_value(const SteadyFreedom *free, uint32_t i, double q) {
  double scale = coordinate_scale(free, i), turn = round(q * 12 / M_PI) * M_PI / 12;
  if (fabs(q) < NEAR_ROOT * scale) return 0;
  return fabs(turn) < 13 && fabs(q - turn) < NEAR_ROOT ? turn : q;
}

static void snap(Search *x) {
  Balance *b = x->b;
  Mark mark = arena_mark(&b->cx->scratch);
  Steady *old = steady_new(&b->cx->scratch, b);
  double *likely = arena_array(&b->cx->scratch, double, b->n + 1);
  steady_copy(b, x->s, old);
  bool moved = false;
  for (uint32_t c = 0; c < x->unknowns && x->columns[c] < b->n; c++) {
    uint32_t i = x->columns[c];
    likely[c] = likely_value(x->free, i, old->q[i]);
    moved = moved || likely[c] != old->q[i];
    x->s->q[i] = likely[c];
  }
  bool better = moved && newton(x) == QDOT_OK && x->s->residual <= old->residual;
  for (uint32_t c = 0; c < x->unknowns && x->columns[c] < b->n && better; c++) {
    uint32_t i = x->columns[c];
    double off = fabs(x->s->q[i] - likely[c]);
    better = off <= 1e-14 * coordinate_scale(x->free, i) || likely[c] == old->q[i];
  }
  if (!better) {
    steady_copy(b, old, x->s);
    balance_evaluate(b, old->q, old->qd, old->lambda);
  }
  arena_release(&b->cx->scratch, mark);
}

Status steady_solve(Balance *b, const SteadyFreedom *free, Steady *s) {
  Mark mark = arena_mark(&b->cx->scratch);
  Search x;
  search_open(&x, b, free, s, true);
  Status status = newton(&x);
  uint32_t row;
  if (status == QDOT_OK && (!steady_is_balanced(s) || worst_row(b, free, s, &row) > BALANCED))
    status = QDOT_NO_CONVERGENCE;
  if (status == QDOT_OK) snap(&x);
  for (uint32_t i = 0; i < b->n && status == QDOT_OK; i++)
    s->q[i] = without_noise(s->q[i], coordinate_scale(free, i));
  arena_release(&b->cx->scratch, mark);
  return status;
}

Status steady_multipliers(Balance *b, Steady *s) {
  Mark mark = arena_mark(&b->cx->scratch);
  Arena *scratch = &b->cx->scratch;
  uint32_t n = b->n, m = b->m;
  memset(s->lambda, 0, m * sizeof *s->lambda);
  Status status = balance_evaluate(b, s->q, s->qd, s->lambda) ? QDOT_OK : QDOT_UNDEFINED;
  if (status == QDOT_OK && m > 0) {
    double *A = arena_array(scratch, double, (size_t)n *m), *rhs = arena_array(scratch, double, n);
    for (uint32_t i = 0; i < n; i++) {
      rhs[i] = -b->force[i];
      for (uint32_t k = 0; k < m; k++)
        A[(size_t)i * m + k] = s->is_active[k] ? b->Phi_q[(size_t)k * n + i] : 0;
    }
    status = solve_any(scratch, n, m, A, rhs, s->lambda);
    balance_evaluate(b, s->q, s->qd, s->lambda);
  }
  measure(b, NULL, s);
  arena_release(scratch, mark);
  return status;
}
