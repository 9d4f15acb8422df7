// How much there is to read: the measure by which forms of an expression are compared.
#ifndef QDOT_EXPR_ALGEBRA_COST_H
#define QDOT_EXPR_ALGEBRA_COST_H

#include "expr/walk.h"

// The expression as written text: 2 for a name, 1 for a number, an exponent, a sign between terms
// or a bracket, 2 for a function besides its argument, 5 more for a multiple of an angle (two
// functions of the plain angle read better). A named definition is a name; an unnamed one is
// written out. Shared parts count as often as they are written.
double expr_cost(Context *cx, Expr e);
// The same, but every let that e needs is also written out, once; its time derivatives are not.
double expr_cost_with_definitions(Context *cx, Expr e);

// The cost of one node from that of its children: costs->at[memo_get(costs->index, child) - 1].
typedef struct Costs {
  const ExprMemo *index;
  const double *at;
} Costs;
double expr_node_cost(Context *cx, Expr e, const Costs *costs);

#endif
