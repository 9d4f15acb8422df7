// Velocities that impulses give: K^-1 of the masses with the constraints, by blocks of coordinates
// that masses tie together, so that many free bodies cost what they are.
#ifndef QDOT_SOLVE_BLOCKS_H
#define QDOT_SOLVE_BLOCKS_H

#include "solve/dynamics.h"
#include "solve/touch/touch.h"

typedef struct Blocks {
  Dynamics *dynamics;
  int n, count;
  bool is_factored;        // and stays so where masses are constant
  int *of, *place;         // by coordinate: its block, and its place there
  int *first, *member;     // of a block, the coordinates in it
  bool *is_done;           // room, by block
  double **factor;         // Cholesky's, one after the other in:
  double *factors;         // n x n
  double *M, *Phi_q, *row; // row: n, then the answer, then zeros and multipliers of the rows
} Blocks;

void blocks_open(Blocks *blocks, Arena *arena, Dynamics *dynamics);
// At a state. Fails with QDOT_SINGULAR_MASS.
Status blocks_factor(Blocks *blocks, double t, const double *q);
// K^-1 of a row, in the arena.
SparseRow blocks_response(Blocks *blocks, Arena *arena, const SparseRow *row);
// The same of a force (n values), added to accelerations and multipliers.
void blocks_add_response(Blocks *blocks, Arena *arena, const double *force, double *qdd,
                         double *lambda);

#endif
