// One run of a search.
#include "ask/find_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A point of a timed path lies within the run.
static bool is_reached(FindSearch *s, uint32_t point) {
  uint32_t reduction = s->find->request->points.at[point].reduction;
  if (isfinite(rerun_reduction(&s->rerun, reduction, NULL))) return true;
  snprintf(s->rerun.why, sizeof s->rerun.why, "it ends before point %u of the path", point + 1);
  return false;
}

Status find_run(FindSearch *s, const double *x) {
  Status status = rerun_measures(&s->rerun, s->places, x, s->find->count, s->measures);
  s->find->runs++;
  s->is_good = status == QDOT_OK;
  for (uint32_t i = 0; s->is_good && i < s->find->request->aims.n; i++)
    s->is_good = isfinite(s->measures[find_aim(s, i)->measure]);
  for (uint32_t i = 0; s->is_good && i < s->find->request->points.n; i++)
    s->is_good = is_reached(s, i);
  if (!s->is_good && status != QDOT_STOPPED) s->find->failed++;
  if (s->progress) s->progress(s->progress_user, s->find->runs, s->kept.value);
  return status;
}

double find_target_scale(const FindSearch *s, uint32_t i) {
  double target = fabs(s->find->targets[i]);
  return target > 0 ? target : 1;
}

// By how much a condition is broken, as a part; below 0 for what is more than met.
static double broken(const FindSearch *s, uint32_t i, const double *measures) {
  const FindAim *aim = find_aim(s, i);
  double off = (measures[aim->measure] - s->find->targets[i]) / find_target_scale(s, i);
  return aim->kind == AIM_EQUAL ? fabs(off) : aim->kind == AIM_AT_MOST ? off : -off;
}

static double path_distance(const FindSearch *s) {
  double largest = 0;
  for (uint32_t i = 0; i < s->find->request->points.n; i++) {
    double square = rerun_reduction(&s->rerun, s->find->request->points.at[i].reduction, NULL);
    largest = fmax(largest, sqrt(fmax(square, 0)));
  }
  return largest;
}

double find_residual(const FindSearch *s) {
  double largest = path_distance(s);
  for (uint32_t i = 0; i < s->find->request->aims.n; i++)
    if (!aim_is_best(find_aim(s, i))) largest = fmax(largest, broken(s, i, s->measures));
  return largest;
}

double find_merit(const FindSearch *s) {
  double residual = find_residual(s), value = 0;
  bool is_path = s->find->request->points.n > 0;
  if (s->aim != UINT32_MAX)
    value = aim_sign(find_aim(s, s->aim)) * s->measures[find_aim(s, s->aim)->measure] / s->scale;
  double excess =
      isnan(s->most)
          ? 0
          : aim_sign(find_aim(s, s->other)) * s->measures[find_aim(s, s->other)->measure] - s->most;
  if (excess > FIND_MET * fabs(s->most))
    residual = fmax(residual, excess / (fabs(s->most) + 1e-300));
  return is_path ? residual : fmax(residual - FIND_MET, 0) * 1e6 + value;
}

Found find_here(const FindSearch *s, const double *x) {
  uint32_t measures = s->find->model->requests.measurements.n;
  Arena *keep = s->find->cx->results;
  Found f = {.x = arena_array(keep, double, s->find->count),
             .measures = arena_array(keep, double, measures + 1),
             .residual = find_residual(s)};
  memcpy(f.x, x, s->find->count * sizeof *x);
  memcpy(f.measures, s->measures, measures * sizeof *f.measures);
  if (s->aim != UINT32_MAX) f.value = s->measures[find_aim(s, s->aim)->measure];
  return f;
}

void find_keep_if_better(FindSearch *s, const double *x) {
  double merit = find_merit(s);
  if (s->kept.x && !(merit < s->kept_merit)) return;
  s->kept_merit = merit;
  s->in_vain = 0;
  if (!s->kept.x) {
    s->kept = find_here(s, x);
    return;
  }
  memcpy(s->kept.x, x, s->find->count * sizeof *x);
  memcpy(s->kept.measures, s->measures,
         s->find->model->requests.measurements.n * sizeof *s->measures);
  s->kept.residual = find_residual(s);
  if (s->aim != UINT32_MAX) s->kept.value = s->measures[find_aim(s, s->aim)->measure];
}

bool find_is_met(const FindSearch *s, const Found *f) {
  bool is_path = s->find->request->points.n > 0;
  return f->x && f->residual <= (is_path ? FIND_PATH_MET * s->path_size : 2 * FIND_MET);
}
