// Linear programs for shares, by Lemke's method.
#include "cone/shares.h"

#include <math.h>
#include <string.h>

#include "cone/lemke.h"
#include "solve/algebra/dense.h"

enum { MOST_TRIES = 12 };
// Uses that differ by this part are the same.
static const double SAME_USE = 1e-9;
// The least load by which friction is measured.
static const double LIGHTEST = 1e-9;

Shares shares_new(Arena *arena, int n, int contacts, int open_count) {
  Shares s = {.n = n, .contacts = contacts, .open_count = open_count};
  size_t held = (size_t)n, count = (size_t)open_count;
  double **vectors[] = {&s.x_0, &s.c_0, &s.x, &s.c, &s.most, &s.by};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = arena_array(arena, double, held);
  double **directions[] = {&s.z, &s.best, &s.pull};
  for (size_t i = 0; i < sizeof directions / sizeof *directions; i++)
    *directions[i] = arena_array(arena, double, count);
  s.open = arena_array(arena, double, count *held);
  s.grip = arena_array(arena, double, count *held);
  s.press = arena_array(arena, double, count *(size_t)contacts);
  s.N_0 = arena_array(arena, double, contacts);
  return s;
}

// A linear program over (z+, z-, sigma >= 0): the least sigma with |x| <= sigma by + tau (c - by),
// or, where the loads are to be least, their least sum with |x| <= c; N >= 0 in both. With a price
// the solution is the only one, and changes as little as what it is made of.
static bool solve_shares(Arena *scratch, Shares *s, double tau, double price,
                         bool loads_are_least) {
  int n = s->n, open_count = s->open_count, unknowns = 2 * open_count + 1;
  int rows = 2 * n + s->contacts, size = unknowns + rows;
  double *M = arena_array(scratch, double, (size_t)size *(size_t)size);
  double *q = arena_array(scratch, double, size), *solution = arena_array(scratch, double, size);
  q[unknowns - 1] = 1;
  for (int k = 0; k < open_count; k++) {
    M[k * size + k] = M[(open_count + k) * size + open_count + k] = price;
    q[k] = price * s->pull[k], q[open_count + k] = -price * s->pull[k];
  }
  for (int k = 0; loads_are_least && k < open_count; k++)
    for (int r = 0; r < s->contacts; r++) {
      q[k] += s->press[k * s->contacts + r];
      q[open_count + k] -= s->press[k * s->contacts + r];
    }
  for (int i = 0; i < rows; i++) {
    bool is_load = i >= 2 * n;
    int row = unknowns + i, own = is_load ? i - 2 * n : i / 2;
    double sign = i % 2 ? -1 : 1, by = loads_are_least || is_load ? 0 : s->by[own];
    q[row] = is_load ? s->N_0[own] : sign * s->x_0[own] + tau * (s->c_0[own] - by);
    for (int k = 0; k < open_count; k++) {
      double entry = is_load ? s->press[k * s->contacts + own]
                             : sign * s->open[k * n + own] + tau * s->grip[k * n + own];
      M[row * size + k] = entry, M[row * size + open_count + k] = -entry;
      M[k * size + row] = -entry, M[(open_count + k) * size + row] = entry;
    }
    M[row * size + unknowns - 1] = by;
    M[(unknowns - 1) * size + row] = -by;
  }
  if (!lemke_solve(scratch, size, M, q, solution)) return false;
  for (int k = 0; k < open_count; k++) s->z[k] = solution[k] - solution[open_count + k];
  s->sigma = solution[unknowns - 1];
  return true;
}

double shares_use(Shares *s) {
  double use = 0;
  for (int i = 0; i < s->n; i++) {
    s->x[i] = s->x_0[i], s->c[i] = s->c_0[i];
    for (int k = 0; k < s->open_count; k++) {
      s->x[i] += s->z[k] * s->open[k * s->n + i];
      s->c[i] += s->z[k] * s->grip[k * s->n + i];
    }
    double least = SHARE_EMPTY * s->most[i];
    if (fabs(s->x[i]) > least) use = fmax(use, fabs(s->x[i]) / fmax(s->c[i], least));
  }
  return use;
}

bool shares_need_none(const Shares *s) {
  for (int i = 0; i < s->n; i++)
    if (fabs(s->x_0[i]) > SHARE_EMPTY * s->most[i]) return false;
  for (int r = 0; r < s->contacts; r++)
    if (s->N_0[r] < 0) return false;
  return true;
}

