// Samples of parameters, and the distributions of measures that they make.
#include "ask/tolerance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/status_text.h"
#include "expr/value/eval.h"
#include "program/elementary.h"
#include "sim/direction_rates.h"

// A part of the mean that is the rounding of runs.
static const double ROUNDING = 1e-13;
static const double NO_SHARE = 1e-12; // the same of a variance
const double tolerance_percentiles[TOLERANCE_PERCENTILES] = {0.1, 1, 5, 50, 95, 99, 99.9};

// ---- Opening

Status tolerance_worker_open(ToleranceWorker *w, Context *cx, System *system,
                             const SimOptions *options, uint32_t lanes) {
  *w = (ToleranceWorker){0};
  const Requests *requests = &system->model->requests;
  w->at = arena_array(cx->results, double, requests->tolerance.spreads.n);
  w->measures = arena_array(cx->results, double, requests->measurements.n);
  return runs_open(&w->runs, system, options, lanes);
}

void tolerance_worker_close(ToleranceWorker *w) { runs_close(&w->runs); }

Status tolerance_open(Tolerance *t, const Model *model, ToleranceWorker *worker, uint32_t runs,
                      const uint64_t *seed) {
  Context *cx = model->cx;
  const ToleranceRequest *request = &model->requests.tolerance;
  uint32_t spreads = request->spreads.n, measures = request->measures.n;
  *t = (Tolerance){.cx = cx,
                   .model = model,
                   .request = request,
                   .runs = runs ? runs : request->runs,
                   .seed = seed ? *seed : request->seed};
  t->places = arena_array(cx->results, uint32_t, spreads);
  t->nominal = arena_array(cx->results, double, spreads);
  t->width = arena_array(cx->results, double, spreads);
  for (uint32_t i = 0; i < spreads; i++) {
    const Spread *spread = &request->spreads.at[i];
    int place = directions_place(cx, model, &spread->varied);
    if (place < 0) return QDOT_UNKNOWN_NAME;
    t->places[i] = (uint32_t)place;
    t->nominal[i] = rerun_given(&worker->runs.rerun, (uint32_t)place);
    Status status = width_of_varied(cx, &spread->width, &spread->varied, t->nominal[i],
                                    worker->runs.rerun.simulation.run.machine.values, &t->width[i]);
    if (status != QDOT_OK) return status;
  }
  t->values = arena_array(cx->results, double, (size_t)t->runs *measures);
  t->is_done = arena_array(cx->results, bool, t->runs);
  t->is_good = arena_array(cx->results, bool, t->runs);
  return QDOT_OK;
}

// ---- Samples

// Box and Muller's; both numbers lie in (0, 1].
static double normal(double u, double v) {
  return sqrt(-2 * elementary_log(u)) * elementary_cos(2 * M_PI * v);
}

static double deviation(uint64_t *state, bool is_normal) {
  double u = 1 - random_mixed_fraction(state), v = 1 - random_mixed_fraction(state);
  return is_normal ? normal(u, v) : 1 - 2 * u;
}

void tolerance_sample(const Tolerance *t, uint32_t run, double *out) {
  uint64_t seed = t->seed, state = random_mixed(&seed) + run;
  state = random_mixed(&state);
  for (uint32_t i = 0; i < t->request->spreads.n; i++)
    out[i] = t->nominal[i] + t->width[i] * deviation(&state, t->request->spreads.at[i].is_normal);
}

static Status measure(const Tolerance *t, ToleranceWorker *w) {
  return rerun_measures(&w->runs.rerun, t->places, w->at, t->request->spreads.n, w->measures);
}

// What lanes take their runs from.
typedef struct Making {
  Tolerance *tolerance;
  uint32_t next, end;
  bool is_stopped;
} Making;

static void make_runs(void *user, Rerun *rerun) {
  Making *m = user;
  Tolerance *t = m->tolerance;
  uint32_t n = t->request->measures.n, spreads = t->request->spreads.n;
  Arena *scratch = &rerun->simulation.run.cx->scratch;
  Mark mark = arena_mark(scratch);
  double *at = arena_array(scratch, double, spreads);
  double *measures = arena_array(scratch, double, t->model->requests.measurements.n);
  while (m->next < m->end && !m->is_stopped) {
    uint32_t run = m->next++;
    tolerance_sample(t, run, at);
    Status status = rerun_measures(rerun, t->places, at, spreads, measures);
    if (status == QDOT_STOPPED) m->is_stopped = true;
    for (uint32_t k = 0; k < n; k++)
      t->values[(size_t)run * n + k] = measures[t->request->measures.at[k]];
    t->is_good[run] = status == QDOT_OK;
    t->is_done[run] = status != QDOT_STOPPED;
  }
  arena_release(scratch, mark);
}

