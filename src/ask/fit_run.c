// The runs of a fit, and how far they are from the data.
#include "ask/fit_run.h"
#include "sim/run_source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRACED = 600 };

const Sought *fit_sought(const Fit *fit, uint32_t unknown) {
  return &fit->request->unknowns.at[fit->results[unknown].sought];
}

const char *fit_name(const Fit *fit, uint32_t unknown) {
  const char *name = varied_text(fit->cx, &fit_sought(fit, unknown)->by.varied);
  uint32_t file = fit->results[unknown].file;
  if (file == FIT_ALL_FILES) return name;
  return text_format(&fit->cx->scratch, "%s of %s", name, fit->request->files.at[file].name);
}

// ---- One evaluation

static uint32_t rows_of(const Fit *fit, const FitCurve *curve) {
  return fit->request->files.at[curve->file].rows;
}

static void take_look(void *user, uint32_t number, const double *x, const double *S,
                      const double *signals, const double *slopes) {
  (void)x, (void)S;
  const FitExperiment *e = user;
  FitRuns *r = e->runs;
  uint32_t unknowns = r->fit->count, directions = r->directions.n;
  size_t at = 0;
  for (uint32_t c = 0; c < r->fit->curves.n; c++) {
    const FitCurve *curve = &r->fit->curves.at[c];
    if (curve->file == e->file_of[number]) {
      size_t k = at + e->row_of[number];
      double measured = curve->measured[e->row_of[number]];
      curve->computed[e->row_of[number]] = signals[curve->reduction];
      bool counts = !isnan(measured);
      r->residual[k] = counts ? signals[curve->reduction] - measured : 0;
      for (uint32_t j = 0; j < directions; j++)
        r->J[k * unknowns + e->unknown_of[j]] =
            counts ? slopes[(size_t)curve->reduction * directions + j] : 0;
    }
    at += rows_of(r->fit, curve);
  }
}

static void weigh(FitRuns *r) {
  uint32_t unknowns = r->fit->count;
  size_t at = 0;
  for (uint32_t c = 0; c < r->fit->curves.n; c++) {
    const FitCurve *curve = &r->fit->curves.at[c];
    for (uint32_t i = 0; i < rows_of(r->fit, curve); i++, at++) {
      r->residual[at] *= curve->weight;
      for (uint32_t j = 0; j < unknowns; j++) r->J[at * unknowns + j] *= curve->weight;
    }
  }
}

static Status run(FitRuns *r, const FitExperiment *e, const double *x, double end) {
  for (uint32_t j = 0; j < r->directions.n; j++) r->values[j] = x[e->unknown_of[j]];
  r->rerun.simulation.options.t_end = end;
  return rerun_measures(&r->rerun, r->directions.places, r->values, r->directions.n, r->measures);
}

// How much larger the data are than the motion: a unit may be missing.
static void compare_sizes(FitRuns *r) {
  for (uint32_t c = 0; c < r->fit->curves.n; c++) {
    FitCurve *curve = &r->fit->curves.at[c];
    double measured = 0, computed = 0;
    for (uint32_t i = 0; i < rows_of(r->fit, curve); i++) {
      if (isnan(curve->measured[i])) continue;
      measured += curve->measured[i] * curve->measured[i];
      computed += curve->computed[i] * curve->computed[i];
    }
    curve->ratio = computed > 0 ? sqrt(measured / computed) : NAN;
  }
}

Status fit_runs_evaluate(FitRuns *r, const double *x, double *out) {
  Status status = QDOT_OK;
  for (uint32_t i = 0; i < r->n; i++) r->residual[i] = NAN;
  memset(r->J, 0, (size_t)r->n * r->fit->count * sizeof *r->J);
  *out = INFINITY;
  for (uint32_t k = 0; k < r->experiments.n && status == QDOT_OK; k++) {
    FitExperiment *e = &r->experiments.at[k];
    r->look = (SlopeLook){.times = e->times, .count = e->count, .user = e, .take = take_look};
    status = run(r, e, x, e->times[e->count - 1]);
    r->fit->runs++;
  }
  if (status == QDOT_STOPPED) return status;
  if (status == QDOT_OK) {
    weigh(r);
    double sum = 0, slopes = 0;
    for (uint32_t i = 0; i < r->n; i++) sum += r->residual[i] * r->residual[i];
    for (size_t i = 0; i < (size_t)r->n * r->fit->count; i++) slopes += 0 * r->J[i];
    if (isfinite(sum + slopes)) *out = sum;
  }
  if (isfinite(*out) && !r->has_run) {
    r->has_run = true;
    rerun_limit_steps(&r->rerun);
    compare_sizes(r);
  }
  if (!isfinite(*out)) r->fit->failed++;
  return QDOT_OK;
}

