// Plans: made, read, changed and run.
#include "api/api_plan.h"

#include <math.h>
#include <string.h>

#include "api/api_call.h"
#include "api/api_file.h"
#include "api/api_options.h"
#include "api/api_result.h"
#include "api/api_run.h"
#include "base/host/folder.h"
#include "base/room.h"
#include "base/words/digits.h"
#include "engine/run/run_whole.h"
#include "result/recorder.h"

// ---- Opening

typedef struct Opening {
  Context *cx;      // the plan's
  Context *from_cx; // the model's,
  Model *model;     // or NULL where it is read,
  const qdot_run_options *run;
  const char *name;
  const void *bytes; // NULL: from the file of this name
  size_t length;
  qdot_plan_options options;
  qdot_plan *plan;
} Opening;

// Values can be changed in copies of their own.
static void make_changeable(qdot_plan *plan) {
  Arena *keep = &plan->cx->keep;
  Plan *p = &plan->stored.plan;
  plan->parameters = arena_array(keep, PlanParameter, p->parameter_count + 1);
  plan->inputs = arena_array(keep, PlanInput, p->input_count + 1);
  for (uint32_t i = 0; i < p->parameter_count; i++) plan->parameters[i] = p->parameters[i];
  for (uint32_t i = 0; i < p->input_count; i++) plan->inputs[i] = p->inputs[i];
  p->parameters = plan->parameters, p->inputs = plan->inputs;
  if (plan->stored.about) plan->about = *plan->stored.about;
  plan->stored.about = plan->stored.about ? &plan->about : NULL;
}

static Status read_file(Opening *o) {
  Text text;
  Status status = file_read_bytes(o->cx, o->name, PLAN_MAGIC, &text);
  o->bytes = text.at, o->length = text.n;
  return status;
}

static Status open_bytes(Opening *o) {
  Context *cx = o->cx;
  double began = context_seconds();
  uint32_t source = source_add(&cx->keep, &cx->sources, o->name, "", 0);
  cx->sources.at[source].has_no_text = true; // what spans of the plan point into
  qdot_plan *plan = o->plan = arena_new(&cx->keep, qdot_plan);
  *plan = (qdot_plan){.cx = cx};
  Status status = QDOT_OK;
  if (!o->bytes) status = read_file(o);
  if (status != QDOT_OK) return status;
  plan->bytes = (PlanBytes){(unsigned char *)arena_copy(&cx->keep, o->bytes, o->length), o->length};
  const StoredPlan *stored;
  status = plan_read(cx, &cx->keep, o->name, plan->bytes.at, plan->bytes.n, &stored);
  if (status != QDOT_OK) return status;
  plan->stored = *stored;
  make_changeable(plan);
  plan->programs = stored_programs(cx, &cx->keep, &plan->stored, backend_from_environment());
  for (size_t i = 0; i < o->options.setting_count && status == QDOT_OK; i++)
    status = plan_take_setting(plan, o->options.settings_name, o->options.settings[i]);
  plan->read_seconds = context_seconds() - began;
  return status;
}

static Status open_plan(void *argument) { return open_bytes(argument); }

static qdot_status open_in_room(Context *owner, Opening *o, qdot_plan **out) {
  o->cx = api_room(owner);
  if (!o->cx) return owner->guard.status;
  Status status = api_call(o->cx, open_plan, o);
  if (status == QDOT_OK)
    *out = o->plan;
  else if (owner->guard.status == QDOT_OK)
    room_close(o->cx);
  return status;
}

static qdot_status open_anything(qdot_context *cx, Opening *o, const qdot_plan_options *options,
                                 qdot_plan **out) {
  if (out) *out = NULL;
  if (!cx || !o->name || !out || !api_options(options, &o->options, sizeof o->options))
    return QDOT_BAD_ARGUMENT;
  return open_in_room(cx, o, out);
}

qdot_status qdot_plan_load(qdot_context *cx, const char *path, const qdot_plan_options *options,
                           qdot_plan **out) {
  Opening o = {.name = path};
  return open_anything(cx, &o, options, out);
}

qdot_status qdot_plan_read(qdot_context *cx, const char *name, const void *bytes, size_t length,
                           const qdot_plan_options *options, qdot_plan **out) {
  if (out) *out = NULL;
  if (!bytes) return QDOT_BAD_ARGUMENT;
  Opening o = {.name = name, .bytes = bytes, .length = length};
  return open_anything(cx, &o, options, out);
}

// The bytes are in memory of the model's context until the plan has its own.
static Status make_plan(void *argument) {
  Opening *o = argument;
  Context *cx = o->from_cx;
  PlanBytes bytes;
  Status status = plan_of_model(o->model, o->run, &bytes);
  if (status != QDOT_OK) return status;
  o->name = arena_copy(&cx->keep, o->model->title, strlen(o->model->title));
  o->bytes = bytes.at, o->length = bytes.n;
  return QDOT_OK;
}

