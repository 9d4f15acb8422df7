// Chooses the language.
#include "export/export.h"

#include "export/content.h"

#define LANGUAGE(id, word, dialect, write)                                                         \
  void write(const ExportContent *content, Arena *arena, ExportFiles *out);
#include "export/languages.def"
#undef LANGUAGE

static const struct {
  const char *word;
  Dialect dialect;
  void (*write)(const ExportContent *content, Arena *arena, ExportFiles *out);
} languages[] = {
#define LANGUAGE(id, word, dialect, write) [EXPORT_##id] = {word, dialect, write},
#include "export/languages.def"
#undef LANGUAGE
};

const char *export_word(ExportLanguage language) { return languages[language].word; }

Status export_system(Context *cx, System *system, ExportLanguage language,
                     const ExportOptions *options, Arena *arena, ExportFiles *out) {
  ExportOptions defaults = export_defaults();
  ExportContent content;
  Status status = content_open(&content, cx, system, options ? options : &defaults,
                               languages[language].dialect, arena);
  if (status != QDOT_OK) return status;
  languages[language].write(&content, arena, out);
  content_close(&content);
  return QDOT_OK;
}
