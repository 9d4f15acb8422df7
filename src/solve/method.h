// The integrator interface: one stepper advances one problem by one accepted step at a time.
// Sources: method.c, sundials.c
#ifndef QDOT_SOLVE_METHOD_H
#define QDOT_SOLVE_METHOD_H

#include <stdint.h>

#include "base/remark.h"
#include "solve/dynamics.h"
#include "solve/project.h"

typedef enum MethodId {
#define METHOD(id, symbol) METHOD_##id,
#include "solve/methods.def"
#undef METHOD
  METHOD_COUNT
} MethodId;

typedef enum Stabilize {
  STABILIZE_PROJECT,
  STABILIZE_BAUMGARTE,
  STABILIZE_PARTITIONING,
  STABILIZE_NONE
} Stabilize;

typedef struct MethodOptions {
  MethodId method;
  double rtol, atol;  // local error of q and qd; atol 0: by the largest value each has had
  double step;        // of the fixed-step methods
  double beta, gamma; // newmark
  double rho;         // alpha: spectral radius at infinite frequency
  double order;       // symplectic: 2, 4, 6 or 8
  Stabilize stabilize;
  double baumgarte_alpha, baumgarte_beta;
  bool may_change; // rk853 that nobody has named: radau where the system is stiff, as auto
  bool narrow; // the vectors that every machine has, also where there are wider ones; the same bits
} MethodOptions;
MethodOptions method_defaults(void);

typedef struct Stepper Stepper;

// What the last step did at a contact, of methods that step over them.
typedef struct ContactStep {
  bool presses, bounces; // with an impulse; and was thrown back by it
  bool is_apart;         // there is a gap at its end
  double approach;       // d(phi)/dt before,
  double left;           // and behind it
  double forced;         // by how much forces alone change that in the step
  double slides;         // the speed along it behind the step; 0 where it rests
} ContactStep;
// Faster than forces alone could make it in a step.
static inline bool contact_step_strikes(const ContactStep *c) {
  return c->presses && (c->bounces || c->approach > c->forced);
}

// How it finds accelerations: from the state, from the tangent of a step, from the Lagrangian.
typedef enum MethodKind { METHOD_EXPLICIT, METHOD_IMPLICIT, METHOD_OF_LAGRANGIAN } MethodKind;

// What a problem may ask of a method beyond smooth equations of second order.
typedef enum MethodNeed {
  NEED_CONSTRAINTS,
  NEED_CONTACTS,
  NEED_DISSIPATION,
  NEED_STATES,
  NEED_NONHOLONOMIC,
  NEED_STABILIZATION, // by Baumgarte's terms or by partitioning
  NEED_JOINT_FRICTION,
  NEED_ROLLING, // against a resistance, at contacts
  METHOD_NEEDS
} MethodNeed;

// All that the program knows of a method.
typedef struct Method {
  const char *name;      // in the language
  const char *others[4]; // what other programs call it
  const char *lacks;     // the library without which it was built; NULL: none
  MethodKind kind;
  const char *takes[3]; // its options, of those in MethodOptions
  unsigned refuses;     // bits 1 << MethodNeed, of the needs that its kind leaves open
  int order;
  int nodes; // at which a step is looked at to be drawn: 3, 5 or 8
  bool fixed_step;
  bool steps_contacts;               // impacts happen within its steps: no events
  Status (*open)(Stepper *stepper);  // workspace; once
  Status (*start)(Stepper *stepper); // from stepper->t, y, without history
  Status (*go_on)(
      Stepper *stepper); // where derivatives have jumped, with the step it has; NULL: start
  Status (*step)(Stepper *stepper, double t_limit);       // one accepted step, not beyond t_limit
  Status (*dense)(Stepper *stepper, double t, double *y); // anywhere in the last step
  // the same at several times, see stepper_dense_many; NULL: one after the other
  Status (*dense_many)(Stepper *stepper, const double *t, int count, double *rows);
  void (*close)(Stepper *stepper); // foreign memory; NULL where there is none
} Method;

