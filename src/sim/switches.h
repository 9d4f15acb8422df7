// Where the right-hand side of a system is not smooth.
#ifndef QDOT_SIM_SWITCHES_H
#define QDOT_SIM_SWITCHES_H

#include "code/flatten.h"
#include "derive/system.h"

// Everything that acts on the motion. In the scratch arena.
ExprList system_acting_expressions(Context *cx, const System *system);

// Every abs, sign, min, max, < and <= that the equations of motion contain and that time or state
// can switch, inner ones first; and the functions whose zeros are their switching instants: a - b
// for a comparison a < b. One guard may serve several of them. In the scratch arena.
typedef struct Switches {
  ExprList atoms, guards;
  bool has_roots; // powers that are not whole numbers: bases stay defined beyond their conditions
} Switches;

// The sizes of all that a sum adds up, definitions opened.
Expr expr_size_of_terms(Context *cx, Expr e);

Switches system_switches(Context *cx, const System *system);

// What velocities divide by in the equations of motion, as norm(v) in -mu*N*v/norm(v). In the
// scratch arena.
ExprList system_speed_denominators(Context *cx, const System *system);

// Binds every atom to the side its guard is on, an input of value -1 or +1 beginning at first_side:
// within a step the equations are then smooth, and a crossing is an event.
void switches_lock(const Switches *switches, Flattener *flattener, uint32_t first_side);

#endif
