// Shooting: runs that should come back, and the least steps that let them.
#include "ask/orbit_shoot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/slopes/slopes.h"
#include "solve/algebra/dense.h"
#include "solve/algebra/svd.h"

enum { MOST_STEPS = 40, MOST_TIMES = 6, MOST_DRAWN = 8 };
// A direction matters if it holds this part of what is missing.
static const double MATTERS = 0.05;
// A direction is known if its singular value is beyond so many times what is missing: slopes are
// off by about that.
static const double KNOWN = 10;
static const double FREE = 1e-6;      // of the largest singular value: a direction of the family
static const double SMALL_STEP = 0.3; // of the size of the state
static const double NO_STEP = 1e-12;  // the same: rounding, which would open a contact

// ---- Runs

void orbit_take_look(void *user, uint32_t number, const double *x, const double *S,
                     const double *signals, const double *signal_slopes) {
  (void)signals, (void)signal_slopes;
  Shooting *s = user;
  RunSlopes *slopes = s->rerun.simulation.run.slopes;
  const Model *model = s->orbit->model;
  const double *values = s->rerun.simulation.run.machine.values;
  uint32_t n = s->orbit->state, moving = s->moving;
  uint32_t parameters = model->parameters.n, settings = parameters + model->inputs.n;
  double *seen = s->seen + (size_t)number * n;
  memcpy(seen, x, moving * sizeof *x);
  for (uint32_t i = moving; i < n; i++)
    seen[i] =
        values[symbol_variable(s->orbit->cx, model->inputs.at[s->places[i] - parameters].symbol)];
  s->event[number] = slopes->event.is_known ? slopes->event.t : -INFINITY;
  s->taken++;
  if (number + 1 < s->looks) return;
  for (uint32_t j = 0; j < n; j++) {
    memcpy(s->S + (size_t)j * n, S + (size_t)j * moving, moving * sizeof *S);
    for (uint32_t i = moving; i < n; i++)
      s->S[(size_t)j * n + i] = slopes->along[(size_t)j * settings + s->places[i]];
  }
  slopes_motion(slopes, s->times[number], x, s->rate);
  for (uint32_t i = moving; i < n; i++) s->rate[i] = 0;
}

// A run from x to the time of the last look.
static Status run_from(Shooting *s, const double *x) {
  s->taken = 0;
  s->look.count = s->looks;
  s->rerun.simulation.options.t_end = s->times[s->looks - 1];
  Status status = rerun_measures(&s->rerun, s->places, x, s->orbit->state, s->measures);
  s->orbit->runs++;
  if (s->progress) s->progress(s->progress_user, s->orbit->runs, s->orbit->residual);
  const RunSlopes *slopes = s->rerun.simulation.run.slopes;
  if (status != QDOT_OK || s->taken == s->looks) return status;
  if (slopes->undefined)
    snprintf(s->rerun.why, sizeof s->rerun.why, "%s at t = %.6g s", slopes->undefined,
             slopes->undefined_at);
  return QDOT_UNDEFINED; // slopes were lost
}

Status orbit_watch(Shooting *s, const double *x, double end) {
  s->looks = ORBIT_LOOKS;
  for (int k = 0; k < ORBIT_LOOKS; k++) s->times[k] = end * k / (ORBIT_LOOKS - 1);
  return run_from(s, x);
}

const double *orbit_seen(const Shooting *s, uint32_t k) {
  return s->seen + (size_t)k * s->orbit->state;
}

double orbit_distance(const Shooting *s, const double *a, const double *b) {
  double sum = 0;
  for (uint32_t i = 0; i < s->orbit->state; i++) {
    double off = a[i] - b[i];
    if (s->is_angle[i]) off = remainder(off, 2 * M_PI);
    sum += off * off / (s->size[i] * s->size[i]);
  }
  return sqrt(sum);
}

Status orbit_shoot(Shooting *s, double *x, double T) {
  uint32_t n = s->orbit->state;
  s->looks = 2;
  s->times[0] = 0, s->times[1] = T;
  Status status = run_from(s, x);
  if (status != QDOT_OK) return status;
  memcpy(x, s->seen, s->moving * sizeof *x);
  for (uint32_t i = 0; i < n; i++) {
    s->rest[i] = orbit_seen(s, 1)[i] - x[i];
    if (s->is_angle[i]) s->rest[i] = remainder(s->rest[i], 2 * M_PI);
  }
  return QDOT_OK;
}

