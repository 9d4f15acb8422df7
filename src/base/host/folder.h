// Files of a folder, each replaced as a whole: written beside and renamed.
#ifndef QDOT_BASE_HOST_FOLDER_H
#define QDOT_BASE_HOST_FOLDER_H

#include "base/context.h"

// Makes the folder and those above it where they are missing. Fails with QDOT_IO.
Status folder_make(Context *cx, const char *folder);
// folder/name in the arena; name alone when the folder is "" or ".".
const char *folder_path(Arena *arena, const char *folder, const char *name);
// Replaces the file by these bytes; on failure (QDOT_IO) the old one stays.
Status folder_write(Context *cx, const char *folder, const char *name, const void *bytes, size_t n);
// The whole file, followed by a zero byte, in the arena. Fails with QDOT_IO.
Status folder_read(Context *cx, Arena *into, const char *folder, const char *name,
                   const char **bytes, size_t *n);
// Replaces the file `to` by a copy of `from`, whatever its size. Fails with QDOT_IO.
Status folder_copy(Context *cx, const char *folder, const char *from, const char *to);
// Removes the files whose name the answer is true for; what cannot be removed stays.
void folder_clear(Context *cx, const char *folder, bool (*is_old)(const char *name, void *user),
                  void *user);

// A file that somebody else writes under the name of part->path, NAME.part: it replaces the file
// when all went well, and is removed otherwise, also when the guard trips.
typedef struct Part {
  const char *path, *final; // in the keep arena
  Handle handle;
} Part;
void part_open(Context *cx, const char *folder, const char *name, Part *out);
// Ends the innermost part. Returns so_far, or QDOT_IO when the file cannot be replaced.
Status part_end(Context *cx, Part *part, Status so_far);

#endif
