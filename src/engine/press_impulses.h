// Joints that rub in an impact, or in a step: what presses them is an impulse, and so is their
// friction.
#ifndef QDOT_ENGINE_PRESS_IMPULSES_H
#define QDOT_ENGINE_PRESS_IMPULSES_H

#include "engine/machine.h"
#include "solve/algebra/presses.h"

typedef struct PressImpulses {
  Machine *machine;
  int count;
  bool rubs;       // any of them can
  double *grip;    // by joint: friction by what presses, while sliding; 0: none
  double *v, *v_q; // how fast each slides, and that by the velocities (count x n)
  double *way;     // which way its switch looks, -1 or +1; 0: not yet known
  double duration; // of what is given as impulses
  double *guard, *beside, *sides, *kept;
  double *lambda; // room, of all constraints and contacts
} PressImpulses;

// Of impacts; with a duration of 1, of forces.
void press_impulses_open(PressImpulses *joints, Arena *arena, Machine *machine);

// Coefficients as the machine's values give them now.
void press_impulses_renew(PressImpulses *joints);

// A joint whose sliding switches another force of the model, too; -1: there is none.
int press_impulses_find_shared(const PressImpulses *joints);

// v and v_q at a state.
void press_impulses_read(PressImpulses *joints, double t, const double *q, const double *qd);

// Impulses of an impact, each of which may be NULL for none.
typedef struct Impulses {
  const double *dv;       // the change of velocities
  const double *lambda;   // of all constraints, then of all contacts
  const double *friction; // along the contacts, then against their rolling
  const double *joints;   // of the joints that rub, along v_q
} Impulses;

// The impulses that press the joints, by all others; after press_impulses_read at this state. They
// stay until the next evaluation of the machine.
const double *press_impulses_find(PressImpulses *joints, double t, const double *q,
                                  const double *qd, const Impulses *by);

#endif
