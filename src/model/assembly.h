// A mechanism in the poses of its bodies, whatever coordinates are chosen later: where its guesses
// do not close, it is assembled there, once for all formulations.
#ifndef QDOT_MODEL_ASSEMBLY_H
#define QDOT_MODEL_ASSEMBLY_H

#include "model/start.h"

typedef struct Assembly {
  uint32_t n, own; // the user's own coordinates, then x, y, theta of every body
  const Expr *z, *zd;
  const Initial *position, *velocity; // what nobody asks for is given, too
  const Expr *mass;                   // of z; 0 (no expression) for the user's own
  Expr energy;                        // what the user's own energies add to the kinetic one
  const Expr *rows;                   // phi, those of positions first
  const Symbol *names;                // of the rows
  const Span *spans;
  uint32_t row_count, holonomic;
} Assembly;

#endif
