// A second run at a tenth of the tolerance, compared with the first one row by row.
#ifndef QDOT_SIM_RUN_VERIFY_H
#define QDOT_SIM_RUN_VERIFY_H

#include "sim/sim.h"

// The rows of the first run in order: the next one until the next call, NULL at the end.
typedef struct FirstRun {
  void *user;
  const double *(*next)(void *user);
} FirstRun;

// summary->verified: the largest difference of a coordinate, relative to the largest value it has;
// one far above the tolerance becomes the first thing that the summary says.
Status sim_verify(Context *cx, System *system, const SimOptions *options, FirstRun first,
                  SimSummary *summary);

#endif
