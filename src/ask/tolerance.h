// What tolerances of parameters do to measures: samples, and what they amount to.
//
// Sample i of a seed is a function of both alone: whoever runs it, in whatever order, the numbers
// are the same.
#ifndef QDOT_ASK_TOLERANCE_H
#define QDOT_ASK_TOLERANCE_H

#include "ask/runs.h"

enum { TOLERANCE_PERCENTILES = 7 };
extern const double tolerance_percentiles[TOLERANCE_PERCENTILES]; // 0.1, 1, 5, 50 ...

// What one measure does.
typedef struct Distribution {
  uint32_t measure; // number of the measurement
  uint32_t count;   // runs in which it has a value
  double nominal;   // with the model's values
  double mean, std; // of the samples
  double percentile[TOLERANCE_PERCENTILES];
  double least, most;
  double *contribution; // by spread: its share of the variance, to first order
  double linear_std;    // as the slopes over the tolerances predict it
  double *sorted;       // the count values, ascending
} Distribution;

typedef struct Tolerance {
  Context *cx;
  const Model *model;
  const ToleranceRequest *request;
  uint32_t runs, seen, failed; // asked for, made, and of these failed
  uint64_t seed;
  double seconds;
  uint32_t *places;        // of the spreads, see settings.h
  double *nominal, *width; // of the spreads
  double *values;          // runs x measures of the request; NAN where there is none
  bool *is_done, *is_good; // by run
  uint32_t *turned;        // by spread: runs in which the value has the other sign than the model's
  const char *why;         // the first run that failed, in words; NULL: none did
  VEC(Distribution) distributions;
} Tolerance;

// One's own for every thread that makes runs.
typedef struct ToleranceWorker {
  Runs runs;
  double *at, *measures; // of one run
} ToleranceWorker;

// Of a model with a tolerance line; runs and seed 0: as the line says. In the keep arena. The
// worker is of the same context.
Status tolerance_open(Tolerance *tolerance, const Model *model, ToleranceWorker *worker,
                      uint32_t runs, const uint64_t *seed);
// lanes: how many runs go side by side; 0: as many as is good.
Status tolerance_worker_open(ToleranceWorker *worker, Context *cx, System *system,
                             const SimOptions *options, uint32_t lanes);
void tolerance_worker_close(ToleranceWorker *worker);

// The parameters of a sample, by spread.
void tolerance_sample(const Tolerance *tolerance, uint32_t run, double *out);
// Makes some runs, side by side where there are lanes; false where they were stopped from outside.
// Several threads may do so at a time, each its own runs with its own worker.
bool tolerance_run(Tolerance *tolerance, ToleranceWorker *worker, uint32_t first, uint32_t count);

// Nominal values and what the slopes predict: 2 runs a spread, and one.
Status tolerance_predict(Tolerance *tolerance, ToleranceWorker *worker);
// All runs that are done. The worker makes the first one that failed again, to learn why.
void tolerance_finish(Tolerance *tolerance, ToleranceWorker *worker);

#endif
