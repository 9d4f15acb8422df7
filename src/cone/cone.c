// Groups of rows, each solved by pivots and from there in its states.
#include "cone/cone.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/algebra/svd.h"

// An answer that misses the laws by no more is good; by no more than this it is one.
static const double GOOD = 1e-11, FAIR = 1e-6;
// Singular values below this part of the largest are those of held rows that are redundant.
static const double SINGULAR = 1e-12;
// Speeds below this part of the largest are none.
static const double STILL = 1e-11;
// What moves by less than this part of what it would without what is held is held.
static const double UNMOVED = 1e-12;
// Proximal points: compliance of each row by its own response, and how often.
static const double FIRST_SOFT = 1e-6, MOST_SOFT = 1e-1;
enum { MOST_POINTS = 24 };

ConeSolution cone_solution_new(Arena *arena, int n) {
  return (ConeSolution){.z = arena_array(arena, double, n),
                        .y = arena_array(arena, double, n),
                        .state = arena_array(arena, ConeState, n)};
}

void cone_solution_put(const ConeSolution *from, int n, ConeSolution *to) {
  memcpy(to->z, from->z, (size_t)n * sizeof *to->z);
  memcpy(to->y, from->y, (size_t)n * sizeof *to->y);
  memcpy(to->state, from->state, (size_t)n * sizeof *to->state);
  to->residual = from->residual;
}

ConeSolution cone_solution_copy(Arena *arena, const ConeSolution *from, int n) {
  ConeSolution to = cone_solution_new(arena, n);
  cone_solution_put(from, n, &to);
  return to;
}

// ---- Groups

static int root_of(int *group, int i) {
  while (group[i] != i) i = group[i] = group[group[i]];
  return i;
}

static void join(int *group, int i, int j) {
  int a = root_of(group, i), b = root_of(group, j);
  group[a > b ? a : b] = a > b ? b : a;
}

int cone_groups(Arena *scratch, const ConeProblem *c, int *group) {
  Mark mark = arena_mark(scratch);
  int count = 0, *number = arena_array(scratch, int, c->n);
  for (int i = 0; i < c->n; i++) group[i] = i;
  for (int i = 0; i < c->n; i++) {
    if (c->row[i].kind == CONE_ABSENT) continue;
    if (c->row[i].kind == CONE_RUBS) join(group, i, c->row[i].of);
    for (int j = 0; j < i; j++) {
      double felt = fabs(c->W[(size_t)i * (size_t)c->n + (size_t)j]);
      if (c->row[j].kind != CONE_ABSENT &&
          felt > CONE_UNCOUPLED * cone_size(c, i) * cone_size(c, j))
        join(group, i, j);
    }
  }
  for (int i = 0; i < c->n; i++)
    if (root_of(group, i) == i) number[i] = count++;
  for (int i = c->n - 1; i >= 0; i--) group[i] = root_of(group, i);
  for (int i = 0; i < c->n; i++) group[i] = number[group[i]];
  arena_release(scratch, mark);
  return count;
}

// ---- One group

// From loads that are nearly right to the loads of their states.
static void polish(Arena *scratch, const ConeProblem *c, ConeSolution *out) {
  Mark mark = arena_mark(scratch);
  ConeSolution other = cone_solution_new(scratch, c->n);
  int open;
  double largest = 0;
  out->residual = cone_residual(c, out->z, out->y);
  for (int i = 0; i < c->n; i++)
    if (cone_size(c, i) > 0) largest = fmax(largest, fabs(c->y_0[i]) / cone_size(c, i));
  for (int i = 0; i < c->n; i++) {
    bool rests = fabs(out->y[i]) <= STILL * largest * cone_size(c, i);
    other.y[i] = rests ? 0 : out->y[i];
  }
  cone_find_states(c, out->z, other.y, out->state);
  if (cone_solve_states(scratch, c, out->state, other.z, &open)) {
    other.residual = cone_residual(c, other.z, other.y);
    if (open == 0 ? other.residual <= fmax(out->residual, DBL_EPSILON)
                  : other.residual < out->residual) {
      memcpy(out->z, other.z, (size_t)c->n * sizeof *out->z);
      out->residual = cone_residual(c, out->z, out->y);
    }
  }
  arena_release(scratch, mark);
}

// ---- Rows that must not move

