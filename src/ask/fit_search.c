// Least squares: Levenberg and Marquardt's steps within bounds, and how well the result is known.
#include <math.h>
#include <string.h>

#include "ask/draw.h"
#include "ask/fit_run.h"
#include "expr/value/eval.h"
#include "solve/algebra/dense.h"

enum { MOST_ROUNDS = 60, MOST_WEIGHTS = 6, MOST_TURNS = 4 };
// For each unknown: other starts of a poor fit, of one that leaves more than noise, of `global`.
enum { OTHER_STARTS = 16, DOUBTED_STARTS = 4, GLOBAL_STARTS = 40 };
// Residuals of so many times the tolerance of the runs are what these are off by.
static const double RUN_ERRORS = 100;
static const double CONVERGED = 1e-9;
// A fit that leaves so much of the variance of the data is tried again from elsewhere.
static const double POOR = 0.1;

typedef struct Search {
  Fit *fit;
  FitRuns runs;
  uint32_t count, n; // unknowns, residuals
  double *unit;      // of the unknowns: what a change is measured by
  double *best_residual, *best_J;
  double *trial, *step, *A, *b;
  FitProgress *progress;
  void *progress_user;
  double best; // sum of squares
} Search;

static FitCurve *curve_at(const Search *s, uint32_t i) { return &s->fit->curves.at[i]; }

static uint32_t rows_of(const Search *s, uint32_t curve) {
  return s->fit->request->files.at[curve_at(s, curve)->file].rows;
}

static Status evaluate(Search *s, const double *x, double *out) {
  Status status = fit_runs_evaluate(&s->runs, x, out);
  if (s->progress && status == QDOT_OK)
    s->progress(s->progress_user, s->fit->runs, sqrt(fmin(s->best, *out) / s->fit->values));
  return status;
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
  memcpy(s->best_residual, s->runs.residual, s->n * sizeof *s->best_residual);
  memcpy(s->best_J, s->runs.J, (size_t)s->n * s->count * sizeof *s->best_J);
}

// From x to the least sum of squares nearby. *converged: no step makes it smaller, and that because
// of the squares and not of runs that fail.
static Status descend(Search *s, double *x, bool *converged) {
  double damping = 1e-3, value;
  bool is_blocked = false;
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
      *converged = !is_blocked;
      break;
    }
    status = evaluate(s, s->trial, &value);
    if (status != QDOT_OK) return status;
    is_blocked = !isfinite(value);
    if (value < s->best) {
      double gain = (s->best - value) / s->best;
      memcpy(x, s->trial, s->count * sizeof *x);
      keep_best(s, value);
      damping = fmax(damping / 9, 1e-12);
      if (gain < 1e-12 || value == 0) *converged = true;
    } else {
      if (value - s->best <= 1e-10 * s->best) *converged = true;
      damping = damping * 11;
      if (damping > 1e12) *converged = !is_blocked;
      if (damping > 1e12) break;
    }
  }
  return QDOT_OK;
}

// ---- Weights

static void find_rms(Search *s) {
  size_t at = 0;
  for (uint32_t c = 0; c < s->fit->curves.n; c++) {
    FitCurve *curve = curve_at(s, c);
    double sum = 0;
    for (uint32_t i = 0; i < rows_of(s, c); i++, at++) {
      double r = s->best_residual[at] / curve->weight;
      sum += r * r;
      if (!isnan(curve->measured[i])) curve->computed[i] = curve->measured[i] + r;
    }
    curve->rms = sqrt(sum / curve->count);
  }
}

