// What is asked of an assembly, ready to be evaluated with one set of values after the other.
#ifndef QDOT_SIM_START_ASSEMBLE_TAPES_H
#define QDOT_SIM_START_ASSEMBLE_TAPES_H

#include "engine/machine.h"
#include "sim/machine_source.h"

typedef struct SparseCell {
  uint32_t row, column;
} SparseCell;

// In the machine's arena.
struct AssemblyTapes {
  const Tape *positions, *velocities, *anchors; // where it is said to start; places of joints
  uint32_t anchor_count;
  const Tape *rows, *poses;
  // what moving takes, beside what looking takes
  bool is_whole;
  const Tape *rates;  // of all rows
  const Tape *slopes; // of the rows by z, or by zd where they have no position level: those not 0,
  VEC(SparseCell) sloped; // and where they are
  const Tape *inertias;   // the same of M
  VEC(SparseCell) inertial;
  const Tape *meanings, *meaning_rates; // of the model's coordinates
  size_t room;                          // doubles that any of those made takes, for values or sizes
};

// Those of a machine of bodies, made on first use, as far as looking at the guesses takes them.
const struct AssemblyTapes *assembly_tapes(Machine *machine);
// And the rest.
void assembly_tapes_for_moving(Machine *machine);

#endif
