// Functions of time alone inside the equations: steps must not pass over what they do.
//
// A blow of a millisecond is nothing that an error estimate sees from afar. Bounds of these
// functions over a stretch of time see it, whatever its width.
#ifndef QDOT_ENGINE_EVENT_FORCING_H
#define QDOT_ENGINE_EVENT_FORCING_H

#include "engine/machine.h"

typedef struct Forcing {
  bool is_open;
  const Tape *tape; // NULL without such functions
  uint32_t count;
  uint32_t time;  // the variable
  double *values; // of the others, as they were when it was last restarted
  double t_end;
  double clear;   // up to here nothing happens that samples do not show
  double width;   // of the stretch that was found clear last
  int blind;      // how often bounds told nothing: too often, and nothing is watched any more
  double *scale;  // count: the largest size of each function in the run
  Interval *seen; // count: what samples of a stretch show
  Interval *now;  // count: what was put out last
  double *room;   // of the tape
} Forcing;

// For a run to t_end, INFINITY when that is not known; memory from the arena. What is open already
// keeps the functions that it has found in this machine's equations.
void forcing_open(Forcing *forcing, Arena *arena, const Machine *machine, double t_end);
// Forgets what was found, as at a checkpoint or when values have changed.
void forcing_restart(Forcing *forcing, const Machine *machine);

// A time after t behind which a step that would be about h long must not end.
double forcing_limit(Forcing *forcing, double t, double h);

#endif
