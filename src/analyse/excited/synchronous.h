// The response of rotors to what is out of balance, over their speed.
//
// Without it the motion is steady, and linear equations with constant coefficients hold about it.
// What is out of balance then excites them once a turn, in proportion to its size: the answer is of
// first order in it, and exact where the equations are linear in it, as those of a rotor are.
#ifndef QDOT_ANALYSE_EXCITED_SYNCHRONOUS_H
#define QDOT_ANALYSE_EXCITED_SYNCHRONOUS_H

#include "analyse/vibration/plant.h"

typedef struct SynchronousPeak {
  double speed;     // rad/s
  double amplitude; // INFINITY where nothing damps it
  double phase_deg;
} SynchronousPeak;

typedef struct SynchronousOutput {
  const char *name;
  Expr value;
  VEC(SynchronousPeak) peaks; // by speed
} SynchronousOutput;

// y(t) = re cos(w t) - im sin(w t), where w t is the angle of the rotor since t = 0.
typedef struct Synchronous {
  Symbol speed; // the parameter
  uint32_t n, output_count;
  double *speeds;              // n, ascending, rad/s
  double *re, *im;             // n x outputs; NAN where the motion is not stable
  SynchronousOutput *outputs;  //
  VEC(double) critical_speeds; // where a natural frequency is that of the rotor, rad/s
  double unstable_from;        // the first speed without a steady response; NAN for none
} Synchronous;

// By the synchronous line of the model, at `points` speeds and more around critical ones. The
// system has its matrices; in the context's results. What cannot be is explained: a motion that is
// not steady, a drive in a constraint, an output that turns with the rotor.
Status synchronous_respond(Context *cx, const System *system, const ResponseOutput *outputs,
                           uint32_t output_count, uint32_t points, Synchronous *out);

double synchronous_amplitude(const Synchronous *s, uint32_t k, uint32_t output);
double synchronous_phase(const Synchronous *s, uint32_t k, uint32_t output);

#endif
