// Rigid bodies in space by points and unit vectors: natural coordinates as a way of stating them.
//
// A point has three coordinates, a unit vector three with |u| = 1. A solid is a list of points and
// vectors with their places in its own frame; three directions among them, D (differences to its
// first point P, and vectors) with d in its frame, place every point x of it at
//   P + D d^-1 (x - x_P),
// linear in the coordinates, so that its inertia matrix is constant. Solids that share a point are
// joined by a ball, those that share a point and a vector by a hinge.
#ifndef QDOT_MODEL_SPACE_H
#define QDOT_MODEL_SPACE_H

#include "expr/node.h"

// What `point` and `vector` name.
typedef struct SpaceName {
  Symbol name;
  bool is_vector;
  bool is_fixed;
  bool is_tied;    // a solid's frame gives its length
  uint32_t vector; // in the model's list of vectors
  Span span;
} SpaceName;

typedef struct Solid {
  Symbol name;
  Expr mass;
  Expr moment[3][3];  // of the mass: integrals of x^2, x y ... about the centre, of parameters
  Expr centre[3];     // in the world
  Expr axes[3][3];    // its own x, y and z direction in the world, linear in the coordinates
  VEC(Expr) points;   // components of its points in the world, three each
  VEC(bool) is_fixed; // of each point
  Span span;
} Solid;

typedef struct Space {
  VEC(SpaceName) names;
  VEC(Solid) solids;
  VEC(Expr) products; // of directions whose angle or length is kept already
  Expr gravity[3];    // 0 (no expression) when there is none
  Span gravity_span;
} Space;

#endif
