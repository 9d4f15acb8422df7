// Reading whole text files.
#include "base/host/text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/host/folder.h"

const char *text_file_folder(Arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? arena_copy(arena, path, slash == path ? 1 : (size_t)(slash - path)) : "";
}

const char *text_file_path(Arena *arena, const char *folder, const char *name) {
  return *name == '/' ? text_format(arena, "%s", name) : folder_path(arena, folder, name);
}

Status text_file_complain(Context *cx, const TextFile *f, Status status, const char *what) {
  if (f->is_asked_at) return diag_error(cx, status, f->asked, "%s", what);
  return diag_error_plain(cx, status, "%s", what);
}

static Status cannot_read(Context *cx, const TextFile *f, const char *why) {
  return text_file_complain(
      cx, f, QDOT_IO, text_format(&cx->keep, "cannot read the %s '%s': %s", f->kind, f->path, why));
}

static Status too_large(Context *cx, const TextFile *f) {
  bool giga = f->largest >> 30;
  return text_file_complain(cx, f, QDOT_TOO_LARGE,
                            text_format(&cx->keep, "the %s '%s' is larger than %zu %ciB", f->kind,
                                        f->path, f->largest >> (giga ? 30 : 20), giga ? 'G' : 'M'));
}

static Status check_file(Context *cx, TextFile *f, int file, size_t *size) {
  struct stat about;
  if (fstat(file, &about) != 0) return cannot_read(cx, f, strerror(errno));
  if (!S_ISREG(about.st_mode)) return cannot_read(cx, f, "it is not a file");
  if ((uint64_t)about.st_size > f->largest) return too_large(cx, f);
  f->device = (uint64_t)about.st_dev, f->number = (uint64_t)about.st_ino;
  *size = (size_t)about.st_size;
  return QDOT_OK;
}

// To its end: files of the system do not tell their size.
static Status read_bytes(Context *cx, Arena *arena, TextFile *f, int file) {
  size_t n = 0, done = 0;
  Status status = check_file(cx, f, file, &n);
  size_t room = n + 1; // one more byte shows the end
  char *text = arena_alloc(arena, room + 1);
  while (status == QDOT_OK) {
    context_poll(cx);
    ssize_t more = read(file, text + done, room - done);
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) status = cannot_read(cx, f, strerror(errno));
    if (more <= 0) break;
    done += (size_t)more;
    if (done > f->largest) return too_large(cx, f);
    if (done < room) continue;
    room = 2 * room + 4096;
    char *longer = arena_alloc(arena, room + 1);
    memcpy(longer, text, done);
    text = longer;
  }
  text[done] = '\0';
  f->text = text, f->length = done;
  return status;
}

static Status check_text(Context *cx, TextFile *f) {
  if (f->length >= 3 && memcmp(f->text, "\xef\xbb\xbf", 3) == 0) f->text += 3, f->length -= 3;
  bool is_wide = f->length >= 2 &&
                 (memcmp(f->text, "\xff\xfe", 2) == 0 || memcmp(f->text, "\xfe\xff", 2) == 0);
  if (!is_wide && !memchr(f->text, 0, f->length)) return QDOT_OK;
  const char *what = text_format(&cx->keep, "the %s '%s' is not a text file", f->kind, f->name);
  Status status = text_file_complain(cx, f, QDOT_BAD_FILE, what);
  if (is_wide) diag_note(cx, "it is UTF-16; save it as UTF-8 (or as CSV)");
  return status;
}

static void close_file(void *file) { close((int)(intptr_t)file); }

Status text_file_read(Context *cx, Arena *arena, TextFile *f) {
  if (cx->limits.own_folder && strchr(f->name, '/'))
    return cannot_read(cx, f, "only files of the model's folder are read here");
  int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (cx->limits.own_folder ? O_NOFOLLOW : 0);
  int file = open(f->path, flags);
  if (file < 0) return cannot_read(cx, f, strerror(errno));
  Handle handle;
  guard_register(&cx->guard, &handle, (void *)(intptr_t)file, close_file);
  Status status = read_bytes(cx, arena, f, file);
  guard_close(&cx->guard, &handle);
  return status == QDOT_OK ? check_text(cx, f) : status;
}

bool text_file_identity(const char *path, uint64_t *device, uint64_t *number) {
  struct stat about;
  if (stat(path, &about) != 0) return false;
  *device = (uint64_t)about.st_dev, *number = (uint64_t)about.st_ino;
  return true;
}
