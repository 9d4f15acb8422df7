// Powers of ten.
#ifndef QDOT_BASE_POWER_H
#define QDOT_BASE_POWER_H

// 10^n, n >= 0, without rounding up to 10^22.
static inline double power_of_ten(int n) {
  double power = 1;
  while (n-- > 0) power *= 10;
  return power;
}

#endif
