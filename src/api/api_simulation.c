// Simulations in loops of others.
#include <math.h>
#include <string.h>

#include "api/api_call.h"
#include "api/api_event.h"
#include "api/api_options.h"
#include "api/api_result.h"
#include "api/api_run.h"
#include "derive/formulate.h"
#include "derive/roads/moving.h"
#include "expr/build.h"
#include "expr/number.h"
#include "print/measure_text.h"
#include "result/recorder.h"
#include "sim/run_source.h"

struct qdot_simulation {
  Simulation *simulation;
  System *system;
  Model *model;
  bool follows_end, follows_every; // which the simulate line computes from parameters
  bool is_lost;                    // a call on it was left in its middle
  VEC(qdot_event) events;          // as they were after so many changes
  uint64_t changes, listed;
};

typedef struct Call {
  qdot_model *model;
  const qdot_run_options *options;
  qdot_simulation *simulation;
  double t, value;
  uint32_t place;
  const double *q, *qd, *row;
} Call;

// Nothing can be done with one that a call has left half changed.
static Status refuse_lost(void *argument) {
  qdot_simulation *simulation = argument;
  Status status = diag_error_plain(simulation->system->cx, QDOT_BAD_ARGUMENT,
                                   "the simulation was left while it was being changed");
  diag_note(simulation->system->cx, "open another one");
  return status;
}

static Status enter(qdot_simulation *simulation, Status (*body)(void *argument), void *argument) {
  Context *cx = simulation->system->cx;
  if (simulation->is_lost) return api_call(cx, refuse_lost, simulation);
  Status status = api_call(cx, body, argument);
  simulation->is_lost = api_was_left(cx);
  return status;
}

static Status call(qdot_simulation *simulation, Status (*body)(void *argument), Call *argument) {
  argument->simulation = simulation;
  return enter(simulation, body, argument);
}

static bool is_computed(Context *cx, Expr said) { return said && !expr_is_number(cx, said); }

static Status open_simulation(void *argument) {
  Call *c = argument;
  Context *cx = c->model->cx;
  SimOptions options;
  c->model = model_moving(c->model);
  c->simulation = arena_new(&cx->keep, qdot_simulation);
  *c->simulation =
      (qdot_simulation){.simulation = arena_new(&cx->keep, Simulation), .model = c->model};
  Status status = api_sim_options(c->model, c->options, &options);
  if (status == QDOT_OK) status = model_system(c->model, DERIVE_BASIC, &c->simulation->system);
  if (status != QDOT_OK) return status;
  options.event_rows = options.resume = false;
  options.checkpoint = NULL;
  const SimulateRequest *asked = &c->model->requests.simulate;
  c->simulation->follows_end = !(c->options->t_end > 0) && is_computed(cx, asked->end);
  c->simulation->follows_every = !(c->options->every > 0) && is_computed(cx, asked->every);
  return simulation_open(c->simulation->simulation, c->simulation->system, &options);
}

qdot_status qdot_simulation_open(qdot_model *model, const qdot_run_options *options,
                                 qdot_simulation **out) {
  if (out) *out = NULL;
  if (!model || !out) return QDOT_BAD_ARGUMENT;
  qdot_run_options own;
  if (!api_options(options, &own, sizeof own)) return QDOT_BAD_ARGUMENT;
  Call c = {.model = model, .options = &own};
  Status status = api_call(model->cx, open_simulation, &c);
  if (status == QDOT_OK) *out = c.simulation;
  return status;
}

void qdot_simulation_close(qdot_simulation *simulation) {
  // After exhaustion only the context can be closed, which then closes this too; what is lost is
  // closed with its model.
  if (simulation && !simulation->is_lost && simulation->system->cx->guard.status == QDOT_OK)
    simulation_close(simulation->simulation);
}

// ---- Moving on

static Status advance(void *argument) {
  Call *c = argument;
  c->simulation->system->cx->is_patient = true; // between steps it can be left and gone on with
  c->simulation->changes++;
  return simulation_advance(c->simulation->simulation, c->t);
}

qdot_status qdot_simulation_advance(qdot_simulation *simulation, double t) {
  if (!simulation) return QDOT_BAD_ARGUMENT;
  Call c = {.t = t};
  return isfinite(t) ? call(simulation, advance, &c) : QDOT_BAD_ARGUMENT;
}

double qdot_simulation_time(const qdot_simulation *simulation) {
  if (!simulation) return NAN;
  return simulation->simulation->t;
}

static Status restart(void *argument) {
  Call *c = argument;
  c->simulation->changes++;
  return simulation_restart(c->simulation->simulation);
}

qdot_status qdot_simulation_restart(qdot_simulation *simulation) {
  if (!simulation) return QDOT_BAD_ARGUMENT;
  Call c = {0};
  return call(simulation, restart, &c);
}

