// What sticks, as modes that are solved for, and the mixture of their trials that holds it.
#ifndef QDOT_ENGINE_EVENT_STICK_MIX_H
#define QDOT_ENGINE_EVENT_STICK_MIX_H

#include "engine/event/press.h"
#include "engine/machine.h"
#include "solve/algebra/linear.h"
#include "solve/algebra/svd.h"

// One of the shares that are solved for: that of a switch, or of a slide in one direction.
typedef struct StickMode {
  int number;                // of the switch, or of the slide
  bool is_slide;             //
  bool is_rub;               // friction of the slip `number`, which rests or slides
  int row;                   // of its contact among the problem's rows
  bool is_void;              // a direction in which the slide or contact cannot go
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
  bool is_still;     // all that moves sticks, at no speed: it has no acceleration either
  int count;         // what is solved for
  StickMode *mode;   //
  Rest *rest;        // by slide; of the last evaluation
  double *share;     // of the sides by switch, between -1 and 1; of the last evaluation
  double *trial;     // sides by switch that are tried
  double *mixed;     // qdd, lambda and rates of a mixture, then of each trial:
  size_t width;      // so many values
  double *parts;     // by value: the sum of the sizes of the parts that hold each other in it
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
  enum { WEDGE_UNKNOWN, NOT_WEDGED, WEDGED } wedge; // could contacts press each other at will?
  bool shares;                                      // the last search found what is left open
  bool holds_together;                              // by it, no contact has to pull
  double left; // of what the one that is used most could hold, beside 1; at most a tenth
  Svd *svd;
  Linear linear;
  // joints that rub
  double *hold;      // by switch: how much more than 1 its share may be
  bool *is_press;    // by switch
  double *moves;     // by joint: how much what presses could change its speed, by masses alone
  PressSearch press; //
  bool settles;      // it is being found out who sticks
  bool is_unsure;    // the last evaluation found no load of joints that goes with their friction
  double heaviest;   // of all that presses, in the last evaluation
} Sticking;

// A direction that is so much smaller than another is none.
static const double LEAST_DIRECTION = 1e-9;

static inline double stick_dot(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static inline bool mode_is_switch(const StickMode *mode) {
  return !mode->is_rub && !mode->is_slide;
}

// A contact or a joint that rests.
bool mode_rests(const Sticking *s, const StickMode *mode);

// How much of what it can hold a switch that sticks uses, between -1 and 1.
double sticking_use(const Sticking *s, int i);

// Do several rest, so that they may share their load in many ways?
bool sticking_may_share(const Sticking *s);

// The inputs of the programs that say what presses each joint.
static inline double *sticking_presses(const Machine *m) {
  return m->in + m->set->equations->layout.presses;
}

// What is solved for, of what sticks.
void sticking_gather(Sticking *s);

// The directions of the slides that are solved for.
void sticking_direct(Sticking *s, double t, const double *q, const double *qd);

// Puts a mode to its first trial, or to its other one.
void sticking_put(Sticking *s, const StickMode *mode, bool other);
void sticking_put_all(Sticking *s);

// The mixture at a state: in s->mixed, with the shares. What presses joints is given.
Status sticking_mix(Sticking *s, double t, const double *q, const double *qd);

#endif
