// Newton's method on who presses, rests and slides.
#ifndef QDOT_SOLVE_TOUCH_TOUCH_STATES_H
#define QDOT_SOLVE_TOUCH_TOUCH_STATES_H

#include "solve/touch/touch_matrix.h"

typedef enum TouchState {
  TOUCH_OPEN,
  TOUCH_RESTS,
  TOUCH_SLIDES_UP,
  TOUCH_SLIDES_DOWN,
  TOUCH_SMOOTH
} TouchState;

// r of one in this state by its p; 0 unless it slides.
static inline double touch_share(TouchState state, double mu) {
  return state == TOUCH_SLIDES_UP ? -mu : state == TOUCH_SLIDES_DOWN ? mu : 0;
}
// By the impulses as they are.
void touches_guess_states(const Touches *touches, double scale, TouchState *state);
// Newton's method on who presses, rests and slides, from these states; false where it does not find
// a good answer.
bool touches_tell_states(Touches *touches, TouchMatrix *matrix, const double *v_free, double scale,
                         const TouchState *state);

#endif
