// Positions along a mode: the point plus a multiple of the shape, brought back onto the
// constraints.
#ifndef QDOT_ANALYSE_VIBRATION_MODE_MOTION_H
#define QDOT_ANALYSE_VIBRATION_MODE_MOTION_H

#include "analyse/vibration/modes.h"

typedef struct ModeMotion {
  const Linearized *l;
  Balance balance;
  Steady *state;
  bool *is_kept; // n: independent coordinates follow the shape exactly
} ModeMotion;

// values: of parameters and inputs, as model_values gives them. Must be closed.
void mode_motion_open(ModeMotion *motion, const Linearized *l, const double *values);
void mode_motion_close(ModeMotion *motion);

// q (n values) at the point + Re((a + ib) shape); dependent coordinates are those that the
// constraints demand. QDOT_INCONSISTENT when the mechanism does not reach that far.
Status mode_motion_at(ModeMotion *motion, const Mode *mode, double a, double b, double *q);

#endif