typedef struct Held {
  int n, *row;
  double *A, *b, *x; // their own part of W in the metric of the masses, a right side, loads
} Held;

static Held list_held(Arena *scratch, const ConeProblem *c) {
  Held held = {.row = arena_array(scratch, int, c->n)};
  for (int i = 0; i < c->n; i++)
    if (c->row[i].kind == CONE_HOLDS && cone_size(c, i) > 0) held.row[held.n++] = i;
  size_t k = (size_t)held.n;
  held.A = arena_array(scratch, double, k *k);
  held.b = arena_array(scratch, double, k), held.x = arena_array(scratch, double, k);
  for (int u = 0; u < held.n; u++)
    for (int v = 0; v < held.n; v++) {
      int i = held.row[u], j = held.row[v];
      double own = u == v ? c->row[i].soft : 0;
      held.A[u * held.n + v] = (c->W[i * c->n + j] + own) / (cone_size(c, i) * cone_size(c, j));
    }
  return held;
}

// The loads that take the speeds y (stride apart) from what is held: held.x.
static bool hold(Arena *scratch, const Held *held, const ConeProblem *c, const double *y,
                 int stride) {
  for (int u = 0; u < held->n; u++)
    held->b[u] = -y[held->row[u] * stride] / cone_size(c, held->row[u]);
  if (svd_least_norm(scratch, held->n, held->n, held->A, held->b, SINGULAR, held->x, NULL) !=
      QDOT_OK)
    return false;
  for (int u = 0; u < held->n; u++) held->x[u] /= cone_size(c, held->row[u]);
  return true;
}

// What is held is taken out of the problem: what it does in answer to others goes into W and y_0.
static bool take_out_held(Arena *scratch, const Held *held, ConeProblem *c) {
  if (held->n == 0) return true;
  const ConeProblem whole = *c;
  int n = c->n;
  size_t all = (size_t)n;
  double *W = arena_array(scratch, double, all *all), *y_0 = arena_array(scratch, double, all);
  ConeRow *row = arena_array(scratch, ConeRow, all);
  memcpy(row, c->row, all * sizeof *row);
  memcpy(W, c->W, all * all * sizeof *W);
  memcpy(y_0, c->y_0, all * sizeof *y_0);
  for (int j = 0; j <= n; j++) { // the columns of W, then y_0
    if (!hold(scratch, held, c, j < n ? c->W + j : c->y_0, j < n ? n : 1)) return false;
    for (int i = 0; i < n; i++)
      for (int u = 0; u < held->n; u++)
        *(j < n ? &W[i * n + j] : &y_0[i]) += whole.W[i * n + held->row[u]] * held->x[u];
  }
  for (int i = 0; i < n; i++) // what is held, and what nothing moves any more
    if (row[i].kind == CONE_HOLDS || !(W[i * n + i] > UNMOVED * whole.W[i * n + i]))
      row[i].kind = CONE_ABSENT;
  c->W = W, c->y_0 = y_0, c->row = row;
  return true;
}

static void give_held(Arena *scratch, const Held *held, const ConeProblem *c, double *z) {
  Mark mark = arena_mark(scratch);
  double *y = arena_array(scratch, double, c->n);
  for (int u = 0; u < held->n; u++) z[held->row[u]] = 0;
  cone_residual(c, z, y);
  if (held->n > 0 && hold(scratch, held, c, y, 1))
    for (int u = 0; u < held->n; u++) z[held->row[u]] = held->x[u];
  arena_release(scratch, mark);
}

// ---- One group, solved

// The problem whose rows give way a little from where they are: its solutions lead to one of the
// problem (Rockafellar), whatever the compliance, where these are those of a monotone law.
static bool find_point(Arena *scratch, const ConeProblem *c, double soft, double *z) {
  Mark mark = arena_mark(scratch);
  ConeProblem near = *c;
  double *y_0 = arena_array(scratch, double, c->n);
  ConeRow *row = arena_array(scratch, ConeRow, c->n);
  for (int i = 0; i < c->n; i++) {
    double gives = soft * cone_size(c, i) * cone_size(c, i);
    row[i] = c->row[i];
    row[i].soft += gives;
    y_0[i] = c->y_0[i] - gives * z[i];
  }
  near.y_0 = y_0, near.row = row;
  bool found = cone_pivot(scratch, &near, z);
  arena_release(scratch, mark);
  return found;
}

