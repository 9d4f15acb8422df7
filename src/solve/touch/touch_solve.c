// Sweeps over contacts, Newton's, a path, convex problems, Lemke's: what is left of the miss
// decides.
#include "solve/touch/touch_solve.h"

#include <math.h>
#include <string.h>

#include "cone/cone.h"
#include "solve/touch/touch_bounce.h"
#include "solve/touch/touch_follow.h"
#include "solve/touch/touch_islands.h"
#include "solve/touch/touch_settle.h"

enum { FIRST_SWEEPS = 12, MORE_SWEEPS = 40, MOST_PIVOTED = 24 };

// ---- Sweeps

// Each contact in turn; returns the largest change, as a speed in the metric of the masses.
static double sweep(Touches *t, bool back) {
  double largest = 0;
  for (int k = 0; k < t->count; k++) {
    Touch *c = &t->at[back ? t->count - 1 - k : k];
    if (!(c->own_push > 0)) continue;
    double p = c->p - (touch_apart(c, t->v) - c->aim) / c->own_push;
    if (p < 0) p = 0;
    double change = fabs(p - c->p) * c->size_push;
    if (p != c->p) sparse_add(&c->push, p - c->p, t->v);
    if (change > largest) largest = change;
    c->p = p;
    if (!touch_rubs(c)) continue;
    double most = c->mu * p, r = c->r - touch_along(c, t->v) / c->own_rub;
    if (r > most) r = most;
    if (r < -most) r = -most;
    change = fabs(r - c->r) * c->size_rub;
    if (r != c->r) sparse_add(&c->rub, r - c->r, t->v);
    if (change > largest) largest = change;
    c->r = r;
  }
  return largest;
}

static void measure(Touches *t) {
  for (int i = 0; i < t->count; i++) {
    Touch *c = &t->at[i];
    c->size_push = sqrt(c->own_push), c->size_rub = sqrt(c->own_rub);
    if (c->own_push > 0)
      t->speed = fmax(t->speed, fabs(sparse_dot(&c->normal, t->v)) / c->size_push);
    if (touch_rubs(c)) t->speed = fmax(t->speed, fabs(sparse_dot(&c->along, t->v)) / c->size_rub);
  }
}

static void keep_impulses(const Touches *t, double *kept) {
  for (int i = 0; i < t->count; i++) kept[2 * i] = t->at[i].p, kept[2 * i + 1] = t->at[i].r;
}

static void take_impulses(Touches *t, const double *kept, const double *v_free) {
  for (int i = 0; i < t->count; i++) t->at[i].p = kept[2 * i], t->at[i].r = kept[2 * i + 1];
  touches_renew(t, v_free);
}

// Sweeps until they change no more than a part of the largest speed, or that many; the miss.
static double sweep_until(Touches *t, double part, int most, double *scale) {
  double miss = touches_miss(t, scale), change = miss;
  for (int k = 0; k < most && change > part * *scale; k++) {
    change = sweep(t, t->sweeps++ % 2);
    if (k % 8 == 7) touches_miss(t, scale);
  }
  return touches_miss(t, scale);
}

// ---- Lemke's method

// All of them at once as a linear complementarity problem, which always ends.
static bool pivot(Touches *t, const TouchMatrix *m, const double *v_free, Arena *arena) {
  int k = t->count, all = 2 * k;
  double *B = arena_array(arena, double, (size_t)all *(size_t)all);
  double *y_0 = arena_array(arena, double, all);
  ConeRow *row = arena_array(arena, ConeRow, all);
  ConeSolution found = cone_solution_new(arena, all);
  for (int j = 0; j < k; j++)
    for (int n = m->first[j]; n < m->first[j + 1]; n++) {
      const TouchPair *pair = &m->pairs.at[n];
      double *apart = B + (size_t)pair->other * (size_t)all,
             *along = apart + (size_t)k * (size_t)all;
      apart[j] = pair->nn, apart[k + j] = pair->nt;
      along[j] = pair->tn, along[k + j] = pair->tt;
    }
  for (int i = 0; i < k; i++) {
    const Touch *c = &t->at[i];
    y_0[i] = touch_apart(c, v_free) - c->aim;
    y_0[k + i] = touch_rubs(c) ? touch_along(c, v_free) : 0;
    row[i] = (ConeRow){.kind = CONE_PUSHES};
    row[k + i] = (ConeRow){.kind = CONE_RUBS, .of = i, .mu = touch_rubs(c) ? c->mu : 0};
  }
  ConeProblem problem = {.n = all, .W = B, .y_0 = y_0, .row = row};
  if (!cone_solve(arena, &problem, &found)) return false;
  for (int i = 0; i < k; i++) t->at[i].p = found.z[i], t->at[i].r = found.z[k + i];
  touches_renew(t, v_free);
  return true;
}

