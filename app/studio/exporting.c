// Everything that the command can make of a model, as files for the page to save.
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "diagnosis.h"
#include "exporting.h"

static const size_t MOTION_MEMORY = (size_t)256 << 20;

// One thing that can be made, of the model, its equations or its motion.
struct ExportForm {
  const char *kind;
  qdot_status (*of_model)(Export *e);
  qdot_status (*of_system)(Export *e, qdot_system *system);
  qdot_status (*of_result)(Export *e, qdot_result *result);
  unsigned format;   // of pictures and reports
  bool has_all;      // every kind of plot
  bool is_in_folder; // the run writes the file, to a folder
};

int export_take_file(void *user, const char *name, const char *bytes, size_t n) {
  Export *e = user;
  answer_section(&e->answer, name, bytes, n);
  return e->answer.body.is_lost;
}

void export_take_text(Export *e, const char *name, Bytes *text) {
  if (text->at) export_take_file(e, name, text->at, text->n);
  free(text->at);
}

// ---- Of the equations

static qdot_status write_equations(Export *e, qdot_system *system, qdot_format format,
                                   const char *name) {
  qdot_system_write_options options = qdot_system_write_defaults();
  Bytes text = {0};
  options.format = format;
  qdot_status status = qdot_system_write(system, &options, bytes_sink(&text));
  export_take_text(e, name, &text);
  return status;
}

static qdot_status write_latex(Export *e, qdot_system *system) {
  return write_equations(e, system, QDOT_FORMAT_LATEX, "equations.tex");
}

static qdot_status write_derivation(Export *e, qdot_system *system) {
  qdot_status status = write_equations(e, system, QDOT_FORMAT_TEXT, "equations.txt");
  return status == QDOT_OK ? write_equations(e, system, QDOT_FORMAT_JSON, "equations.json")
                           : status;
}

static qdot_status write_program(Export *e) {
  qdot_system *system;
  qdot_export_options options = qdot_export_defaults();
  options.files = (qdot_file_sink){export_take_file, e};
  return qdot_model_export(e->model, e->request->kind, &options, &system);
}

// ---- Of the motion

static qdot_status write_certificate(Export *e, qdot_result *result) {
  qdot_write_options options = qdot_write_defaults();
  Bytes text = {0};
  options.format = QDOT_FORMAT_JSON;
  qdot_status status = qdot_result_write(result, &options, bytes_sink(&text));
  export_take_text(e, "summary.json", &text);
  return status;
}

static qdot_status write_picture(Export *e, qdot_result *result) {
  qdot_animate_options options = qdot_animate_defaults();
  options.formats = e->form->format;
  options.labels = !(e->form->format & (QDOT_FILE_GIF | QDOT_FILE_MP4));
  options.files = (qdot_file_sink){export_take_file, e};
  return qdot_result_animate(result, &options);
}

static qdot_status write_plots(Export *e, qdot_result *result) {
  qdot_plot_options options = qdot_plot_defaults();
  options.formats = e->form->format;
  options.everything = e->form->has_all;
  options.files = (qdot_file_sink){export_take_file, e};
  return qdot_result_plot(result, &options);
}

static qdot_status write_report(Export *e, qdot_result *result) {
  qdot_report_options options = qdot_report_defaults();
  options.formats = e->form->format;
  options.files = (qdot_file_sink){export_take_file, e};
  return qdot_result_report(result, &options);
}

// What the run has written.
static qdot_status take_csv(Export *e, qdot_result *result) {
  (void)result;
  return export_take_written(e, "results.csv") ? QDOT_OK : QDOT_IO;
}

static qdot_status take_mat(Export *e, qdot_result *result) {
  (void)result;
  return export_take_written(e, "results.mat") ? QDOT_OK : QDOT_IO;
}

// ---- The table

