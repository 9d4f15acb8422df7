// Random values for all symbols of a system, for searches whose findings are proved afterwards.
#ifndef QDOT_DERIVE_ROADS_TRIAL_H
#define QDOT_DERIVE_ROADS_TRIAL_H

#include "derive/system.h"

typedef struct Trial {
  Context *cx;
  const Model *model;
  double *values; // by symbol_variable, in the scratch arena
  uint32_t n;
  uint64_t state;
  bool is_mixed; // the last state had coordinates of both signs
} Trial;

// Parameters are random, too, so that what is found holds for all their values; those that follow
// from others do so.
Trial trial_open(Context *cx, const System *system);
// New values of all but parameters.
void trial_scatter(Trial *trial);
// A parameter times a factor, with all that follow from it.
void trial_scale(Trial *trial, uint32_t parameter, double factor);
// Is this parameter a number of its own?
bool trial_is_free(const Trial *trial, uint32_t parameter);
// Parameters that follow from others, written by those.
Expr open_parameters(Context *cx, const Model *model, Expr e);

// The rational number with a denominator of at most 10,000 that a value is but for rounding errors;
// NUMBER_NONE where there is none.
Number rational_near(Context *cx, double value);

#endif
