// One run of a search.
#include "ask/find_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expr/value/eval.h"

// A gain of the merit that is worth more runs.
static const double GAIN = 1e-7;

// A point of a timed path lies within the run.
static bool is_reached(FindSearch *s, uint32_t point) {
  const FindPoint *p = &s->find->request->points.at[point];
  if (isfinite(rerun_reduction(&s->rerun, p->reduction, NULL))) return true;
  s->ends_early |= p->time && s->find->failed == 0;
  if (p->time)
    snprintf(s->rerun.why, sizeof s->rerun.why,
             "it ends at %.6g s, before point %u of the path, which is passed at %.6g s",
             s->rerun.simulation.options.t_end, point + 1,
             expr_eval(s->find->cx, p->time, s->rerun.simulation.run.machine.values));
  else
    snprintf(s->rerun.why, sizeof s->rerun.why,
             "the distance from point %u of the path is not a number", point + 1);
  return false;
}

static bool has_value(FindSearch *s, uint32_t measure) {
  if (isfinite(s->measures[measure])) return true;
  snprintf(s->rerun.why, sizeof s->rerun.why,
           "measure '%s' has no value, as what it waits for does not happen or is not a number",
           symbol_text(s->find->cx, s->find->model->requests.measurements.at[measure].name));
  return false;
}

Status find_run(FindSearch *s, const double *x) {
  Status status = rerun_measures(&s->rerun, s->places, x, s->find->count, s->measures);
  s->find->runs++;
  s->is_good = status == QDOT_OK;
  for (uint32_t i = 0; s->is_good && i < s->find->request->aims.n; i++)
    s->is_good = has_value(s, find_aim(s, i)->measure);
  for (uint32_t i = 0; s->is_good && i < s->find->request->points.n; i++)
    s->is_good = is_reached(s, i);
  bool has_failed = !s->is_good && status != QDOT_STOPPED;
  if (has_failed && s->find->failed++ == 0) memcpy(s->why, s->rerun.why, sizeof s->why);
  if (s->is_good) rerun_limit_steps(&s->rerun);
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

// The root of the mean square of the distances, which a search makes least.
static double path_rms(const FindSearch *s) {
  double sum = 0;
  uint32_t n = s->find->request->points.n;
  for (uint32_t i = 0; i < n; i++)
    sum += fmax(rerun_reduction(&s->rerun, s->find->request->points.at[i].reduction, NULL), 0);
  return sqrt(sum / n);
}

double find_broken(const FindSearch *s) {
  double largest = 0;
  for (uint32_t i = 0; i < s->find->request->aims.n; i++)
    if (!aim_is_best(find_aim(s, i))) largest = fmax(largest, broken(s, i, s->measures));
  return largest;
}

double find_residual(const FindSearch *s) {
  return s->find->request->points.n > 0 ? path_distance(s) : find_broken(s);
}

double find_merit(const FindSearch *s) {
  double lacks = find_broken(s), value = 0;
  if (s->find->request->points.n > 0) value = path_rms(s) / s->path_size;
  if (s->aim != UINT32_MAX)
    value = aim_sign(find_aim(s, s->aim)) * s->measures[find_aim(s, s->aim)->measure] / s->scale;
  double excess =
      isnan(s->most)
          ? 0
          : aim_sign(find_aim(s, s->other)) * s->measures[find_aim(s, s->other)->measure] - s->most;
  if (excess > FIND_MET * fabs(s->most)) lacks = fmax(lacks, excess / (fabs(s->most) + 1e-300));
  return fmax(lacks - FIND_MET, 0) * 1e6 + value;
}

Found find_here(const FindSearch *s, const double *x) {
  uint32_t measures = s->find->model->requests.measurements.n;
  Arena *keep = s->find->cx->results;
  Found f = {.x = arena_array(keep, double, s->find->count),
             .measures = arena_array(keep, double, measures + 1),
             .residual = find_residual(s),
             .broken = find_broken(s)};
  memcpy(f.x, x, s->find->count * sizeof *x);
  memcpy(f.measures, s->measures, measures * sizeof *f.measures);
  if (s->aim != UINT32_MAX) f.value = s->measures[find_aim(s, s->aim)->measure];
  return f;
}

void find_keep_if_better(FindSearch *s, const double *x) {
  double merit = find_merit(s);
  if (s->kept.x && !(merit < s->kept_merit)) return;
  if (!s->kept.x || s->kept_merit - merit > GAIN) s->in_vain = 0;
  s->kept_merit = merit;
  if (!s->kept.x) {
    s->kept = find_here(s, x);
    return;
  }
  memcpy(s->kept.x, x, s->find->count * sizeof *x);
  memcpy(s->kept.measures, s->measures,
         s->find->model->requests.measurements.n * sizeof *s->measures);
  s->kept.residual = find_residual(s);
  s->kept.broken = find_broken(s);
  s->kept.jumps = false;
  if (s->aim != UINT32_MAX) s->kept.value = s->measures[find_aim(s, s->aim)->measure];
}

bool find_is_met(const FindSearch *s, const Found *f) {
  bool is_path = s->find->request->points.n > 0;
  return f->x && f->broken <= 2 * FIND_MET &&
         (!is_path || f->residual <= FIND_PATH_MET * s->path_size);
}
