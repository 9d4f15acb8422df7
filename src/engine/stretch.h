// The motion between two moments without an event in between: every column as a polynomial.
#ifndef QDOT_ENGINE_STRETCH_H
#define QDOT_ENGINE_STRETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STRETCH_MOST_NODES = 8 };

// Rows at the nodes, which lie as Chebyshev's (Lobatto's form) do: the first at the beginning, the
// last at the end. The first column is the time.
typedef struct Stretch {
  uint32_t nodes, columns; // nodes: 2, 3, 5 or 8
  bool jumps;              // begins behind an event: other values than at the end before
  const double *cells;     // nodes x columns
} Stretch;

double stretch_begin(const Stretch *stretch);
double stretch_end(const Stretch *stretch);
// Where node i lies, from 0 to 1.
double stretch_node(uint32_t nodes, uint32_t i);

// At a time inside: one column, or all of them.
double stretch_value(const Stretch *stretch, uint32_t column, double t);
void stretch_row(const Stretch *stretch, double t, double *row);
// Does every column pass by a row's value at its time, within near times the column's size? What is
// no number cannot be followed.
bool stretch_follows(const Stretch *stretch, const double *row, const double *sizes, double near);

// The least and the greatest value of a column, and when; NAN where there was none.
typedef struct Extremes {
  double least, t_least, most, t_most;
} Extremes;

Extremes extremes_none(void);
// What knows columns better than the polynomials do.
typedef struct ExactRows {
  const double *(*row)(void *user, double t); // at a time inside; NULL where there is none
  void *user;
  const double *sizes; // of the columns: what is less than a billionth beyond is not looked at
  int left;            // so many rows may be asked for
} ExactRows;

// Widens the extremes of every column by what the stretch reaches, also between its nodes: when, is
// said by the polynomials, and how far by exact rows. Without these, NULL, by the polynomials.
void extremes_widen(Extremes *extremes, const Stretch *stretch, ExactRows *exact);

// Between what values a column lies at the nodes; these are of no meaning where not all are finite.
typedef struct ColumnRange {
  double least, most;
  bool is_finite;
} ColumnRange;
ColumnRange column_range(const double *values, uint32_t n);
// Slopes from values: at every node, and so many times from node to node, where they are looked at.
// Per length of the stretch.
enum { STRETCH_LOOKS = 4, STRETCH_MOST_LOOKS = STRETCH_LOOKS * (STRETCH_MOST_NODES - 1) };
typedef struct Looks {
  uint32_t nodes;
  double at_node[STRETCH_MOST_NODES][STRETCH_MOST_NODES];
  double at[STRETCH_MOST_LOOKS], between[STRETCH_MOST_NODES][STRETCH_MOST_LOOKS];
} Looks;
const Looks *stretch_looks(uint32_t nodes);

// How far beyond the range of its values at the nodes a polynomial may be, in parts of that range:
// half of Lebesgue's constant less one, which is 2.202 for eight nodes and less for fewer.
#define STRETCH_MOST_BEYOND 0.605

// Nobody asks for the least where it is -INFINITY, nor for the most where it is INFINITY.
// The same for one column, given by its values at as many nodes as there are at most, their range,
// and the times of these; by the polynomials.
void extremes_widen_column(Extremes *extremes, const double *times, const double *values,
                           const ColumnRange *range);
void extremes_widen_by_value(Extremes *extremes, double t, double value);

#endif
