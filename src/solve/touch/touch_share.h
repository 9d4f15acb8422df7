// How contacts share what they carry, where the motion leaves that open.
#ifndef QDOT_SOLVE_TOUCH_TOUCH_SHARE_H
#define QDOT_SOLVE_TOUCH_TOUCH_SHARE_H

#include "solve/touch/touch.h"

enum { TOUCH_MOST_SHARES = 16 };

// Impulses that give the same velocities in the same states, by the rule for contacts at rest: the
// one that is used most is used least, of such shares the smallest; least loads where they are
// wedged. For touches that are solved; islands with joints (contact >= contacts), and those of
// more than TOUCH_MOST_SHARES, keep what they have.
void touches_share(Touches *touches, Arena *arena, int contacts);

#endif
