// What the fixed-step methods share: the time grid, Hermite interpolation, quadratures.
#ifndef QDOT_SOLVE_FIXED_H
#define QDOT_SOLVE_FIXED_H

#include "solve/method.h"

// The end of the step that begins at t: the next multiple of h, or t_limit. *size is the step,
// exactly h wherever the grid is regular.
double grid_next(double t, double h, double t_limit, double *size);

// *y_new becomes the state at `next`, and the room of the one before the last its successor.
void fixed_accept(Stepper *stepper, double next, double **y_new);

// y(t) in the last step from (q, qd, qdd) at both ends: quintic in q, its derivative in qd; cubic
// in s and w by their rates.
typedef struct Hermite {
  double *a_old, *a;       // qdd
  double *rate_old, *rate; // ds/dt, dw/dt
} Hermite;
void hermite_open(Hermite *hermite, Stepper *stepper);
// The end of the last step becomes the beginning of the next.
void hermite_advance(Hermite *hermite);
void hermite_state(const Stepper *stepper, const Hermite *hermite, double t, double *y);

// w over the step that ends in stepper->t: Simpson's rule along the interpolated motion.
// lambda_old, lambda: multipliers at the ends; their mean serves in the middle.
Status hermite_quadratures(Stepper *stepper, Hermite *hermite, const double *lambda_old,
                           const double *lambda, double *lambda_room, double *y_room);

#endif
