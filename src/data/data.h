// Data files: rows of numbers as people, instruments and spreadsheets write them.
// Sources: data_file.c, data_columns.c
//
// Separators are commas, semicolons, tabs or blanks, whichever the first lines use; a decimal comma
// is understood where commas do not separate. Lines that begin with #, % or // are comments. A
// first line that is not all numbers has the headings, with units in brackets if there are any:
// "time [s]"; a line of units may follow it. Every row has as many cells as the first. Sources:
// data_file.c, data_columns.c
#ifndef QDOT_DATA_DATA_H
#define QDOT_DATA_DATA_H

#include <stdbool.h>

#include "base/context.h"
#include "data/cells.h"

typedef struct DataHeading {
  const char *name; // without its unit; "" where there is none
  const char *unit; // what stands in brackets behind it, or NULL
} DataHeading;

typedef struct DataFile {
  const char *name; // as it was asked for: what messages call it
  const char *path; // where it was found
  bool is_asked_at; // messages point at `asked`, a place in the model
  Span asked;
  const char *text; // the whole file, followed by a zero byte
  size_t length;    // of the text
  Layout layout;
  uint32_t columns, rows;
  bool has_headings;
  const DataHeading *headings; // of each column
  const uint32_t *starts;      // of each row: where its line begins in the text
  const double *values;        // row by row; NaN for gaps and for what is not a number
} DataFile;

// Reads a whole file into the arena. A name that is not absolute is looked for in `folder`. asked:
// where the model asks for it, or NULL. QDOT_IO: it cannot be read; QDOT_BAD_FILE: it is not such a
// table; QDOT_TOO_LARGE: more than 1 GiB, 10,000 columns, or a line of more than 1 MiB.
Status data_read(Context *cx, Arena *arena, const char *folder, const char *name, const Span *asked,
                 const DataFile **out);
// The same with a file that lies elsewhere than its name says.
Status data_read_at(Context *cx, Arena *arena, const char *path, const char *name,
                    const Span *asked, const DataFile **out);
// The name under which a result keeps the file that its model names as number i, from 1.
const char *data_stored_name(Arena *arena, uint32_t i);

// The column with this heading, with or without the unit behind it; fails with the headings there
// are.
Status data_column_named(Context *cx, const DataFile *file, const char *heading, uint32_t *out);
// The column with this number, counted from 1.
Status data_column_number(Context *cx, const DataFile *file, double number, uint32_t *out);
// What messages call a column: "column 2 (height)".
const char *data_column_name(Arena *arena, const DataFile *file, uint32_t column);

// All values of a column in the arena, in the order of the rows. A cell that is not a number, or
// not finite, is an error with its line and column; so is a gap, unless gaps are allowed: then it
// is NaN.
Status data_values(Context *cx, Arena *arena, const DataFile *file, uint32_t column,
                   bool allows_gaps, const double **out);
// Fails at the first row whose value in a column is not above that of the row before it.
Status data_need_ascending(Context *cx, const DataFile *file, uint32_t column);
// The text of a cell as it stands in the file, in the arena.
const char *data_text(Arena *arena, const DataFile *file, uint32_t row, uint32_t column);

// An error about a cell: "road.csv:17:9: column 2 (height): WHAT".
Status data_error(Context *cx, const DataFile *file, uint32_t row, uint32_t column,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
