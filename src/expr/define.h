// Definition nodes: a named let, its time derivatives, or an unnamed part that stays shared.
//
// A definition is opaque to the constructors; opening it is an act. Its time derivative is again a
// definition (of order + 1), so that chains of definitions never grow.
#ifndef QDOT_EXPR_DEFINE_H
#define QDOT_EXPR_DEFINE_H

#include "expr/node.h"

// A let. A body that is a leaf or has no value is returned as it is.
Expr expr_define(Context *cx, Symbol name, Expr body);
// e itself when it is small, else an unnamed definition of it; factors that all terms of a sum
// share stay outside, so that sums of the same shape become the same node.
Expr expr_hold(Context *cx, Expr e);

static inline bool expr_is_definition(const Context *cx, Expr e) {
  return op_of(cx, e) == OP_DEFINITION;
}
Expr definition_body(const Context *cx, Expr e);
Symbol definition_name(const Context *cx, Expr e); // 0 when unnamed
int definition_order(const Context *cx, Expr e);   // how often differentiated
Expr definition_base(const Context *cx, Expr e);   // the let that was differentiated; e at order 0

// A node as it stands: order times the derivative of base, 0 for a let itself.
Expr definition_new(Context *cx, Symbol name, int order, Expr base, Expr body);

#endif
