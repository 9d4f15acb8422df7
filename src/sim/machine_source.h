// Machines of systems: a machine runs the programs of a plan (engine/machine.h), here those of the
// plan that a system has.
// Sources: machine_source.c
#ifndef QDOT_SIM_MACHINE_SOURCE_H
#define QDOT_SIM_MACHINE_SOURCE_H

#include "engine/machine.h"
#include "sim/plan_source.h"

// Compiles the accelerations with all contacts open, unless another machine of the system has them.
// Close in reverse order of opening.
Status machine_open(Machine *machine, System *system, Backend backend);

// The value of an expression of parameters and inputs.
double machine_value(const Machine *machine, Expr e);

#endif
