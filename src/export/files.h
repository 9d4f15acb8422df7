// What an export is asked for, and the files it gives.
#ifndef QDOT_EXPORT_FILES_H
#define QDOT_EXPORT_FILES_H

#include "derive/system.h"
#include "engine/run_options.h"

typedef struct ExportOptions {
  const char *name;      // of the files, maybe with a path and an ending; NULL: the title
  const char *source;    // what the files cite: "crank.qdot"; NULL: the title
  const double *q, *qd;  // consistent initial values; NULL: as the model states them
  double end, every;     // seconds; 0: from the model's simulate line, else 10 and 0.01
  double rtol, atol;     // 0: 1e-9, and that of the least size of coordinates
  const SimOptions *run; // of the plan in C, instead of end .. atol; NULL: as the model says
} ExportOptions;
ExportOptions export_defaults(void);

typedef struct ExportFile {
  const char *name, *text;
} ExportFile;
typedef VEC(ExportFile) ExportFiles;

#endif