// y = q (n), qd (n), s (states), w (quadratures) in one array of `size` values, padded to a
// multiple of four with room for one value more.
struct Stepper {
  const Method *method;
  const Problem *problem;
  MethodOptions options;
  Arena *arena;
  Dynamics dynamics;
  Projector projector;
  int n, acting, size, padded; // acting: 2 n + states, behind which w begins
  bool is_plain;               // accelerations come from problem->forward, unchanged
  double *on_constraints;      // room, while accelerations are those of the nearest state that
                               // meets the constraints; else NULL
  double t, *y;                // where it is
  double t_old, *y_old;        // where the last step began
  double h;                    // proposal for the next step
  double t_jump;   // set from outside: where derivatives will jump and stepper_go_on follows
  double *largest; // acting: the largest value of each q, qd and s in this run
  double greatest; // of these
  double *most;    // room: the largest of each kind of coordinates
  int kinds;
  double reach;      // the norm of those of the positions: what a change of them is measured by
  double still[2];   // sizes of positions and velocities that have none, see stepper_give_size
  double *given;     // of s: sizes of what has none of its own, see stepper_give_size
  double *floor;     // absolute part of the tolerance: acting, then of w, infinite behind
  double *relative;  // its part that grows with the values: rtol, 0 for w
  double work_scale; // of the quadratures, set from outside: 0 leaves them uncontrolled
  double noise;      // of accelerations: rounding of forces that cancel; 0 until it is asked for
  double forces;     // the sum of their sizes
  struct StepLane *lane; // where it makes steps together with others, see step_lanes.h; NULL: alone
  const volatile int *stop; // polled within steps; NULL for none
  int64_t steps, rejected;
  bool stiff;      // an explicit method met a stiff system
  RemarkId reason; // auto: why it chose what it uses
  double t_stiff;  // auto: where it first took the system for stiff
  // of methods that step over contacts: what pressed and rubbed in the last step (contacts each),
  // the work of that, of drawing overlaps apart, and how far the law of contacts was missed at most
  double *pressed, *rubbed;
  ContactStep *contact_steps;
  bool is_straight; // something touched in it: states go straight from its beginning to its end
  double work_pressed, work_rubbed, work_projected, missed;
  double work_driven; // by what moves surfaces, which is no part of these
  double work_made;   // of these, beyond rounding
  int64_t softened;   // islands of contacts that bounced less than asked for, to make no energy
  void *work;
};

// Of states: beyond this, energies are near the end of what numbers can hold.
#define STEPPER_GREATEST 1e100

const Method *method_get(MethodId id);
// Is it one of its options? method may be NULL.
bool method_takes(const Method *method, const char *option);
const char *method_name(MethodId id);
// METHOD_COUNT when there is none of this name.
MethodId method_from_name(const char *name);
// NULL when there is none of this name.
const Method *method_find(const char *name);

// Does it do what a problem asks for?
bool method_meets(const Method *method, MethodNeed need);

// Memory comes from the arena and lives as long as it; stepper_close must be called all the same.
// Fails with QDOT_UNSUPPORTED when the method cannot treat the problem (method_refusal says why).
Status stepper_open(Arena *arena, const Problem *problem, const MethodOptions *options,
                    Stepper **out);
void stepper_close(Stepper *stepper);
// A sentence in the arena when the method cannot treat the problem, with those that can, else NULL.
// needs: bits 1 << MethodNeed, of what the problem itself does not tell.
const char *method_refusal(Arena *arena, const MethodOptions *options, const Problem *problem,
                           unsigned needs);

// Starts or restarts at a state that is on the constraints; s stands behind qd. w is NULL for
// zeros.
Status stepper_start(Stepper *stepper, double t, const double *q, const double *qd,
                     const double *w);
// Derivatives, not the state, have jumped where it is: continues from there.
Status stepper_go_on(Stepper *stepper);
// One accepted step; ends exactly at t_limit when it comes that far. QDOT_STEP_LIMIT when the step
// becomes too small, QDOT_BLOW_UP when values grow out of range, QDOT_STOPPED when *stop asks for
// it.
Status stepper_step(Stepper *stepper, double t_limit);
// The state (q, qd, s, w) at t_old <= t <= t: not projected, accurate as the method is.
Status stepper_dense(Stepper *stepper, double t, double *y);
// The same for up to STEPPER_MOST_TIMES times, without w: rows of so many values, one for each of
// (q, qd, s).
enum { STEPPER_MOST_TIMES = 8 };
Status stepper_dense_many(Stepper *stepper, const double *t, int count, double *rows);

// What an error of w is worth by the present work_scale.
void stepper_weigh_work(Stepper *stepper);
// How large coordinate i is in this problem; 1 where that is not known.
double stepper_scale(const Stepper *stepper, int i);
// The size of a change of the positions q by the largest they have had, and by what a step of
// length h at the velocities qd adds to them.
double stepper_share(const Stepper *stepper, double change, const double *q, const double *qd,
                     double h);
// Steps are rejected again and again: errors that rounding makes of forces that hold each other,
// as in a structure at rest, no longer count.
void stepper_learn_noise(Stepper *stepper);
// Has it been learned, or does something move from rest, whose forces begin small?
static inline bool stepper_has_noise(const Stepper *stepper) {
  return stepper->noise > 0 || stepper->still[0] > 0 || stepper->still[1] > 0;
}
// Steps are rejected again and again: positions or velocities that were all zero so far have no
// size, and what begins as a high power of time is never small against itself. They are given one
// until they move; states, each for itself, the least that they may be measured by. False where all
// have their own.
bool stepper_give_size(Stepper *stepper, double size);
// The least by which state i may be measured, far below what it may come to; 0: not known.
double stepper_least_state(const Stepper *stepper, int i);
// Derivative k of the state y, and the choice of the stabilization after a step.
Status stepper_derivative(Stepper *stepper, double t, const double *y, double *k);
Status stepper_stabilize(Stepper *stepper, double t, double *y);
double *stepper_array(Stepper *stepper);

#endif
