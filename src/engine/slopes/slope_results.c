// What slopes of reductions and measures amount to when a run is over.
#include <math.h>

#include "engine/slopes/slopes.h"

static const char *const AT_ZERO = "a root-mean-square value of zero has no slope";

static bool is_extreme(ReductionKind kind) { return kind == REDUCE_MAX || kind == REDUCE_MIN; }

// Slopes of a reduction from all that was met; `final` is that of its value at the end.
static double reduction_slope(RunSlopes *s, uint32_t i, uint32_t j, const double *final) {
  const Gauge *gauge = &s->run->gauges.at[i];
  const GaugeSlopes *g = &s->sums.gauges[i];
  ReductionKind kind = s->run->gauges.reductions[i].kind;
  double longer = slopes_end_slope(s, j) - slopes_from_slope(s, i, j);
  switch (kind) {
  case REDUCE_MAX:
  case REDUCE_MIN: return g->extreme[j];
  case REDUCE_INTEGRAL: return g->sum[j];
  case REDUCE_MEAN: return (g->sum[j] - gauge->sum / gauge->duration * longer) / gauge->duration;
  case REDUCE_RMS: {
    double square = gauge->sum / gauge->duration;
    return (g->sum[j] - square * longer) / gauge->duration / (2 * sqrt(square));
  }
  case REDUCE_FIRST: return g->met[j];
  case REDUCE_LAST: return gauge->holds != 0 ? final[j] : g->left[j];
  case REDUCE_FINAL: return final[j];
  case REDUCE_START: return g->first[j];
  case REDUCE_COUNT: return 0;
  }
  return NAN;
}

static bool ends_with_final(const Gauge *gauge, ReductionKind kind) {
  return kind == REDUCE_FINAL || (kind == REDUCE_LAST && gauge->holds != 0);
}

// Slopes of all values at the end of the run.
static void look_at_end(RunSlopes *s) {
  Run *run = s->run;
  Gauges *g = &run->gauges;
  uint32_t signs = s->marks.signs.n;
  s->marks.signs.n = 0;
  for (uint32_t k = 0; k < g->guards; k++) vec_push(run->memory.room, &s->marks.signs, g->sign[k]);
  double t = run->stepper->t, t_old = run->stepper->t_old;
  SmoothPiece piece = {.begin = {.t = t_old}, .end = {.t = t}};
  // behind an event there is no step yet in which rates could be looked for
  bool is_behind = !(t > t_old);
  Status status =
      is_behind ? slopes_look_moved(s, t, &piece) : slopes_look(s, t, &piece, s->S, true);
  for (uint32_t i = 0; i < g->n; i++) {
    if (status != QDOT_OK && ends_with_final(&g->at[i], g->reductions[i].kind))
      slopes_lose_reduction(s, i, t, "the motion cannot be evaluated at its end");
    for (uint32_t j = 0; j < s->count && !is_behind; j++) {
      double moved = slopes_end_slope(s, j);
      if (moved != 0)
        s->look.value_slopes[(size_t)i * s->count + j] += s->look.value_rates[i] * moved;
    }
  }
  if (run->gauges.has_last_look) slopes_take_last(s, t);
  s->marks.signs.n = signs;
}

// Does nothing move what a reduction amounts to?
static bool is_still(const RunSlopes *s, uint32_t i) {
  for (uint32_t j = 0; j < s->count; j++)
    if (s->sums.reductions[(size_t)i * s->count + j] != 0) return false;
  return true;
}

// Why reduction i has no slopes; NULL: it has.
static const char *why_no_slopes(const RunSlopes *s, uint32_t i) {
  const Gauge *gauge = &s->run->gauges.at[i];
  ReductionKind kind = s->run->gauges.reductions[i].kind;
  if (s->sums.gauges[i].undefined)
    return text_format(s->run->memory.found, "%s at t = %.6g s", s->sums.gauges[i].undefined,
                       s->sums.gauges[i].undefined_at);
  double missed = fabs(s->sums.gauges[i].best - gauge->extreme);
  bool is_early = (is_extreme(kind) && missed <= SLOPES_EQUAL_PEAKS * gauge->scale) ||
                  (kind == REDUCE_FIRST && gauge->met_at < s->undefined_at) ||
                  kind == REDUCE_START || kind == REDUCE_COUNT;
  if (s->undefined && !is_early)
    return text_format(s->run->memory.found, "%s at t = %.6g s", s->undefined, s->undefined_at);
  if (kind == REDUCE_RMS && gauge->sum == 0) return AT_ZERO;
  if (isnan(gauge_result(gauge, kind))) return "what it waits for does not happen, or is no number";
  if (kind == REDUCE_LAST && gauge->begun != 0 && gauge->holds != 0 && is_still(s, i))
    return "its condition still holds at the end of the run";
  return NULL;
}

void slopes_finish_gauges(RunSlopes *s) {
  Run *run = s->run;
  Machine *m = s->machine;
  const Gauges *g = &run->gauges;
  uint32_t measures = m->plan->measures.measure_count;
  if (!run->stepper) return;
  SimSummary *summary = run->summary;
  summary->measure_slopes = arena_array(run->memory.found, double, (size_t)measures * s->count);
  summary->undefined = arena_array(run->memory.found, const char *, measures);
  run_look_aside(run);
  if (!s->undefined) look_at_end(s);
  run_look_back(run);
  for (uint32_t i = 0; i < g->n; i++)
    for (uint32_t j = 0; j < s->count; j++)
      s->sums.reductions[(size_t)i * s->count + j] =
          reduction_slope(s, i, j, s->look.value_slopes + (size_t)i * s->count);
  const char **why = arena_array(run->memory.found, const char *, g->n + 1);
  for (uint32_t i = 0; i < g->n; i++) {
    why[i] = why_no_slopes(s, i);
    for (uint32_t j = 0; why[i] && j < s->count; j++)
      s->sums.reductions[(size_t)i * s->count + j] = NAN;
  }
  machine_need(m, PART_MEASURE_SLOPES);
  MeasureSlopesBlocks at = machine_run_measure_slopes(m, run_time(run), run->q, run->qd);
  for (uint32_t k = 0; k < measures; k++) {
    for (uint32_t i = g->n; i-- > 0;)
      if (why[i] && at.by_reduction[(size_t)k * g->n + i] != 0) summary->undefined[k] = why[i];
    for (uint32_t j = 0; j < s->count; j++) {
      double slope = at.by_direction[(size_t)k * s->count + j];
      for (uint32_t i = 0; i < g->n; i++) {
        double by = at.by_reduction[(size_t)k * g->n + i];
        if (by != 0) slope += by * s->sums.reductions[(size_t)i * s->count + j];
      }
      summary->measure_slopes[(size_t)k * s->count + j] = summary->undefined[k] ? NAN : slope;
    }
  }
}

void slopes_of_reduction(const RunSlopes *s, uint32_t i, double *out) {
  for (uint32_t j = 0; j < s->count; j++) out[j] = s->sums.reductions[(size_t)i * s->count + j];
}
