// The files that a sweep leaves in its folder: its table, what that is, and its picture.
#ifndef QDOT_API_ASK_SWEEP_FILES_H
#define QDOT_API_ASK_SWEEP_FILES_H

#include "api/api_files.h"
#include "ask/sweep_table.h"
#include "print/ask/sweep_text.h"

typedef struct SweepFiles {
  const Sweep *sweep;
  const SweepStore *stores;
  uint32_t count; // of stores
  const char *folder;
  qdot_table table;
  SweepStory *story;
  FileList *list;
} SweepFiles;

// What AUTO stands for. An HDF5 file that is asked for where the library is missing is refused with
// QDOT_NO_PROGRAM; a large table that may be of either kind is CSV then, with a warning.
Status sweep_choose_table(const Sweep *sweep, qdot_table asked, qdot_table *out);
// How many bytes it will take, about.
double sweep_table_bytes(const Sweep *sweep, qdot_table table);
// Of all blocks of the stores.
Status sweep_write_files(const SweepFiles *files);

#endif