static const ExportForm forms[] = {
    {.kind = "c", .of_model = write_program},
    {.kind = "octave", .of_model = write_program},
    {.kind = "python", .of_model = write_program},
    {.kind = "js", .of_model = write_program},
    {.kind = "latex", .of_system = write_latex},
    {.kind = "equations", .of_system = write_derivation},
    {.kind = "csv", .of_result = take_csv, .is_in_folder = true},
    {.kind = "json", .of_result = write_certificate},
    {.kind = "mat", .of_result = take_mat, .is_in_folder = true},
    {.kind = "svg", .of_result = write_picture, .format = QDOT_FILE_SVG},
    {.kind = "png", .of_result = write_picture, .format = QDOT_FILE_PNG},
    {.kind = "gif", .of_result = write_picture, .format = QDOT_FILE_GIF},
    {.kind = "mp4", .of_result = write_picture, .format = QDOT_FILE_MP4},
    {.kind = "picture-pdf", .of_result = write_picture, .format = QDOT_FILE_PDF},
    {.kind = "plots", .of_result = write_plots, .format = QDOT_FILE_SVG},
    {.kind = "plots-png", .of_result = write_plots, .format = QDOT_FILE_PNG},
    {.kind = "plots-pdf", .of_result = write_plots, .format = QDOT_FILE_PDF},
    {.kind = "plots-all", .of_result = write_plots, .format = QDOT_FILE_SVG, .has_all = true},
    {.kind = "report", .of_result = write_report, .format = QDOT_FILE_HTML},
    {.kind = "tex", .of_result = write_report, .format = QDOT_FILE_TEX},
    {.kind = "pdf", .of_result = write_report, .format = QDOT_FILE_PDF},
};

static const ExportForm *form_named(const char *kind) {
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (strcmp(forms[i].kind, kind) == 0) return &forms[i];
  return NULL;
}

// ---- The whole

static qdot_status export_system(Export *e) {
  qdot_system *system;
  qdot_status status = qdot_system_derive(e->model, &system);
  return status == QDOT_OK ? e->form->of_system(e, system) : status;
}

qdot_run_options export_run_options(const Export *e) {
  qdot_run_options options = qdot_run_defaults();
  options.memory = MOTION_MEMORY;
  options.stop = &e->worker->stop;
  options.folder = e->folder;
  options.mat = e->form && e->form->of_result == take_mat;
  return options;
}

static qdot_status export_motion(Export *e) {
  qdot_run_options options = export_run_options(e);
  qdot_result *result;
  qdot_status status = qdot_model_simulate(e->model, &options, &result);
  return status == QDOT_OK ? e->form->of_result(e, result) : status;
}

static qdot_status export_model(Export *e) {
  const Request *r = e->request;
  const char *name = *r->file ? r->file : "untitled.qdot";
  e->form = form_named(r->kind);
  qdot_status status = qdot_model_parse(e->cx, name, r->text, r->text_length, NULL, &e->model);
  if (status != QDOT_OK) return status;
  if (!e->form) return export_answer_of(e);
  if (e->form->is_in_folder) return export_in_folder(e, export_motion);
  if (e->form->of_model) return e->form->of_model(e);
  return e->form->of_system ? export_system(e) : export_motion(e);
}

void export_answer(void *user, Worker *worker, const Request *request) {
  Client *client = user;
  if (request->verb == VERB_mode) {
    mode_answer(client, worker, request);
    return;
  }
  if (request->verb == VERB_run) {
    run_answer(client, worker, request);
    return;
  }
  Export e = {.cx = worker->cx, .worker = worker, .request = request};
  answer_open(&e.answer, "exported", request->id);
  qdot_status status = export_model(&e);
  if (status != QDOT_OK && status != QDOT_NO_PROGRAM)
    answer_text(&e.answer, "why", e.why ? e.why : qdot_status_text(status));
  diagnosis_add(&e.answer, e.cx, *request->file ? request->file : "untitled.qdot");
  outbox_put(&client->outbox, &e.answer, false);
}
