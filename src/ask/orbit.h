// Motions that repeat: shooting with exact slopes, and Floquet's multipliers.
// Sources: orbit_search.c
#ifndef QDOT_ASK_ORBIT_H
#define QDOT_ASK_ORBIT_H

#include "sim/run_source.h"

typedef struct Orbit {
  Context *cx;
  const Model *model;
  const OrbitRequest *request;
  uint32_t state;           // q, q', states, then what samples and events assign and keep
  const uint32_t *assigned; // numbers of the inputs that the last of them are
  double period;
  double *start; // where it begins
  uint32_t multipliers;
  double *re, *im;  // of these, largest first
  uint32_t trivial; // the number of the one that is 1 because time does not matter; state: none
  bool is_forced;   // the period is that of forces and samples, or `periods` of these
  bool has_waves, is_sampled; // by which of them
  uint32_t periods;
  bool is_rest; // it stands, whatever drives it does
  bool is_found, is_stable, is_stopped;
  bool is_neutral; // not stable, and no multiplier is beyond 1
  uint32_t family; // dimensions of the family of such motions beside it; 0: it is alone
  double residual; // how far it is from closing, over the size of the state
  uint32_t runs;
  double seconds;
} Orbit;

typedef void OrbitProgress(void *user, uint32_t runs, double best);

// In the keep arena. Fails where the start gives no whole run, or nothing comes back.
Status orbit_find(Orbit *orbit, Context *cx, System *system, const OrbitRequest *request,
                  const SimOptions *options, OrbitProgress *progress, void *progress_user);
// theta' of value i of the state; in the scratch arena.
const char *orbit_name(const Orbit *orbit, uint32_t i);

#endif
