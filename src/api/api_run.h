// What the options of a run say, for those who start one.
#ifndef QDOT_API_API_RUN_H
#define QDOT_API_API_RUN_H

#include "qdot/qdot.h"
#include "sim/sim.h"

// QDOT_BAD_VALUE where a number is not finite or is below 0. Inside of a guarded call, as the next.
Status api_check_numbers(Context *cx, const qdot_run_options *options);
// The model's simulate line with what the caller says instead.
Status api_sim_options(const Model *model, const qdot_run_options *options, SimOptions *out);
// Of how many rows one is kept, by the end and the interval that were taken; 0: all.
int64_t api_row_stride(const SimOptions *taken, const qdot_run_options *options);

#endif