qdot_status qdot_model_plan(qdot_model *model, const qdot_run_options *options, qdot_plan **out) {
  if (out) *out = NULL;
  if (!model || !out) return QDOT_BAD_ARGUMENT;
  qdot_run_options run;
  if (!api_options(options, &run, sizeof run)) return QDOT_BAD_ARGUMENT;
  Opening o = {.from_cx = model->cx, .model = model, .run = &run};
  Status status = api_call(model->cx, make_plan, &o);
  return status == QDOT_OK ? open_in_room(model->cx->owner, &o, out) : status;
}

void qdot_plan_close(qdot_plan *plan) {
  // After exhaustion only the context can be closed, which then closes this too.
  if (!plan || plan->cx->guard.status != QDOT_OK) return;
  room_close(plan->cx);
}

const void *qdot_plan_bytes(const qdot_plan *plan, size_t *length) {
  if (length) *length = plan ? plan->bytes.n : 0;
  return plan ? plan->bytes.at : NULL;
}

const char *qdot_plan_title(const qdot_plan *plan) {
  return plan && plan->stored.title ? plan->stored.title : "";
}

// ---- Values

size_t qdot_plan_value_count(const qdot_plan *plan) {
  if (!plan) return 0;
  return (size_t)plan->stored.plan.parameter_count + plan->stored.plan.input_count;
}

static Status list_values(void *argument) {
  qdot_plan *plan = argument;
  const Plan *p = &plan->stored.plan;
  const StoredAbout *about = plan->stored.about;
  size_t n = qdot_plan_value_count(plan);
  if (!plan->values) plan->values = arena_array(&plan->cx->keep, qdot_plan_value, n + 1);
  const double *values = plan_values(plan);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t k = i - p->parameter_count;
    plan->values[i] =
        i < p->parameter_count
            ? (qdot_plan_value){p->parameters[i].name, about ? about->units[i].text : "",
                                values[p->variables.parameters[i]], 0}
            : (qdot_plan_value){p->inputs[k].name, about ? about->input_units[k].text : "",
                                values[p->variables.inputs[k]], 1};
  }
  return QDOT_OK;
}

const qdot_plan_value *qdot_plan_value_at(qdot_plan *plan, size_t i) {
  if (!plan || i >= qdot_plan_value_count(plan)) return NULL;
  return api_call(plan->cx, list_values, plan) == QDOT_OK ? &plan->values[i] : NULL;
}

size_t qdot_plan_value_find(const qdot_plan *plan, const char *name) {
  if (!plan || !name) return QDOT_NOT_FOUND;
  const Plan *p = &plan->stored.plan;
  for (uint32_t i = 0; i < p->parameter_count; i++)
    if (strcmp(p->parameters[i].name, name) == 0) return i;
  for (uint32_t i = 0; i < p->input_count; i++)
    if (strcmp(p->inputs[i].name, name) == 0) return p->parameter_count + i;
  return QDOT_NOT_FOUND;
}

typedef struct Change {
  qdot_plan *plan;
  const char *name;
  double value;
} Change;

static Status set_value(void *argument) {
  const Change *change = argument;
  int place = plan_place(change->plan, change->name);
  if (place < 0)
    return qdot_plan_value_find(change->plan, change->name) == QDOT_NOT_FOUND ? QDOT_UNKNOWN_NAME
                                                                              : QDOT_BAD_ARGUMENT;
  char digits[DIGITS_ROOM];
  digits[digits_write(change->value, digits)] = '\0';
  const char *text = text_format(&change->plan->cx->scratch, "%s=%s", change->name, digits);
  plan_put_value(change->plan, (uint32_t)place, change->value, text);
  return QDOT_OK;
}

qdot_status qdot_plan_set(qdot_plan *plan, const char *name, double value) {
  if (!plan || !name) return QDOT_BAD_ARGUMENT;
  if (!isfinite(value)) return QDOT_BAD_VALUE;
  Change change = {plan, name, value};
  return api_call(plan->cx, set_value, &change);
}

// ---- Columns

size_t qdot_plan_column_count(const qdot_plan *plan) {
  if (!plan) return 0;
  return plan->stored.plan.columns.n;
}

const char *qdot_plan_column_at(const qdot_plan *plan, size_t i) {
  if (!plan || i >= plan->stored.plan.columns.n) return NULL;
  return plan->stored.plan.columns.at[i].name;
}

size_t qdot_plan_column_find(const qdot_plan *plan, const char *name) {
  if (!plan || !name) return QDOT_NOT_FOUND;
  const Columns *columns = &plan->stored.plan.columns;
  for (uint32_t i = 0; i < columns->n; i++)
    if (strcmp(columns->at[i].name, name) == 0) return i;
  return QDOT_NOT_FOUND;
}

// ---- Runs

typedef struct Running {
  qdot_plan *plan;
  const qdot_run_options *o;
  SimOptions sim;
  Result *result;
  Recorder recorder;
  qdot_result *out;
} Running;

