// The law of contacts as a sequence of convex problems.
#ifndef QDOT_SOLVE_TOUCH_TOUCH_SETTLE_H
#define QDOT_SOLVE_TOUCH_TOUCH_SETTLE_H

#include "solve/touch/touch_states.h"

// Steps towards the law, each with the bounds of friction that the last one has left: the least of
// a convex function, which Newton's method finds from anywhere. Until it is a good answer; false
// after too many. scale: of the speeds. state: room.
bool touches_settle(Touches *touches, TouchMatrix *matrix, const double *v_free, double scale,
                    TouchState *state);

#endif
