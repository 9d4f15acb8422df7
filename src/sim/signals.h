// What the measures of a model look at along the motion, and where it is not smooth.
#ifndef QDOT_SIM_SIGNALS_H
#define QDOT_SIM_SIGNALS_H

#include "code/flatten.h"
#include "derive/system.h"
#include "engine/plan.h"

// Every abs, sign, min, max, atan2 and comparison in the values and conditions of measures, apart
// from those that act on the motion, which are locked already; and the functions whose signs decide
// them. In the scratch arena.
typedef struct SignalSwitches {
  ExprList atoms, guards;
} SignalSwitches;

SignalSwitches signal_switches(Context *cx, const System *system);
// What measures look at beside positions and velocities.
typedef struct SignalNeeds {
  bool forces;   // accelerations or constraint forces
  bool switches; // that act in the equations, and may stick
} SignalNeeds;
SignalNeeds signal_needs(Context *cx, const System *system);

// Binds every atom to the sign of its guard, an input of value -1, 0 or +1 from first_sign on.
void signals_lock(const SignalSwitches *switches, Flattener *flattener, uint32_t first_sign);

// The same for what stands in the slopes of the atoms.
void signals_lock_slopes(const SignalSwitches *switches, Flattener *flattener, uint32_t first_sign);

#endif
