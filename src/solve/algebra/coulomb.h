// Contacts that press and rub, all at one moment: what is asked of forces and accelerations, or of
// impulses and velocities.
//
//   w = w0 + B_NN p + B_NT r >= 0,  p >= 0,  w p = 0     apart, and what presses
//   v = v0 + B_TN p + B_TT r,       r in -mu p Sgn(v)    along, and what rubs
//
// Contacts may rub in more than one way, as one that slides and rolls; and what is no contact, as a
// joint, may rub with a given limit in place of mu p.
#ifndef QDOT_SOLVE_ALGEBRA_COULOMB_H
#define QDOT_SOLVE_ALGEBRA_COULOMB_H

#include <stdbool.h>

#include "base/arena.h"

typedef struct Rub {
  double mu;     // 0: smooth
  int direction; // of a sliding that continues, -1 or +1, which v cannot change now; else 0
} Rub;

typedef struct Coulomb {
  int n;           // contacts
  const double *B; // symmetric, 2n + more: p of all, then r of all
  const double *w, *v;
  const Rub *rub;     // of the contacts, in their order, then
  int more;           // other ways in which they rub
  const int *of;      // the contact of each of these; -1: none, it rubs
  const double *most; // with at most this; by way of rubbing, NULL where all have contacts
  const bool *absent; // contacts that do not take part; NULL: all do
} Coulomb;

// False when there is no solution.
bool coulomb_solve(Arena *scratch, const Coulomb *problem, double *p, double *r);

// Has it another solution, in which a contact presses, rests or slides that did not? Tried for few
// contacts only; false for many, and where anything rubs with a limit of its own.
bool coulomb_is_ambiguous(const Coulomb *problem, const double *p, const double *r);

#endif
