// A system whose first-order states are coordinates as well, for those who only look at it near a
// state: equilibria and linearizations.
#ifndef QDOT_DERIVE_WITH_STATES_H
#define QDOT_DERIVE_WITH_STATES_H

#include "derive/system.h"

// Values that samples hold count as states whose rate is what the next sample changes, divided by
// its period: they rest where the sampled loop does, and system->held says how many there are, the
// last. A state s has no mass, the damping s' and the force that is its rate: s' - rate = 0. The
// same system where there are none; else a copy in the keep arena, which has its matrices and whose
// model lists states behind the coordinates. What friction holds is held, see at_rest.h. Not for
// simulation.
System *system_with_states(Context *cx, System *system);

#endif
