// What the explicit Runge-Kutta methods share: vectors, error norm, step control.
#ifndef QDOT_SOLVE_EXPLICIT_H
#define QDOT_SOLVE_EXPLICIT_H

#include "solve/method.h"

// Two states at a time; arrays of a stepper are padded to an even number.
typedef double Pair __attribute__((vector_size(16)));

// out = y + h * (sum of coefficients times stages): `sum` is an expression in k1[i], k2[i] ...
#define COMBINE(out, y, h, sum)                                                                    \
  for (int i = 0; i < pairs; i++) ((Pair *)(out))[i] = ((const Pair *)(y))[i] + (h) * (sum)

// Unaligned, for the velocities that begin at an odd place.
typedef double LoosePair __attribute__((vector_size(16), aligned(8)));

// The derivative k of the state y: stepper_derivative without its calls where the problem has fast
// accelerations. The copy may touch one value behind the velocities; the accelerations then replace
// it.
static inline Status explicit_derivative(Stepper *s, double t, const double *y, double *k) {
  const Problem *p = s->problem;
  Dynamics *d = &s->dynamics;
  int n = s->n;
  if (!s->is_plain) return stepper_derivative(s, t, y, k);
  for (int i = 0; i < n; i += 2) {
    *(Pair *)(k + i) = *(const LoosePair *)(y + n + i);
    __asm__("" : "+r"(i)); // or the compiler calls memcpy for these few values
  }
  d->evaluations++;
  Status status = p->forward(p->user, t, y, y + n, k + n, d->lambda, k + 2 * n);
  if (__builtin_expect(status != QDOT_SINGULAR, 1)) return status;
  d->evaluations--;
  return stepper_derivative(s, t, y, k);
}

typedef struct StepControl {
  double order;  // exponent is 1 / order
  double beta;   // weight of the previous error: PI control
  double share;  // how much of it the present error gives up
  double safety; //
  double shrink; // least and
  double grow;   // greatest factor of a step's change
  double last;   // logarithm of the error of the last accepted step
  bool after_rejection;
} StepControl;

// Factor for the next step after an error `err` (1 is just accepted).
double control_factor(StepControl *control, double err, bool accepted);

// sqrt(mean (e_i / (floor_i + rtol max(|a_i|, |b_i|)))^2) over q and qd, and the
// quadratures over rtol work_scale; not a number stays one.
double error_norm(const Stepper *stepper, const double *e, const double *a, const double *b);

void error_norms(const Stepper *stepper, const double *e1, const double *e2, const double *a,
                 const double *b, double *norm1, double *norm2); // of two estimates at once

// A first step for a method of this order from y with derivative k; uses `room` and `k_room`.
Status first_step(Stepper *stepper, int order, const double *k, double *room, double *k_room,
                  double *h);

// The part of [t, t_limit] that a step of size h may take: h, or all that is left.
double limited_step(double t, double h, double t_limit, bool *last);

// Why a step failed for good at step size h.
Status step_failure(const Stepper *stepper, Status last, double h);
bool step_is_too_small(const Stepper *stepper, double h);

#endif