// ---- The motion between the data

static void take_trace(void *user, uint32_t number, const double *x, const double *S,
                       const double *signals, const double *slopes) {
  (void)x, (void)S, (void)slopes;
  const FitExperiment *e = user;
  const Fit *fit = e->runs->fit;
  for (uint32_t c = 0; c < fit->curves.n; c++) {
    const FitCurve *curve = &fit->curves.at[c];
    if (e->file == FIT_ALL_FILES || e->file == curve->file)
      fit->trace.values[(size_t)number * fit->curves.n + c] = signals[curve->reduction];
  }
}

static double last_moment(const FitRuns *r) {
  double last = 0;
  for (uint32_t k = 0; k < r->experiments.n; k++) {
    const FitExperiment *e = &r->experiments.at[k];
    last = fmax(last, e->times[e->count - 1]);
  }
  return last;
}

void fit_runs_trace(FitRuns *r, const double *x) {
  Fit *fit = r->fit;
  Arena *keep = fit->cx->results;
  double end = last_moment(r);
  fit->trace.times = arena_array(keep, double, TRACED);
  fit->trace.values = arena_array(keep, double, (size_t)TRACED * fit->curves.n);
  for (size_t i = 0; i < (size_t)TRACED * fit->curves.n; i++) fit->trace.values[i] = NAN;
  for (uint32_t i = 0; i < TRACED; i++) fit->trace.times[i] = end * i / (TRACED - 1);
  for (uint32_t k = 0; k < r->experiments.n; k++) {
    FitExperiment *e = &r->experiments.at[k];
    uint32_t count = TRACED;
    while (count > 1 && fit->trace.times[count - 1] > e->times[e->count - 1]) count--;
    r->look = (SlopeLook){.times = fit->trace.times, .count = count, .user = e, .take = take_trace};
    if (run(r, e, x, fit->trace.times[count - 1]) == QDOT_OK) fit->trace.n = TRACED;
  }
}

// ---- Opening

static bool has_each(const FitRequest *request) {
  bool any = false;
  for (uint32_t i = 0; i < request->unknowns.n; i++) any |= request->unknowns.at[i].is_each;
  return any && request->files.n > 1;
}

// An unknown of each file stands there once for every file.
static void open_unknowns(Fit *fit) {
  const FitRequest *request = fit->request;
  bool each = has_each(request);
  fit->results = arena_array(fit->cx->results, FitResult,
                             (size_t)request->unknowns.n * (each ? request->files.n : 1));
  fit->count = 0;
  for (uint32_t i = 0; i < request->unknowns.n; i++)
    if (each && request->unknowns.at[i].is_each)
      for (uint32_t f = 0; f < request->files.n; f++)
        fit->results[fit->count++] = (FitResult){.sought = i, .file = f};
    else
      fit->results[fit->count++] = (FitResult){.sought = i, .file = FIT_ALL_FILES};
}

static uint32_t open_curves(Fit *fit) {
  uint32_t residuals = 0;
  for (uint32_t i = 0; i < fit->request->signals.n; i++) {
    const FitSignal *signal = &fit->request->signals.at[i];
    FitCurve curve = {
        .file = signal->file, .signal = i, .reduction = signal->reduction, .weight = 1};
    uint32_t rows = rows_of(fit, &curve);
    curve.measured = signal->values;
    curve.computed = arena_array(fit->cx->results, double, rows);
    for (uint32_t k = 0; k < rows; k++) curve.count += !isnan(curve.measured[k]);
    residuals += rows;
    fit->values += curve.count;
    vec_push(fit->cx->results, &fit->curves, curve);
  }
  return residuals;
}

