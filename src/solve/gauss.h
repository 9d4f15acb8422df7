// Collocation at Gauss's nodes: Hamilton's equations for any Lagrangian, symplectic, order 2
// stages.
//
//   Q_i = q_0 + h sum_j a_ij V_j
//   L_v(Q_i, V_i) = p_0 + h sum_j a_ij (L_q + F)(Q_j, V_j)      solved for the V_i
//   q_1 = q_0 + h sum_i b_i V_i,  p_1 = p_0 + h sum_i b_i (L_q + F)(Q_i, V_i)
//
// Momenta are never written: L_v takes their place, so that H is not needed.
// Hairer, Lubich, Wanner, Geometric Numerical Integration, II.1.3 and VI.4.
#ifndef QDOT_SOLVE_GAUSS_H
#define QDOT_SOLVE_GAUSS_H

#include "solve/method.h"

enum { GAUSS_MOST_STAGES = 4 };

typedef struct Gauss Gauss;

// stages: 1 to 4. Room in the stepper's arena.
Gauss *gauss_open(Stepper *stepper, int stages);
// Begins at the stepper's state.
Status gauss_start(Gauss *gauss);
// y_new: the state after a step of length h from the stepper's.
Status gauss_step(Gauss *gauss, double h, double *y_new);
// That step is accepted.
void gauss_accept(Gauss *gauss);
// The state y after a part of the last step that was accepted, from its beginning.
Status gauss_part(Gauss *gauss, double part, double *y);

#endif
