// Frequency responses.
#include <math.h>
#include <string.h>

#include "api/analyse/api_analyse.h"
#include "api/analyse/api_chart.h"
#include "api/api_call.h"
#include "api/api_options.h"
#include "api/api_write.h"
#include "base/host/folder.h"
#include "chart/plot.h"
#include "chart/response_chart.h"
#include "derive/momenta.h"
#include "expr/value/eval.h"
#include "lang/read.h"
#include "print/linear/response_table.h"
#include "print/linear/response_text.h"
#include "print/random_unit.h"
#include "result/answer_store.h"

struct qdot_response {
  Object object;
  qdot_linear *linear;
  Response response;
  RandomResponse random;
  qdot_random_output *random_outputs;
  qdot_peak **resonances; // outputs x inputs
  qdot_crossing **crossings[2];
};

typedef struct Job {
  Context *cx;
  qdot_linear *linear;
  const qdot_response_options *response;
  qdot_response *out;
} Job;

// The picture is welcome but not needed: without gnuplot its script and data are left.
Status api_draw_chart(Context *cx, const char *folder, const Chart *chart) {
  PlotOptions options = plot_defaults();
  options.folder = folder;
  Status status = plot_charts(cx, chart, 1, &options);
  return status == QDOT_NO_PROGRAM ? QDOT_OK : status;
}

Status api_draw_answer(Context *cx, const char *folder, const Chart *chart) {
  PlotOptions options = plot_defaults();
  options.folder = folder;
  options.formats = PICTURE_SVG | PICTURE_PDF; // for pages and for paper
  Status status = plot_charts(cx, chart, 1, &options);
  return status == QDOT_NO_PROGRAM ? QDOT_OK : status;
}

// ---- Names

typedef VEC(ResponseInput) InputList;

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
  vec_push(job->cx->results, list, input);
  return QDOT_OK;
}

static Status add_output(Context *cx, const Model *model, const char *name, OutputList *list) {
  ResponseOutput output = {.name = name};
  const NameEntry *entry = model_find_text(model, name);
  Status status = QDOT_OK;
  if (entry && entry->kind == NAME_OUTPUT)
    output.value = model->outputs.at[entry->number].value;
  else
    status = expression_read(cx, (Model *)model, "output", name, strlen(name), &output.value);
  if (status == QDOT_OK) output.value = momenta_open(model, output.value);
  if (status == QDOT_OK) vec_push(cx->results, list, output);
  return status;
}

static const char *coordinate_name(const Linearized *l, uint32_t i) {
  return symbol_text(l->cx, l->system->model->coordinates.at[l->choice.z[i]].name);
}

// Not one of the states, which the linearization has among its coordinates.
static bool is_coordinate(const Model *model, const char *name) {
  const NameEntry *entry = model_find_text(model, name);
  return entry && entry->kind == NAME_COORDINATE;
}

static Status no_input(Context *cx) {
  Status status =
      diag_error_plain(cx, QDOT_BAD_MODEL, "there is nothing to excite: the model has no input");
  diag_note(cx, "'input e = 12 [V]' with e in a rate or a force makes one");
  return status;
}

static Status choose_inputs(const Job *job, const Linearized *l, InputList *list) {
  const Model *model = l->system->model;
  const char *rest = job->response->inputs, *name;
  Status status = QDOT_OK;
  while (status == QDOT_OK && (name = next_name(job->cx->results, &rest)))
    status = add_input(job, model, name, list);
  if (job->response->inputs) return status;
  for (uint32_t i = 0; i < model->inputs.n; i++)
    add_input(job, model, symbol_text(job->cx, model->inputs.at[i].name), list);
  for (uint32_t i = 0; i < l->f && model->inputs.n == 0; i++)
    if (is_coordinate(model, coordinate_name(l, i)))
      add_input(job, model, coordinate_name(l, i), list);
  return list->n ? status : no_input(job->cx);
}

Status api_outputs(Context *cx, const Model *model, const char *names, const uint32_t *coordinates,
                   uint32_t count, OutputList *list) {
  const char *rest = names, *name;
  Status status = QDOT_OK;
  while (status == QDOT_OK && (name = next_name(cx->results, &rest)))
    status = add_output(cx, model, name, list);
  if (names) return status;
  for (uint32_t i = 0; i < model->outputs.n; i++)
    add_output(cx, model, symbol_text(cx, model->outputs.at[i].name), list);
  for (uint32_t i = 0; i < count && model->outputs.n == 0; i++)
    add_output(cx, model, symbol_text(cx, model->coordinates.at[coordinates[i]].name), list);
  return status;
}

