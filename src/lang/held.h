// Columns for what the state alone does not tell.
#ifndef QDOT_LANG_HELD_H
#define QDOT_LANG_HELD_H

#include "model/model.h"

// Conditions on velocities that act and that plots or drawings use, as sign(v) of dry friction,
// become columns named by what they are: while something sticks, the run has a value for them that
// lies between their sides. So do plots that divide by a speed, as friction in a plane does.
void held_add_switches(Context *cx, Model *model);

#endif
