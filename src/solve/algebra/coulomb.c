// Coulomb's law as a linear complementarity problem, by Stewart and Trinkle: at rest r = up - down,
// up against v + s, down against -v + s, and the speed s against mu p - up - down.
#include "solve/algebra/coulomb.h"

#include <math.h>
#include <string.h>

#include "solve/algebra/lemke.h"

enum { MOST_TRIED = 3 }; // contacts whose states are all tried, and as many other ways of rubbing

static int rub_count(const Coulomb *c) { return c->n + c->more; }

static int contact_of(const Coulomb *c, int rub) { return rub < c->n ? rub : c->of[rub - c->n]; }

static double entry(const Coulomb *c, int row, int column) {
  return c->B[(size_t)row * (size_t)(c->n + rub_count(c)) + (size_t)column];
}

// Does it rub with a limit of its own?
static bool is_alone(const Coulomb *c, int rub) { return contact_of(c, rub) < 0; }

static bool may_rest(const Coulomb *c, int i) {
  double most = is_alone(c, i) ? c->most[i] : c->rub[i].mu;
  return most > 0 && !c->rub[i].direction;
}

// Contacts differ in what they move: unknowns are scaled so that each moves itself by 1.
static double scale_of(const Coulomb *c, int i) {
  double own = entry(c, i, i);
  return own > 0 ? 1 / sqrt(own) : 0;
}

// What rubs is measured by what presses; torques by their levers.
static double scale_of_rub(const Coulomb *c, int i) {
  if (is_alone(c, i)) return scale_of(c, c->n + i);
  return scale_of(c, contact_of(c, i)) * (i < c->n ? 1 : c->rub[i].mu);
}

// One unknown of the problem: what presses a contact, or at rest what pushes along it either way.
typedef struct Unknown {
  int rub; // of what presses: the first of the contact
  enum { PRESSES, PUSHES_UP, PUSHES_DOWN, SLIDES } kind;
} Unknown;

static double scale_of_unknown(const Coulomb *c, const Unknown *u) {
  return u->kind == PRESSES ? scale_of(c, u->rub) : scale_of_rub(c, u->rub);
}

// What a unit of an unknown pushes along the rub i.
static double push_of(const Coulomb *c, const Unknown *u, int i) {
  if (u->kind == PRESSES)
    return contact_of(c, i) == u->rub ? -c->rub[i].direction * c->rub[i].mu : 0;
  return i != u->rub ? 0 : (u->kind == PUSHES_UP) - (u->kind == PUSHES_DOWN);
}

// What unknown j brings to the condition of unknown i: w, v, -v, or what friction has left.
static double condition(const Coulomb *c, const Unknown *i, const Unknown *j) {
  int n = c->n;
  double scale = scale_of_unknown(c, i) * scale_of_unknown(c, j);
  if (i->kind == SLIDES) {
    if (j->kind == PRESSES)
      return contact_of(c, i->rub) == j->rub ? (i->rub < n ? c->rub[i->rub].mu : 1) : 0;
    return i->rub == j->rub && j->kind != SLIDES ? -1 : 0;
  }
  if (j->kind == SLIDES) return i->rub == j->rub && i->kind != PRESSES;
  int row = i->kind == PRESSES ? i->rub : n + i->rub;
  double rate = push_of(c, j, j->rub) * entry(c, row, n + j->rub);
  if (j->kind == PRESSES) {
    rate += entry(c, row, j->rub);
    for (int k = n; k < rub_count(c); k++) rate += push_of(c, j, k) * entry(c, row, n + k);
  }
  return scale * (i->kind == PUSHES_DOWN ? -rate : rate);
}

static double condition_before(const Coulomb *c, const Unknown *i) {
  double s = scale_of_unknown(c, i);
  switch (i->kind) {
  case PRESSES: return s * c->w[i->rub];
  case PUSHES_UP: return s * c->v[i->rub];
  case PUSHES_DOWN: return -s * c->v[i->rub];
  default: return is_alone(c, i->rub) ? c->most[i->rub] / s : 0;
  }
}

// By contact: what presses, then its own ways of rubbing, where it may rest in them; then what rubs
// alone.
static int list_unknowns(const Coulomb *c, Unknown *all) {
  int size = 0;
  for (int i = 0; i < c->n; i++) {
    if (scale_of(c, i) == 0 || (c->absent && c->absent[i])) continue; // no force
    all[size++] = (Unknown){i, PRESSES};
    for (int k = 0; k < rub_count(c); k++)
      for (int kind = PUSHES_UP; kind <= SLIDES && contact_of(c, k) == i && may_rest(c, k); kind++)
        all[size++] = (Unknown){k, kind};
  }
  for (int k = c->n; k < rub_count(c); k++) {
    bool moves = is_alone(c, k) && scale_of_rub(c, k) > 0 && may_rest(c, k);
    for (int kind = PUSHES_UP; kind <= SLIDES && moves; kind++) all[size++] = (Unknown){k, kind};
  }
  return size;
}

