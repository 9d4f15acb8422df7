// Measures of a run as people read them.
#ifndef QDOT_PRINT_MEASURE_TEXT_H
#define QDOT_PRINT_MEASURE_TEXT_H

#include "model/model.h"
#include "print/quantity.h"
#include "result/origin.h"

Quantity quantity_of_measurement(Context *cx, const Model *model, const Measurement *measurement);
// The units of all measures, "N m"; "" where there is none. In the keep arena.
const char *const *measure_units(Context *cx, const Model *model);
// A line for each: name, value, unit. values: in the model's order, or NULL.
void measures_text(Context *cx, const Model *model, const double *values, Text *out);
// The same of a run of a plan.
void plan_measures_text(const StoredPlan *plan, const double *values, Text *out);

#endif
