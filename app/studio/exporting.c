// Everything that the command can make of a model, as files for the page to save.
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "diagnosis.h"

static const size_t MOTION_MEMORY = (size_t)256 << 20;

typedef struct Export {
  qdot_context *cx;
  Worker *worker;
  qdot_model *model;
  const Request *request;
  Answer answer;
} Export;

static int take_file(void *user, const char *name, const char *bytes, size_t n) {
  Export *e = user;
  answer_section(&e->answer, name, bytes, n);
  return e->answer.body.is_lost;
}

static void take_text(Export *e, const char *name, Bytes *text) {
  if (text->at) take_file(e, name, text->at, text->n);
  free(text->at);
}

// ---- Of the equations

static qdot_status write_latex(Export *e, qdot_system *system) {
  qdot_system_write_options options = qdot_system_write_defaults();
  Bytes text = {0};
  options.format = QDOT_FORMAT_LATEX;
  qdot_status status = qdot_system_write(system, &options, bytes_sink(&text));
  take_text(e, "equations.tex", &text);
  return status;
}

static qdot_status export_equations(Export *e) {
  qdot_system *system;
  qdot_status status = qdot_system_derive(e->model, &system);
  if (status != QDOT_OK) return status;
  if (strcmp(e->request->kind, "latex") == 0) return write_latex(e, system);
  qdot_export_options options = qdot_export_defaults();
  options.files = (qdot_file_sink){take_file, e};
  return qdot_system_export(system, e->request->kind, &options);
}

// ---- Of the motion

static void write_csv(Export *e, qdot_result *result) {
  size_t columns = qdot_result_column_count(result), rows = 0;
  Bytes text = {0};
  for (size_t i = 0; i < columns; i++)
    bytes_addf(&text, "%s%s", i ? "," : "", qdot_result_column_at(result, i));
  bytes_addf(&text, "\n");
  if (columns > 0) qdot_result_values(result, 0, &rows);
  for (size_t k = 0; k < rows; k++)
    for (size_t i = 0; i < columns; i++)
      bytes_addf(&text, "%.17g%s", qdot_result_values(result, i, &rows)[k],
                 i + 1 < columns ? "," : "\n");
  take_text(e, "results.csv", &text);
}

static qdot_status write_certificate(Export *e, qdot_result *result) {
  qdot_write_options options = qdot_write_defaults();
  Bytes text = {0};
  options.format = QDOT_FORMAT_JSON;
  qdot_status status = qdot_result_write(result, &options, bytes_sink(&text));
  take_text(e, "summary.json", &text);
  return status;
}

static qdot_status animate(Export *e, qdot_result *result, unsigned format) {
  qdot_animate_options options = qdot_animate_defaults();
  options.formats = format;
  options.labels = format == QDOT_FILE_SVG;
  options.files = (qdot_file_sink){take_file, e};
  return qdot_result_animate(result, &options);
}

static qdot_status report(Export *e, qdot_result *result) {
  qdot_report_options options = qdot_report_defaults();
  options.formats = QDOT_FILE_HTML;
  options.files = (qdot_file_sink){take_file, e};
  return qdot_result_report(result, &options);
}

static qdot_status export_motion(Export *e) {
  const char *kind = e->request->kind;
  qdot_run_options options = qdot_run_defaults();
  options.memory = MOTION_MEMORY;
  options.stop = &e->worker->stop;
  qdot_result *result;
  qdot_status status = qdot_model_simulate(e->model, &options, &result);
  if (status != QDOT_OK) return status;
  if (strcmp(kind, "csv") == 0) return write_csv(e, result), QDOT_OK;
  if (strcmp(kind, "json") == 0) return write_certificate(e, result);
  if (strcmp(kind, "svg") == 0) return animate(e, result, QDOT_FILE_SVG);
  if (strcmp(kind, "gif") == 0) return animate(e, result, QDOT_FILE_GIF);
  if (strcmp(kind, "mp4") == 0) return animate(e, result, QDOT_FILE_MP4);
  return report(e, result);
}

// ---- The whole

static bool is_among(const char *word, const char *const *words) {
  for (; *words; words++)
    if (strcmp(*words, word) == 0) return true;
  return false;
}

static qdot_status export_model(Export *e) {
  static const char *const equations[] = {"c", "octave", "python", "js", "latex", NULL};
  static const char *const motions[] = {"csv", "json", "svg", "gif", "mp4", "report", NULL};
  const Request *r = e->request;
  const char *name = *r->file ? r->file : "untitled.qdot";
  bool of_equations = is_among(r->kind, equations);
  if (!of_equations && !is_among(r->kind, motions)) return QDOT_BAD_ARGUMENT;
  qdot_status status = qdot_model_parse(e->cx, name, r->text, r->text_length, NULL, &e->model);
  if (status != QDOT_OK) return status;
  return of_equations ? export_equations(e) : export_motion(e);
}

void export_answer(void *user, Worker *worker, const Request *request) {
  Client *client = user;
  if (request->verb == VERB_mode) {
    mode_answer(client, worker, request);
    return;
  }
  Export e = {.cx = worker->cx, .worker = worker, .request = request};
  answer_open(&e.answer, "exported", request->id);
  qdot_status status = export_model(&e);
  if (status != QDOT_OK && status != QDOT_NO_PROGRAM)
    answer_text(&e.answer, "why", qdot_status_text(status));
  diagnosis_add(&e.answer, e.cx);
  outbox_put(&client->outbox, &e.answer, false);
}
