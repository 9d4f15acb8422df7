// A linearized system at one frequency: outputs to inputs, with slopes by the frequency.
#ifndef QDOT_ANALYSE_VIBRATION_PLANT_H
#define QDOT_ANALYSE_VIBRATION_PLANT_H

#include "analyse/linear/sampled.h"
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

typedef struct Plant {
  Linearized l;  // with a force on every coordinate beside the inputs
  uint32_t size; // of the complex system: f, or p + f with rolling
  double *Z;     // 2 size x 2 size, real: (Re, -Im; Im, Re)
  double *x, *dx;
  double *state_re, *state_im, *slope_re, *slope_im; // positions, velocities, accelerations
  int *pivot;
  uint32_t states, columns; // of a row
  double *rows;             // outputs x columns
  bool is_regular;          // at the frequency of the last plant_set
  double w;
  // a sampled loop: z x = A x + B u with z = exp(i w T), and its outputs
  bool is_sampled;
  Sampled map;
  uint32_t outputs_of; // states of a row of C
  double *C, *D;
} Plant;

// One entry of the transfer matrix: its value and its slope by w (rad/s).
typedef struct Transfer {
  double re, im;
  double slope_re, slope_im;
} Transfer;

// values: as model_values gives them. The plant lives in the arena, which is not scratch of l's
// context unless the caller keeps it so.
void plant_open(Plant *plant, const Linearized *l, const double *values,
                const ResponseOutput *outputs, uint32_t output_count, Arena *arena);

// Factors at w. False where the system is singular: a resonance is hit exactly.
bool plant_set(Plant *plant, double w);
// The state that an input of amplitude 1 leads to; then plant_transfer reads outputs of it.
void plant_excite(Plant *plant, const ResponseInput *input, bool with_slope);
Transfer plant_transfer(const Plant *plant, const ResponseInput *input, uint32_t output);

#endif
