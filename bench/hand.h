// Equations of motion of a chain of uniform rods as a specialist writes them in C by hand.
#ifndef QDOT_BENCH_HAND_H
#define QDOT_BENCH_HAND_H

enum {
  HAND_MOST = 256,
  HAND_OPERATIONS = 67 // of hand_articulated for a rod: sums, products, a division, sine, cosine
};

// n rods, absolute angles; g, then masses and lengths; the centres are in the middle, inertias
// m L^2 / 12.
typedef struct HandChain {
  int n;
  double g, m[HAND_MOST], L[HAND_MOST], J[HAND_MOST];
  double A[HAND_MOST][HAND_MOST], B[HAND_MOST]; // of the dense form: M_ij = A_ij cos(q_i - q_j)
} HandChain;

void hand_chain_open(HandChain *chain, int n);
// Articulated bodies: O(n).
void hand_articulated(const HandChain *chain, const double *q, const double *qd, double *qdd);
// Mass matrix and Cholesky: O(n^3).
void hand_dense(const HandChain *chain, const double *q, const double *qd, double *qdd);

// n first-order equations.
typedef struct HandProblem {
  int n;
  void (*derivative)(const void *user, double t, const double *y, double *dy);
  const void *user;
} HandProblem;

// Goes on from *t to end with Dormand and Prince's method of order 8, beginning with steps of *h;
// returns the number of evaluations.
int hand_integrate_to(const HandProblem *problem, double *y, double *t, double end, double *h,
                      double tolerance);
// Integrates y = (q, qd) over [0, end] with Dormand and Prince's method of order 8 on the
// articulated bodies; returns the number of evaluations.
int hand_integrate(const HandChain *chain, double *y, double end, double tolerance);

#endif
