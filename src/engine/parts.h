// The programs of a system and the blocks of their outputs, by name.
#ifndef QDOT_ENGINE_PARTS_H
#define QDOT_ENGINE_PARTS_H

#include <stddef.h>
#include <stdint.h>

typedef enum EquationPart {
#define PART(KEY, Name, name, needs, blocks) PART_##KEY,
#include "engine/parts.def"
#undef PART
  EQUATION_PARTS
} EquationPart;

// dE/dt without impacts in its parts: Q q', -D q', R v of what rubs, and what moves by itself:
// -dL/dt + lambda^T Phi_t.
enum { POWER_FORCES, POWER_DISSIPATION, POWER_FRICTION, POWER_DRIVES, POWER_KINDS };

// What rows and columns of blocks are counted by.
typedef enum BlockExtent {
  EXTENT_ONE,
  EXTENT_COORDINATES, // n
  EXTENT_STATE,       // q, q' and the states
  EXTENT_STATES,
  EXTENT_ROWS, // m, of which the first are
  EXTENT_HOLONOMIC,
  EXTENT_CONTACTS,
  EXTENT_SLIPS,
  EXTENT_PRESSING_ENTRIES, // of the rows of contacts, those that are not zero
  EXTENT_RUBBING_ENTRIES,
  EXTENT_INPUTS,
  EXTENT_PARAMETERS,
  EXTENT_DIRECTIONS, // see engine/directions.h
  EXTENT_OUTPUTS,
  EXTENT_MEMBERS,
  EXTENT_LOADS,
  EXTENT_PRESSES,
  EXTENT_ENERGIES,
  EXTENT_POWERS,
  EXTENT_SWITCHES,
  EXTENT_TABLES,
  EXTENT_LOOKUPS,
  EXTENT_SLIDE_VALUES,
  EXTENT_SIGNAL_GUARDS,
  EXTENT_REDUCTIONS,
  EXTENT_ASSIGNMENTS,
  EXTENT_OCCASIONS,
  EXTENT_MEASURES,
  EXTENT_PAIR,         // 2
  EXTENT_DENOMINATORS, // known when they have been made
  EXTENT_COUNT
} BlockExtent;

typedef struct Extents {
  uint32_t of[EXTENT_COUNT];
} Extents;

// What must have been derived.
enum { NEEDS_NOTHING = 0, NEEDS_MATRICES = 1, NEEDS_INERTIA = 2, NEEDS_SOLVER = 4 };
unsigned part_needs(EquationPart part);
// FORWARD
const char *part_name(EquationPart part);
// How many numbers its program puts out.
size_t part_size(EquationPart part, const Extents *extents);

// struct TermsBlocks { const double *M, *f, *Phi_q, *gamma; } and its like
#define BLOCK(block, rows, columns) const double *block;
#define PART(KEY, Name, name, needs, blocks)                                                       \
  typedef struct Name##Blocks {                                                                    \
    blocks                                                                                         \
  } Name##Blocks;
#include "engine/parts.def"
#undef PART
#undef BLOCK

// terms_blocks(extents, out): where the blocks lie in what the program put out
#define BLOCK(block, rows, columns)                                                                \
  at.block = out;                                                                                  \
  out += (size_t)extents->of[EXTENT_##rows] * extents->of[EXTENT_##columns];
#define PART(KEY, Name, name, needs, blocks)                                                       \
  static inline Name##Blocks name##_blocks(const Extents *extents, const double *out) {            \
    Name##Blocks at;                                                                               \
    blocks return at;                                                                              \
  }
#include "engine/parts.def"
#undef PART
#undef BLOCK

#endif
