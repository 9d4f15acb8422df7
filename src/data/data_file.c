// Reading a data file once: its layout, its headings, all of its numbers.
#include <math.h>
#include <string.h>

#include "base/host/text_file.h"
#include "data/data.h"

#define LARGEST_FILE ((size_t)1 << 30)
#define LONGEST_LINE ((size_t)1 << 20)
enum { MOST_COLUMNS = 10000 };

// A file while it is read.
typedef struct Reading {
  Context *cx;
  Arena *arena;
  DataFile *file;
  const char *end;      // of the text
  const char *body;     // where the lines with numbers begin
  uint32_t body_number; // of the line before that
  char decimal;         // the sign that the first number with one has; 0 so far
} Reading;

static TextFile as_text(const DataFile *f) {
  return (TextFile){.kind = "data file",
                    .name = f->name,
                    .path = f->path,
                    .is_asked_at = f->is_asked_at,
                    .asked = f->asked,
                    .largest = LARGEST_FILE};
}

static Status complain(Context *cx, const DataFile *f, Status status, const char *what) {
  TextFile file = as_text(f);
  return text_file_complain(cx, &file, status, what);
}

static Status bad_line(const Reading *r, Line line, Status status, const char *what) {
  const char *text =
      text_format(&r->cx->keep, "%s:%u: %s", r->file->name, (unsigned)line.number, what);
  return complain(r->cx, r->file, status, text);
}

// ---- Headings

static const char *copy_cell(Arena *arena, const char *begin, const char *end) {
  while (begin < end && (*begin == ' ' || *begin == '\t')) begin++;
  while (end > begin && (end[-1] == ' ' || end[-1] == '\t')) end--;
  return arena_copy(arena, begin, (size_t)(end - begin));
}

// "height [mm]" or "height (mm)".
static DataHeading heading_of(Arena *arena, DataCell cell) {
  const char *end = cell.end, *open = NULL;
  char last = end > cell.begin ? end[-1] : 0;
  for (const char *at = cell.begin; at < end && (last == ']' || last == ')'); at++)
    if (*at == (last == ']' ? '[' : '(') && (!open || last == ']')) open = at;
  if (!open) return (DataHeading){copy_cell(arena, cell.begin, end), NULL};
  return (DataHeading){copy_cell(arena, cell.begin, open), copy_cell(arena, open + 1, end - 1)};
}

// Any cell that is neither a number nor a gap.
static bool has_words(const Reading *r, Line line) {
  DataCell cell;
  for (const char *at = line.begin; cell_next(r->file->layout, false, &at, line.end, &cell);) {
    double value;
    char decimal;
    if (cell_read(r->file->layout, cell, &value, &decimal) == CELL_TEXT) return true;
  }
  return false;
}

static bool has_numbers(const Reading *r, Line line) {
  DataCell cell;
  for (const char *at = line.begin; cell_next(r->file->layout, false, &at, line.end, &cell);) {
    double value;
    char decimal;
    if (cell_read(r->file->layout, cell, &value, &decimal) == CELL_NUMBER) return true;
  }
  return false;
}

static void take_headings(Reading *r, Line line, DataHeading *out) {
  DataCell cell;
  uint32_t i = 0;
  for (const char *at = line.begin; cell_next(r->file->layout, true, &at, line.end, &cell);)
    if (i < r->file->columns) out[i++] = heading_of(r->arena, cell);
  r->file->has_headings = true;
}

// A line of units behind that of the headings: "[s], [mm]" or "s, mm".
static void take_units(Reading *r, Line line, DataHeading *headings) {
  DataCell cell;
  uint32_t i = 0;
  for (const char *at = line.begin; cell_next(r->file->layout, false, &at, line.end, &cell); i++) {
    if (i >= r->file->columns || cell.begin == cell.end) continue;
    DataHeading unit = heading_of(r->arena, cell);
    headings[i].unit = unit.unit ? unit.unit : unit.name;
  }
}

// The two first lines that are neither blank nor comments, and the comment right before the first.
typedef struct Beginning {
  Line comment, first, second;
  const char *after_first, *after_second;
} Beginning;

static Beginning find_beginning(const Reading *r) {
  Beginning b = {0};
  Line line = {0};
  for (const char *at = r->file->text; line_next(&at, r->end, &line);) {
    if (line_is_idle(line)) {
      if (!b.first.begin) b.comment = line_is_comment(line) ? line : (Line){0};
      continue;
    }
    if (!b.first.begin) {
      b.first = line, b.after_first = at;
      continue;
    }
    b.second = line, b.after_second = at;
    break;
  }
  return b;
}

// The comment before the first row as headings, as some programs write them: "# time height".
static bool comment_has_headings(Reading *r, Line *comment) {
  if (!comment->begin) return false;
  while (comment->begin < comment->end && strchr("#%/ \t", *comment->begin)) comment->begin++;
  return cell_count(r->file->layout, true, *comment) == r->file->columns && has_words(r, *comment);
}

