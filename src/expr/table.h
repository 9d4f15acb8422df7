// Tables of numbers: polynomials between knots, each table held once by its context.
//
// Pieces are numbered: 0 lies before the first knot, i between knots i - 1 and i, n behind the
// last; the outer two are level. In a periodic table any whole number is a piece, and 1 is the
// first.
#ifndef QDOT_EXPR_TABLE_H
#define QDOT_EXPR_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/context.h"

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

// Any pieces; equal tables have equal ids. inner has the n - 1 between the knots, as in a
// TableData; the level ones are added, `last` is the value behind the last knot. Periodic: the last
// knot is the first one again.
TableId table_from_pieces(Context *cx, uint32_t n, uint32_t degree, const double *x,
                          const double *inner, double last, bool is_periodic);

// Remembers which file a table was first read from; the name must live as long as the context.
void table_set_origin(Context *cx, TableId id, const char *file);
// Remembers the units in which a table was first written; texts as above, or NULL.
void table_set_units(Context *cx, TableId id, const char *x_unit, double x_factor,
                     const char *y_unit, double y_factor);
const TableData *table_get(const Context *cx, TableId id);
uint32_t table_count(const Context *cx);

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

// ---- How formulas show them

// Short ones with their points; others by a name, table_1 and slope_1.
bool table_is_short(const TableData *table);
// "table", "slope", and the like; with the table's number where it is not short.
const char *table_name(Context *cx, Arena *arena, TableId table, TableAspect aspect);

#endif
