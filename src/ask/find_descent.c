// A descent: what NLopt sees, and halving where a run cannot tell the way back.
#include "ask/find_descent.h"

#include <math.h>
#include <string.h>

#include "ask/nonlinear.h"

enum { MOST_RUNS = 400, IN_VAIN = 40, MOST_HALVES = 60 };

// ---- As NLopt sees it

static double slope_of(const FindSearch *s, uint32_t measure, uint32_t j) {
  double slope = s->rerun.slopes ? s->rerun.slopes[(size_t)measure * s->find->count + j] : 0;
  return isfinite(slope) ? slope * (s->find->high[j] - s->find->low[j]) : 0;
}

static void unscale(const FindSearch *s, const double *u, double *x) {
  const Find *f = s->find;
  for (uint32_t j = 0; j < f->count; j++) {
    double part = fmin(fmax(u[j], 0), 1);
    x[j] = part == 1 ? f->high[j] : f->low[j] + part * (f->high[j] - f->low[j]);
  }
}

// The squares of the distances from a path.
static double path_value(FindSearch *s, double *gradient) {
  Find *f = s->find;
  double sum = 0, size = s->path_size * s->path_size;
  for (uint32_t i = 0; i < f->request->points.n; i++) {
    double square = rerun_reduction(&s->rerun, f->request->points.at[i].reduction, s->slopes_room);
    sum += square / size;
    for (uint32_t j = 0; j < f->count; j++) {
      double slope = s->slopes_room[j] * (f->high[j] - f->low[j]) / size;
      gradient[j] += isfinite(slope) ? slope : 0;
    }
  }
  return sum;
}

// Conditions alone: the value is what they lack, so that the search knows when it stands still.
static double broken_squares(uint32_t n, uint32_t equal, uint32_t conditions, const double *c,
                             const double *slopes, double *gradient) {
  double sum = 0;
  for (uint32_t i = 0; i < conditions; i++) {
    if (i >= equal && c[i] <= 0) continue;
    sum += c[i] * c[i] / 2;
    for (uint32_t j = 0; j < n; j++) gradient[j] += c[i] * slopes[(size_t)i * n + j];
  }
  return sum;
}

// Would a run know, by its slopes, that the best so far meets what it breaks itself?
static bool knows_way_back(const FindSearch *s, uint32_t n, bool is_equal, double c,
                           const double *slopes) {
  const Find *f = s->find;
  double size = is_equal ? fabs(c) : c, back = c;
  if (size <= FIND_MET) return true;
  for (uint32_t j = 0; j < n; j++)
    back += slopes[j] * (s->kept.x[j] - s->x[j]) / (f->high[j] - f->low[j]);
  return (is_equal ? fabs(back) : back) < 0.5 * size;
}

static void note_blind(FindSearch *s, uint32_t n, uint32_t equal, uint32_t conditions,
                       const double *c, const double *slopes) {
  bool is_blind = !s->is_good;
  if (!find_is_met(s, &s->kept)) return;
  for (uint32_t i = 0; i < conditions && !is_blind; i++)
    is_blind = !knows_way_back(s, n, i < equal, c[i], slopes + (size_t)i * n);
  if (!is_blind) return;
  s->is_blind = true;
  memcpy(s->beyond, s->x, n * sizeof *s->beyond);
}

// Which unknowns an aim or a point of a path depends on, as far as this run shows.
static void see_what_acts(FindSearch *s) {
  const Find *f = s->find;
  for (uint32_t i = 0; i < f->request->aims.n; i++)
    for (uint32_t j = 0; s->rerun.slopes && j < f->count; j++)
      s->acts[j] |= s->rerun.slopes[(size_t)find_aim(s, i)->measure * f->count + j] != 0;
  for (uint32_t i = 0; i < f->request->points.n; i++) {
    rerun_reduction(&s->rerun, f->request->points.at[i].reduction, s->slopes_room);
    for (uint32_t j = 0; j < f->count; j++) s->acts[j] |= s->slopes_room[j] != 0;
  }
}

