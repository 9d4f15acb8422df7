// What the studio can make of a model, as files for the page to save.
// Sources: export_answers.c, exporting.c
#ifndef STUDIO_EXPORTING_H
#define STUDIO_EXPORTING_H

#include "answer.h"
#include "worker.h"

typedef struct ExportForm ExportForm;

typedef struct Export {
  const ExportForm *form;
  qdot_context *cx;
  Worker *worker;
  qdot_model *model;
  const Request *request;
  const char *folder; // for what the library writes only there; its files are taken then
  const char *why;    // it failed, where its status does not say enough
  Answer answer;
} Export;

// A file for the page; 0 if there was memory for it. For a qdot_file_sink whose user is the Export.
int export_take_file(void *user, const char *name, const char *bytes, size_t n);
// The same; frees the text.
void export_take_text(Export *e, const char *name, Bytes *text);

// A folder for the moment, in which the body makes what is exported.
qdot_status export_in_folder(Export *e, qdot_status (*body)(Export *e));
// A file of that folder; false where there is none.
bool export_take_written(Export *e, const char *name);

// Runs with what the studio allows, into the export's folder.
qdot_run_options export_run_options(const Export *e);

// Answers to read: NAME.txt, NAME.json, and the pictures and tables that come with them.
// QDOT_BAD_ARGUMENT where there is no such kind.
qdot_status export_answer_of(Export *e);

#endif
