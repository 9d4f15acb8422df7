// Many runs of a model in one thread: side by side where there are lanes.
#ifndef QDOT_ASK_RUNS_H
#define QDOT_ASK_RUNS_H

#include "engine/lanes/lanes.h"
#include "sim/run_source.h"

typedef struct Runs {
  Rerun rerun;         // of the first lane, for who makes a single run
  Lanes *lanes;        // NULL: one run after the other
  uint32_t most_lanes; // 1: there are none, or they have been tried
} Runs;

// lanes: how many runs go side by side; 0: as many as is good.
Status runs_open(Runs *runs, System *system, const SimOptions *options, uint32_t lanes);
void runs_close(Runs *runs);

// Calls work(user, rerun) in every lane, each with a rerun of its own; it takes one of `count` runs
// after the other until none is left. Lanes are opened for the first that fill them.
void runs_make(Runs *runs, uint64_t count, void (*work)(void *user, Rerun *rerun), void *user);
// "scalar", "avx2" or "avx512": how so many runs are made.
const char *runs_backend(Runs *runs, uint64_t count);

#endif
