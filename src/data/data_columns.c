// Columns of a data file, and what is wrong with their cells.
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "base/words/suggest.h"
#include "data/data.h"

// ---- Places in the file

static Line line_of(const DataFile *f, uint32_t row) {
  const char *at = f->text + f->starts[row];
  Line line = {0};
  line_next(&at, strchrnul(at, '\n'), &line);
  return line;
}

static uint32_t line_number(const DataFile *f, uint32_t row) {
  const char *start = f->text + f->starts[row], *at = f->text;
  uint32_t number = 1;
  for (; (at = memchr(at, '\n', (size_t)(start - at))); at++) number++;
  return number;
}

static DataCell cell_at(const DataFile *f, Line line, uint32_t column) {
  DataCell cell = {0};
  const char *at = line.begin;
  for (uint32_t i = 0; i <= column; i++) cell_next(f->layout, false, &at, line.end, &cell);
  return cell;
}

const char *data_text(Arena *arena, const DataFile *f, uint32_t row, uint32_t column) {
  DataCell cell = cell_at(f, line_of(f, row), column);
  return arena_copy(arena, cell.begin, (size_t)(cell.end - cell.begin));
}

const char *data_column_name(Arena *arena, const DataFile *f, uint32_t column) {
  if (!*f->headings[column].name) return text_format(arena, "column %u", (unsigned)column + 1);
  return text_format(arena, "column %u (%s)", (unsigned)column + 1, f->headings[column].name);
}

static Status complain(Context *cx, const DataFile *f, const char *what) {
  if (f->is_asked_at) return diag_error(cx, QDOT_BAD_FILE, f->asked, "%s", what);
  return diag_error_plain(cx, QDOT_BAD_FILE, "%s", what);
}

Status data_error(Context *cx, const DataFile *f, uint32_t row, uint32_t column, const char *format,
                  ...) {
  Line line = line_of(f, row);
  DataCell cell = cell_at(f, line, column);
  Text text = text_new(&cx->keep);
  text_addf(&text, "%s:%u:%zu: %s: ", f->name, (unsigned)line_number(f, row),
            1 + utf8_width(line.begin, (size_t)(cell.begin - line.begin)),
            data_column_name(&cx->keep, f, column));
  va_list arguments;
  va_start(arguments, format);
  text_addv(&text, format, arguments);
  va_end(arguments);
  return complain(cx, f, text.at);
}

// ---- Which column

static bool is_heading(const DataHeading *heading, const char *name) {
  if (strcmp(heading->name, name) == 0) return true;
  size_t n = strlen(heading->name);
  if (!heading->unit || strncmp(heading->name, name, n) != 0) return false;
  // "height [mm]", with or without the blank
  const char *rest = name + n;
  while (*rest == ' ') rest++;
  size_t u = strlen(heading->unit);
  return (*rest == '[' || *rest == '(') && strncmp(rest + 1, heading->unit, u) == 0 &&
         strlen(rest) == u + 2;
}

static const char *list_headings(Arena *arena, const DataFile *f) {
  enum { SHOWN = 12 };
  Text text = text_new(arena);
  for (uint32_t i = 0; i < f->columns && i < SHOWN; i++)
    text_addf(&text, "%s%s", i ? ", " : "", f->headings[i].name);
  if (f->columns > SHOWN) text_add(&text, ", ...");
  return text.at;
}

static Status no_such_column(Context *cx, const DataFile *f, const char *name) {
  Status status = complain(cx, f, text_format(&cx->keep, "'%s' has no column '%s'", f->name, name));
  if (!f->has_headings) {
    diag_note(cx, "its first line has numbers, not headings: columns go by number, 1 to %u",
              (unsigned)f->columns);
    return status;
  }
  Nearest nearest = nearest_to(name);
  for (uint32_t i = 0; i < f->columns; i++) nearest_offer(&nearest, f->headings[i].name);
  diag_note(cx, "its columns are %s", list_headings(&cx->keep, f));
  if (nearest.best) diag_label(cx, "did you mean '%s'?", nearest.best);
  return status;
}

Status data_column_named(Context *cx, const DataFile *f, const char *name, uint32_t *out) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < f->columns; i++) {
    if (!is_heading(&f->headings[i], name)) continue;
    if (found++ == 0) *out = i;
  }
  if (found == 1) return QDOT_OK;
  if (found == 0) return no_such_column(cx, f, name);
  Status status = complain(
      cx, f, text_format(&cx->keep, "'%s' has %u columns '%s'", f->name, (unsigned)found, name));
  diag_note(cx, "choose one by its number");
  return status;
}

Status data_column_number(Context *cx, const DataFile *f, double number, uint32_t *out) {
  if (number >= 1 && number <= f->columns && number == floor(number)) {
    *out = (uint32_t)number - 1;
    return QDOT_OK;
  }
  return complain(cx, f,
                  text_format(&cx->keep, "'%s' has no column %g: it has %u", f->name, number,
                              (unsigned)f->columns));
}

// ---- Values

static Status bad_cell(Context *cx, const DataFile *f, uint32_t row, uint32_t column,
                       bool allows_gaps) {
  Line line = line_of(f, row);
  DataCell cell = cell_at(f, line, column);
  double value;
  char decimal;
  CellKind kind = cell_read(f->layout, cell, &value, &decimal);
  enum { SHOWN = 40 };
  int n = cell.end - cell.begin < SHOWN ? (int)(cell.end - cell.begin) : SHOWN;
  if (kind == CELL_GAP && allows_gaps) return QDOT_OK;
  if (kind == CELL_GAP) return data_error(cx, f, row, column, "a value is missing");
  if (kind == CELL_HUGE)
    return data_error(cx, f, row, column, "'%.*s' is not a finite number", n, cell.begin);
  return data_error(cx, f, row, column, "'%.*s' is not a number", n, cell.begin);
}

Status data_values(Context *cx, Arena *arena, const DataFile *f, uint32_t column, bool allows_gaps,
                   const double **out) {
  double *values = arena_array(arena, double, f->rows);
  const double *from = f->values + column;
  Status status = QDOT_OK;
  for (uint32_t i = 0; i < f->rows && status == QDOT_OK; i++, from += f->columns) {
    values[i] = *from;
    if (isnan(*from)) status = bad_cell(cx, f, i, column, allows_gaps);
  }
  *out = status == QDOT_OK ? values : NULL;
  return status;
}

Status data_need_ascending(Context *cx, const DataFile *f, uint32_t column) {
  const double *value = f->values + column;
  for (uint32_t i = 1; i < f->rows; i++, value += f->columns) {
    double last = value[0], next = value[f->columns];
    if (last == next) return data_error(cx, f, i, column, "%g comes twice", next);
    if (last > next) return data_error(cx, f, i, column, "%g comes after %g", next, last);
  }
  return QDOT_OK;
}
