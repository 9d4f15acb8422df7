// First integrals: what stays constant along every motion, each a formula with its proof.
//
// A symmetry with pr X(L) + L dtau/dt = dF/dt belongs to I = p xi - E tau - F, with p = dL/dq' and
// E = p q' - L (Noether, 1918). That condition is what is proved, and that forces and constraints
// do no work along xi - q' tau.
// Sources: antiderivative.c, independence.c, integral.c
#ifndef QDOT_DERIVE_ROADS_INTEGRAL_H
#define QDOT_DERIVE_ROADS_INTEGRAL_H

#include "derive/system.h"

typedef enum IntegralKind {
  INTEGRAL_ENERGY,           // T + V: nothing depends on time
  INTEGRAL_JACOBI,           // the same where that is not T + V
  INTEGRAL_MOMENTUM,         // of one coordinate
  INTEGRAL_COMMON_MOMENTUM,  // of several that are shifted together
  INTEGRAL_ANGULAR_MOMENTUM, // coordinates rotate into each other
  INTEGRAL_BOOST,            // a shift that grows with time
  INTEGRAL_SCALING,          // coordinates or time are stretched
  INTEGRAL_TRAVELLING,       // a shift in time with one of coordinates
  INTEGRAL_HIDDEN,           // quadratic in the velocities, no such symmetry
  INTEGRAL_KINDS
} IntegralKind;

typedef struct Integral {
  IntegralKind kind;
  const char *name;  // "energy", "p_phi", "boost_2"
  Expr value;        // in t, coordinates and velocities
  Expr tau;          // of its symmetry; 0 of a hidden one
  const Expr *xi;    // by coordinate
  bool is_algebraic; // proved by algebra, else at random points of a finite field
  bool is_dependent; // a function of those before it
} Integral;

typedef struct Integrals {
  VEC(Integral) list; // in the keep arena; those that are functions of others last
  uint32_t undecided; // symmetries whose integral was not found or not proved
} Integrals;

// By symmetries that are affine in coordinates and time, and for degree 2 also those that are
// quadratic in the velocities.
void integrals_find(Context *cx, System *system, int degree, Integrals *out);

// Marks those whose derivatives by coordinates and velocities, at a random state, are combinations
// of those before them; plain constants are left out.
void integrals_judge(Context *cx, const System *system, Integrals *list);

// "shift of x", "rotation of x, y": the symmetry in words.
const char *integral_symmetry(Context *cx, const System *system, const Integral *integral);

// Is the rate zero along every motion? *by_algebra: not only at random points.
bool proved_zero(Context *cx, const Model *model, Expr left, Expr right, bool *by_algebra);

// The antiderivative of e by x, term by term; 0 where it is not found. What e must be made of:
// powers of x, sines and cosines of what is linear in x, things without x.
Expr antiderivative(Context *cx, Expr e, Expr x);

#endif
