// What an export is asked for, and the files it gives.
#ifndef QDOT_EXPORT_FILES_H
#define QDOT_EXPORT_FILES_H

#include "derive/system.h"

typedef struct ExportOptions {
  const char *name;     // of the files; NULL: from the model's title
  const char *source;   // what the files cite: "crank.qdot"; NULL: the title
  const double *q, *qd; // consistent initial values; NULL: as the model states them
  double end, every;    // seconds; 0: from the model's simulate line, else 10 and 0.01
  double rtol, atol;    // 0: 1e-9, and that of the least size of coordinates
} ExportOptions;
ExportOptions export_defaults(void);

typedef struct ExportFile {
  const char *name, *text;
} ExportFile;
typedef VEC(ExportFile) ExportFiles;

#endif