static Status set_state(void *argument) {
  Call *c = argument;
  bool finite = isfinite(c->t);
  for (int i = 0; i < c->simulation->simulation->run.n; i++)
    finite = finite && isfinite(c->q[i]) && isfinite(c->qd[i]);
  for (int i = 0; i < c->simulation->simulation->run.machine.states; i++)
    finite = finite && isfinite(c->qd[c->simulation->simulation->run.n + i]);
  if (!finite) return QDOT_BAD_ARGUMENT;
  c->simulation->changes++;
  return simulation_set_state(c->simulation->simulation, c->t, c->q, c->qd);
}

qdot_status qdot_simulation_set_state(qdot_simulation *simulation, double t, const double *q,
                                      const double *qd) {
  if (!simulation) return QDOT_BAD_ARGUMENT;
  if (!q || !qd) return QDOT_BAD_ARGUMENT;
  Call c = {.t = t, .q = q, .qd = qd};
  return call(simulation, set_state, &c);
}

// The run continues from where it is, with equations in which the numbers of parts have names.
static Status use_names(qdot_simulation *simulation) {
  Context *cx = simulation->system->cx;
  System *system;
  Status status = model_system(model_named(simulation->model), DERIVE_BASIC, &system);
  if (status != QDOT_OK || system == simulation->system) return status;
  Simulation *old = simulation->simulation, *fresh = arena_new(&cx->keep, Simulation);
  status = simulation_open(fresh, system, &old->options);
  if (status != QDOT_OK) return status;
  for (uint32_t i = 0; i < old->settings.count && status == QDOT_OK; i++)
    if (old->settings.is_given[i])
      status =
          simulation_set(fresh, (uint32_t)settings_find(&fresh->settings, old->settings.names[i]),
                         old->settings.values[i]);
  if (status == QDOT_OK) status = simulation_continue(fresh, old);
  if (status != QDOT_OK) {
    simulation_close(fresh);
    return status;
  }
  simulation_close(old);
  simulation->simulation = fresh;
  simulation->system = system;
  return QDOT_OK;
}

static Status use_named(void *argument) {
  Call *c = argument;
  return use_names(c->simulation);
}

static Status set_value(void *argument) {
  Call *c = argument;
  c->simulation->changes++;
  return simulation_set(c->simulation->simulation, c->place, c->value);
}

qdot_status qdot_simulation_set(qdot_simulation *simulation, const char *name, double value) {
  if (!simulation) return QDOT_BAD_ARGUMENT;
  const Model *named = simulation->model->named;
  const NameEntry *entry = named ? model_find_text(named, name) : NULL;
  if (entry && entry->kind == NAME_PARAMETER) // one place of a body may have several names
    name = symbol_text(named->cx, named->parameters.at[entry->number].name);
  int place = settings_find(&simulation->simulation->settings, name);
  if (place < 0 && entry && entry->kind == NAME_PARAMETER && isfinite(value)) {
    Call change = {0};
    Status status = call(simulation, use_named, &change);
    if (status != QDOT_OK) return status;
    place = settings_find(&simulation->simulation->settings, name);
  }
  if (place < 0) return QDOT_UNKNOWN_NAME;
  if (!isfinite(value)) return QDOT_BAD_VALUE;
  Call c = {.place = (uint32_t)place, .value = value};
  return call(simulation, set_value, &c);
}

// ---- Whole runs

typedef struct WholeRun {
  qdot_simulation *simulation;
  const qdot_run_options *o;
  qdot_result *out;
} WholeRun;

static Status hand_on_row(void *user, const double *values, uint32_t n) {
  const qdot_run_options *o = user;
  return o->row(o->row_user, values, n) == 0 ? QDOT_OK : QDOT_IO;
}

static void take_options(const qdot_simulation *simulation, const qdot_run_options *o,
                         SimOptions *options) {
  const Machine *machine = &simulation->simulation->run.machine;
  const PlanTimes *asked = &machine->plan->times;
  if (simulation->follows_end) options->t_end = machine_number(machine, &asked->end);
  if (simulation->follows_every) options->every = machine_number(machine, &asked->every);
  if (o->t_end > 0) options->t_end = o->t_end;
  if (o->every > 0) options->every = o->every;
  options->stop = o->stop;
  options->progress = o->progress, options->progress_user = o->progress_user;
  options->row_stride = api_row_stride(options, o);
}

static Status record(const WholeRun *w, Result *result) {
  RecorderOptions options = {.memory = w->o->memory,
                             .rows_alone = w->simulation->simulation->options.row_stride > 1};
  if (w->o->row) options.row = hand_on_row, options.user = (void *)w->o;
  Recorder recorder;
  Status status = recorder_open(&recorder, result, &options);
  if (status != QDOT_OK) return status;
  RowSink sink = recorder_sink(&recorder);
  status = simulation_run(w->simulation->simulation, &sink, &result->arena, &result->summary);
  if (status == QDOT_OK) return recorder_finish(&recorder);
  recorder_leave(&recorder);
  return status;
}

