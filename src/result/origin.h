// What a run was made from, for who names what it found: a system, or a plan that was read.
// Sources: origin.c
#ifndef QDOT_RESULT_ORIGIN_H
#define QDOT_RESULT_ORIGIN_H

#include "engine/plan_file.h"
#include "sim/sim.h"

// One of the two; neither where nothing is to be named.
typedef struct RunOrigin {
  const System *system;
  const StoredPlan *plan;
} RunOrigin;

static inline RunOrigin origin_of_system(const System *system) {
  return (RunOrigin){.system = system};
}
static inline RunOrigin origin_of_plan(const StoredPlan *plan) { return (RunOrigin){.plan = plan}; }

const char *origin_event_name(RunOrigin origin, const SimEvent *event);
// NULL where there is none of this number.
const char *origin_coordinate_name(RunOrigin origin, uint32_t number);
// Constraints and contacts.
uint32_t origin_row_count(RunOrigin origin);
uint32_t origin_measure_count(RunOrigin origin);
const char *origin_measure_name(RunOrigin origin, uint32_t number);

// How it was read: of bodies the formulation, or NULL, and what was set.
const char *origin_formulation(RunOrigin origin);
uint32_t origin_setting_count(RunOrigin origin);
const char *origin_setting(RunOrigin origin, uint32_t i);

#endif
