// Stability at a point where functions switch and the slopes differ on their sides.
#ifndef QDOT_ANALYSE_VIBRATION_SIDES_H
#define QDOT_ANALYSE_VIBRATION_SIDES_H

#include "analyse/vibration/modes.h"

// What holds whatever side a disturbance goes to, in modes->by_energy; the linearization, and its
// modes, are those of one side. Nothing is done where no function switches at the point or all
// sides have the same slopes. With K symmetric and positive definite on every side and damping that
// takes energy the energy is a Lyapunov function across the switches; along a real growing mode
// that points into its own side the motion stays there. All else is open.
void sides_judge(Balance *b, const Linearized *l, Modes *modes);

#endif
