// Accelerations and multipliers at a state, by the fast callback or by the dense saddle point.
#ifndef QDOT_SOLVE_DYNAMICS_H
#define QDOT_SOLVE_DYNAMICS_H

#include <stdint.h>

#include "solve/algebra/kkt.h"
#include "solve/problem.h"

typedef struct Dynamics {
  const Problem *problem;
  Kkt kkt;
  double *M, *f, *Phi_q, *gamma; // room for terms(); the values of the last dense evaluation
  double *lambda;                // m: of the last evaluation
  double *Phi, *Phi_dot;
  double baumgarte_alpha, baumgarte_beta; // gamma - 2 alpha dPhi/dt - beta^2 Phi; 0, 0 for none
  const volatile int *stop; // during a step: not 0 when the user has had enough; or NULL
  int64_t evaluations;
  int64_t revealed;    // evaluations whose rank was below the number of rows
  int rows, most_rank; // of the dense evaluations: the rows, the largest rank of so many,
  double best_pivot;   // and the largest of their least pivots
} Dynamics;

// A factor for the problem, its units set.
void problem_kkt_open(const Problem *problem, Kkt *kkt, Arena *arena, bool constant_mass);

void dynamics_open(Dynamics *dynamics, Arena *arena, const Problem *problem);

// Has the user asked to end the step that is under way? Evaluations then fail with QDOT_STOPPED.
static inline bool dynamics_is_stopped(const Dynamics *dynamics) {
  return dynamics->stop && *dynamics->stop;
}

// qdd (n), lambda (m) and rates at (t, q, qd). lambda may be NULL, rates where there are none.
Status dynamics_evaluate(Dynamics *dynamics, double t, const double *q, const double *qd,
                         double *qdd, double *lambda, double *rates);

// r = M qdd - f + Phi_q^T lambda.
Status dynamics_residual(Dynamics *dynamics, double t, const double *q, const double *qd,
                         const double *qdd, const double *lambda, double *r);

#endif
