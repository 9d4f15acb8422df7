// One sine and cosine for every backend, at most 1 ulp off.
#ifndef QDOT_PROGRAM_SINCOS_H
#define QDOT_PROGRAM_SINCOS_H

#include <stdint.h>

// sin(x[i]) and cos(x[i]) for i < n. The same bits for a value wherever it stands, in any n, and on
// any CPU. Results must not overlap x.
void sincos_many(const double *x, uint32_t n, double *sines, double *cosines);

void sincos_one(double x, double *sine, double *cosine);

#endif
