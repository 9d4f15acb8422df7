// Files that a call makes: into a folder, or to a sink of the caller.
#ifndef QDOT_API_FILES_H
#define QDOT_API_FILES_H

#include "base/context.h"
#include "qdot/qdot.h"

typedef VEC(qdot_file) FileList;

typedef struct FileTarget {
  Context *cx;
  const char *folder;  // where they are made
  qdot_file_sink sink; // who takes them from there, unless its write is NULL
  Handle handle;       // removes what a sink would have taken
} FileTarget;

// Makes the folder, or one for the moment if there is a sink. A folder of NULL without a sink is
// QDOT_BAD_ARGUMENT.
Status file_target_open(FileTarget *target, Context *cx, const char *folder, qdot_file_sink sink);
// Hands the files to the sink, in the order of their names, unless the call has failed; what the
// call made although a program was missing is handed over too. Returns so_far or a failure.
Status file_target_close(FileTarget *target, Status so_far);

// Lists a file of the target; one that was made again stays where it was. Texts are copied.
void file_list_add(FileList *list, const FileTarget *target, const char *name,
                   const char *description);
const qdot_file *file_list_at(const FileList *list, size_t i);

#endif
