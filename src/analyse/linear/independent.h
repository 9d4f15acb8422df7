// The choice of independent coordinates at a state, and how the others follow them.
//
// Holonomic rows leave p of the n coordinates independent: dq = R dz. Nonholonomic rows leave f of
// their p velocities: dz' = W ds + Y dz, s the velocities of the first f. Without nonholonomic rows
// f = p, W is the unit matrix and Y is 0.
#ifndef QDOT_ANALYSE_LINEAR_INDEPENDENT_H
#define QDOT_ANALYSE_LINEAR_INDEPENDENT_H

#include "analyse/equilibrium/steady.h"

// The rows of a state, split by kind, as numbers.
typedef struct RowNumbers {
  uint32_t n, holonomic, nonholonomic;
  uint32_t
      positions;  // of the holonomic rows, those stated for positions: first, also to carry loads
  uint32_t *row;  // place among the balance's rows: holonomic ones first
  double *Phi_q;  // (holonomic + nonholonomic) x n
  double *rate_q; // nonholonomic x n: derivative of the velocity row by q
  double *scale;  // n: columns are multiplied by it before pivots are compared
} RowNumbers;

typedef struct Independent {
  uint32_t n, p, f;
  uint32_t *z;    // p: numbers of coordinates; the first f have independent velocities
  uint32_t *y;    // n - p: the dependent coordinates, in the order of holonomic pivots
  uint32_t *rows; // n - f: the rows kept, as places in RowNumbers: n - p holonomic ones first
  double worst;   // the smallest pivot relative to the largest entry
  double next;    // the first entry that was taken for 0, relative; 0 when there is none
} Independent;

// wished: coordinates that must stay independent (f or p of them), or NULL.
// QDOT_SINGULAR when the request leaves the others undetermined.
Status independent_choose(Arena *arena, const RowNumbers *rows, const uint32_t *wished,
                          uint32_t wished_count, Independent *out);

#endif