// ---- Response

static Status save_random(const Job *job, const Response *r, const RandomResponse *random) {
  const char *folder = job->response->folder;
  const char *path = folder_path(job->cx->results, folder, "density.csv");
  if (random->source_count == 0) return QDOT_OK;
  Status status = random_csv(job->cx, r, random, path);
  if (status != QDOT_OK) return status;
  Text answer = text_new(&job->cx->scratch);
  random_json(&job->linear->linearized, random, &answer);
  const Model *model = job->linear->linearized.system->model;
  status = answer_store(job->cx, model, folder, "random", &answer);
  if (status != QDOT_OK) return status;
  Chart chart = random_chart(job->cx, &job->linear->linearized, r, random);
  return api_draw_answer(job->cx, folder, &chart);
}

static Status save_response(const Job *job, const Response *r, const RandomResponse *random) {
  const char *folder = job->response->folder;
  if (!folder) return QDOT_OK;
  Status status = folder_make(job->cx, folder);
  if (status == QDOT_OK)
    status = response_csv(job->cx, r, folder_path(job->cx->results, folder, "response.csv"));
  if (status != QDOT_OK) return status;
  Chart chart = response_chart(job->cx, job->linear->linearized.system->model, r);
  status = api_draw_chart(job->cx, folder, &chart);
  return status == QDOT_OK ? save_random(job, r, random) : status;
}

static qdot_peak *show_resonances(Context *cx, const ExtremumList *found) {
  qdot_peak *shown = arena_array(cx->results, qdot_peak, found->n);
  for (uint32_t i = 0; i < found->n; i++) {
    const Extremum *e = &found->at[i];
    shown[i] = (qdot_peak){.hz = e->hz,
                           .gain = e->gain,
                           .phase = e->phase_deg * M_PI / 180,
                           .low = e->low,
                           .high = e->high,
                           .is_unlimited = e->is_unlimited};
  }
  return shown;
}

static qdot_crossing *show_crossings(Context *cx, const CrossingList *found,
                                     qdot_crossing_kind kind) {
  qdot_crossing *shown = arena_array(cx->results, qdot_crossing, found->n);
  for (uint32_t i = 0; i < found->n; i++) {
    const Crossing *c = &found->at[i];
    shown[i] = (qdot_crossing){.hz = c->hz,
                               .gain = c->gain,
                               .phase = c->phase_deg * M_PI / 180,
                               .margin = kind == QDOT_CROSSING_PHASE
                                             ? crossing_gain_margin(c)
                                             : crossing_phase_margin(c) * M_PI / 180};
  }
  return shown;
}

static void show_pairs(Context *cx, qdot_response *r, size_t pairs) {
  r->resonances = arena_array(cx->results, qdot_peak *, pairs);
  for (int kind = 0; kind < 2; kind++)
    r->crossings[kind] = arena_array(cx->results, qdot_crossing *, pairs);
  for (size_t i = 0; i < pairs; i++) {
    const Extrema *e = &r->response.extrema[i];
    r->resonances[i] = show_resonances(cx, &e->resonances);
    r->crossings[QDOT_CROSSING_GAIN][i] =
        show_crossings(cx, &e->gain_crossings, QDOT_CROSSING_GAIN);
    r->crossings[QDOT_CROSSING_PHASE][i] =
        show_crossings(cx, &e->phase_crossings, QDOT_CROSSING_PHASE);
  }
}

static void show_random(Context *cx, const Linearized *l, qdot_response *out) {
  const RandomResponse *r = &out->random;
  uint32_t n = out->response.n;
  out->random_outputs = arena_array(cx->results, qdot_random_output, r->output_count + 1);
  for (uint32_t o = 0; o < r->output_count; o++) {
    const char *unit = random_unit(l, &r->outputs[o]);
    double *density = arena_array(cx->results, double, n + 1);
    for (uint32_t k = 0; k < n; k++) density[k] = r->density[(size_t)k * r->output_count + o];
    out->random_outputs[o] =
        (qdot_random_output){.name = r->outputs[o].name,
                             .weighting = r->outputs[o].weight,
                             .unit = arena_copy(cx->results, unit, strlen(unit)),
                             .rms = r->outputs[o].rms,
                             .relative_error = r->outputs[o].error,
                             .density = density};
  }
}