bool tolerance_run(Tolerance *t, ToleranceWorker *w, uint32_t first, uint32_t count) {
  Making making = {.tolerance = t, .next = first, .end = first + count};
  runs_make(&w->runs, count, make_runs, &making);
  return !making.is_stopped;
}

// ---- The linear prediction

// The standard deviation of a spread.
static double sigma_of(const Tolerance *t, uint32_t i) {
  return t->request->spreads.at[i].is_normal ? t->width[i] : t->width[i] / sqrt(3);
}

static Status no_nominal_run(const Tolerance *t, const Rerun *rerun, Status status) {
  if (status == QDOT_STOPPED) return status;
  return diag_error(t->cx, status, t->request->span,
                    "the run with the model's own values fails: %s",
                    rerun->why[0] ? rerun->why : status_text(status));
}

Status tolerance_predict(Tolerance *t, ToleranceWorker *w) {
  uint32_t n = t->request->measures.n, spreads = t->request->spreads.n;
  for (uint32_t i = 0; i < spreads; i++) w->at[i] = t->nominal[i];
  Status status = measure(t, w);
  if (status != QDOT_OK) return no_nominal_run(t, &w->runs.rerun, status);
  for (uint32_t k = 0; k < n; k++) {
    uint32_t number = t->request->measures.at[k];
    Distribution d = {.measure = number, .nominal = w->measures[number]};
    d.contribution = arena_array(t->cx->results, double, spreads);
    vec_push(t->cx->results, &t->distributions, d);
  }
  double *ahead = arena_array(t->cx->results, double, t->model->requests.measurements.n);
  for (uint32_t i = 0; i < spreads; i++) {
    double sigma = sigma_of(t, i);
    w->at[i] = t->nominal[i] + sigma;
    status = measure(t, w);
    if (status == QDOT_STOPPED) return status;
    memcpy(ahead, w->measures, t->model->requests.measurements.n * sizeof *ahead);
    w->at[i] = t->nominal[i] - sigma;
    status = measure(t, w);
    if (status == QDOT_STOPPED) return status;
    w->at[i] = t->nominal[i];
    for (uint32_t k = 0; k < n; k++) {
      uint32_t number = t->request->measures.at[k];
      double change = (ahead[number] - w->measures[number]) / 2;
      t->distributions.at[k].linear_std += change * change;
    }
  }
  for (uint32_t k = 0; k < n; k++)
    t->distributions.at[k].linear_std = sqrt(t->distributions.at[k].linear_std);
  return QDOT_OK;
}

// ---- Distributions

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// Between the two values next to it, in equal parts of their number.
static double percentile_of(const double *sorted, uint32_t n, double percent) {
  double at = percent / 100 * (n - 1);
  uint32_t below = (uint32_t)at;
  if (below + 1 >= n) return sorted[n - 1];
  return sorted[below] + (at - below) * (sorted[below + 1] - sorted[below]);
}

static bool has_value(const Tolerance *t, uint32_t run, uint32_t k) {
  return t->is_done[run] && t->is_good[run] &&
         isfinite(t->values[(size_t)run * t->request->measures.n + k]);
}

static void take_values(Tolerance *t, uint32_t k, Distribution *d) {
  uint32_t n = t->request->measures.n;
  d->sorted = arena_array(t->cx->results, double, t->runs);
  double sum = 0, squares = 0;
  for (uint32_t run = 0; run < t->runs; run++)
    if (has_value(t, run, k)) sum += d->sorted[d->count++] = t->values[(size_t)run * n + k];
  d->mean = sum / d->count;
  for (uint32_t i = 0; i < d->count; i++)
    squares += (d->sorted[i] - d->mean) * (d->sorted[i] - d->mean);
  d->std = sqrt(squares / (d->count - 1.0));
  if (d->std <= ROUNDING * fabs(d->mean)) d->std = 0;
  qsort(d->sorted, d->count, sizeof *d->sorted, ascending);
  d->least = d->count ? d->sorted[0] : NAN, d->most = d->count ? d->sorted[d->count - 1] : NAN;
  for (int i = 0; i < TOLERANCE_PERCENTILES; i++)
    d->percentile[i] =
        d->count ? percentile_of(d->sorted, d->count, tolerance_percentiles[i]) : NAN;
}

