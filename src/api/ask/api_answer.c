// Answers to what a line of the model asks.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api_call.h"
#include "api/api_object.h"
#include "api/api_options.h"
#include "api/api_write.h"
#include "api/ask/crew.h"
#include "ask/find.h"
#include "ask/fit.h"
#include "ask/orbit.h"
#include "ask/sensitivity.h"
#include "base/host/folder.h"
#include "chart/ask/search_chart.h"
#include "chart/ask/sensitivity_chart.h"
#include "chart/plot.h"
#include "lang/rewrite.h"
#include "print/ask/find_text.h"
#include "print/ask/fit_text.h"
#include "print/ask/orbit_text.h"
#include "print/ask/sensitivity_text.h"
#include "result/answer_store.h"

struct qdot_answer {
  Object object;
  Context *cx;
  const struct Question *question;
  const Model *model; // as it was read
  bool is_stopped, is_found;
  VEC(qdot_file) files;
  Sensitivity sensitivity;
  Fit fit;
  Find find;
  Orbit orbit;
};

typedef struct Asking {
  Model *model;
  const char *name;
  const qdot_question_options *o;
  const qdot_run_options *run;
  CrewMember own;
  qdot_answer *out;
} Asking;

// ---- The questions

typedef struct Question {
  const char *name, *usage;
  bool (*is_asked)(const Model *model);
  Status (*ask)(Asking *asking);
  Status (*draw)(Asking *asking); // into the folder
  void (*text)(const qdot_answer *answer, Text *out);
  void (*json)(const qdot_answer *answer, Text *out);
  // Value i that was found, for the model to be written anew; false beyond the last.
  bool (*value)(const qdot_answer *answer, uint32_t i, NewValue *out);
  void (*tell_unwritten)(const qdot_answer *answer); // of what has no place in the model, or NULL
} Question;

static void list_file(Asking *a, const char *name) {
  Context *cx = a->model->cx;
  qdot_file file = {.path = folder_path(cx->results, a->run->folder, name)};
  vec_push(cx->results, &a->out->files, file);
}

static Status draw_charts(Asking *a, const Chart *charts, uint32_t n) {
  Context *cx = a->model->cx;
  PlotOptions options = plot_defaults();
  options.folder = a->run->folder;
  options.formats = PICTURE_SVG | PICTURE_PDF; // for pages and for paper
  Status status = plot_charts(cx, charts, n, &options);
  if (status == QDOT_NO_PROGRAM) return QDOT_OK; // welcome, but not needed
  for (uint32_t i = 0; status == QDOT_OK && i < n; i++)
    list_file(a, text_format(&cx->scratch, "%s.svg", charts[i].name));
  return status;
}

static bool asks_sensitivity(const Model *model) { return model->requests.sensitivity.is_given; }

// One run: how much of it is done.
static void show_part(void *user, double t, double t_end, long steps) {
  (void)steps;
  const Asking *a = user;
  a->o->progress(a->o->progress_user, 0, t / t_end);
}

static Status ask_sensitivity(Asking *a) {
  a->own.options.progress = a->o->progress ? show_part : NULL;
  a->own.options.progress_user = a;
  Status status = sensitivity_find(&a->out->sensitivity, a->model->cx, a->own.system,
                                   &a->own.system->model->requests.sensitivity, &a->own.options,
                                   a->run->folder != NULL);
  a->out->is_stopped = a->out->sensitivity.is_stopped;
  a->out->is_found = status == QDOT_OK && !a->out->is_stopped;
  return status;
}

static Status draw_sensitivity(Asking *a) {
  Context *cx = a->model->cx;
  const Sensitivity *s = &a->out->sensitivity;
  Chart chart = sensitivity_chart(s);
  Status status = chart.panels.n > 0 ? draw_charts(a, &chart, 1) : QDOT_OK;
  if (status != QDOT_OK || s->rows == 0) return status;
  Text table = text_new(&cx->scratch);
  sensitivity_csv(s, &table);
  list_file(a, "sensitivity.csv");
  return folder_write(cx, a->run->folder, "sensitivity.csv", table.at, table.n);
}

static void text_of_sensitivity(const qdot_answer *a, Text *out) {
  sensitivity_text(&a->sensitivity, out);
}
static void json_of_sensitivity(const qdot_answer *a, Text *out) {
  sensitivity_json(&a->sensitivity, out);
}

static bool asks_fit(const Model *model) { return model->requests.fit.is_given; }

static Status ask_fit(Asking *a) {
  Fit *fit = &a->out->fit;
  Status status = fit_find(fit, a->model->cx, a->own.system, &a->own.system->model->requests.fit,
                           &a->own.options, a->o->progress, a->o->progress_user);
  a->out->is_found = status == QDOT_OK && fit->converged;
  a->out->is_stopped = fit->is_stopped;
  return status;
}