// ---- All ways, one after the other

// Takes what a way has found, or what was kept before where that is not better; the miss.
static double better_of(Touches *t, bool found, double miss, const double *kept,
                        const double *v_free, double *scale) {
  double left = found ? touches_miss(t, scale) : INFINITY;
  if (left < miss) return left;
  take_impulses(t, kept, v_free);
  return miss;
}

// Newton's method on the states that the impulses tell.
static double newton(Touches *t, TouchMatrix *matrix, const double *v_free, double miss,
                     double *kept, TouchState *state, double *scale) {
  keep_impulses(t, kept);
  touches_guess_states(t, *scale, state);
  bool found = touches_tell_states(t, matrix, v_free, *scale, state);
  return better_of(t, found, miss, kept, v_free, scale);
}

// Along paths to who presses, rests and slides, with contacts that give way less and less, and at
// last from no impulses at all; the best of what they find. Where contacts give way, they share
// their load in one way only, and few have to change.
static double follow_paths(Touches *t, TouchMatrix *matrix, const double *v_free, double miss,
                           TouchState *state, double *scale) {
  static const struct {
    int try;
    double soft;
    bool is_careful;
  } paths[] = {{0, 1e-4, false},
               {0, 1e-6, false},
               {0, TOUCH_GOOD, false},
               // the same in smaller parts
               {0, 1e-2, false},
               {0, 1e-3, false},
               {0, 1e-4, false},
               {0, 1e-5, false},
               {0, 1e-6, false},
               {0, 1e-7, false},
               {0, TOUCH_GOOD, false},
               {1, TOUCH_GOOD, true},
               {2, TOUCH_GOOD, true},
               {3, TOUCH_GOOD, true}};
  enum { PATHS = sizeof paths / sizeof *paths };
  double *best = arena_array(matrix->arena, double, 2 * (size_t)t->count);
  double *kept = arena_array(matrix->arena, double, 2 * (size_t)t->count);
  keep_impulses(t, best);
  for (int k = 0; k < PATHS && miss > TOUCH_NEARLY * *scale; k++) {
    keep_impulses(t, kept);
    if (!touches_follow_path(t, matrix, v_free, *scale, paths[k].try, paths[k].soft,
                             paths[k].is_careful, state)) {
      take_impulses(t, kept, v_free);
      continue;
    }
    keep_impulses(t, kept);
    double left = touches_miss(t, scale);
    bool found = touches_tell_states(t, matrix, v_free, *scale, state);
    left = better_of(t, found, left, kept, v_free, scale);
    if (left < miss) keep_impulses(t, best), miss = left;
  }
  take_impulses(t, best, v_free);
  return touches_miss(t, scale);
}

static double solve_together(Touches *t, Arena *arena, const double *v_free, double miss,
                             double *scale) {
  TouchMatrix matrix;
  double *kept = arena_array(arena, double, 2 * (size_t)t->count);
  TouchState *state = arena_array(arena, TouchState, t->count);
  touch_matrix_open(&matrix, arena, t);
  miss = newton(t, &matrix, v_free, miss, kept, state, scale);
  if (miss > TOUCH_GOOD * *scale) {
    miss = sweep_until(t, TOUCH_SAME, MORE_SWEEPS, scale);
    miss = newton(t, &matrix, v_free, miss, kept, state, scale);
  }
  if (miss > TOUCH_NEARLY * *scale) miss = follow_paths(t, &matrix, v_free, miss, state, scale);
  if (miss > TOUCH_FAIR * *scale) {
    keep_impulses(t, kept);
    touches_settle(t, &matrix, v_free, *scale, state);
    miss = better_of(t, true, miss, kept, v_free, scale);
  }
  if (miss > TOUCH_NEARLY * *scale && t->count <= MOST_PIVOTED) {
    keep_impulses(t, kept);
    bool found = pivot(t, &matrix, v_free, arena);
    miss = better_of(t, found, miss, kept, v_free, scale);
  }
  return miss;
}