static Status refuse(Context *cx, const char *what) {
  Status status = diag_error_plain(cx, QDOT_UNSUPPORTED, "a plan has no %s", what);
  diag_note(cx, "simulate the model itself");
  return status;
}

// What follows from values as the model's simulate line computes it.
static void take_times(const qdot_plan *plan, SimOptions *options) {
  const PlanTimes *said = &plan->stored.plan.times;
  const double *values = plan_values(plan);
  double *room = arena_array(&plan->cx->scratch, double, plan->stored.plan.variables.room + 1);
  bool has_usual_rows = options->every == options->t_end / 1000;
  if (said->end.is_said) options->t_end = plan_value(&said->end, values, room);
  if (said->every.is_said)
    options->every = plan_value(&said->every, values, room);
  else if (has_usual_rows)
    options->every = options->t_end / 1000;
  if (!options->has_step) options->method.step = options->every;
}

static Status take_options(Running *r) {
  Context *cx = r->plan->cx;
  const StoredRun *run = &r->plan->stored.run;
  if (r->o->checkpoint || r->o->resume) return refuse(cx, "checkpoints");
  if (r->o->verify == QDOT_VERIFY_ALWAYS) return refuse(cx, "second run that verifies it");
  r->sim = (SimOptions){.t_end = run->t_end,
                        .every = run->every,
                        .method = run->method,
                        .has_step = run->has_step,
                        .backend = backend_from_environment()};
  take_times(r->plan, &r->sim);
  Status status = api_check_numbers(cx, r->o);
  if (status == QDOT_OK) status = api_take_options(cx, r->o, &r->sim);
  if (status == QDOT_OK) status = sim_check_options(cx, &r->sim);
  if (status != QDOT_OK || plan_serves(&r->plan->stored, &r->sim.method)) return status;
  status = diag_error_plain(cx, QDOT_UNSUPPORTED, "the plan was not made for the method %s",
                            method_get(r->sim.method.method)->name);
  diag_note(cx, "make another plan, of the model with this method");
  return status;
}

static void name_columns(const qdot_plan *plan, Result *result) {
  const Columns *columns = &plan->stored.plan.columns;
  const char **names = arena_array(&result->arena, const char *, columns->n + 1);
  for (uint32_t i = 0; i < columns->n; i++) names[i] = columns->at[i].name;
  result->columns = names, result->column_count = columns->n;
  uint32_t n = origin_measure_count(origin_of_plan(&plan->stored));
  const char **units = arena_array(&result->arena, const char *, n + 1);
  for (uint32_t i = 0; i < n; i++) units[i] = plan->about.measures[i].unit;
  if (n > 0) result->measure_units = units;
}

static Status integrate(Running *r) {
  RecorderOptions options = api_recorder_options(r->o, &r->sim);
  Status status = recorder_open(&r->recorder, r->result, &options);
  if (status != QDOT_OK) return status;
  RowSink sink = recorder_sink(&r->recorder);
  status = run_plan(r->plan->programs, &r->sim, &sink, &r->result->summary, false);
  r->result->summary.motion_left_out = recorder_left_out(&r->recorder);
  if (status == QDOT_OK) return recorder_finish(&r->recorder);
  recorder_leave(&r->recorder);
  return status;
}

static Status store(Running *r) {
  Status status = QDOT_OK;
  if (!r->result->folder) return status;
  if (r->o->mat) status = api_write_mat(r->result, qdot_plan_title(r->plan));
  return status == QDOT_OK ? result_store(r->result, origin_of_plan(&r->plan->stored)) : status;
}

static Status run(void *argument) {
  Running *r = argument;
  Context *cx = r->plan->cx;
  Status status = take_options(r);
  if (status == QDOT_OK && r->o->folder) status = folder_make(cx, r->o->folder);
  if (status != QDOT_OK) return status;
  r->result = result_new(cx, NULL);
  if (r->o->folder)
    r->result->folder = arena_copy(&r->result->arena, r->o->folder, strlen(r->o->folder));
  name_columns(r->plan, r->result);
  status = integrate(r);
  r->result->summary.setup_seconds += r->plan->read_seconds;
  if (status == QDOT_OK) status = store(r);
  if (status == QDOT_OK)
    r->out = api_result_of_plan(cx, &r->plan->stored, r->result);
  else
    result_close(r->result);
  return status;
}

qdot_status qdot_plan_run(qdot_plan *plan, const qdot_run_options *options, qdot_result **out) {
  if (out) *out = NULL;
  if (!plan || !out) return QDOT_BAD_ARGUMENT;
  qdot_run_options own;
  if (!api_options(options, &own, sizeof own)) return QDOT_BAD_ARGUMENT;
  Running running = {.plan = plan, .o = &own};
  Status status = api_call(plan->cx, run, &running);
  if (status == QDOT_OK) *out = running.out;
  return status;
}
