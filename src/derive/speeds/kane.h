// Kane's equations, and those of Gibbs and Appell: inertia from accelerations.
//
//   K_r = sum over squares of m a dv/du_r                      Kane; -K_r is F_r* in his books
//   S   = sum over squares of 1/2 m a^2,  K_r = dS/du_r'       Gibbs, Appell
//
// v and a are velocities along fixed axes (see squares.h) in coordinates and speeds. What is left
// of T adds d/dt dT/dq' - dT/dq = M_0 q'' + h_0 of itself, weighted by dq'/du_r; to S it adds
// q''^T (M_0 q''/2 + h_0). S has no terms that are free of accelerations. Kane, Levinson, Dynamics:
// Theory and Applications, 4.11 and 6.1; Lurie, Analytical Mechanics, 8.6.
#ifndef QDOT_DERIVE_SPEEDS_KANE_H
#define QDOT_DERIVE_SPEEDS_KANE_H

#include "derive/speeds/speed_equations.h"
#include "derive/speeds/squares.h"

// The squares of T in speeds.
typedef struct Motions {
  uint32_t count;
  const Square *squares;
  Expr *velocity;     // in coordinates and speeds
  Expr *partial;      // by square and speed: count x speeds
  Expr *acceleration; // in coordinates, speeds and their rates
  Expr rest;          // of T, in coordinates and velocities
  Expr *rest_inertia; // what the rest adds to each K_r
} Motions;

typedef struct Kane {
  SpeedEquations equations;
  Motions motions;
  Expr S; // of Gibbs and Appell; 0 in Kane's equations
} Kane;

Motions motions_derive(Context *cx, const System *system, const Speeds *speeds);
// For both roads.
void kane_simplify(Context *cx, const System *system, SimplifyLevel level, bool for_people,
                   void *kane);

#endif