// Where loads change with z, again and again from the use that was found last (Dinkelbach), as long
// as it falls.
bool shares_find(Arena *scratch, Shares *s, double price, double *use) {
  Mark mark = arena_mark(scratch);
  double tau = 1;
  bool found = false;
  *use = INFINITY;
  for (int k = 0; k < s->n; k++) s->by[k] = fmax(s->c_0[k], 1e-3 * s->most[k]);
  for (int i = 0; i < MOST_TRIES && solve_shares(scratch, s, tau, price, false); i++) {
    arena_release(scratch, mark);
    // more than all can hold, of which each is as far beyond as it can be
    bool is_too_much = i == 0 && s->sigma > 1;
    double from = tau;
    tau = is_too_much ? s->sigma : shares_use(s);
    // only from the use itself are the forces of all others the smallest
    bool is_smallest = price > 0 && fabs(tau - from) <= SAME_USE * from;
    if (!(tau < *use || is_smallest)) break;
    bool is_exact = tau - s->sigma <= 1e-13 * tau || *use - tau <= 1e-13 * tau;
    found = true;
    *use = fmin(tau, *use);
    memcpy(s->best, s->z, (size_t)s->open_count * sizeof *s->z);
    if (is_too_much || (price > 0 ? is_smallest : is_exact)) break;
    for (int k = 0; k < s->n; k++) s->by[k] = fmax(s->c[k], LIGHTEST * s->most[k]);
  }
  arena_release(scratch, mark);
  memcpy(s->z, s->best, (size_t)s->open_count * sizeof *s->z);
  if (found) shares_use(s);
  return found;
}

bool shares_find_least(Arena *scratch, Shares *s) {
  if (!solve_shares(scratch, s, 1, 0, true)) return false;
  shares_use(s);
  return true;
}

// A linear program: the largest sum of loads that contacts could press each other with, up to 1.
bool shares_are_wedged(Arena *scratch, const Shares *s) {
  int n = s->n, open_count = s->open_count, unknowns = 2 * open_count;
  int rows = 2 * n + s->contacts + 1, size = unknowns + rows;
  double *M = arena_array(scratch, double, (size_t)size *(size_t)size), most = 0;
  double *q = arena_array(scratch, double, size), *solution = arena_array(scratch, double, size);
  for (int i = 0; i < rows; i++) {
    bool is_load = i >= 2 * n, is_sum = i == rows - 1;
    int row = unknowns + i, own = is_load ? i - 2 * n : i / 2;
    double sign = i % 2 ? -1 : 1;
    q[row] = is_sum;
    for (int k = 0; k < open_count; k++) {
      double sum = 0;
      for (int r = 0; is_sum && r < s->contacts; r++) sum += s->press[k * s->contacts + r];
      double entry = is_sum    ? -sum
                     : is_load ? s->press[k * s->contacts + own]
                               : sign * s->open[k * n + own] + s->grip[k * n + own];
      M[row * size + k] = entry, M[row * size + open_count + k] = -entry;
      M[k * size + row] = -entry, M[(open_count + k) * size + row] = entry;
      if (is_sum) q[k] = -sum, q[open_count + k] = sum;
    }
  }
  if (!lemke_solve(scratch, size, M, q, solution)) return true;
  for (int k = 0; k < open_count; k++) most -= q[k] * (solution[k] - solution[open_count + k]);
  return most > 0.5;
}

// What is left of the columns of A behind those of U, each time the longest, of unit length:
// returns how many there are. U is rows x n; A is used up.
static int span_columns(int rows, int n, double *A, double *U) {
  double first = 0;
  for (int rank = 0; rank < n && rank < rows; rank++) {
    int longest = 0;
    double most = -1;
    for (int j = 0; j < n; j++) {
      double square = 0;
      for (int i = 0; i < rows; i++) square += A[i * n + j] * A[i * n + j];
      if (square > most) most = square, longest = j;
    }
    double *column = U + rank; // rows apart by n
    for (int i = 0; i < rows; i++) column[i * n] = A[i * n + longest];
    for (int k = 0; k < rank; k++) { // once more, against rounding
      double part = 0;
      for (int i = 0; i < rows; i++) part += column[i * n] * U[i * n + k];
      for (int i = 0; i < rows; i++) column[i * n] -= part * U[i * n + k];
    }
    double norm = 0;
    for (int i = 0; i < rows; i++) norm += column[i * n] * column[i * n];
    norm = sqrt(norm);
    if (rank == 0) first = norm;
    if (!(norm > SHARE_BALANCED * first)) return rank;
    for (int i = 0; i < rows; i++) column[i * n] /= norm;
    for (int j = 0; j < n; j++) {
      double part = 0;
      for (int i = 0; i < rows; i++) part += A[i * n + j] * column[i * n];
      for (int i = 0; i < rows; i++) A[i * n + j] -= part * column[i * n];
    }
  }
  return n < rows ? n : rows;
}

int shares_find_balances(Arena *arena, int rows, int n, const double *A, double **out) {
  size_t all = (size_t)rows;
  double *scaled = arena_array(arena, double, all *(size_t)n),
         *size = arena_array(arena, double, all);
  double *U = arena_array(arena, double, all *(size_t)n);
  for (int i = 0; i < rows; i++) {
    double norm = dense_norm(n, A + (size_t)i * (size_t)n);
    size[i] = norm > 0 ? norm : 1;
    for (int j = 0; j < n; j++) scaled[i * n + j] = A[i * n + j] / size[i];
  }
  int rank = span_columns(rows, n, scaled, U), count = rows - rank;
  *out = arena_array(arena, double, (size_t)count *all);
  if (count > 0) dense_complement(rows, n, rank, U, count, *out);
  for (int k = 0; k < count; k++)
    for (int i = 0; i < rows; i++) (*out)[(size_t)k * all + (size_t)i] /= size[i];
  return count;
}
