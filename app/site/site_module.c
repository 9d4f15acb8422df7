// The module's calls: check, derive, run, report, export. Each is answered by one message,
// "module", with diagnostics and sections: files, or numbers, column after column.
#include "site_module.h"

#include <emscripten.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "diagnosis.h"

enum { MOST_SETTINGS = 1000 };
static const size_t MOTION_MEMORY = (size_t)256 << 20;
static const char OWN[] = "model.qdot";

// What is asked for, and with what.
typedef struct Module {
  const char *text, *language;
  char *settings; // NAME=VALUE, one a line
  double to, every;
  qdot_context *cx;
  qdot_model *model;
  Answer answer;
} Module;

static int take_file(void *user, const char *name, const char *bytes, size_t n) {
  Module *m = user;
  answer_section(&m->answer, name, bytes, n);
  return m->answer.body.is_lost;
}

static void add_text(Module *m, const char *name, Bytes *text) {
  if (text->at) take_file(m, name, text->at, text->n);
  free(text->at);
}

static void add_diagnostics(Module *m) {
  answer_begin(&m->answer, "diagnostics", '[');
  for (size_t i = 0; i < qdot_diagnostic_count(m->cx); i++) {
    const qdot_diagnostic *d = qdot_diagnostic_at(m->cx, i);
    answer_begin(&m->answer, NULL, '{');
    answer_number(&m->answer, "line", d->line);
    answer_number(&m->answer, "column", d->column);
    answer_text(&m->answer, "severity", d->severity == QDOT_SEVERITY_ERROR ? "error" : "warning");
    answer_text(&m->answer, "message", d->text);
    answer_text(&m->answer, "label", d->label);
    answer_text(&m->answer, "cure", d->suggestion ? d->suggestion : d->note);
    if (d->file && strcmp(d->file, OWN) != 0) answer_text(&m->answer, "file", d->file);
    answer_end(&m->answer, '}');
  }
  answer_end(&m->answer, ']');
}

// ---- What is asked for

static qdot_status derive(Module *m) {
  qdot_system *system;
  qdot_system_write_options options = qdot_system_write_defaults();
  Bytes text = {0};
  options.format = QDOT_FORMAT_JSON;
  qdot_status status = qdot_system_derive(m->model, &system);
  if (status == QDOT_OK) status = qdot_system_write(system, &options, bytes_sink(&text));
  add_text(m, "json", &text);
  return status;
}

static qdot_status simulate(Module *m, qdot_result **out) {
  qdot_run_options options = qdot_run_defaults();
  options.memory = MOTION_MEMORY;
  options.t_end = m->to;
  options.every = m->every;
  return qdot_model_simulate(m->model, &options, out);
}

static qdot_status run(Module *m) {
  qdot_result *result;
  Bytes summary = {0};
  qdot_write_options options = qdot_write_defaults();
  qdot_status status = simulate(m, &result);
  if (status != QDOT_OK) return status;
  options.format = QDOT_FORMAT_JSON;
  status = qdot_result_write(result, &options, bytes_sink(&summary));
  answer_begin(&m->answer, "columns", '[');
  for (size_t i = 0; i < qdot_result_column_count(result); i++)
    answer_text(&m->answer, NULL, qdot_result_column_at(result, i));
  answer_end(&m->answer, ']');
  Bytes numbers = {0};
  for (size_t i = 0; i < qdot_result_column_count(result); i++) {
    size_t rows;
    const double *values = qdot_result_values(result, i, &rows);
    if (values) bytes_add(&numbers, values, rows * sizeof *values);
  }
  add_text(m, "numbers", &numbers);
  add_text(m, "summary", &summary);
  return status;
}

static qdot_status report(Module *m) {
  qdot_result *result;
  qdot_report_options options = qdot_report_defaults();
  options.files = (qdot_file_sink){take_file, m};
  options.formats = QDOT_FILE_HTML;
  if (*m->language) options.language = m->language;
  qdot_status status = simulate(m, &result);
  return status == QDOT_OK ? qdot_result_report(result, &options) : status;
}

static qdot_status write_program(Module *m) {
  qdot_system *system;
  qdot_export_options options = qdot_export_defaults();
  options.files = (qdot_file_sink){take_file, m};
  return qdot_model_export(m->model, m->language, &options, &system);
}

static qdot_status check(Module *m) {
  (void)m;
  return QDOT_OK;
}

// ---- The call

static qdot_status parse(Module *m) {
  const char *settings[MOST_SETTINGS];
  qdot_model_options options = qdot_model_defaults();
  char *rest = m->settings;
  for (char *line; options.setting_count < MOST_SETTINGS && (line = strsep(&rest, "\n"));)
    if (*line) settings[options.setting_count++] = line;
  options.settings = settings;
  return qdot_model_parse(m->cx, OWN, m->text, strlen(m->text), &options, &m->model);
}

static void answer_module(Module *m, const char *what) {
  static const struct {
    const char *what;
    qdot_status (*make)(Module *m);
  } ways[] = {{"check", check},
              {"derive", derive},
              {"run", run},
              {"report", report},
              {"export", write_program}};
  qdot_status status = parse(m);
  for (size_t i = 0; status == QDOT_OK && i < sizeof ways / sizeof *ways; i++)
    if (strcmp(what, ways[i].what) == 0) status = ways[i].make(m);
  answer_flag(&m->answer, "good", status == QDOT_OK);
  add_diagnostics(m);
}

EMSCRIPTEN_KEEPALIVE void site_module(const char *what, const char *text, char *settings, double to,
                                      double every, const char *language) {
  Module m = {.text = text, .settings = settings, .to = to, .every = every, .language = language};
  m.cx = site_context();
  answer_open(&m.answer, "module", 0);
  if (m.cx) answer_module(&m, what);
  outbox_put(NULL, &m.answer, false);
  qdot_context_close(m.cx);
}
