// Numbers that follow from parameters and inputs.
#include "engine/plan_value.h"

double plan_value(const PlanValue *value, const double *variables, double *room) {
  double out = value->number;
  if (value->tape) tape_values(value->tape, variables, room, &out);
  return out;
}
