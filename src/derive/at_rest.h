// A system near its start, for those who only look at it near a state: what friction holds there
// is held.
#ifndef QDOT_DERIVE_AT_REST_H
#define QDOT_DERIVE_AT_REST_H

#include "derive/system.h"

// Contacts with friction that touch at the start and do not slide are constraints, behind those of
// the model: that they touch, and that they stay where they are (model->held). Those that do not
// touch have no friction; those that slide stay as they are. The same system where none rubs; else
// one in the keep arena. Not for simulation.
System *system_at_rest(Context *cx, System *system);

#endif
