// Writing tables: a buffer of whole rows in front of a file that gets its name at the end.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digits.h"
#include "result/csv.h"

#define BUFFER_SIZE 65536

static Status cannot(Context *cx, const char *what, const char *path) {
  return diag_error_plain(cx, QDOT_IO, "cannot %s '%s': %s", what, path, strerror(errno));
}

static void close_file(void *object) {
  CsvWriter *w = object;
  close(w->file);
  if (!w->keeps_part) unlink(w->part);
}

static void add_header(Text *line, const char *const *names, uint32_t columns) {
  for (uint32_t i = 0; i < columns; i++) {
    const char *quote = strpbrk(names[i], ",\"") ? "\"" : "";
    text_addf(line, "%s%s", i ? "," : "", quote);
    for (const char *c = names[i]; *c; c++) {
      if (*c == '"') text_add_char(line, '"');
      text_add_char(line, *c);
    }
    text_add(line, quote);
  }
  text_add_char(line, '\n');
}

static Status write_bytes(CsvWriter *w, const char *bytes, size_t n) {
  w->written += n;
  while (n > 0) {
    ssize_t done = write(w->file, bytes, n);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return cannot(w->cx, "write", w->part);
    bytes += done, n -= (size_t)done;
  }
  return QDOT_OK;
}

static Status flush(CsvWriter *w) {
  Status status = write_bytes(w, w->buffer, w->used);
  w->used = 0;
  return status;
}

// Opens PATH.part; the file is closed by the guard from here on.
static Status open_part(Context *cx, const char *path, uint32_t columns, int flags,
                        CsvWriter *out) {
  *out = (CsvWriter){.cx = cx, .columns = columns};
  out->path = text_format(&cx->keep, "%s", path);
  out->part = text_format(&cx->keep, "%s.part", path);
  out->buffer = arena_alloc(&cx->keep, BUFFER_SIZE);
  out->file = open(out->part, O_RDWR | O_CREAT | O_CLOEXEC | flags, 0666);
  if (out->file < 0) return cannot(cx, "write", out->part);
  guard_register(&cx->guard, &out->handle, out, close_file);
  return QDOT_OK;
}

Status csv_writer_open(Context *cx, const char *path, const char *const *names, uint32_t columns,
                       CsvWriter *out) {
  Status status = open_part(cx, path, columns, O_TRUNC, out);
  if (status != QDOT_OK) return status;
  Mark mark = arena_mark(&cx->scratch);
  Text header = text_new(&cx->scratch);
  add_header(&header, names, columns);
  status = write_bytes(out, header.at, header.n);
  arena_release(&cx->scratch, mark);
  if (status != QDOT_OK) csv_writer_leave(out);
  return status;
}

static bool has_header(const CsvWriter *w, const Text *header, uint64_t bytes) {
  if (bytes < header->n) return false;
  char *found = arena_alloc(header->arena, header->n);
  return pread(w->file, found, header->n, 0) == (ssize_t)header->n &&
         memcmp(found, header->at, header->n) == 0;
}

Status csv_writer_resume(Context *cx, const char *path, const char *const *names, uint32_t columns,
                         uint64_t bytes, CsvWriter *out) {
  Status status = open_part(cx, path, columns, 0, out);
  if (status != QDOT_OK) return status;
  out->keeps_part = true; // whatever it is, it was there before
  Mark mark = arena_mark(&cx->scratch);
  Text header = text_new(&cx->scratch);
  add_header(&header, names, columns);
  struct stat about;
  if (fstat(out->file, &about) != 0 || (uint64_t)about.st_size < bytes ||
      !has_header(out, &header, bytes)) {
    status = diag_error_plain(cx, QDOT_BAD_FILE, "'%s' does not belong to this run", out->part);
  } else if (ftruncate(out->file, (off_t)bytes) != 0 ||
             lseek(out->file, (off_t)bytes, SEEK_SET) < 0) {
    status = cannot(cx, "write", out->part);
  }
  out->written = bytes;
  arena_release(&cx->scratch, mark);
  if (status != QDOT_OK) csv_writer_leave(out);
  return status;
}

Status csv_writer_row(CsvWriter *w, const double *values) {
  for (uint32_t i = 0; i < w->columns; i++) {
    // A row longer than the buffer goes out in pieces; the file then ends within a line only
    // while this function runs.
    if (BUFFER_SIZE - w->used < DIGITS_ROOM + 2) {
      Status status = flush(w);
      if (status != QDOT_OK) return status;
    }
    if (i) w->buffer[w->used++] = ',';
    if (isfinite(values[i])) w->used += digits_write(values[i], w->buffer + w->used);
  }
  w->buffer[w->used++] = '\n';
  // Flushed with room for one more usual row, so that the file ends with a whole line.
  size_t row = (size_t)w->columns * (DIGITS_ROOM - 4);
  return BUFFER_SIZE - w->used < row + DIGITS_ROOM + 2 ? flush(w) : QDOT_OK;
}

Status csv_writer_keep(CsvWriter *w, uint64_t *bytes) {
  Status status = flush(w);
  if (status == QDOT_OK && fdatasync(w->file) != 0) status = cannot(w->cx, "write", w->part);
  *bytes = w->written;
  return status;
}

Status csv_writer_finish(CsvWriter *w) {
  Status status = flush(w);
  if (status == QDOT_OK && rename(w->part, w->path) != 0) status = cannot(w->cx, "write", w->path);
  guard_close(&w->cx->guard, &w->handle);
  return status;
}

void csv_writer_leave(CsvWriter *w) {
  if (w->used && w->buffer[w->used - 1] == '\n') flush(w);
  guard_close(&w->cx->guard, &w->handle);
}
