// What values an expression can have while one symbol runs through an interval.
#ifndef QDOT_EXPR_VALUE_INTERVAL_H
#define QDOT_EXPR_VALUE_INTERVAL_H

#include "expr/node.h"

typedef struct Interval {
  double low, high;
} Interval;

// Expressions ready for this, children first. Every symbol but one has its value.
typedef struct IntervalTape IntervalTape;

// Memory from the arena, which is not the scratch arena; values come with interval_tape_use, by
// symbol_variable.
IntervalTape *interval_tape_new(Context *cx, Arena *arena, const Expr *roots, uint32_t n,
                                Expr symbol);
void interval_tape_use(IntervalTape *tape, const double *values);

// Bounds of every root, not always the closest ones; infinite where there is a pole. A point
// [a, a] gives the values there. Neither allocates nor fails.
void interval_tape_run(const IntervalTape *tape, Interval symbol, Interval *out);

#endif