// The model with the values that were set in the place of its own, for what is drawn of the run;
// the model itself where nothing was set.
static const Model *model_as_set(const qdot_simulation *simulation, Arena *arena) {
  const Settings *set = &simulation->simulation->settings;
  const Model *model = simulation->system->model;
  Context *cx = simulation->system->cx;
  Model *own = NULL;
  for (uint32_t i = 0; i < set->count; i++) {
    if (!set->is_given[i]) continue;
    if (!own) {
      own = arena_new(arena, Model);
      *own = *model;
      own->parameters.at = arena_array(arena, Parameter, model->parameters.n);
      own->inputs.at = arena_array(arena, Input, model->inputs.n);
      for (uint32_t k = 0; k < model->parameters.n; k++)
        own->parameters.at[k] = model->parameters.at[k];
      for (uint32_t k = 0; k < model->inputs.n; k++) own->inputs.at[k] = model->inputs.at[k];
    }
    Expr value = expr_number(cx, number_from_double(cx, set->values[i]));
    if (i < set->parameters)
      own->parameters.at[i].value = value;
    else
      own->inputs.at[i - set->parameters].value = value;
  }
  return own ? own : model;
}

static Status run_whole(void *argument) {
  WholeRun *w = argument;
  Simulation *simulation = w->simulation->simulation;
  Context *cx = w->simulation->system->cx;
  cx->is_patient = true;
  SimOptions before = simulation->options;
  take_options(w->simulation, w->o, &simulation->options);
  Status status = api_check_numbers(cx, w->o);
  if (status == QDOT_OK) status = sim_check_options(cx, &simulation->options);
  Result *result = result_new(cx, w->simulation->system->model);
  const Columns *columns = &simulation->columns;
  const char **names = arena_array(&result->arena, const char *, columns->n);
  for (uint32_t i = 0; i < columns->n; i++) names[i] = columns->at[i].name;
  result->columns = names, result->column_count = columns->n;
  result->model = model_as_set(w->simulation, &result->arena);
  if (result->model->requests.measurements.n > 0)
    result->measure_units = measure_units(cx, result->model);
  if (status == QDOT_OK) status = record(w, result);
  simulation->options = before;
  w->simulation->changes++;
  if (status != QDOT_OK) {
    result_close(result);
    return status;
  }
  w->out = api_result_new((Model *)result->model, result);
  w->out->has_set_values = result->model != w->simulation->system->model;
  return QDOT_OK;
}

qdot_status qdot_simulation_run(qdot_simulation *simulation, const qdot_run_options *options,
                                qdot_result **out) {
  if (out) *out = NULL;
  if (!simulation || !out) return QDOT_BAD_ARGUMENT;
  qdot_run_options own;
  if (!api_options(options, &own, sizeof own) || own.folder) return QDOT_BAD_ARGUMENT;
  WholeRun w = {.simulation = simulation, .o = &own};
  Status status = enter(simulation, run_whole, &w);
  if (status == QDOT_OK) *out = w.out;
  return status;
}

// ---- Reading

size_t qdot_simulation_column_count(const qdot_simulation *simulation) {
  if (!simulation) return 0;
  return simulation->simulation->columns.n;
}

const char *qdot_simulation_column_at(const qdot_simulation *simulation, size_t i) {
  if (!simulation) return NULL;
  const Columns *columns = &simulation->simulation->columns;
  return i < columns->n ? columns->at[i].name : NULL;
}

size_t qdot_simulation_column_find(const qdot_simulation *simulation, const char *name) {
  if (!simulation) return QDOT_NOT_FOUND;
  const Columns *columns = &simulation->simulation->columns;
  for (size_t i = 0; i < columns->n; i++)
    if (strcmp(columns->at[i].name, name) == 0) return i;
  return QDOT_NOT_FOUND;
}

static Status read_row(void *argument) {
  Call *c = argument;
  return simulation_row(c->simulation->simulation, &c->row);
}

const double *qdot_simulation_values(qdot_simulation *simulation) {
  if (!simulation) return NULL;
  Call c = {0};
  return call(simulation, read_row, &c) == QDOT_OK ? c.row : NULL;
}

size_t qdot_simulation_event_count(const qdot_simulation *simulation) {
  if (!simulation) return 0;
  return simulation->simulation->summary.events.n;
}

static Status list_events(void *argument) {
  qdot_simulation *s = ((Call *)argument)->simulation;
  s->events.n = 0;
  for (uint32_t i = 0; i < s->simulation->summary.events.n; i++) {
    qdot_event event = api_event(origin_of_system(s->system), &s->simulation->summary.events.at[i]);
    vec_push(&s->system->cx->keep, &s->events, event);
  }
  return QDOT_OK;
}

const qdot_event *qdot_simulation_event_at(qdot_simulation *simulation, size_t i) {
  if (!simulation) return NULL;
  size_t n = qdot_simulation_event_count(simulation);
  if (i >= n) return NULL;
  Call c = {0};
  bool is_current = simulation->events.n == n && simulation->listed == simulation->changes;
  if (!is_current && call(simulation, list_events, &c) != QDOT_OK) return NULL;
  simulation->listed = simulation->changes;
  return &simulation->events.at[i];
}
