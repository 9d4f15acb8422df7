// A matrix whose entries `for` made, as one formula for the diagonal and one beside it.
#ifndef QDOT_REPORT_INDEXED_MATRIX_H
#define QDOT_REPORT_INDEXED_MATRIX_H

#include "report/indexed.h"

// An entry: what it has of its own numbers, and what each larger number k adds. Of numbers without
// larger ones the latter is open, 0.
typedef struct IndexedEntry {
  Expr own, added;
} IndexedEntry;

typedef struct IndexedMatrix {
  const char *letters[3];  // for the row, the column and the numbers behind both
  long first, last;        // numbers
  IndexedEntry on, beside; // the diagonal: with the first letter alone; above it: row < column
} IndexedMatrix;

// Proves that every entry on and above the diagonal of an n by n matrix is of one form: false
// where it is not. letters are given; first: the number of the first row.
bool indexed_matrix(Context *cx, const Expr *values, uint32_t n, long first, IndexedMatrix *matrix);

// M_ij = ..., i < j, and M_ii, displayed; false where nothing is, since there is no such form.
bool document_indexed_matrix(Document *d, const Model *model, const char *name, const Expr *values,
                             uint32_t n);

#endif