double orbit_miss(const Shooting *s) {
  double most = 0;
  for (uint32_t i = 0; i < s->orbit->state; i++) most = fmax(most, fabs(s->rest[i]) / s->size[i]);
  return most;
}

// ---- Steps

Status orbit_time(Shooting *s, double *x, double *T) {
  Status status = orbit_shoot(s, x, *T);
  double miss = status == QDOT_OK ? orbit_miss(s) : INFINITY;
  for (int k = 0; status == QDOT_OK && !s->orbit->is_forced && k < MOST_TIMES; k++) {
    double along = 0, speed = 0;
    for (uint32_t i = 0; i < s->orbit->state; i++) {
      double w = 1 / (s->size[i] * s->size[i]);
      along += w * s->rest[i] * s->rate[i];
      speed += w * s->rate[i] * s->rate[i];
    }
    double dT = speed > 0 ? -along / speed : 0;
    if (!(fabs(dT) > 1e-14 * *T && fabs(dT) < 0.2 * *T)) break;
    status = orbit_shoot(s, x, *T + dT);
    if (status == QDOT_OK && orbit_miss(s) < miss) {
      *T += dT;
      miss = orbit_miss(s);
    } else {
      return status == QDOT_STOPPED ? status : orbit_shoot(s, x, *T);
    }
  }
  return status;
}

// The equations of a step, (S - 1) dx + x' dT = -rest, by the size of the state.
typedef struct NewtonStep {
  Svd *svd;
  double *missing; // -rest along the left singular vectors
  double *x;       // the step, by the size of the state; behind it dT/T
  double size;
  double miss;
} NewtonStep;

static Status begin_step(Shooting *s, Arena *arena, double T, NewtonStep *step) {
  uint32_t n = s->orbit->state, columns = s->orbit->is_forced ? n : n + 1;
  double *A = arena_array(arena, double, (size_t)n *columns);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++)
      A[i * columns + j] = (s->S[(size_t)j * n + i] - (i == j)) * s->size[j] / s->size[i];
    if (columns > n) A[i * columns + n] = s->rate[i] * T / s->size[i];
  }
  *step = (NewtonStep){.svd = svd_new(arena, (int)n, (int)columns), .miss = orbit_miss(s)};
  step->missing = arena_array(arena, double, n);
  step->x = arena_array(arena, double, n + 1);
  Status status = svd_compute(step->svd, (int)n, A);
  if (status != QDOT_OK) return status;
  for (uint32_t k = 0; k < n; k++) {
    step->missing[k] = 0;
    for (uint32_t i = 0; i < n; i++)
      step->missing[k] -= step->svd->U[(size_t)i * n + k] * s->rest[i] / s->size[i];
  }
  return QDOT_OK;
}

static double whole_miss(const NewtonStep *step) {
  double sum = 0;
  for (int k = 0; k < step->svd->k; k++) sum += step->missing[k] * step->missing[k];
  return sqrt(sum);
}

// The step along those of the first `count` directions that matter and are beyond `least`; what it
// leaves, to first order.
static double choose_step(NewtonStep *step, int count, double least) {
  const Svd *svd = step->svd;
  double whole = whole_miss(step), left = 0;
  memset(step->x, 0, ((size_t)svd->rows + 1) * sizeof *step->x);
  for (int k = 0; k < svd->k; k++) {
    double c = step->missing[k];
    if (k >= count || !(svd->sigma[k] > least) || fabs(c) < MATTERS * whole / sqrt(svd->k)) {
      left += c * c;
      continue;
    }
    for (int j = 0; j < svd->n; j++)
      step->x[j] += c / svd->sigma[k] * svd->Vt[(size_t)k * svd->n + j];
  }
  step->size = 0;
  for (int j = 0; j < svd->rows; j++) step->size = fmax(step->size, fabs(step->x[j]));
  return sqrt(left);
}

// Where a part of the step leads; INFINITY where there is no run.
static double try_step(Shooting *s, const NewtonStep *step, double part, const double *x, double T,
                       double *x_new, double *T_new) {
  uint32_t n = s->orbit->state;
  for (uint32_t i = 0; i < n; i++)
    x_new[i] = x[i] + (fabs(step->x[i]) > NO_STEP ? part * step->x[i] * s->size[i] : 0);
  double stretch = 1 + part * step->x[n];
  if (!(stretch > 0.2 && stretch < 5)) return INFINITY;
  *T_new = T * stretch;
  return orbit_shoot(s, x_new, *T_new) == QDOT_OK ? orbit_miss(s) : INFINITY;
}

