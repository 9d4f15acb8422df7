// The reader's form: what a textbook would print.
//
//   open definitions, but for named roots -> expand (own sines and cosines | multi-angle)
//   -> collect by velocities
//   -> per coefficient: shorten, factor, group -> the cheapest by expr_cost
//
// The result equals what came in for all values and costs no more to read; where expansion would
// swell, what came in is returned, definitions and all.
#ifndef QDOT_EXPR_ALGEBRA_SIMPLIFY_H
#define QDOT_EXPR_ALGEBRA_SIMPLIFY_H

#include "expr/node.h"

typedef enum SimplifyLevel {
  SIMPLIFY_NONE,   // as it comes
  SIMPLIFY_NORMAL, // quick: at most 50,000 term operations an expression, a million a call
  SIMPLIFY_FULL    // patient: twenty times as many
} SimplifyLevel;

Expr expr_simplify(Context *cx, Expr e, SimplifyLevel level);
// The same for many: common parts are expanded once. out may be exprs.
void expr_simplify_many(Context *cx, const Expr *exprs, size_t n, SimplifyLevel level, Expr *out);

#endif
