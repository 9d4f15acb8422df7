// Infinitesimal symmetries of a system that are affine in coordinates and time.
//
// X: t -> t + e tau, q -> q + e xi is one when pr X(L) + L dtau/dt = dF/dt for some F(t, q). With
// the characteristic Q = xi - q' tau and Lagrange's expressions E_j = d/dt dL/dq_j' - dL/dq_j this
// says that Q_j E_j is annulled by Euler's operator, which is linear in the unknown coefficients
// and needs no F (Olver, Applications of Lie Groups to Differential Equations, 2nd ed., 4.4
// and 5.4; E is self-adjoint). Besides, forces without a potential must do no work along Q, and
// constraints must stay as they are.
#ifndef QDOT_DERIVE_ROADS_SYMMETRY_H
#define QDOT_DERIVE_ROADS_SYMMETRY_H

#include "derive/system.h"

typedef struct Symmetry {
  Expr tau;
  Expr *xi;         // by coordinate
  uint32_t parts;   // SYMMETRY_... ored: which coefficients are not zero
  uint32_t entries; // how many
} Symmetry;

enum {
  SYMMETRY_TIME = 1,   // a constant in tau
  SYMMETRY_SHIFT = 2,  // constants in xi
  SYMMETRY_MIX = 4,    // coordinates in the xi of others
  SYMMETRY_BOOST = 8,  // time in xi
  SYMMETRY_SCALE = 16, // a coordinate in its own xi, time in tau
  SYMMETRY_BEND = 32   // coordinates in tau
};

typedef struct Symmetries {
  Symmetry *at; // a basis, simple ones first; in the keep arena
  uint32_t n;
  uint32_t unnamed; // more, whose coefficients are no products of parameters
} Symmetries;

// Candidates: found at random states with random parameters, to be proved by whoever uses them.
// Nothing for a system that acts by itself at moments, or whose L contains states of its own.
void symmetries_find(Context *cx, System *system, Symmetries *out);

#endif
