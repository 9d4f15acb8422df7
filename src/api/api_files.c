// Files for folders and for sinks. Programs such as gnuplot write files, so that what a sink takes
// is made in a folder for the moment.
#include "api/api_files.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/host/folder.h"

typedef VEC(const char *) NameList;

static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static NameList names_in(Arena *arena, const char *folder) {
  NameList names = {0};
  DIR *directory = opendir(folder);
  if (!directory) return names;
  for (struct dirent *entry; (entry = readdir(directory));)
    if (entry->d_name[0] != '.') {
      const char *name = arena_copy(arena, entry->d_name, strlen(entry->d_name));
      vec_push(arena, &names, name);
    }
  closedir(directory);
  if (names.n > 0) qsort(names.at, names.n, sizeof *names.at, by_name);
  return names;
}

static void remove_folder(void *object) {
  const char *folder = object;
  DIR *directory = opendir(folder);
  char path[4096];
  for (struct dirent *entry; directory && (entry = readdir(directory));)
    if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path)
      unlink(path);
  if (directory) closedir(directory);
  rmdir(folder);
}

Status file_target_open(FileTarget *target, Context *cx, const char *folder, qdot_file_sink sink) {
  *target = (FileTarget){.cx = cx, .folder = folder, .sink = sink};
  if (!sink.write && !folder) return QDOT_BAD_ARGUMENT;
  if (!sink.write) return folder_make(cx, folder);
  const char *above = getenv("TMPDIR");
  char *made = text_format(&cx->keep, "%s/qdot-XXXXXX", above && *above ? above : "/tmp");
  if (!mkdtemp(made)) return diag_error_plain(cx, QDOT_IO, "cannot make a temporary folder");
  target->folder = made;
  guard_register(&cx->guard, &target->handle, made, remove_folder);
  return QDOT_OK;
}

static Status hand_over(FileTarget *target) {
  Context *cx = target->cx;
  NameList names = names_in(&cx->scratch, target->folder);
  for (uint32_t i = 0; i < names.n; i++) {
    Mark mark = arena_mark(&cx->scratch);
    const char *bytes;
    size_t n;
    Status status = folder_read(cx, &cx->scratch, target->folder, names.at[i], &bytes, &n);
    if (status == QDOT_OK && target->sink.write(target->sink.user, names.at[i], bytes, n) != 0)
      status = QDOT_IO;
    arena_release(&cx->scratch, mark);
    if (status != QDOT_OK) return status;
  }
  return QDOT_OK;
}

Status file_target_close(FileTarget *target, Status so_far) {
  if (!target->sink.write || !target->handle.close) return so_far;
  Status status = QDOT_OK;
  if (so_far == QDOT_OK || so_far == QDOT_NO_PROGRAM) status = hand_over(target);
  guard_close(&target->cx->guard, &target->handle);
  return status == QDOT_OK ? so_far : status;
}

void file_list_add(FileList *list, const FileTarget *target, const char *name,
                   const char *description) {
  Arena *keep = &target->cx->keep;
  const char *path = target->sink.write ? arena_copy(keep, name, strlen(name))
                                        : folder_path(keep, target->folder, name);
  for (uint32_t i = 0; i < list->n; i++) {
    if (strcmp(list->at[i].path, path) != 0) continue;
    list->at[i].description = description;
    return;
  }
  qdot_file file = {path, description};
  vec_push(keep, list, file);
}

const qdot_file *file_list_at(const FileList *list, size_t i) {
  return i < list->n ? &list->at[i] : NULL;
}