static Status wrong_range(Context *cx, const char *text) {
  Status status = diag_error_plain(cx, QDOT_BAD_ARGUMENT, "'%s' is not a frequency range", text);
  diag_note(cx, "write A..B in Hz with 0 < A < B, for example 0.1..100 or '1..2 [kHz]'");
  return status;
}

// Beyond, squares of frequencies have no value.
static const double LEAST_HZ = 1e-60, MOST_HZ = 1e60;

static bool is_frequency(double hz) { return hz >= LEAST_HZ && hz <= MOST_HZ; }

// As numbers: 0 where nothing is said.
static Status check_frequencies(Context *cx, double from, double to) {
  bool is_good = (from == 0 || is_frequency(from)) && (to == 0 || is_frequency(to)) &&
                 (from == 0 || to == 0 || to > from);
  if (is_good) return QDOT_OK;
  Status status = diag_error_plain(cx, QDOT_BAD_ARGUMENT,
                                   "the response has no frequencies from %g to %g Hz", from, to);
  diag_note(cx, "they lie between %g and %g Hz, ascending; 0 leaves the choice", LEAST_HZ, MOST_HZ);
  return status;
}

static Status read_frequencies(const Job *job, double *from, double *to) {
  const char *text = job->response->range;
  *from = job->response->from, *to = job->response->to;
  if (!text) return check_frequencies(job->cx, *from, *to);
  if (!strstr(text, "..")) return wrong_range(job->cx, text);
  Expr low, high;
  Model *model = (Model *)job->linear->linearized.system->model;
  Status status = frequency_range_read(job->cx, model, "range", text, strlen(text), &low, &high);
  if (status != QDOT_OK) return status;
  *from = expr_eval(job->cx, low, job->linear->values);
  *to = expr_eval(job->cx, high, job->linear->values);
  bool is_good = is_frequency(*from) && is_frequency(*to) && *to > *from;
  return is_good ? QDOT_OK : wrong_range(job->cx, text);
}

static Status respond(void *argument) {
  Job *job = argument;
  Context *cx = job->cx;
  const Linearized *l = &job->linear->linearized;
  if (!job->linear->has_modes) return api_no_modes(job->linear, "there is no response");
  job->out = object_new(cx, sizeof *job->out);
  InputList inputs = {0};
  OutputList outputs = {0};
  double from, to;
  Status status = read_frequencies(job, &from, &to);
  if (status == QDOT_OK) status = choose_inputs(job, l, &inputs);
  if (status == QDOT_OK)
    status = api_outputs(cx, l->system->model, job->response->outputs, l->choice.z, l->f, &outputs);
  if (status != QDOT_OK) return status;
  ResponseTask task = {inputs.at,
                       outputs.at,
                       inputs.n,
                       outputs.n,
                       from,
                       to,
                       job->response->points ? job->response->points : 400};
  job->out->linear = job->linear;
  Response *response = &job->out->response;
  status =
      response_compute(l, &job->linear->modes, job->linear->values, &task, cx->results, response);
  if (status == QDOT_OK)
    status = random_respond(l, &job->linear->modes, job->linear->values, outputs.at, outputs.n,
                            response->hz, response->n, cx->results, &job->out->random);
  if (status == QDOT_OK) status = save_response(job, response, &job->out->random);
  if (status == QDOT_OK) show_pairs(cx, job->out, (size_t)outputs.n * inputs.n);
  if (status == QDOT_OK) show_random(cx, l, job->out);
  return status;
}

qdot_status qdot_linear_response(qdot_linear *linear, const qdot_response_options *options,
                                 qdot_response **out) {
  if (out) *out = NULL;
  if (!linear || !out) return QDOT_BAD_ARGUMENT;
  qdot_response_options own;
  if (!api_options(options, &own, sizeof own)) return QDOT_BAD_ARGUMENT;
  Job job = {.cx = linear->linearized.cx, .linear = linear, .response = &own};
  Status status = api_call(job.cx, respond, &job);
  *out = object_of(job.cx, status, job.out);
  return status;
}

