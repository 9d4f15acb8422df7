// All equilibria or steady motions that can be found, each with its stability.
#ifndef QDOT_ANALYSE_VIBRATION_STABILITY_H
#define QDOT_ANALYSE_VIBRATION_STABILITY_H

#include "analyse/vibration/modes.h"

typedef struct Equilibrium {
  Steady *state;
  ClosedForm form;
  double distance;       // from the start, in units of the coordinates' scales
  bool is_singular;      // no linearization: branches of a mechanism meet
  bool has_modes;        // false also where a mass is missing
  Linearized linearized; // numbers only
  Modes modes;
} Equilibrium;

typedef struct Equilibria {
  uint32_t n;
  Equilibrium *at;   // the one that the start leads to, then by distance
  bool is_truncated; // there are more than are listed
  bool is_complete;  // there are no others
  uint32_t starts;
} Equilibria;

// request: its values are kept (a steady motion) or better guesses (an equilibrium); may be NULL.
// starts: how many states to start from beside the initial one; 0 for the initial one alone. When
// none is found, or the motions found are not steady, that is explained. Lives in the keep arena.
Status equilibria_find(Context *cx, const System *system, const double *values,
                       const LinearizeRequest *request, uint32_t starts, Equilibria *out);

#endif
