// All contacts that touch within a step, together: impulses p >= 0 that press and r that rub, with
//
//   w = N v + offset, the speed apart:   w >= aim,  p >= 0,  p (w - aim) = 0
//   u = T v + offset, the speed along:   r in -mu p Sgn(u)
//   v = v_free + K^-1 (N^T p + T^T r),   K^-1: the masses with the joints
//
// By Gauss and Seidel's sweeps, each contact in turn, and where few are left to be told apart by
// Newton's method: the contacts that press, rest and slide are taken as known and solved for, and
// those that do not agree change their state. Where that goes round in circles and contacts are
// few, Lemke's method decides.
#ifndef QDOT_SOLVE_TOUCH_H
#define QDOT_SOLVE_TOUCH_H

#include <stdbool.h>

#include "base/arena.h"

typedef struct SparseRow {
  int n;
  int *index;
  double *value;
} SparseRow;

typedef struct Touch {
  int contact;
  SparseRow normal, along;  // the rows N and T
  SparseRow push, rub;      // what a unit of p and of r makes of the velocities
  double own_push, own_rub; // of their own speeds
  double normal_offset, along_offset;
  double size_push, size_rub; // their roots, found here
  double aim, mu;
  double p, r; // in: a guess
} Touch;

typedef struct Touches {
  int count, n; // of contacts, of velocities
  Touch *at;
  double *v;       // n: in v_free, out v
  double speed;    // the largest before, in the metric of the masses
  long sweeps;     // of the last solution
  double residual; // by how much the law is missed, as a part of the largest speed
} Touches;

// The nonzero entries of a row of n values, in the arena.
SparseRow sparse_row(Arena *arena, int n, const double *row);
double sparse_dot(const SparseRow *row, const double *v);
void sparse_add(const SparseRow *row, double s, double *v);

// Room is taken from the arena and given back.
void touches_solve(Touches *touches, Arena *arena);

#endif
