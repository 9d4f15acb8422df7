// Integrals of several functions at once, over panels that are halved where they are not yet exact.
#ifndef QDOT_SOLVE_ALGEBRA_QUADRATURE_H
#define QDOT_SOLVE_ALGEBRA_QUADRATURE_H

#include "base/arena.h"

typedef struct Integrand {
  void (*at)(void *user, double x, double *y); // n values
  void *user;
  uint32_t n;
} Integrand;

// Adds the integrals between the first and the last of the ascending breaks to value[n], and what
// they may be off by to error[n]: by the rule of Gauss and Kronrod with 15 points, to a tolerance
// relative to value as it becomes. Panels are halved at most `most` times in all.
void quadrature_add(const Integrand *f, const double *breaks, uint32_t count, double tolerance,
                    uint32_t most, Arena *arena, double *value, double *error);

#endif
