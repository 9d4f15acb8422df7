// Restitution: from a step in which nothing bounces towards one in which all that is asked to does.
#ifndef QDOT_SOLVE_TOUCH_TOUCH_BOUNCE_H
#define QDOT_SOLVE_TOUCH_TOUCH_BOUNCE_H

#include "solve/touch/touch_states.h"

// The impulses at hand are those without bounces. Bounces grow together until they are what is
// asked for, or until more would make energy or has no solution near this one: the part of them
// that is reached, 1 where it is all. Aims are those that were met.
double touches_bounce(Touches *touches, TouchMatrix *matrix, const double *v_free,
                      TouchState *state);

#endif
