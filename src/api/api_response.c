// Frequency responses and sweeps.
#include <string.h>

#include "api/api_analyse.h"
#include "api/api_call.h"
#include "api/api_system.h"
#include "base/folder.h"
#include "chart/plot.h"
#include "chart/response_chart.h"
#include "expr/value/eval.h"
#include "lang/read.h"
#include "model/values.h"
#include "print/linear/response_table.h"
#include "print/linear/response_text.h"

typedef struct Job {
  Context *cx;
  System *system;
  qdot_system *whole; // of the sweep
  qdot_linear *linear;
  const qdot_response_options *response;
  const qdot_sweep_options *sweep;
  qdot_style style;
  qdot_sink sink;
} Job;

static Status put(const Job *job, const Text *text) {
  return job->sink.write(job->sink.user, text->at, text->n) == 0 ? QDOT_OK : QDOT_IO;
}

// The picture is welcome but not needed: without gnuplot its script and data are left.
static Status draw(const Job *job, const char *folder, const Chart *chart) {
  PlotOptions options = plot_defaults();
  options.folder = folder;
  Status status = plot_charts(job->cx, chart, 1, &options);
  return status == QDOT_NO_PROGRAM ? QDOT_OK : status;
}

// ---- Names

typedef VEC(ResponseInput) InputList;
typedef VEC(ResponseOutput) OutputList;

// The next name of a list with commas outside brackets; NULL at its end.
static const char *next_name(Arena *arena, const char **rest) {
  const char *at = *rest;
  if (!at || !*at) return NULL;
  int depth = 0;
  size_t n = 0;
  for (; at[n] && (at[n] != ',' || depth > 0); n++)
    depth += (at[n] == '(' || at[n] == '[') - (at[n] == ')' || at[n] == ']');
  *rest = at[n] ? at + n + 1 : NULL;
  while (n > 0 && *at == ' ') at++, n--;
  while (n > 0 && at[n - 1] == ' ') n--;
  return arena_copy(arena, at, n);
}

static Status unknown_input(const Job *job, const Model *model, const char *name) {
  Status status = diag_error_plain(job->cx, QDOT_UNKNOWN_NAME,
                                   "there is no input and no coordinate '%s'", name);
  diag_suggest(job->cx, model_nearest(model, name));
  return status;
}

static Status add_input(const Job *job, const Model *model, const char *name, InputList *list) {
  const NameEntry *entry = model_find_text(model, name);
  bool known = entry && (entry->kind == NAME_INPUT || entry->kind == NAME_COORDINATE);
  if (!known) return unknown_input(job, model, name);
  ResponseInput input = {name, entry->kind == NAME_COORDINATE, entry->number};
  vec_push(&job->cx->keep, list, input);
  return QDOT_OK;
}

static Status add_output(const Job *job, const Model *model, const char *name, OutputList *list) {
  ResponseOutput output = {.name = name};
  const NameEntry *entry = model_find_text(model, name);
  Status status = QDOT_OK;
  if (entry && entry->kind == NAME_OUTPUT)
    output.value = model->outputs.at[entry->number].value;
  else
    status = expression_read(job->cx, (Model *)model, "output", name, strlen(name), &output.value);
  if (status == QDOT_OK) vec_push(&job->cx->keep, list, output);
  return status;
}

static const char *coordinate_name(const Linearized *l, uint32_t i) {
  return symbol_text(l->cx, l->system->model->coordinates.at[l->choice.z[i]].name);
}

static Status choose_inputs(const Job *job, const Linearized *l, InputList *list) {
  const Model *model = l->system->model;
  const char *rest = job->response->inputs, *name;
  Status status = QDOT_OK;
  while (status == QDOT_OK && (name = next_name(&job->cx->keep, &rest)))
    status = add_input(job, model, name, list);
  if (job->response->inputs) return status;
  for (uint32_t i = 0; i < model->inputs.n; i++)
    add_input(job, model, symbol_text(job->cx, model->inputs.at[i].name), list);
  for (uint32_t i = 0; i < l->f && model->inputs.n == 0; i++)
    add_input(job, model, coordinate_name(l, i), list);
  return status;
}

