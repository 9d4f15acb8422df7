// 0 <= p, 0 <= w = A p + b, p w = 0 for a symmetric, positive semidefinite A: one-sided contacts.
#ifndef QDOT_SIM_CONTACT_COMPLEMENTARITY_H
#define QDOT_SIM_CONTACT_COMPLEMENTARITY_H

#include "base/arena.h"

// The p of least norm where A is singular and several serve. A is n x n. The unknowns are scaled by
// the diagonal of A, so that units do not decide. Scratch is taken and given back.
void complementarity_solve(Arena *scratch, int n, const double *A, const double *b, double *p);

#endif
