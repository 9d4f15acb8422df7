// What parameters and start values do to measures: exact slopes of one run.
#ifndef QDOT_ASK_SENSITIVITY_H
#define QDOT_ASK_SENSITIVITY_H

#include "sim/run_source.h"

typedef struct Sensitivity {
  Context *cx;
  const Model *model;
  const SensitivityRequest *request;
  uint32_t measures, count; // rows, directions
  double *nominal;          // of what is varied
  double *width;            // its tolerance, where a tolerance line gives one; else NAN
  double *values;           // of the measures
  double *slopes;           // measures x count; NAN where there is none
  const char **undefined;   // by measure: why
  double seconds;
  bool is_stopped; // before its end: rows up to there have slopes
  double known;    // relative slopes are known to this
  // slopes of the motion over time: rows x (1 + count x state), time first
  uint32_t rows, state, reached; // reached: rows that have been
  double *motion;
} Sensitivity;

// One run; fails where the model's own values give no whole one. In the keep arena. with_motion:
// the slopes of the state are kept, too.
Status sensitivity_find(Sensitivity *sensitivity, Context *cx, System *system,
                        const SensitivityRequest *request, const SimOptions *options,
                        bool with_motion);
// d(theta)/d(k) of column i of a row, from 1; in the scratch arena.
const char *sensitivity_column(const Sensitivity *sensitivity, uint32_t i);

#endif
