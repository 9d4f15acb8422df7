// Parts of models built by calls, and the N-link pendulum; for tests and measurements.
#ifndef QDOT_TESTS_PENDULUM_H
#define QDOT_TESTS_PENDULUM_H

#include "model/model.h"

// Adds a coordinate and returns its symbol.
Expr mechanism_coordinate(Model *model, const char *name);
Expr mechanism_parameter(Model *model, const char *name);
// A definition node of that name.
Expr mechanism_let(Model *model, const char *name, Expr body);
void mechanism_energy(Model *model, EnergyKind kind, Expr value);

// The N-link pendulum with symbolic masses, lengths, centres and inertias, absolute angles.
Model *mechanism_pendulum(Context *cx, int links);
// factor * v^2 / 2
Expr mechanism_half_square(Context *cx, Expr factor, Expr v);
// name[i]
const char *mechanism_indexed(Context *cx, const char *name, int i);

#endif
