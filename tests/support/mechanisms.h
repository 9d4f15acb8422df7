// Mechanical systems built by calls, without a text: for tests of the derivation.
#ifndef QDOT_TESTS_MECHANISMS_H
#define QDOT_TESTS_MECHANISMS_H

#include "model/model.h"
#include "support/check.h"

// Adds a coordinate and returns its symbol.
Expr mechanism_coordinate(Model *model, const char *name);
Expr mechanism_parameter(Model *model, const char *name);
// A definition node of that name.
Expr mechanism_let(Model *model, const char *name, Expr body);
void mechanism_energy(Model *model, EnergyKind kind, Expr value);

// The N-link pendulum with symbolic masses, lengths, centres and inertias, absolute angles.
Model *mechanism_pendulum(Context *cx, int links);
// Random definitions of random definitions and coordinates, nonlinear and with time; energies,
// forces, dissipation, constraints and a contact on top of them. T is positive definite.
Model *mechanism_random(Context *cx, Random *random);

#endif
