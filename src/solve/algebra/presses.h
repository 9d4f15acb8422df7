// What presses joints that rub, where friction changes the forces or impulses that it comes from:
// z = G(z).
#ifndef QDOT_SOLVE_ALGEBRA_PRESSES_H
#define QDOT_SOLVE_ALGEBRA_PRESSES_H

#include <stdbool.h>

#include "base/arena.h"

// G of what presses, found for friction of at most grip z; false where there is none.
typedef bool PressLaw(void *user, const double *z, double *G);

// From z on, which may be zeros: to the smallest solution where joints slide, since G is convex
// there; to one where they are held where there is no other. False when none was found.
bool presses_settle(Arena *scratch, int count, PressLaw *law, void *user, double *z);

#endif
