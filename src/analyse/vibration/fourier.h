// Fourier's transform of real samples.
#ifndef QDOT_ANALYSE_VIBRATION_FOURIER_H
#define QDOT_ANALYSE_VIBRATION_FOURIER_H

#include "base/arena.h"

// The least even number of samples, n or more, that is a product of 2, 3 and 5.
int fourier_size(int n);
// scale times the absolute values of bins 0 to size/2; size is one of fourier_size's. Room comes
// from the scratch arena.
void fourier_amplitudes(Arena *scratch, const float *samples, int size, double scale,
                        float *amplitude);

#endif
