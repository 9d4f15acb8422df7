// Lines, cells and numbers of a data file.
#include "data/cells.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/words/digits.h"

// ---- Lines

bool line_next(const char **at, const char *text_end, Line *line) {
  if (*at >= text_end) return false;
  const char *end = memchr(*at, '\n', (size_t)(text_end - *at));
  line->begin = *at;
  line->number++;
  *at = end ? end + 1 : text_end;
  if (!end) end = text_end;
  // a carriage return alone, as in files of old, is not an end of line
  line->end = end > line->begin && end[-1] == '\r' ? end - 1 : end;
  return true;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f'; }

static const char *skip_blanks(const char *at, const char *end) {
  while (at < end && is_blank(*at)) at++;
  return at;
}

bool line_is_comment(Line line) {
  const char *at = skip_blanks(line.begin, line.end);
  return at < line.end && (*at == '#' || *at == '%' || (*at == '/' && at[1] == '/'));
}

bool line_is_idle(Line line) {
  return skip_blanks(line.begin, line.end) == line.end || line_is_comment(line);
}

// ---- Cells

// Behind the quote that closes what opens at `at`; line_end when none does.
static const char *skip_quoted(const char *at, const char *line_end) {
  for (at++; at < line_end; at++) {
    if (*at != '"') continue;
    if (at + 1 < line_end && at[1] == '"')
      at++;
    else
      return at + 1;
  }
  return line_end;
}

static bool is_unit(const char *at, const char *end) {
  return at < end && (*at == '[' || *at == '(');
}

// The end of a word between blanks; that of a heading takes its unit along.
static const char *word_end(bool headings, const char *at, const char *line_end) {
  if (*at == '"') return skip_quoted(at, line_end);
  char closing = 0;
  for (; at < line_end; at++) {
    if (headings && !closing && is_unit(at, line_end)) closing = *at == '[' ? ']' : ')';
    if (closing && *at == closing) closing = 0;
    if (is_blank(*at) && !closing) break;
  }
  const char *next = skip_blanks(at, line_end);
  if (headings && is_unit(next, line_end)) return word_end(headings, next, line_end);
  return at;
}

static const char *field_end(Layout layout, const char *at, const char *line_end) {
  const char *from = skip_blanks(at, line_end);
  if (layout.separator != '\t' && from < line_end && *from == '"') at = skip_quoted(from, line_end);
  if (layout.separator == '\t' && at < line_end && *at == '"') at = skip_quoted(at, line_end);
  const char *end = memchr(at, layout.separator, (size_t)(line_end - at));
  return end ? end : line_end;
}

bool cell_next(Layout layout, bool headings, const char **at, const char *line_end,
               DataCell *cell) {
  if (!*at) return false;
  const char *from = skip_blanks(*at, line_end), *end;
  if (layout.separator == ' ') {
    if (from == line_end) return false;
    end = word_end(headings, from, line_end);
    *at = end;
  } else {
    if (layout.separator == '\t') from = *at;
    end = field_end(layout, *at, line_end);
    *at = end < line_end ? end + 1 : NULL;
    while (from < end && is_blank(*from)) from++;
    while (end > from && is_blank(end[-1])) end--;
  }
  cell->is_quoted = end - from >= 2 && *from == '"' && end[-1] == '"';
  cell->begin = from + cell->is_quoted;
  cell->end = end - cell->is_quoted;
  return true;
}

uint32_t cell_count(Layout layout, bool headings, Line line) {
  uint32_t n = 0;
  DataCell cell;
  for (const char *at = line.begin; cell_next(layout, headings, &at, line.end, &cell);) n++;
  return n;
}

// ---- Numbers

static bool is_gap(const char *at, size_t n) {
  static const char *const words[] = {"", "nan", "na", "n/a", "null", "none", "-", "--", "?"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i]) == n && strncasecmp(words[i], at, n) == 0) return true;
  return n == 4 && (strncasecmp(at, "-nan", n) == 0 || strncasecmp(at, "+nan", n) == 0);
}

static bool is_infinite(const char *at, size_t n) {
  if (n && (*at == '-' || *at == '+')) at++, n--;
  return (n == 3 && strncasecmp(at, "inf", 3) == 0) ||
         (n == 8 && strncasecmp(at, "infinity", 8) == 0);
}

// Digits with signs, points and exponents only; in which commas and Fortran's D are replaced.
static bool spell_plainly(const char *from, size_t n, bool takes_commas, char *out) {
  for (size_t i = 0; i < n; i++) {
    char c = from[i];
    if (c == ',' && takes_commas) c = '.';
    if (c == 'd' || c == 'D') c = 'e';
    if (!((c >= '0' && c <= '9') || c == '.' || c == 'e' || c == 'E' || c == '-' || c == '+'))
      return false;
    out[i] = c;
  }
  out[n] = 0;
  return true;
}

CellKind cell_read(Layout layout, DataCell cell, double *value, char *decimal) {
  enum { LONGEST = 400 }; // a double written out in full has fewer digits
  char plain[LONGEST + 1];
  size_t n = (size_t)(cell.end - cell.begin);
  *value = NAN;
  if (is_gap(cell.begin, n)) return CELL_GAP;
  if (is_infinite(cell.begin, n)) return CELL_HUGE;
  bool takes_commas = layout.separator != ',' || cell.is_quoted;
  if (n > LONGEST || !spell_plainly(cell.begin, n, takes_commas, plain)) return CELL_TEXT;
  const char *end;
  double read = digits_read(plain, &end);
  if (end != plain + n) return CELL_TEXT;
  if (!isfinite(read)) return CELL_HUGE;
  if (memchr(cell.begin, ',', n)) *decimal = ',';
  if (memchr(cell.begin, '.', n)) *decimal = '.';
  *value = read;
  return CELL_NUMBER;
}

// ---- What separates them

static bool has(Line line, char c) {
  return memchr(line.begin, c, (size_t)(line.end - line.begin)) != NULL;
}

// "0,5 1,25": numbers with decimal commas between blanks.
static bool has_decimal_commas(Line line) {
  Layout blanks = {' '};
  uint32_t n = 0, commas = 0;
  DataCell cell;
  for (const char *at = line.begin; cell_next(blanks, false, &at, line.end, &cell); n++) {
    double value;
    char decimal = 0;
    if (cell_read(blanks, cell, &value, &decimal) != CELL_NUMBER) return false;
    const char *comma = memchr(cell.begin, ',', (size_t)(cell.end - cell.begin));
    if (comma && (comma == cell.begin || comma + 1 == cell.end)) return false;
    commas += comma != NULL;
  }
  return n > 1 && commas > 0;
}

Layout layout_of(Line first, Line second) {
  if (has(first, ';')) return (Layout){';'};
  if (has(first, '\t')) return (Layout){'\t'};
  bool commas = has(first, ',') && !has_decimal_commas(first) && !has_decimal_commas(second);
  return (Layout){commas ? ',' : ' '};
}
