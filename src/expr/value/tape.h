// Expressions laid out for evaluations of another kind than by doubles: children first, numbers
// converted.
#ifndef QDOT_EXPR_VALUE_TAPE_H
#define QDOT_EXPR_VALUE_TAPE_H

#include "expr/node.h"

typedef struct TapeStep {
  Op op;
  Expr expr;             // what the step stands for
  uint32_t count;        // of args
  uint32_t variable;     // of a symbol
  double number;         // value, constant term or coefficient; NAN where there is none
  const uint32_t *args;  // places on the tape
  const double *numbers; // coefficients or exponents
  const TableData *table;
  TableAspect aspect; // of the table
} TapeStep;

typedef struct Tape {
  const TapeStep *steps;
  uint32_t n, root_count;
  const uint32_t *roots; // places
} Tape;

// Memory from the arena, which is not the scratch arena.
Tape tape_new(Context *cx, Arena *arena, const Expr *roots, uint32_t n);

#endif
