// How large the numbers are that an expression is computed from, whatever is left of them.
//
// The size of a sum is the sum of the sizes of its terms, so that a + b - c keeps its size where
// it is zero; a sine or cosine has the size 1 at least, wherever its angle happens to be. The
// rounding error of the expression is a few 1e-16 of its size: a size measures residuals.
#ifndef QDOT_EXPR_VALUE_SIZE_H
#define QDOT_EXPR_VALUE_SIZE_H

#include "expr/node.h"

typedef struct SizeTape SizeTape;

// Memory from the arena, which is not the scratch arena.
SizeTape *size_tape_new(Context *cx, Arena *arena, const Expr *roots, uint32_t n);

// The size of every root. values: by symbol_variable. floors: sizes that symbols have at least, by
// symbol_variable, or NULL. What has no finite size has the size of its value. Neither allocates
// nor fails.
void size_tape_run(SizeTape *tape, const double *values, const double *floors, double *out);

#endif
