// Least squares: Levenberg and Marquardt's steps within bounds, and how well the result is known.
#include "ask/fit.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "expr/value/eval.h"
#include "solve/algebra/dense.h"

enum { MOST_ROUNDS = 60, MOST_WEIGHTS = 6, OTHER_STARTS = 12, TRACED = 600 };
static const double CONVERGED = 1e-9;
// A fit that leaves so much of the variance of the data is tried again from elsewhere.
static const double POOR = 0.1;

typedef struct Search {
  Fit *fit;
  Rerun rerun;
  uint32_t *places;
  SlopeLook look;
  double *times; // of all files, ascending
  uint32_t *file_of, *row_of;
  uint32_t count, n;    // unknowns, residuals
  double *unit;         // of the unknowns: what a change is measured by
  double *residual, *J; // of the last run: n, n x count
  double *best_residual, *best_J;
  double *trial, *step, *A, *b, *measures;
  FitProgress *progress;
  void *progress_user;
  double best; // sum of squares
} Search;

// ---- One run

static FitCurve *curve_at(const Search *s, uint32_t i) { return &s->fit->curves.at[i]; }

static void take_look(void *user, uint32_t number, const double *x, const double *S,
                      const double *signals, const double *slopes) {
  (void)x, (void)S;
  Search *s = user;
  size_t at = 0;
  for (uint32_t c = 0; c < s->fit->curves.n; c++) {
    const FitCurve *curve = curve_at(s, c);
    uint32_t rows = s->fit->request->files.at[curve->file].rows;
    if (curve->file == s->file_of[number]) {
      size_t k = at + s->row_of[number];
      double measured = curve->measured[s->row_of[number]];
      curve->computed[s->row_of[number]] = signals[curve->reduction];
      bool counts = !isnan(measured);
      s->residual[k] = counts ? signals[curve->reduction] - measured : 0;
      for (uint32_t j = 0; j < s->count; j++)
        s->J[k * s->count + j] = counts ? slopes[(size_t)curve->reduction * s->count + j] : 0;
    }
    at += rows;
  }
}

static void weigh(Search *s) {
  size_t at = 0;
  for (uint32_t c = 0; c < s->fit->curves.n; c++) {
    uint32_t rows = s->fit->request->files.at[curve_at(s, c)->file].rows;
    for (uint32_t i = 0; i < rows; i++, at++) {
      s->residual[at] *= curve_at(s, c)->weight;
      for (uint32_t j = 0; j < s->count; j++) s->J[at * s->count + j] *= curve_at(s, c)->weight;
    }
  }
}

static double squares(const double *r, uint32_t n) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++) sum += r[i] * r[i];
  return sum;
}

// Sum of weighted squares at x; INFINITY where there is no whole run. QDOT_STOPPED from outside.
static Status evaluate(Search *s, const double *x, double *out) {
  for (uint32_t i = 0; i < s->n; i++) s->residual[i] = NAN;
  Status status = rerun_measures(&s->rerun, s->places, x, s->count, s->measures);
  s->fit->runs++;
  *out = INFINITY;
  if (status == QDOT_STOPPED) return status;
  if (status == QDOT_OK) {
    weigh(s);
    double sum = squares(s->residual, s->n);
    for (size_t i = 0; i < (size_t)s->n * s->count; i++) sum += 0 * s->J[i];
    if (isfinite(sum)) *out = squares(s->residual, s->n);
  }
  if (!isfinite(*out)) s->fit->failed++;
  if (s->progress)
    s->progress(s->progress_user, s->fit->runs, sqrt(fmin(s->best, *out) / s->fit->values));
  return QDOT_OK;
}

// ---- Steps

static bool is_held(const Search *s, const double *x, uint32_t j, double gradient) {
  const FitResult *r = &s->fit->results[j];
  return (x[j] <= r->least && gradient > 0) || (x[j] >= r->most && gradient < 0);
}

