// Expressions laid out as a list of steps, arguments first, evaluated in doubles one step after the
// other: values, sizes, bounds over an interval.
//
// A tape is an immutable record of arrays that any number of threads run, each in room of its own.
// The room holds nothing between runs; no run allocates or fails.
// Sources: tape_values.c, tape_select.c, tape_sizes.c, tape_intervals.c
#ifndef QDOT_PROGRAM_TAPE_H
#define QDOT_PROGRAM_TAPE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "program/op.h"
#include "program/table.h"

typedef struct TapeStep {
  Op op;
  uint32_t variable;     // of a symbol: its place among the values
  double number;         // value, constant term or coefficient; NAN where there is none
  uint32_t first, count; // of its args
  uint32_t twin;         // of a sine the cosine of the same, and the other way round; 0 for none
  uint32_t table;        // among those of the tape
  TableAspect aspect;    // of the table
} TapeStep;

typedef struct Tape {
  uint32_t n, arg_count, table_count, root_count;
  const TapeStep *steps;
  const uint32_t *args;  // steps, each before the one that takes it
  const double *numbers; // beside args: coefficients or exponents
  const uint32_t *roots; // the steps whose results are put out
  const TableData *const *tables;
} Tape;

// The value of every root: the bits that walking the expressions gives.
size_t tape_values_room(const Tape *tape); // doubles
void tape_values(const Tape *tape, const double *values, double *room, double *out);

// How large the numbers are that every root is computed from, whatever is left of them.
//
// The size of a sum is the sum of the sizes of its terms, so that a + b - c keeps its size where
// it is zero; a sine or cosine has the size 1 at least, wherever its angle happens to be. The
// rounding error of the root is a few 1e-16 of its size: a size measures residuals.
// floors: sizes that variables have at least, or NULL. What has no finite size has the size of its
// value.
size_t tape_sizes_room(const Tape *tape); // doubles
void tape_sizes(const Tape *tape, const double *values, const double *floors, double *room,
                double *out);

typedef struct Interval {
  double low, high;
} Interval;

// Bounds of every root while one variable runs through an interval and the others keep their
// values. Not always the closest ones; infinite where there is a pole. A point [a, a] gives the
// values there.
size_t tape_intervals_room(const Tape *tape); // doubles
void tape_intervals(const Tape *tape, const double *values, uint32_t variable, Interval along,
                    double *room, Interval *out);

// A tape of these roots of another one alone, with the steps that they take: the same bits. In the
// arena, which is not scratch; the tables stay shared.
const Tape *tape_select(Arena *arena, Arena *scratch, const Tape *tape, const uint32_t *roots,
                        uint32_t n);

#endif
