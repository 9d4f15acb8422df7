// A model run again and again with other values, without being derived or compiled again.
//
// Every run begins as if it were the first: its numbers depend on its own values alone, not on the
// runs before it. A Rerun belongs to its context; threads have a context and a Rerun each.
#ifndef QDOT_ENGINE_RUN_RERUN_H
#define QDOT_ENGINE_RUN_RERUN_H

#include <stdint.h>

#include "engine/run/simulation.h"

typedef struct Rerun {
  Simulation simulation;
  bool follows_end, follows_every; // the simulate line computes them from parameters
  double *given;                   // settings as the model gives them
  // of the last run, where the options have directions: see SimSummary; until the next one
  const double *slopes;
  const char **undefined;
  double *start; // q, qd, states: those of this run, NAN where the model says it
  char why[200]; // the last run has failed, in words
  int64_t steps; // of the last run that was whole
} Rerun;

// The end of the run and its rows follow the values where the simulate line computes them.
Status rerun_open_programs(Rerun *rerun, Programs *programs, const SimOptions *options);
// Another one of the same model with the same options, which runs the programs of the first and
// closes before it.
Status rerun_open_beside(Rerun *rerun, Rerun *first);
void rerun_close(Rerun *rerun);

// What the model says of a place: those of the settings, and behind them the start values of q, q'
// and the states; see direction_rates.h.
double rerun_given(const Rerun *rerun, uint32_t place);

// One run with the model's values but for `count` places. measures: in the model's
// order, NAN for those without a value; all NAN where the run failed or broke off. Why it did is
// the returned status, QDOT_STOPPED from outside alone, and rerun->why; diagnostics are left as
// they were.
Status rerun_measures(Rerun *rerun, const uint32_t *places, const double *values, uint32_t count,
                      double *measures);

// From here on runs that take many times the steps of the last one fail.
void rerun_limit_steps(Rerun *rerun);

// Where the model starts with some values of its own: q, q', states. Why it does not is in
// rerun->why.
Status rerun_start(Rerun *rerun, const uint32_t *places, const double *values, uint32_t count,
                   double *x);

// What reduction i amounts to in the last run, which was whole; slopes: by direction, or NULL.
double rerun_reduction(const Rerun *rerun, uint32_t i, double *slopes);

// Is a condition of measures and parameters true of the last run, which was whole?
bool rerun_holds(Rerun *rerun, const PlanValue *condition);
// The same run again, for its rows. Failures are diagnosed.
Status rerun_rows(Rerun *rerun, const uint32_t *places, const double *values, uint32_t count,
                  RowSink *sink);

#endif