// (J^T J + damping D) step = -J^T r over what is not held at its bound, D the sizes of J^T J.
static void find_step(Search *s, const double *x, double damping, double *step) {
  uint32_t n = s->count;
  for (uint32_t i = 0; i < n; i++) {
    s->b[i] = 0;
    for (uint32_t k = 0; k < s->n; k++)
      s->b[i] -= s->best_J[(size_t)k * n + i] * s->best_residual[k];
    for (uint32_t j = 0; j < n; j++) {
      double sum = 0;
      for (uint32_t k = 0; k < s->n; k++)
        sum += s->best_J[(size_t)k * n + i] * s->best_J[(size_t)k * n + j];
      s->A[i * n + j] = sum * s->unit[i] * s->unit[j];
    }
  }
  double largest = 0;
  for (uint32_t i = 0; i < n; i++) largest = fmax(largest, s->A[i * n + i]);
  for (uint32_t i = 0; i < n; i++) {
    bool held = is_held(s, x, i, -s->b[i]);
    s->b[i] = held ? 0 : s->b[i] * s->unit[i];
    for (uint32_t j = 0; held && j < n; j++) s->A[i * n + j] = s->A[j * n + i] = 0;
    s->A[i * n + i] += held ? 1 : damping * fmax(s->A[i * n + i], 1e-12 * largest) + 1e-300;
  }
  for (uint32_t i = 0; i < n; i++) step[i] = 0;
  if (dense_cholesky((int)n, s->A, 0) >= 0) return;
  dense_lower((int)n, s->A, s->b);
  dense_lower_transposed((int)n, s->A, s->b);
  for (uint32_t i = 0; i < n; i++) step[i] = s->b[i] * s->unit[i];
}

static void keep_best(Search *s, double value) {
  s->best = value;
  memcpy(s->best_residual, s->residual, s->n * sizeof *s->residual);
  memcpy(s->best_J, s->J, (size_t)s->n * s->count * sizeof *s->J);
}

// From x to the least sum of squares nearby. *converged: no step makes it smaller.
static Status descend(Search *s, double *x, bool *converged) {
  double damping = 1e-3, value;
  *converged = false;
  Status status = evaluate(s, x, &value);
  if (status != QDOT_OK || !isfinite(value)) {
    s->best = INFINITY;
    return status;
  }
  keep_best(s, value);
  for (int round = 0; round < MOST_ROUNDS && !*converged; round++) {
    find_step(s, x, damping, s->step);
    double size = 0;
    for (uint32_t j = 0; j < s->count; j++) {
      const FitResult *r = &s->fit->results[j];
      s->trial[j] = fmin(fmax(x[j] + s->step[j], r->least), r->most);
      size = fmax(size, fabs(s->trial[j] - x[j]) / s->unit[j]);
    }
    if (size < CONVERGED) {
      *converged = true;
      break;
    }
    status = evaluate(s, s->trial, &value);
    if (status != QDOT_OK) return status;
    if (value < s->best) {
      double gain = (s->best - value) / s->best;
      memcpy(x, s->trial, s->count * sizeof *x);
      keep_best(s, value);
      damping = fmax(damping / 9, 1e-12);
      if (gain < 1e-12 || value == 0) *converged = true;
    } else {
      if (value - s->best <= 1e-10 * s->best) *converged = true;
      damping = damping * 11;
      if (damping > 1e12) *converged = true;
    }
  }
  return QDOT_OK;
}

// ---- Weights

static void find_rms(Search *s) {
  size_t at = 0;
  for (uint32_t c = 0; c < s->fit->curves.n; c++) {
    FitCurve *curve = curve_at(s, c);
    uint32_t rows = s->fit->request->files.at[curve->file].rows;
    double sum = 0;
    for (uint32_t i = 0; i < rows; i++, at++) {
      double r = s->best_residual[at] / curve->weight;
      sum += r * r;
      if (!isnan(curve->measured[i])) curve->computed[i] = curve->measured[i] + r;
    }
    curve->rms = sqrt(sum / curve->count);
  }
}