bool coulomb_solve(Arena *scratch, const Coulomb *c, double *p, double *r) {
  Mark mark = arena_mark(scratch);
  Unknown *all = arena_array(scratch, Unknown, 4 * (size_t)rub_count(c));
  int size = list_unknowns(c, all);
  double *M = arena_array(scratch, double, (size_t)size *(size_t)size);
  double *q = arena_array(scratch, double, size), *z = arena_array(scratch, double, size);
  for (int i = 0; i < size; i++) {
    q[i] = condition_before(c, &all[i]);
    for (int j = 0; j < size; j++) M[i * size + j] = condition(c, &all[i], &all[j]);
  }
  bool solved = lemke_solve(scratch, size, M, q, z);
  memset(p, 0, (size_t)c->n * sizeof *p);
  memset(r, 0, (size_t)rub_count(c) * sizeof *r);
  for (int i = 0; i < size; i++) {
    double value = scale_of_unknown(c, &all[i]) * z[i];
    if (all[i].kind == SLIDES) continue;
    if (all[i].kind == PRESSES) p[all[i].rub] += value;
    for (int k = 0; k < rub_count(c); k++) {
      double push = push_of(c, &all[i], k);
      if (push != 0) r[k] += push * value;
    }
  }
  arena_release(scratch, mark);
  return solved;
}

// ---- Other solutions

typedef enum State { OPEN, RESTS, SLIDES_UP, SLIDES_DOWN, STATES } State;

static State state_of(const Coulomb *c, int i, const double *p, const double *r) {
  double pressed = p[contact_of(c, i)];
  if (!(pressed > 0)) return OPEN;
  double most = c->rub[i].mu * pressed;
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

// Is there a solution in which every contact is in the given states, clearly so?
static bool is_consistent(const Coulomb *c, const State *state) {
  enum { MOST = 3 * MOST_TRIED };
  int n = c->n, rubs = rub_count(c), all = n + rubs;
  double A[MOST * MOST] = {0}, x[MOST] = {0}, size_w = 0, size_v = 0;
  for (int i = 0; i < n; i++) {
    bool open = state[i] == OPEN;
    for (int j = 0; j < all && !open; j++) A[i * all + j] = entry(c, i, j);
    if (open) A[i * all + i] = 1;
    x[i] = open ? 0 : -c->w[i];
    size_w = fmax(size_w, fabs(c->w[i]));
  }
  for (int i = 0; i < rubs; i++) {
    bool open = state[i] == OPEN, rests = state[i] == RESTS;
    double share = open || rests ? 0 : (state[i] == SLIDES_UP ? -1 : 1) * c->rub[i].mu;
    for (int j = 0; j < all && rests; j++) A[(n + i) * all + j] = entry(c, n + i, j);
    if (rests) x[n + i] = -c->v[i];
    if (!rests) A[(n + i) * all + n + i] = 1, A[(n + i) * all + contact_of(c, i)] = -share;
    size_v = fmax(size_v, fabs(c->v[i]));
  }
  if (!solve_small(all, A, x)) return false;
  for (int i = 0; i < rubs; i++) {
    int contact = contact_of(c, i);
    double w = c->w[contact], v = c->v[i], pressed = x[contact];
    for (int j = 0; j < all; j++) w += entry(c, contact, j) * x[j], v += entry(c, n + i, j) * x[j];
    if (state[i] == OPEN && !(w > 1e-9 * size_w)) return false;
    if (state[i] != OPEN && !(pressed > 0)) return false;
    if (state[i] == RESTS && !(fabs(x[n + i]) < c->rub[i].mu * pressed * (1 - 1e-9))) return false;
    bool starts = state[i] > RESTS && may_rest(c, i);
    if (starts && !((state[i] == SLIDES_UP ? v : -v) > 1e-9 * (size_v + size_w))) return false;
  }
  return true;
}

// May it be in this state? One that opens does so in all ways in which it rubs.
static bool is_allowed(const Coulomb *c, int i, const State *tried) {
  const Rub *rub = &c->rub[i];
  bool opens = tried[contact_of(c, i)] == OPEN;
  if ((tried[i] == OPEN) != opens) return false;
  if (opens) return true;
  if (rub->mu == 0) return tried[i] == SLIDES_UP;
  return !rub->direction || tried[i] == (rub->direction > 0 ? SLIDES_UP : SLIDES_DOWN);
}

bool coulomb_is_ambiguous(const Coulomb *c, const double *p, const double *r) {
  if (c->n > MOST_TRIED || c->more > MOST_TRIED) return false;
  for (int i = 0; i < c->more; i++)
    if (c->of[i] < 0) return false;
  State found[2 * MOST_TRIED], tried[2 * MOST_TRIED];
  int count = 1;
  for (int i = 0; i < rub_count(c); i++) {
    found[i] = state_of(c, i, p, r);
    count *= STATES;
  }
  for (int code = 0; code < count; code++) {
    bool allowed = true, same = true;
    for (int i = 0, rest = code; i < rub_count(c); i++, rest /= STATES)
      tried[i] = (State)(rest % STATES);
    for (int i = 0; i < rub_count(c) && allowed; i++) {
      allowed = is_allowed(c, i, tried);
      bool both_smooth = c->rub[i].mu == 0 && tried[i] != OPEN && found[i] != OPEN;
      same = same && (tried[i] == found[i] || both_smooth);
    }
    if (allowed && !same && is_consistent(c, tried)) return true;
  }
  return false;
}
