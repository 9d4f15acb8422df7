// Files of a folder, each replaced as a whole: written beside and renamed.
#include "base/host/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static Status cannot(Context *cx, const char *what, const char *path) {
  return diag_error_plain(cx, QDOT_IO, "cannot %s '%s': %s", what, path, strerror(errno));
}

const char *folder_path(Arena *arena, const char *folder, const char *name) {
  if (!*folder || strcmp(folder, ".") == 0) return text_format(arena, "%s", name);
  return text_format(arena, "%s/%s", folder, name);
}

Status folder_make(Context *cx, const char *folder) {
  Mark mark = arena_mark(&cx->scratch);
  char *path = text_format(&cx->scratch, "%s", folder);
  Status status = QDOT_OK;
  for (char *at = path; *path && status == QDOT_OK; at++) {
    if (*at && *at != '/') continue;
    char end = *at;
    *at = 0;
    if (*path && mkdir(path, 0777) != 0 && errno != EEXIST) status = cannot(cx, "make", path);
    *at = end;
    if (!end) break;
  }
  struct stat about;
  if (status == QDOT_OK && *path && (stat(path, &about) != 0 || !S_ISDIR(about.st_mode))) {
    errno = ENOTDIR;
    status = cannot(cx, "write into", path);
  }
  arena_release(&cx->scratch, mark);
  return status;
}

static bool write_all(int file, const char *bytes, size_t n) {
  while (n > 0) {
    ssize_t done = write(file, bytes, n);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    bytes += done, n -= (size_t)done;
  }
  return true;
}

static void remove_part(void *part) { unlink(((Part *)part)->path); }

void part_open(Context *cx, const char *folder, const char *name, Part *out) {
  out->final = folder_path(&cx->keep, folder, name);
  out->path = text_format(&cx->keep, "%s.part", out->final);
  guard_register(&cx->guard, &out->handle, out, remove_part);
  out->handle.abandon = remove_part;
}

Status part_end(Context *cx, Part *part, Status so_far) {
  if (so_far == QDOT_OK && rename(part->path, part->final) != 0)
    so_far = cannot(cx, "write", part->final);
  guard_close(&cx->guard, &part->handle);
  return so_far;
}

Status folder_write(Context *cx, const char *folder, const char *name, const void *bytes,
                    size_t n) {
  Part part;
  part_open(cx, folder, name, &part);
  int file = open(part.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool done = file >= 0 && write_all(file, bytes, n);
  int why = errno;
  if (file >= 0 && close(file) != 0 && done) done = false, why = errno;
  errno = why;
  return part_end(cx, &part, done ? QDOT_OK : cannot(cx, "write", part.final));
}

// Block by block from one open file into another.
static bool copy_all(int from, int to) {
  char block[65536];
  for (;;) {
    ssize_t n = read(from, block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0;
    if (!write_all(to, block, (size_t)n)) return false;
  }
}

Status folder_copy(Context *cx, const char *folder, const char *from, const char *to) {
  Part part;
  part_open(cx, folder, to, &part);
  int source = open(folder_path(&cx->keep, folder, from), O_RDONLY | O_CLOEXEC);
  int file = source < 0 ? -1 : open(part.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool done = file >= 0 && copy_all(source, file);
  int why = errno;
  if (file >= 0 && close(file) != 0 && done) done = false, why = errno;
  if (source >= 0) close(source);
  errno = why;
  return part_end(cx, &part, done ? QDOT_OK : cannot(cx, "write", part.final));
}

// Bytes from an open file; its size is only a hint.
static bool read_all(Arena *into, int file, Text *out) {
  *out = text_new(into);
  char block[65536];
  for (;;) {
    ssize_t n = read(file, block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    if (n == 0) return true;
    text_add_bytes(out, block, (size_t)n);
  }
}

static void close_file(void *file) { close((int)(intptr_t)file); }

Status folder_read(Context *cx, Arena *into, const char *folder, const char *name,
                   const char **bytes, size_t *n) {
  const char *path = folder_path(into, folder, name);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return cannot(cx, "read", path);
  Handle handle;
  guard_register(&cx->guard, &handle, (void *)(intptr_t)file, close_file);
  Text text;
  bool done = read_all(into, file, &text);
  int why = errno;
  guard_close(&cx->guard, &handle);
  errno = why;
  if (!done) return cannot(cx, "read", path);
  *bytes = text.at, *n = text.n;
  return QDOT_OK;
}

static void close_listing(void *listing) { closedir(listing); }

void folder_clear(Context *cx, const char *folder, bool (*is_old)(const char *name, void *user),
                  void *user) {
  DIR *listing = opendir(*folder ? folder : ".");
  if (!listing) return;
  Mark mark = arena_mark(&cx->scratch);
  Handle handle;
  guard_register(&cx->guard, &handle, listing, close_listing);
  for (struct dirent *entry; (entry = readdir(listing));)
    if (is_old(entry->d_name, user)) unlink(folder_path(&cx->scratch, folder, entry->d_name));
  guard_close(&cx->guard, &handle);
  arena_release(&cx->scratch, mark);
}
