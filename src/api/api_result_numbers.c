// Results as numbers: columns, extremes, measures, events, certificate.
#include <math.h>
#include <string.h>

#include "api/api_call.h"
#include "api/api_event.h"
#include "api/api_result.h"

qdot_stop qdot_result_stop(const qdot_result *result) {
  if (!result) return QDOT_STOP_NONE;
  static const qdot_stop stops[] = {[STOPPED_NOT] = QDOT_STOP_NONE,
                                    [STOPPED_USER] = QDOT_STOP_USER,
                                    [STOPPED_LIMIT] = QDOT_STOP_LIMIT,
                                    [STOPPED_BLOW_UP] = QDOT_STOP_BLOW_UP};
  return stops[result->result->summary.stopped];
}

// ---- Columns

size_t qdot_result_column_count(const qdot_result *result) {
  if (!result) return 0;
  return result->result->column_count;
}

const char *qdot_result_column_at(const qdot_result *result, size_t i) {
  if (!result) return NULL;
  return i < result->result->column_count ? result->result->columns[i] : NULL;
}

size_t qdot_result_column_find(const qdot_result *result, const char *name) {
  if (!result) return QDOT_NOT_FOUND;
  int found = result_column(result->result, name);
  return found < 0 ? QDOT_NOT_FOUND : (size_t)found;
}

// The rows turned round: one array for each column, in the result's own memory.
static Status turn_rows(void *argument) {
  Result *r = ((qdot_result *)argument)->result;
  const RowSource *rows = &r->rows;
  size_t most = (size_t)r->summary.rows, count = 0;
  double *cells = arena_array(&r->arena, double, most * r->column_count);
  rows->rewind(rows->user);
  for (const double *row; count < most && (row = rows->next(rows->user)); count++)
    for (uint32_t i = 0; i < r->column_count; i++) cells[i * most + count] = row[i];
  Status status = rows_status(rows);
  if (status != QDOT_OK) return status;
  r->turned = cells, r->turned_rows = count;
  return QDOT_OK;
}

const double *qdot_result_values(qdot_result *result, size_t i, size_t *count) {
  if (!result) return NULL;
  Result *r = result->result;
  *count = 0;
  if (i >= r->column_count || !r->rows.next) return NULL;
  if (!r->turned && api_call(result->cx, turn_rows, result) != QDOT_OK) return NULL;
  *count = r->turned_rows;
  return r->turned + i * (size_t)r->summary.rows;
}

static Status list_extremes(void *argument) {
  qdot_result *result = argument;
  Result *r = result->result;
  qdot_extremes *all = arena_array(&r->arena, qdot_extremes, r->column_count);
  for (uint32_t i = 0; i < r->column_count; i++) {
    all[i] = (qdot_extremes){NAN, NAN, NAN, NAN};
    if (!r->summary.extremes) continue;
    Extremes e = r->summary.extremes[i];
    all[i] = (qdot_extremes){e.least, e.t_least, e.most, e.t_most};
  }
  result->extremes = all;
  return QDOT_OK;
}

const qdot_extremes *qdot_result_extremes_at(qdot_result *result, size_t i) {
  if (!result) return NULL;
  if (i >= result->result->column_count) return NULL;
  if (!result->extremes && api_call(result->cx, list_extremes, result) != QDOT_OK) return NULL;
  return &result->extremes[i];
}

// ---- Measures

size_t qdot_result_measure_count(const qdot_result *result) {
  if (!result) return 0;
  const Result *r = result->result;
  if (!r->summary.measures) return 0;
  return result->plan ? origin_measure_count(origin_of_plan(result->plan))
                      : r->model->requests.measurements.n;
}

static const char *measure_name(const qdot_result *result, uint32_t i) {
  if (result->plan) return origin_measure_name(origin_of_plan(result->plan), i);
  return symbol_text(result->cx, result->model->requests.measurements.at[i].name);
}

