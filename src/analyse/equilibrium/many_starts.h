// The hunt for steady motions from many starts.
#ifndef QDOT_ANALYSE_EQUILIBRIUM_MANY_STARTS_H
#define QDOT_ANALYSE_EQUILIBRIUM_MANY_STARTS_H

#include "analyse/equilibrium/operating_point.h"

#define MOST_FOUND 32

typedef struct ManyStarts {
  Context *cx;
  Balance *b;
  SteadyFreedom free;
  const Steady *start;
  double *scale;
  bool *is_angle, *is_free; // n: turns by 2 pi change nothing; nothing depends on it
  VEC(Steady *) found;      // each once, in the keep arena
  uint64_t seed;
} ManyStarts;

// What the hunt keeps and where it begins; the work is in the scratch arena.
void starts_open(ManyStarts *h, Balance *b, const OperatingPoint *start, const SteadyFreedom *free);
// Searches from the initial state and from `starts` others, until more than MOST_FOUND are found.
// True when the initial state led to one: it is the first.
bool starts_run(ManyStarts *h, uint32_t starts);
// Adds what is missing: all roots where the balance is a small polynomial; else states that mirror
// the others, and `starts`/2 starts near and far. True when there are no more.
bool starts_complete(ManyStarts *h, uint32_t starts);
// From the initial state, in units of the coordinates' scales.
double starts_distance(const ManyStarts *h, const Steady *s);

// The point of a request: operating_point_find, but where the initial state leads nowhere the
// nearest state that other starts lead to.
Status starts_point(Balance *b, const LinearizeRequest *request, Arena *arena, OperatingPoint *out);

#endif
