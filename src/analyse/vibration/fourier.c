// Every kissfft call.
#include "analyse/vibration/fourier.h"

#include <kissfft/kiss_fftr.h>
#include <math.h>

int fourier_size(int n) { return kiss_fftr_next_fast_size_real(n); }

void fourier_amplitudes(Arena *scratch, const float *samples, int size, double scale,
                        float *amplitude) {
  int bins = size / 2 + 1;
  kiss_fft_cpx *bin = arena_array(scratch, kiss_fft_cpx, bins);
  size_t bytes = 0;
  kiss_fftr_alloc(size, 0, NULL, &bytes);
  kiss_fftr_cfg plan = kiss_fftr_alloc(size, 0, arena_alloc(scratch, bytes), &bytes);
  kiss_fftr(plan, samples, bin);
  for (int i = 0; i < bins; i++)
    amplitude[i] = (float)(scale * hypot((double)bin[i].r, (double)bin[i].i));
}
