// Reading the files that a model uses, within bounds and without circles.
#include "lang/parse/part_file.h"

#include <string.h>

#include "base/hash.h"
#include "base/host/text_file.h"

#define LARGEST_PART ((size_t)4 << 20)
#define LARGEST_SUM ((size_t)64 << 20)
enum { DEEPEST_USE = 20, MOST_PARTS = 1000 };

static uint32_t depth_of(const PartFile *file) {
  uint32_t depth = 0;
  for (; file; file = file->user) depth++;
  return depth;
}

// Is it one of those that are being read: the model itself, or a file that leads here?
static bool is_open(const Context *cx, const PartFiles *files, const PartFile *user,
                    const TextFile *text) {
  uint64_t device, number;
  if (files->are_stored) return false; // all copies are different files
  bool open = text_file_identity(cx->sources.at[files->root].name, &device, &number) &&
              device == text->device && number == text->number;
  for (; user && !open; user = user->user)
    open = user->device == text->device && user->number == text->number;
  return open;
}

static bool is_bounded(Context *cx, const PartFiles *files, const PartFile *user,
                       const TextFile *text) {
  if (is_open(cx, files, user, text))
    diag_error(cx, QDOT_BAD_MODEL, text->asked, "'%s' uses itself", text->name);
  else if (depth_of(user) >= DEEPEST_USE)
    diag_error(cx, QDOT_TOO_LARGE, text->asked, "more than %d files that use one another",
               DEEPEST_USE);
  else if (files->list.n >= MOST_PARTS || files->bytes + text->length > LARGEST_SUM)
    diag_error(cx, QDOT_TOO_LARGE, text->asked, "the model uses more than %d files or %d MiB",
               MOST_PARTS, (int)(LARGEST_SUM >> 20));
  else
    return true;
  return false;
}

// The same file under another prefix; NULL when this is its first use.
static const PartFile *read_before(const PartFiles *files, const char *named, uint32_t *others) {
  *others = 0;
  for (uint32_t i = 0; i < files->list.n; i++) {
    const PartFile *file = files->list.at[i];
    if (strcmp(file->named, named) == 0) return file;
    *others += !file->is_again;
  }
  return NULL;
}

PartFile *part_file_read(Context *cx, Arena *arena, PartFiles *files, const PartFile *user,
                         const char *name, Span asked) {
  const char *folder = text_file_folder(arena, cx->sources.at[asked.source].name);
  const char *named = text_file_path(&cx->keep, folder, name), *path = named;
  uint32_t others;
  const PartFile *before = read_before(files, named, &others);
  const char *stored = text_format(&cx->keep, "part-%u.qdot", (unsigned)others + 1);
  if (files->are_stored)
    path = text_file_path(&cx->keep, text_file_folder(arena, cx->sources.at[files->root].name),
                          stored);
  TextFile text = {.kind = "file",
                   .name = name,
                   .path = path,
                   .is_asked_at = true,
                   .asked = asked,
                   .largest = LARGEST_PART};
  if (before) {
    text.length = cx->sources.at[before->source].length;
    text.device = before->device, text.number = before->number;
  } else if (text_file_read(cx, arena, &text) != QDOT_OK) {
    return NULL;
  }
  if (!is_bounded(cx, files, user, &text)) return NULL;
  PartFile *file = arena_new(&cx->keep, PartFile);
  *file = (PartFile){.name = arena_copy(&cx->keep, name, strlen(name)),
                     .named = named,
                     .path = path,
                     .stored = stored,
                     .device = text.device,
                     .number = text.number,
                     .is_again = before != NULL,
                     .user = user};
  if (before) {
    file->source = before->source, file->hash = before->hash, file->stored = before->stored;
    file->path = before->path;
  } else {
    file->source = source_add(&cx->keep, &cx->sources, named, text.text, text.length);
    file->hash = hash_bytes(text.text, text.length);
  }
  files->bytes += text.length;
  vec_push(arena, &files->list, file);
  return file;
}
