// Contacts of a step by following a path from a neighbouring problem whose solution is known.
#ifndef QDOT_SOLVE_TOUCH_TOUCH_FOLLOW_H
#define QDOT_SOLVE_TOUCH_TOUCH_FOLLOW_H

#include "solve/touch/touch_states.h"

// From the impulses as they are in try 0; from none at all in others, each on a path of its own.
// False where it does not come to an end; there the law is missed by rounding and by a softness
// that is good. soft: of its own response, what a contact gives way; is_careful: slower, with less
// rounding. `state` is room.
bool touches_follow_path(Touches *touches, TouchMatrix *matrix, const double *v_free, double scale,
                         int try, double soft, bool is_careful, TouchState *state);

#endif
