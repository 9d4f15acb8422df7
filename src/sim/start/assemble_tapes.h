// What is asked of an assembly, ready to be evaluated with one set of values after the other.
#ifndef QDOT_SIM_START_ASSEMBLE_TAPES_H
#define QDOT_SIM_START_ASSEMBLE_TAPES_H

#include "expr/value/value_tape.h"
#include "sim/machine.h"

typedef struct SparseCell {
  uint32_t row, column;
} SparseCell;

// In the machine's arena.
struct AssemblyTapes {
  ValueTape *positions, *velocities, *anchors; // where it is said to start; places of joints
  uint32_t anchor_count;
  ValueTape *rows, *poses;
  SizeTape *row_sizes;
  // what moving takes, beside what looking takes
  bool is_whole;
  ValueTape *rates; // of all rows
  SizeTape *rate_sizes;
  ValueTape *slopes; // of the rows by z, or by zd where they have no position level: those not 0,
  VEC(SparseCell) sloped; // and where they are
  ValueTape *inertias;    // the same of M
  VEC(SparseCell) inertial;
  ValueTape *meanings, *meaning_rates; // of the model's coordinates
};

// Those of a machine of bodies, made on first use, as far as looking at the guesses takes them.
const struct AssemblyTapes *assembly_tapes(Machine *machine);
// And the rest.
void assembly_tapes_for_moving(Machine *machine);

#endif
