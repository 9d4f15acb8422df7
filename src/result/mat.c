// MAT files, version 5.
//
// A file is a header of 128 bytes and elements: a type, a size in bytes, the contents, padded to 8
// bytes. A variable is an element of elements: flags, dimensions, name, values. Since the number of
// rows is known, every variable has its place, and the columns are filled side by side in one pass.
#include "result/mat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/host/folder.h"
#include "base/utf8.h"
#include "code/identifier.h"
#include "qdot/qdot.h"

enum { MI_INT8 = 1, MI_UINT16 = 4, MI_INT32 = 5, MI_UINT32 = 6, MI_DOUBLE = 9, MI_MATRIX = 14 };
enum { CLASS_CELL = 1, CLASS_CHAR = 4, CLASS_DOUBLE = 6 };

#define HEADER 128
#define TAG 8
#define BUFFER_BYTES (4u << 20) // of all columns together

typedef struct MatFile {
  Context *cx;
  const MatTable *table;
  const char *path;
  int file;
  Handle handle;
  uint64_t *place;    // where each column's values begin
  const char **names; // of the variables
  double *buffer;     // columns x block
  uint64_t block, held, done;
} MatFile;

// ---- Elements

static size_t padded(size_t n) { return (n + 7) / 8 * 8; }

static void put_u32(Text *out, uint32_t value) {
  text_add_bytes(out, (const char *)&value, sizeof value);
}

static void put_element(Text *out, uint32_t type, const void *bytes, size_t n) {
  static const char zeros[8] = {0};
  put_u32(out, type), put_u32(out, (uint32_t)n);
  text_add_bytes(out, bytes, n);
  text_add_bytes(out, zeros, padded(n) - n);
}

// What stands before the values of a matrix: class, dimensions, name.
static void put_matrix_head(Text *out, uint32_t class, uint64_t rows, uint32_t columns,
                            const char *name) {
  put_element(out, MI_UINT32, (uint32_t[]){class, 0}, 8);
  put_element(out, MI_INT32, (int32_t[]){(int32_t)rows, (int32_t)columns}, 8);
  put_element(out, MI_INT8, name, strlen(name));
}

static void put_matrix(Text *out, const Text *content) {
  put_u32(out, MI_MATRIX), put_u32(out, (uint32_t)content->n);
  text_add_bytes(out, content->at, content->n);
}

// A row of characters; letters beyond the first plane, which names hardly have, as '?'.
static void put_string(Text *out, Arena *arena, const char *text) {
  size_t n = strlen(text), count = 0;
  uint16_t *units = arena_array(arena, uint16_t, n + 1);
  for (size_t i = 0; i < n;) {
    uint32_t character;
    size_t length = utf8_decode(text + i, n - i, &character);
    units[count++] = length && character < 0xD800 ? (uint16_t)character : '?';
    i += length ? length : 1;
  }
  Text content = text_new(arena);
  put_matrix_head(&content, CLASS_CHAR, 1, (uint32_t)count, "");
  put_element(&content, MI_UINT16, units, count * sizeof *units);
  put_matrix(out, &content);
}

// ---- Parts of the file

static void put_header(Text *out, const char *title) {
  char text[116];
  memset(text, ' ', sizeof text);
  char line[117];
  int n = snprintf(line, sizeof line, "MATLAB 5.0 MAT-file, written by Qdot %s%s%s", QDOT_VERSION,
                   title && *title ? ": " : "", title ? title : "");
  memcpy(text, line, n < (int)sizeof text ? (size_t)n : sizeof text);
  text_add_bytes(out, text, sizeof text);
  put_u32(out, 0), put_u32(out, 0); // no other data
  const uint16_t version_and_order[2] = {0x0100, 0x4D49};
  text_add_bytes(out, (const char *)version_and_order, 4);
}

// A cell array: variables in the first column, what the table calls them in the second.
static void put_names(MatFile *f, Arena *arena, Text *out) {
  const MatTable *t = f->table;
  Text content = text_new(arena);
  put_matrix_head(&content, CLASS_CELL, t->columns, 2, "names");
  for (uint32_t i = 0; i < t->columns; i++) put_string(&content, arena, f->names[i]);
  for (uint32_t i = 0; i < t->columns; i++) put_string(&content, arena, t->names[i]);
  put_matrix(out, &content);
}

// The head of a column's variable up to its first value.
static void put_column_head(const MatFile *f, Arena *arena, uint32_t i, Text *out) {
  Text head = text_new(arena);
  put_matrix_head(&head, CLASS_DOUBLE, f->table->rows, 1, f->names[i]);
  uint64_t bytes = 8 * f->table->rows;
  put_u32(out, MI_MATRIX), put_u32(out, (uint32_t)(head.n + TAG + bytes));
  text_add_bytes(out, head.at, head.n);
  put_u32(out, MI_DOUBLE), put_u32(out, (uint32_t)bytes);
}

