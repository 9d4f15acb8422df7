// The operators that expressions and tapes are made of: their numbers of arguments, spellings,
// values and slopes.
#ifndef QDOT_PROGRAM_OP_H
#define QDOT_PROGRAM_OP_H

#include <stdbool.h>

typedef enum Op {
  OP_NONE,
  OP_UNDEFINED, // 1/0, sqrt(-1): absorbs everything around it
  OP_NUMBER,
  OP_PI,
  OP_SYMBOL,
  OP_DEFINITION, // a let, or a part kept shared: the value of its body
  OP_SUM,        // number + sum of number[i] * arg[i]
  OP_PRODUCT,    // number * product of arg[i] ^ number[i]
  OP_TABLE,      // a function of one argument by a table of numbers
#define OP(name, arity, text, c, tex) OP_##name,
#include "program/ops.def"
#undef OP
  OP_COUNT
} Op;

int op_arity(Op op);        // of a function, else 0
const char *op_text(Op op); // the language's spelling of a function
static inline bool op_is_function(Op op) { return op > OP_PRODUCT && op < OP_COUNT; }
static inline bool op_is_truth(Op op) { return op >= OP_LT && op <= OP_NOT; }

// The value of one function, given its arguments.
double op_value(Op op, const double *args);
// What |df/da| of a function of one argument is at most, near a where it has that value.
double op_slope(Op op, double a, double value);
// base^exponent as factors of a product have it: square roots and small whole powers without pow.
double power_value(double base, double exponent);

#endif
