// What rounding leaves where zero is meant: one rule for all that is shown.
//
// A value that came out of sums and solutions on a scale is known to about 1e-16 of that scale;
// beneath ROUNDING of it nothing is left but noise, and 0 is printed. The scale must be that of the
// computation (the other values of the same kind, the energies exchanged, 1 for angles), so that a
// small value that matters is never taken for noise.
#ifndef QDOT_BASE_ROUNDING_H
#define QDOT_BASE_ROUNDING_H

#include <math.h>

#define ROUNDING 1e-13

// The value, or 0 (never -0) where it is noise on its scale.
static inline double without_noise(double value, double scale) {
  return fabs(value) <= ROUNDING * scale ? 0 : value;
}

#endif
