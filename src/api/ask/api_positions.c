// Positions of driven mechanisms.
#include <math.h>
#include <string.h>

#include "analyse/mobility/freedom.h"
#include "api/api_call.h"
#include "api/api_object.h"
#include "api/api_options.h"
#include "api/api_run.h"
#include "api/api_write.h"
#include "ask/positions.h"
#include "print/ask/positions_text.h"

struct qdot_positions {
  Object object;
  Positions found;
  qdot_extent *extents; // by column, as callers see them
};

typedef struct Asking {
  Model *model;
  const qdot_positions_options *o;
  qdot_positions *out;
} Asking;

static Status not_driven(const Model *model, uint32_t freedom) {
  Status status =
      diag_error_plain(model->cx, QDOT_BAD_MODEL, "%u degree%s of freedom %s not driven", freedom,
                       freedom == 1 ? "" : "s", freedom == 1 ? "is" : "are");
  diag_note(model->cx, "a motor of given speed, a cylinder of given length or a constraint with t "
                       "drives one; a simulation computes free motions");
  return status;
}

static void show_extents(qdot_positions *p) {
  p->extents = arena_array(p->found.cx->results, qdot_extent, p->found.columns.n);
  for (uint32_t i = 0; i < p->found.columns.n; i++) {
    const PositionExtent *e = &p->found.extents[i];
    p->extents[i] = (qdot_extent){e->least, e->most, e->t_least, e->t_most, e->mean, e->rms};
  }
}

static Status find(void *argument) {
  Asking *a = argument;
  Context *cx = a->model->cx;
  uint32_t freedom = model_freedom(a->model);
  if (freedom > 0) return not_driven(a->model, freedom);
  qdot_run_options run = qdot_run_defaults();
  run.t_end = run.every = 1; // of no interest here
  SimOptions options;
  System *system;
  Status status = api_sim_options(a->model, &run, &options);
  if (status == QDOT_OK) status = model_system(a->model, DERIVE_BASIC, &system);
  if (status != QDOT_OK) return status;
  a->out = object_new(cx, sizeof *a->out);
  uint32_t steps = a->o->steps ? a->o->steps : 360;
  status = positions_find(cx, system, &options, steps, a->o->to, &a->out->found);
  if (status == QDOT_OK) show_extents(a->out);
  return status;
}

qdot_status qdot_positions_open(qdot_model *model, const qdot_positions_options *options,
                                qdot_positions **out) {
  if (out) *out = NULL;
  if (!model || !out) return QDOT_BAD_ARGUMENT;
  qdot_positions_options own;
  if (!api_options(options, &own, sizeof own) || own.to < 0 || own.steps > 100000000)
    return QDOT_BAD_ARGUMENT;
  Asking asking = {.model = model, .o = &own};
  Status status = api_call(model->cx, find, &asking);
  *out = object_of(model->cx, status, asking.out);
  return status;
}

void qdot_positions_close(qdot_positions *p) {
  if (!p || p->found.cx->guard.status != QDOT_OK) return;
  positions_close(&p->found);
  object_close(p);
}

size_t qdot_positions_row_count(const qdot_positions *p) {
  if (!p) return 0;
  return p->found.rows;
}
size_t qdot_positions_column_count(const qdot_positions *p) {
  if (!p) return 0;
  return p->found.columns.n;
}
size_t qdot_positions_coordinate_count(const qdot_positions *p) {
  if (!p) return 0;
  return (size_t)p->found.follower.n;
}

const char *qdot_positions_column_at(const qdot_positions *p, size_t column) {
  if (!p) return NULL;
  return column < p->found.columns.n ? p->found.columns.at[column].name : NULL;
}

size_t qdot_positions_column_find(const qdot_positions *p, const char *name) {
  if (!p) return QDOT_NOT_FOUND;
  for (size_t i = 0; i < p->found.columns.n; i++)
    if (strcmp(p->found.columns.at[i].name, name) == 0) return i;
  return QDOT_NOT_FOUND;
}

const double *qdot_positions_row_at(const qdot_positions *p, size_t row) {
  if (!p) return NULL;
  return row < p->found.rows ? p->found.values + row * p->found.columns.n : NULL;
}

const qdot_extent *qdot_positions_extent_at(const qdot_positions *p, size_t column) {
  if (!p) return NULL;
  return column < p->found.columns.n ? &p->extents[column] : NULL;
}

typedef struct Walking {
  qdot_positions *positions;
  double step;
  size_t n;
  double *q;
} Walking;

static Status walk(void *argument) {
  const Walking *w = argument;
  return follower_walk(&w->positions->found.follower, w->step, w->n, w->q);
}

qdot_status qdot_positions_walk(qdot_positions *positions, double step, size_t n, double *q) {
  if (!positions) return QDOT_BAD_ARGUMENT;
  Walking walking = {positions, step, n, q};
  if (!isfinite(step) || step == 0) return QDOT_BAD_ARGUMENT;
  return api_call(positions->found.cx, walk, &walking);
}

static Status print_positions(Context *cx, void *object, const qdot_write_options *options,
                              Text *out) {
  const Positions *p = &((qdot_positions *)object)->found;
  switch (options->format) {
  case QDOT_FORMAT_TEXT: positions_text(p, out); return QDOT_OK;
  case QDOT_FORMAT_JSON: positions_json(p, out); return QDOT_OK;
  case QDOT_FORMAT_CSV: positions_csv(p, out); return QDOT_OK;
  default:
    return diag_error_plain(cx, QDOT_UNSUPPORTED, "positions can be written as text, JSON or CSV");
  }
}

qdot_status qdot_positions_write(qdot_positions *positions, const qdot_write_options *options,
                                 qdot_sink sink) {
  if (!positions) return QDOT_BAD_ARGUMENT;
  return api_write(positions->found.cx, positions, print_positions, options, sink);
}
