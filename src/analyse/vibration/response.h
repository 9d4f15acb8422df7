// The frequency response of a linearized system: outputs to inputs, or to forces on coordinates.
#ifndef QDOT_ANALYSE_VIBRATION_RESPONSE_H
#define QDOT_ANALYSE_VIBRATION_RESPONSE_H

#include "analyse/vibration/modes.h"

typedef struct ResponseInput {
  const char *name;
  bool is_force; // on a coordinate; else an input of the model
  uint32_t number;
} ResponseInput;

// Any expression of coordinates, velocities, accelerations, multipliers and inputs.
typedef struct ResponseOutput {
  const char *name;
  Expr value;
} ResponseOutput;

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
  double *hz;      // n, ascending
  double *re, *im; // n x outputs x inputs; not finite where a resonance is hit exactly
  double *rest;    // outputs x inputs: the static gain; not finite where a rigid mode has none
} Response;

// values: as model_values gives them. In the arena, which is not scratch.
Status response_compute(const Linearized *l, const Modes *modes, const double *values,
                        const ResponseTask *task, Arena *arena, Response *out);

double response_gain(const Response *r, uint32_t k, uint32_t output, uint32_t input);
// Degrees in (-180, 180].
double response_phase(const Response *r, uint32_t k, uint32_t output, uint32_t input);

// Is there an undamped mode at this point's frequency? Then its gain has no limit.
bool response_is_unlimited(const Response *r, uint32_t k);

// Indices of the highest points of one gain, at most `most`, by frequency.
uint32_t response_peaks(const Response *r, uint32_t output, uint32_t input, uint32_t *at,
                        uint32_t most);

#endif
