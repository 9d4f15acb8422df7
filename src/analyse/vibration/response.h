// The frequency response of a linearized system: outputs to inputs, or to forces on coordinates.
#ifndef QDOT_ANALYSE_VIBRATION_RESPONSE_H
#define QDOT_ANALYSE_VIBRATION_RESPONSE_H

#include "analyse/vibration/resonance.h"

typedef struct ResponseTask {
  const ResponseInput *inputs;
  const ResponseOutput *outputs;
  uint32_t input_count, output_count;
  double from, to; // Hz; 0: a decade beyond the modes
  uint32_t points; // spread evenly over the logarithm; more are added around resonances
} ResponseTask;

typedef struct Response {
  ResponseTask task;
  const Modes *modes;
  uint32_t n;
  double *hz;       // n, ascending
  double *re, *im;  // n x outputs x inputs; not finite where a resonance is hit exactly
  double *rest;     // outputs x inputs: the static gain; not finite where a rigid mode has none
  Extrema *extrema; // outputs x inputs
} Response;

// values: as model_values gives them. In the arena, which is not scratch.
Status response_compute(const Linearized *l, const Modes *modes, const double *values,
                        const ResponseTask *task, Arena *arena, Response *out);

double response_gain(const Response *r, uint32_t k, uint32_t output, uint32_t input);
double response_phase(const Response *r, uint32_t k, uint32_t output, uint32_t input);
const Extrema *response_extrema(const Response *r, uint32_t output, uint32_t input);

#endif
