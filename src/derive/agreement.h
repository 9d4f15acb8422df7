// Proves that two formulations of a mechanism have the same equations.
//
// y(q) puts the coordinates of one system into those of another. With r = M q'' + h + D + G - Q,
//   (dy/dq)^T r_y(y(q)) = r_q        for all q, q', q'' and parameters,
// every constraint of y either vanishes at y(q) by itself or is one of q's, and no other is left:
// then both describe the same motions, with forces that do no work on them left out.
#ifndef QDOT_DERIVE_AGREEMENT_H
#define QDOT_DERIVE_AGREEMENT_H

#include "derive/system.h"
#include "expr/algebra/equal.h"

typedef struct Agreement {
  Equality equality;
  Evidence evidence;   // the weakest of all
  const char *where;   // what differs or is not decided: a coordinate or a constraint; else NULL
  uint32_t identities; // that were decided
  uint32_t satisfied;  // constraints that y(q) satisfies by itself
  uint32_t shared;     // constraints and contacts that both have
} Agreement;

// y: for each coordinate of `other` an expression in the coordinates of `reference`. Both systems
// belong to the context.
Agreement agreement_prove(Context *cx, System *reference, System *other, const Expr *y);

// All expressions are 0 for all values.
Agreement agreement_vanish(Context *cx, const Expr *at, uint32_t n);

// What stands in `poses` (3 a body of the model's origin) put into the meanings of the coordinates
// of a formulated model; in the keep arena.
const Expr *agreement_coordinates(Context *cx, const Model *model, const Expr *poses);

// Both hold: the weaker evidence, the sum of the counts.
Agreement agreement_and(Agreement a, Agreement b);

#endif