typedef struct Moment {
  double t;
  uint32_t file, row;
} Moment;

static int by_time(const void *a, const void *b) {
  double x = ((const Moment *)a)->t, y = ((const Moment *)b)->t;
  return (x > y) - (x < y);
}

static void open_experiment(FitRuns *r, uint32_t file) {
  const Fit *fit = r->fit;
  const FitRequest *request = fit->request;
  Arena *keep = fit->cx->results;
  FitExperiment e = {.runs = r, .file = file};
  uint32_t first = file == FIT_ALL_FILES ? 0 : file;
  uint32_t behind = file == FIT_ALL_FILES ? request->files.n : file + 1;
  for (uint32_t f = first; f < behind; f++) e.count += request->files.at[f].rows;
  Moment *moments = arena_array(keep, Moment, e.count);
  uint32_t at = 0;
  for (uint32_t f = first; f < behind; f++)
    for (uint32_t i = 0; i < request->files.at[f].rows; i++)
      moments[at++] = (Moment){request->files.at[f].times[i], f, i};
  qsort(moments, e.count, sizeof *moments, by_time);
  e.times = arena_array(keep, double, e.count);
  e.file_of = arena_array(keep, uint32_t, e.count);
  e.row_of = arena_array(keep, uint32_t, e.count);
  for (uint32_t i = 0; i < e.count; i++)
    e.times[i] = moments[i].t, e.file_of[i] = moments[i].file, e.row_of[i] = moments[i].row;
  e.unknown_of = arena_array(keep, uint32_t, request->unknowns.n);
  for (uint32_t j = 0; j < fit->count; j++)
    if (fit->results[j].file == FIT_ALL_FILES || fit->results[j].file == file)
      e.unknown_of[fit->results[j].sought] = j;
  vec_push(keep, &r->experiments, e);
}

static Status open_directions(FitRuns *r) {
  const Fit *fit = r->fit;
  uint32_t n = fit->request->unknowns.n, *places = arena_array(fit->cx->results, uint32_t, n);
  for (uint32_t j = 0; j < n; j++) {
    int place = directions_place(fit->cx, fit->model, &fit->request->unknowns.at[j].by.varied);
    if (place < 0) return QDOT_UNKNOWN_NAME;
    places[j] = (uint32_t)place;
  }
  r->directions = (Directions){n, places};
  return QDOT_OK;
}

Status fit_runs_open(FitRuns *r, Fit *fit, System *system, const SimOptions *options) {
  Arena *keep = fit->cx->results;
  *r = (FitRuns){.fit = fit};
  open_unknowns(fit);
  Status status = open_directions(r);
  if (status != QDOT_OK) return status;
  r->n = open_curves(fit);
  if (has_each(fit->request))
    for (uint32_t f = 0; f < fit->request->files.n; f++) open_experiment(r, f);
  else
    open_experiment(r, FIT_ALL_FILES);
  r->residual = arena_array(keep, double, r->n);
  r->J = arena_array(keep, double, (size_t)r->n * fit->count);
  r->values = arena_array(keep, double, fit->count);
  r->measures = arena_array(keep, double, fit->model->requests.measurements.n + 1);
  SimOptions own = *options;
  own.directions = &r->directions;
  own.look = &r->look;
  own.t_end = fit->ends = last_moment(r);
  fit->begins = INFINITY;
  for (uint32_t k = 0; k < r->experiments.n; k++)
    fit->begins = fmin(fit->begins, r->experiments.at[k].times[0]);
  r->look = (SlopeLook){.times = r->experiments.at[0].times, .count = r->experiments.at[0].count};
  status = rerun_open(&r->rerun, system, &own);
  r->rerun.follows_end = false;
  return status;
}

void fit_runs_close(FitRuns *r) { rerun_close(&r->rerun); }

double fit_runs_given(const FitRuns *r, uint32_t unknown) {
  return rerun_given(&r->rerun, r->directions.places[r->fit->results[unknown].sought]);
}
