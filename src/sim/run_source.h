// Machines and runs of systems: what runs the programs of a plan (engine/machine.h, engine/run),
// here of the plan that a system has; the system lives as long.
#ifndef QDOT_SIM_RUN_SOURCE_H
#define QDOT_SIM_RUN_SOURCE_H

#include "engine/run/evaluator.h"
#include "engine/run/follow.h"
#include "engine/run/rerun.h"
#include "sim/sim.h"

// Compiles the accelerations with all contacts open, unless another machine of the system has them.
// Close in reverse order of opening.
Status machine_open(Machine *machine, System *system, Backend backend);
Status simulation_open(Simulation *simulation, System *system, const SimOptions *options);
Status rerun_open(Rerun *rerun, System *system, const SimOptions *options);
Status evaluator_open(Evaluator *evaluator, System *system, uint64_t parts);
Status follower_open(Follower *follower, System *system, const SimOptions *options);

#endif
