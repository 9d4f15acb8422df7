// The functions that expressions may call.
#ifndef QDOT_LANG_PARSE_CALL_H
#define QDOT_LANG_PARSE_CALL_H

#include "expr/node.h"

typedef enum FunctionKind {
  FUNCTION_PURE,  // arguments and value are pure numbers
  FUNCTION_ALIKE, // arguments alike; the value is like them
  FUNCTION_RATIO, // arguments alike; the value is pure
  FUNCTION_SQRT,
  FUNCTION_IF,
  FUNCTION_TABLE,
  FUNCTION_DOT,
  FUNCTION_CROSS,
  FUNCTION_NORM,
  FUNCTION_ROTATE, // angle, vector; the axis is in .axis
  FUNCTION_REDUCE, // of a whole run, in a measure; which one is in .axis
} FunctionKind;

typedef struct Function {
  const char *name;
  FunctionKind kind;
  Op op;    // of a scalar function
  int axis; // 0 x, 1 y, 2 z, 3 in the plane; a ReductionKind
  uint32_t least, most;
  const char *usage; // "atan2(y, x)"
} Function;

// NULL when there is none.
const Function *function_find(const char *name);
// The same without what stands in measures only.
const Function *function_find_plain(const char *name);
const char *function_nearest(const char *name);

#endif
