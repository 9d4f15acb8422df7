// The finite part of a linearized system whose mass matrix is singular.
//
// E x' = A x with E = diag(1, M^) has as many infinite eigenvalues as the massless coordinates take
// away states. With a shift s that is not an eigenvalue, T = (A - sE)^-1 E has the eigenvalues
// 1/(lambda - s): the infinite ones are its zeros, which go with its null directions, level by
// level. What T does on its lasting range is the dynamics that is left: x = V y, y' = (s + T^-1) y.
#ifndef QDOT_ANALYSE_VIBRATION_SINGULAR_MASS_H
#define QDOT_ANALYSE_VIBRATION_SINGULAR_MASS_H

#include "analyse/linear/reduced.h"

typedef struct FiniteDynamics {
  uint32_t size; // of y
  double *A;     // size x size, in units of `rate`
  double *V;     // size rows of p values: how the positions z follow each y
  double rate;   // 1/s: eigenvalues of A times this are those of the system
} FiniteDynamics;

// QDOT_SINGULAR when the equations do not determine the motion at all; *undetermined is then an
// independent coordinate (a place in z) that they leave open. Lives in the arena.
Status finite_dynamics(Arena *arena, const Reduced *r, FiniteDynamics *out, uint32_t *undetermined);

#endif
