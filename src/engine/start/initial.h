// Consistent initial conditions: given values kept, guesses moved as little as possible.
// Sources: initial.c, initial_check.c
#ifndef QDOT_ENGINE_START_INITIAL_H
#define QDOT_ENGINE_START_INITIAL_H

#include "engine/machine.h"
#include "engine/summary.h"

// What the model says of q and qd (n each), 0 if it says nothing.
void initial_guess(const Machine *machine, double *q, double *qd);

// q (n) and qd (n, with the states behind them) at t = 0 that meet all constraints; the machine has
// all contacts open. What was moved is noted in the summary. Fails with a diagnostic that names the
// constraint that cannot be met and by how much, the given values that contradict it, or the
// coordinate without mass.
Status initial_state(Machine *machine, double *q, double *qd, SimSummary *summary);

// The same for who does not run the motion: every switch on the side that it has there.
Status initial_switched_state(Machine *machine, double *q, double *qd, SimSummary *summary);

// The parts that look at the state found (initial_check.c): bodies are where they are said to be,
// solids no mirror images; M is positive definite on the constraints; redundant constraints are
// noted, a dead position at rest is an error.
Status initial_check_places(Machine *machine, const double *q);
Status initial_check_mass(Machine *machine, const double *q);
Status initial_check_rank(Machine *machine, const double *q, const double *qd, SimSummary *summary);

#endif
