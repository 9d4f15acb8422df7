// Exporting systems as other people's source code.
#include <string.h>

#include "analyse/mobility/doctor.h"
#include "api/api_call.h"
#include "api/api_options.h"
#include "api/api_system.h"
#include "base/host/folder.h"
#include "base/words/suggest.h"
#include "derive/roads/moving.h"
#include "export/export.h"

typedef struct Exporting {
  qdot_model *model; // of which nothing is derived yet, or NULL
  qdot_system *system;
  const char *word;
  qdot_export_options options;
} Exporting;

static Status find_language(Context *cx, const char *word, ExportLanguage *out) {
  Nearest nearest = nearest_to(word);
  for (int i = 0; i < EXPORT_LANGUAGES; i++) {
    *out = (ExportLanguage)i;
    if (strcmp(word, export_word(*out)) == 0) return QDOT_OK;
    nearest_offer(&nearest, export_word(*out));
  }
  Status status = diag_error_plain(cx, QDOT_BAD_ARGUMENT, "unknown export language '%s'", word);
  diag_suggest(cx, nearest.best);
  return status;
}

static Status write_files(const Exporting *e, const ExportFiles *files) {
  Context *cx = e->system->system->cx;
  FileTarget target;
  Status status =
      file_target_open(&target, cx, e->options.folder ? e->options.folder : ".", e->options.files);
  if (status != QDOT_OK) return status;
  for (uint32_t i = 0; i < files->n && status == QDOT_OK; i++) {
    const ExportFile *file = &files->at[i];
    status = folder_write(cx, target.folder, file->name, file->text, strlen(file->text));
    if (status == QDOT_OK) file_list_add(&e->system->files, &target, file->name, NULL);
  }
  return file_target_close(&target, status);
}

static Status export_files(void *argument) {
  const Exporting *e = argument;
  System *system = e->system->system;
  Status moving = model_system(model_moving((Model *)system->model), DERIVE_BASIC, &system);
  if (moving != QDOT_OK) return moving;
  ExportOptions options = export_defaults();
  options.source = system->cx->sources.at[system->model->source].name;
  options.name = e->options.name ? e->options.name : options.source;
  ExportFiles files = {0};
  ExportLanguage language;
  Status status = find_language(system->cx, e->word, &language);
  if (status == QDOT_OK)
    status = export_system(system->cx, system, language, &options, &system->cx->keep, &files);
  if (status == QDOT_OK)
    status = doctor_warn_of_outputs(system->cx, system->model, "the exported program");
  return status == QDOT_OK ? write_files(e, &files) : status;
}

qdot_status qdot_system_export(qdot_system *system, const char *language,
                               const qdot_export_options *options) {
  if (!system) return QDOT_BAD_ARGUMENT;
  Exporting e = {.system = system, .word = language};
  if (!language || !api_options(options, &e.options, sizeof e.options)) return QDOT_BAD_ARGUMENT;
  return api_call(system->system->cx, export_files, &e);
}

// Matrices come behind the plan: the order of terms, and so rounding, is that of a run.
static Status export_model(void *argument) {
  Exporting *e = argument;
  Context *cx = e->model->cx;
  e->system = object_new(cx, sizeof *e->system);
  cx->results = &cx->keep; // the equations are the model's
  Status status = model_system(e->model, DERIVE_BASIC, &e->system->system);
  if (status == QDOT_OK) status = export_files(e);
  return status == QDOT_OK ? model_system(e->model, DERIVE_MATRICES, &e->system->system) : status;
}

qdot_status qdot_model_export(qdot_model *model, const char *language,
                              const qdot_export_options *options, qdot_system **out) {
  if (out) *out = NULL;
  if (!model || !out) return QDOT_BAD_ARGUMENT;
  Exporting e = {.model = model, .word = language};
  if (!language || !api_options(options, &e.options, sizeof e.options)) return QDOT_BAD_ARGUMENT;
  Status status = api_call(model->cx, export_model, &e);
  *out = object_of(model->cx, status, e.system);
  return status;
}

size_t qdot_system_file_count(const qdot_system *system) {
  if (!system) return 0;
  return system->files.n;
}

const qdot_file *qdot_system_file_at(const qdot_system *system, size_t i) {
  if (!system) return NULL;
  return file_list_at(&system->files, i);
}
