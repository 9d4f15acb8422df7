// A second run at a tenth of the tolerance, compared with the first one row by row.
#ifndef QDOT_SIM_VERIFY_H
#define QDOT_SIM_VERIFY_H

#include "sim/sim.h"

static const double VERIFY_APART = 1e-3;

// The rows of the first run in order: the next one until the next call, NULL at the end.
typedef struct FirstRun {
  void *user;
  const double *(*next)(void *user);
} FirstRun;

// summary->verified: the largest difference of a coordinate, relative to the largest value it has;
// one far above the tolerance becomes the first thing that the summary says. summary->holds_until:
// before when no coordinate differs by more than VERIFY_APART.
Status sim_verify(Context *cx, System *system, const SimOptions *options, FirstRun first,
                  SimSummary *summary);

// Would the second run take less than about a tenth of a second? By counts, not by a clock: the
// same run always gives the same answer.
bool verify_is_cheap(const System *system, const SimSummary *first);

#endif
