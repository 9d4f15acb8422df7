// Assembling a mechanism of bodies whose guesses do not close: in the poses of its bodies, so that
// every formulation starts at the same place and with the same velocities.
#ifndef QDOT_ENGINE_START_ASSEMBLE_H
#define QDOT_ENGINE_START_ASSEMBLE_H

#include "engine/machine.h"

typedef struct Assembled {
  const double *q, *qd; // the machine's coordinates there; NULL where their guesses may stay
  uint32_t freedom;     // free motions of positions, and those
  uint32_t chosen;      // that no kept value decides, where a guess was moved noticeably
  const char *keep;     // what would decide them: "the angle of 'boom'"
} Assembled;

// Given values are kept, guesses move by least sum of m (dx^2 + dy^2) + J dtheta^2, velocities
// alike. Nothing is filled in where the guesses close, where there are no bodies, and where the
// mechanism cannot be assembled, which is then for the caller to find out and tell. Fails with a
// diagnostic where no velocities meet the joints and those that are given. In the scratch arena;
// `keep` in the keep arena.
Status assemble(Machine *machine, Assembled *out);

// Are the joints closed in the poses that q stands for? Sines and unit vectors do not see a body
// that is turned round.
Status assemble_check(Machine *machine, const double *q);

#endif
