// Slopes of what is aimed at: those of the run, or differences where it has none.
#include <math.h>
#include <string.h>

#include "ask/find_run.h"

// How far beside a run the others are, as a part of the range.
static const double BESIDE = 3e-4;

static double *slopes_of_aim(FindSearch *s, uint32_t i) {
  uint32_t aims = s->find->request->aims.n, n = s->find->count;
  return i < aims ? s->slopes + (size_t)find_aim(s, i)->measure * n
                  : s->path_slopes + (size_t)(i - aims) * n;
}

static uint32_t aim_count(const FindSearch *s) {
  return s->find->request->aims.n + s->find->request->points.n;
}

static void take_from_run(FindSearch *s) {
  uint32_t n = s->find->count;
  const FindRequest *request = s->find->request;
  for (uint32_t i = 0; i < aim_count(s); i++)
    for (uint32_t j = 0; j < n; j++) slopes_of_aim(s, i)[j] = NAN;
  for (uint32_t i = 0; i < request->aims.n && s->rerun.slopes; i++)
    memcpy(slopes_of_aim(s, i), s->rerun.slopes + (size_t)find_aim(s, i)->measure * n,
           n * sizeof *s->slopes);
  for (uint32_t i = 0; i < request->points.n; i++)
    rerun_reduction(&s->rerun, request->points.at[i].reduction,
                    slopes_of_aim(s, request->aims.n + i));
}

static bool is_missing(FindSearch *s, uint32_t j) {
  for (uint32_t i = 0; i < aim_count(s); i++)
    if (!isfinite(slopes_of_aim(s, i)[j])) return true;
  return false;
}

// What is aimed at, and the points of a path, in the last run.
static void take_values(const FindSearch *s, const double *measures, double *out) {
  const FindRequest *request = s->find->request;
  for (uint32_t i = 0; i < request->aims.n; i++) *out++ = measures[find_aim(s, i)->measure];
  for (uint32_t i = 0; i < request->points.n; i++)
    *out++ = rerun_reduction(&s->rerun, request->points.at[i].reduction, NULL);
}

// A run with unknown j a little aside, within its range: what is aimed at there. Where it is not
// whole, or there is no room, that of the middle. at: the value of the unknown.
static Status look_beside(FindSearch *s, uint32_t j, double step, const double *middle, double *at,
                          double *values) {
  const Find *f = s->find;
  uint32_t n = aim_count(s);
  double own = s->x[j], *measures = values + n;
  Status status = QDOT_NO_CONVERGENCE;
  *at = s->x[j] = fmin(fmax(own + step * (f->high[j] - f->low[j]), f->low[j]), f->high[j]);
  if (*at != own) {
    status = rerun_measures(&s->rerun, s->places, s->x, f->count, measures);
    s->find->runs++;
  }
  s->x[j] = own;
  if (status == QDOT_STOPPED) return status;
  if (status == QDOT_OK) take_values(s, measures, values);
  if (status != QDOT_OK) *at = own, memcpy(values, middle, n * sizeof *middle);
  return QDOT_OK;
}

// From one side to the other; where nothing changes on the one, the other is left alone.
static Status take_differences(FindSearch *s, uint32_t j, const double *middle, double *room) {
  uint32_t n = aim_count(s);
  double own = s->x[j], high, low = own, *values = room, *others = room + n;
  Status status = look_beside(s, j, BESIDE, middle, &high, values);
  bool is_level = high != own && memcmp(values, middle, n * sizeof *middle) == 0;
  memcpy(others, middle, n * sizeof *middle);
  if (status == QDOT_OK && !is_level) status = look_beside(s, j, -BESIDE, middle, &low, others);
  for (uint32_t i = 0; i < n; i++) {
    double *slope = &slopes_of_aim(s, i)[j];
    if (!isfinite(*slope)) *slope = (values[i] - others[i]) / (high - low);
  }
  return status;
}

Status find_slopes(FindSearch *s) {
  uint32_t n = aim_count(s);
  take_from_run(s);
  bool any = false;
  for (uint32_t j = 0; j < s->find->count; j++) any |= is_missing(s, j);
  if (!any) return QDOT_OK;
  Mark mark = arena_mark(&s->find->cx->scratch);
  double *middle = arena_array(&s->find->cx->scratch, double,
                               3 * (size_t)n + s->find->model->requests.measurements.n);
  take_values(s, s->measures, middle);
  Status status = QDOT_OK;
  for (uint32_t j = 0; j < s->find->count && status == QDOT_OK; j++)
    if (is_missing(s, j)) status = take_differences(s, j, middle, middle + n);
  arena_release(&s->find->cx->scratch, mark);
  // distances from a path are those of the last run
  return status == QDOT_OK && s->find->request->points.n > 0 ? find_run(s, s->x) : status;
}
