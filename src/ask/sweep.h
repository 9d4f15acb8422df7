// Sweeps: what every case of a sweep is, and the runs of a block of cases.
//
// Case i is a function of the model, the request and the seed alone, and so is what its run gives:
// whoever makes it, in whatever order, the numbers are the same.
// Sources: sweep.c, sweep_run.c
#ifndef QDOT_ASK_SWEEP_H
#define QDOT_ASK_SWEEP_H

#include "ask/runs.h"

typedef struct SweepScale {
  double low, high;   // of ranges
  double centre;      // of a normal distribution: the model's value
  double width;       //
  const double *list; // of lists and cases
} SweepScale;

typedef struct Sweep {
  Context *cx;
  const Model *model;
  const SweepRequest *request;
  uint64_t cases, seed;
  uint32_t axes, measures;
  uint32_t block;  // cases of a block; the last may have fewer
  uint64_t blocks; //
  uint32_t *places;
  SweepScale *scales;   // by axis
  uint64_t fingerprint; // of all that decides what the cases are and what their runs give
} Sweep;

// Of a model with a sweep line; seed NULL: the line's. In the keep arena; the rerun is of the same
// context.
Status sweep_open(Sweep *sweep, const Model *model, const Rerun *rerun, const uint64_t *seed);

// What the axes are in a case, in their order.
void sweep_values(const Sweep *sweep, uint64_t number, double *out);
// The first case of a block, and how many it has.
uint64_t sweep_first(const Sweep *sweep, uint64_t block);
uint32_t sweep_count(const Sweep *sweep, uint64_t block);
// What an axis or a measure is called.
const char *sweep_axis_name(const Sweep *sweep, uint32_t axis);
const char *sweep_measure_name(const Sweep *sweep, uint32_t measure);

// What the runs of a block gave.
typedef struct SweepBlock {
  uint64_t number, first;
  uint32_t count, failed;
  double *values;     // count x measures; NAN where there is no value
  uint32_t *reason;   // of each case: 0 is ok, else where its reason begins in the text, plus one
  VEC(char) text;     // reasons, each with a zero behind it
  VEC(uint32_t) kept; // cases, from 0 within the block, whose rows are to be kept
} SweepBlock;

// One's own for every thread that makes runs.
typedef struct SweepWorker {
  Runs runs;
  const SweepRequest *request; // of its own model
  PlanValue keeps;             // a condition: rows of which cases are kept
  Arena arena;                 // of the block
  Handle handle;
  double *at, *measures;
  SweepBlock block;
} SweepWorker;

// lanes: how many runs go side by side; 0: as many as is good.
Status sweep_worker_open(SweepWorker *worker, Context *cx, System *system,
                         const SimOptions *options, uint32_t lanes);
void sweep_worker_close(SweepWorker *worker);
// Makes the runs of a block; false where it was stopped from outside.
bool sweep_run(const Sweep *sweep, SweepWorker *worker, uint64_t block);
// "scalar", "avx2" or "avx512": how this worker makes full blocks.
const char *sweep_backend(const Sweep *sweep, SweepWorker *worker);
// The reason of a case of a block, or NULL where it is ok.
const char *sweep_reason(const SweepBlock *block, uint32_t i);

#endif
