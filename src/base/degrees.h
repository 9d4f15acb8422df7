// Angles as they are told.
#ifndef QDOT_BASE_DEGREES_H
#define QDOT_BASE_DEGREES_H

#include <math.h>

// The angle of a vector in whole degrees, from -179 to 180; never -0.
static inline double whole_degrees(double x, double y) {
  double angle = round(atan2(y, x) * 57.29577951308232);
  return angle == 0 ? 0 : angle == -180 ? 180 : angle;
}

#endif
