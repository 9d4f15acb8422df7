// Where the right-hand side of a system is not smooth.
#ifndef QDOT_SIM_SWITCHES_H
#define QDOT_SIM_SWITCHES_H

#include "derive/system.h"

// Expressions whose zeros are the switching instants of every if, sign, abs, min and max that the
// equations of motion contain: a - b for each comparison a < b. In the scratch arena.
ExprList system_switches(Context *cx, const System *system);

#endif
