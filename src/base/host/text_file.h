// A text file that a model names, read once and whole.
#ifndef QDOT_BASE_HOST_TEXT_FILE_H
#define QDOT_BASE_HOST_TEXT_FILE_H

#include "base/context.h"

typedef struct TextFile {
  const char *kind; // what messages call it: "data file"
  const char *name; // as it was asked for
  const char *path; // where it lies
  bool is_asked_at; // messages point at `asked`, a place in the model
  Span asked;
  size_t largest; // bytes
  // what was found
  const char *text; // followed by a zero byte
  size_t length;
  uint64_t device, number; // together they tell whether two paths are one file
} TextFile;

// The folder of a file, in the arena: "" for one without a slash. Of a model's name: where the
// files that it names are looked for.
const char *text_file_folder(Arena *arena, const char *path);
// The path of a file that one in `folder` names; an absolute name stays as it is.
const char *text_file_path(Arena *arena, const char *folder, const char *name);
// The text in the arena, without the mark that some programs put at its beginning. QDOT_IO: it
// cannot be read, or lies outside of the folder where a context allows no other; QDOT_BAD_FILE: it
// is not text; QDOT_TOO_LARGE.
Status text_file_read(Context *cx, Arena *arena, TextFile *file);
// An error about the file, at the place that asks for it.
Status text_file_complain(Context *cx, const TextFile *file, Status status, const char *what);
// Which file a path is; false where there is none.
bool text_file_identity(const char *path, uint64_t *device, uint64_t *number);

#endif
