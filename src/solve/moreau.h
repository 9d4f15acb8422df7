// What Moreau's time stepping says of a moment beside the state.
#ifndef QDOT_SOLVE_MOREAU_H
#define QDOT_SOLVE_MOREAU_H

#include "solve/method.h"

// Adds to accelerations and multipliers what the contacts of the last step make of them.
Status moreau_accelerations(Stepper *stepper, double t, const double *y, double *qdd,
                            double *lambda);

#endif
