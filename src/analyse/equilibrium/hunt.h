// The hunt for steady motions from many starts.
#ifndef QDOT_ANALYSE_EQUILIBRIUM_HUNT_H
#define QDOT_ANALYSE_EQUILIBRIUM_HUNT_H

#include "analyse/equilibrium/point.h"

#define MOST_FOUND 32

typedef struct Hunt {
  Context *cx;
  Balance *b;
  SteadyFreedom free;
  const Steady *start;
  double *scale;
  bool *is_angle, *is_free; // n: turns by 2 pi change nothing; nothing depends on it
  VEC(Steady *) found;      // each once, in the keep arena
  uint64_t seed;
} Hunt;

// What the hunt keeps and where it begins; the work is in the scratch arena.
void hunt_open(Hunt *h, Balance *b, const OperatingPoint *start, const SteadyFreedom *free);
// Searches from the initial state and from `starts` others, until more than MOST_FOUND are found.
// True when the initial state led to one: it is the first.
bool hunt_run(Hunt *h, uint32_t starts);
// From the initial state, in units of the coordinates' scales.
double hunt_distance(const Hunt *h, const Steady *s);

// The point of a request: point_find, but where the initial state leads nowhere the nearest state
// that other starts lead to.
Status hunt_point(Balance *b, const LinearizeRequest *request, Arena *arena, OperatingPoint *out);

#endif