static double spread_of(const FitCurve *curve, uint32_t rows) {
  double mean = 0, sum = 0;
  for (uint32_t i = 0; i < rows; i++)
    if (!isnan(curve->measured[i])) mean += curve->measured[i] / curve->count;
  for (uint32_t i = 0; i < rows; i++)
    if (!isnan(curve->measured[i]))
      sum += (curve->measured[i] - mean) * (curve->measured[i] - mean);
  return sqrt(sum / curve->count);
}

static bool has_several_units(const Fit *fit) {
  for (uint32_t c = 1; c < fit->curves.n; c++) {
    const FitSignal *a = &fit->request->signals.at[fit->curves.at[0].signal];
    const FitSignal *b = &fit->request->signals.at[fit->curves.at[c].signal];
    if (!dimension_is_equal(a->measure.dimension, b->measure.dimension)) return true;
  }
  return false;
}

// Signals of several units are each divided by their own residuals, until these no longer change.
static Status descend_weighted(Search *s, double *x, bool *converged) {
  Fit *fit = s->fit;
  bool several = has_several_units(fit);
  for (uint32_t c = 0; c < fit->curves.n; c++) {
    double spread = spread_of(curve_at(s, c), fit->request->files.at[curve_at(s, c)->file].rows);
    curve_at(s, c)->weight = several && spread > 0 ? 1 / spread : 1;
  }
  Status status = descend(s, x, converged);
  for (int round = 0; several && round < MOST_WEIGHTS && status == QDOT_OK && isfinite(s->best);
       round++) {
    find_rms(s);
    double change = 0;
    for (uint32_t c = 0; c < fit->curves.n; c++) {
      FitCurve *curve = curve_at(s, c);
      double spread = spread_of(curve, fit->request->files.at[curve->file].rows);
      double weight = 1 / fmax(curve->rms, 1e-9 * spread);
      change = fmax(change, fabs(weight / curve->weight - 1));
      curve->weight = weight;
    }
    if (change < 0.01) break;
    status = descend(s, x, converged);
  }
  return status;
}

// ---- Starts

// What is left of the variance of the data.
static double share_left(Search *s) {
  double all = 0;
  for (uint32_t c = 0; c < s->fit->curves.n; c++) {
    const FitCurve *curve = curve_at(s, c);
    double spread = spread_of(curve, s->fit->request->files.at[curve->file].rows) * curve->weight;
    all += spread * spread * curve->count;
  }
  return all > 0 ? s->best / all : 0;
}

static void other_start(const Search *s, uint64_t *random, const double *from, double *x) {
  for (uint32_t j = 0; j < s->count; j++) {
    const FitResult *r = &s->fit->results[j];
    double u = random_mixed_fraction(random);
    if (isfinite(r->least) && isfinite(r->most))
      x[j] = r->least + u * (r->most - r->least);
    else
      x[j] = fmin(fmax(from[j] + (from[j] != 0 ? from[j] * (pow(6, 2 * u - 1) - 1)
                                               : s->unit[j] * (2 * u - 1)),
                       r->least),
                  r->most);
  }
}

static Status try_starts(Search *s, double *x) {
  Fit *fit = s->fit;
  uint32_t n = s->count;
  double *from = arena_array(fit->cx->results, double, n),
         *other = arena_array(fit->cx->results, double, n);
  double *residual = arena_array(fit->cx->results, double, s->n);
  double *J = arena_array(fit->cx->results, double, (size_t)s->n *n);
  memcpy(from, x, n * sizeof *x);
  Status status = descend_weighted(s, x, &fit->converged);
  fit->starts = 1;
  uint64_t random = 1;
  for (int k = 0; k < OTHER_STARTS && status == QDOT_OK; k++) {
    if (fit->converged && isfinite(s->best) && share_left(s) < POOR) break;
    bool converged;
    double best = s->best;
    memcpy(residual, s->best_residual, s->n * sizeof *residual);
    memcpy(J, s->best_J, (size_t)s->n * n * sizeof *J);
    other_start(s, &random, from, other);
    status = descend_weighted(s, other, &converged);
    fit->starts++;
    if (isfinite(s->best) && (s->best < best || !isfinite(best))) {
      memcpy(x, other, n * sizeof *x);
      fit->converged = converged;
      continue;
    }
    s->best = best;
    memcpy(s->best_residual, residual, s->n * sizeof *residual);
    memcpy(s->best_J, J, (size_t)s->n * n * sizeof *J);
  }
  return status;
}

