// Consistent initial conditions: given values kept, guesses moved as little as possible.
#ifndef QDOT_SIM_INITIAL_H
#define QDOT_SIM_INITIAL_H

#include "sim/machine.h"
#include "sim/sim.h"

// q and qd (n each) at t = 0 that meet all constraints; the machine has all contacts open. What was
// moved is noted in the summary. Fails with a diagnostic that names the constraint that cannot be
// met and by how much, the given values that contradict it, or the coordinate without mass.
Status initial_state(Machine *machine, double *q, double *qd, SimSummary *summary);

#endif
