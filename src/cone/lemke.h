// 0 <= z, 0 <= w = M z + q, z w = 0 for a general M, by Lemke's method with lexicographic pivoting.
#ifndef QDOT_CONE_LEMKE_H
#define QDOT_CONE_LEMKE_H

#include <stdbool.h>

#include "base/arena.h"

// M is n x n. False when the path ends in a ray: for the matrices of friction, there is no
// solution. Scratch is taken and given back.
bool lemke_solve(Arena *scratch, int n, const double *M, const double *q, double *z);

#endif
