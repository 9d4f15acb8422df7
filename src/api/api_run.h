// What the options of a run say, for those who start one.
#ifndef QDOT_API_API_RUN_H
#define QDOT_API_API_RUN_H

#include "qdot/qdot.h"
#include "result/recorder.h"

// QDOT_BAD_VALUE where a number is not finite or is below 0. Inside of a guarded call, as the next.
Status api_check_numbers(Context *cx, const qdot_run_options *options);
// The model's simulate line with what the caller says instead.
Status api_sim_options(const Model *model, const qdot_run_options *options, SimOptions *out);
// What the caller says, over what a model or plan asks for.
Status api_take_options(Context *cx, const qdot_run_options *options, SimOptions *out);
// What is kept of the rows and of the motion; the options live as long.
RecorderOptions api_recorder_options(const qdot_run_options *options, const SimOptions *taken);
// results.mat in the result's folder.
Status api_write_mat(const Result *result, const char *title);
// Of how many rows one is kept, by the end and the interval that were taken; 0: all.
int64_t api_row_stride(const SimOptions *taken, const qdot_run_options *options);

#endif
