// Models that start from Hamilton's function, and starts in momenta.
// Sources: from_hamiltonian.c, momentum_start.c
#ifndef QDOT_DERIVE_FROM_HAMILTONIAN_H
#define QDOT_DERIVE_FROM_HAMILTONIAN_H

#include "model/model.h"

// *model: as its text says, with coordinates. Where it states H(q, p, t),
//   q' = dH/dp = A p + c  gives  p = A^-1 (q' - c),  L = (q' - c) A^-1 (q' - c)/2 - H(q, 0, t),
// which becomes its Lagrangian. Where H is not quadratic in the momenta, or they do not follow from
// the velocities, coordinates and momenta become first-order states of the canonical equations
// instead: then *model is a copy. Mistakes are diagnosed.
Status canonical_take(Model **model);

// Starts in momenta become those of velocities: p = dL/dq' at the start solved for q'.
Status momentum_starts_take(Model *model);

#endif
