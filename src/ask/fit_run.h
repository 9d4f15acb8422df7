// The runs of a fit: one for all files, or one for each file where an unknown has a value for each.
#ifndef QDOT_ASK_FIT_RUN_H
#define QDOT_ASK_FIT_RUN_H

#include "ask/fit.h"
#include "sim/direction_rates.h"

struct FitRuns;

// One run and the moments at which it is looked at.
typedef struct FitExperiment {
  struct FitRuns *runs;
  uint32_t file;  // or FIT_ALL_FILES
  uint32_t count; // moments, ascending
  double *times;
  uint32_t *file_of, *row_of; // by moment
  uint32_t *unknown_of;       // by what the request seeks
} FitExperiment;

typedef struct FitRuns {
  Fit *fit;
  Rerun rerun;
  Directions directions; // what the request seeks
  SlopeLook look;        // of the run at hand
  VEC(FitExperiment) experiments;
  uint32_t n;           // residuals
  double *residual, *J; // of the last evaluation: n, n x unknowns
  double *values, *measures;
  bool has_run; // a run was whole
} FitRuns;

// Names the unknowns in fit->results and the curves in fit->curves.
Status fit_runs_open(FitRuns *runs, Fit *fit, System *system, const SimOptions *options);
void fit_runs_close(FitRuns *runs);
// What the model says of an unknown.
double fit_runs_given(const FitRuns *runs, uint32_t unknown);
// Sum of weighted squares at x; INFINITY where there is no whole run. QDOT_STOPPED from outside.
Status fit_runs_evaluate(FitRuns *runs, const double *x, double *out);
// Looks at the motion between the data too, for pictures.
void fit_runs_trace(FitRuns *runs, const double *x);

#endif