// A step that brings the motion nearer to itself: along what is known if that helps, then the whole
// one if it is small, then more and more directions, then a part of the whole.
static bool take_step(Shooting *s, NewtonStep *step, double *x, double *T) {
  uint32_t n = s->orbit->state;
  int all = step->svd->k;
  double *x_new = arena_array(&s->orbit->cx->scratch, double, n), T_new = *T, reached = INFINITY;
  double best = step->miss, whole = whole_miss(step);
  double *x_best = arena_array(&s->orbit->cx->scratch, double, n), T_best = *T;
  bool may_search = step->miss > ORBIT_CLOSED;
  for (int way = 0; way < 2 + all + 4; way++) {
    double part = way < 2 + all ? 1 : pow(0.25, way - 1 - all);
    double left = way == 0 ? choose_step(step, all, KNOWN * step->miss)
                           : choose_step(step, way > 1 && way < 2 + all ? way - 1 : all, 0);
    if (way > 0 && !may_search) break;
    if (left > 0.5 * whole || (way == 1 && step->size > SMALL_STEP)) continue;
    if (s->stop && *s->stop) return false;
    reached = try_step(s, step, part, x, *T, x_new, &T_new);
    if (reached < best) {
      best = reached, T_best = T_new;
      memcpy(x_best, x_new, n * sizeof *x);
    }
    if (reached < 0.5 * step->miss) break;
  }
  if (!(best < step->miss)) return false;
  memcpy(x, x_best, n * sizeof *x);
  *T = T_best;
  return reached == best || orbit_shoot(s, x, *T) == QDOT_OK;
}

Status orbit_close(Shooting *s, double *x, double *T) {
  Orbit *o = s->orbit;
  Arena *scratch = &o->cx->scratch;
  Status status = orbit_time(s, x, T);
  if (status != QDOT_OK) return status;
  o->residual = orbit_miss(s);
  for (int round = 0; round < MOST_STEPS && o->residual > 1e-3 * ORBIT_CLOSED; round++) {
    Mark mark = arena_mark(scratch);
    NewtonStep step;
    status = begin_step(s, scratch, *T, &step);
    bool nearer = status == QDOT_OK && take_step(s, &step, x, T);
    arena_release(scratch, mark);
    if (status != QDOT_OK || !nearer) break;
    o->residual = orbit_miss(s);
  }
  if (s->stop && *s->stop) return QDOT_STOPPED;
  return orbit_shoot(s, x, *T);
}

// d without what it has along the directions that matter for closing: along a family.
static void keep_family(const Svd *svd, double *d) {
  for (int k = 0; k < svd->k && svd->sigma[k] > FREE * svd->sigma[0]; k++) {
    const double *v = svd->Vt + (size_t)k * svd->n;
    dense_add(svd->n, -dense_dot(svd->n, v, d), v, d);
  }
}

Status orbit_draw_near(Shooting *s, const double *near, double *x, double *T) {
  uint32_t n = s->orbit->state;
  Arena *scratch = &s->orbit->cx->scratch;
  Mark mark = arena_mark(scratch);
  double *x_new = arena_array(scratch, double, n), *d = arena_array(scratch, double, n + 1);
  Status status = QDOT_OK;
  for (int round = 0; status == QDOT_OK && round < MOST_DRAWN; round++) {
    NewtonStep step;
    double T_new = *T, residual = s->orbit->residual, off = orbit_distance(s, x, near);
    status = begin_step(s, scratch, *T, &step);
    if (status != QDOT_OK) break;
    for (uint32_t i = 0; i < n; i++) {
      d[i] = near[i] - x[i];
      if (s->is_angle[i]) d[i] = remainder(d[i], 2 * M_PI);
      d[i] /= s->size[i];
    }
    d[n] = 0;
    keep_family(step.svd, d);
    for (uint32_t i = 0; i < n; i++) x_new[i] = x[i] + d[i] * s->size[i];
    if (dense_norm((int)n, d) > 1e-12) status = orbit_close(s, x_new, &T_new);
    bool is_nearer = s->orbit->residual <= ORBIT_CLOSED && orbit_distance(s, x_new, near) < off;
    if (status == QDOT_OK && is_nearer && off - orbit_distance(s, x_new, near) > 1e-9) {
      memcpy(x, x_new, n * sizeof *x);
      *T = T_new;
      continue;
    }
    s->orbit->residual = residual;
    break;
  }
  arena_release(scratch, mark);
  return status == QDOT_STOPPED ? status : orbit_shoot(s, x, *T);
}
