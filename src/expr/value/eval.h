// Reference evaluation in doubles: slow, plain, and what everything faster is compared with.
#ifndef QDOT_EXPR_VALUE_EVAL_H
#define QDOT_EXPR_VALUE_EVAL_H

#include "expr/node.h"

// values[symbol_variable(s)] is the value of symbol s. Undefined parts give NaN.
double expr_eval(Context *cx, Expr e, const double *values);
void expr_eval_many(Context *cx, const Expr *roots, size_t n, const double *values, double *out);

#endif
