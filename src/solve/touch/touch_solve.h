// The impulses of contacts that touch, by one way after the other.
//
// What hangs together is solved together, first as if nothing bounced: by Gauss and Seidel's
// sweeps, each contact in turn, then by Newton's method: the contacts that press, rest and slide
// are taken as known and solved for, and those that do not agree change their state
// (touch_states.c). Where that goes round in circles, along a path on which they change one after
// the other (touch_follow.c), which is Lemke's method without its table. Should that fail, by a
// sequence of convex problems (touch_settle.c), and where contacts are few, by the table. Bounces
// are added along another path (touch_bounce.c).
#ifndef QDOT_SOLVE_TOUCH_TOUCH_SOLVE_H
#define QDOT_SOLVE_TOUCH_TOUCH_SOLVE_H

#include "solve/touch/touch.h"

// Room is taken from the arena and given back.
void touches_solve(Touches *touches, Arena *arena);

#endif
