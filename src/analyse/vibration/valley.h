// Stability where the linearization does not decide: what holds the system along its zero modes.
#ifndef QDOT_ANALYSE_VIBRATION_VALLEY_H
#define QDOT_ANALYSE_VIBRATION_VALLEY_H

#include "analyse/vibration/modes.h"

// Fills modes->by_energy of a state whose linearization has zero modes, or is that of one side of a
// switch (sides.h). Each zero mode is followed by hand on
// both sides, with everything else in balance: along this valley the force on the hand is the slope
// of the energy. Motions are left to the linearization. A strict minimum is stable (Lagrange,
// Dirichlet); where the energy falls it is none.
void energy_judge(Balance *b, const Linearized *l, Modes *modes);
// The same with a balance of its own; nothing is done where the linearization decides.
void energy_judge_alone(const Linearized *l, const double *values, Modes *modes);

#endif
