// Files that a model uses, `use "leg.qdot" as left`: read while the line is parsed, so that the
// rest of the text knows the names they bring.
#ifndef QDOT_LANG_PARSE_PART_FILE_H
#define QDOT_LANG_PARSE_PART_FILE_H

#include "lang/parse/ast.h"

typedef struct PartFile {
  const char *name;         // as it is written
  const char *named, *path; // its path, and where it lies, which for a copy is elsewhere
  const char *stored;       // the name of the copy that a result keeps
  uint32_t source, hash;
  bool is_again; // it has been used before; the source is the same
  Symbol prefix; // of its names in the model; 0 for none
  uint64_t device, number;
  const struct PartFile *user; // the file that uses it; NULL: the model itself
} PartFile;

// All of one model, in the order in which they are used.
typedef struct PartFiles {
  bool are_stored; // copies that a result keeps beside its model
  uint32_t root;   // the source of the model itself
  size_t bytes;    // of all of them
  VEC(PartFile *) list;
} PartFiles;

// What a line `use` brings.
typedef struct UsedPart {
  const PartFile *file;
  ModelText text;       // empty where it has been used before under the same names
  VEC(Symbol) prefixes; // of the parts that it uses, as it calls them
  bool is_again;        // it has;
  bool is_repeated;     // and that by a line of the same text
} UsedPart;

// The file that stands behind `use`, in the arena; NULL after a message, which is at `asked`. user:
// the file it stands in, or NULL for the model.
PartFile *part_file_read(Context *cx, Arena *arena, PartFiles *files, const PartFile *user,
                         const char *name, Span asked);

#endif