void qdot_response_close(qdot_response *response) { object_close(response); }

// ---- Numbers

size_t qdot_response_input_count(const qdot_response *response) {
  if (!response) return 0;
  return response->response.task.input_count;
}

const char *qdot_response_input_at(const qdot_response *response, size_t i) {
  if (!response) return NULL;
  const ResponseTask *task = &response->response.task;
  return i < task->input_count ? task->inputs[i].name : NULL;
}

size_t qdot_response_output_count(const qdot_response *response) {
  if (!response) return 0;
  return response->response.task.output_count;
}

const char *qdot_response_output_at(const qdot_response *response, size_t i) {
  if (!response) return NULL;
  const ResponseTask *task = &response->response.task;
  return i < task->output_count ? task->outputs[i].name : NULL;
}

const double *qdot_response_frequencies(const qdot_response *response, size_t *count) {
  if (!response) return NULL;
  *count = response->response.n;
  return response->response.hz;
}

static bool is_pair(const qdot_response *response, size_t output, size_t input) {
  const ResponseTask *task = &response->response.task;
  return output < task->output_count && input < task->input_count;
}

static size_t pair_number(const qdot_response *response, size_t output, size_t input) {
  return output * response->response.task.input_count + input;
}

void qdot_response_value(const qdot_response *response, size_t output, size_t input, size_t k,
                         double *re, double *im) {
  if (!response) return;
  const Response *r = &response->response;
  *re = *im = NAN;
  if (k >= r->n || !is_pair(response, output, input)) return;
  size_t pairs = (size_t)r->task.output_count * r->task.input_count;
  size_t at = k * pairs + pair_number(response, output, input);
  *re = r->re[at], *im = r->im[at];
}

size_t qdot_resonance_count(const qdot_response *response, size_t output, size_t input) {
  if (!response) return 0;
  if (!is_pair(response, output, input)) return 0;
  return response->response.extrema[pair_number(response, output, input)].resonances.n;
}

const qdot_peak *qdot_resonance_at(const qdot_response *response, size_t output, size_t input,
                                   size_t i) {
  if (!response) return NULL;
  if (i >= qdot_resonance_count(response, output, input)) return NULL;
  return &response->resonances[pair_number(response, output, input)][i];
}

size_t qdot_crossing_count(const qdot_response *response, size_t output, size_t input,
                           qdot_crossing_kind kind) {
  if (!response) return 0;
  if (!is_pair(response, output, input)) return 0;
  const Extrema *e = &response->response.extrema[pair_number(response, output, input)];
  return kind == QDOT_CROSSING_PHASE  ? e->phase_crossings.n
         : kind == QDOT_CROSSING_GAIN ? e->gain_crossings.n
                                      : 0;
}

const qdot_crossing *qdot_crossing_at(const qdot_response *response, size_t output, size_t input,
                                      qdot_crossing_kind kind, size_t i) {
  if (!response) return NULL;
  if (i >= qdot_crossing_count(response, output, input, kind)) return NULL;
  return &response->crossings[kind][pair_number(response, output, input)][i];
}

size_t qdot_random_output_count(const qdot_response *response) {
  if (!response) return 0;
  return response->random.output_count;
}

const qdot_random_output *qdot_random_output_at(const qdot_response *response, size_t i) {
  if (!response) return NULL;
  return i < response->random.output_count ? &response->random_outputs[i] : NULL;
}

static Status print_response(Context *cx, void *object, const qdot_write_options *options,
                             Text *out) {
  const qdot_response *r = object;
  const Linearized *l = &r->linear->linearized;
  if (options->format > QDOT_FORMAT_JSON) return api_only_text_and_json(cx, "a response");
  if (options->format == QDOT_FORMAT_JSON)
    response_json(l, &r->response, &r->random, out);
  else
    response_text(l, &r->response, out), random_text(l, &r->random, out);
  return QDOT_OK;
}

qdot_status qdot_response_write(qdot_response *response, const qdot_write_options *options,
                                qdot_sink sink) {
  if (!response) return QDOT_BAD_ARGUMENT;
  return api_write(response->linear->linearized.cx, response, print_response, options, sink);
}
