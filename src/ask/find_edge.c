// Walks along edges: the steps of a linear model that are kept on the side where runs can tell.
#include "ask/find_edge.h"

#include <math.h>
#include <string.h>

#include "ask/draw.h"
#include "ask/nonlinear.h"
#include "solve/algebra/dense.h"
#include "solve/algebra/svd.h"

enum { MOST_HALVES = 40 };
enum { MOST_STEPS = 80, MOST_LINEAR = 200, MOST_MENDED = 4, AROUND = 25, MOST_FAILED = 9 };
static const double FIRST = 0.1, LONGEST = 0.3, SHORTEST = 1e-8; // steps, as parts of the ranges
static const double MENDED = 1e-3;  // the same: what is broken only just
static const double AT_ONCE = 1e-9; // the same: no way
static const double NOTHING = 1e-3; // a gain over the whole range that is none
// How far from a condition a step is kept, as a part of its length: what bends is not crossed.
static const double margins[] = {0, 0.1, 0.5};
enum { MARGINS = sizeof margins / sizeof *margins };

// A run and its slopes, all by parts of the ranges.
typedef struct EdgePlace {
  double *u, value, *gradient, *conditions, *slopes;
} EdgePlace;

typedef struct Walk {
  FindSearch *s;
  uint32_t n, equal, conditions;
  EdgePlace here, next;
  double step, margin;
} Walk;

static EdgePlace new_place(const Walk *w, Arena *arena) {
  return (EdgePlace){.u = arena_array(arena, double, w->n),
                     .gradient = arena_array(arena, double, w->n),
                     .conditions = arena_array(arena, double, w->conditions + 1),
                     .slopes = arena_array(arena, double, (size_t)w->conditions * w->n + 1)};
}

static bool look(Walk *w, EdgePlace *p) {
  return find_look(w->s, p->u, &p->value, p->gradient, p->conditions, p->slopes) != QDOT_STOPPED;
}

// ---- Halves

// Is anything better a little way towards the place beyond?
static bool leads_on(FindSearch *s, const double *from, double *room) {
  for (uint32_t j = 0; j < s->find->count; j++) room[j] = from[j] + 1e-3 * (s->beyond[j] - from[j]);
  if (find_run(s, room) == QDOT_STOPPED) return false;
  return !s->is_good || find_broken(s) > FIND_MET || find_merit(s) < s->kept_merit;
}

// From a place that is fine towards the one beyond which nothing can be told.
static void halve_from(FindSearch *s, double *good, double *middle) {
  bool jumps = s->kept.jumps;
  double beside = s->kept.beside;
  uint32_t n = s->find->count;
  bool goes = leads_on(s, good, middle);
  for (int k = 0; goes && k < MOST_HALVES; k++) {
    double apart = 0;
    for (uint32_t j = 0; j < n; j++) {
      middle[j] = 0.5 * (good[j] + s->beyond[j]);
      apart = fmax(apart, fabs(good[j] - s->beyond[j]) / (s->find->high[j] - s->find->low[j]));
    }
    if (apart < 1e-11 || find_run(s, middle) == QDOT_STOPPED) break;
    bool is_fine =
        s->is_good && find_broken(s) <= FIND_MET && (!jumps || find_merit(s) < s->kept_merit);
    if (is_fine) find_keep_if_better(s, middle);
    memcpy(is_fine ? good : s->beyond, middle, n * sizeof *good);
  }
  s->kept.jumps = jumps, s->kept.beside = beside;
}

// Of one unknown: the edge in between has been found before.
static bool knows_edge(const FindSearch *s) {
  const Found *best = &s->find->best;
  if (s->find->count > 1 || s->aim == UINT32_MAX || !find_is_met(s, best)) return false;
  double from = s->kept.x[0], way = (best->x[0] - from) / (s->beyond[0] - from);
  double sign = aim_sign(find_aim(s, s->aim));
  return way > 0 && way < 1 && sign * best->value < sign * s->kept.value;
}

void find_halve(FindSearch *s) {
  uint32_t n = s->find->count;
  if (knows_edge(s)) {
    s->kept = s->find->best;
    return;
  }
  Mark mark = arena_mark(&s->find->cx->scratch);
  double *good = arena_array(&s->find->cx->scratch, double, 2 * (size_t)n);
  memcpy(good, s->kept.x, n * sizeof *good);
  halve_from(s, good, good + n);
  arena_release(&s->find->cx->scratch, mark);
}

// ---- A step of the linear model

