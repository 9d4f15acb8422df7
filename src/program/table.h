// Tables of numbers: polynomials between knots.
//
// Pieces are numbered: 0 lies before the first knot, i between knots i - 1 and i, n behind the
// last; the outer two are level. In a periodic table any whole number is a piece, and 1 is the
// first.
#ifndef QDOT_PROGRAM_TABLE_H
#define QDOT_PROGRAM_TABLE_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t TableId;

enum { MOST_DEGREE = 3 };

typedef struct TableData {
  uint32_t n;           // knots, at least 2
  uint32_t degree;      // of the pieces: 1 straight, 3 cubic
  double period;        // 0: level outside of the knots
  double per_spacing;   // knots for each unit of the argument, on average
  double low, high;     // no value lies outside of these
  const double *x;      // n, ascending
  const double *pieces; // n + 1, each degree + 1 coefficients of powers of x - origin
  uint32_t hash;
  const char *origin; // the data file it comes from, or NULL
  // The units in which its places and values were written, and one of them in SI units; NULL: none.
  const char *x_unit, *y_unit;
  double x_factor, y_factor;
} TableData;

// What is asked of a table at x.
typedef enum TableAspect {
  TABLE_VALUE,
  TABLE_SLOPE,
  TABLE_BEND,  // second derivative
  TABLE_THIRD, // third derivative
  TABLE_SINCE, // x less the knot before it; 1 where there is none
  TABLE_UNTIL, // x less the knot behind it; -1 where there is none
  TABLE_PIECE, // the number of the piece
  TABLE_ASPECTS
} TableAspect;

// One piece, ready to be evaluated.
typedef struct TablePiece {
  double origin, c[MOST_DEGREE + 1];
  double lower, upper; // its knots
  bool has_lower, has_upper;
} TablePiece;

double table_piece_number(const TableData *table, double x);
TablePiece table_piece(const TableData *table, double number);

double table_value(const TableData *table, TableAspect aspect, double x);
// The value at knot i.
double table_at_knot(const TableData *table, uint32_t i);

// Sets low and high by the values at the knots and at the turning points of cubic pieces.
void table_find_range(TableData *table);

#endif
