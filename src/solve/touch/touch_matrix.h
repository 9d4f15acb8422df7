// How contacts that touch act on each other: what a unit of impulse at one makes of the speeds at
// those that it reaches; and the linear system of those that press and rest.
#ifndef QDOT_SOLVE_TOUCH_TOUCH_MATRIX_H
#define QDOT_SOLVE_TOUCH_TOUCH_MATRIX_H

#include "base/vec.h"
#include "solve/algebra/skyline.h"
#include "solve/touch/touch.h"

// Speeds of another contact, apart (n) and along (t), by p (n) and r (t) of this one.
typedef struct TouchPair {
  int other;
  double nn, nt, tn, tt; // first the speed, then the impulse
} TouchPair;

typedef struct TouchMatrix {
  const Touches *touches;
  Arena *arena;
  int *first; // by contact: where its pairs begin, itself among them
  VEC(TouchPair) pairs;
  int *order; // contacts, those that reach each other near together
  int *place; // of a contact in it
  int unknowns;
  int *press, *rest; // by contact: its unknown p, and r; -1 where it is none
  double *x;         // of each unknown
  bool is_factored;  // for these, with
  double *share, soft;
  int *behind; // by place: how many unknowns there are up to it
  int *start;
  Skyline skyline;
} TouchMatrix;

void touch_matrix_open(TouchMatrix *matrix, Arena *arena, const Touches *touches);
// Unknown are p of those that press, and r of those that rest; where one slides, r is share times
// p. `soft` of its own entry is added on the diagonal. What is as
// it was the last time, up to the first contact that is not, is not done again. False when it is
// singular.
bool touch_matrix_factor(TouchMatrix *matrix, const bool *presses, const bool *rests,
                         const double *share, double soft);

#endif
