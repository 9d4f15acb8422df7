// Chooses the language.
#include "export/export.h"

#include "export/c.h"
#include "export/octave.h"
#include "export/python.h"

static const struct {
  Dialect dialect;
  void (*write)(const Content *content, Arena *arena, ExportFiles *out);
} languages[] = {
    [EXPORT_C] = {DIALECT_C, export_c},
    [EXPORT_OCTAVE] = {DIALECT_OCTAVE, export_octave},
    [EXPORT_PYTHON] = {DIALECT_PYTHON, export_python},
};

Status export_system(Context *cx, System *system, ExportLanguage language,
                     const ExportOptions *options, Arena *arena, ExportFiles *out) {
  ExportOptions defaults = export_defaults();
  Content content;
  Status status = content_open(&content, cx, system, options ? options : &defaults,
                               languages[language].dialect, arena);
  if (status != QDOT_OK) return status;
  languages[language].write(&content, arena, out);
  content_close(&content);
  return QDOT_OK;
}
