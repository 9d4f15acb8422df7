// A view as parts of an answer: what is drawn, and the motion as numbers.
#ifndef STUDIO_VIEW_ADD_H
#define STUDIO_VIEW_ADD_H

#include "answer.h"
#include "qdot/qdot.h"

enum { ROUGH_ROWS = 800 }; // while a number moves: a picture has as many pixels

// as_floats: that is enough for the eye, while a number moves.
void view_add(Answer *answer, const qdot_view *view, bool as_floats);

#endif
