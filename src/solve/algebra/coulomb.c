// Coulomb's law as a linear complementarity problem, by Stewart and Trinkle: at rest r = up - down,
// up against v + s, down against -v + s, and the speed s against mu p - up - down.
#include "solve/algebra/coulomb.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/lemke.h"

enum { MOST_TRIED = 3 }; // contacts whose states are all tried

static double entry(const Coulomb *c, int row, int column) {
  return c->B[(size_t)row * (size_t)(2 * c->n) + (size_t)column];
}

static bool may_rest(const Coulomb *c, int i) { return c->rub[i].mu > 0 && !c->rub[i].direction; }

// Contacts differ in what they move: unknowns are scaled so that each moves itself by 1.
static double scale_of(const Coulomb *c, int i) {
  double own = entry(c, i, i);
  return own > 0 ? 1 / sqrt(own) : 0;
}

// One unknown of the problem: what presses a contact, or at rest what pushes along it either way.
typedef struct Unknown {
  int contact;
  enum { PRESSES, PUSHES_UP, PUSHES_DOWN, SLIDES } kind;
} Unknown;

// p and r of a unit of an unknown.
static void shares_of(const Coulomb *c, const Unknown *u, double *p, double *r) {
  const Rub *rub = &c->rub[u->contact];
  *p = u->kind == PRESSES;
  *r = u->kind == PRESSES ? -rub->direction * rub->mu
                          : (u->kind == PUSHES_UP) - (u->kind == PUSHES_DOWN);
}

// What unknown j brings to the condition of unknown i: w, v, -v, or what friction has left.
static double condition(const Coulomb *c, const Unknown *i, const Unknown *j) {
  int n = c->n, a = i->contact, b = j->contact;
  double p, r, scale = scale_of(c, a) * scale_of(c, b);
  if (i->kind == SLIDES)
    return a != b ? 0 : j->kind == PRESSES ? c->rub[a].mu : j->kind == SLIDES ? 0 : -1;
  if (j->kind == SLIDES) return a == b && i->kind != PRESSES;
  shares_of(c, j, &p, &r);
  int row = i->kind == PRESSES ? a : n + a;
  double rate = scale * (p * entry(c, row, b) + r * entry(c, row, n + b));
  return i->kind == PUSHES_DOWN ? -rate : rate;
}

static double condition_before(const Coulomb *c, const Unknown *i) {
  double s = scale_of(c, i->contact);
  switch (i->kind) {
  case PRESSES: return s * c->w[i->contact];
  case PUSHES_UP: return s * c->v[i->contact];
  case PUSHES_DOWN: return -s * c->v[i->contact];
  default: return 0;
  }
}

bool coulomb_solve(Arena *scratch, const Coulomb *c, double *p, double *r) {
  Mark mark = arena_mark(scratch);
  Unknown *all = arena_array(scratch, Unknown, 4 * (size_t)c->n);
  int size = 0;
  for (int i = 0; i < c->n; i++) {
    p[i] = r[i] = 0;
    if (scale_of(c, i) == 0) continue; // nothing moves it: no force
    for (int kind = PRESSES; kind <= SLIDES; kind++)
      if (kind == PRESSES || may_rest(c, i)) all[size++] = (Unknown){i, kind};
  }
  double *M = arena_array(scratch, double, (size_t)size *(size_t)size);
  double *q = arena_array(scratch, double, size), *z = arena_array(scratch, double, size);
  for (int i = 0; i < size; i++) {
    q[i] = condition_before(c, &all[i]);
    for (int j = 0; j < size; j++) M[i * size + j] = condition(c, &all[i], &all[j]);
  }
  bool solved = lemke_solve(scratch, size, M, q, z);
  for (int i = 0; i < size; i++) {
    double share_p, share_r, value = scale_of(c, all[i].contact) * z[i];
    if (all[i].kind == SLIDES) continue;
    shares_of(c, &all[i], &share_p, &share_r);
    p[all[i].contact] += share_p * value;
    r[all[i].contact] += share_r * value;
  }
  arena_release(scratch, mark);
  return solved;
}

// ---- Other solutions

typedef enum State { OPEN, RESTS, SLIDES_UP, SLIDES_DOWN, STATES } State;

