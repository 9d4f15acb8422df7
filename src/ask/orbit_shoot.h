// Runs that are to come back to where they began, and the steps that make them.
//
// What has to come back is the state, and what samples and events assign. Motions that come in a
// family (those of a conservative system) leave directions in which nothing has to move: a step is
// the least one, so that the motion is the one of its family nearest to where the search began.
// Sources: orbit_period.c, orbit_push.c, orbit_return.c, orbit_shoot.c
#ifndef QDOT_ASK_ORBIT_SHOOT_H
#define QDOT_ASK_ORBIT_SHOOT_H

#include "ask/orbit.h"

enum { ORBIT_LOOKS = 2001 };
static const double ORBIT_CLOSED = 1e-8; // of the size of the state

typedef struct Shooting {
  Orbit *orbit;
  Rerun rerun;
  uint32_t *places;     // of the state, then of what is assigned
  uint32_t moving;      // q, q', states
  double *times, *seen; // of the looks, and the states there (looks x state)
  double *event;        // by look: when the event before it was; -INFINITY for none
  double *S, *rate;     // at the last look: slopes, and the derivative of the state
  uint32_t looks, taken;
  SlopeLook look;
  double *size, *measures;
  bool *is_angle;
  double *rest; // of the last shot: how far it ends from where it began
  const volatile int *stop;
  OrbitProgress *progress;
  void *progress_user;
} Shooting;

// ---- orbit_shoot.c

// For SlopeLook: keeps what it is shown.
void orbit_take_look(void *user, uint32_t number, const double *x, const double *S,
                     const double *signals, const double *signal_slopes);
// A run from x with looks at equal times up to `end`, and one that is shot: x moves onto the
// constraints, `rest` is what it misses itself by after T, angles but for whole turns.
Status orbit_watch(Shooting *s, const double *x, double end);
Status orbit_shoot(Shooting *s, double *x, double T);
double orbit_miss(const Shooting *s);
// The state at look k, and how far two states are from each other.
const double *orbit_seen(const Shooting *s, uint32_t k);
double orbit_distance(const Shooting *s, const double *a, const double *b);
// T alone is moved to where the motion is nearest to its start; where it stands, if free.
Status orbit_time(Shooting *s, double *x, double *T);
// x and T are moved until the motion closes, as far as it does; the last shot is that one.
Status orbit_close(Shooting *s, double *x, double *T);

// Moves a motion that closes along its family, if it has one, to where it begins nearest to `near`.
Status orbit_draw_near(Shooting *s, const double *near, double *x, double *T);

// ---- orbit_return.c

typedef struct Return {
  double T, miss;
} Return;

// Looks at the motion from x, up to `end` or as far as the looks tell its turns apart, and measures
// the state. Times at which it is near its start again go into `out`; their number.
uint32_t orbit_returns(Shooting *s, const double *x, double *end, Return *out, uint32_t most);
// An event within a few looks of the start or of T, where slopes jump.
bool orbit_begins_at_event(const Shooting *s, double T);

// ---- orbit_period.c

// The period of what depends on time: sines, cosines and periodic tables of w t + phase, in forces,
// samples and events, and the samples themselves. 0: nothing does; NAN: it cannot be told.
double orbit_forced_period(Shooting *s, const System *system);

// ---- orbit_push.c

// What becomes of a push during the last shot: multipliers, stability, the size of the family.
Status orbit_push(Shooting *s, double *x, double T);

#endif
