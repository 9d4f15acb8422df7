// Tables of numbers with a header, written and read row by row.
// Sources: csv_read.c, csv_write.c
#ifndef QDOT_RESULT_CSV_H
#define QDOT_RESULT_CSV_H

#include <stdint.h>
#include <stdio.h>

#include "result/stream.h"

// Rows go to PATH.part, whole lines only; csv_writer_finish renames it to PATH. Values have 17
// digits; what is not finite is an empty cell.
typedef struct CsvWriter {
  Stream stream; // stream.keeps_part is for the caller to set
  uint32_t columns;
} CsvWriter;

// Starts a new table. All functions report what fails with QDOT_IO.
Status csv_writer_open(Context *cx, const char *path, const char *const *names, uint32_t columns,
                       CsvWriter *out);
// Goes on with a table whose first `bytes` bytes are kept and the rest dropped. QDOT_BAD_FILE when
// PATH.part is shorter or has another header.
Status csv_writer_resume(Context *cx, const char *path, const char *const *names, uint32_t columns,
                         uint64_t bytes, CsvWriter *out);
Status csv_writer_row(CsvWriter *writer, const double *values);
// Puts all rows on disk; *bytes is what csv_writer_resume wants.
Status csv_writer_keep(CsvWriter *writer, uint64_t *bytes);
// Ends the table under its final name and closes it.
Status csv_writer_finish(CsvWriter *writer);
// Closes a table that is not finished; PATH.part is removed unless it is to be kept.
void csv_writer_leave(CsvWriter *writer);

typedef struct CsvReader {
  Context *cx;
  const char *path;
  uint32_t columns;
  const char **names; // in the keep arena
  FILE *stream;
  Handle handle;
  int64_t first_row; // offset
  uint64_t line;
  char *buffer; // grows
  size_t capacity;
  double *values;
  Status status; // why csv_reader_next answered NULL: QDOT_OK at the end
} CsvReader;

Status csv_reader_open(Context *cx, const char *path, CsvReader *out);
// The next row until the next call, empty cells as NaN; NULL at the end or at a bad row, which is
// reported with its line.
const double *csv_reader_next(CsvReader *reader);
void csv_reader_rewind(CsvReader *reader);
// How many rows there are; the next one is then the first.
uint64_t csv_reader_count(CsvReader *reader);
void csv_reader_close(CsvReader *reader);

#endif
