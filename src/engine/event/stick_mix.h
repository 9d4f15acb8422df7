// Sticking switches, slides and slips: their accelerations are linear in the forces of friction, so
// that one evaluation with no force and one with a unit force each (the trials) give the weights
// with which nothing that sticks accelerates (the mixture).
#ifndef QDOT_ENGINE_EVENT_STICK_MIX_H
#define QDOT_ENGINE_EVENT_STICK_MIX_H

#include "engine/event/press.h"
#include "engine/machine.h"
#include "solve/algebra/linear.h"
#include "solve/algebra/svd.h"

// One unknown weight: of a switch, of a slide in one direction, or of a slip.
typedef struct StickMode {
  int number;                // of the switch, slide or slip
  bool is_slide;             // a slide in the direction e
  bool is_rub;               // a slip, at rest or sliding
  int row;                   // of a slip: the problem's row of its contact
  bool is_void;              // constraints allow no motion this way: its weight does not matter
  double *along;             // of a slide [n]: the change of velocities that changes u by e
  double e[MOST_COMPONENTS]; // of a slide: a unit vector
} StickMode;

// A slide at rest.
typedef struct Rest {
  bool holds;                      // it sticks
  bool creeps;                     // overloaded, but not yet moving by more than rounding
  bool starts;                     // was let go at this event, in the direction of w
  double w[MOST_COMPONENTS], size; // direction of its friction, |w| <= 1 while it holds; |w|
  double *along; // [1 + components][n]: changes of velocities that change u by w, and by each e
  double grip;   // the largest change of du/dt by a unit w
} Rest;

typedef struct Sticking {
  Arena *arena;
  Machine *machine;
  double pull;       // 1/s: guards g that stick get dg/dt = -pull g, against drift
  Problem sides;     // the machine's problem with every switch on a side
  Dynamics dynamics; // of `sides`
  int switches;      // of the model
  int slides;        // of the model
  bool *sticks;      // [switches]
  bool is_still;     // everything that could move sticks at speed 0: accelerations are 0
  int count;         // of the modes, the unknown weights
  StickMode *mode;   // [count]
  Rest *rest;        // [slides], of the last evaluation
  double *share;     // [switches] mixture of sides, from -1 to 1, of the last evaluation
  double *trial;     // [switches] sides of the present trial
  double *mixed;     // [1 + count][width]: qdd, lambda and rates of the mixture or of the trial
                     // without friction, then what a unit of each mode adds
  size_t width;      // n + rows + states + POWER_KINDS
  double *parts;     // [width] sum of |terms| of each number of the mixture: what rounding is of
  double *wanted;    // [count] rates of guards and sliding velocities that the mixture is to have
  double *speed;     // [1 + count][count]: these rates without friction, then what each mode adds
  double *weight;    // [count]
  double *terms;     // M, f, Phi_q, gamma and rates of a trial
  double *rates;     // [2][states + POWER_KINDS]: of two trials
  double *basis;     // [rows][n], an orthonormal basis of the rows of Phi_q
  double *still;     // [n] zeros
  // Contacts at rest that share a load in many ways: the null space of the equations for weights.
  int open_count;
  double *open;   // [open_count][count]
  double *shared; // [count] least weights
  // Do contacts and their friction at rest balance each other without any load (jamming)?
  enum { WEDGE_UNKNOWN, NOT_WEDGED, WEDGED } wedge;
  bool shares;         // the last search found a load that can be divided in several ways
  bool holds_together; // in one of them no contact pulls
  double left;         // 1 less the largest ratio of friction to what holds, at most 0.1: < 0 slips
  Svd *svd;
  Linear linear;
  // Joints with dry friction of their own.
  double *hold;      // [switches] mu_rest/mu: the largest share at rest; 1 for other switches
  bool *is_press;    // [switches] the friction of a joint
  double *moves;     // [presses] acceleration by friction under a unit load, by masses alone
  PressSearch press; // for the loads of joints
  bool settles;      // sticking_settle is at work: loads need not be found exactly
  bool is_unsure;    // the last evaluation found no loads that agree with the friction they cause
  double heaviest;   // the largest load of a joint in the last evaluation, N or N m
} Sticking;

// Relative: a smaller singular value, or response to a unit force, counts as none.
static const double LEAST_DIRECTION = 1e-9;

static inline double stick_dot(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static inline bool mode_is_switch(const StickMode *mode) {
  return !mode->is_rub && !mode->is_slide;
}

// A slip at rest, or the friction of a joint at rest.
bool mode_rests(const Sticking *s, const StickMode *mode);

// The share of a switch that sticks by the largest it can hold, from -1 to 1.
double sticking_use(const Sticking *s, int i);

// Do more than one mode rest, so that their equations may leave the division of a load open?
bool sticking_may_share(const Sticking *s);

// The inputs of the programs that hold the load of each joint with friction (N or N m).
static inline double *sticking_presses(const Machine *m) {
  return m->in + m->set->equations->layout.presses;
}

// Fills the modes: switches that stick, slips at rest or sliding, directions of slides that hold.
void sticking_gather(Sticking *s);

// Chooses the directions e and `along` of the slides among the modes.
void sticking_direct(Sticking *s, double t, const double *q, const double *qd);

// Gives a mode no friction or, for `other`, a unit of it; a switch the side -1 or +1.
void sticking_put(Sticking *s, const StickMode *mode, bool other);
void sticking_put_all(Sticking *s);

// The mixture at a state, in s->mixed, with the shares of switches, forces of slips and w of
// slides. The loads of joints are given (sticking_presses).
Status sticking_mix(Sticking *s, double t, const double *q, const double *qd);

#endif
