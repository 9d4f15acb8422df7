// Exporting systems as other people's source code.
#include <string.h>

#include "analyse/mobility/doctor.h"
#include "api/api_call.h"
#include "api/api_system.h"
#include "base/folder.h"
#include "export/export.h"

qdot_export_options qdot_export_defaults(void) { return (qdot_export_options){.folder = "."}; }

typedef struct Exporting {
  qdot_system *system;
  qdot_language language;
  const qdot_export_options *options;
  qdot_sink sink;
} Exporting;

_Static_assert((int)QDOT_C == EXPORT_C && (int)QDOT_OCTAVE == EXPORT_OCTAVE &&
                   (int)QDOT_PYTHON == EXPORT_PYTHON && (int)QDOT_JS == EXPORT_JS,
               "the public names are places in languages.def");

static ExportLanguage language_of(qdot_language language) {
  unsigned place = (unsigned)language;
  return place < EXPORT_LANGUAGES ? (ExportLanguage)place : EXPORT_C;
}

static Status write_files(const Exporting *e, const ExportFiles *files) {
  Context *cx = e->system->system->cx;
  const char *folder = e->options->folder;
  Status status = folder_make(cx, folder);
  for (uint32_t i = 0; i < files->n && status == QDOT_OK; i++) {
    const ExportFile *file = &files->at[i];
    status = folder_write(cx, folder, file->name, file->text, strlen(file->text));
    const char *line =
        text_format(&cx->scratch, "%s\n", folder_path(&cx->scratch, folder, file->name));
    if (status == QDOT_OK && e->sink.write && e->sink.write(e->sink.user, line, strlen(line)) != 0)
      status = QDOT_IO;
  }
  return status;
}

static Status export_files(void *argument) {
  const Exporting *e = argument;
  System *system = e->system->system;
  ExportOptions options = export_defaults();
  options.name = e->options->name;
  options.source = system->cx->sources.at[system->model->source].name;
  ExportFiles files = {0};
  Status status = export_system(system->cx, system, language_of(e->language), &options,
                                &system->cx->keep, &files);
  if (status == QDOT_OK)
    status = doctor_warn_of_outputs(system->cx, system->model, "the exported program");
  return status == QDOT_OK ? write_files(e, &files) : status;
}

qdot_status qdot_system_export(qdot_system *system, qdot_language language,
                               const qdot_export_options *options, qdot_sink sink) {
  qdot_export_options defaults = qdot_export_defaults();
  Exporting e = {system, language, options ? options : &defaults, sink};
  return api_call(system->system->cx, export_files, &e);
}
