// Results as numbers: columns, extremes, measures, events.
#include <math.h>

#include "api/api_call.h"
#include "api/api_result.h"

// ---- Columns

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
  Result *r = result->result;
  *count = 0;
  if (i >= r->column_count || !r->rows.next) return NULL;
  if (!r->turned && api_call(result->cx, turn_rows, result) != QDOT_OK) return NULL;
  *count = r->turned_rows;
  return r->turned + i * (size_t)r->summary.rows;
}

qdot_extremes qdot_result_extremes(const qdot_result *result, size_t i) {
  const Result *r = result->result;
  if (!r->summary.extremes || i >= r->column_count) return (qdot_extremes){NAN, NAN, NAN, NAN};
  Extremes e = r->summary.extremes[i];
  return (qdot_extremes){e.least, e.t_least, e.most, e.t_most};
}

// ---- Measures

size_t qdot_result_measures(const qdot_result *result) {
  const Result *r = result->result;
  return r->summary.measures ? r->model->requests.measurements.n : 0;
}

qdot_measure qdot_result_measure(const qdot_result *result, size_t i) {
  const Result *r = result->result;
  if (i >= qdot_result_measures(result)) return (qdot_measure){.value = NAN};
  return (qdot_measure){.name = symbol_text(r->cx, r->model->requests.measurements.at[i].name),
                        .unit = r->measure_units ? r->measure_units[i] : "",
                        .value = r->summary.measures[i]};
}

// ---- Events

size_t qdot_result_events(const qdot_result *result) { return result->result->summary.events.n; }

qdot_event qdot_result_event(const qdot_result *result, size_t i) {
  const SimSummary *summary = &result->result->summary;
  const System *system = result->model->system;
  if (i >= summary->events.n || !system) return (qdot_event){.t = NAN};
  const SimEvent *e = &summary->events.at[i];
  return (qdot_event){e->t, sim_event_name(system, e), sim_event_text(e->kind), e->before,
                      e->after};
}