static bool solve_group(Arena *scratch, const ConeProblem *whole, ConeSolution *out) {
  ConeProblem c = *whole;
  size_t bytes = (size_t)c.n * sizeof *out->z;
  double *best = arena_array(scratch, double, c.n), *point = arena_array(scratch, double, c.n);
  Held held = list_held(scratch, whole);
  if (!take_out_held(scratch, &held, &c)) return false;
  double least = INFINITY;
  if (cone_pivot(scratch, &c, out->z)) {
    give_held(scratch, &held, whole, out->z);
    polish(scratch, whole, out);
    memcpy(point, out->z, bytes);
    memcpy(best, out->z, bytes);
    least = out->residual;
  }
  double soft = FIRST_SOFT;
  for (int k = 0; k < MOST_POINTS && least > GOOD && soft <= MOST_SOFT; k++) {
    if (!find_point(scratch, &c, soft, point)) {
      soft *= 10;
      continue;
    }
    memcpy(out->z, point, bytes);
    give_held(scratch, &held, whole, out->z);
    polish(scratch, whole, out);
    if (out->residual < least) memcpy(best, out->z, bytes), least = out->residual;
  }
  memcpy(out->z, best, bytes);
  polish(scratch, whole, out);
  return least <= FAIR;
}

// ---- All of them

static ConeProblem part_of(Arena *scratch, const ConeProblem *c, const int *group, int which,
                           int *row) {
  int n = 0, *place = arena_array(scratch, int, c->n);
  for (int i = 0; i < c->n; i++)
    if (group[i] == which && c->row[i].kind != CONE_ABSENT) place[i] = n, row[n++] = i;
  double *W = arena_array(scratch, double, n *n), *y_0 = arena_array(scratch, double, n);
  ConeRow *rows = arena_array(scratch, ConeRow, n);
  for (int u = 0; u < n; u++) {
    rows[u] = c->row[row[u]];
    y_0[u] = c->y_0[row[u]];
    if (rows[u].kind == CONE_RUBS && c->row[rows[u].of].kind == CONE_ABSENT)
      rows[u].kind = CONE_ABSENT;
    if (rows[u].kind == CONE_RUBS) rows[u].of = place[rows[u].of];
    for (int v = 0; v < n; v++) W[u * n + v] = c->W[(size_t)row[u] * (size_t)c->n + (size_t)row[v]];
  }
  return (ConeProblem){.n = n, .W = W, .y_0 = y_0, .row = rows};
}

bool cone_solve(Arena *scratch, const ConeProblem *c, ConeSolution *out) {
  Mark mark = arena_mark(scratch);
  int *group = arena_array(scratch, int, c->n), *row = arena_array(scratch, int, c->n);
  int count = cone_groups(scratch, c, group);
  bool solved = true;
  memset(out->z, 0, (size_t)c->n * sizeof *out->z);
  memset(out->state, 0, (size_t)c->n * sizeof *out->state);
  for (int k = 0; k < count && solved; k++) {
    Mark inner = arena_mark(scratch);
    ConeProblem part = part_of(scratch, c, group, k, row);
    ConeSolution found = cone_solution_new(scratch, part.n);
    solved = part.n == 0 || solve_group(scratch, &part, &found);
    for (int u = 0; u < part.n; u++)
      out->z[row[u]] = found.z[u], out->state[row[u]] = found.state[u];
    arena_release(scratch, inner);
  }
  out->residual = cone_residual(c, out->z, out->y);
  arena_release(scratch, mark);
  return solved;
}

bool cone_push(Arena *scratch, int n, const double *W, const double *y_0, double *z) {
  Mark mark = arena_mark(scratch);
  ConeRow *row = arena_array(scratch, ConeRow, n);
  ConeSolution found = cone_solution_new(scratch, n);
  for (int i = 0; i < n; i++) row[i].kind = CONE_PUSHES;
  ConeProblem problem = {.n = n, .W = W, .y_0 = y_0, .row = row};
  bool solved = cone_solve(scratch, &problem, &found);
  if (solved) cone_share(scratch, &problem, &found);
  memcpy(z, found.z, (size_t)n * sizeof *z);
  arena_release(scratch, mark);
  return solved;
}
