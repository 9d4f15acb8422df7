// What sticks. Where the equations on either side of a switch push its guard back to zero, as dry
// friction does at rest, the guard stays there, and what acts is the mixture of both sides that
// keeps it there (Filippov's solution). It continues where that mixture would be more than one side
// alone. A slide (friction in a plane) rests in the same way with a vector w for its direction, as
// long as that is not longer than 1.
#ifndef QDOT_SIM_EVENT_STICK_H
#define QDOT_SIM_EVENT_STICK_H

#include "sim/event/press.h"
#include "sim/machine.h"
#include "solve/linear.h"
#include "solve/svd.h"

// One of the shares that are solved for: that of a switch, or of a slide in one direction.
typedef struct StickMode {
  int number;                // of the switch, or of the slide
  bool is_slide;             //
  bool is_rub;               // friction of the contact `number`, which rests or slides
  int row;                   // of that contact among the problem's rows
  bool is_void;              // a direction in which the slide cannot go
  double *along;             // of a slide: a change of velocities by which u changes
  double e[MOST_COMPONENTS]; // by this, of unit length
} StickMode;

// A slide at rest.
typedef struct Rest {
  bool holds;                      // it sticks
  bool creeps;                     // its load is more than it holds, and nobody sees it move yet
  bool starts;                     // it has been found to start in the direction of w
  double w[MOST_COMPONENTS], size; // size: |w|
  double *along; // the change of velocities by which u changes by w; then those of the modes
  double grip;   // by how much w = 1 changes du/dt
} Rest;

typedef struct Sticking {
  Arena *arena;
  Machine *machine;
  double pull;       // with which guards are drawn to zero, against rounding; 1/time
  Problem sides;     // the machine's problem with every switch on a side
  Dynamics dynamics; // of that
  int switches;      // of the model
  int slides;        // of the model
  bool *sticks;      // by switch
  int count;         // what is solved for
  StickMode *mode;   //
  Rest *rest;        // by slide; of the last evaluation
  double *share;     // of the sides by switch, between -1 and 1; of the last evaluation
  double *trial;     // sides by switch that are tried
  double *mixed;     // qdd, lambda and rates of a mixture, then of each trial:
  size_t width;      // so many values
  double *wanted;    // speeds of the guards that stick
  double *speed;     // their speeds at the first trial, and what each other changes
  double *weight;    // of the other trials
  double *terms;     // M, f, Phi_q and gamma of a trial
  double *rates;     // of one side and of the other
  double *basis;     // of the rows of Phi_q
  double *still;     // zeros
  // of contacts that rest and share their load: what of the weights is left open
  int open_count;
  double *open; // open_count x count
  double *shared;
  Svd *svd;
  Linear linear;
  // joints that rub
  double *hold;      // by switch: how much more than 1 its share may be
  bool *is_press;    // by switch
  PressSearch press; //
  bool settles;      // it is being found out who sticks
  double heaviest;   // of all that presses, in the last evaluation
} Sticking;

// For the machine's present set of contacts; lives in the arena, from which it takes more.
void sticking_open(Sticking *sticking, Arena *arena, Machine *machine, int switches, double pull);

// Which of the candidates, whose guards are zero, stay there: their side becomes 0. The others get
// the side to which they go; where the side makes no difference to that, they keep theirs. Slides
// with rest[i].holds are candidates, too; of those that do not stay rest[i].starts is set, with the
// direction in w.
Status sticking_settle(Sticking *sticking, double t, const double *q, const double *qd,
                       const bool *candidates, double *side);

// Makes the machine's problem the one in which the switches with side 0 and the slides in `holds`
// stick. To be called before a stepper is opened; without such ones nothing changes.
void sticking_begin(Sticking *sticking, const double *side, const bool *holds);

// Takes away what u of a slide has, as far as constraints let it.
void sticking_stop(Sticking *sticking, int slide, double t, const double *q, double *qd);

// The friction of contacts that rest, of the last evaluation, shared so that the one that is used
// most is used least: machine->slips[].force. lambda: of the problem's rows.
void sticking_share(Sticking *sticking, const double *lambda);
// The same, where it matters: not where the shares of least size hold anyway.
void sticking_share_if_needed(Sticking *sticking, const double *lambda);

// How much of what it can hold a switch that sticks uses, between -1 and 1.
double sticking_use(const Sticking *sticking, int i);

// Does the friction of a joint allow several motions, as where it grows by as much as it takes?
// The joint, as a place in the model's presses; else -1.
int sticking_find_ambiguity(Sticking *sticking, double t, const double *q, const double *qd);

// Outputs see the mixture of the last evaluation.
void sticking_show(Sticking *sticking, const double *side);

#endif
