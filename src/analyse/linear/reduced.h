// The linearized equations in independent coordinates, as numbers:
//
//   M^ ds/dt + C^ s + K^ z = B^ u,   dz/dt = W s + Y z
//
// z: deviations of p independent coordinates, s: of the velocities of the first f of them.
#ifndef QDOT_ANALYSE_LINEAR_REDUCED_H
#define QDOT_ANALYSE_LINEAR_REDUCED_H

#include "analyse/linear/independent.h"

// Of M dq'' + C dq' + K dq + Phi_q^T dlambda = B du; matrices by rows.
typedef struct FullNumbers {
  uint32_t n, inputs;
  const double *M, *C, *K; // n x n
  const double *B;         // n x inputs
} FullNumbers;

typedef struct Reduced {
  uint32_t n, p, f, inputs;
  double *R; // n x p: dq = R z
  double *W; // p x f
  double *Y; // p x p
  double *H; // n x f = R W
  double *M; // f x f
  double *C; // f x f
  double *K; // f x p
  double *B; // f x inputs
} Reduced;

void reduced_make(Arena *arena, const FullNumbers *full, const RowNumbers *rows,
                  const Independent *choice, Reduced *out);

// The state is (z, s), p + f values: A, and B (for the inputs). QDOT_SINGULAR_MASS when M^ has no
// inverse; *row is then a velocity without mass.
typedef struct StateSpace {
  uint32_t size, inputs;
  double *A, *B;
} StateSpace;
Status reduced_state_space(Arena *arena, const Reduced *r, StateSpace *out, uint32_t *row);

// out (rows x columns) := A (rows x inner) B (inner x columns)
void matrix_multiply(uint32_t rows, uint32_t inner, uint32_t columns, const double *A,
                     const double *B, double *out);

#endif