// Impulses without bounces; the miss.
static double solve_still(Touches *t, Arena *arena, const double *v_free, double *scale) {
  Mark mark = arena_mark(arena);
  touches_renew(t, v_free);
  double miss = sweep_until(t, TOUCH_SAME, FIRST_SWEEPS, scale);
  if (miss > TOUCH_SAME * *scale) miss = solve_together(t, arena, v_free, miss, scale);
  arena_release(arena, mark);
  for (int i = 0; i < t->count; i++) t->at[i].still_p = t->at[i].p, t->at[i].still_r = t->at[i].r;
  return miss;
}

// What is slower than the law is met by does not bounce.
static bool any_bounces(Touches *t) {
  bool any = false;
  for (int i = 0; i < t->count; i++) {
    Touch *c = &t->at[i];
    if (!(c->bounce > TOUCH_NEARLY * t->speed * c->size_push)) c->bounce = 0;
    any = any || c->bounce > 0;
  }
  return any;
}

// Bounces that make no energy; where none are found, nothing bounces. The miss.
static double add_bounces(Touches *t, Arena *arena, const double *v_free, double miss,
                          double *scale) {
  Mark mark = arena_mark(arena);
  TouchMatrix matrix;
  double *aim = arena_array(arena, double, t->count);
  double *kept = arena_array(arena, double, 2 * (size_t)t->count), with_bounces = *scale;
  TouchState *state = arena_array(arena, TouchState, t->count);
  for (int i = 0; i < t->count; i++) aim[i] = t->at[i].aim;
  touch_matrix_open(&matrix, arena, t);
  t->lowered = touches_bounce(t, &matrix, v_free, state) < 1;
  keep_impulses(t, kept);
  double left = touches_miss(t, &with_bounces);
  bool found = touches_tell_states(t, &matrix, v_free, with_bounces, state);
  left = better_of(t, found, left, kept, v_free, &with_bounces);
  bool is_lawful = left <= fmax(TOUCH_NEARLY * with_bounces, miss);
  if (is_lawful && touches_made(t) <= TOUCH_NEARLY * t->speed * t->speed) {
    *scale = with_bounces;
    miss = left;
  } else {
    for (int i = 0; i < t->count; i++) {
      Touch *c = &t->at[i];
      c->aim = aim[i], c->p = c->still_p, c->r = c->still_r;
    }
    touches_renew(t, v_free);
    t->lowered = 1;
  }
  arena_release(arena, mark);
  return miss;
}

static void solve_island(Touches *t, Arena *arena) {
  Mark mark = arena_mark(arena);
  double scale = 0, *v_free = arena_array(arena, double, t->n);
  memcpy(v_free, t->v, (size_t)t->n * sizeof *t->v);
  double miss = solve_still(t, arena, v_free, &scale);
  if (t->before && any_bounces(t)) miss = add_bounces(t, arena, v_free, miss, &scale);
  t->residual = scale > 0 ? miss / scale : 0;
  arena_release(arena, mark);
}

void touches_solve(Touches *t, Arena *arena) {
  Mark mark = arena_mark(arena);
  TouchIsland *islands;
  measure(t);
  t->lowered = 0;
  t->residual = 0;
  for (int k = 0, count = touch_islands(t, arena, &islands); k < count; k++) {
    solve_island(&islands[k].touches, arena);
    touch_island_give(&islands[k], t);
    t->lowered += islands[k].touches.lowered;
    t->residual = fmax(t->residual, islands[k].touches.residual);
  }
  arena_release(arena, mark);
}
