// Routh's reduction: cyclic coordinates leave the equations, their momenta are constants.
//
//   p_c = dL/dq_c' = constant       of each cyclic coordinate, solved for its velocity
//   R   = L - sum p_c q_c'          Routh's function of the other coordinates, velocities and p_c
//   d/dt dR/dq_r' - dR/dq_r = Q_r - dR/dq_r' ... of the others alone
//   V_eff = -R where they rest      the effective potential
//
// Goldstein, Poole, Safko, Classical Mechanics, 3rd ed., 8.3; Landau, Lifshitz, Mechanics, 41.
// Sources: routh.c, routh_reduction.c
#ifndef QDOT_DERIVE_ROADS_ROUTH_H
#define QDOT_DERIVE_ROADS_ROUTH_H

#include "derive/system.h"
#include "expr/algebra/simplify.h"

typedef struct Routh {
  uint32_t n, states;
  uint32_t cyclic, rest;               // how many
  const uint32_t *cyclic_at, *rest_at; // numbers of coordinates
  const Expr *p;                       // symbols of the constant momenta (cyclic)
  Expr *momentum;                      // what they are, in velocities
  Expr *velocity;                      // of the cyclic coordinates, in the others, theirs and p
  Expr *below;                         // what each is divided by
  Expr function, effective;            // R, V_eff
  Expr *inertia;                       // d/dt dR/dq_r' - dR/dq_r (rest)
  Expr *force;                         // Q - D and the multipliers (rest)
  Expr *m;                             // of the rest's accelerations in `inertia`: rest x rest
  Expr *right;                         // m q_r'' = right
  Expr *state_rate;                    // of first-order states
} Routh;

// The system must have its matrices. A model without cyclic coordinates is a mistake, and so is one
// whose cyclic velocities do not follow from their momenta. All arrays in the keep arena.
Status routh_derive(Context *cx, const System *system, Routh *out);
// The left side of equation k: sum of m_kj q_j''.
Expr routh_left(Context *cx, const System *system, const Routh *routh, uint32_t k);
// e with momenta in place of cyclic velocities.
Expr routh_without_cyclic(Context *cx, const System *system, const Routh *routh, Expr e);

// The model of the other coordinates alone, momenta being parameters with the values that they have
// at the start; with_cyclic: cyclic coordinates are first-order states of it, else they are left
// out with all that asks for them. NULL where starts are found only by solving constraints, or
// where samples, events or contacts may change the momenta. In the keep arena.
Model *routh_reduction(Model *model, bool with_cyclic);

#endif
