// Parameters that make a model follow measurements: least squares with exact derivatives.
// Sources: fit_search.c, fit_run.c, fit_certainty.c, fit_noise.c
#ifndef QDOT_ASK_FIT_H
#define QDOT_ASK_FIT_H

#include "sim/run_source.h"

// One signal of one file, beside the motion.
typedef struct FitCurve {
  uint32_t file, signal; // numbers in the request
  uint32_t reduction;    // whose value it is
  double *measured;      // by row of the file; NAN for gaps
  double *computed;      // with the values found
  double rms;            // of the residuals
  double weight;         // what residuals are multiplied by
  uint32_t count;        // values that count; rows without one are left out
  uint32_t runs;         // stretches of residuals of one sign
  double expected_runs;  // of noise with as many of either sign
  double durbin_watson;  // 2 for noise, towards 0 for residuals that follow each other
  bool is_noise;         // of its residuals nothing says that they are no independent errors
  double ratio;          // of the data over the motion with the model's own values
} FitCurve;

#define FIT_ALL_FILES UINT32_MAX

// One of the unknowns, as it was found. An unknown of each file stands there once for every file.
typedef struct FitResult {
  uint32_t sought;         // number in the request
  uint32_t file;           // whose value it is, or FIT_ALL_FILES
  double value, low, high; // with 95 % of the probability in between; NAN where nothing is known
  double least, most;      // bounds, or infinite
  bool at_bound;
  bool is_undetermined; // has no value of its own
} FitResult;

// The motion with the values found, for pictures: n moments, values of all curves at each.
typedef struct FitTrace {
  uint32_t n;
  double *times, *values;
} FitTrace;

typedef struct Fit {
  Context *cx;
  const Model *model;
  const FitRequest *request;
  uint32_t count;               // unknowns
  uint32_t values;              // measured, of all curves
  FitResult *results;           // by unknown
  double *correlation;          // count x count; NAN where there is none
  uint32_t rank;                // directions of the unknowns that the data determine
  VEC(const char *) determined; // "k/m": products of powers that have a value
  VEC(FitCurve) curves;
  FitTrace trace;
  double rms;          // of all residuals, each over the weight of its curve
  double start_rms;    // with the model's own values
  double begins, ends; // times of the data
  bool converged, is_stopped;
  bool is_noise; // what is left is noise, as intervals suppose
  uint32_t runs, failed, starts;
  double seconds;
} Fit;

typedef void FitProgress(void *user, uint32_t runs, double best);

// In the keep arena. Fails where no start gives a whole run. What was found before a stop is kept.
Status fit_find(Fit *fit, Context *cx, System *system, const FitRequest *request,
                const SimOptions *options, FitProgress *progress, void *progress_user);

// What an unknown is called: theta(0), or theta(0) of swing.csv. In the scratch arena.
const char *fit_name(const Fit *fit, uint32_t unknown);
const Sought *fit_sought(const Fit *fit, uint32_t unknown);

// Are the residuals (of all curves, one after the other, weighted) noise? Those within `accuracy`
// of the size of their data are what the runs themselves are off by. Into the curves and
// fit->is_noise.
void fit_judge_noise(Fit *fit, const double *residual, double accuracy);

// How well the results are known, from the slopes (residuals x unknowns) and the sum of squares
// there; unit: of unknowns that are 0.
Status fit_judge(Fit *fit, uint32_t residuals, const double *slopes, double squares,
                 const double *unit);

#endif
