// Values of expressions that are asked for again and again: the bits of expr_eval_many, without
// walking the graph.
#ifndef QDOT_EXPR_VALUE_VALUE_TAPE_H
#define QDOT_EXPR_VALUE_VALUE_TAPE_H

#include "expr/node.h"

typedef struct ValueTape ValueTape;

// Memory from the arena, which is not the scratch arena.
ValueTape *value_tape_new(Context *cx, Arena *arena, const Expr *roots, uint32_t n);

// The value of every root. values: by symbol_variable. Neither allocates nor fails.
void value_tape_run(ValueTape *tape, const double *values, double *out);

#endif
