// Runs of systems: what runs a plan (engine/run), here that of a system, which lives as long.
#ifndef QDOT_SIM_RUN_SOURCE_H
#define QDOT_SIM_RUN_SOURCE_H

#include "engine/run/evaluator.h"
#include "engine/run/follow.h"
#include "engine/run/rerun.h"
#include "sim/sim.h"

Status simulation_open(Simulation *simulation, System *system, const SimOptions *options);
Status rerun_open(Rerun *rerun, System *system, const SimOptions *options);
Status evaluator_open(Evaluator *evaluator, System *system, uint64_t parts);
Status follower_open(Follower *follower, System *system, const SimOptions *options);

#endif
