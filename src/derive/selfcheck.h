// A derivation that checks itself at random states, by routes that did not make it.
#ifndef QDOT_DERIVE_SELFCHECK_H
#define QDOT_DERIVE_SELFCHECK_H

#include "derive/system.h"

typedef struct Selfcheck {
  int states;         // finite random states that were tried
  double mass_error;  // M against the Hessian of T, both halves; relative
  double power_error; // dE/dt against q'(M q'' + h + G) - L_t; relative
  bool is_good;       // both under 1e-8, or no finite state was found, or there are no coordinates
} Selfcheck;

// The system must have its matrices. Parameters at their values, the state random with the seed.
Status system_selfcheck(Context *cx, const System *system, int states, uint64_t seed,
                        Selfcheck *out);

#endif