// Solves A x = b for a symmetric positive A (n x n) in place; what has no pivot stays 0.
static void solve_normal_equations(double *A, double *b, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    double pivot = A[i * n + i];
    for (uint32_t r = i + 1; r < n && pivot > 0; r++) {
      double factor = A[r * n + i] / pivot;
      for (uint32_t c = i; c < n; c++) A[r * n + c] -= factor * A[i * n + c];
      b[r] -= factor * b[i];
    }
  }
  for (uint32_t i = n; i-- > 0;) {
    for (uint32_t c = i + 1; c < n; c++) b[i] -= A[i * n + c] * b[c];
    b[i] = A[i * n + i] > 0 ? b[i] / A[i * n + i] : 0;
  }
}

// Mean values of the parameters over the runs that count, each in its standard deviation.
static void find_means(const Tolerance *t, uint32_t k, const Distribution *d, double *x,
                       double *mean) {
  uint32_t spreads = t->request->spreads.n;
  for (uint32_t run = 0; run < t->runs; run++) {
    if (!has_value(t, run, k)) continue;
    tolerance_sample(t, run, x);
    for (uint32_t i = 0; i < spreads; i++)
      mean[i] += (x[i] - t->nominal[i]) / sigma_of(t, i) / d->count;
  }
}

// Least squares of the measure by all parameters: the share of one is what its term has in common
// with the measure. So they add up to the part of the variance that the fit explains, also where
// the values depend on each other, by chance or because runs have failed.
static void find_contributions(Tolerance *t, uint32_t k, Distribution *d) {
  uint32_t spreads = t->request->spreads.n, n = t->request->measures.n;
  if (d->count <= spreads || !(d->std > 0)) return;
  Mark mark = arena_mark(&t->cx->scratch);
  double *A = arena_array(&t->cx->scratch, double, (size_t)spreads *spreads);
  double *x = arena_array(&t->cx->scratch, double, spreads);
  double *mean = arena_array(&t->cx->scratch, double, spreads);
  double *common = arena_array(&t->cx->scratch, double, spreads);
  find_means(t, k, d, x, mean);
  for (uint32_t run = 0; run < t->runs; run++) {
    if (!has_value(t, run, k)) continue;
    double y = t->values[(size_t)run * n + k] - d->mean;
    tolerance_sample(t, run, x);
    for (uint32_t i = 0; i < spreads; i++) x[i] = (x[i] - t->nominal[i]) / sigma_of(t, i) - mean[i];
    for (uint32_t i = 0; i < spreads; i++) {
      d->contribution[i] += x[i] * y;
      for (uint32_t j = 0; j < spreads; j++) A[i * spreads + j] += x[i] * x[j];
    }
  }
  double all = d->std * d->std * (d->count - 1.0);
  memcpy(common, d->contribution, spreads * sizeof *common);
  solve_normal_equations(A, d->contribution, spreads);
  for (uint32_t i = 0; i < spreads; i++) d->contribution[i] = d->contribution[i] * common[i] / all;
  for (uint32_t i = 0; i < spreads; i++)
    if (fabs(d->contribution[i]) < NO_SHARE) d->contribution[i] = 0;
  arena_release(&t->cx->scratch, mark);
}

// Values beyond 0 are rarely meant: a spring that pushes, a mass that is none.
static void count_turned(Tolerance *t, double *at) {
  uint32_t spreads = t->request->spreads.n;
  t->turned = arena_array(t->cx->results, uint32_t, spreads);
  for (uint32_t run = 0; run < t->runs; run++) {
    if (!t->is_done[run]) continue;
    tolerance_sample(t, run, at);
    for (uint32_t i = 0; i < spreads; i++) t->turned[i] += at[i] * t->nominal[i] < 0;
  }
}

static void learn_why(Tolerance *t, ToleranceWorker *w) {
  for (uint32_t run = 0; run < t->runs && !t->why; run++) {
    if (!t->is_done[run] || t->is_good[run]) continue;
    tolerance_sample(t, run, w->at);
    Status status = measure(t, w);
    if (status == QDOT_OK || status == QDOT_STOPPED) return;
    t->why = arena_copy(t->cx->results, w->runs.rerun.why, strlen(w->runs.rerun.why));
  }
}

void tolerance_finish(Tolerance *t, ToleranceWorker *w) {
  t->seen = t->failed = 0;
  for (uint32_t run = 0; run < t->runs; run++) {
    t->seen += t->is_done[run];
    t->failed += t->is_done[run] && !t->is_good[run];
  }
  for (uint32_t k = 0; k < t->distributions.n; k++) {
    take_values(t, k, &t->distributions.at[k]);
    find_contributions(t, k, &t->distributions.at[k]);
  }
  count_turned(t, w->at);
  learn_why(t, w);
}
