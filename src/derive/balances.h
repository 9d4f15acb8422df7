// Newton's and Euler's equations of the parts of a mechanism: what each joint of the spanning tree
// carries is cut free, and the joint does no work in the balance that is taken.
#ifndef QDOT_DERIVE_BALANCES_H
#define QDOT_DERIVE_BALANCES_H

#include "expr/node.h"

typedef enum BalanceKind {
  BALANCE_MOMENT, // angular momentum about the joint's pin, or about a floating body's centre
  BALANCE_FORCE   // linear momentum along the joint's slide, or along x or y
} BalanceKind;

// The terms of one balance, all moved to one side, in the model's coordinates:
// inertia + G + D - Q + constraint forces = 0.
typedef struct MomentumBalance {
  BalanceKind kind;
  Symbol joint;        // 0 for a floating body
  Symbol body;         // the first of the outboard part
  uint32_t coordinate; // that the joint leaves free
  Expr inertia, G, D, Q;
} MomentumBalance;

// Balances, and what they give for every coordinate of the model.
typedef struct Balances {
  const MomentumBalance *at;
  uint32_t n;
  const Expr *inertia, *G, *D, *Q; // by coordinate
} Balances;

#endif
