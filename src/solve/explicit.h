// What the explicit Runge-Kutta methods share: vectors, error norm, step control, stepping.
#ifndef QDOT_SOLVE_EXPLICIT_H
#define QDOT_SOLVE_EXPLICIT_H

#include <stdint.h>

#include "solve/algebra/dense.h"
#include "solve/method.h"

// Four states at a time; arrays of a stepper are padded to a multiple of four.
typedef double Quad __attribute__((vector_size(32), aligned(8)));
typedef int64_t QuadBits __attribute__((vector_size(32), aligned(8)));

// out = y + h * (sum of coefficients times stages): `sum` is an expression in k1[i], k2[i] ...
#define COMBINE(out, y, h, sum)                                                                    \
  for (int i = 0; i < quads; i++) ((Quad *)(out))[i] = ((const Quad *)(y))[i] + (h) * (sum)

// Stage `number` of a method whose work is w: k[number] = f(t + c h, y + h * sum).
#define RK_STAGE(t, y, number, c, sum)                                                             \
  COMBINE(w->x.stage, y, h, sum);                                                                  \
  if ((status = explicit_derivative(s, (t) + (c)*h, w->x.stage, w->k[number])) != QDOT_OK)         \
  return status

// The arithmetic of a step is compiled twice, as explicit_is_wide() says which vectors this machine
// has. No fused operations: both give the same bits.
#if defined(__x86_64__) && !defined(QDOT_ALONE)
#define EXPLICIT_WIDE __attribute__((target("avx2")))
#define explicit_is_wide() __builtin_cpu_supports("avx2")
#else
#define EXPLICIT_WIDE
#define explicit_is_wide() 0
#endif
#define EXPLICIT_BODY static inline __attribute__((always_inline))

// The derivative k of the state y: stepper_derivative without its calls where the problem has fast
// accelerations.
static inline Status explicit_derivative(Stepper *s, double t, const double *y, double *k) {
  const Problem *p = s->problem;
  Dynamics *d = &s->dynamics;
  int n = s->n;
  if (!s->is_plain) return stepper_derivative(s, t, y, k);
  d->evaluations++;
  if (p->derivative) return p->derivative(p->user, t, y, k);
  dense_copy(n, y + n, k);
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
  double last;   // binary logarithm of the error of the last accepted step
  bool after_rejection;
} StepControl;

// Factor for the next step after an error `err` (1 is just accepted).
double control_factor(StepControl *control, double err, bool accepted);

// What the methods with an error estimate share; the first member of their workspace.
// A part of a step without stages: its middle, and half its width.
typedef struct StageGap {
  double middle, width;
} StageGap;

typedef struct Explicit {
  // y_new after h from (s->y, k_begin), and its error as a part of the tolerance
  Status (*attempt)(Stepper *s, double h, double *error);
  // y_new, which is good, onto the constraints, and its derivative k_end
  Status (*arrive)(Stepper *s, double t);
  // The error of the attempt without what the projection onto the constraints will take away.
  double (*error_along)(Stepper *s, double h);
  // The error of motions that decay fast, when y_new and k_end are known; may be NULL.
  double (*fast_error)(Stepper *s, double h);
  // Is fast_error far below the tolerance, as the attempt alone shows? NULL: that is not known.
  bool (*is_calm)(const Stepper *s, double h);
  // Puts stage and k_stage in place, of a stepper with a lane; may be NULL.
  void (*show_signs)(Stepper *s);
  // Of a stepper with a lane: makes steps together with others; may be NULL.
  void (*ride)(Stepper *s, double t_limit);
  int order;
  const StageGap *gaps; // the wide ones, behind them one of no width
  double stability;     // the largest |h eigenvalue| that the method bears
  double accuracy; // beyond this |h eigenvalue| no motion that is there would meet the tolerance
  StepControl control;
  double *k_begin, *k_end;
  bool lacks_end;      // k_end is left out until somebody asks for it
  double t_new;        // where the attempt at hand ends
  bool aimed;          // that step goes past a dead position that has been looked for,
  uint32_t tried_gaps; // with these gaps so far
  double *moved;       // room: see Stepper.on_constraints
  int tries, evaded;   // of the step at hand, with that attempt,
  double h_first;      // and the size that was tried first
  double *y_new;
  double *stage, *k_stage; // another state at the end of the step: what shows stiffness
  double h_done;           // size of the last step, 0 when there is none
  bool dense_ready;
  bool is_near_dead; // where the next step begins
  bool met_dead;     // within the last step
  double t_start;    // where it was started
  int stiff_signs, calm_signs;
} Explicit;

// Looks every step for stiffness, or now and then.
static inline bool looks_for_stiffness(const Explicit *x, const Stepper *s) {
  return x->stiff_signs > 0 || s->steps % 16 == 0;
}
// What the sums of squares of (k_end - k_stage) and (y_new - stage) say of a step of size h.
void note_stiffness(Explicit *x, Stepper *s, double h, double above, double below);
// The rejection of attempt number `tries` is followed by more than another size.
bool explicit_wonders(int tries);

void explicit_open(Explicit *x, Stepper *stepper);
// The derivative has jumped where the stepper is; its size of steps holds.
Status explicit_go_on(Stepper *stepper);
Status explicit_start(Explicit *x, Stepper *stepper, StepControl control);
// Finds k_end of the last step where it was left out.
Status explicit_know_end(Stepper *stepper);
Status explicit_step(Stepper *stepper, double t_limit); // work begins with an Explicit

// 1 / (floor_i + relative_i max(|a_i|, |b_i|)) of four states; 0 where nothing has a size yet.
EXPLICIT_BODY void error_weight(const Stepper *s, int i, const Quad *a, const Quad *b, Quad *out) {
  Quad x = (Quad)((QuadBits)*a & INT64_MAX), y = (Quad)((QuadBits)*b & INT64_MAX);
  QuadBits larger = x > y;
  Quad most = (Quad)(((QuadBits)x & larger) | ((QuadBits)y & ~larger));
  Quad allowed = ((const Quad *)s->floor)[i] + ((const Quad *)s->relative)[i] * most;
  *out = (Quad)((QuadBits)(1 / allowed) & (allowed != 0));
}

EXPLICIT_BODY double quad_sum(const Quad *x) { return ((*x)[0] + (*x)[2]) + ((*x)[1] + (*x)[3]); }

// sqrt(mean of (e_i weight_i)^2) over q and qd, to which the quadratures add what their errors are
// worth; not a number stays one.
double error_norm(const Stepper *stepper, const double *e, const double *a, const double *b);

// Takes from e, errors of q and qd, what the projection onto the constraints takes away at a state.
Status error_project(Stepper *stepper, double t, const double *y, double *e);

// A first step for a method of this order from y with derivative k; uses `room` and `k_room`.
Status first_step(Stepper *stepper, int order, const double *k, double *room, double *k_room,
                  double *h);

// The part of [t, t_limit] that a step of size h may take: h, or all that is left.
double limited_step(double t, double h, double t_limit, bool *last);

// Why a step failed for good at step size h.
Status step_failure(const Stepper *stepper, Status last, double h);
bool step_is_too_small(const Stepper *stepper, double h);
// A first step, and one that begins again where what moves gets a size, is no shorter than this.
double step_least(const Stepper *stepper);

#endif
