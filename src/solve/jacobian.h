// Derivatives of (qd, qdd, ds/dt) by (q, qd, s), for the implicit methods.
#ifndef QDOT_SOLVE_JACOBIAN_H
#define QDOT_SOLVE_JACOBIAN_H

#include "solve/method.h"

typedef struct Jacobian {
  Stepper *stepper;
  double *K, *C;        // n x n: of r = M qdd - f + Phi_q^T lambda by q and qd
  double *by_states;    // dr/ds, d(ds/dt)/dq, d(ds/dt)/dqd, d(ds/dt)/ds
  double *qdd, *column; // room
  double *state, *M, *f, *Phi_q, *gamma, *rise;
} Jacobian;

void jacobian_open(Jacobian *jacobian, Stepper *stepper);
// dr/ds, and the derivatives of ds/dt.
Status jacobian_states(Jacobian *jacobian, double t, const double *q);
// d(ds/dt) by the j-th of (q, qd, s); jacobian_states comes first.
void jacobian_rate_column(const Jacobian *jacobian, int j, double *out);
// J, acting x acting, row-major. By the exact tangent, but for the curvature of constraints, which
// is found by differences; all of it by differences where the problem has no tangent.
Status jacobian_compute(Jacobian *jacobian, double t, const double *y, double *J);

#endif