static State state_of(const Coulomb *c, int i, const double *p, const double *r) {
  if (!(p[i] > 0)) return OPEN;
  double most = c->rub[i].mu * p[i];
  if (c->rub[i].direction || !(fabs(r[i]) < most * (1 - 1e-9)))
    return r[i] < 0 ? SLIDES_UP : SLIDES_DOWN;
  return RESTS;
}

// Solves A x = b by elimination with pivots; false when A is singular to rounding.
static bool solve_small(int n, double *A, double *b) {
  for (int k = 0; k < n; k++) {
    int best = k;
    double largest = 0;
    for (int i = 0; i < n; i++)
      for (int j = k; j < n; j++) largest = fmax(largest, fabs(A[i * n + j]));
    for (int i = k + 1; i < n; i++)
      if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
    if (!(fabs(A[best * n + k]) > 1e-10 * largest)) return false;
    for (int j = 0; j < n; j++) {
      double swap = A[k * n + j];
      A[k * n + j] = A[best * n + j], A[best * n + j] = swap;
    }
    double swap = b[k];
    b[k] = b[best], b[best] = swap;
    for (int i = 0; i < n; i++) {
      double factor = A[i * n + k] / A[k * n + k];
      if (i == k || factor == 0) continue;
      for (int j = k; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (int k = 0; k < n; k++) b[k] /= A[k * n + k];
  return true;
}

// Is there a solution in which every contact is in the given state, clearly so?
static bool is_consistent(const Coulomb *c, const State *state) {
  enum { MOST = 2 * MOST_TRIED };
  int n = c->n, all = 2 * n;
  double A[MOST * MOST] = {0}, x[MOST] = {0}, size_w = 0, size_v = 0;
  for (int i = 0; i < n; i++) {
    bool open = state[i] == OPEN, rests = state[i] == RESTS;
    double share = open || rests ? 0 : (state[i] == SLIDES_UP ? -1 : 1) * c->rub[i].mu;
    for (int j = 0; j < all && !open; j++) A[i * all + j] = entry(c, i, j);
    if (open) A[i * all + i] = 1;
    x[i] = open ? 0 : -c->w[i];
    for (int j = 0; j < all && rests; j++) A[(n + i) * all + j] = entry(c, n + i, j);
    if (rests) x[n + i] = -c->v[i];
    if (!rests) A[(n + i) * all + n + i] = 1, A[(n + i) * all + i] = -share;
    size_w = fmax(size_w, fabs(c->w[i])), size_v = fmax(size_v, fabs(c->v[i]));
  }
  if (!solve_small(all, A, x)) return false;
  for (int i = 0; i < n; i++) {
    double w = c->w[i], v = c->v[i];
    for (int j = 0; j < all; j++) w += entry(c, i, j) * x[j], v += entry(c, n + i, j) * x[j];
    if (state[i] == OPEN && !(w > 1e-9 * size_w)) return false;
    if (state[i] != OPEN && !(x[i] > 0)) return false;
    if (state[i] == RESTS && !(fabs(x[n + i]) < c->rub[i].mu * x[i] * (1 - 1e-9))) return false;
    bool starts = state[i] > RESTS && may_rest(c, i);
    if (starts && !((state[i] == SLIDES_UP ? v : -v) > 1e-9 * (size_v + size_w))) return false;
  }
  return true;
}

bool coulomb_is_ambiguous(const Coulomb *c, const double *p, const double *r) {
  if (c->n > MOST_TRIED) return false;
  State found[MOST_TRIED], tried[MOST_TRIED];
  int count = 1;
  for (int i = 0; i < c->n; i++) {
    found[i] = state_of(c, i, p, r);
    count *= STATES;
  }
  for (int code = 0; code < count; code++) {
    bool allowed = true, same = true;
    for (int i = 0, rest = code; i < c->n; i++, rest /= STATES) {
      tried[i] = (State)(rest % STATES);
      const Rub *rub = &c->rub[i];
      if (rub->mu == 0) allowed = allowed && (tried[i] == OPEN || tried[i] == SLIDES_UP);
      if (rub->direction)
        allowed = allowed &&
                  (tried[i] == OPEN || tried[i] == (rub->direction > 0 ? SLIDES_UP : SLIDES_DOWN));
      bool both_smooth = rub->mu == 0 && tried[i] != OPEN && found[i] != OPEN;
      same = same && (tried[i] == found[i] || both_smooth);
    }
    if (allowed && !same && is_consistent(c, tried)) return true;
  }
  return false;
}