static Status choose_outputs(const Job *job, const Linearized *l, OutputList *list) {
  const Model *model = l->system->model;
  const char *rest = job->response->outputs, *name;
  Status status = QDOT_OK;
  while (status == QDOT_OK && (name = next_name(&job->cx->keep, &rest)))
    status = add_output(job, model, name, list);
  if (job->response->outputs) return status;
  for (uint32_t i = 0; i < model->outputs.n; i++)
    add_output(job, model, symbol_text(job->cx, model->outputs.at[i].name), list);
  for (uint32_t i = 0; i < l->f && model->outputs.n == 0; i++)
    add_output(job, model, coordinate_name(l, i), list);
  return status;
}

// ---- Response

static Status save_response(const Job *job, const Response *r) {
  const char *folder = job->response->folder;
  if (!folder) return QDOT_OK;
  Status status = folder_make(job->cx, folder);
  if (status == QDOT_OK)
    status = response_csv(job->cx, r, folder_path(&job->cx->keep, folder, "response.csv"));
  if (status != QDOT_OK) return status;
  Chart chart = response_chart(job->cx, r);
  return draw(job, folder, &chart);
}

static Status write_response(void *argument) {
  Job *job = argument;
  Context *cx = job->cx;
  const Linearized *l = &job->linear->linearized;
  if (!job->linear->has_modes) return api_no_modes(job->linear, "there is no response");
  InputList inputs = {0};
  OutputList outputs = {0};
  Status status = choose_inputs(job, l, &inputs);
  if (status == QDOT_OK) status = choose_outputs(job, l, &outputs);
  if (status != QDOT_OK) return status;
  ResponseTask task = {
      inputs.at,         outputs.at,           inputs.n, outputs.n, job->response->from,
      job->response->to, job->response->points};
  Response response;
  status =
      response_compute(l, &job->linear->modes, job->linear->values, &task, &cx->keep, &response);
  if (status == QDOT_OK) status = save_response(job, &response);
  if (status != QDOT_OK) return status;
  Text out = text_new(&cx->scratch);
  if (job->style.format == QDOT_JSON)
    response_json(l, &response, &out);
  else
    response_text(l, &response, &out);
  return put(job, &out);
}

qdot_response_options qdot_response_defaults(void) {
  return (qdot_response_options){.points = 400};
}

qdot_status qdot_response_write(qdot_linear *linear, const qdot_response_options *options,
                                const qdot_style *style, qdot_sink sink) {
  qdot_response_options defaults = qdot_response_defaults();
  Job job = {.cx = linear->linearized.cx, .linear = linear, .sink = sink};
  job.response = options ? options : &defaults;
  job.style = style ? *style : qdot_style_defaults();
  return api_call(job.cx, write_response, &job);
}

// ---- Sweep

typedef struct SweepRange {
  uint32_t parameter;
  double from, to;
} SweepRange;

static Status wrong_range(Context *cx, const char *text) {
  Status status = diag_error_plain(cx, QDOT_BAD_ARGUMENT, "'%s' is not a parameter range", text);
  diag_note(cx, "write NAME=A..B, for example v=0..10 or 'L=20 [mm]..50 [mm]'");
  return status;
}

static Status read_number(const Job *job, const char *text, size_t n, const double *values,
                          double *out) {
  Expr e;
  Status status = expression_read(job->cx, (Model *)job->system->model, "sweep", text, n, &e);
  if (status == QDOT_OK) *out = expr_eval(job->cx, e, values);
  return status;
}

