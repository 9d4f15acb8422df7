// Shares of impulses.
#include "solve/touch/touch_share.h"

#include <math.h>
#include <string.h>

#include "cone/shares.h"
#include "solve/algebra/dense.h"

// By how much rounding may let a share use more than there is.
static const double FULL = 1 + 1e-9;

// What presses in an island. Unknowns are the loads, then the friction of those that rest.
typedef struct Sharing {
  int count, resting, open_count;
  Touch **at;
  int *own;        // by contact: its friction among the unknowns, 0: it slides or does not rub
  double *sliding; // by contact: friction that goes with its load
  double heaviest;
  double *open; // open_count rows of all unknowns, orthonormal
} Sharing;

static int unknowns(const Sharing *s) { return s->count + s->resting; }

// Those that are closed; how they move along decides what their friction may be.
static void take_states(Sharing *s, const Touches *t) {
  for (int i = 0; i < s->count; i++) {
    const Touch *c = s->at[i];
    s->heaviest = fmax(s->heaviest, c->p);
    if (!touch_rubs(c)) continue;
    double along = touch_along(c, t->v);
    bool rests = fabs(c->r) < c->mu * c->p * (1 - 1e-9) ||
                 fabs(along) <= TOUCH_FAIR * t->speed * c->size_rub;
    if (rests)
      s->own[i] = unknowns(s), s->resting++;
    else
      s->sliding[i] = along > 0 ? -c->mu : c->mu;
  }
}

static bool is_closed(const Touches *t, const Touch *c) {
  return c->p > 0 || (c->own_push > 0 && fabs(touch_apart(c, t->v) - c->aim) <=
                                             TOUCH_NEARLY * t->speed * c->size_push);
}

// Velocities of the island, numbered from 1 by where they are first met.
static int number_velocities(const Sharing *s, int *place) {
  int n = 0;
  for (int i = 0; i < s->count; i++) {
    const SparseRow *rows[] = {&s->at[i]->push, &s->at[i]->rub};
    for (int k = 0; k < 2; k++)
      for (int e = 0; e < rows[k]->n; e++)
        if (place[rows[k]->index[e]] == 0) place[rows[k]->index[e]] = ++n;
  }
  return n;
}

// What units of the unknowns make of the velocities, each in the measure of its mass.
static double *responses(const Sharing *s, Arena *arena, const int *place, int n) {
  double *A = arena_array(arena, double, (size_t)unknowns(s) * (size_t)n);
  double *force = arena_array(arena, double, n), *speed = arena_array(arena, double, n);
  for (int i = 0; i < s->count; i++) {
    const Touch *c = s->at[i];
    const SparseRow *rows[] = {&c->normal, &c->along}, *felt[] = {&c->push, &c->rub};
    for (int k = 0; k < 2; k++) {
      double *own = A + (size_t)(k == 0 || s->own[i] == 0 ? i : s->own[i]) * (size_t)n;
      double factor = k == 0 || s->own[i] > 0 ? 1 : s->sliding[i];
      for (int e = 0; e < rows[k]->n; e++)
        if (place[rows[k]->index[e]] > 0)
          force[place[rows[k]->index[e]] - 1] += fabs(rows[k]->value[e]);
      for (int e = 0; e < felt[k]->n; e++) {
        int j = place[felt[k]->index[e]] - 1;
        own[j] += factor * felt[k]->value[e];
        speed[j] += fabs(felt[k]->value[e]);
      }
    }
  }
  for (int k = 0; k < unknowns(s); k++)
    for (int j = 0; j < n; j++)
      if (force[j] > 0 && speed[j] > 0) A[k * n + j] *= sqrt(force[j] / speed[j]);
  return A;
}

static int straighten(int width, int count, double *open) {
  int kept = 0;
  for (int k = 0; k < count; k++) {
    double *row = open + (size_t)kept * (size_t)width;
    memmove(row, open + (size_t)k * (size_t)width, (size_t)width * sizeof *row);
    double before = dense_norm(width, row);
    for (int round = 0; round < 2; round++)
      for (int j = 0; j < kept; j++) {
        const double *other = open + (size_t)j * (size_t)width;
        dense_add(width, -dense_dot(width, row, other), other, row);
      }
    double left = dense_norm(width, row);
    if (!(left > SHARE_BALANCED * before)) continue;
    for (int i = 0; i < width; i++)
      row[i] = fabs(row[i]) > SHARE_NO_LOAD * left ? row[i] / left : 0;
    kept++;
  }
  return kept;
}

