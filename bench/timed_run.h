// A run of a model file, timed.
#ifndef QDOT_BENCH_TIMED_RUN_H
#define QDOT_BENCH_TIMED_RUN_H

#include "sim/sim.h"
#include "text_model.h"

typedef struct TimedRun {
  uint32_t column; // of the rows, whose last value is kept
  double seconds, last;
  long steps, evaluations;
  TextModel *model;
  SimOptions options;
} TimedRun;

// Runs it until its time is certain. False when something went wrong.
bool timed_run(const char *path, uint32_t column, TimedRun *out);

#endif