static bool evaluate(void *user, const double *u, double *value, double *gradient,
                     double *conditions, double *slopes) {
  FindSearch *s = user;
  Find *f = s->find;
  uint32_t n = f->count, equal = 0, below = 0;
  unscale(s, u, s->x);
  if (s->in_vain++ > IN_VAIN || find_run(s, s->x) == QDOT_STOPPED) return false;
  for (uint32_t j = 0; j < n; j++) gradient[j] = 0;
  *value = 0;
  if (!s->is_good) *value = 1e6; // nothing is known here: turn back
  for (uint32_t i = 0; i < f->request->aims.n; i++) equal += find_aim(s, i)->kind == AIM_EQUAL;
  below = equal, equal = 0;
  for (uint32_t i = 0; i < f->request->aims.n; i++) {
    const FindAim *aim = find_aim(s, i);
    bool is_other = i == s->other && !isnan(s->most);
    if (aim_is_best(aim) && !is_other) continue;
    uint32_t at = aim->kind == AIM_EQUAL ? equal++ : below++;
    double scale = is_other ? fmax(fabs(s->most), 1e-300) : find_target_scale(s, i);
    double sign = is_other ? aim_sign(aim) : aim->kind == AIM_AT_LEAST ? -1 : 1;
    double target = is_other ? s->most : sign * f->targets[i];
    conditions[at] = s->is_good ? (sign * s->measures[aim->measure] - target) / scale : 1;
    for (uint32_t j = 0; j < n; j++)
      slopes[(size_t)at * n + j] = s->is_good ? sign * slope_of(s, aim->measure, j) / scale : 0;
  }
  note_blind(s, n, equal, below, conditions, slopes);
  if (!s->is_good) return true;
  see_what_acts(s);
  if (f->request->points.n > 0) *value = path_value(s, gradient);
  if (s->aim != UINT32_MAX) {
    const FindAim *aim = find_aim(s, s->aim);
    *value = aim_sign(aim) * s->measures[aim->measure] / s->scale;
    for (uint32_t j = 0; j < n; j++)
      gradient[j] = aim_sign(aim) * slope_of(s, aim->measure, j) / s->scale;
  }
  if (s->aim == UINT32_MAX && f->request->points.n == 0)
    *value = broken_squares(n, equal, below, conditions, slopes, gradient);
  find_keep_if_better(s, s->x);
  return true;
}

// Is anything better a little way towards the place beyond?
static bool leads_on(FindSearch *s, const double *from, double *room) {
  for (uint32_t j = 0; j < s->find->count; j++) room[j] = from[j] + 1e-3 * (s->beyond[j] - from[j]);
  if (find_run(s, room) == QDOT_STOPPED) return false;
  return !s->is_good || find_residual(s) > FIND_MET || find_merit(s) < s->kept_merit;
}

// From a place that is fine towards the one beyond which nothing can be told, by halves.
static void halve_towards(FindSearch *s, const double *from) {
  uint32_t n = s->find->count;
  Mark mark = arena_mark(&s->find->cx->scratch);
  double *good = arena_array(&s->find->cx->scratch, double, 2 * (size_t)n), *middle = good + n;
  memcpy(good, from, n * sizeof *good);
  bool goes = leads_on(s, good, middle);
  for (int k = 0; goes && k < MOST_HALVES; k++) {
    double apart = 0;
    for (uint32_t j = 0; j < n; j++) {
      middle[j] = 0.5 * (good[j] + s->beyond[j]);
      apart = fmax(apart, fabs(good[j] - s->beyond[j]) / (s->find->high[j] - s->find->low[j]));
    }
    if (apart < 1e-11 || find_run(s, middle) == QDOT_STOPPED) break;
    bool is_fine = s->is_good && find_residual(s) <= FIND_MET;
    if (is_fine) find_keep_if_better(s, middle);
    memcpy(is_fine ? good : s->beyond, middle, n * sizeof *good);
  }
  arena_release(&s->find->cx->scratch, mark);
}

// The search ended at a run that tells no way back: what is best lies between it and the best so
// far.
static void sharpen(FindSearch *s) {
  if (!s->is_blind || !find_is_met(s, &s->kept)) return;
  Mark mark = arena_mark(&s->find->cx->scratch);
  double *from = arena_array(&s->find->cx->scratch, double, s->find->count);
  memcpy(from, s->kept.x, s->find->count * sizeof *from);
  halve_towards(s, from);
  arena_release(&s->find->cx->scratch, mark);
}

void find_descend(FindSearch *s, const double *x) {
  Find *f = s->find;
  uint32_t equal = 0, below = isnan(s->most) ? 0 : 1;
  for (uint32_t i = 0; i < f->request->aims.n; i++) {
    equal += find_aim(s, i)->kind == AIM_EQUAL;
    below += find_aim(s, i)->kind == AIM_AT_MOST || find_aim(s, i)->kind == AIM_AT_LEAST;
  }
  Nonlinear problem = {.n = f->count,
                       .equal = equal,
                       .below = below,
                       .user = s,
                       .evaluate = evaluate,
                       .most = MOST_RUNS,
                       .near = 1e-10};
  double *u = arena_array(f->cx->results, double, f->count);
  for (uint32_t j = 0; j < f->count; j++) u[j] = (x[j] - f->low[j]) / (f->high[j] - f->low[j]);
  s->kept = (Found){.value = NAN};
  s->kept_merit = INFINITY;
  s->in_vain = 0;
  s->is_blind = false;
  if (find_run(s, x) == QDOT_STOPPED || !s->is_good) return;
  double size = s->aim != UINT32_MAX ? fabs(s->measures[find_aim(s, s->aim)->measure]) : 1;
  s->scale = size > 0 ? size : 1;
  find_keep_if_better(s, x);
  nonlinear_descend(&problem, u);
  sharpen(s);
  f->starts++;
}
