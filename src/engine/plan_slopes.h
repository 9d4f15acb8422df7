// How what follows from parameters and inputs changes along directions, in a plan that is made for
// slopes. Derivatives of numbers that do not change are 0, without a tape.
#ifndef QDOT_ENGINE_PLAN_SLOPES_H
#define QDOT_ENGINE_PLAN_SLOPES_H

#include "engine/directions.h"
#include "engine/plan_value.h"

typedef struct PlanSlopes {
  const Directions *directions;
  // by direction, then by
  const PlanValue *values;           // parameter, then input
  const PlanValue *starts;           // q, q', states, as the model gives them; NULL: assembled
  const PlanValue *periods, *delays; // sampling
  const PlanValue *froms;            // reduction
  const PlanValue *ends;             // of the run; one a direction
} PlanSlopes;

#endif
