// Slopes of measures along parameters, compared with differences of runs.
#ifndef QDOT_TESTS_SLOPE_CASES_H
#define QDOT_TESTS_SLOPE_CASES_H

#include "base/context.h"

typedef struct SlopeCase {
  const char *name, *text;
  const char *parameters[8];
} SlopeCase;

// All measures of a model by all its parameters that are named; the motion is the same to the last
// bit with slopes and without.
void check_slopes(Context *cx, const SlopeCase *one);

#endif
