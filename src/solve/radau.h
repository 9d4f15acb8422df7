// What others ask of a step of radau.
#ifndef QDOT_SOLVE_RADAU_H
#define QDOT_SOLVE_RADAU_H

#include "solve/method.h"

// The rate of the fastest motion where the Jacobian was computed last, in 1/s: its largest
// eigenvalue, roughly.
double radau_fastest(const Stepper *stepper);

#endif
