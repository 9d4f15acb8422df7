// Reading a data file once: its layout, its headings, all of its numbers.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/host/folder.h"
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

static Status complain(Context *cx, const DataFile *f, Status status, const char *what) {
  if (f->is_asked_at) return diag_error(cx, status, f->asked, "%s", what);
  return diag_error_plain(cx, status, "%s", what);
}

static Status bad_line(const Reading *r, Line line, Status status, const char *what) {
  const char *text =
      text_format(&r->cx->keep, "%s:%u: %s", r->file->name, (unsigned)line.number, what);
  return complain(r->cx, r->file, status, text);
}

// ---- The bytes

static void close_file(void *file) { close((int)(intptr_t)file); }

static Status cannot_read(Context *cx, const DataFile *f, const char *why) {
  return complain(cx, f, QDOT_IO,
                  text_format(&cx->keep, "cannot read the data file '%s': %s", f->path, why));
}

static Status load(Reading *r, size_t *length) {
  Context *cx = r->cx;
  DataFile *f = r->file;
  int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (cx->limits.own_folder ? O_NOFOLLOW : 0);
  int file = open(f->path, flags);
  if (file < 0) return cannot_read(cx, f, strerror(errno));
  Handle handle;
  guard_register(&cx->guard, &handle, (void *)(intptr_t)file, close_file);
  struct stat about;
  Status status = QDOT_OK;
  if (fstat(file, &about) != 0)
    status = cannot_read(cx, f, strerror(errno));
  else if (!S_ISREG(about.st_mode))
    status = cannot_read(cx, f, "it is not a file");
  else if ((uint64_t)about.st_size > LARGEST_FILE)
    status = complain(cx, f, QDOT_TOO_LARGE,
                      text_format(&cx->keep, "the data file '%s' is larger than 1 GiB", f->path));
  size_t n = status == QDOT_OK ? (size_t)about.st_size : 0, done = 0;
  char *text = arena_alloc(r->arena, n + 1);
  while (status == QDOT_OK && done < n) {
    ssize_t more = read(file, text + done, n - done);
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) status = cannot_read(cx, f, strerror(errno));
    if (more <= 0) break;
    done += (size_t)more;
  }
  guard_close(&cx->guard, &handle);
  f->text = text;
  *length = done;
  return status;
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

static Status check_text(Reading *r) {
  DataFile *f = r->file;
  if (f->length >= 3 && memcmp(f->text, "\xef\xbb\xbf", 3) == 0) f->text += 3, f->length -= 3;
  size_t length = f->length;
  r->end = f->text + length;
  bool is_wide =
      length >= 2 && (memcmp(f->text, "\xff\xfe", 2) == 0 || memcmp(f->text, "\xfe\xff", 2) == 0);
  if (!is_wide && !memchr(f->text, 0, length)) return QDOT_OK;
  Status status =
      complain(r->cx, f, QDOT_BAD_FILE,
               text_format(&r->cx->keep, "the data file '%s' is not a text file", f->name));
  if (is_wide) diag_note(r->cx, "it is UTF-16; save it as UTF-8 (or as CSV)");
  return status;
}

const char *data_folder(Arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? arena_copy(arena, path, slash == path ? 1 : (size_t)(slash - path)) : "";
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
  if (cx->limits.own_folder && strchr(name, '/')) {
    *out = NULL;
    return cannot_read(cx, f, "only files of the model's folder are read here");
  }
  Status status = load(&r, &f->length);
  if (status == QDOT_OK) status = check_text(&r);
  if (status == QDOT_OK) status = read_headings(&r);
  if (status == QDOT_OK) status = read_rows(&r);
  *out = status == QDOT_OK ? f : NULL;
  return status;
}

Status data_read(Context *cx, Arena *arena, const char *folder, const char *name, const Span *asked,
                 const DataFile **out) {
  const char *path =
      *name == '/' ? text_format(arena, "%s", name) : folder_path(arena, folder, name);
  return data_read_at(cx, arena, path, name, asked, out);
}
