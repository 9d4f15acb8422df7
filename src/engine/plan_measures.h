// What measures take of a motion, in a plan.
#ifndef QDOT_ENGINE_PLAN_MEASURES_H
#define QDOT_ENGINE_PLAN_MEASURES_H

#include "engine/plan_value.h"
#include "program/reduction.h"

// One number of a motion: max(x), integral(x) or their like.
typedef struct PlanReduction {
  ReductionKind kind;
  bool has_condition; // of first, last and count
  PlanValue from;     // the motion before this time, in s, does not count
  uint32_t variable;  // where tapes find the number
  Span span;
} PlanReduction;

typedef struct PlanMeasures {
  uint32_t reduction_count, measure_count;
  const PlanReduction *reductions;
  bool need_forces;   // they look at accelerations or constraint forces
  bool show_switches; // they look at forces that act by switches, which may stick
} PlanMeasures;

#endif
