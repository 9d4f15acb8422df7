// A buffer in front of a file that gets its name at the end.
#include "result/stream.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

static Status cannot(Context *cx, const char *what, const char *path) {
  return diag_error_plain(cx, QDOT_IO, "cannot %s '%s': %s", what, path, strerror(errno));
}

static void close_file(void *object) {
  Stream *s = object;
  close(s->file);
  if (!s->keeps_part) unlink(s->part);
}

static void abandon_file(void *object) {
  Stream *s = object;
  if (!s->keeps_part) unlink(s->part);
}

static Status put(Stream *s, const char *bytes, size_t n) {
  s->written += n;
  while (n > 0) {
    ssize_t done = write(s->file, bytes, n);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return cannot(s->cx, "write", s->part);
    bytes += done, n -= (size_t)done;
  }
  return QDOT_OK;
}

static Status flush(Stream *s) {
  Status status = put(s, s->buffer, s->used);
  s->used = 0;
  return status;
}

// Opens PATH.part; the file is closed by the guard from here on.
static Status open_part(Context *cx, const char *path, int flags, Stream *out) {
  *out = (Stream){.cx = cx};
  out->path = text_format(&cx->keep, "%s", path);
  out->part = text_format(&cx->keep, "%s.part", path);
  out->buffer = arena_alloc(&cx->keep, STREAM_BUFFER);
  out->file = open(out->part, O_RDWR | O_CREAT | O_CLOEXEC | flags, 0666);
  if (out->file < 0) return cannot(cx, "write", out->part);
  guard_register(&cx->guard, &out->handle, out, close_file);
  out->handle.abandon = abandon_file;
  return QDOT_OK;
}

Status stream_open(Context *cx, const char *path, const void *header, size_t n, Stream *out) {
  Status status = open_part(cx, path, O_TRUNC, out);
  if (status != QDOT_OK) return status;
  status = put(out, header, n);
  if (status != QDOT_OK) stream_leave(out, false);
  return status;
}

static bool has_header(const Stream *s, const void *header, size_t n, uint64_t bytes) {
  if (bytes < n) return false;
  Arena *scratch = &s->cx->scratch;
  Mark mark = arena_mark(scratch);
  char *found = arena_alloc(scratch, n);
  bool is_same = pread(s->file, found, n, 0) == (ssize_t)n && memcmp(found, header, n) == 0;
  arena_release(scratch, mark);
  return is_same;
}

Status stream_resume(Context *cx, const char *path, const void *header, size_t n, uint64_t bytes,
                     Stream *out) {
  Status status = open_part(cx, path, 0, out);
  if (status != QDOT_OK) return status;
  out->keeps_part = true; // whatever it is, it was there before
  struct stat about;
  if (fstat(out->file, &about) != 0 || (uint64_t)about.st_size < bytes ||
      !has_header(out, header, n, bytes)) {
    status = diag_error_plain(cx, QDOT_BAD_FILE, "'%s' does not belong to this run", out->part);
  } else if (ftruncate(out->file, (off_t)bytes) != 0 ||
             lseek(out->file, (off_t)bytes, SEEK_SET) < 0) {
    status = cannot(cx, "write", out->part);
  }
  out->written = bytes;
  if (status != QDOT_OK) stream_leave(out, false);
  return status;
}

Status stream_room(Stream *s, size_t n) {
  assert(n <= STREAM_BUFFER);
  return STREAM_BUFFER - s->used < n ? flush(s) : QDOT_OK;
}

Status stream_write(Stream *s, const void *bytes, size_t n) {
  if (n > STREAM_BUFFER) {
    Status status = flush(s);
    return status == QDOT_OK ? put(s, bytes, n) : status;
  }
  Status status = stream_room(s, n);
  if (status != QDOT_OK) return status;
  memcpy(s->buffer + s->used, bytes, n);
  s->used += n;
  return QDOT_OK;
}

Status stream_end_block(Stream *s, size_t n) {
  return STREAM_BUFFER - s->used < n ? flush(s) : QDOT_OK;
}

Status stream_keep(Stream *s, uint64_t *bytes) {
  Status status = flush(s);
  if (status == QDOT_OK && fdatasync(s->file) != 0) status = cannot(s->cx, "write", s->part);
  *bytes = s->written;
  return status;
}

Status stream_finish(Stream *s) {
  Status status = flush(s);
  if (status == QDOT_OK && rename(s->part, s->path) != 0) status = cannot(s->cx, "write", s->path);
  guard_close(&s->cx->guard, &s->handle);
  return status;
}

void stream_leave(Stream *s, bool whole) {
  if (whole) flush(s);
  guard_close(&s->cx->guard, &s->handle);
}
