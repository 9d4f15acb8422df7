// How the values of parameters and inputs follow each other, for who lets a caller change them.
//
// A place is the number of a parameter, or that of an input behind all parameters.
#ifndef QDOT_ENGINE_PLAN_FOLLOW_H
#define QDOT_ENGINE_PLAN_FOLLOW_H

#include "program/program.h"

// The derivative of one parameter by another that it is computed from; both are places.
typedef struct PlanFollowSlope {
  uint32_t of, by;
} PlanFollowSlope;

typedef struct PlanFollow {
  const Program *values; // from the values of all places what the model makes of each
  const Program *slopes; // from the same these derivatives,
  uint32_t slope_count;
  const PlanFollowSlope *slope_at; // by descending `of`
} PlanFollow;

#endif
