// Natural frequencies for those who compare something with them: steps, spectra.
#ifndef QDOT_API_FREQUENCIES_H
#define QDOT_API_FREQUENCIES_H

#include "model/model.h"
#include "qdot/qdot.h"

typedef struct NaturalFrequencies {
  uint32_t n;
  const double *omega; // rad/s, ascending
} NaturalFrequencies;

// Of the oscillations about what the model's first linearize line says, or else about the
// equilibrium nearest to the start, where it is not unstable. None where there is no such point:
// what is wrong with it is the business of those who ask for the linearization. In the keep arena.
NaturalFrequencies natural_frequencies(Context *cx, Model *model);

#endif
