// Where a frequency response is largest and smallest: roots of the slope of |H|, not grid points.
#ifndef QDOT_ANALYSE_VIBRATION_RESONANCE_H
#define QDOT_ANALYSE_VIBRATION_RESONANCE_H

#include "analyse/vibration/plant.h"

typedef struct Extremum {
  double hz, gain, phase_deg;
  bool is_unlimited; // an undamped mode answers: gain is infinite, phase jumps
  double low, high;  // of a resonance: where the gain is 1/sqrt(2) of it, Hz; NaN where it is not
} Extremum;

typedef VEC(Extremum) ExtremumList;

// Where the gain is 1 (in SI units), or the phase -180 degrees: with the output fed back through
// the same units, what is left there until the loop is no longer stable.
typedef struct Crossing {
  double hz, gain, phase_deg;
} Crossing;

typedef VEC(Crossing) CrossingList;

// Of one output to one input, by frequency.
typedef struct Extrema {
  ExtremumList resonances, antiresonances;
  CrossingList gain_crossings, phase_crossings;
} Extrema;

// The factor by which the gain may grow at a phase crossing; degrees that the phase may fall at a
// gain crossing, in (-180, 180].
double crossing_gain_margin(const Crossing *crossing);
double crossing_phase_margin(const Crossing *crossing);

// All extrema and crossings between two frequencies (Hz), for every pair (outputs x inputs). The
// search goes over frequencies of its own and around every mode, so nothing depends on what else is
// asked for.
Extrema *resonances_find(Plant *plant, const Modes *modes, const ResponseInput *inputs,
                         uint32_t input_count, uint32_t output_count, double from, double to,
                         Arena *arena);

// Degrees in [-180, 180); rounding does not turn an undamped -180 into 180.
double transfer_phase(double re, double im);

#endif
