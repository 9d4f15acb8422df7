// What a run of a search tells NLopt: value, conditions, and their slopes.
#include <math.h>
#include <string.h>

#include "ask/find_run.h"

// Beside a place that is as near as this, a value that is off by more has jumped: parts.
static const double ROUNDING = 1e-9; // of a measure, over the range of an unknown
static const double BESIDE = 1e-4, JUMP = 1e-3;

static double slope_of(const FindSearch *s, uint32_t measure, uint32_t j) {
  double slope = s->slopes[(size_t)measure * s->find->count + j];
  return isfinite(slope) ? slope * (s->find->high[j] - s->find->low[j]) : 0;
}

void find_unscale(const FindSearch *s, const double *u, double *x) {
  const Find *f = s->find;
  for (uint32_t j = 0; j < f->count; j++) {
    double part = fmin(fmax(u[j], 0), 1);
    x[j] = part == 1 ? f->high[j] : f->low[j] + part * (f->high[j] - f->low[j]);
  }
}

void find_scale(const FindSearch *s, const double *x, double *u) {
  const Find *f = s->find;
  for (uint32_t j = 0; j < f->count; j++) u[j] = (x[j] - f->low[j]) / (f->high[j] - f->low[j]);
}

// The squares of the distances from a path.
static double path_value(FindSearch *s, double *gradient) {
  Find *f = s->find;
  double sum = 0, size = s->path_size * s->path_size;
  for (uint32_t i = 0; i < f->request->points.n; i++) {
    sum += rerun_reduction(&s->rerun, f->request->points.at[i].reduction, NULL) / size;
    for (uint32_t j = 0; j < f->count; j++) {
      double slope = s->path_slopes[(size_t)i * f->count + j] * (f->high[j] - f->low[j]) / size;
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

// ---- What acts, and what jumps

// Which unknowns an aim or a point of a path depends on, as far as this run shows: by more than
// rounding over their ranges. Where nothing is known it may.
static void see_what_acts(FindSearch *s) {
  const Find *f = s->find;
  for (uint32_t j = 0; j < f->count; j++) {
    double range = f->high[j] - f->low[j];
    for (uint32_t i = 0; i < f->request->aims.n; i++) {
      uint32_t measure = find_aim(s, i)->measure;
      double slope = s->slopes[(size_t)measure * f->count + j];
      double size =
          fmax(fabs(s->measures[measure]), aim_is_best(find_aim(s, i)) ? 0 : fabs(f->targets[i]));
      s->acts[j] |= !(fabs(slope) * range <= ROUNDING * size);
    }
    for (uint32_t i = 0; i < f->request->points.n; i++)
      s->acts[j] |= !(fabs(s->path_slopes[(size_t)i * f->count + j]) * range <=
                      ROUNDING * s->path_size * s->path_size);
  }
}

// Has what is made best jumped, next to the best so far?
static void see_jump(FindSearch *s, const double *gradient) {
  const Find *f = s->find;
  if (s->aim == UINT32_MAX || !s->kept.x) return;
  uint32_t measure = find_aim(s, s->aim)->measure;
  double apart = 0, expected = 0, here = s->measures[measure];
  for (uint32_t j = 0; j < f->count; j++) {
    double du = (s->x[j] - s->kept.x[j]) / (f->high[j] - f->low[j]);
    apart = fmax(apart, fabs(du));
    expected += fabs(gradient[j] * du) * s->scale;
  }
  if (apart > BESIDE || fabs(here - s->kept.value) < JUMP * fabs(here) + 10 * expected) return;
  s->kept.jumps = true;
  s->kept.beside = here;
}

// ---- The whole

void find_count(const FindSearch *s, uint32_t *equal, uint32_t *below) {
  *equal = 0, *below = isnan(s->most) ? 0 : 1;
  for (uint32_t i = 0; i < s->find->request->aims.n; i++) {
    *equal += find_aim(s, i)->kind == AIM_EQUAL;
    *below += find_aim(s, i)->kind == AIM_AT_MOST || find_aim(s, i)->kind == AIM_AT_LEAST;
  }
}

static void take_conditions(const FindSearch *s, double *conditions, double *slopes) {
  const Find *f = s->find;
  uint32_t n = f->count, equal = 0, at_most;
  find_count(s, &at_most, &(uint32_t){0});
  for (uint32_t i = 0; i < f->request->aims.n; i++) {
    const FindAim *aim = find_aim(s, i);
    bool is_other = i == s->other && !isnan(s->most);
    if (aim_is_best(aim) && !is_other) continue;
    uint32_t at = aim->kind == AIM_EQUAL ? equal++ : at_most++;
    double scale = is_other ? fmax(fabs(s->most), 1e-300) : find_target_scale(s, i);
    double sign = is_other ? aim_sign(aim) : aim->kind == AIM_AT_LEAST ? -1 : 1;
    double target = is_other ? s->most : sign * f->targets[i];
    conditions[at] = s->is_good ? (sign * s->measures[aim->measure] - target) / scale : 1;
    for (uint32_t j = 0; j < n; j++)
      slopes[(size_t)at * n + j] = s->is_good ? sign * slope_of(s, aim->measure, j) / scale : 0;
  }
}

Status find_look(FindSearch *s, const double *u, double *value, double *gradient,
                 double *conditions, double *slopes) {
  Find *f = s->find;
  uint32_t n = f->count, equal, below;
  find_unscale(s, u, s->x);
  Status status = find_run(s, s->x);
  if (status != QDOT_STOPPED && s->is_good) status = find_slopes(s);
  if (status == QDOT_STOPPED) return status;
  find_count(s, &equal, &below);
  for (uint32_t j = 0; j < n; j++) gradient[j] = 0;
  *value = s->is_good ? 0 : 1e6; // nothing is known here: turn back
  take_conditions(s, conditions, slopes);
  if (!s->is_good) return QDOT_OK;
  see_what_acts(s);
  if (f->request->points.n > 0) *value = path_value(s, gradient);
  if (s->aim != UINT32_MAX) {
    const FindAim *aim = find_aim(s, s->aim);
    *value = aim_sign(aim) * s->measures[aim->measure] / s->scale;
    for (uint32_t j = 0; j < n; j++)
      gradient[j] = aim_sign(aim) * slope_of(s, aim->measure, j) / s->scale;
  }
  if (s->aim == UINT32_MAX && f->request->points.n == 0)
    *value = broken_squares(n, equal, equal + below, conditions, slopes, gradient);
  see_jump(s, gradient);
  return QDOT_OK;
}