static Status draw_fit(Asking *a) {
  const Fit *fit = &a->out->fit;
  Chart *charts = arena_array(&a->model->cx->scratch, Chart, fit->curves.n);
  for (uint32_t i = 0; i < fit->curves.n; i++) charts[i] = fit_chart(fit, i);
  return draw_charts(a, charts, fit->curves.n);
}

static void text_of_fit(const qdot_answer *a, Text *out) { fit_text(&a->fit, out); }
static void json_of_fit(const qdot_answer *a, Text *out) { fit_json(&a->fit, out); }

// Those of single files have no place in the model.
static bool value_of_fit(const qdot_answer *a, uint32_t i, NewValue *out) {
  for (uint32_t j = 0; j < a->fit.count; j++) {
    if (a->fit.results[j].file != FIT_ALL_FILES || i-- > 0) continue;
    *out = (NewValue){&fit_sought(&a->fit, j)->by.varied, a->fit.results[j].value};
    return true;
  }
  return false;
}

static void tell_unwritten_of_fit(const qdot_answer *a) {
  const FitRequest *request = a->fit.request;
  for (uint32_t i = 0; request->files.n > 1 && i < request->unknowns.n; i++)
    if (request->unknowns.at[i].is_each)
      diag_warning(a->cx, request->unknowns.at[i].by.varied.span,
                   "'%s' has a value of its own in every file: the model keeps the one it has",
                   varied_text(a->cx, &request->unknowns.at[i].by.varied));
}

static bool asks_find(const Model *model) { return model->requests.find.is_given; }

static Status ask_find(Asking *a) {
  Find *find = &a->out->find;
  Status status =
      find_values(find, a->model->cx, a->own.system, &a->own.system->model->requests.find,
                  &a->own.options, a->o->progress, a->o->progress_user);
  a->out->is_found = status == QDOT_OK && find->is_found;
  a->out->is_stopped = find->is_stopped;
  return status;
}

static Status draw_find(Asking *a) {
  Chart chart = find_chart(&a->out->find);
  return chart.panels.n > 0 ? draw_charts(a, &chart, 1) : QDOT_OK;
}

static void text_of_find(const qdot_answer *a, Text *out) { find_text(&a->find, out); }
static void json_of_find(const qdot_answer *a, Text *out) { find_json(&a->find, out); }

static bool value_of_find(const qdot_answer *a, uint32_t i, NewValue *out) {
  if (i >= a->find.count) return false;
  *out = (NewValue){&a->find.request->unknowns.at[i].by.varied, a->find.best.x[i]};
  return true;
}

static bool asks_orbit(const Model *model) { return model->requests.orbit.is_given; }

static Status ask_orbit(Asking *a) {
  Orbit *orbit = &a->out->orbit;
  Status status =
      orbit_find(orbit, a->model->cx, a->own.system, &a->own.system->model->requests.orbit,
                 &a->own.options, a->o->progress, a->o->progress_user);
  a->out->is_found = status == QDOT_OK && orbit->is_found;
  a->out->is_stopped = orbit->is_stopped;
  return status;
}

static Status draw_nothing(Asking *a) {
  (void)a;
  return QDOT_OK;
}

static void text_of_orbit(const qdot_answer *a, Text *out) { orbit_text(&a->orbit, out); }
static void json_of_orbit(const qdot_answer *a, Text *out) { orbit_json(&a->orbit, out); }

static const Question questions[] = {
    {"orbit", "orbit theta ~ 0.2, theta' ~ -1 [rad/s]", asks_orbit, ask_orbit, draw_nothing,
     text_of_orbit, json_of_orbit, NULL, NULL},
    {"fit", "fit k, c in 0..10 [N*s/m] to \"swing.csv\": t = time [s], theta = angle [deg]",
     asks_fit, ask_fit, draw_fit, text_of_fit, json_of_fit, value_of_fit, tell_unwritten_of_fit},
    {"find", "find r in 20..60 [mm]: minimize peak, stroke = 120 [mm]", asks_find, ask_find,
     draw_find, text_of_find, json_of_find, value_of_find, NULL},
    {"sensitivity", "sensitivity peak, stroke to r, l, theta(0)", asks_sensitivity, ask_sensitivity,
     draw_sensitivity, text_of_sensitivity, json_of_sensitivity, NULL, NULL}};

// ---- Asking

static const Question *question_named(const char *name) {
  for (size_t i = 0; name && i < sizeof questions / sizeof *questions; i++)
    if (strcmp(questions[i].name, name) == 0) return &questions[i];
  return NULL;
}

