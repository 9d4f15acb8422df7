// The passes of a derivation; system.c runs them in order.
// Sources: constraint.c, energy.c
#ifndef QDOT_DERIVE_DERIVE_H
#define QDOT_DERIVE_DERIVE_H

#include "derive/system.h"

void derive_energies(Context *cx, System *s);      // T, V, R, energy, L_t
void derive_forces(Context *cx, System *s);        // G, D, Q, power
Status derive_constraints(Context *cx, System *s); // rows and contacts

// The zero-acceleration value: every q'' inside becomes 0, also behind definitions.
void derive_without_acceleration(Context *cx, const System *s, const Expr *in, size_t count,
                                 Expr *out);

// Definitions that become unknowns of the lifted form; the others are opened where they move.
typedef struct Lifting {
  ExprList definitions; // of order 0, ascending; in the keep arena
  const Expr *z, *zd, *zdd;
  uint32_t count; // coordinates and definitions
} Lifting;

// roots: all expressions of the system, rewritten so that only liftable definitions remain.
Lifting derive_lifting(Context *cx, const System *s, Expr *roots, size_t count);

// Local derivatives of e by every z and z'; in the scratch arena.
typedef struct Slopes {
  const Expr *by_z, *by_zd;
} Slopes;
Slopes derive_slopes(Context *cx, const Lifting *lift, Expr e);

#endif
