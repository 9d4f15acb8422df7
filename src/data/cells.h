// The cells of a line, and the numbers in them.
#ifndef QDOT_DATA_CELLS_H
#define QDOT_DATA_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Layout {
  char separator; // ',', ';', '\t', or ' ' for any number of blanks
} Layout;

typedef struct Line {
  const char *begin, *end; // without the line's end
  uint32_t number;         // from 1
} Line;

// The line at *at, which then points at the next one; false at the end of the text.
bool line_next(const char **at, const char *text_end, Line *line);
bool line_is_comment(Line line);
// Blank ones and comments.
bool line_is_idle(Line line);

typedef struct DataCell {
  const char *begin, *end; // without blanks and quotes around it
  bool is_quoted;
} DataCell;

// The cell at *at, which then points behind its separator. Call it until it answers false.
// headings: "[s]" behind blanks belongs to the name before it.
bool cell_next(Layout layout, bool headings, const char **at, const char *line_end, DataCell *cell);
// How many cells a line has; an empty one behind a last separator counts.
uint32_t cell_count(Layout layout, bool headings, Line line);

typedef enum CellKind {
  CELL_NUMBER,
  CELL_GAP,  // empty, or a word for a missing value: nan, NA, null, -
  CELL_HUGE, // a number beyond the range of doubles, or infinite
  CELL_TEXT
} CellKind;

// *decimal becomes '.' or ',' when the number has one.
CellKind cell_read(Layout layout, DataCell cell, double *value, char *decimal);

// What separates the cells of a file, by its first two lines that are neither blank nor comments;
// second may be empty.
Layout layout_of(Line first, Line second);

#endif