// The place v of the box around here, each side from 0 to 1.
static double in_box(const Walk *w, uint32_t j, double v) {
  double low = fmax(0, w->here.u[j] - w->step), high = fmin(1, w->here.u[j] + w->step);
  return low + v * (high - low);
}

static double side(const Walk *w, uint32_t j) { return in_box(w, j, 1) - in_box(w, j, 0); }

static bool linear_model(void *user, const double *v, double *value, double *gradient,
                         double *conditions, double *slopes) {
  Walk *w = user;
  *value = 0;
  for (uint32_t j = 0; j < w->n; j++) {
    *value += w->here.gradient[j] * (in_box(w, j, v[j]) - w->here.u[j]) / w->step;
    gradient[j] = w->here.gradient[j] * side(w, j) / w->step;
  }
  for (uint32_t i = 0; i < w->conditions; i++) {
    const double *a = w->here.slopes + (size_t)i * w->n;
    double size = fmax(dense_norm((int)w->n, a), 1e-300), c = w->here.conditions[i];
    for (uint32_t j = 0; j < w->n; j++) c += a[j] * (in_box(w, j, v[j]) - w->here.u[j]);
    conditions[i] = c / size / w->step + (i < w->equal ? 0 : w->margin);
    for (uint32_t j = 0; j < w->n; j++)
      slopes[(size_t)i * w->n + j] = a[j] / size / w->step * side(w, j);
  }
  return true;
}

// What the linear model promises of the step to the next place, for each part of the ranges.
static double promise(const Walk *w) {
  double gain = 0;
  for (uint32_t j = 0; j < w->n; j++)
    gain -= w->here.gradient[j] * (w->next.u[j] - w->here.u[j]) / w->step;
  return gain;
}

static void choose_next(Walk *w) {
  Nonlinear problem = {.n = w->n,
                       .equal = w->equal,
                       .below = w->conditions - w->equal,
                       .user = w,
                       .evaluate = linear_model,
                       .most = MOST_LINEAR,
                       .near = 1e-12};
  for (uint32_t j = 0; j < w->n; j++)
    w->next.u[j] = side(w, j) > 0 ? (w->here.u[j] - in_box(w, j, 0)) / side(w, j) : 0;
  nonlinear_descend(&problem, w->next.u);
  for (uint32_t j = 0; j < w->n; j++) w->next.u[j] = in_box(w, j, w->next.u[j]);
}

// ---- Back onto the conditions

static bool is_broken(const Walk *w, uint32_t i) {
  double c = w->next.conditions[i];
  return i < w->equal ? fabs(c) > 0.1 * FIND_MET : c > 0.1 * FIND_MET;
}

// Newton's steps of least size onto what is broken; false where the run was stopped.
static bool mend(Walk *w) {
  Arena *scratch = &w->s->find->cx->scratch;
  for (int k = 0; k < MOST_MENDED && w->s->is_good; k++) {
    Mark mark = arena_mark(scratch);
    double *A = arena_array(scratch, double, (size_t)w->conditions * w->n + 1);
    double *b = arena_array(scratch, double, w->conditions + 1);
    double *d = arena_array(scratch, double, w->n);
    int rows = 0;
    for (uint32_t i = 0; i < w->conditions; i++) {
      if (!is_broken(w, i)) continue;
      const double *a = w->next.slopes + (size_t)i * w->n;
      double size = dense_norm((int)w->n, a);
      if (!(size > 0)) continue;
      for (uint32_t j = 0; j < w->n; j++) A[(size_t)rows * w->n + j] = a[j] / size;
      b[rows++] = -w->next.conditions[i] / size;
    }
    bool moves = rows > 0 &&
                 svd_least_norm(scratch, rows, (int)w->n, A, b, 1e-9, d, NULL) == QDOT_OK &&
                 dense_norm((int)w->n, d) < 2 * w->step;
    for (uint32_t j = 0; moves && j < w->n; j++)
      w->next.u[j] = fmin(fmax(w->next.u[j] + d[j], 0), 1);
    arena_release(scratch, mark);
    if (!moves) return true;
    if (!look(w, &w->next)) return false;
  }
  return true;
}

// ---- The walk

static bool is_better(const FindSearch *s) {
  return s->is_good && find_broken(s) <= FIND_MET && find_merit(s) < s->kept_merit;
}

