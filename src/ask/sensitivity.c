// Slopes of measures, and of the motion over time.
#include "ask/sensitivity.h"

#include <math.h>
#include <string.h>

#include "base/status_text.h"
#include "expr/value/eval.h"
#include "sim/direction_rates.h"
#include "sim/run_source.h"

// What is less than this part of a measure is rounding.
static const double ROUNDING = 1e-13;
// Rows of slopes are kept up to so many numbers.
static const double MOST_CELLS = 2e7;

static void take_row(void *user, uint32_t number, const double *x, const double *S,
                     const double *signals, const double *signal_slopes) {
  (void)x, (void)signals, (void)signal_slopes;
  Sensitivity *s = user;
  size_t width = (size_t)s->count * s->state;
  memcpy(s->motion + number * (1 + width) + 1, S, width * sizeof *S);
  s->reached = number + 1;
}

// Rows as the simulate line has them.
static const double *row_times(Sensitivity *s, const System *system, const SimOptions *o) {
  s->state = 2 * system->n + system->states;
  double width = 1 + (double)s->count * s->state, rows = floor(o->t_end / o->every + 1e-9) + 1;
  if (!(rows * width <= MOST_CELLS)) return NULL;
  s->rows = (uint32_t)rows;
  s->motion = arena_array(s->cx->results, double, (size_t)(rows * width));
  double *times = arena_array(s->cx->results, double, s->rows);
  for (uint32_t i = 0; i < s->rows; i++) {
    times[i] = fmin(i * o->every, o->t_end);
    s->motion[i * (size_t)width] = times[i];
    for (uint32_t k = 1; k < (uint32_t)width; k++) s->motion[i * (size_t)width + k] = NAN;
  }
  return times;
}

// What a tolerance line says of it; NAN where there is none.
static double width_of(const Sensitivity *s, const Varied *varied, double centre,
                       const double *values) {
  const ToleranceRequest *line = &s->model->requests.tolerance;
  for (uint32_t i = 0; i < line->spreads.n; i++) {
    const Varied *other = &line->spreads.at[i].varied;
    if (other->name == varied->name && other->is_start == varied->is_start &&
        other->primes == varied->primes)
      return width_about(s->cx, &line->spreads.at[i].width, centre, values);
  }
  return NAN;
}

static Status no_run(const Sensitivity *s, const Rerun *rerun, Status status) {
  if (status == QDOT_STOPPED) return status;
  return diag_error(s->cx, status, s->request->span,
                    "the run with the model's own values fails: %s",
                    rerun->why[0] ? rerun->why : status_text(status));
}

// The rows up to where a run was stopped; its measures have no value.
static Status keep_reached(Sensitivity *s) {
  s->is_stopped = true;
  s->rows = s->reached;
  double t = s->motion[(size_t)(s->rows - 1) * (1 + (size_t)s->count * s->state)];
  const char *why = text_format(&s->cx->keep, "the run was stopped at t = %.6g s", t);
  for (uint32_t i = 0; i < s->measures; i++) {
    s->values[i] = NAN;
    s->undefined[i] = why;
    for (uint32_t j = 0; j < s->count; j++) s->slopes[(size_t)i * s->count + j] = NAN;
  }
  return QDOT_OK;
}

static Status run_once(Sensitivity *s, Rerun *rerun, const uint32_t *places) {
  const Requests *requests = &s->model->requests;
  double *all = arena_array(s->cx->results, double, requests->measurements.n + 1);
  for (uint32_t j = 0; j < s->count; j++) {
    s->nominal[j] = rerun_given(rerun, places[j]);
    s->width[j] = width_of(s, &s->request->by.at[j].varied, s->nominal[j],
                           rerun->simulation.run.machine.values);
  }
  Status status = rerun_measures(rerun, NULL, NULL, 0, all);
  if (status == QDOT_STOPPED && s->reached > 1) return keep_reached(s);
  if (status != QDOT_OK) return no_run(s, rerun, status);
  for (uint32_t i = 0; i < s->measures; i++) {
    uint32_t number = s->request->measures.at[i];
    s->values[i] = all[number];
    const char *why = rerun->undefined[number];
    if (why) s->undefined[i] = arena_copy(s->cx->results, why, strlen(why));
    memcpy(s->slopes + (size_t)i * s->count, rerun->slopes + (size_t)number * s->count,
           s->count * sizeof *s->slopes);
    for (uint32_t j = 0; j < s->count; j++) {
      double *slope = &s->slopes[(size_t)i * s->count + j];
      bool is_known = s->nominal[j] != 0;
      if (is_known && fabs(*slope * s->nominal[j]) < ROUNDING * fabs(s->values[i])) *slope = 0;
    }
  }
  return QDOT_OK;
}

Status sensitivity_find(Sensitivity *s, Context *cx, System *system,
                        const SensitivityRequest *request, const SimOptions *options,
                        bool with_motion) {
  *s = (Sensitivity){.cx = cx,
                     .model = system->model,
                     .request = request,
                     .known = 10 * options->method.rtol,
                     .measures = request->measures.n,
                     .count = request->by.n};
  Arena *keep = cx->results;
  uint32_t *places = arena_array(keep, uint32_t, s->count);
  s->nominal = arena_array(keep, double, s->count);
  s->width = arena_array(keep, double, s->count);
  s->values = arena_array(keep, double, s->measures);
  s->slopes = arena_array(keep, double, (size_t)s->measures * s->count);
  s->undefined = arena_array(keep, const char *, s->measures);
  for (uint32_t j = 0; j < s->count; j++) {
    int place = directions_place(cx, system->model, &request->by.at[j].varied);
    if (place < 0) return QDOT_UNKNOWN_NAME;
    places[j] = (uint32_t)place;
  }
  Directions *directions = arena_new(keep, Directions);
  *directions = (Directions){s->count, places};
  SlopeLook look = {.user = s, .take = take_row};
  SimOptions own = *options;
  own.directions = directions;
  if (with_motion) look.times = row_times(s, system, options), look.count = s->rows;
  if (look.times) own.look = &look;
  Rerun rerun;
  double began = context_seconds();
  Status status = rerun_open(&rerun, system, &own);
  if (status != QDOT_OK) return status;
  status = run_once(s, &rerun, places);
  rerun_close(&rerun);
  s->seconds = context_seconds() - began;
  return status;
}

const char *sensitivity_column(const Sensitivity *s, uint32_t i) {
  uint32_t j = (i - 1) / s->state, k = (i - 1) % s->state, n = s->model->coordinates.n;
  const char *of = k >= 2 * n ? symbol_text(s->cx, s->model->states.at[k - 2 * n].name)
                              : symbol_text(s->cx, s->model->coordinates.at[k % n].name);
  return text_format(&s->cx->scratch, "d(%s%s)/d(%s)", of, k >= n && k < 2 * n ? "'" : "",
                     varied_text(s->cx, &s->request->by.at[j].varied));
}
