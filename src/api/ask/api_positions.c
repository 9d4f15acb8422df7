// Positions of driven mechanisms.
#include <math.h>

#include "analyse/mobility/freedom.h"
#include "api/api_call.h"
#include "api/api_options.h"
#include "api/api_run.h"
#include "api/api_write.h"
#include "ask/positions.h"
#include "print/ask/positions_text.h"

struct qdot_positions {
  Positions found;
  bool is_open;
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
  a->out = arena_new(&cx->keep, qdot_positions);
  a->out->is_open = true;
  return positions_find(cx, system, &options, a->o->steps ? a->o->steps : 360, a->o->to,
                        &a->out->found);
}

qdot_status qdot_positions_open(qdot_model *model, const qdot_positions_options *options,
                                qdot_positions **out) {
  qdot_positions_options own;
  *out = NULL;
  if (!api_options(options, &own, sizeof own) || own.to < 0 || own.steps > 100000000)
    return QDOT_BAD_ARGUMENT;
  Asking asking = {.model = model, .o = &own};
  Status status = api_call(model->cx, find, &asking);
  if (status == QDOT_OK) *out = asking.out;
  return status;
}

void qdot_positions_close(qdot_positions *p) {
  if (!p || !p->is_open || p->found.cx->guard.status != QDOT_OK) return;
  p->is_open = false;
  positions_close(&p->found);
}

size_t qdot_positions_rows(const qdot_positions *p) { return p->found.rows; }
size_t qdot_positions_columns(const qdot_positions *p) { return p->found.columns.n; }
size_t qdot_positions_coordinates(const qdot_positions *p) { return (size_t)p->found.follower.n; }

const char *qdot_positions_column(const qdot_positions *p, size_t column) {
  return column < p->found.columns.n ? p->found.columns.at[column].name : NULL;
}

const double *qdot_positions_row(const qdot_positions *p, size_t row) {
  return row < p->found.rows ? p->found.values + row * p->found.columns.n : NULL;
}

qdot_extent qdot_positions_extent(const qdot_positions *p, size_t column) {
  if (column >= p->found.columns.n) return (qdot_extent){NAN, NAN, NAN, NAN, NAN, NAN};
  const PositionExtent *e = &p->found.extents[column];
  return (qdot_extent){e->least, e->most, e->t_least, e->t_most, e->mean, e->rms};
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
  Walking walking = {positions, step, n, q};
  if (!positions->is_open || !isfinite(step) || step == 0) return QDOT_BAD_ARGUMENT;
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
  return api_write(positions->found.cx, positions, print_positions, options, sink);
}
