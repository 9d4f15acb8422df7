// The directions in which slopes of a run are taken: parameters and inputs, with all that is
// computed from them, and start values.
#ifndef QDOT_ENGINE_DIRECTIONS_H
#define QDOT_ENGINE_DIRECTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Directions {
  uint32_t n;
  const uint32_t *places; // numbers of parameters; inputs behind these; then q, q' and states,
                          // whose start it is
} Directions;

// Is this place a direction of its own?
static inline bool directions_have(const Directions *directions, uint32_t place) {
  for (uint32_t i = 0; i < directions->n; i++)
    if (directions->places[i] == place) return true;
  return false;
}

// The number of the start (among q, q', states) that direction j is, or -1; behind so many
// parameters and inputs.
static inline int directions_start(const Directions *directions, uint32_t values, uint32_t j) {
  uint32_t place = directions->places[j];
  return place < values ? -1 : (int)(place - values);
}

#endif