static double spread_of(const Search *s, uint32_t c) {
  const FitCurve *curve = curve_at(s, c);
  uint32_t rows = rows_of(s, c);
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

// Before anything is known of the residuals.
static double first_weight(const Search *s, uint32_t c) {
  double spread = spread_of(s, c);
  return has_several_units(s->fit) && spread > 0 ? 1 / spread : 1;
}

// Signals of several units are each divided by their own residuals, until these no longer change.
static Status descend_weighted(Search *s, double *x, bool *converged) {
  Fit *fit = s->fit;
  bool several = has_several_units(fit);
  for (uint32_t c = 0; c < fit->curves.n; c++) curve_at(s, c)->weight = first_weight(s, c);
  Status status = descend(s, x, converged);
  for (int round = 0; several && round < MOST_WEIGHTS && status == QDOT_OK && isfinite(s->best);
       round++) {
    find_rms(s);
    double change = 0;
    for (uint32_t c = 0; c < fit->curves.n; c++) {
      FitCurve *curve = curve_at(s, c);
      double weight = 1 / fmax(curve->rms, 1e-9 * spread_of(s, c));
      change = fmax(change, fabs(weight / curve->weight - 1));
      curve->weight = weight;
    }
    if (change < 0.01) break;
    status = descend(s, x, converged);
  }
  return status;
}

// ---- Starts

// What is left of the variance of the data. Unlike the sum of squares it does not depend on the
// weights, which follow the residuals: it compares starts.
static double share_left(Search *s) {
  double left = 0, all = 0;
  if (!isfinite(s->best)) return INFINITY;
  find_rms(s);
  for (uint32_t c = 0; c < s->fit->curves.n; c++) {
    const FitCurve *curve = curve_at(s, c);
    double weight = first_weight(s, c), spread = spread_of(s, c) * weight;
    if (curve->count == 0) continue;
    left += curve->rms * weight * curve->rms * weight * curve->count;
    all += spread * spread * curve->count;
  }
  return all > 0 ? left / all : 0;
}

// The best so far, with all that belongs to it.
typedef struct BestPlace {
  double best, share;
  double *x, *residual, *J, *weights;
} BestPlace;

static BestPlace place_new(const Search *s) {
  Arena *keep = s->fit->cx->results;
  return (BestPlace){INFINITY,
                     INFINITY,
                     arena_array(keep, double, s->count),
                     arena_array(keep, double, s->n),
                     arena_array(keep, double, (size_t)s->n * s->count),
                     arena_array(keep, double, s->fit->curves.n)};
}

static void keep_place(const Search *s, const double *x, double share, BestPlace *place) {
  place->best = s->best, place->share = share;
  memcpy(place->x, x, s->count * sizeof *x);
  memcpy(place->residual, s->best_residual, s->n * sizeof *place->residual);
  memcpy(place->J, s->best_J, (size_t)s->n * s->count * sizeof *place->J);
  for (uint32_t c = 0; c < s->fit->curves.n; c++) place->weights[c] = curve_at(s, c)->weight;
}

static void return_to(Search *s, const BestPlace *place, double *x) {
  s->best = place->best;
  memcpy(x, place->x, s->count * sizeof *x);
  memcpy(s->best_residual, place->residual, s->n * sizeof *place->residual);
  memcpy(s->best_J, place->J, (size_t)s->n * s->count * sizeof *place->J);
  for (uint32_t c = 0; c < s->fit->curves.n; c++) curve_at(s, c)->weight = place->weights[c];
}

// Value k of a series that fills the bounds of an unknown evenly.
static double other_value(const Search *s, uint64_t k, uint32_t j, double from) {
  const FitResult *r = &s->fit->results[j];
  double u = j < SOBOL_DIMENSIONS ? draw_sobol(1, k, j) : draw_random(1, k, j);
  if (isfinite(r->least) && isfinite(r->most)) return r->least + u * (r->most - r->least);
  double change = from != 0 ? from * (pow(6, 2 * u - 1) - 1) : s->unit[j] * (2 * u - 1);
  return fmin(fmax(from + change, r->least), r->most);
}

// Start k: by turns all unknowns elsewhere, and one of them with the others as they are best.
static void other_start(const Search *s, uint32_t k, const double *from, const BestPlace *place,
                        double *x) {
  uint32_t only = k / 2 % s->count, turn = 1 + k / (2 * s->count);
  bool all = k % 2 == 1 || s->count == 1 || !isfinite(place->share);
  for (uint32_t j = 0; j < s->count; j++)
    x[j] = all || j == only ? other_value(s, all ? k : turn, j, from[j]) : place->x[j];
}

// How many starts there are beside the model's own, by what the best so far leaves.
static uint32_t other_starts(const Search *s, const BestPlace *place) {
  const Fit *fit = s->fit;
  uint32_t each = fit->request->is_global                   ? GLOBAL_STARTS
                  : !fit->converged || place->share >= POOR ? OTHER_STARTS
                  : !fit->is_noise                          ? DOUBTED_STARTS
                                                            : 0;
  return each * (s->count < MOST_TURNS ? s->count : MOST_TURNS);
}

static Status try_starts(Search *s, double *x) {
  Fit *fit = s->fit;
  double *from = arena_array(fit->cx->results, double, s->count);
  double accuracy = RUN_ERRORS * s->runs.rerun.simulation.options.method.rtol;
  memcpy(from, x, s->count * sizeof *x);
  BestPlace place = place_new(s);
  Status status = QDOT_OK;
  for (uint32_t k = 0; k <= other_starts(s, &place) && status == QDOT_OK; k++) {
    bool converged;
    if (k > 0) other_start(s, k, from, &place, x);
    status = descend_weighted(s, x, &converged);
    fit->starts++;
    double share = share_left(s);
    if (!(share < place.share)) continue;
    keep_place(s, x, share, &place);
    fit->converged = converged;
    fit_judge_noise(fit, s->best_residual, accuracy);
  }
  return_to(s, &place, x);
  return status;
}

// ---- Opening

static double bound(const Search *s, Expr e, double otherwise) {
  return e ? expr_eval(s->fit->cx, e, s->runs.rerun.simulation.run.machine.values) : otherwise;
}

static void open_unknowns(Search *s, double *x) {
  Fit *fit = s->fit;
  for (uint32_t j = 0; j < s->count; j++) {
    const Sought *u = fit_sought(fit, j);
    FitResult *r = &fit->results[j];
    r->least = bound(s, u->low, -INFINITY);
    r->most = bound(s, u->high, INFINITY);
    x[j] = fmin(fmax(fit_runs_given(&s->runs, j), r->least), r->most);
    double range = r->most - r->least;
    s->unit[j] = x[j] != 0 ? fabs(x[j]) : isfinite(range) && range > 0 ? range : 1;
  }
}

static void open_rooms(Search *s) {
  Arena *keep = s->fit->cx->results;
  uint32_t n = s->count;
  s->unit = arena_array(keep, double, n);
  s->best_residual = arena_array(keep, double, s->n);
  s->best_J = arena_array(keep, double, (size_t)s->n *n);
  s->trial = arena_array(keep, double, n);
  s->step = arena_array(keep, double, n);
  s->b = arena_array(keep, double, n);
  s->A = arena_array(keep, double, (size_t)n *n);
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
                      "no start gives a run that reaches all data: %s", s->runs.rerun.why);
  }
  finish(s, x);
  fit_runs_trace(&s->runs, x);
  return fit_judge(fit, s->n, s->best_J, s->best, s->unit);
}

Status fit_find(Fit *fit, Context *cx, System *system, const FitRequest *request,
                const SimOptions *options, FitProgress *progress, void *progress_user) {
  *fit = (Fit){.cx = cx, .model = system->model, .request = request};
  Search *s = arena_new(cx->results, Search);
  *s = (Search){.fit = fit, .progress = progress, .progress_user = progress_user};
  double began = context_seconds();
  Status status = fit_runs_open(&s->runs, fit, system, options);
  if (status != QDOT_OK) return status;
  s->count = fit->count;
  s->n = s->runs.n;
  open_rooms(s);
  status = search(s);
  fit_runs_close(&s->runs);
  fit->seconds = context_seconds() - began;
  return status;
}