static Status list_measures(void *argument) {
  qdot_result *result = argument;
  Result *r = result->result;
  size_t n = qdot_result_measure_count(result);
  qdot_measure *all = arena_array(&r->arena, qdot_measure, n);
  for (uint32_t i = 0; i < n; i++)
    all[i] = (qdot_measure){.name = measure_name(result, i),
                            .unit = r->measure_units ? r->measure_units[i] : "",
                            .value = r->summary.measures[i]};
  result->measures = all;
  return QDOT_OK;
}

const qdot_measure *qdot_result_measure_at(qdot_result *result, size_t i) {
  if (!result) return NULL;
  if (i >= qdot_result_measure_count(result)) return NULL;
  if (!result->measures && api_call(result->cx, list_measures, result) != QDOT_OK) return NULL;
  return &result->measures[i];
}

// ---- Events

static const qdot_event_kind event_kinds[SIM_EVENT_KINDS] = {
    [SIM_IMPACT] = QDOT_EVENT_IMPACT,   [SIM_CONTACT] = QDOT_EVENT_CONTACT,
    [SIM_RELEASE] = QDOT_EVENT_RELEASE, [SIM_JUMP] = QDOT_EVENT_JUMP,
    [SIM_STICK] = QDOT_EVENT_STICK,     [SIM_SLIP] = QDOT_EVENT_SLIP,
    [SIM_RESET] = QDOT_EVENT_RESET,     [SIM_STOP] = QDOT_EVENT_STOP};

const char *qdot_event_text(qdot_event_kind kind) {
  for (int i = 0; i < SIM_EVENT_KINDS; i++)
    if (event_kinds[i] == kind) return sim_event_text((SimEventKind)i);
  return NULL;
}

qdot_event api_event(RunOrigin origin, const SimEvent *e) {
  return (qdot_event){.t = e->t,
                      .kind = event_kinds[e->kind],
                      .name = origin_event_name(origin, e),
                      .before = e->before,
                      .after = e->after};
}

size_t qdot_result_event_count(const qdot_result *result) {
  if (!result) return 0;
  return result->result->summary.events.n;
}

static Status list_events(void *argument) {
  qdot_result *result = argument;
  Result *r = result->result;
  const SimSummary *summary = &r->summary;
  RunOrigin origin;
  Status status = result_origin(result, &origin);
  if (status != QDOT_OK) return status;
  qdot_event *all = arena_array(&r->arena, qdot_event, summary->events.n);
  for (uint32_t i = 0; i < summary->events.n; i++)
    all[i] = api_event(origin, &summary->events.at[i]);
  result->events = all;
  return QDOT_OK;
}

const qdot_event *qdot_result_event_at(qdot_result *result, size_t i) {
  if (!result) return NULL;
  if (i >= result->result->summary.events.n) return NULL;
  if (!result->events && api_call(result->cx, list_events, result) != QDOT_OK) return NULL;
  return &result->events[i];
}

// ---- Certificate

const qdot_certificate *qdot_result_certificate(qdot_result *result) {
  if (!result) return NULL;
  const SimSummary *s = &result->result->summary;
  result->certificate = (qdot_certificate){.stop = qdot_result_stop(result),
                                           .t_end = s->t_end,
                                           .method = s->method,
                                           .rtol = s->rtol,
                                           .atol = s->atol,
                                           .step = s->fixed_step ? s->step : NAN,
                                           .steps = s->steps,
                                           .rejected = s->rejected,
                                           .evaluations = s->evaluations,
                                           .rows = s->rows,
                                           .setup_seconds = s->setup_seconds,
                                           .run_seconds = s->wall_seconds,
                                           .energy_drift = s->energy_drift,
                                           .energy_drift_t = s->energy_drift_t,
                                           .work_forces = s->work_forces,
                                           .work_dissipation = s->work_dissipation,
                                           .work_drives = s->work_drives,
                                           .work_impacts = s->work_impacts,
                                           .position_residual = s->position.value,
                                           .velocity_residual = s->velocity.value,
                                           .verified = s->verified,
                                           .freedom = s->freedom,
                                           .work_friction = s->work_friction,
                                           .contact_overlap = s->penetration,
                                           .contact_pull = s->pull,
                                           .contact_friction = s->grip,
                                           .impact_gain = s->impact_gain};
  return &result->certificate;
}
