// Vectors and matrices whose entries `for` made, as formulas with letters.
#ifndef QDOT_REPORT_INDEXED_MATRIX_H
#define QDOT_REPORT_INDEXED_MATRIX_H

#include "expr/walk.h"
#include "report/indexed.h"
#include "report/indexed_rows.h"

// Coordinates of one line of the model, number by number; or one alone.
typedef struct Family {
  const char *name; // of its first
  long first;       // its number
  uint32_t n;
  uint32_t *places; // among the coordinates
} Family;

// All coordinates, where there are numbered ones, all with the same numbers.
typedef struct Families {
  VEC(Family) list;
  const char *letters[3];
  long first, last;
} Families;
bool model_families(const Model *model, Families *out);

// The rows of values by coordinate that belong to the i-th family.
bool family_rows(Context *cx, const Families *all, uint32_t i, const Expr *values,
                 IndexedRows *rows);

// left = row, displayed, for the row with its letter and for those that stand apart, of `count` in
// all. left: what to write in front for a row with this number or letter.
typedef void RowLeft(Formula *f, const void *argument, const char *row);
void document_indexed_rows(Document *d, const IndexedRows *rows, long count, RowLeft *left,
                           const void *argument);
// x[number] for x[1]; names without a number stay.
const char *numbered_name(Context *cx, const char *name, const char *number);

// name_i = ..., displayed, and the rows that stand apart; false where nothing is, since there is no
// such form. values: by coordinate.
bool document_indexed_vector(Document *d, const Model *model, const char *name, const Expr *values);

// M_ij = ..., i < j, and M_ii, displayed; or the diagonal and what is next to it. symmetric: of
// what is below the diagonal nothing need be said.
bool document_indexed_matrix(Document *d, const Model *model, const char *name, const Expr *values,
                             uint32_t n, bool symmetric);

// The entry of a matrix beside its diagonal: what stands at (row, column) for all row < column, or
// for all row > column; false where they have no one form. rows: to be used with its letters.
bool indexed_beside(Context *cx, const Expr *values, uint32_t n, bool above, IndexedRows *rows);
Expr indexed_entry(Context *cx, const IndexedRows *rows, IndexedSums *sums);

#endif