// ---- Opening

static int by_time(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

typedef struct Moment {
  double t;
  uint32_t file, row;
} Moment;

static void open_data(Search *s) {
  Fit *fit = s->fit;
  Arena *keep = fit->cx->results;
  const FitRequest *request = fit->request;
  uint32_t count = 0;
  for (uint32_t f = 0; f < request->files.n; f++) count += request->files.at[f].rows;
  Moment *moments = arena_array(keep, Moment, count);
  count = 0;
  for (uint32_t f = 0; f < request->files.n; f++)
    for (uint32_t i = 0; i < request->files.at[f].rows; i++)
      moments[count++] = (Moment){request->files.at[f].times[i], f, i};
  qsort(moments, count, sizeof *moments, by_time);
  s->times = arena_array(keep, double, count);
  s->file_of = arena_array(keep, uint32_t, count);
  s->row_of = arena_array(keep, uint32_t, count);
  for (uint32_t i = 0; i < count; i++)
    s->times[i] = moments[i].t, s->file_of[i] = moments[i].file, s->row_of[i] = moments[i].row;
  s->look = (SlopeLook){.times = s->times, .count = count, .user = s, .take = take_look};
  for (uint32_t i = 0; i < request->signals.n; i++) {
    const FitSignal *signal = &request->signals.at[i];
    uint32_t rows = request->files.at[signal->file].rows;
    FitCurve curve = {
        .file = signal->file, .signal = i, .reduction = signal->reduction, .weight = 1};
    curve.measured = signal->values;
    curve.computed = arena_array(keep, double, rows);
    for (uint32_t k = 0; k < rows; k++) curve.count += !isnan(curve.measured[k]);
    s->n += rows;
    fit->values += curve.count;
    vec_push(keep, &fit->curves, curve);
  }
}

static double bound(const Search *s, Expr e, double otherwise) {
  return e ? expr_eval(s->fit->cx, e, s->rerun.simulation.run.machine.values) : otherwise;
}

static void open_unknowns(Search *s, double *x) {
  Fit *fit = s->fit;
  for (uint32_t j = 0; j < s->count; j++) {
    const Sought *u = &fit->request->unknowns.at[j];
    FitResult *r = &fit->results[j];
    r->least = bound(s, u->low, -INFINITY);
    r->most = bound(s, u->high, INFINITY);
    x[j] = fmin(fmax(rerun_given(&s->rerun, s->places[j]), r->least), r->most);
    double range = r->most - r->least;
    s->unit[j] = x[j] != 0 ? fabs(x[j]) : isfinite(range) && range > 0 ? range : 1;
  }
}

static void open_rooms(Search *s) {
  Arena *keep = s->fit->cx->results;
  uint32_t n = s->count;
  size_t cells = (size_t)s->n * n;
  s->unit = arena_array(keep, double, n);
  s->residual = arena_array(keep, double, s->n);
  s->best_residual = arena_array(keep, double, s->n);
  s->J = arena_array(keep, double, cells);
  s->best_J = arena_array(keep, double, cells);
  s->trial = arena_array(keep, double, n);
  s->step = arena_array(keep, double, n);
  s->b = arena_array(keep, double, n);
  s->A = arena_array(keep, double, (size_t)n *n);
  s->measures = arena_array(keep, double, s->fit->model->requests.measurements.n + 1);
}

static void finish(Search *s, const double *x) {
  Fit *fit = s->fit;
  for (uint32_t j = 0; j < s->count; j++) {
    FitResult *r = &fit->results[j];
    r->value = x[j];
    r->at_bound = x[j] == r->least || x[j] == r->most;
  }
  find_rms(s);
  fit->rms = sqrt(s->best / fit->values);
}

static void take_trace(void *user, uint32_t number, const double *x, const double *S,
                       const double *signals, const double *slopes) {
  (void)x, (void)S, (void)slopes;
  const Search *s = user;
  for (uint32_t c = 0; c < s->fit->curves.n; c++)
    s->fit->trace.values[(size_t)number * s->fit->curves.n + c] =
        signals[curve_at(s, c)->reduction];
}

// One more run looks at the motion between the data, too.
static void trace(Search *s, const double *x) {
  Fit *fit = s->fit;
  Arena *keep = fit->cx->results;
  double end = s->times[s->look.count - 1];
  fit->trace.times = arena_array(keep, double, TRACED);
  fit->trace.values = arena_array(keep, double, (size_t)TRACED * fit->curves.n);
  for (size_t i = 0; i < (size_t)TRACED * fit->curves.n; i++) fit->trace.values[i] = NAN;
  for (uint32_t i = 0; i < TRACED; i++) fit->trace.times[i] = end * i / (TRACED - 1);
  s->look = (SlopeLook){.times = fit->trace.times, .count = TRACED, .user = s, .take = take_trace};
  if (rerun_measures(&s->rerun, s->places, x, s->count, s->measures) == QDOT_OK)
    fit->trace.n = TRACED;
}

static Status search(Search *s) {
  Fit *fit = s->fit;
  double *x = arena_array(fit->cx->results, double, s->count);
  open_unknowns(s, x);
  s->best = INFINITY;
  Status status = try_starts(s, x);
  fit->is_stopped = status == QDOT_STOPPED;
  if (status != QDOT_OK && status != QDOT_STOPPED) return status;
  if (!isfinite(s->best)) {
    if (fit->is_stopped) return QDOT_STOPPED;
    return diag_error(fit->cx, QDOT_NO_CONVERGENCE, fit->request->span,
                      "no start gives a run that reaches all data: %s", s->rerun.why);
  }
  finish(s, x);
  trace(s, x);
  return fit_judge(fit, s->n, s->best_J, s->best, s->unit);
}

Status fit_find(Fit *fit, Context *cx, System *system, const FitRequest *request,
                const SimOptions *options, FitProgress *progress, void *progress_user) {
  *fit = (Fit){.cx = cx, .model = system->model, .request = request, .count = request->unknowns.n};
  Arena *keep = cx->results;
  Search *s = arena_new(keep, Search);
  *s = (Search){
      .fit = fit, .count = fit->count, .progress = progress, .progress_user = progress_user};
  fit->results = arena_array(keep, FitResult, fit->count);
  s->places = arena_array(keep, uint32_t, fit->count);
  for (uint32_t j = 0; j < fit->count; j++) {
    int place = directions_place(cx, system->model, &request->unknowns.at[j].by.varied);
    if (place < 0) return QDOT_UNKNOWN_NAME;
    s->places[j] = (uint32_t)place;
  }
  open_data(s);
  open_rooms(s);
  Directions directions = {fit->count, s->places};
  SimOptions own = *options;
  own.directions = &directions;
  own.look = &s->look;
  own.t_end = s->times[s->look.count - 1];
  double began = context_seconds();
  Status status = rerun_open(&s->rerun, cx, system, &own);
  if (status != QDOT_OK) return status;
  s->rerun.follows_end = false;
  status = search(s);
  rerun_close(&s->rerun);
  fit->seconds = context_seconds() - began;
  return status;
}
