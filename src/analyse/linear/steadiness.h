// Are the linearized equations the same at all times, and does friction hold what it has to?
// Sources: steadiness.c, steadiness_held.c
#ifndef QDOT_ANALYSE_LINEAR_STEADINESS_H
#define QDOT_ANALYSE_LINEAR_STEADINESS_H

#include "analyse/equilibrium/closed_form.h"
#include "analyse/linear/state_slopes.h"

// Takes unbalances, and parts of forces that are functions of time alone, as 0, and tells it: about
// the state without them all is constant.
void steadiness_leave_out(Balance *b);
// An explicit time in forces, energies or constraints is an error that names it. A constraint whose
// rate does not change, theta = w*t, may pass.
Status steadiness_check_time(Balance *b);
// Does friction hold what is taken as held? It is told; an error where it certainly does not.
Status steadiness_check_held(Balance *b, const Steady *s);

// Along the motion no coefficient may change: nothing may depend on a coordinate that moves. The
// request, which may be NULL, is what an error points at.
Status steadiness_check_motion(Balance *b, const LinearizeRequest *request, const StateSlopes *e,
                               const Steady *s, const ClosedForm *form);

#endif
