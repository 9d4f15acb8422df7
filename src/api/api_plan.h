// What a public plan consists of.
// Sources: api_plan.c, plan_make.c, plan_setting.c
#ifndef QDOT_API_API_PLAN_H
#define QDOT_API_API_PLAN_H

#include "engine/plan_file.h"
#include "model/model.h"
#include "qdot/qdot.h"

struct qdot_plan {
  Context *cx; // a room of the caller's context
  PlanBytes bytes;
  StoredPlan stored; // with the values that were set
  PlanParameter *parameters;
  PlanInput *inputs;
  StoredAbout about;
  Programs *programs;
  double read_seconds; // that reading took
  qdot_plan_value *values;
};

// Inside of a call, like all here. The plan of a model as bytes, in its results.
Status plan_of_model(Model *model, const qdot_run_options *options, PlanBytes *out);

// Takes "L=20 [mm]": NAME is a parameter or input of the plan. as: how messages call the text.
Status plan_take_setting(qdot_plan *plan, const char *as, const char *text);
// The place of a name, inputs behind parameters; -1 after an error that says why there is none.
int plan_place(qdot_plan *plan, const char *name);
// Sets the value; text: the setting as it stands in the summary.
void plan_put_value(qdot_plan *plan, uint32_t place, double value, const char *text);
// Values of parameters and inputs by variable; in the scratch arena.
const double *plan_values(const qdot_plan *plan);

#endif
