// Mechanical systems built by calls, without a text: for tests of the derivation.
#ifndef QDOT_TESTS_MECHANISMS_H
#define QDOT_TESTS_MECHANISMS_H

#include "support/check.h"
#include "support/pendulum.h"

// Random definitions of random definitions and coordinates, nonlinear and with time; energies,
// forces, dissipation, constraints and a contact on top of them. T is positive definite.
Model *mechanism_random(Context *cx, Random *random);

#endif