static void open_walk(Walk *w, FindSearch *s) {
  *w = (Walk){.s = s, .n = s->find->count, .step = FIRST};
  find_count(s, &w->equal, &w->conditions);
  w->conditions += w->equal;
  w->here = new_place(w, &s->find->cx->scratch);
  w->next = new_place(w, &s->find->cx->scratch);
  find_scale(s, s->kept.x, w->here.u);
}

void find_mend(FindSearch *s) {
  Mark mark = arena_mark(&s->find->cx->scratch);
  Walk w;
  open_walk(&w, s);
  w.step = MENDED;
  memcpy(w.next.u, w.here.u, w.n * sizeof *w.here.u);
  if (look(&w, &w.next) && mend(&w) && s->is_good) find_keep_if_better(s, s->x);
  arena_release(&s->find->cx->scratch, mark);
}

bool find_walk_edge(FindSearch *s) {
  Mark mark = arena_mark(&s->find->cx->scratch);
  Walk w;
  open_walk(&w, s);
  int notch = 0, failed = 0;
  bool goes = look(&w, &w.here) && s->is_good, stands = false;
  for (int k = 0; goes && k < MOST_STEPS && w.step > SHORTEST && failed < MOST_FAILED; k++) {
    w.margin = margins[notch];
    choose_next(&w);
    if (w.margin == 0) stands = promise(&w) < NOTHING;
    if (!look(&w, &w.next) || !mend(&w)) break;
    failed = s->is_good ? 0 : failed + 1;
    // one unknown has no way along its conditions
    if (w.n == 1 && s->is_good && fabs(w.next.u[0] - w.here.u[0]) < AT_ONCE) {
      stands = true;
      break;
    }
    double gain = s->is_good ? s->kept_merit - find_merit(s) : 0;
    if (is_better(s)) {
      find_keep_if_better(s, s->x);
      EdgePlace before = w.here;
      w.here = w.next, w.next = before;
      if (gain < 1e-10) break;
      w.step = fmin(1.5 * w.step, LONGEST);
      notch = notch > 0 ? notch - 1 : 0;
    } else if (w.n == 1 && !(s->is_good && find_broken(s) <= FIND_MET)) {
      // one unknown has no edge to walk along: it ends there
      find_unscale(s, w.next.u, s->beyond);
      find_halve(s);
      stands = true;
      break;
    } else if (!(s->is_good && find_broken(s) <= FIND_MET) && notch + 1 < MARGINS) {
      notch++;
    } else {
      w.step /= 3;
      notch = notch > 0 ? 1 : 0;
    }
  }
  arena_release(&s->find->cx->scratch, mark);
  return stands;
}

// ---- Without slopes

// Unit vectors at right angles to each other, other ones in every round.
static void turn_directions(uint32_t n, uint64_t round, double *directions) {
  for (uint32_t a = 0; a < n; a++) {
    double *d = directions + (size_t)a * n, size = 0;
    for (uint64_t trial = 0; !(size > 0.1) && trial < 20; trial++) {
      for (uint32_t j = 0; j < n; j++) d[j] = draw_normal(draw_random(round, trial * n + a, j));
      for (uint32_t b = 0; b < a; b++)
        dense_add((int)n, -dense_dot((int)n, d, directions + (size_t)b * n),
                  directions + (size_t)b * n, d);
      size = dense_norm((int)n, d);
    }
    for (uint32_t j = 0; j < n; j++) d[j] /= size;
  }
}

void find_look_around(FindSearch *s) {
  uint32_t n = s->find->count;
  Arena *scratch = &s->find->cx->scratch;
  Mark mark = arena_mark(scratch);
  Walk w;
  open_walk(&w, s);
  double *directions = arena_array(scratch, double, (size_t)n *n);
  uint32_t left = AROUND * (n + 1);
  bool goes = true;
  for (uint64_t round = 0; goes && w.step > 1e-5 && left > 0; round++) {
    bool gains = false;
    turn_directions(n, round, directions);
    for (uint32_t k = 0; goes && !gains && k < 2 * n && left > 0; k++, left--) {
      for (uint32_t j = 0; j < n; j++)
        w.next.u[j] = fmin(
            fmax(w.here.u[j] + (k % 2 ? -1 : 1) * w.step * directions[(size_t)(k / 2) * n + j], 0),
            1);
      goes = look(&w, &w.next);
      gains = goes && is_better(s);
      if (!gains) continue;
      find_keep_if_better(s, s->x);
      EdgePlace before = w.here;
      w.here = w.next, w.next = before;
    }
    w.step *= gains ? 1.5 : 0.5;
  }
  arena_release(scratch, mark);
}