static Status ask(void *argument) {
  Asking *a = argument;
  Context *cx = a->model->cx;
  const Question *question = question_named(a->name);
  if (!question->is_asked(a->model)) {
    Status status =
        diag_error_plain(cx, QDOT_BAD_MODEL, "the model has no %s line", question->name);
    diag_note(cx, "it would read '%s'", question->usage);
    return status;
  }
  Status status = crew_member_open(a->model, a->run, &a->own);
  if (status != QDOT_OK) return status;
  a->out = object_new(cx, sizeof *a->out);
  a->out->cx = cx, a->out->question = question, a->out->model = a->model;
  status = question->ask(a);
  if (status == QDOT_STOPPED && !a->o->only_whole)
    return diag_error_plain(cx, status, "stopped before the first result");
  if (status != QDOT_OK || !a->run->folder) return status;
  if (a->out->is_stopped && a->o->only_whole) return QDOT_OK;
  status = folder_make(cx, a->run->folder);
  if (status != QDOT_OK) return status;
  Text json = text_new(&cx->scratch);
  question->json(a->out, &json);
  status = answer_store(cx, a->model, a->run->folder, question->name, &json);
  // whoever stops does not wait for pictures
  return status == QDOT_OK && !a->out->is_stopped ? question->draw(a) : status;
}

qdot_status qdot_model_ask(qdot_model *model, const char *question,
                           const qdot_question_options *options, qdot_answer **out) {
  if (out) *out = NULL;
  if (!model || !out) return QDOT_BAD_ARGUMENT;
  qdot_question_options own;
  qdot_run_options run;
  if (!question_named(question) || !api_options(options, &own, sizeof own) ||
      !api_options(own.run, &run, sizeof run))
    return QDOT_BAD_ARGUMENT;
  Asking asking = {.model = model, .name = question, .o = &own, .run = &run};
  Status status = api_call(model->cx, ask, &asking);
  *out = object_of(model->cx, status, asking.out);
  return status;
}

void qdot_answer_close(qdot_answer *answer) { object_close(answer); }

// ---- Reading

int qdot_answer_is_stopped(const qdot_answer *answer) {
  if (!answer) return 0;
  return answer->is_stopped;
}

int qdot_answer_is_found(const qdot_answer *answer) {
  if (!answer) return 0;
  return answer->is_found;
}

size_t qdot_answer_file_count(const qdot_answer *answer) {
  if (!answer) return 0;
  return answer->files.n;
}

const qdot_file *qdot_answer_file_at(const qdot_answer *answer, size_t i) {
  if (!answer) return NULL;
  return i < answer->files.n ? &answer->files.at[i] : NULL;
}

static Status print_answer(Context *cx, void *object, const qdot_write_options *options,
                           Text *out) {
  const qdot_answer *answer = object;
  switch (options->format) {
  case QDOT_FORMAT_JSON: answer->question->json(answer, out); return QDOT_OK;
  case QDOT_FORMAT_TEXT: answer->question->text(answer, out); return QDOT_OK;
  default: return api_only_text_and_json(cx, "an answer");
  }
}

qdot_status qdot_answer_write(qdot_answer *answer, const qdot_write_options *options,
                              qdot_sink sink) {
  if (!answer) return QDOT_BAD_ARGUMENT;
  return api_write(answer->cx, answer, print_answer, options, sink);
}

static Status print_model(Context *cx, void *object, const qdot_write_options *options, Text *out) {
  (void)options;
  const qdot_answer *answer = object;
  const Question *question = answer->question;
  VEC(NewValue) values = {0};
  NewValue value;
  for (uint32_t i = 0; question->value(answer, i, &value); i++)
    vec_push(&cx->scratch, &values, value);
  if (question->tell_unwritten) question->tell_unwritten(answer);
  return model_rewrite(cx, answer->model, values.at, values.n, out);
}

qdot_status qdot_answer_rewrite(qdot_answer *answer, qdot_sink sink) {
  if (!answer) return QDOT_BAD_ARGUMENT;
  if (!answer->question->value) return QDOT_BAD_ARGUMENT;
  return api_write(answer->cx, answer, print_model, NULL, sink);
}

typedef struct Looking {
  qdot_answer *answer;
  const char *path;
  double found;
} Looking;

static Status look(void *argument) {
  Looking *l = argument;
  Context *cx = l->answer->cx;
  Text text = text_new(&cx->scratch);
  l->answer->question->json(l->answer, &text);
  Json json;
  Status status = json_read(cx, "answer", text.at, text.n, &json);
  if (status != QDOT_OK) return status;
  const JsonValue *at = json.root;
  for (const char *key = l->path; at && *key;) {
    size_t n = strcspn(key, "/");
    const char *word = arena_copy(&cx->scratch, key, n);
    char *end;
    unsigned long number = strtoul(word, &end, 10);
    at = n > 0 && !*end ? json_at(at, number) : json_get(at, word);
    key += n + (key[n] == '/');
  }
  l->found = at ? json_number(at) : NAN;
  json_close(&json);
  return QDOT_OK;
}

double qdot_answer_number(qdot_answer *answer, const char *path) {
  if (!answer) return NAN;
  Looking looking = {answer, path ? path : "", NAN};
  api_call(answer->cx, look, &looking);
  return looking.found;
}
