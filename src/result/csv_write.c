// Writing tables: whole rows, one after the other.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/words/digits.h"
#include "result/csv.h"

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

static Text header_of(Context *cx, const char *const *names, uint32_t columns) {
  Text header = text_new(&cx->keep);
  add_header(&header, names, columns);
  return header;
}

Status csv_writer_open(Context *cx, const char *path, const char *const *names, uint32_t columns,
                       CsvWriter *out) {
  Text header = header_of(cx, names, columns);
  out->columns = columns;
  return stream_open(cx, path, header.at, header.n, &out->stream);
}

Status csv_writer_resume(Context *cx, const char *path, const char *const *names, uint32_t columns,
                         uint64_t bytes, CsvWriter *out) {
  Text header = header_of(cx, names, columns);
  out->columns = columns;
  return stream_resume(cx, path, header.at, header.n, bytes, &out->stream);
}

Status csv_writer_row(CsvWriter *w, const double *values) {
  Stream *s = &w->stream;
  for (uint32_t i = 0; i < w->columns; i++) {
    // A row longer than the buffer goes out in pieces; the file then ends within a line only
    // while this function runs.
    Status status = stream_room(s, DIGITS_ROOM + 2);
    if (status != QDOT_OK) return status;
    if (i) s->buffer[s->used++] = ',';
    if (isfinite(values[i])) s->used += digits_write(values[i], s->buffer + s->used);
  }
  s->buffer[s->used++] = '\n';
  // room for one more usual row, so that the file ends with a whole line
  return stream_end_block(s, (size_t)w->columns * (DIGITS_ROOM - 4) + DIGITS_ROOM + 2);
}

Status csv_writer_keep(CsvWriter *w, uint64_t *bytes) { return stream_keep(&w->stream, bytes); }

Status csv_writer_finish(CsvWriter *w) { return stream_finish(&w->stream); }

void csv_writer_leave(CsvWriter *w) {
  const Stream *s = &w->stream;
  stream_leave(&w->stream, s->used && s->buffer[s->used - 1] == '\n');
}