static bool names_number(const Job *job) {
  const char *text = job->sweep->range ? job->sweep->range : "";
  const Model *model = job->system->model, *named = model->named;
  const char *name = arena_copy(&job->cx->scratch, text, strcspn(text, "="));
  return named && model_find_text(named, name) && !model_find_text(model, name);
}

static Status read_range(const Job *job, const double *values, SweepRange *out) {
  const char *text = job->sweep->range;
  const char *equals = text ? strchr(text, '=') : NULL, *dots = text ? strstr(text, "..") : NULL;
  if (!equals || !dots || dots < equals) return wrong_range(job->cx, text ? text : "");
  const char *name = arena_copy(&job->cx->scratch, text, (size_t)(equals - text));
  const NameEntry *entry = model_find_text(job->system->model, name);
  if (!entry || entry->kind != NAME_PARAMETER) {
    Status status =
        diag_error_plain(job->cx, QDOT_UNKNOWN_NAME, "there is no parameter '%s'", name);
    diag_suggest(job->cx, model_nearest(job->system->model, name));
    return status;
  }
  out->parameter = entry->number;
  Status status = read_number(job, equals + 1, (size_t)(dots - equals - 1), values, &out->from);
  if (status == QDOT_OK) status = read_number(job, dots + 2, strlen(dots + 2), values, &out->to);
  bool good = status != QDOT_OK || (out->from - out->from == 0 && out->to - out->to == 0);
  return good ? status : wrong_range(job->cx, text);
}

static Status save_sweep(const Job *job, const Sweep *sweep) {
  const char *folder = job->sweep->folder;
  if (!folder) return QDOT_OK;
  Status status = folder_make(job->cx, folder);
  if (status == QDOT_OK)
    status = sweep_csv(job->cx, sweep, folder_path(&job->cx->keep, folder, "sweep.csv"));
  if (status != QDOT_OK) return status;
  Chart chart = sweep_chart(job->cx, job->system->model, sweep);
  return draw(job, folder, &chart);
}

// What is swept may be a number of a part, which has its name in these equations only.
static Status use_names(Job *job) {
  System *named;
  Status status = api_named_system(job->whole, &named);
  if (status == QDOT_OK) job->system = named;
  return status;
}

static Status write_sweep(void *argument) {
  Job *job = argument;
  Context *cx = job->cx;
  Status named = names_number(job) ? use_names(job) : QDOT_OK;
  if (named != QDOT_OK) return named;
  const Requests *requests = &job->system->model->requests;
  double *values;
  SweepRange range = {0};
  Status status = model_values(cx, job->system->model, &cx->scratch, &values);
  if (status == QDOT_OK) status = read_range(job, values, &range);
  if (status != QDOT_OK) return status;
  derive_matrices(cx, job->system);
  uint32_t steps = job->sweep->steps > 1 ? job->sweep->steps : 2;
  Sweep sweep;
  status = sweep_parameter(cx, job->system,
                           requests->linearizations.n ? &requests->linearizations.at[0] : NULL,
                           range.parameter, range.from, range.to, steps, &sweep);
  if (status == QDOT_OK) status = save_sweep(job, &sweep);
  if (status != QDOT_OK) return status;
  Text out = text_new(&cx->scratch);
  if (job->style.format == QDOT_JSON)
    sweep_json(job->system, &sweep, &out);
  else
    sweep_text(job->system, &sweep, &out);
  return put(job, &out);
}

qdot_sweep_options qdot_sweep_defaults(void) { return (qdot_sweep_options){.steps = 121}; }

qdot_status qdot_sweep_write(qdot_system *system, const qdot_sweep_options *options,
                             const qdot_style *style, qdot_sink sink) {
  qdot_sweep_options defaults = qdot_sweep_defaults();
  Job job = {.cx = system->system->cx, .system = system->system, .whole = system, .sink = sink};
  job.sweep = options ? options : &defaults;
  job.style = style ? *style : qdot_style_defaults();
  return api_call(job.cx, write_sweep, &job);
}