static Status read_headings(Reading *r) {
  DataFile *f = r->file;
  Beginning b = find_beginning(r);
  if (!b.first.begin)
    return complain(r->cx, f, QDOT_BAD_FILE,
                    text_format(&r->cx->keep, "the data file '%s' has no rows", f->name));
  f->layout = layout_of(b.first, b.second);
  bool headings = has_words(r, b.first) && !has_numbers(r, b.first);
  f->columns = cell_count(f->layout, headings, b.first);
  if (headings && f->columns > 1 && b.first.end[-1] == f->layout.separator)
    f->columns--; // nothing behind it
  if (f->columns > MOST_COLUMNS)
    return bad_line(r, b.first, QDOT_TOO_LARGE, "more than 10000 columns");
  DataHeading *list = arena_array(r->arena, DataHeading, f->columns);
  for (uint32_t i = 0; i < f->columns; i++) list[i].name = "";
  r->body = b.first.begin;
  r->body_number = b.first.number - 1;
  if (headings) {
    take_headings(r, b.first, list);
    r->body = b.after_first, r->body_number = b.first.number;
  } else if (comment_has_headings(r, &b.comment)) {
    take_headings(r, b.comment, list);
  }
  if (headings && b.second.begin && has_words(r, b.second) && !has_numbers(r, b.second)) {
    take_units(r, b.second, list);
    r->body = b.after_second, r->body_number = b.second.number;
  }
  f->headings = list;
  return QDOT_OK;
}

// ---- Rows

static Status wrong_count(const Reading *r, Line line, uint32_t found) {
  uint32_t columns = r->file->columns;
  const char *what = text_format(
      &r->cx->keep, "the row has %u cell%s, but %s %u", (unsigned)found, found == 1 ? "" : "s",
      r->file->has_headings ? "the number of headings is" : "the first row has", (unsigned)columns);
  Status status = bad_line(r, line, QDOT_BAD_FILE, what);
  if (r->file->layout.separator == ',' && found > columns)
    diag_note(r->cx, "where numbers have decimal commas, columns are separated by semicolons, tabs "
                     "or blanks");
  return status;
}

static Status two_decimals(const Reading *r, Line line, DataCell cell) {
  const char *what =
      text_format(&r->cx->keep, "'%.*s' has a decimal %s, numbers before it have decimal %s",
                  (int)(cell.end - cell.begin), cell.begin, r->decimal == ',' ? "point" : "comma",
                  r->decimal == ',' ? "commas" : "points");
  Status status = bad_line(r, line, QDOT_BAD_FILE, what);
  diag_note(r->cx, "thousands are written without separators");
  return status;
}

static Status read_row(Reading *r, Line line, double *values) {
  const DataFile *f = r->file;
  uint32_t n = 0;
  DataCell cell;
  for (const char *at = line.begin; cell_next(f->layout, false, &at, line.end, &cell); n++) {
    bool is_extra = n == f->columns && !at && cell.begin == cell.end; // a separator at the end
    if (is_extra) break;
    if (n >= f->columns) continue;
    char decimal = 0;
    cell_read(f->layout, cell, &values[n], &decimal);
    if (decimal && r->decimal && decimal != r->decimal) return two_decimals(r, line, cell);
    if (decimal) r->decimal = decimal;
  }
  return n == f->columns ? QDOT_OK : wrong_count(r, line, n);
}

// As many rows as the file can have: no row is shorter than its separators.
static uint32_t most_rows(const Reading *r) {
  size_t lines = 1, bytes = (size_t)(r->end - r->body);
  for (const char *at = r->body; (at = memchr(at, '\n', (size_t)(r->end - at))); at++) lines++;
  size_t fit = (bytes + 1) / r->file->columns + 1;
  return (uint32_t)(lines < fit ? lines : fit);
}

static Status read_rows(Reading *r) {
  DataFile *f = r->file;
  uint32_t most = most_rows(r);
  double *values = arena_array(r->arena, double, (size_t)most * f->columns);
  uint32_t *starts = arena_array(r->arena, uint32_t, most);
  Line line = {.number = r->body_number};
  Status status = QDOT_OK;
  for (const char *at = r->body; status == QDOT_OK && line_next(&at, r->end, &line);) {
    if ((size_t)(line.end - line.begin) > LONGEST_LINE)
      return bad_line(r, line, QDOT_TOO_LARGE, "the line is longer than 1 MiB");
    if (line_is_idle(line)) continue;
    starts[f->rows] = (uint32_t)(line.begin - f->text);
    status = read_row(r, line, values + (size_t)f->rows * f->columns);
    if (status == QDOT_OK) f->rows++;
    if (f->rows % 4096 == 0) context_poll(r->cx);
  }
  f->values = values, f->starts = starts;
  if (status == QDOT_OK && f->rows == 0)
    status = complain(r->cx, f, QDOT_BAD_FILE,
                      text_format(&r->cx->keep, "the data file '%s' has no rows", f->name));
  return status;
}

// ---- The whole

static Status load(Reading *r) {
  DataFile *f = r->file;
  TextFile file = as_text(f);
  Status status = text_file_read(r->cx, r->arena, &file);
  f->text = file.text, f->length = file.length;
  if (status == QDOT_OK) r->end = f->text + f->length;
  return status;
}

const char *data_stored_name(Arena *arena, uint32_t i) {
  return text_format(arena, "data-%u.csv", (unsigned)i);
}

Status data_read_at(Context *cx, Arena *arena, const char *path, const char *name,
                    const Span *asked, const DataFile **out) {
  DataFile *f = arena_new(arena, DataFile);
  f->name = text_format(arena, "%s", name);
  f->path = path;
  f->is_asked_at = asked != NULL;
  if (asked) f->asked = *asked;
  Reading r = {.cx = cx, .arena = arena, .file = f};
  Status status = load(&r);
  if (status == QDOT_OK) status = read_headings(&r);
  if (status == QDOT_OK) status = read_rows(&r);
  *out = status == QDOT_OK ? f : NULL;
  return status;
}

Status data_read(Context *cx, Arena *arena, const char *folder, const char *name, const Span *asked,
                 const DataFile **out) {
  return data_read_at(cx, arena, text_file_path(arena, folder, name), name, asked, out);
}
