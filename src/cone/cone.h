// Everything that does not move smoothly, as one complementarity problem with cones: contacts, dry
// friction, joints that rub, limits, and what must not move at all.
//
//   y = y_0 + W z,   W = G M^-1 G^T, symmetric and positive semidefinite, plus compliances
//
// Rows of G are directions in which something acts, z what acts there and y what becomes of it:
// loads (N, N m) and accelerations, or impulses and velocities. Each row has a law that binds its z
// and its y.
// Sources: cone.c, cone_problem.c, cone_states.c, cone_share.c, cone_slope.c, cone_ambiguity.c
#ifndef QDOT_CONE_CONE_H
#define QDOT_CONE_CONE_H

#include <stdbool.h>

#include "base/arena.h"

typedef enum ConeKind {
  CONE_ABSENT, // z = 0, whatever y is
  CONE_HOLDS,  // bilateral: y = 0, z of either sign
  CONE_PUSHES, // unilateral (Signorini): 0 <= z, 0 <= y, z y = 0
  CONE_RUBS,   // Coulomb: z in -mu z_of Sgn(y), z_of the load of a row that pushes
  CONE_LIMITED // saturated: z in [low, high]; y > 0 only at z = low, y < 0 only at z = high
} ConeKind;

typedef struct ConeRow {
  ConeKind kind;
  int of;    // CONE_RUBS: the row whose load presses
  int way;   // CONE_RUBS, CONE_LIMITED: sign of a sliding that goes on, which y cannot turn; else 0
  double mu; // CONE_RUBS: its coefficient, for torques a length
  double low, high; // CONE_LIMITED; friction of a given size has -high and high
  double unit;      // CONE_RUBS: what is as large as a unit of the load, 1 or a length; 0 is 1
  double soft;      // compliance, in units of y by units of z: y gains soft z
} ConeRow;

typedef struct ConeProblem {
  int n;
  const double *W;   // n x n
  const double *y_0; // without any z
  const ConeRow *row;
} ConeProblem;

typedef enum ConeState {
  CONE_OPEN,      // z = 0; of a limited row: z = low or high is CONE_SLIPS_...
  CONE_CLOSED,    // y = 0: presses, sticks or holds
  CONE_SLIPS_UP,  // y > 0: z = -mu z_of, or low
  CONE_SLIPS_DOWN // y < 0: z = +mu z_of, or high
} ConeState;

typedef struct ConeSolution {
  double *z, *y;
  ConeState *state;
  double residual; // by how much the laws are missed, as a part of the largest speed; see below
} ConeSolution;

ConeSolution cone_solution_new(Arena *arena, int n);
// A copy in the arena, and back into a solution of the same size.
ConeSolution cone_solution_copy(Arena *arena, const ConeSolution *solution, int n);
void cone_solution_put(const ConeSolution *from, int n, ConeSolution *to);

// By Lemke's method, group by group of coupled rows, and from the states that it finds by a linear
// system, which leaves rounding only; where rounding has led it astray, by proximal points. False:
// no solution was found; for velocities y_0 = G v with mu >= 0 there always is one, for
// accelerations there may be none (Painleve). Scratch is taken and given back, here and below.
bool cone_solve(Arena *scratch, const ConeProblem *problem, ConeSolution *out);

// Unilateral rows alone, z of least size: what contacts without friction carry or are struck with.
bool cone_push(Arena *scratch, int n, const double *W, const double *y_0, double *z);

// Of all z with the same y in the same states, the least: sum of W_ii z_i^2. True where z was open.
bool cone_share(Arena *scratch, const ConeProblem *problem, ConeSolution *out);

// Numbers of the groups of rows that act on each other, by row; how many there are. Entries of W up
// to CONE_UNCOUPLED sqrt(W_ii W_jj) are rounding of 0.
#define CONE_UNCOUPLED 1e-12
int cone_groups(Arena *scratch, const ConeProblem *problem, int *group);

// z in given states, where they leave some open of least size. `open`: how many directions of z the
// states leave open. False where the equations are not finite.
bool cone_solve_states(Arena *scratch, const ConeProblem *problem, const ConeState *state,
                       double *z, int *open);

// y by z, and by how much the laws are missed: of each row the way of z - y/W_ii to its bounds, by
// sqrt(W_ii), as a part of the largest of |y_0|/sqrt(W_ii) and z sqrt(W_ii).
double cone_residual(const ConeProblem *problem, const double *z, double *y);

// How z changes with the problem: by y_0, W and mu or limits (NULL: not). False where the states do
// not say it, because a row is at a corner of its law or z is left open.
typedef struct ConeChange {
  const double *y_0, *W, *mu; // n, n x n, n: of limited rows mu is that of the bound they are at
} ConeChange;
bool cone_slope(Arena *scratch, const ConeProblem *problem, const ConeSolution *solution,
                const ConeChange *change, double *dz);

// Has it another solution, in which a row presses, sticks or slides that did not? Tried for few
// rows only, CONE_MOST_TRIED that push and as many ways of rubbing beyond one for each; false for
// more, and where anything is limited.
enum { CONE_MOST_TRIED = 3 };
bool cone_is_ambiguous(Arena *scratch, const ConeProblem *problem, const ConeSolution *solution);

// ---- What the sources share

// z x sqrt(W_ii): loads in the metric of the masses. 0 for a row that moves nothing.
double cone_size(const ConeProblem *problem, int row);
// The share of z_of that a sliding row has in this state, and what it has beside it.
double cone_slip_share(const ConeRow *row, ConeState state);
double cone_slip_fixed(const ConeRow *row, ConeState state);
// The states of given loads.
void cone_find_states(const ConeProblem *problem, const double *z, const double *y,
                      ConeState *state);
// z_i = fixed_i + share_i z_of for rows that are not closed, and y_i = 0 for those that are.
bool cone_solve_linear(Arena *scratch, const ConeProblem *problem, const ConeState *state,
                       const double *y_0, const double *fixed, double *z, int *open);
// One group, as a linear complementarity problem (Stewart and Trinkle): false when there is a ray.
bool cone_pivot(Arena *scratch, const ConeProblem *problem, double *z);

#endif
