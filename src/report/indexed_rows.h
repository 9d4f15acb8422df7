// Rows that `for` made, each a sum of terms, as one row with letters: what row i has of its own and
// of its neighbours, and what all numbers before and behind i add. Proved: the row with letters
// gives every row from `from` to `to`; those beside them are told apart.
// Sources: indexed_rows.c, indexed_sums.c
#ifndef QDOT_REPORT_INDEXED_ROWS_H
#define QDOT_REPORT_INDEXED_ROWS_H

#include "expr/node.h"
#include "print/typeset.h"

// Which other numbers a term has beside that of its row, i.
typedef enum RowShape {
  SHAPE_OWN,      // none
  SHAPE_UP,       // j, i < j
  SHAPE_DOWN,     // j, j < i
  SHAPE_UP_UP,    // j and k, i < j < k
  SHAPE_DOWN_UP,  // j < i < k
  SHAPE_DOWN_DOWN // j < k < i
} RowShape;

// Where a form occurs, and the number in front of it there.
typedef struct RowPlace {
  long row, others[2];
  Number number;
} RowPlace;

// Terms that are one with letters for numbers, their numbers in front left out.
typedef struct RowForm {
  Expr term;
  RowShape shape;
  bool is_apart;              // in the first or the last row alone
  bool is_near;               // its other numbers stand at one distance from the row
  long offsets[2];            // and these are the distances
  Number constant, slopes[2]; // in front: constant + slopes[0] i + slopes[1] j
  VEC(RowPlace) places;
} RowForm;

typedef struct IndexedRows {
  const char *letters[3]; // for the row and two other numbers
  long first, last;       // the numbers that there are
  bool is_single;         // one row that has no number itself
  long from, to;          // rows that the letters give
  VEC(RowForm) forms;
  const Expr *values; // as they were given, and the form that these have themselves from `from` to
  Expr general;       // `to`, or 0: brackets stay then
} IndexedRows;

enum { LEAST_ROWS = 4, MOST_ROWS = 40 };

// Of rows number first, first + 1 ...; or of one row without a number, where n is 1. letters, first
// and last are given. False where there is no such form, or it holds for too few of the rows.
bool indexed_rows(Context *cx, const Expr *values, uint32_t n, IndexedRows *rows);

// The row as an expression, in which new symbols stand for sums. number: of a row that stands
// apart, or NULL for the row with its letter. In the scratch arena.
Expr indexed_row(Context *cx, const IndexedRows *rows, const long *number, IndexedSums *sums);

// x[text] for x[...]; off: how far behind the row's letter it stands among terms.
Expr lettered_symbol(Context *cx, Expr symbol, const char *text, long off);
// Does the form give row `row` in full?
bool form_gives_row(Context *cx, const IndexedRows *rows, const RowForm *form, long row);
// The number in front of the term whose row and next number are these; 0 for a letter.
Number form_number(Context *cx, const RowForm *form, long row, long other);

#endif
