// Numbers that follow from parameters and inputs, as tapes over an array of values.
// Sources: plan_value.c
#ifndef QDOT_ENGINE_PLAN_VALUE_H
#define QDOT_ENGINE_PLAN_VALUE_H

#include "base/source.h"
#include "program/tape.h"

// A number that follows from parameters and inputs.
typedef struct PlanValue {
  bool is_said;     // false: the model says nothing, and the number is 0
  double number;    // where there is no tape
  const Tape *tape; // over the variables; NULL: it is a constant
} PlanValue;

// Where tapes find what they read in an array of `count` numbers; inputs and parameters have their
// values there, the rest is 0 but where a motion is looked at.
typedef struct PlanVariables {
  uint32_t count;
  uint32_t t;
  const uint32_t *q, *qd, *states, *parameters, *inputs;
  size_t room; // numbers that the tape of any PlanValue takes to run
} PlanVariables;

// With room for variables->room numbers.
double plan_value(const PlanValue *value, const double *variables, double *room);

#endif
