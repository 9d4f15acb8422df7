// First integrals that are quadratic in the velocities, by an ansatz for their coefficients.
//
// I = a_jk(q) q_j' q_k' + U(q). The a_jk are combinations of monomials of the coordinates, also
// times the sine or cosine of an angle; U of such monomials, also times what the terms of V are
// made of. dI/dt = 0 is linear in the unknown factors. Runge-Lenz's vector and Fradkin's tensor are
// among these; the energy and products of linear integrals as well.
#ifndef QDOT_DERIVE_ROADS_QUADRATIC_H
#define QDOT_DERIVE_ROADS_QUADRATIC_H

#include "derive/system.h"
#include "expr/walk.h"

// Candidates, to be proved; in the scratch arena. Only for systems of up to 3 coordinates without
// constraints, contacts, forces, states and explicit time. What cannot be written by products of
// parameters is left out.
void quadratic_find(Context *cx, System *system, ExprList *out);

#endif
