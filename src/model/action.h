// What changes values at moments: samples of a controller, and events of the model's own.
#ifndef QDOT_MODEL_ACTION_H
#define QDOT_MODEL_ACTION_H

#include "expr/node.h"

// target = value, at a moment; the value sees what was before.
typedef struct Assignment {
  Expr target; // the symbol of an input, a coordinate, a velocity or a state
  Expr value;
  Span span;
} Assignment;

// sample every T delay D: assignments, a range of the model's.
typedef struct Sampling {
  Expr period, delay; // of parameters; delay is 0 (no expression) when there is none
  uint32_t first, count;
  Span span;
} Sampling;

// when CONDITION: assignments; stop when CONDITION.
typedef struct Occasion {
  Expr function;     // its zeros are the moments
  int direction;     // -1, +1: only where it falls, rises; 0: both
  bool is_condition; // positive where the condition holds: a jump of values may make it true, too
  Expr condition;    // that one; else what must hold at that moment as well, 0 when there is none
  bool stops;        // ends the run
  uint32_t first, count;
  const char *text; // the condition as it is written
  Span span;
} Occasion;

#endif
