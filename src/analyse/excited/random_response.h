// The response to random inputs: spectral densities and root mean squares of outputs.
//
// Densities are one-sided, in squares per hertz: the mean square is their integral over the
// frequencies. Inputs of one process are coherent, each with its delay; processes are independent.
#ifndef QDOT_ANALYSE_EXCITED_RANDOM_RESPONSE_H
#define QDOT_ANALYSE_EXCITED_RANDOM_RESPONSE_H

#include "analyse/vibration/plant.h"

// One of the random lines that has a density of its own.
typedef struct RandomSource {
  const RandomLine *line;
  const char *name; // of its input
  double low, high; // Hz; INFINITY where it has no end
  double speed;     // of roads
  double rms;       // of the input itself; INFINITY where its band has no end
} RandomSource;

// An input that follows a source.
typedef struct RandomInput {
  ResponseInput input;
  uint32_t source;
  double delay;
} RandomInput;

typedef enum RandomBound {
  RANDOM_BOUNDED,
  RANDOM_SLOW,    // the mean square has no bound: too much at low frequencies,
  RANDOM_FAST,    // at high ones,
  RANDOM_UNDAMPED // or in a resonance
} RandomBound;

typedef struct RandomOutput {
  const char *name;
  const char *weight; // W_k ...; NULL for none
  Expr value;
  RandomBound bound;
  double rms;   // INFINITY where it has no bound
  double error; // of it, relative
} RandomOutput;

typedef struct RandomResponse {
  uint32_t source_count, input_count, output_count; // all 0 where nothing is random
  RandomSource *sources;
  RandomInput *inputs;
  RandomOutput *outputs; // those that were asked for, then those of comfort lines
  double *density;       // frequencies x outputs
} RandomResponse;

// At n frequencies. QDOT_UNSUPPORTED with a message where samples close a loop, QDOT_INCONSISTENT
// where the motion grows. values: as model_values gives them. In the arena, which is not scratch.
Status random_respond(const Linearized *l, const Modes *modes, const double *values,
                      const ResponseOutput *outputs, uint32_t output_count, const double *hz,
                      uint32_t n, Arena *arena, RandomResponse *out);

#endif
