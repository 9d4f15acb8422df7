// Numbers that are drawn: functions of a seed and a number, the same on every machine.
#ifndef QDOT_ASK_DRAW_H
#define QDOT_ASK_DRAW_H

#include <stdint.h>

enum { SOBOL_DIMENSIONS = 21 };

// Where a standard normal variable is with probability u, 0 < u < 1: Wichura's AS 241, to 1e-15.
double draw_normal(double u);
// Number i of the series of a seed for one of several dimensions: in (0, 1).
double draw_random(uint64_t seed, uint64_t i, uint32_t dimension);
// The same of Sobol's series with the directions of Joe and Kuo, shifted by the seed bit by bit:
// any 2^k numbers from a multiple of it fill (0, 1) evenly.
double draw_sobol(uint64_t seed, uint64_t i, uint32_t dimension);

#endif
