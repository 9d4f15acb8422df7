// Small generators for trial states: the same numbers in every run, so that a result never depends
// on the clock. The state is a seed at first.
#ifndef QDOT_BASE_RANDOM_H
#define QDOT_BASE_RANDOM_H

#include <stdint.h>

// The next number in [0, 1), linear congruential.
static inline double random_fraction(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-53;
}

// The next number in [-1, 1).
static inline double random_signed(uint64_t *state) { return 2 * random_fraction(state) - 1; }

// The next 64 bits of splitmix64, for states whose seeds lie close together.
static inline uint64_t random_mixed(uint64_t *state) {
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// The same as a number in [0, 1).
static inline double random_mixed_fraction(uint64_t *state) {
  return (double)(random_mixed(state) >> 11) * 0x1p-53;
}

#endif