static double part_of(const Sharing *s, const Shares *shares, int unknown, double at_first) {
  double sum = at_first;
  for (int k = 0; k < s->open_count; k++) sum += shares->z[k] * s->open[k * unknowns(s) + unknown];
  return sum;
}

// Everything as a part of the heaviest load.
static Shares open_shares(const Sharing *s, Arena *arena) {
  Shares to = shares_new(arena, s->resting, s->count, s->open_count);
  int width = unknowns(s);
  for (int i = 0; i < s->count; i++) {
    const Touch *c = s->at[i];
    double p = c->p / s->heaviest, r = c->r / s->heaviest;
    int rub = s->own[i] - s->count;
    to.N_0[i] = p;
    if (s->own[i] > 0) to.x_0[rub] = r, to.c_0[rub] = c->mu * p, to.most[rub] = c->mu;
    for (int k = 0; k < s->open_count; k++) {
      const double *open = s->open + (size_t)k * (size_t)width;
      to.press[k * s->count + i] = open[i];
      to.pull[k] += p * open[i];
      if (s->own[i] == 0) continue;
      to.pull[k] += r * open[s->own[i]];
      to.open[k * s->resting + rub] = open[s->own[i]];
      to.grip[k * s->resting + rub] = c->mu * open[i];
    }
  }
  return to;
}

// The least of all impulses, if these need no friction, and none pulls.
static bool share_loads(const Sharing *s, Shares *shares) {
  for (int k = 0; k < s->open_count; k++) shares->z[k] = -shares->pull[k];
  if (shares_use(shares) > 0) return false;
  for (int i = 0; i < s->count; i++)
    if (part_of(s, shares, i, shares->N_0[i]) < 0) return false;
  return true;
}

static bool find_shares(const Sharing *s, Arena *arena, Shares *shares) {
  double use = 0;
  if (share_loads(s, shares)) return true;
  if (shares_are_wedged(arena, shares)) return shares_find_least(arena, shares);
  return shares_find(arena, shares, SHARE_PRICE, &use) && use <= FULL;
}

static void take_shares(const Sharing *s, const Shares *shares) {
  for (int i = 0; i < s->count; i++) {
    Touch *c = s->at[i];
    double p = fmax(0, part_of(s, shares, i, c->p / s->heaviest)), most = c->mu * p;
    double r =
        s->own[i] > 0 ? part_of(s, shares, s->own[i], c->r / s->heaviest) : s->sliding[i] * p;
    c->p = s->heaviest * p;
    c->r = s->heaviest * fmax(-most, fmin(most, r));
  }
}

static void share_island(Sharing *s, Arena *arena, const Touches *t) {
  s->own = arena_array(arena, int, s->count);
  s->sliding = arena_array(arena, double, s->count);
  take_states(s, t);
  if (!(s->heaviest > 0)) return;
  int *place = arena_array(arena, int, t->n), n = number_velocities(s, place);
  double *A = responses(s, arena, place, n);
  int count = shares_find_balances(arena, unknowns(s), n, A, &s->open);
  s->open_count = straighten(unknowns(s), count, s->open);
  if (s->open_count == 0) return;
  Shares shares = open_shares(s, arena);
  if (find_shares(s, arena, &shares)) take_shares(s, &shares);
}

void touches_share(Touches *t, Arena *arena, int contacts) {
  Mark all = arena_mark(arena);
  int *closed = arena_array(arena, int, t->count);
  bool *has_joint = arena_array(arena, bool, t->count);
  Touch **at = arena_array(arena, Touch *, t->count);
  for (int i = 0; i < t->count; i++) {
    const Touch *c = &t->at[i];
    if (c->contact >= contacts)
      has_joint[c->island] = true;
    else
      closed[c->island] += is_closed(t, c);
  }
  Mark mark = arena_mark(arena);
  for (int island = 0; island < t->count; island++) {
    if (closed[island] < 2 || closed[island] > TOUCH_MOST_SHARES || has_joint[island]) continue;
    Sharing s = {.at = at};
    for (int i = 0; i < t->count; i++)
      if (t->at[i].island == island && is_closed(t, &t->at[i])) at[s.count++] = &t->at[i];
    share_island(&s, arena, t);
    arena_release(arena, mark);
  }
  arena_release(arena, all);
}
