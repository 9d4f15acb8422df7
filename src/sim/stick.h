// Switches that stick. Where the equations on either side of a switch push its guard back to zero,
// as dry friction does at rest, the guard stays there, and what acts is the mixture of both sides
// that keeps it there (Filippov's solution). It goes on where that mixture would be more than one
// side alone.
#ifndef QDOT_SIM_STICK_H
#define QDOT_SIM_STICK_H

#include "sim/machine.h"
#include "solve/linear.h"

typedef struct Sticking {
  Arena *arena;
  Machine *machine;
  double pull;        // with which guards are drawn to zero, against rounding; 1/time
  Problem sides;      // the machine's problem with every switch on a side
  Dynamics dynamics;  // of that
  int switches;       // of the model
  int count, *number; // those that stick
  double *share;      // of the sides by switch, between -1 and 1; of the last evaluation
  double *trial;      // sides by switch that are tried
  double *mixed;      // qdd, lambda and rates of a mixture, then of each trial:
  size_t width;       // so many values
  double *wanted;     // speeds of the guards that stick
  double *speed;      // their speeds at the first trial, and what each other changes
  double *weight;     // of the other trials
  double *terms;      // M, f, Phi_q and gamma of a trial
  Linear linear;
} Sticking;

// For the machine's present set of contacts; lives in the arena, from which it takes more.
void sticking_open(Sticking *sticking, Arena *arena, Machine *machine, int switches, double pull);

// Which of the candidates, whose guards are zero, stay there: their side becomes 0. The others get
// the side to which they go; where the side makes no difference to that, they keep theirs.
Status sticking_settle(Sticking *sticking, double t, const double *q, const double *qd,
                       const bool *candidates, double *side);

// Makes the machine's problem the one in which the switches with side 0 stick. To be
// called before a stepper is opened; without such switches nothing changes.
void sticking_begin(Sticking *sticking, const double *side);

// Outputs see the mixture of the last evaluation.
void sticking_show(Sticking *sticking, const double *side);

#endif
