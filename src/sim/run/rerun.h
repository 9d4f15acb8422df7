// A model run again and again with other values, without being derived or compiled again.
//
// Every run begins as if it were the first: its numbers depend on its own values alone, not on the
// runs before it. A Rerun belongs to its context; threads have a context and a Rerun each.
#ifndef QDOT_SIM_RUN_RERUN_H
#define QDOT_SIM_RUN_RERUN_H

#include "sim/run/simulation.h"

typedef struct Rerun {
  Simulation simulation;
  bool follows_end, follows_every; // the simulate line computes them from parameters
  double *given;                   // settings as the model gives them
  // of the last run, where the options have directions: see SimSummary; until the next one
  const double *slopes;
  const char **undefined;
} Rerun;

// The end of the run and its rows follow the values where the simulate line computes them.
Status rerun_open(Rerun *rerun, Context *cx, System *system, const SimOptions *options);
void rerun_close(Rerun *rerun);

// One run with the model's values but for `count` places (see settings.h). measures: in the model's
// order, NAN for those without a value; all NAN where the run failed or broke off. Why it did is
// the returned status; diagnostics are left as they were.
Status rerun_measures(Rerun *rerun, const uint32_t *places, const double *values, uint32_t count,
                      double *measures);

#endif
