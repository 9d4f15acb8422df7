// Reading tables row by row.
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/words/digits.h"
#include "result/csv.h"

#define LONGEST_LINE ((size_t)64 << 20)

static void close_stream(void *stream) { fclose(stream); }

static Status bad_row(CsvReader *r, const char *what) {
  return diag_error_plain(r->cx, QDOT_BAD_FILE, "%s:%llu: %s", r->path, (unsigned long long)r->line,
                          what);
}

// One line without its end into the buffer; false at the end of the file, or with a status.
static bool read_line(CsvReader *r) {
  size_t n = 0;
  r->line++;
  for (;;) {
    if (n >= LONGEST_LINE) {
      r->status = bad_row(r, "the line is longer than 64 MiB");
      return false;
    }
    if (r->capacity - n < 2) {
      size_t larger = r->capacity ? 2 * r->capacity : 4096;
      char *grown = arena_alloc(&r->cx->keep, larger);
      if (n) memcpy(grown, r->buffer, n);
      r->buffer = grown, r->capacity = larger;
    }
    if (!fgets(r->buffer + n, (int)(r->capacity - n), r->stream)) {
      if (ferror(r->stream)) r->status = bad_row(r, strerror(errno));
      return n > 0 && r->status == QDOT_OK;
    }
    size_t more = strlen(r->buffer + n);
    if (more == 0) {
      r->status = bad_row(r, "this line is not text");
      return false;
    }
    n += more;
    if (n && r->buffer[n - 1] == '\n') break;
  }
  while (n && (r->buffer[n - 1] == '\n' || r->buffer[n - 1] == '\r')) r->buffer[--n] = 0;
  return true;
}

// The name at *at, quoted or not, in the keep arena; *at then points behind it.
static const char *read_name(Context *cx, const char **at) {
  Text name = text_new(&cx->keep);
  const char *c = *at;
  if (*c == '"') {
    for (c++; *c && (*c != '"' || c[1] == '"'); c++) {
      if (*c == '"') c++;
      text_add_char(&name, *c);
    }
    if (*c == '"') c++;
  } else {
    size_t n = strcspn(c, ",");
    text_add_bytes(&name, c, n);
    c += n;
  }
  *at = c;
  return name.at;
}

static Status read_header(CsvReader *r) {
  if (!read_line(r)) return r->status ? r->status : bad_row(r, "the file is empty");
  VEC(const char *) names = {0};
  for (const char *at = r->buffer;; at++) {
    vec_push(&r->cx->keep, &names, read_name(r->cx, &at));
    if (*at != ',') {
      if (*at) return bad_row(r, "the header cannot be read");
      break;
    }
  }
  r->names = names.at;
  r->columns = names.n;
  r->values = arena_array(&r->cx->keep, double, names.n);
  r->first_row = ftell(r->stream);
  return QDOT_OK;
}

Status csv_reader_open(Context *cx, const char *path, CsvReader *out) {
  *out = (CsvReader){.cx = cx, .path = text_format(&cx->keep, "%s", path)};
  out->stream = fopen(path, "rb");
  if (!out->stream)
    return diag_error_plain(cx, QDOT_IO, "cannot read '%s': %s", path, strerror(errno));
  guard_register(&cx->guard, &out->handle, out->stream, close_stream);
  Status status = read_header(out);
  if (status != QDOT_OK) csv_reader_close(out);
  return status;
}

const double *csv_reader_next(CsvReader *r) {
  if (r->status != QDOT_OK || !read_line(r)) return NULL;
  const char *at = r->buffer;
  for (uint32_t i = 0; i < r->columns; i++) {
    const char *end = at;
    r->values[i] = *at == ',' || !*at ? NAN : digits_read(at, &end);
    bool last = i + 1 == r->columns;
    if ((*at && *at != ',' && end == at) || *end != (last ? 0 : ',')) {
      r->status = bad_row(r, "the row does not fit the header");
      return NULL;
    }
    at = end + !last;
  }
  return r->values;
}

void csv_reader_rewind(CsvReader *r) {
  r->line = 1;
  r->status = QDOT_OK;
  if (fseek(r->stream, r->first_row, SEEK_SET) != 0) r->status = bad_row(r, strerror(errno));
}

uint64_t csv_reader_count(CsvReader *r) {
  csv_reader_rewind(r);
  uint64_t lines = 0;
  char block[1 << 14], last = '\n';
  for (size_t n; (n = fread(block, 1, sizeof block, r->stream)) > 0; last = block[n - 1]) {
    const char *end = block + n;
    for (const char *at = block; (at = memchr(at, '\n', (size_t)(end - at))); at++) lines++;
  }
  csv_reader_rewind(r);
  return lines + (last != '\n');
}

void csv_reader_close(CsvReader *r) {
  guard_close(&r->cx->guard, &r->handle);
  r->stream = NULL;
}
