// Vectors in the plane, two components each. What is made is made from the first component on.
#ifndef QDOT_EXPR_PLANE_H
#define QDOT_EXPR_PLANE_H

#include "expr/build.h"

Expr plane_dot(Context *cx, const Expr a[2], const Expr b[2]);   // a_x b_x + a_y b_y
Expr plane_cross(Context *cx, const Expr a[2], const Expr b[2]); // a_x b_y - a_y b_x
Expr plane_square(Context *cx, const Expr a[2]);                 // a_x^2 + a_y^2
Expr plane_distance(Context *cx, const Expr from[2], const Expr to[2]);
// v turned by an angle, counterclockwise, whose cosine and sine are c and s; out is not v.
void plane_turn(Context *cx, Expr c, Expr s, const Expr v[2], Expr out[2]);
void plane_turn_by(Context *cx, Expr angle, const Expr v[2], Expr out[2]);

#endif