static void name_variables(MatFile *f) {
  static const char *const ours[] = {"names", "ans", NULL};
  Identifiers scope;
  identifiers_open(&scope, &f->cx->keep, DIALECT_OCTAVE, ours);
  f->names = arena_array(&f->cx->keep, const char *, f->table->columns);
  for (uint32_t i = 0; i < f->table->columns; i++) {
    // MATLAB takes 63 letters; a longer name keeps its beginning and gets its number
    const char *name = identifier_new(&scope, f->table->names[i]);
    if (strlen(name) > 63) name = text_format(&f->cx->keep, "%.50s_%u", name, i + 1);
    f->names[i] = name;
  }
}

// ---- Writing

static Status cannot_write(const MatFile *f) {
  return diag_error_plain(f->cx, QDOT_IO, "cannot write '%s': %s", f->path, strerror(errno));
}

static Status write_at(const MatFile *f, uint64_t at, const void *bytes, size_t n) {
  const char *from = bytes;
  while (n > 0) {
    ssize_t taken = pwrite(f->file, from, n, (off_t)at);
    if (taken < 0 && errno == EINTR) continue;
    if (taken <= 0) return cannot_write(f);
    from += taken, at += (uint64_t)taken, n -= (size_t)taken;
  }
  return QDOT_OK;
}

static Status write_heads(MatFile *f) {
  Arena *scratch = &f->cx->scratch;
  Mark mark = arena_mark(scratch);
  Text out = text_new(scratch);
  put_header(&out, f->table->title);
  put_names(f, scratch, &out);
  Status status = write_at(f, 0, out.at, out.n);
  uint64_t at = out.n;
  for (uint32_t i = 0; i < f->table->columns && status == QDOT_OK; i++) {
    Text head = text_new(scratch);
    put_column_head(f, scratch, i, &head);
    status = write_at(f, at, head.at, head.n);
    f->place[i] = at + head.n;
    at = f->place[i] + 8 * f->table->rows;
  }
  arena_release(scratch, mark);
  return status;
}

static Status flush_columns(MatFile *f) {
  Status status = QDOT_OK;
  for (uint32_t i = 0; i < f->table->columns && status == QDOT_OK; i++)
    status = write_at(f, f->place[i] + 8 * f->done, f->buffer + i * f->block, 8 * f->held);
  f->done += f->held, f->held = 0;
  context_poll(f->cx);
  return status;
}

static Status write_rows(MatFile *f) {
  const MatTable *t = f->table;
  Status status = QDOT_OK;
  for (const double *row; status == QDOT_OK && (row = t->next(t->user));) {
    if (f->done + f->held == t->rows) {
      f->done++; // more than there should be
      break;
    }
    for (uint32_t i = 0; i < t->columns; i++) f->buffer[i * f->block + f->held] = row[i];
    if (++f->held == f->block) status = flush_columns(f);
  }
  if (status == QDOT_OK) status = flush_columns(f);
  if (status == QDOT_OK && f->done != t->rows)
    status =
        diag_error_plain(f->cx, QDOT_BAD_FILE, "no '%s': the results have %s rows than the run",
                         f->path, f->done > t->rows ? "more" : "fewer");
  return status;
}

static void close_file(void *object) { close(((MatFile *)object)->file); }

static Status open_file(MatFile *f) {
  f->file = open(f->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (f->file < 0) return cannot_write(f);
  guard_register(&f->cx->guard, &f->handle, f, close_file);
  return QDOT_OK;
}

static Status fill_file(MatFile *f) {
  Context *cx = f->cx;
  const MatTable *t = f->table;
  Mark mark = arena_mark(&cx->scratch);
  f->block = BUFFER_BYTES / 8 / (t->columns ? t->columns : 1) + 1;
  if (f->block > t->rows) f->block = t->rows + 1;
  f->buffer = arena_array(&cx->scratch, double, f->block * t->columns);
  f->place = arena_array(&cx->scratch, uint64_t, t->columns);
  name_variables(f);
  Status status = write_heads(f);
  if (status == QDOT_OK) status = write_rows(f);
  guard_close(&cx->guard, &f->handle);
  arena_release(&cx->scratch, mark);
  return status;
}

static bool fits_format(const MatTable *t) {
  return t->rows <= INT32_MAX && 8 * t->rows <= UINT32_MAX - 1000;
}

Status mat_write(Context *cx, const char *folder, const char *name, const MatTable *table) {
  if (!fits_format(table))
    return diag_error_plain(cx, QDOT_UNSUPPORTED,
                            "no '%s': %llu rows are more than a MAT file of version 5 has room for",
                            name, (unsigned long long)table->rows);
  Part part;
  part_open(cx, folder, name, &part);
  MatFile f = {.cx = cx, .table = table, .path = part.path};
  Status status = open_file(&f);
  if (status == QDOT_OK) status = fill_file(&f);
  return part_end(cx, &part, status);
}
