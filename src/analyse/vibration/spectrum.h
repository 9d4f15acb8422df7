// Amplitude spectra of sampled signals, with their peaks.
#ifndef QDOT_ANALYSE_VIBRATION_SPECTRUM_H
#define QDOT_ANALYSE_VIBRATION_SPECTRUM_H

#include "base/context.h"

typedef struct SpectrumPeak {
  double frequency; // Hz, between the bins
  double amplitude; // of the oscillation, in the signal's unit
} SpectrumPeak;

#define SPECTRUM_PEAKS 8 // at most

typedef struct Spectrum {
  uint32_t n;             // bins; 0 when there is nothing to see
  double bin;             // Hz from one bin to the next; the first is 0 Hz
  const float *amplitude; // a sine of amplitude a stands as a peak of height a
  uint32_t peak_count;
  SpectrumPeak peaks[SPECTRUM_PEAKS]; // highest first
} Spectrum;

// The spectrum of n samples, `interval` seconds apart, without their linear trend, under a Hann
// window. Fewer than 8 samples, a constant or one that is not finite give no bins. Single
// precision: amplitudes under 1e-6 of the largest are noise. The result is in the arena.
Spectrum spectrum_from_samples(Context *cx, Arena *into, const double *samples, uint32_t n,
                               double interval);

// Samples that arrive in order at any times, kept evenly spaced in bounded memory: beyond
// SAMPLES_MOST neighbours are averaged, which halves the highest frequency.
#define SAMPLES_MOST (1u << 22)

typedef struct SampleStore {
  Arena *arena;
  VEC(double) values;
  double start, interval;    // of the even grid; the interval is that of the first two times
  double last_t, last_value; // of what came last
  uint64_t seen;
} SampleStore;

SampleStore samples_new(Arena *arena);
// Times must not decrease; of two values at one time the second counts. Gaps (values that are not
// finite) are bridged by a straight line.
void samples_add(SampleStore *store, double t, double value);

#endif
