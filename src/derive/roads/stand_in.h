// The reader's form of expressions in momenta or quasi-velocities.
#ifndef QDOT_DERIVE_ROADS_STAND_IN_H
#define QDOT_DERIVE_ROADS_STAND_IN_H

#include "expr/algebra/simplify.h"

// Symbols, and the velocities or accelerations that stand in their place while forms are chosen:
// forms are sorted by velocities. The expressions do not contain those velocities.
typedef struct StandIn {
  const Expr *symbols, *velocities;
  uint32_t n;
} StandIn;

void simplify_with_stand_ins(Context *cx, const StandIn *pairs, uint32_t pair_count,
                             SimplifyLevel level, Expr *at, uint32_t n);
// The cheaper one of two forms of each, by expr_cost.
void keep_cheaper(Context *cx, Expr *at, const Expr *other, uint32_t n);

#endif
