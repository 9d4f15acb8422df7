// What assigns values at moments, in a plan: samples, and events of the model's own.
#ifndef QDOT_ENGINE_PLAN_ACTIONS_H
#define QDOT_ENGINE_PLAN_ACTIONS_H

#include "engine/plan_value.h"

// Where one value goes; both -1: nowhere in these coordinates.
typedef struct PlanAssignment {
  int input;               // number of the input that it sets, or -1
  int place;               // in (q, q', states) of what it sets, or -1
  bool is_without_inertia; // a velocity that follows from damping, because no mass is moved
  Span span;
} PlanAssignment;

// sample every `period`, delivered after `delay`; both in s.
typedef struct PlanSampling {
  PlanValue period, delay;
  uint32_t first, count; // of its assignments
  Span span;
} PlanSampling;

// Assignments, or the end of the run, at the zeros of a function.
typedef struct PlanOccasion {
  const char *text;      // the condition as it is written
  int direction;         // -1, +1: only where the function falls, rises; 0: both
  bool is_condition;     // the function is positive where the condition holds
  bool has_motion;       // the function contains more than parameters and inputs
  bool stops;            // ends the run
  uint32_t first, count; // of its assignments
} PlanOccasion;

typedef struct PlanActions {
  uint32_t assignment_count, sampling_count, occasion_count;
  const PlanAssignment *assignments; // of the samplings and occasions
  const PlanSampling *samplings;
  const PlanOccasion *occasions;
} PlanActions;

#endif
