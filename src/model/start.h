// Where a coordinate, velocity or pose starts.
#ifndef QDOT_MODEL_START_H
#define QDOT_MODEL_START_H

#include "expr/node.h"

typedef enum InitialKind { INITIAL_NONE, INITIAL_GIVEN, INITIAL_GUESS } InitialKind;

// '=' is kept, '~' may be moved, none is a guess of 0.
typedef struct Initial {
  InitialKind kind;
  Expr value; // only parameters occur in it; 0 (no expression) when there is none
  Span span;  // of the value
} Initial;

#endif
