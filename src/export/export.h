// System -> source files of another language.
#ifndef QDOT_EXPORT_EXPORT_H
#define QDOT_EXPORT_EXPORT_H

#include "export/files.h"

typedef enum ExportLanguage {
#define LANGUAGE(id, word, dialect, write) EXPORT_##id,
#include "export/languages.def"
#undef LANGUAGE
  EXPORT_LANGUAGES
} ExportLanguage;

// Its word on the command line.
const char *export_word(ExportLanguage language);

// The files, in the arena, which is not scratch. Mistakes of the model are diagnosed.
Status export_system(Context *cx, System *system, ExportLanguage language,
                     const ExportOptions *options, Arena *arena, ExportFiles *out);

#endif
