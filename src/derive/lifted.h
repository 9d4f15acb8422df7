// The lifted equations: every definition that depends on the coordinates is an unknown of its own,
// tied to the others by its definition. All derivatives are local, so the whole is sparse:
//
//   H z'' + J^T mu + Phi_z^T lambda = f       z = (q, w)
//   J z'' = b          rows w_k'' - sum of dW_k/dz_j z_j'' = b_k
//   Phi_z z'' = gamma
#ifndef QDOT_DERIVE_LIFTED_H
#define QDOT_DERIVE_LIFTED_H

#include "expr/walk.h"

typedef struct Entry {
  uint32_t row, column;
  Expr value;
} Entry;

typedef VEC(Entry) Entries;

typedef struct Lifted {
  uint32_t n; // coordinates: z_0 .. z_(n-1)
  uint32_t m; // definitions: z_n .. z_(n+m-1), in an order in which each uses only earlier ones
  const Expr *z, *zd, *zdd; // symbols and definition nodes
  Entries H;                // row >= column only
  Expr *f;                  // n + m
  Entries J;                // row k: -dW_k/dz_j; the unit at w_k is not listed
  Expr *b;                  // m
  Entries constraints;      // row r: dPhi_r/dz_j, for the system's rows
  Expr *gamma;              // one a row
  Entries contacts;         // the same for contacts
  Expr *contact_gamma;
} Lifted;

#endif
